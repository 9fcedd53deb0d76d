package shader

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"darkroom/composer"
	"darkroom/material/internal/descriptor"
)

// folder writes files and returns their folder.
func folder(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// both is a file with both stages, whose struct stands ahead of them.
const both = `struct VertexOutput {
    @builtin(position) position: vec4<f32>,
};
//# VERTEX
@vertex
fn mainVertex(input: VertexInput) -> VertexOutput {
    var out: VertexOutput;
    out.position = shaderSystem.viewProjection * getFinalWorld(input) * vec4<f32>(getFinalInput(input).position, 1.0);
    return out;
}
//# FRAGMENT
@fragment
fn mainFragment(input: VertexOutput) -> @location(0) vec4<f32> {
    return vec4<f32>(1.0);
}
`

func TestLoadFile(t *testing.T) {
	const rest = `"attributes": ["position", "color"], "formats": {"color": "unorm8x4"}, "system": ["world", "viewProjection"],
  "defines": {"S": 2, "N": {"i32": 3}}, "finalInput": true, "twoSided": true, "depthWrite": true, "depthCompare": "less", "topology": "line-list",
  "uniforms": [{"name": "tint", "type": "vec3<f32>", "value": [1, 2, 3]}, {"name": "n", "type": "u32", "value": 7}, {"name": "clock", "type": "f32", "value": 5, "time": 2}],
  "textures": [{"name": "ramp", "file": "ramp.png", "nearest": true}], "videos": [{"name": "film", "file": "f/*.png", "fps": 24, "loop": true}],
  "blend": {"color": {"src": "constant", "dst": "one"}}, "blendConstant": [0, 0.5, 0, 1]}`
	dir := folder(t, map[string]string{
		"a.vert.wgsl": testVertex, "a.frag.wgsl": testFragment, "both.wgsl": both, "bare.wgsl": both,
		"a.json":     `{"vertex": "a.vert.wgsl", "fragment": "a.frag.wgsl", ` + rest,
		"both.json":  `{"name": "b", ` + rest,
		"other.json": `{"wgsl": "both.wgsl", ` + rest,
	})
	for path, name := range map[string]string{"a.json": "a", "both.json": "b", "both.wgsl": "b", "other.json": "other"} {
		f, err := LoadFile(filepath.Join(dir, path))
		if err != nil {
			t.Fatal(err)
		}
		d := f.Material.decl
		if d.Name != name || len(d.Uniforms) != 3 || d.Topology != composer.LineList || !d.TwoSided || !d.InstanceWorld || !d.FinalInput || !*d.DepthWrite || d.Formats["color"] != composer.Unorm8x4 ||
			d.Blend.Color.Src != composer.FactorConstant || d.BlendConstant[1] != 0.5 || d.DepthCompare != composer.CompareLess || !reflect.DeepEqual(d.Defines, map[string]any{"S": 2.0, "N": int32(3)}) {
			t.Errorf("%s: %+v", path, d.Options)
		}
		if len(f.Timed) != 1 || f.Timed[0] != (Timed{"clock", 5, 2}) {
			t.Errorf("%s: timed %v", path, f.Timed)
		}
		if len(f.Textures) != 1 || f.Textures[0] != (TextureFile{"ramp", filepath.Join(dir, "ramp.png"), true}) || len(f.Videos) != 1 || f.Videos[0] != (VideoFile{"film", filepath.Join(dir, "f/*.png"), 24, true}) {
			t.Errorf("%s: %+v %+v", path, f.Textures, f.Videos)
		}
	}
	// Without a descriptor there is all that a model may need.
	f, err := LoadFile(filepath.Join(dir, "bare.wgsl"))
	if err != nil {
		t.Fatal(err)
	}
	sh, err := compose(f.Material, streams("position"))
	if err != nil || len(f.Material.decl.System) != 9 || len(f.Material.decl.Attributes) != 3 {
		t.Fatalf("%v %+v", err, f.Material.decl.Options)
	}
	// A compiler's complaint is told by the line in the file.
	for _, x := range []struct {
		text string
		m    composer.SourceMap
		code string
		want int
	}{{sh.VertexWGSL, sh.VertexMap, "return out;", 9}, {sh.FragmentWGSL, sh.FragmentMap, "return vec4<f32>(1.0)", 14}, {sh.FragmentWGSL, sh.FragmentMap, "struct VertexOutput", 1}} {
		line := strings.Count(x.text[:strings.Index(x.text, x.code)], "\n")
		if o := x.m.At(line + 1); o.ID != "bare" || o.Line != x.want {
			t.Errorf("%q comes from %v, want line %d", x.code, o, x.want)
		}
	}
	if !HoldsStages(both) || HoldsStages("//# CUSTOM_FRAGMENT_MAIN_BEGIN\n") || HoldsStages("fn f() {}") {
		t.Error("HoldsStages")
	}
}

func TestLoadFileRefused(t *testing.T) {
	const two = `"vertex": "a.vert.wgsl", "fragment": "a.frag.wgsl"`
	for i, x := range []struct{ json, wgsl, want string }{
		{"{", both, "line 1"}, {"{\n\"vertx\": 1}", both, "vertx"}, {"{} {}", both, "more after"},
		{`{"vertex": "a.vert.wgsl"}`, both, `"fragment"`}, {`{"vertex": "none", "fragment": "none"}`, both, "none"}, {`{"wgsl": "none"}`, both, "none"},
		{`{"wgsl": "p.wgsl", ` + two + `}`, both, "keep"},
		{`{"attributes": ["uv"]}`, both, "position"}, {`{"uniforms": [{"name": "a", "type": "u32", "value": 1.5}]}`, both, "1.5 is no u32"},
		{`{"uniforms": [{"name": "a", "type": "f32", "value": "x"}]}`, both, "neither a number"},
		{`{"uniforms": [{"name": "a", "type": "u32", "value": 1, "time": 1}]}`, both, "only an f32"},
		{`{"textures": [{"name": "a"}]}`, both, "no file"}, {`{"videos": [{"name": "a"}]}`, both, "no file"},
		{`{"blend": {"color": {"src": "half"}}}`, both, "half"}, {`{"system": ["time"]}`, both, `"time"`}, {`{"instanceWorld": true, "system": []}`, both, "world"},
		{"{}", "fn f() {}", "//# VERTEX"}, {"{}", "//# VERTEX\n" + testVertex, "//# FRAGMENT"}, {"{}", "//# COMPUTE\n", "line 1"}, {"{}", both + "//# VERTEX\n", "line 16"},
		{"{}", strings.Replace(both, "//# VERTEX", "\nvar<private> scene: f32;\n//# VERTEX", 1), "line 5"},
		{"{}", strings.Replace(both, "return vec4<f32>(1.0);", "return vec4<f32>(1.0)", 1) + "@group(0) @binding(9) var<uniform> x: f32;", "line 16"},
	} {
		dir := folder(t, map[string]string{"p.json": x.json, "p.wgsl": x.wgsl, "a.vert.wgsl": testVertex, "a.frag.wgsl": testFragment})
		p := filepath.Join(dir, "p.json")
		if _, err := LoadFile(p); err == nil || !strings.Contains(err.Error(), x.want) || !strings.Contains(err.Error(), p) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%d: %v, want %q and the file in one line", i, err, x.want)
		}
	}
	for _, name := range []string{"material.toml", "none.wgsl", "none.json"} {
		if _, err := LoadFile(filepath.Join(t.TempDir(), name)); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// FuzzFile reads anything without failing over.
func FuzzFile(f *testing.F) {
	f.Add(both, `{"uniforms": [{"name": "a", "type": "f32", "time": 1}], "defines": {"N": {"u32": 3}}}`)
	f.Add("//# VERTEX\r\n//# FRAGMENT", `{"blend": {"alpha": {}}, "textures": [{"name": "t", "file": "t"}]}`)
	f.Fuzz(func(t *testing.T, wgsl, text string) {
		var d description
		if descriptor.Decode([]byte(text), &d) != nil {
			return
		}
		o, err := d.options()
		if err != nil || stages(wgsl, &o) != nil || d.files(&o, &File{}, ".") != nil {
			return
		}
		if _, err := New(o); err != nil && strings.Contains(err.Error(), "\n") {
			t.Errorf("%q has more than one line", err)
		}
	})
}
