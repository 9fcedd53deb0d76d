package transmission

import (
	"math"
	"testing"

	"darkroom/material/pbr"
	"darkroom/scenes"
	"darkroom/scenes/mesh"
)

func scene(t *testing.T, glass bool) *scenes.Scene {
	t.Helper()
	g, err := mesh.CreateBox(mesh.BoxOptions{})
	if err != nil {
		t.Fatal(err)
	}
	m := pbr.New("m")
	if glass {
		m.Transmission = &pbr.Transmission{Factor: 1}
	}
	s := scenes.New("s")
	s.Add(scenes.NewNode("parent").Add(scenes.NewMesh("box", g, m)))
	return s
}

func TestAdd(t *testing.T) {
	s := scene(t, false)
	if Add(s) != nil || len(s.Before) != 0 || len(s.Updaters) != 0 {
		t.Error("a scene without glass got tasks")
	}
	s = scene(t, true)
	g := Add(s)
	tasks := len(s.Before)
	if g == nil || tasks != 11 { // the picture and ten mips of 1024 texels
		t.Fatalf("%d tasks, want 11", tasks)
	}
	if Add(s) != g || len(s.Before) != tasks {
		t.Error("adding again added tasks")
	}
}

func TestUpdate(t *testing.T) {
	s := scene(t, true)
	g := Add(s)
	s.Clear = scenes.Color4{0.5, 0, 1, 1} // after Add: the picture follows
	own, shadow := &scenes.ScenePass{Name: "own"}, &scenes.ScenePass{Name: "shadow"}
	shadow.Color = append(shadow.Color, g.color)
	s.Graph = []scenes.Task{shadow, own}
	if err := g.Update(s, 1, 1); err != nil {
		t.Fatal(err)
	}
	want := scenes.Color4{math.Pow(0.5, 2.2), 0, 1, 0}
	if *g.pass.Clear != want {
		t.Errorf("clear colour %v, want %v", *g.pass.Clear, want)
	}
	if s.SceneColor != g.color || own.SceneColor != g.color {
		t.Error("the main pass does not see the picture")
	}
	if shadow.SceneColor != nil {
		t.Error("a pass to a texture sees the picture")
	}
}
