package renderer

import (
	"testing"

	"darkroom/composer"
	"darkroom/material"
	"darkroom/material/shader"
	"darkroom/scenes"
)

// Views draw with state and values of their own.
func TestShaderViews(t *testing.T) {
	r := open(t)
	s := emptyScene()
	m := flatShader(t, "vec4<f32>(0.0)", "vec4<f32>(shaderUniforms.red, 1.0, 1.0, 1.0)", func(o *shader.Options) {
		o.Uniforms = []shader.Uniform{{Name: "red", Type: "f32", Default: 1.0}}
	})
	view := m.View("red only", func(s *material.State) { s.Write = composer.WriteRed })
	left := s.Add(scenes.NewMesh("left", quad(-1, -1, 0, 1), m))
	s.Add(scenes.NewMesh("right", quad(0, -1, 1, 1), view))
	x := newSession(t, r, s, 4, 4)
	check := func(what string, a, b [4]byte) {
		t.Helper()
		f := drawAt(t, x, 0)
		if f.pixel(0, 0) != a || f.pixel(3, 0) != b {
			t.Errorf("%s: %v and %v, want %v and %v", what, f.pixel(0, 0), f.pixel(3, 0), a, b)
		}
	}
	check("borrowed", [4]byte{255, 255, 255, 255}, [4]byte{255, 0, 0, 255})
	if err := m.SetFloat("red", 0.2); err != nil {
		t.Fatal(err)
	}
	check("changed through the source", [4]byte{51, 255, 255, 255}, [4]byte{51, 0, 0, 255})
	if err := view.SetFloat("red", 1); err != nil {
		t.Fatal(err)
	}
	check("changed through the view", [4]byte{51, 255, 255, 255}, [4]byte{255, 0, 0, 255})
	left.Hidden = true
	view.ReleaseUniforms()
	check("released", [4]byte{0, 0, 0, 255}, [4]byte{51, 0, 0, 255})
}
