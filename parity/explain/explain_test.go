package explain

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"darkroom/composer"
	"darkroom/goldens/png"
	"darkroom/material"
	"darkroom/material/pbr"
	"darkroom/material/splitsum"
	"darkroom/material/texture"
	"darkroom/renderer"
	"darkroom/scenes"
	"darkroom/scenes/linalg"
	"darkroom/scenes/mesh"
	"darkroom/scenes/post"
	"darkroom/scenes/shadow"
)

// studio has a shadow map, a normal map, image-based light, tone mapping and a
// blur; fault names the one thing that is wrong.
func studio(fault string) func() (*scenes.Scene, error) {
	return func() (*scenes.Scene, error) {
		s := scenes.New("studio")
		s.Camera = scenes.NewArcRotate("camera", 0.8, 1.1, 8, linalg.Vec3{})
		sun := scenes.Directional("sun", linalg.Vec3{-1, -2, -1})
		sun.Position, sun.Intensity = linalg.Vec3{5, 10, 5}, 2
		s.AddLight(sun)
		m := pbr.New("bumpy")
		m.Metallic, m.Roughness, m.BaseColor = 0.3, 0.5, [4]float64{0.8, 0.4, 0.2, 1}
		m.NormalTexture = &pbr.Channel{Texture: bumps()}
		if fault == "normal map sign" {
			m.NormalScale = -1
		}
		ball, err := mesh.CreateSphere(mesh.SphereOptions{Diameter: 2})
		if err != nil {
			return nil, err
		}
		ground, err := mesh.CreateGround(mesh.GroundOptions{Width: 8, Height: 8})
		if err != nil {
			return nil, err
		}
		b := scenes.NewMesh("ball", ball, m).At(0, 1.2, 0)
		plain := pbr.New("plain")
		plain.Metallic = 0
		g := scenes.NewMesh("ground", ground, plain)
		g.Mesh.ReceiveShadows = true
		s.Add(b, g)
		bias := 0.0
		if fault == "shadow bias" {
			bias = 0.02
		}
		sm, err := shadow.PCF(sun, shadow.Options{Size: 256, Near: 1, Far: 40, Bias: bias}, b)
		if err != nil {
			return nil, err
		}
		if err := sm.AddTo(s); err != nil {
			return nil, err
		}
		s.Environment = sky(fault == "BRDF table")
		s.ImageProcessing = material.ImageProcessing{ToneMapping: material.ToneMapStandard}
		if fault == "tone mapping" {
			s.ImageProcessing.ToneMapping = material.ToneMapACES
		}
		kernel := 15.0
		if fault == "blur kernel" {
			kernel = 31
		}
		picture, half := post.Picture("picture", "", 1), post.Picture("half", "", 1)
		main := &scenes.ScenePass{Name: "main", Features: s.Features}
		main.Color = []*texture.Texture{picture}
		s.Graph = []scenes.Task{
			main,
			post.Blur(post.Pass{Name: "blur across", From: picture, To: half}, [2]float64{1, 0}, kernel),
			post.Blur(post.Pass{Name: "blur down", From: half}, [2]float64{0, 1}, kernel),
		}
		return s, nil
	}
}

func bumps() *texture.Texture {
	const n = 32
	pix := make([]byte, 0, n*n*4)
	for y := range n {
		for x := range n {
			a, b := math.Sin(float64(x)), math.Cos(float64(y))
			pix = append(pix, byte(127+60*a), byte(127+60*b), 230, 255)
		}
	}
	return &texture.Texture{Name: "bumps", Source: &texture.Pixels{Width: n, Height: n, Levels: [][]byte{pix}}}
}

func sky(wrong bool) *material.Environment {
	const n = 4
	var pix []byte
	for i := range 6 * n * n {
		v := []uint16{0x3800, 0x3a00, 0x3c00}[i%3] // 0.5, 0.75, 1
		pix = append(pix, byte(v), byte(v>>8), byte(v), byte(v>>8), 0, 0x3c, 0, 0x3c)
	}
	table := splitsum.Table()
	if wrong {
		px := *table.Source.(*texture.Pixels)
		px.Levels = [][]byte{append([]byte(nil), px.Levels[0]...)}
		for i := 0; i+8 <= len(px.Levels[0]); i += 8 { // red and green swapped
			p := px.Levels[0][i:]
			p[0], p[1], p[2], p[3] = p[2], p[3], p[0], p[1]
		}
		t := *table
		t.Source = &px
		table = &t
	}
	e := &material.Environment{Specular: &texture.Texture{Name: "sky", Format: composer.RGBA16Float, Source: &texture.Pixels{Width: n, Height: n, Layers: 6, Dimension: composer.ViewCube, Levels: [][]byte{pix}}}, BRDF: table, Intensity: 1, LodScale: 0.8}
	e.SH[0] = [3]float64{0.5, 0.5, 0.6}
	return e
}

func TestFiveFaults(t *testing.T) {
	r, err := renderer.Open(renderer.Options{Adapter: os.Getenv("DARKROOM_ADAPTER")})
	if err != nil {
		t.Fatal(err) // no adapter is a failure, never a skip
	}
	defer r.Close()
	dir := t.TempDir()
	trace := func(name string) *Trace {
		tr, err := Capture(context.Background(), r, studio(name), name, filepath.Join(dir, name), Options{Settings: renderer.Settings{Width: 160, Height: 120}})
		if err != nil {
			t.Fatal(err)
		}
		if len(tr.Notes) > 0 {
			t.Fatal(tr.Notes)
		}
		return tr
	}
	right := trace("right")
	cases := []struct{ fault, first, pass, text string }{
		{"shadow bias", "shadow map sun → shadow map sun", "shadow map sun → shadow map sun", "this pass itself"},
		{"BRDF table", "input brdf", "main: ambient → ambient", "seen first in main: ambient → ambient"},
		{"normal map sign", "main: normals → normals", "main: normals → normals", "normal map"},
		{"tone mapping", "main → picture", "main → picture", "tone mapping"},
		{"blur kernel", "blur across → half", "blur across → half", "this pass itself"},
	}
	for _, c := range cases {
		wrong := trace(c.fault)
		loaded, err := Load(filepath.Join(dir, c.fault))
		if err != nil {
			t.Fatal(err)
		}
		loaded.Side = wrong.Side
		out := filepath.Join(dir, "out "+c.fault)
		rep, err := Compare(right, loaded, CompareOptions{Out: out})
		if err != nil {
			t.Fatal(err)
		}
		if rep.First < 0 || rep.Rows[rep.First].Stage.Name != c.first || !strings.Contains(rep.Text, c.text) {
			t.Errorf("%s: %s", c.fault, rep.Text)
			for _, row := range rep.Rows {
				t.Logf("%v %s MAD %.4f", row.Equal, row.Stage.Name, row.MAD)
			}
			continue
		}
		pass := ""
		for _, row := range rep.Rows {
			if row.Parts && row.Stage.Kind != Input {
				pass = row.Stage.Name
				break
			}
		}
		if pass != c.pass {
			t.Errorf("%s: the first pass is %q, want %q", c.fault, pass, c.pass)
		}
		// The chain is equal up to there and never after.
		for i := range rep.Rows {
			if same := right.Stages[i].Chain == loaded.Stages[i].Chain; same != (i < rep.First) {
				t.Errorf("%s: chain of stage %d equal: %v", c.fault, i, same)
			}
		}
		for _, f := range []string{rep.PictureA, rep.PictureB, rep.Diff} {
			if _, _, err := png.Read(f, png.Caps{}); err != nil {
				t.Errorf("%s: picture: %v", c.fault, err)
			}
		}
	}
	// A side that repeats parts nowhere.
	again := trace("right ")
	if rep, err := Compare(right, again, CompareOptions{}); err != nil || rep.First != -1 {
		t.Errorf("two equal sides: %+v, %v", rep.Text, err)
	}
	// The parts change nothing of the picture.
	whole, err := Capture(context.Background(), r, studio("right"), "whole", filepath.Join(dir, "whole"), Options{NoParts: true, Settings: renderer.Settings{Width: 160, Height: 120}})
	if err != nil {
		t.Fatal(err)
	}
	if whole.canvas().Hash != right.canvas().Hash {
		t.Error("drawing the parts changed the picture")
	}
	// Against a golden.
	file := filepath.Join(dir, "golden.png")
	f, err := r.Render(context.Background(), must(studio("blur kernel")()), renderer.Settings{Width: 160, Height: 120})
	if err != nil {
		t.Fatal(err)
	}
	px := make([]float64, len(f.Pix))
	for i, v := range f.Pix {
		px[i] = float64(v) / 255
	}
	if err := png.Write(file, paint(px, 160, 120, 4, 0, 1), png.Options{}); err != nil {
		t.Fatal(err)
	}
	g, err := Golden(file, "studio", filepath.Join(dir, "golden"))
	if err != nil {
		t.Fatal(err)
	}
	if rep, err := Compare(right, g, CompareOptions{}); err != nil || rep.First != 0 {
		t.Errorf("against a golden: %+v, %v", rep, err)
	}
}

func must(s *scenes.Scene, err error) *scenes.Scene {
	if err != nil {
		panic(fmt.Sprint("test scene: ", err))
	}
	return s
}

func TestHalf(t *testing.T) {
	for h, want := range map[uint16]float64{0: 0, 0x3c00: 1, 0xc000: -2, 0x3555: 0.333251953125, 1: math.Ldexp(1, -24), 0x7c00: math.Inf(1), 0x7bff: 65504} {
		if got := half(h); got != want {
			t.Errorf("half(%#x) = %v, want %v", h, got, want)
		}
	}
}
