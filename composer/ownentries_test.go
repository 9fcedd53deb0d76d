package composer

import (
	"errors"
	"strings"
	"testing"
)

// A template around a user's own source: the entry points are in fragments'
// code, the uniform buffers have the user's names, and what is declared comes
// in the order of the markers.
func TestOwnEntries(t *testing.T) {
	tpl := &Template{
		ID:          "own",
		Vertex:      "/*MU*/\n/*VD*/\n/*CO*/\n/*VI*/\n/*USER_VERTEX*/\n",
		Fragment:    "/*MU*/\n/*FB*/\n/*CO*/\n/*USER_FRAGMENT*/\n",
		MeshFields:  []Field{{Name: "world", Type: "mat4x4<f32>"}},
		MeshVar:     "shaderSystem",
		MaterialVar: "shaderUniforms", MaterialFields: []Field{{Name: "time", Type: "f32"}},
		Attributes: []Attribute{{Name: "position", Type: "vec3<f32>"}, {Name: "color", Type: "vec4<f32>", Constant: true}},
		Constants:  []Constant{{Name: "SCALE", Type: "f32", Value: 2.0}},
		Outputs:    []Output{{Name: "color", Type: "vec4<f32>"}},
		OwnEntries: true, VertexEntry: "mainVertex", FragmentEntry: "mainFragment",
	}
	user := &Fragment{ID: "user", Slots: map[Slot]string{
		"USER_VERTEX":   "@vertex fn mainVertex(input: VertexInput) -> @builtin(position) vec4<f32> {\n  return shaderSystem.world * vec4<f32>(input.position * SCALE, 1.0);\n}",
		"USER_FRAGMENT": "@fragment fn mainFragment() -> @location(0) vec4<f32> {\n  return vec4<f32>(shaderUniforms.time);\n}",
	}}
	sh, err := Compose(tpl, []*Fragment{user}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	at := 0
	for _, want := range []string{
		"struct ShaderSystemUniforms {", "struct ShaderUniforms {",
		"@group(1) @binding(0) var<uniform> shaderSystem: ShaderSystemUniforms;",
		"@group(1) @binding(1) var<uniform> shaderUniforms: ShaderUniforms;",
		"const SCALE: f32 = 2f;", "struct VertexInput {", "fn mainVertex",
	} {
		i := strings.Index(sh.VertexWGSL[at:], want)
		if i < 0 {
			t.Fatalf("%q does not follow in\n%s", want, sh.VertexWGSL)
		}
		at += i
	}
	if n := strings.Count(sh.VertexWGSL, "const SCALE"); n != 1 {
		t.Errorf("the constant is declared %d times", n)
	}
	if sh.Mesh[0].Decl.Name != "shaderSystem" || sh.Mesh[1].Decl.Name != "shaderUniforms" {
		t.Errorf("bindings %v", sh.Mesh)
	}
	if sh.Buffers[0].Stride != 12 || sh.Buffers[1].Stride != 0 {
		t.Errorf("strides %d and %d, want 12 and 0", sh.Buffers[0].Stride, sh.Buffers[1].Stride)
	}
	line := strings.Count(sh.FragmentWGSL[:strings.Index(sh.FragmentWGSL, "return")], "\n")
	if o := sh.FragmentMap.At(line + 1); o.ID != "user" || o.Line != 2 {
		t.Errorf("the second line of the user's fragment stage comes from %v", o)
	}
}

// Builtin inputs reach an entry point of the user's own in VertexInput.
func TestOwnEntriesBuiltins(t *testing.T) {
	tpl := &Template{
		ID: "own", Vertex: "/*VI*/\n/*USER*/\n",
		Attributes: []Attribute{{Name: "position", Type: "vec3<f32>"}}, OwnEntries: true,
	}
	user := func(builtin string) *Fragment {
		return &Fragment{ID: "user", VertexBuiltins: []Builtin{{Name: builtin, Builtin: "vertex_index"}}, Slots: map[Slot]string{
			"USER": "@vertex fn vs(input: VertexInput) -> @builtin(position) vec4<f32> {\n  return vec4<f32>(f32(input." + builtin + "));\n}"}}
	}
	sh, err := Compose(tpl, []*Fragment{user("vertex")}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(sh.VertexWGSL, "struct VertexInput {\n  @location(0) position: vec3<f32>,\n  @builtin(vertex_index) vertex: u32,\n}") {
		t.Errorf("VertexInput is\n%s", sh.VertexWGSL)
	}
	if _, err := Compose(tpl, []*Fragment{user("position")}, Options{}); !errors.Is(err, ErrConflict) {
		t.Errorf("the name of an attribute: %v", err)
	}
	tpl.OwnEntries = false
	if _, err := Compose(tpl, []*Fragment{user("vertex")}, Options{}); !errors.Is(err, ErrSlot) {
		t.Errorf("a template without parameters: %v", err)
	}
}
