package minimise

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"image"
	"math/rand"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"darkroom/material"
	"darkroom/material/pbr"
	"darkroom/material/texture"
	"darkroom/renderer"
	"darkroom/scenes"
	"darkroom/scenes/linalg"
	"darkroom/scenes/mesh"
	"darkroom/scenes/post"
)

func TestDdmin(t *testing.T) {
	rng := rand.New(rand.NewSource(1))
	for range 200 {
		n := 1 + rng.Intn(60)
		list := make([]int, n)
		for i := range list {
			list[i] = i
		}
		need := map[int]bool{}
		for range rng.Intn(4) {
			need[rng.Intn(n)] = true
		}
		tests := 0
		got, err := ddmin(context.Background(), list, func(_ context.Context, in []int) (bool, error) {
			tests++
			hits := 0
			for _, i := range in {
				if need[i] {
					hits++
				}
			}
			return hits == len(need), nil
		})
		if err != nil || len(got) != len(need) {
			t.Fatalf("need %v: got %v, %v", need, got, err)
		}
		if tests > 12*n+20 {
			t.Errorf("%d tests for %d elements", tests, n)
		}
	}
}

// crowd is a scene of 200 meshes with lights, a coat on every material, textures and a blur.
func crowd() (*scenes.Scene, error) {
	s := scenes.New("crowd")
	s.Camera = scenes.NewArcRotate("camera", -1.5, 1, 30, linalg.Vec3{})
	s.AddLight(scenes.Hemispheric("sky", linalg.Vec3{0, 1, 0}), scenes.Directional("sun", linalg.Vec3{0, -1, 1}))
	box, err := mesh.CreateBox(mesh.BoxOptions{Size: 0.8})
	if err != nil {
		return nil, err
	}
	group := scenes.NewNode("group")
	for i := range 200 {
		m := pbr.New(fmt.Sprint("m", i))
		m.Metallic, m.BaseColor = 0, [4]float64{0.6, 0.6, 0.6, 1}
		m.Clearcoat = &pbr.Clearcoat{Factor: 1, Roughness: 0.1}
		m.Sheen = &pbr.Sheen{Color: [3]float64{0.1, 0.1, 0.1}, Roughness: 0.5}
		m.BaseColorTexture = &pbr.Channel{Texture: texture.Solid("white", 1, 1, 1, 1)}
		group.Add(scenes.NewMesh(fmt.Sprint("box ", i), box, m).At(float64(i%20)-10, 0, float64(i/20)*1.2-6))
	}
	s.Add(group)
	s.ImageProcessing = material.ImageProcessing{Contrast: 1.2}
	picture := post.Picture("picture", "", 1)
	main := &scenes.ScenePass{Name: "main"}
	main.Color = []*texture.Texture{picture}
	s.Graph = []scenes.Task{main, post.Blur(post.Pass{Name: "blur", From: picture}, [2]float64{1, 0}, 9)}
	return s, nil
}

// tint colours the coat of one mesh.
func tint(s *scenes.Scene) {
	_ = s.Walk(func(n *scenes.Node, _ linalg.Mat4) error {
		if n.Name != "box 137" || n.Mesh == nil {
			return nil
		}
		m := n.Mesh.Material
		if f, ok := m.(*filtered); ok {
			m = f.Material
		}
		if c := m.(*pbr.Material).Clearcoat; c != nil {
			c.Tint = &[3]float64{1, 0, 0}
		}
		return nil
	})
}

// small draws small pictures.
func small(r *renderer.Renderer) func(context.Context, *scenes.Scene) (*image.NRGBA, error) {
	return func(ctx context.Context, s *scenes.Scene) (*image.NRGBA, error) {
		f, err := r.Render(ctx, s, renderer.Settings{Width: 96, Height: 64, Samples: 1})
		if err != nil {
			return nil, err
		}
		return &image.NRGBA{Pix: f.Pix, Stride: 4 * f.Width, Rect: image.Rect(0, 0, f.Width, f.Height)}, nil
	}
}

// One mesh of 200 is drawn otherwise by the other side, and only because of its coat.
func TestOneBadMeshOf200(t *testing.T) {
	r, err := renderer.Open(renderer.Options{Adapter: os.Getenv("DARKROOM_ADAPTER")})
	if err != nil {
		t.Fatal(err) // no adapter is a failure, never a skip
	}
	defer r.Close()
	draw := small(r)
	res, err := Scene(context.Background(), Options{Build: crowd, Differs: func(ctx context.Context, s *scenes.Scene, _ []Key) (Outcome, error) {
		a, err := draw(ctx, s)
		if err != nil {
			return Undrawable, nil
		}
		tint(s)
		b, err := draw(ctx, s)
		if err != nil {
			return Undrawable, nil
		}
		return map[bool]Outcome{true: Agree, false: Differ}[bytes.Equal(a.Pix, b.Pix)], nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range res.Kept {
		names = append(names, e.String())
		if e.Without != Agree {
			t.Errorf("without %s the sides %s", e.Key, e.Without)
		}
	}
	t.Logf("%d of %d elements kept after %d tests: %v; dropped %s", len(res.Kept), res.All, res.Tests, names, res.Count())
	want := []string{"mesh box 137", "part pbr material m137: Clearcoat"}
	for _, w := range want {
		if !slices.Contains(names, w) {
			t.Errorf("%q is missing", w)
		}
	}
	if res.Dropped[Mesh] != 199 || len(names) > 4 {
		t.Errorf("kept %v, want the mesh with the node that it hangs on, its coat and one light", names)
	}
	if res.Tests > 100 {
		t.Errorf("%d tests", res.Tests)
	}
	// Of its material's fragments it is the coat's without which the sides agree.
	var agree []string
	for _, f := range res.Fragments {
		if f.Without == Agree {
			agree = append(agree, f.Name)
		}
	}
	t.Logf("fragments needed: %v, %d dropped", res.Fragments, res.FragmentsDropped)
	if res.FragmentsDropped == 0 || !slices.Contains(agree, "pbr material m137: pbr-clearcoat") {
		t.Errorf("without any of %v the sides agree, want the coat's fragment, and those that it depends on", agree)
	}
	// The scene that is left, as source and as JSON, draws as it does.
	src, lost, err := Source(res.Scene, SourceOptions{Package: "main", Function: "minimal", Width: 96, Height: 64})
	if err != nil {
		t.Fatal(err)
	}
	if len(lost) > 0 {
		t.Logf("left out: %v", lost)
	}
	if !strings.Contains(string(src), `"box 137"`) || strings.Contains(string(src), `"box 136"`) {
		t.Error("the source has another scene")
	}
	js, err := JSON(res.Scene)
	if err != nil || !json.Valid(js) || !bytes.Contains(js, []byte(`"box 137"`)) {
		t.Errorf("JSON: %v", err)
	}
	// The source compiles and builds the scene to its hash.
	dir, err := os.MkdirTemp(".", "testdata-source-")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	main := "package main\n\nimport (\n\"fmt\"\n\"os\"\n\"darkroom/scenes\"\n)\n\nfunc main() {\ns, err := minimal()\nif err != nil {\nos.Exit(1)\n}\nfmt.Print(scenes.Hash(s))\n}\n"
	for name, text := range map[string][]byte{"main.go": []byte(main), "scene.go": src} {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	out, err := exec.Command("go", "run", "./"+dir).CombinedOutput()
	if err != nil {
		t.Fatalf("the source: %v\n%s", err, out)
	}
	if string(out) != scenes.Hash(res.Scene) {
		t.Error("the source builds a scene of another hash")
	}
}

func TestElementsAreStable(t *testing.T) {
	a, _ := crowd()
	b, _ := crowd()
	x, y := elements(a), elements(b)
	if len(x) != len(y) {
		t.Fatal(len(x), len(y))
	}
	for i := range x {
		if x[i].Key != y[i].Key {
			t.Errorf("element %d: %v and %v", i, x[i].Key, y[i].Key)
		}
	}
}
