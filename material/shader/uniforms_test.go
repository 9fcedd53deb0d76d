package shader

import (
	"testing"

	"darkroom/material"
)

// Of the uniforms only what changed is to be uploaded: one range about all
// changes since the buffer was last asked for.
func TestRangeUpdates(t *testing.T) {
	o := base()
	o.Uniforms = []Uniform{{Name: "a", Type: "mat4x4<f32>"}, {Name: "b", Type: "vec3<f32>", Default: []float64{1, 2, 3}}, {Name: "c", Type: "f32"}, {Name: "d", Type: "vec4<f32>"}}
	m := mustNew(t, o)
	ask := func() *material.Buffer {
		b := newBound()
		if err := m.Resources(&material.Context{}, b); err != nil {
			t.Fatal(err)
		}
		return b.buffers["shaderUniforms"]
	}
	set := func(err error) {
		if err != nil {
			t.Fatal(err)
		}
	}
	b := ask()
	if len(b.Data) != 96 || b.Version != 0 || b.Data[64+3] != 0x3f {
		t.Fatalf("%d bytes of version %d: %v", len(b.Data), b.Version, b.Data[64:76])
	}
	set(m.SetFloat("c", 5))
	if got := ask(); got != b || b.Version != 1 || b.DirtyFrom != 76 || b.DirtyTo != 80 {
		t.Errorf("one float: %d…%d of version %d", b.DirtyFrom, b.DirtyTo, b.Version)
	}
	if ask(); b.Version != 1 {
		t.Errorf("nothing new: version %d", b.Version)
	}
	set(m.SetFloat("c", 5))
	if ask(); b.Version != 1 || m.UniformVersion() != 1 {
		t.Errorf("the same again: version %d, %d", b.Version, m.UniformVersion())
	}
	set(m.SetFloat("c", 6))
	set(m.SetVec4("d", [4]float64{1, 0, 0, 0}))
	if ask(); b.Version != 2 || b.DirtyFrom != 76 || b.DirtyTo != 96 {
		t.Errorf("two neighbours: %d…%d", b.DirtyFrom, b.DirtyTo)
	}
	if err := m.SetVec3("c", [3]float64{}); err == nil {
		t.Error("a vector for a float")
	}
	if ask(); b.Version != 2 {
		t.Error("what was refused is uploaded")
	}
}

func TestSetDoesNotAllocate(t *testing.T) {
	o := base()
	o.Uniforms = []Uniform{{Name: "a", Type: "f32"}}
	m := mustNew(t, o)
	x := 0.0
	if n := testing.AllocsPerRun(100, func() { x++; m.SetFloat("a", x) }); n > 0 {
		t.Errorf("%v allocations", n)
	}
}
