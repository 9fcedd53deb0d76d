package skin

import (
	"strings"
	"testing"

	"darkroom/composer"
	"darkroom/material"
	"darkroom/material/surface"
)

func context(streams ...string) *material.Context {
	c := &material.Context{Streams: map[string]composer.VertexFormat{"position": "float32x3"}}
	for _, s := range streams {
		f := composer.VertexFormat("float32x4")
		if strings.HasPrefix(s, "joints") {
			f = "uint32x4"
		}
		c.Streams[s] = f
	}
	return c
}

func TestFragments(t *testing.T) {
	s := New("arm", 2)
	for _, c := range []struct {
		name    string
		context *material.Context
		terms   int
	}{
		{"no joints", context(), 0},
		{"joints without weights", context("joints"), 0},
		{"four", context("joints", "weights"), 4},
		{"eight", context("joints", "weights", "joints1", "weights1"), 8},
	} {
		f := s.Fragments(c.context)
		if c.terms == 0 {
			if len(f) != 0 {
				t.Errorf("%s: %d fragments, want none", c.name, len(f))
			}
			continue
		}
		sh, err := composer.Compose(surface.Depth(), f, composer.Options{})
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if n := strings.Count(sh.VertexWGSL, "jointMatrices[input."); n != c.terms {
			t.Errorf("%s: %d terms, want %d", c.name, n, c.terms)
		}
	}
}

func TestSet(t *testing.T) {
	s := New("arm", 2)
	if m := s.Matrix(1); s.Joints() != 2 || m[0] != 1 || m[5] != 1 || m[10] != 1 || m[15] != 1 || m[12] != 0 {
		t.Errorf("%d joints, matrix %v, want the unit matrix", s.Joints(), m)
	}
	moved := [16]float64{0: 1, 5: 1, 10: 1, 12: 3, 15: 1}
	s.Set([][16]float64{moved, moved})
	v := s.Matrices.Version
	if s.Matrix(0) != moved || v == 0 {
		t.Errorf("matrix %v, version %d", s.Matrix(0), v)
	}
	s.Set([][16]float64{moved, moved})
	if s.Matrices.Version != v {
		t.Error("the same pose is uploaded again")
	}
}
