package plugin

import (
	"fmt"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"darkroom/material"
	"darkroom/material/internal/descriptor"
	"darkroom/material/pbr"
	"darkroom/material/texture"
)

const fileWGSL = "// head\n//# CUSTOM_FRAGMENT_DEFINITIONS\nfn half(x: f32) -> f32 { return 0.5 * x; }\n\n//#CUSTOM_FRAGMENT_BEFORE_FRAGCOLOR\ncolor = color * half(material.gain);\n"

func TestLoadFile(t *testing.T) {
	dir := t.TempDir()
	w := write(t, dir, "glow.wgsl", fileWGSL)
	write(t, dir, "glow.json", `{"name": "shine", "priority": 7, "defines": {"ON": true, "S": 2, "N": {"u32": 7}},
  "uniforms": [{"name": "gain", "type": "f32", "value": 3, "time": 2}, {"name": "tint", "type": "vec3f", "value": [1, 2, 3], "visibility": "vertex"}, {"name": "n", "type": "i32", "value": 4}],
  "varyings": [{"name": "v", "type": "vec2f"}], "textures": [{"name": "grain", "file": "grain.png", "nonFiltering": true}]}`)
	for _, path := range []string{w, filepath.Join(dir, "glow.json")} {
		f, err := LoadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		p := f.Plugin
		if p.Name != "shine" || p.Priority != 7 || !p.Dynamic || len(p.Code) != 2 || len(p.Uniforms) != 3 || p.Uniforms[1].Visibility != Vertex || len(p.Varyings) != 1 || !reflect.DeepEqual(p.Defines, map[string]any{"ON": true, "S": 2.0, "N": uint32(7)}) {
			t.Errorf("%s: %+v", path, p)
		}
		if f.Textures["grain"] != filepath.Join(dir, "grain.png") || !p.Samplers[0].NonFiltering || p.Samplers[0].Sampler != "grainSampler" {
			t.Errorf("%s: textures %v, samplers %v", path, f.Textures, p.Samplers)
		}
		x := &written{fields: map[string]any{}}
		if err := p.Values(material.System{Time: 1.5}, x); err != nil || !reflect.DeepEqual(x.fields, map[string]any{"gain": []float64{6}, "tint": []float64{1, 2, 3}, "n": 4}) {
			t.Errorf("%s: values %v, %v", path, x.fields, err)
		}
		// Lines are counted in the file.
		p.Textures = map[string]*texture.Texture{"grain": pix("", true)}
		sh := mustCompose(t, wrap(t, pbr.New("p"), p), context())
		line := strings.Count(sh.FragmentWGSL[:strings.Index(sh.FragmentWGSL, "color = color * half")], "\n")
		if o := sh.FragmentMap.At(line + 1); o.Line != 6 || o.ID != "plugin shine" || o.Part != string(FragmentBeforeFragColor) {
			t.Errorf("%s: the code's origin is %v", path, o)
		}
	}
	alone := write(t, dir, "alone.wgsl", "//# CUSTOM_FRAGMENT_MAIN_BEGIN\n// nothing\n")
	if f, err := LoadFile(alone); err != nil || f.Plugin.Name != "alone" {
		t.Errorf("without a descriptor: %v", err)
	}
}

func TestLoadFileRefused(t *testing.T) {
	dir := t.TempDir()
	good := "//# CUSTOM_FRAGMENT_MAIN_BEGIN\n// nothing\n"
	for i, x := range []struct{ wgsl, json, want string }{
		{"color = 1;\n", "", "line 1"}, {"", "", "no line //#"}, {"// only\n", "", "no line //#"},
		{"//# CUSTOM_NOWHERE\n", "", `line 1: "CUSTOM_NOWHERE"`}, {good + good, "", "line 3"},
		{good, `{"name": 3}`, "line 1"}, {good, "{\n\"nme\": \"x\"}", "nme"}, {good, "{} {}", "more after"}, {good, "{", "EOF"},
		{good, `{"defines": {"A": "x"}}`, "neither true"}, {good, `{"defines": {"A": {"i64": 1}}}`, "no type"}, {good, `{"defines": {"A": {"u32": -1}}}`, "-1 is no u32"},
		{good, `{"uniforms": [{"name": "a", "type": "f32"}]}`, "neither a value nor a time"},
		{good, `{"uniforms": [{"name": "a", "type": "f32", "value": "x"}]}`, "neither a number"},
		{good, `{"uniforms": [{"name": "a", "type": "vec2f", "value": [1, "x"]}]}`, "no number"},
		{good, `{"uniforms": [{"name": "a", "type": "vec2f", "value": [1, 2], "time": 1}]}`, "only an f32"},
		{good, `{"uniforms": [{"name": "a", "type": "i32", "value": 1.5}]}`, "1.5 is no i32"},
		{good, `{"textures": [{"name": "a"}]}`, "no file"}, {good, `{"wgsl": "missing.wgsl"}`, "missing.wgsl"},
	} {
		name := fmt.Sprintf("p%d", i)
		path := write(t, dir, name+".wgsl", x.wgsl)
		if x.json != "" {
			path = write(t, dir, name+".json", x.json)
		}
		if _, err := LoadFile(path); err == nil || !strings.Contains(err.Error(), x.want) || !strings.Contains(err.Error(), dir) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q %q: %v, want %q and the file in one line", x.wgsl, x.json, err, x.want)
		}
	}
	if _, err := LoadFile("plugin.toml"); err == nil {
		t.Error("TOML was taken")
	}
}

func FuzzFile(f *testing.F) {
	f.Add(fileWGSL, `{"uniforms": [{"name": "gain", "type": "f32", "value": 3}]}`)
	f.Add("//# CUSTOM_FRAGMENT_MAIN_BEGIN\r\n", `{"uniforms": [{"name": "a", "type": "i32", "value": []}]}`)
	f.Fuzz(func(t *testing.T, wgsl, text string) {
		code, err := sections(wgsl)
		if err != nil {
			return
		}
		var d description
		if descriptor.Decode([]byte(text), &d) != nil {
			return
		}
		if x, err := d.file(code, "."); err == nil {
			x.Plugin.Name = "p"
			Wrap(pbr.New("p"), x.Plugin)
		}
	})
}
