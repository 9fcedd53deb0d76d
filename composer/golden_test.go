package composer

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// go test ./composer -run Golden -update rewrites the golden texts.
var update = flag.Bool("update", false, "rewrite the golden shader texts")

// goldens are the combinations whose text is kept.
func goldens() []struct {
	name      string
	template  *Template
	fragments []*Fragment
	options   Options
} {
	type golden = struct {
		name      string
		template  *Template
		fragments []*Fragment
		options   Options
	}
	kept := litTemplate()
	kept.KeepOrder = true
	depth := &Template{
		ID: "depth", Vertex: litVertex, SceneUniforms: sceneWGSL,
		Attributes: litTemplate().Attributes, Varyings: litTemplate().Varyings, MeshFields: litTemplate().MeshFields,
	}
	return []golden{
		{"plain", litTemplate(), nil, Options{}},
		{"albedo", litTemplate(), pick("albedo", "uv"), Options{}},
		{"alpha-test-only", litTemplate(), pick("uv", "albedo", "alpha-test"), Options{OutputLocations: map[string]int{}}},
		{"lights", litTemplate(), pick("lights", "normal"), Options{}},
		{"shadow", litTemplate(), pick("shadow", "lights", "normal"), Options{}},
		{"skin", litTemplate(), pick("skin", "normal", "lights"), Options{}},
		{"instances", litTemplate(), pick("thin-instances", "fade"), Options{}},
		{"two-outputs", litTemplate(), pick("depth-output"), Options{OutputLocations: map[string]int{"color": 1, "depth": 0}}},
		{"kept-order", kept, pick("exposure", "desaturate", "vertex-index"), Options{}},
		{"depth-pass", depth, pick("skin", "vertex-index"), Options{}},
		{"everything", litTemplate(), catalogue(), Options{}},
		{"bindings", litTemplate(), []*Fragment{everyBinding()}, Options{Limits: Limits{SampledTextures: 32, StorageTextures: 16}}},
		{"everything-vertex-only", litTemplate(), catalogue(), Options{VertexOnly: true}},
	}
}

func TestGolden(t *testing.T) {
	known := make(map[string]bool)
	for _, g := range goldens() {
		known[g.name+".vert.wgsl"] = true
		known[g.name+".frag.wgsl"] = g.template.Fragment != "" && !g.options.VertexOnly
		t.Run(g.name, func(t *testing.T) {
			sh, err := Compose(g.template, g.fragments, g.options)
			if err != nil {
				t.Fatal(err)
			}
			golden(t, g.name+".vert.wgsl", sh.VertexWGSL)
			golden(t, g.name+".frag.wgsl", sh.FragmentWGSL)
		})
	}
	files, err := os.ReadDir(filepath.Join("testdata", "golden"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if !known[f.Name()] {
			t.Errorf("testdata/golden/%s belongs to no combination; delete it", f.Name())
		}
	}
}

// golden compares a text with the file of that name; an empty text has no file.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", "golden", name)
	if *update {
		if got == "" {
			return
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil && (got != "" || !os.IsNotExist(err)) {
		t.Fatalf("%v; go test ./composer -run Golden -update writes it", err)
	}
	if got == string(want) {
		return
	}
	g, w := strings.Split(got, "\n"), strings.Split(string(want), "\n")
	for i := 0; ; i++ {
		switch {
		case i >= len(g):
			t.Fatalf("%s:%d: the shader ends, the golden text goes on: %s", path, i+1, w[i])
		case i >= len(w):
			t.Fatalf("%s:%d: the golden text ends, the shader goes on: %s", path, i+1, g[i])
		case g[i] != w[i]:
			t.Fatalf("%s:%d: first difference\n got %s\nwant %s", path, i+1, g[i], w[i])
		}
	}
}
