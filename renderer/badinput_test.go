package renderer

import (
	"context"
	"math"
	"os"
	"strings"
	"testing"

	"darkroom/composer"
	"darkroom/material/effect"
	"darkroom/material/standard"
	"darkroom/material/texture"
	"darkroom/scenes"
	"darkroom/scenes/linalg"
	"darkroom/scenes/mesh"
	"darkroom/scenes/picture"
)

// Bad input is an error that names the scene, the object and what is wrong
// with it, and the renderer draws the next scene as if nothing had been.
func TestBadInput(t *testing.T) {
	r, err := Open(Options{Adapter: os.Getenv("DARKROOM_ADAPTER")})
	if err != nil {
		t.Fatal(err) // no adapter is a failure, never a skip
	}
	defer r.Close()
	if _, err := r.Render(context.Background(), goodScene(t), Settings{Width: 16, Height: 16}); err != nil {
		t.Fatalf("the scene that the cases spoil: %v", err)
	}
	target := func(name string, persistent bool) *texture.Texture {
		return &texture.Texture{Name: name, Source: &texture.Target{Width: 16, Height: 16, Persistent: persistent}}
	}
	into := func(t *texture.Texture) scenes.Attachments {
		return scenes.Attachments{Color: []*texture.Texture{t}}
	}
	show := func(t *texture.Texture) *effect.Effect {
		return &effect.Effect{Name: "show", Textures: map[string]effect.Input{"seen": {Texture: t}}, Body: "color = textureSampleLevel(seen, seenSampler, st, 0.0);"}
	}
	for _, c := range []struct {
		name  string
		spoil func(s *scenes.Scene, box *scenes.Node)
		want  []string
	}{
		{"cycle", func(s *scenes.Scene, box *scenes.Node) { box.Add(scenes.NewNode("arm").Add(box)) }, []string{"node /box/arm/box", "cycle"}},
		{"node is nil", func(s *scenes.Scene, box *scenes.Node) { box.Add(nil) }, []string{"/box", "nil"}},
		{"position is NaN", func(s *scenes.Scene, box *scenes.Node) { box.Position[1] = math.NaN() }, []string{"node /box", "not finite"}},
		{"rotation is infinite", func(s *scenes.Scene, box *scenes.Node) {
			s.Add(scenes.NewNode("body").Add(&scenes.Node{Name: "arm", Rotation: linalg.Vec3{math.Inf(1), 0, 0}, Scaling: linalg.Vec3{1, 1, 1}}))
		}, []string{"node /body/arm", "not finite"}},
		{"camera is NaN", func(s *scenes.Scene, box *scenes.Node) { s.Camera.Rig.(*scenes.ArcRotate).Radius = math.NaN() }, []string{"camera", "not a number"}},
		{"camera sees nothing", func(s *scenes.Scene, box *scenes.Node) { s.Camera.Far = s.Camera.Near }, []string{"camera eye", "near"}},
		{"no camera", func(s *scenes.Scene, box *scenes.Node) { s.Camera = nil }, []string{"no camera"}},
		{"two cameras of one name", func(s *scenes.Scene, box *scenes.Node) {
			s.Before = []scenes.Task{&scenes.ScenePass{Name: "mirror", Camera: scenes.NewFree("eye", linalg.Vec3{}), Attachments: into(target("mirror", false))}}
		}, []string{"pass mirror", "camera eye", "two cameras"}},
		{"index out of range", func(s *scenes.Scene, box *scenes.Node) { box.Mesh.Geometry.Indices[5] = 99 }, []string{"node box", "99"}},
		{"half a triangle", func(s *scenes.Scene, box *scenes.Node) {
			box.Mesh.Geometry.Indices = box.Mesh.Geometry.Indices[:4]
		}, []string{"node box", "4"}},
		{"no geometry", func(s *scenes.Scene, box *scenes.Node) { box.Mesh.Geometry = nil }, []string{"node box", "geometry"}},
		{"no material", func(s *scenes.Scene, box *scenes.Node) { box.Mesh.Material = nil }, []string{"node box", "material"}},
		{"texture of the wrong size", func(s *scenes.Scene, box *scenes.Node) {
			box.Mesh.Material.(*standard.Material).DiffuseTexture = &standard.Channel{Texture: &texture.Texture{Name: "torn", Source: &texture.Pixels{Width: 4, Height: 4, Levels: [][]byte{make([]byte, 63)}}}}
		}, []string{"node box", "standard material red", "texture torn", "63 bytes, want 64"}},
		{"texture without a source", func(s *scenes.Scene, box *scenes.Node) {
			box.Mesh.Material.(*standard.Material).DiffuseTexture = &standard.Channel{Texture: &texture.Texture{Name: "empty"}}
		}, []string{"node box", "texture empty", "no source"}},
		{"frame that cannot be decoded", func(s *scenes.Scene, box *scenes.Node) {
			broken := &texture.Texture{Name: "film", Source: &texture.Frames{Width: 4, Height: 4, At: func(float64) ([]byte, error) {
				p, err := picture.Decode([]byte("\x89PNG\r\n\x1a\nand no more"), picture.Options{})
				if err != nil {
					return nil, err
				}
				return p.Pix, nil
			}}}
			box.Mesh.Material.(*standard.Material).DiffuseTexture = &standard.Channel{Texture: broken}
		}, []string{"node box", "texture film at 0 s", "png"}},
		{"depth texture that is filtered", func(s *scenes.Scene, box *scenes.Node) {
			depth := target("depth", false)
			depth.Format = composer.Depth32Float
			box.Mesh.Material.(*standard.Material).EmissiveTexture = &standard.Channel{Texture: depth}
		}, []string{"node box", "depth texture depth", "nearest"}},
		{"graph is empty", func(s *scenes.Scene, box *scenes.Node) { s.Graph = []scenes.Task{} }, []string{"frame graph is empty"}},
		{"task is nil", func(s *scenes.Scene, box *scenes.Node) { s.Graph = []scenes.Task{nil} }, []string{"task 0"}},
		{"effect reads what nothing wrote", func(s *scenes.Scene, box *scenes.Node) {
			s.Graph = []scenes.Task{&scenes.EffectPass{Name: "last", Material: show(target("lost", false))}}
		}, []string{"pass last", "effect show", "texture lost", "no earlier task"}},
		{"mesh shows what is drawn too late", func(s *scenes.Scene, box *scenes.Node) {
			late := target("late", false)
			box.Mesh.Material.(*standard.Material).DiffuseTexture = &standard.Channel{Texture: late}
			s.Graph = []scenes.Task{&scenes.ScenePass{Name: "main"}, &scenes.ScenePass{Name: "after", Attachments: into(late), Except: []*scenes.Node{box}}}
		}, []string{"pass main", "node box", "texture late", "no earlier task"}},
		{"pass reads its own target", func(s *scenes.Scene, box *scenes.Node) {
			own := target("own", false)
			s.Graph = []scenes.Task{&scenes.EffectPass{Name: "snake", Material: show(own), Attachments: into(own)}}
		}, []string{"pass snake", "texture own"}},
		{"copy of what nothing wrote", func(s *scenes.Scene, box *scenes.Node) {
			s.Before = []scenes.Task{&scenes.CopyPass{Name: "copy", From: target("lost", false), To: target("copied", false)}}
		}, []string{"pass copy", "texture lost"}},
		{"load of what nothing wrote", func(s *scenes.Scene, box *scenes.Node) {
			a := into(target("lost", false))
			a.LoadColor = true
			s.Before = []scenes.Task{&scenes.ScenePass{Name: "more", Attachments: a}}
		}, []string{"pass more", "texture lost", "does not clear"}},
		{"kept target that nothing writes", func(s *scenes.Scene, box *scenes.Node) {
			s.Graph = []scenes.Task{&scenes.EffectPass{Name: "last", Material: show(target("history", true))}}
		}, []string{"texture history", "no task writes it"}},
		{"draws into a picture", func(s *scenes.Scene, box *scenes.Node) {
			s.Before = []scenes.Task{&scenes.ScenePass{Name: "paint", Attachments: into(texture.Solid("wall", 1, 0, 0, 1))}}
		}, []string{"pass paint", "texture wall", "not a render target"}},
		{"too many lights", func(s *scenes.Scene, box *scenes.Node) {
			for range 17 {
				s.AddLight(scenes.Point("lamp", linalg.Vec3{}))
			}
		}, []string{"lights", "16"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := goodScene(t)
			c.spoil(s, s.Roots[0])
			_, err := r.Render(context.Background(), s, Settings{Width: 16, Height: 16})
			if err == nil {
				t.Fatal("no error")
			}
			if strings.Contains(err.Error(), "\n") {
				t.Errorf("more than a line: %v", err)
			}
			for _, w := range append(c.want, "scene good") {
				if !strings.Contains(err.Error(), w) {
					t.Errorf("%q does not say %q", err, w)
				}
			}
			if _, err := r.Render(context.Background(), goodScene(t), Settings{Width: 16, Height: 16}); err != nil {
				t.Errorf("the next scene fails: %v", err)
			}
		})
	}
}

// goodScene is a lit box with nothing wrong.
func goodScene(t *testing.T) *scenes.Scene {
	t.Helper()
	g, err := mesh.CreateBox(mesh.BoxOptions{})
	if err != nil {
		t.Fatal(err)
	}
	s := scenes.New("good")
	s.Camera = scenes.NewArcRotate("eye", -math.Pi/2, 1.2, 4, linalg.Vec3{})
	s.AddLight(scenes.Hemispheric("sky", linalg.Vec3{0, 1, 0}))
	s.Add(scenes.NewMesh("box", g, standard.Colored("red", 1, 0, 0)))
	return s
}
