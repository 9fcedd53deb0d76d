package shader

import (
	"bytes"
	"testing"

	"darkroom/material"
)

// A material that is made of another's options has its values.
func TestOptionsMakeTheMaterialAgain(t *testing.T) {
	o := Options{
		Name: "o", Attributes: []string{"position"}, System: []System{WorldViewProjection}, Vertex: testVertex,
		Fragment: "@fragment\nfn mainFragment(input: VertexOutput) -> @location(0) vec4<f32> {\nreturn vec4<f32>(shaderUniforms.v * shaderUniforms.f, f32(shaderUniforms.i)) + shaderUniforms.m[0] * f32(shaderUniforms.u);\n}",
	}
	for _, u := range [][2]string{{"f", "f32"}, {"v", "vec3<f32>"}, {"i", "i32"}, {"u", "u32"}, {"m", "mat4x4<f32>"}} {
		o.Uniforms = append(o.Uniforms, Uniform{Name: u[0], Type: u[1]})
	}
	m, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	for name, v := range map[string]any{"f": 0.1, "v": []float64{1, 2, 3}, "i": int32(-7), "u": uint32(8), "m": []float64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}} {
		if err := m.Set(name, v); err != nil {
			t.Fatal(err)
		}
	}
	again, ok := m.Options()
	if !ok {
		t.Fatal("a material is taken for a view")
	}
	n, err := New(again)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(m.values.writer.Bytes(), n.values.writer.Bytes()) {
		t.Errorf("values % x, want % x", n.values.writer.Bytes(), m.values.writer.Bytes())
	}
	if o.Uniforms[0].Default != nil {
		t.Error("the options that the material was made of were changed")
	}
	if _, ok := m.View("v", func(*material.State) {}).Options(); ok {
		t.Error("a view with a state of its own has options")
	}
}
