package export_test

import (
	"encoding/json"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"darkroom/composer"
	"darkroom/material"
	"darkroom/material/instances"
	"darkroom/material/standard"
	"darkroom/material/texture"
	"darkroom/scenes"
	"darkroom/scenes/catalogue"
	"darkroom/scenes/export"
	"darkroom/scenes/linalg"
	"darkroom/scenes/mesh"
)

// stage is a scene with vertices of its own and a texture.
func stage() *scenes.Scene {
	s := scenes.New("stage")
	s.Camera = scenes.NewArcRotate("camera", 1, 1, 5, linalg.Vec3{})
	s.AddLight(scenes.Hemispheric("sky", linalg.Vec3{0, 1, 0}))
	m := standard.New("red")
	m.DiffuseTexture = &standard.Channel{Texture: texture.Solid("one", 1, 0, 0, 1)}
	g := &mesh.Geometry{Name: "triangle", Positions: []float32{0, 0, 0, 1, 0, 0, 0, 1, 0}, Normals: []float32{0, 0, 1, 0, 0, 1, 0, 0, 1}, Indices: []uint32{0, 1, 2}}
	s.Add(scenes.NewMesh("triangle", g, m))
	return s
}

type own struct{ material.Material }

// What a document cannot hold is refused with its place.
func TestRefused(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct {
		name   string
		change func(s *scenes.Scene)
		want   []string
	}{
		{"animate", func(s *scenes.Scene) { s.Animate = func(*scenes.Scene, float64) error { return nil } }, []string{"scene.animate", "Go function"}},
		{"jitter", func(s *scenes.Scene) { s.Jitter = func(int) [2]float64 { return [2]float64{} } }, []string{"scene.jitter"}},
		{"custom track", func(s *scenes.Scene) {
			s.Animations = []*scenes.Animation{{Name: "a", Tracks: []*scenes.Track{{Path: scenes.PathCustom, Set: func([]float64) {}, Width: 1, Times: []float64{0}, Values: []float64{0}}}}}
		}, []string{"scene.animations[0].tracks[0].set"}},
		{"own material", func(s *scenes.Scene) { s.Roots[0].Mesh.Material = &own{} }, []string{`nodes[0] "triangle".mesh.material`, "export_test.own"}},
		{"NaN position", func(s *scenes.Scene) { s.Roots[0].Position[1] = nan }, []string{`nodes[0] "triangle".position[1]`, "NaN"}},
		{"NaN colour", func(s *scenes.Scene) { s.Roots[0].Mesh.Material.(*standard.Material).Diffuse[2] = math.Inf(1) }, []string{`materials[0] "red".diffuse[2]`}},
		{"NaN vertex", func(s *scenes.Scene) { s.Roots[0].Mesh.Geometry.Positions[4] = float32(nan) }, []string{`geometries[0] "triangle"`, "positions"}},
		{"index", func(s *scenes.Scene) { s.Roots[0].Mesh.Geometry.Indices[2] = 9 }, []string{`geometries[0] "triangle"`}},
		{"NaN instance", func(s *scenes.Scene) {
			m := linalg.Identity()
			m[12] = nan
			s.Roots[0].Mesh.Features = append(s.Roots[0].Mesh.Features, instances.New([][16]float64{m}, nil))
		}, []string{"features[0]", "number 12 of its matrices"}},
		{"light kind", func(s *scenes.Scene) { s.Lights[0].Kind = 9 }, []string{`lights[0] "sky".kind`}},
		{"video", func(s *scenes.Scene) {
			s.Roots[0].Mesh.Material.(*standard.Material).DiffuseTexture.Texture.Source = &texture.Frames{Width: 1, Height: 1}
		}, []string{`textures[0] "one".source`, "frames of a video"}},
	} {
		s := stage()
		c.change(s)
		err := export.Write(t.TempDir(), &export.Picture{Scene: s})
		if !errors.Is(err, export.ErrRefused) {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		for _, w := range append(c.want, "scene stage: ") {
			if !strings.Contains(err.Error(), w) {
				t.Errorf("%s: %q does not say %q", c.name, err, w)
			}
		}
	}
}

// A builder whose geometry was changed afterwards is written as vertices.
func TestChangedBuilder(t *testing.T) {
	g, err := mesh.CreateBox(mesh.BoxOptions{})
	if err != nil {
		t.Fatal(err)
	}
	g.Positions[0] += 0.25
	s := stage()
	s.Roots[0].Mesh.Geometry = g
	dir := t.TempDir()
	if err := export.Write(dir, &export.Picture{Scene: s}); err != nil {
		t.Fatal(err)
	}
	p, err := export.Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	if got := p.Scene.Roots[0].Mesh.Geometry; got.Positions[0] != g.Positions[0] || got.Builder != nil {
		t.Errorf("positions[0] is %g, want %g, builder %v", got.Positions[0], g.Positions[0], got.Builder)
	}
}

// Two meshes that share a geometry, a material and a texture still do.
func TestSharing(t *testing.T) {
	s := stage()
	a := s.Roots[0]
	b := scenes.NewMesh("second", a.Mesh.Geometry, a.Mesh.Material)
	b.Mesh.OnlyLights = []*scenes.Light{s.Lights[0]}
	a.Add(b)
	s.Before = []scenes.Task{&scenes.ScenePass{Name: "pass", Attachments: scenes.Attachments{Color: []*texture.Texture{}}, OverrideFor: map[*scenes.Node]material.Material{b: a.Mesh.Material}}}
	m := a.Mesh.Material.(*standard.Material)
	blend := composer.BlendAlphaState()
	m.Blend = &blend
	m.Specular[0] = math.Copysign(0, -1)
	dir := t.TempDir()
	if err := export.Write(dir, &export.Picture{Scene: s}); err != nil {
		t.Fatal(err)
	}
	p, err := export.Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	x := p.Scene.Roots[0]
	y := x.Children[0]
	pass := p.Scene.Before[0].(*scenes.ScenePass)
	if x.Mesh.Geometry != y.Mesh.Geometry || x.Mesh.Material != y.Mesh.Material || y.Mesh.OnlyLights[0] != p.Scene.Lights[0] || pass.OverrideFor[y] != x.Mesh.Material {
		t.Error("what was shared is not shared any more")
	}
	if pass.Color == nil || !math.Signbit(x.Mesh.Material.(*standard.Material).Specular[0]) || *x.Mesh.Material.(*standard.Material).Blend != blend {
		t.Error("an empty list, a negative zero or the blend state was lost")
	}
	if got, want := scenes.Hash(p.Scene), scenes.Hash(s); got != want {
		t.Errorf("hash %s, want %s", got, want)
	}
}

// A broken document is an error that names the place.
func TestBadDocuments(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(t *testing.T, dir string, doc map[string]any)
		want   string
	}{
		{"version", func(_ *testing.T, _ string, d map[string]any) { d["version"] = 7 }, "version: 7 is unknown"},
		{"format", func(_ *testing.T, _ string, d map[string]any) { d["format"] = "x" }, "format: "},
		{"truncated buffer", func(t *testing.T, dir string, _ map[string]any) { truncate(t, dir, 10) }, "files[0]: data.bin has 10 bytes"},
		{"missing buffer", func(t *testing.T, dir string, _ map[string]any) { os.Remove(filepath.Join(dir, export.DataFile)) }, "files[0]: openat data.bin"},
		{"changed buffer", func(t *testing.T, dir string, _ map[string]any) {
			b, _ := os.ReadFile(filepath.Join(dir, export.DataFile))
			b[3] ^= 1
			os.WriteFile(filepath.Join(dir, export.DataFile), b, 0o644)
		}, "files[0]: the content of data.bin"},
		{"blob past the end", func(_ *testing.T, _ string, d map[string]any) {
			at(d, "geometries", 0, "positions").(map[string]any)["count"] = 999
		}, "geometries[0].positions: 999 elements"},
		{"huge offset", func(_ *testing.T, _ string, d map[string]any) {
			at(d, "geometries", 0, "positions").(map[string]any)["offset"] = 1 << 62
		}, "geometries[0].positions: "},
		{"negative offset", func(_ *testing.T, _ string, d map[string]any) {
			at(d, "geometries", 0, "positions").(map[string]any)["offset"] = -4
		}, "geometries[0].positions: "},
		{"missing texture", func(_ *testing.T, _ string, d map[string]any) {
			at(d, "materials", 0, "diffuseTexture").(map[string]any)["texture"] = 3
		}, "materials[0].diffuseTexture.texture: it is 3, want the number of one of the 1 textures"},
		{"unknown field", func(_ *testing.T, _ string, d map[string]any) {
			at(d, "materials", 0).(map[string]any)["shine"] = 1
		}, "materials[0].shine: the field is unknown"},
		{"unknown type", func(_ *testing.T, _ string, d map[string]any) {
			at(d, "materials", 0).(map[string]any)["type"] = "wood"
		}, `materials[0].type: "wood" is unknown here`},
		{"wrong kind of type", func(_ *testing.T, _ string, d map[string]any) {
			at(d, "materials", 0).(map[string]any)["type"] = "free"
		}, "materials[0].type: "},
		{"too large a number", func(_ *testing.T, _ string, d map[string]any) {
			at(d, "nodes", 0).(map[string]any)["position"] = []any{0, json.Number("1e999"), 0}
		}, "nodes[0].position[1]: "},
		{"short list", func(_ *testing.T, _ string, d map[string]any) {
			at(d, "nodes", 0).(map[string]any)["position"] = []any{0}
		}, "nodes[0].position: it is a list of 1, want a list of 3"},
		{"index past the vertices", func(_ *testing.T, _ string, d map[string]any) {
			g := at(d, "geometries", 0).(map[string]any)
			g["indices"].(map[string]any)["offset"] = g["positions"].(map[string]any)["offset"].(float64) + 12
		}, "geometries[0]: "},
		{"file outside", func(_ *testing.T, _ string, d map[string]any) {
			at(d, "files", 0).(map[string]any)["file"] = "../data.bin"
		}, "files[0]: the name"},
		{"no scene", func(_ *testing.T, _ string, d map[string]any) { delete(d, "scene") }, "scene: it is missing"},
		{"null entry", func(_ *testing.T, _ string, d map[string]any) { d["nodes"] = []any{nil} }, "nodes[0]: it is no object"},
		{"builder", func(_ *testing.T, _ string, d map[string]any) {
			d["geometries"] = []any{map[string]any{"name": "x", "builder": map[string]any{"name": "CreateTeapot", "options": map[string]any{}}}}
		}, `geometries[0].builder: the builder "CreateTeapot" is unknown`},
		{"builder option", func(_ *testing.T, _ string, d map[string]any) {
			d["geometries"] = []any{map[string]any{"name": "x", "builder": map[string]any{"name": "CreateBox", "options": map[string]any{"length": 1}}}}
		}, "geometries[0].builder: "},
	} {
		dir := t.TempDir()
		if err := export.Write(dir, &export.Picture{Scene: stage()}); err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(filepath.Join(dir, export.SceneFile))
		if err != nil {
			t.Fatal(err)
		}
		var doc map[string]any
		if err := json.Unmarshal(text, &doc); err != nil {
			t.Fatal(err)
		}
		c.change(t, dir, doc)
		if text, err = json.Marshal(doc); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, export.SceneFile), text, 0o644); err != nil {
			t.Fatal(err)
		}
		_, err = export.Read(dir)
		if !errors.Is(err, export.ErrDocument) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
}

func at(v any, way ...any) any {
	for _, k := range way {
		switch k := k.(type) {
		case string:
			v = v.(map[string]any)[k]
		case int:
			v = v.([]any)[k]
		}
	}
	return v
}

func truncate(t *testing.T, dir string, n int64) {
	t.Helper()
	if err := os.Truncate(filepath.Join(dir, export.DataFile), n); err != nil {
		t.Fatal(err)
	}
}

// fuzzed are the scenes whose documents the fuzzing begins with: a bit of all that a document can hold.
var fuzzed = []string{"scene43-parametric-proximity", "own-post-depth-of-field", "own-skin-eight-joints", "own-shadow-spot-pcf", "own-standard-light-inclusion", "own-pbr-layers"}

// Whatever a document says, reading it ends in a scene or an error, and what was
// read can be written and walked.
func FuzzRead(f *testing.F) {
	var data [][]byte
	add := func(s *scenes.Scene) {
		dir := f.TempDir()
		if err := export.Write(dir, &export.Picture{Scene: s}); err != nil {
			f.Fatal(err)
		}
		text, err := os.ReadFile(filepath.Join(dir, export.SceneFile))
		if err != nil {
			f.Fatal(err)
		}
		bulk, err := os.ReadFile(filepath.Join(dir, export.DataFile))
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			f.Fatal(err)
		}
		f.Add(text, uint8(len(data)))
		data = append(data, bulk)
	}
	add(stage())
	list, err := catalogue.All().Select(fuzzed...)
	if err != nil {
		f.Fatal(err)
	}
	for _, e := range list {
		s, err := e.Build(nil)
		if err != nil {
			f.Fatal(err)
		}
		add(s)
	}
	f.Add([]byte(`{"format":"darkroom scene","version":1,"name":"x","picture":{"width":1,"height":1,"time":0},"scene":{"roots":[0],"before":[{"type":"shadow","shadow":0}]},"nodes":[{"children":[0]}],"features":[{"type":"cascades"}]}`), uint8(0))
	f.Add([]byte(`{"format":"darkroom scene","version":1,"name":"x","picture":{"width":1,"height":1,"time":0},"scene":{"roots":[0]},"nodes":[{"children":[1]},{"children":[0]}]}`), uint8(0))
	const head = `{"format":"darkroom scene","version":1,"name":"x","picture":{"width":1,"height":1,"time":0},`
	for _, rest := range []string{
		`"scene":{"roots":[0],"before":[{"type":"transmission"}]},"nodes":[{"children":[0]}]}`,
		`"scene":{"animations":[null]}}`,
		`"scene":{"animations":[{"tracks":[null]}]}}`,
		`"scene":{"roots":[0],"animations":[{"tracks":[{"path":"custom","width":1,"times":[0],"values":[1]},{"path":"colour","node":0,"times":[0],"values":[1]}]}]},"nodes":[{}]}`,
		`"scene":{"roots":[0],"skeletons":[{"joints":[0],"mesh":0}]},"nodes":[{}]}`,
		`"scene":{"roots":[0],"skeletons":[null]},"nodes":[{}]}`,
	} {
		f.Add([]byte(head+rest), uint8(0))
	}
	f.Fuzz(func(t *testing.T, text []byte, which uint8) {
		p, err := export.ReadFS(memory{export.SceneFile: text, export.DataFile: data[int(which)%len(data)]})
		if (err == nil) == (p == nil) {
			t.Errorf("%v and %v", p, err)
		}
		if err != nil {
			return
		}
		scenes.Hash(p.Scene)
		_ = export.Check(p) // what can be read may still be refused, but not end the program
		_ = p.Scene.Walk(func(*scenes.Node, linalg.Mat4) error { return nil })
		_ = p.Scene.Seek(p.Time)
	})
}
