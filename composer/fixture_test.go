package composer

import (
	_ "embed"
	"errors"
	"slices"
	"strings"
	"testing"
)

//go:embed testdata/lit.vert.wgsl
var litVertex string

//go:embed testdata/lit.frag.wgsl
var litFragment string

const sceneWGSL = `struct SceneUniforms {
  viewProjection: mat4x4<f32>,
  eye: vec4<f32>,
}
@group(0) @binding(0) var<uniform> scene: SceneUniforms;
`

// litTemplate is a small lit material: every slot of the built-in templates.
func litTemplate() *Template {
	return &Template{
		ID:             "lit",
		Vertex:         litVertex,
		Fragment:       litFragment,
		SceneUniforms:  sceneWGSL,
		Attributes:     []Attribute{{Name: "position", Type: "vec3<f32>", Format: Float32x3}},
		Varyings:       []Varying{{Name: "worldPosition", Type: "vec3<f32>"}},
		MeshFields:     []Field{{"world", "mat4x4<f32>"}},
		MaterialFields: []Field{{"baseColor", "vec4<f32>"}},
		Outputs:        []Output{{"color", "vec4<f32>"}},
	}
}

// bareTemplate has the given slots in its fragment stage and declares nothing.
func bareTemplate(slots ...Slot) *Template {
	f := "@fragment\nfn fs()/*FR*/ {\n"
	for _, s := range slots {
		f += "  /*" + string(s) + "*/\n"
	}
	return &Template{
		ID:       "bare",
		Vertex:   "/*MU*/\n/*VD*/\n/*VI*/\n/*VO*/\n/*VH*/\n@vertex\nfn vs(/*VP*/) -> VertexOutput {\n  var output: VertexOutput;\n  return output;\n}\n",
		Fragment: "/*MU*/\n/*FB*/\n/*FI*/\n/*FO*/\n/*HF*/\n" + f + "  /*FW*/\n}\n",
	}
}

func mustCompose(t testing.TB, tm *Template, fragments ...*Fragment) *Shader {
	t.Helper()
	sh, err := Compose(tm, fragments, Options{})
	if err != nil {
		t.Fatal(err)
	}
	return sh
}

// wantError checks the kind of an error and that it names what it must.
func wantError(t testing.TB, err, kind error, names ...string) {
	t.Helper()
	if err == nil {
		t.Fatalf("no error, want %v naming %q", kind, names)
	}
	if !errors.Is(err, kind) {
		t.Errorf("error %q is no %q", err, kind)
	}
	if strings.Contains(err.Error(), "\n") {
		t.Errorf("error %q has several lines", err)
	}
	for _, n := range names {
		if !strings.Contains(err.Error(), n) {
			t.Errorf("error %q does not say %q", err, n)
		}
	}
}

// wantOrder checks that the parts stand in the text in this order.
func wantOrder(t testing.TB, text string, parts ...string) {
	t.Helper()
	rest := text
	for _, p := range parts {
		i := strings.Index(rest, p)
		if i < 0 {
			t.Fatalf("%q is missing or too early in\n%s", p, text)
		}
		rest = rest[i+len(p):]
	}
}

func permutations[T any](s []T, visit func([]T)) {
	var rec func(int)
	rec = func(k int) {
		if k == len(s) {
			visit(s)
			return
		}
		for i := k; i < len(s); i++ {
			s[k], s[i] = s[i], s[k]
			rec(k + 1)
			s[k], s[i] = s[i], s[k]
		}
	}
	rec(0)
}

// mapOf is the source map of lines with the given origins.
func mapOf(origins ...Origin) SourceMap {
	var m SourceMap
	for _, o := range origins {
		own, part := ownTemplate, slices.Index(m.parts, o.Part)
		if part < 0 {
			part = len(m.parts)
			m.parts = append(m.parts, o.Part)
		}
		if o.Template {
			m.template = o.ID
		} else if own = owner(slices.Index(m.fragments, o.ID)); own < 0 {
			own = owner(len(m.fragments))
			m.fragments = append(m.fragments, o.ID)
		}
		m.add(own, int32(part), o.Line, 1)
	}
	return m
}

// offset is the place of a field, -1 if there is none.
func offset(u *UBO, name string) int {
	if at, ok := u.Offset(name); ok {
		return at
	}
	return -1
}
