package plugins

import (
	"bytes"
	"image"
	"image/color"
	"image/gif"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"darkroom/material/pbr"
	"darkroom/material/plugin"
	"darkroom/scenes"
	"darkroom/scenes/mesh"
)

func fileSet(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	var grain bytes.Buffer
	if err := png.Encode(&grain, image.NewNRGBA(image.Rect(0, 0, 2, 2))); err != nil {
		t.Fatal(err)
	}
	var film bytes.Buffer
	frame := image.NewPaletted(image.Rect(0, 0, 2, 1), color.Palette{color.White, color.Black})
	if err := gif.EncodeAll(&film, &gif.GIF{Image: []*image.Paletted{frame, frame}, Delay: []int{50, 50}}); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"grain.png": grain.String(),
		"glow.wgsl": "//# CUSTOM_FRAGMENT_BEFORE_FRAGCOLOR\ncolor = textureSample(grain, grainSampler, vec2<f32>(0.5));\n",
		"glow.json": `{"textures": [{"name": "grain", "file": "grain.png", "nonFiltering": true}]}`,
		"toon.json": `{"vertex": "v.wgsl", "fragment": "f.wgsl", "attributes": ["position"], "uniforms": [{"name": "clock", "type": "f32", "value": 1, "time": 2}], "textures": [{"name": "grain", "file": "grain.png"}]}`,
		"lost.json": `{"vertex": "v.wgsl", "fragment": "f.wgsl", "attributes": ["position"], "textures": [{"name": "grain", "file": "lost.png"}]}`,
		"both.wgsl": "//# VERTEX\n@vertex fn mainVertex(input: VertexInput) -> @builtin(position) vec4<f32> { return vec4<f32>(input.position, 1.0); }\n//# FRAGMENT\n@fragment fn mainFragment() -> @location(0) vec4<f32> { return vec4<f32>(1.0); }\n",
		"both.json": `{"textures": [{"name": "grain", "file": "grain.png", "nearest": true}], "videos": [{"name": "a", "file": "film.gif", "loop": true}, {"name": "b", "file": "film.y4m"}, {"name": "c", "file": "f-*.png", "fps": 2}]}`,
		"film.gif":  film.String(), "film.y4m": "YUV4MPEG2 W2 H1 F2:1 Cmono\nFRAME\n\x10\x10FRAME\n\xeb\xeb", "f-9.png": grain.String(), "f-10.png": grain.String(),
		"rate.wgsl": "//# VERTEX\n//# FRAGMENT\n", "rate.json": `{"wgsl": "both.wgsl", "videos": [{"name": "a", "file": "film.gif", "fps": 2}]}`,
		"still.json": `{"wgsl": "both.wgsl", "videos": [{"name": "a", "file": "grain.png"}]}`, "lack.json": `{"wgsl": "both.wgsl", "videos": [{"name": "a", "file": "none-*.png", "fps": 1}]}`,
		"v.wgsl": "@vertex fn mainVertex(input: VertexInput) -> @builtin(position) vec4<f32> { return vec4<f32>(input.position, 1.0); }",
		"f.wgsl": "@fragment fn mainFragment() -> @location(0) vec4<f32> { return vec4<f32>(1.0); }",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// forest is a scene of three meshes, of which two share a material and one is hidden.
func forest() (*scenes.Scene, []*scenes.Node) {
	s := scenes.New("forest")
	g := &mesh.Geometry{Positions: make([]float32, 9)}
	bark := pbr.New("bark")
	a, b, c := scenes.NewMesh("a", g, bark), scenes.NewMesh("b", g, bark), scenes.NewMesh("c", g, pbr.New("leaf"))
	c.Hidden = true
	s.Add(a.Add(b), c)
	return s, []*scenes.Node{a, b, c}
}

func TestApplyPlugin(t *testing.T) {
	dir := fileSet(t)
	e, err := Load(filepath.Join(dir, "glow.wgsl"))
	if err != nil {
		t.Fatal(err)
	}
	s, n := forest()
	host := n[0].Mesh.Material
	if err := Apply(s, e); err != nil {
		t.Fatal(err)
	}
	m, ok := n[0].Mesh.Material.(*plugin.Material)
	if !ok || m.Host != host || n[1].Mesh.Material != n[0].Mesh.Material {
		t.Errorf("the shared material became %v and %v", n[0].Mesh.Material, n[1].Mesh.Material)
	}
	if other, ok := n[2].Mesh.Material.(*plugin.Material); !ok || other == m || other.Signature() != m.Signature() {
		t.Errorf("the hidden mesh has %v", n[2].Mesh.Material)
	}
}

func TestApplyMaterial(t *testing.T) {
	dir := fileSet(t)
	e, err := Load(filepath.Join(dir, "toon.json"))
	if err != nil {
		t.Fatal(err)
	}
	s, n := forest()
	called := false
	s.Animate = func(*scenes.Scene, float64) error { called = true; return nil }
	if err := Apply(s, e); err != nil {
		t.Fatal(err)
	}
	for _, n := range n {
		if n.Mesh.Material != e.Shader.Material {
			t.Errorf("%s has %v", n.Name, n.Mesh.Material)
		}
	}
	before := e.Shader.Material.UniformVersion()
	if err := s.Animate(s, 3); err != nil || !called || e.Shader.Material.UniformVersion() != before+1 {
		t.Errorf("the time is not set: %v", err)
	}
	glow, err := Load(filepath.Join(dir, "glow.json"))
	if err != nil {
		t.Fatal(err)
	}
	if Apply(s, e, glow) == nil || Apply(s, e, e) == nil {
		t.Error("a material was taken with another")
	}
}

// A material of one file, with a texture and a video of each kind.
func TestLoadMaterial(t *testing.T) {
	dir := fileSet(t)
	for _, name := range []string{"both.wgsl", "both.json"} {
		e, err := Load(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		m := e.Shader.Material
		if g := m.Texture("grain"); g == nil || g.Sampler.Mag != "nearest" {
			t.Errorf("%s: the texture is %+v", name, g)
		}
		for _, v := range []string{"a", "b", "c"} {
			if x := m.External(v); x == nil || !x.Ready(0.7) {
				t.Errorf("%s: video %s is %v", name, v, x)
			}
		}
		if err := m.Check(); err != nil {
			t.Error(err)
		}
	}
}

func TestLoadRefused(t *testing.T) {
	dir := fileSet(t)
	for _, x := range []struct{ name, want string }{{"lost.json", "lost.png"}, {"absent.json", "absent.json"}, {"rate.json", "fps"}, {"still.json", "neither a GIF nor a Y4M"}, {"lack.json", "none-*.png"}, {"none.wgsl", "none.wgsl"}, {"grain.png", ".wgsl"}} {
		if _, err := Load(filepath.Join(dir, x.name)); err == nil || !strings.Contains(err.Error(), x.want) {
			t.Errorf("%s: %v", x.name, err)
		}
	}
}
