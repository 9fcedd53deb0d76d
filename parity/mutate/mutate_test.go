package mutate

import (
	"context"
	"image"
	"os"
	"strings"
	"testing"

	"darkroom/material/pbr"
	"darkroom/material/standard"
	"darkroom/material/texture"
	"darkroom/renderer"
	"darkroom/scenes"
	"darkroom/scenes/catalogue"
	"darkroom/scenes/linalg"
	"darkroom/scenes/mesh"
)

func chequers(name string, a, b byte) *texture.Texture {
	pix := make([]byte, 0, 16*16*4)
	for i := range 16 * 16 {
		v := a
		if (i/16+i)%2 == 0 {
			v = b
		}
		pix = append(pix, v, v, v, 255)
	}
	return &texture.Texture{Name: name, Source: &texture.Pixels{Width: 16, Height: 16, Levels: [][]byte{pix}}}
}

// entry has something for most mutants; shared is a texture that all builds share.
func entry(shared *texture.Texture) *catalogue.Entry {
	return &catalogue.Entry{Name: "little", Width: 96, Height: 64, Build: func(catalogue.Assets) (*scenes.Scene, error) {
		s := scenes.New("little")
		s.Camera = scenes.NewArcRotate("camera", 1, 1, 4, linalg.Vec3{})
		spot := scenes.Spot("spot", linalg.Vec3{0, 4, 0}, linalg.Vec3{0, -1, 0}, 1, 2)
		spot.Angle = 0.4 // its edge is on the boxes
		sky := scenes.Hemispheric("sky", linalg.Vec3{0, 1, 0})
		sky.Intensity = 0.6
		s.AddLight(sky, spot)
		box, err := mesh.CreateBox(mesh.BoxOptions{Size: 1})
		if err != nil {
			return nil, err
		}
		a := standard.New("a")
		a.DiffuseTexture = &standard.Channel{Texture: shared}
		a.EmissiveTexture = &standard.Channel{Texture: chequers("other", 0, 40), Level: 0.5}
		s.Add(scenes.NewMesh("one", box, a), scenes.NewMesh("two", box, pbr.New("b")).At(1, 1, 0))
		return s, nil
	}}
}

func TestMutants(t *testing.T) {
	r, err := renderer.Open(renderer.Options{Adapter: os.Getenv("DARKROOM_ADAPTER")})
	if err != nil {
		t.Fatal(err) // no adapter is a failure, never a skip
	}
	defer r.Close()
	shared := chequers("shared", 60, 240)
	missing := &catalogue.Entry{Name: "missing", Build: func(catalogue.Assets) (*scenes.Scene, error) { return nil, catalogue.ErrNoAsset }}
	tab, err := Run(context.Background(), Options{Renderer: r, Catalogue: catalogue.Catalogue{entry(shared), missing}})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]Outcome{
		"drop-light": Own, "dim-light": Own, "drop-mesh": Own, "swap-textures": Own, "nearest": Own, "flip-culling": Own, "no-msaa": Own,
		"shift-limit": Own, "no-shadow": NotApplicable, "exposure": NotApplicable, "field-of-view": Own, "skip-post": NotApplicable,
	}
	if len(want) != len(All()) {
		t.Errorf("%d mutants, %d expected outcomes", len(All()), len(want))
	}
	for _, c := range tab.Cells {
		if c.Outcome != want[c.Mutant] {
			t.Errorf("%s: %s (MAD %.5f), want %s", c.Mutant, c.Outcome, c.MAD, want[c.Mutant])
		}
	}
	// What builds share must not be changed by a mutant.
	if shared.Sampler != (texture.Sampler{}) {
		t.Error("a mutant changed a texture that later scenes use")
	}
	if len(tab.Skipped) != 1 || !strings.Contains(tab.Skipped[0], "missing") {
		t.Errorf("skipped %v", tab.Skipped)
	}
	md := tab.Markdown()
	for _, s := range []string{"| drop-light | the last light is off | 1 | 1 | 0 |", "| little |", "No scene has anything for: no-shadow, exposure, skip-post"} {
		if !strings.Contains(md, s) {
			t.Errorf("the table lacks %q:\n%s", s, md)
		}
	}
}

func TestJudge(t *testing.T) {
	img := func(v byte) image.Image {
		return &image.NRGBA{Pix: chequers("", v, v).Source.(*texture.Pixels).Levels[0], Stride: 64, Rect: image.Rect(0, 0, 16, 16)}
	}
	cases := []struct {
		right, wrong byte
		reference    int
		limit        float64
		want         Outcome
	}{
		{100, 100, -1, 1, Equivalent},
		{100, 110, -1, 1, Own},
		{100, 110, 100, 1, Both},
		{100, 110, 105, 20, Own},
	}
	for _, c := range cases {
		var cell Cell
		var ref image.Image
		if c.reference >= 0 {
			ref = img(byte(c.reference))
		}
		if err := cell.judge(img(c.right), img(c.wrong), ref, c.limit); err != nil || cell.Outcome != c.want {
			t.Errorf("%+v: %s, %v", c, cell.Outcome, err)
		}
	}
}

func TestEarlierTableIsAdded(t *testing.T) {
	cat := catalogue.Catalogue{{Name: "a"}, {Name: "b"}, {Name: "c"}, {Name: "d"}}
	mutants := []Mutant{{Name: "m"}}
	now := &Table{Adapter: "x", Mutants: mutants, Scenes: []string{"b"}, Cells: []Cell{{Scene: "b", Mutant: "m", Outcome: Both, RefMAD: 3, RefLimit: 1}}, Skipped: []string{"d: no asset"}}
	old := &Table{
		Adapter: "x", Scenes: []string{"gone", "c", "b", "a"}, Skipped: []string{"d: why", "gone2: why"},
		Cells: []Cell{{Scene: "gone", Mutant: "m", Outcome: Own}, {Scene: "c", Mutant: "m", Outcome: Own}, {Scene: "b", Mutant: "m", Outcome: Unnoticed}, {Scene: "a", Mutant: "m", Outcome: Reference, RefMAD: 1.5, RefLimit: 1}},
	}
	if err := now.Add(old, cat); err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(now.Scenes, " "); got != "a b c" || len(now.Cells) != 3 || now.cell("b", "m").Outcome != Both || len(now.Skipped) != 1 {
		t.Errorf("scenes %s, cells %v, skipped %v", got, now.Cells, now.Skipped)
	}
	if n, ref, traced := now.Score("m"); n != 3 || ref != 2 || traced != 3 {
		t.Errorf("score %d, %d, %d", n, ref, traced)
	}
	if all, twice := now.Slack(2); all != 2 || twice != 1 {
		t.Errorf("with twice the limits %d of %d faults are noticed, want 1 of 2", twice, all)
	}
	if err := now.Add(&Table{Adapter: "y"}, cat); err == nil {
		t.Error("the table of another adapter was added")
	}
}
