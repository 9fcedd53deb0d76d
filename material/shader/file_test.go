package shader

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestLoadFile(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		p := filepath.Join(dir, name)
		if err := os.WriteFile(p, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return p
	}
	write("a.vert.wgsl", testVertex)
	write("a.frag.wgsl", testFragment)
	const stages = `"vertex": "a.vert.wgsl", "fragment": "a.frag.wgsl"`
	path := write("a.json", `{`+stages+`, "attributes": ["position", "uv"], "system": ["world"], "defines": {"S": 2}, "instanceWorld": true, "twoSided": true,
  "uniforms": [{"name": "tint", "type": "vec3<f32>", "value": [1, 2, 3]}, {"name": "n", "type": "u32", "value": 7}, {"name": "clock", "type": "f32", "value": 5, "time": 2}],
  "textures": [{"name": "ramp", "file": "ramp.png"}], "alphaBlending": true, "blendMode": "additive"}`)
	f, err := LoadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	d := f.Material.decl
	if d.Name != "a" || len(d.Uniforms) != 3 || d.BlendMode != Additive || !d.TwoSided || !d.InstanceWorld || f.Textures["ramp"] != filepath.Join(dir, "ramp.png") {
		t.Errorf("%+v", d.Options)
	}
	if len(f.Timed) != 1 || f.Timed[0] != (Timed{"clock", 5, 2}) {
		t.Errorf("timed %v", f.Timed)
	}
	for i, x := range []struct{ json, want string }{
		{"{", "line 1"}, {"{\n\"vertx\": 1}", "vertx"}, {`{}`, `"vertex"`}, {`{"vertex": "a.vert.wgsl"}`, `"fragment"`}, {`{"vertex": "none", "fragment": "none"}`, "none"},
		{`{` + stages + `}`, "position"}, {`{` + stages + `, "attributes": ["position"], "uniforms": [{"name": "a", "type": "u32", "value": 1.5}]}`, "1.5 is no u32"},
		{`{` + stages + `, "attributes": ["position"], "uniforms": [{"name": "a", "type": "f32", "value": "x"}]}`, "neither a number"},
		{`{` + stages + `, "attributes": ["position"], "uniforms": [{"name": "a", "type": "u32", "value": 1, "time": 1}]}`, "only an f32"},
		{`{` + stages + `, "attributes": ["position"], "textures": [{"name": "a"}]}`, "no file"},
	} {
		p := write("bad.json", x.json)
		if _, err := LoadFile(p); err == nil || !strings.Contains(err.Error(), x.want) || !strings.Contains(err.Error(), p) {
			t.Errorf("%d: %v, want %q and the file", i, err, x.want)
		}
	}
}
