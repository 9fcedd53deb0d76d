package plugins

import (
	"bytes"
	"image"
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

func files(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	var grain bytes.Buffer
	if err := png.Encode(&grain, image.NewNRGBA(image.Rect(0, 0, 2, 2))); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"grain.png": grain.String(),
		"glow.wgsl": "//# CUSTOM_FRAGMENT_BEFORE_FRAGCOLOR\ncolor = textureSample(grain, grainSampler, vec2<f32>(0.5));\n",
		"glow.json": `{"textures": [{"name": "grain", "file": "grain.png", "nonFiltering": true}]}`,
		"toon.json": `{"vertex": "v.wgsl", "fragment": "f.wgsl", "attributes": ["position"], "uniforms": [{"name": "clock", "type": "f32", "value": 1, "time": 2}], "textures": [{"name": "grain", "file": "grain.png"}]}`,
		"lost.json": `{"vertex": "v.wgsl", "fragment": "f.wgsl", "attributes": ["position"], "textures": [{"name": "grain", "file": "lost.png"}]}`,
		"v.wgsl":    "@vertex fn mainVertex(input: VertexInput) -> @builtin(position) vec4<f32> { return vec4<f32>(input.position, 1.0); }",
		"f.wgsl":    "@fragment fn mainFragment() -> @location(0) vec4<f32> { return vec4<f32>(1.0); }",
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
	dir := files(t)
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
	dir := files(t)
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

func TestLoadRefused(t *testing.T) {
	dir := files(t)
	for _, x := range []struct{ name, want string }{{"lost.json", "lost.png"}, {"none.json", "none.json"}, {"none.wgsl", "none.wgsl"}, {"grain.png", ".wgsl"}} {
		if _, err := Load(filepath.Join(dir, x.name)); err == nil || !strings.Contains(err.Error(), x.want) {
			t.Errorf("%s: %v", x.name, err)
		}
	}
}
