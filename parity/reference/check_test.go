package reference

import (
	"errors"
	"strings"
	"testing"

	"darkroom/material/texture"
	"darkroom/scenes"
	"darkroom/scenes/catalogue"
	"darkroom/scenes/export"
	"darkroom/scenes/linalg"
)

// Scenes that the engine cannot draw are known without a browser.
func TestCheck(t *testing.T) {
	for name, want := range map[string]string{"scene2-sphere": "", "own-surfaces-pbr": "", "own-skin-baked-crowd": "", "own-lights-sixteen-pbr": "", "own-video-1s": "WGSL of the user's own", "own-shader-outputs": "WGSL of the user's own"} {
		list, err := catalogue.All().Select(name)
		if err != nil {
			t.Fatal(err)
		}
		s, err := list[0].Build(nil)
		if err != nil {
			t.Fatal(err)
		}
		err = Check(&export.Picture{Scene: s})
		if want == "" && err != nil || want != "" && (!errors.Is(err, export.ErrRefused) || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %v, want %q", name, err, want)
		}
	}
}

// Several targets are Babylon.js's where all of them are what it stores of surfaces.
func TestCheckTargets(t *testing.T) {
	s := scenes.New("targets")
	p := &scenes.ScenePass{Name: "both"}
	for _, name := range []string{"albedo", "viewDepth"} {
		p.Color = append(p.Color, &texture.Texture{Name: name, Source: &texture.Target{}})
	}
	s.Graph = []scenes.Task{p}
	for _, c := range []struct {
		outputs map[string]int
		refused bool
	}{
		{map[string]int{"albedo": 0, "viewDepth": 1}, false},
		{map[string]int{"albedo": 0, "color": 1}, true},
		{map[string]int{"albedo": 0}, true},
		{nil, true},
	} {
		p.Outputs = c.outputs
		err := lacks(s)
		if refused := errors.Is(err, export.ErrRefused); refused != c.refused || refused && !strings.Contains(err.Error(), `task "both" draws into 2`) {
			t.Errorf("%v: %v", c.outputs, err)
		}
	}
}

// More lights than WebGPU has buffers for are drawn with WebGL, which is given the picture alone.
func TestCheckLights(t *testing.T) {
	with := func(n int, change func(*scenes.Scene)) *scenes.Scene {
		s := scenes.New("lights")
		for range n {
			s.AddLight(scenes.Point("point", linalg.Vec3{}))
		}
		if change != nil {
			change(s)
		}
		return s
	}
	large := func(s *scenes.Scene) { s.LargeWorld = true }
	before := func(s *scenes.Scene) { s.Before = []scenes.Task{&scenes.EffectPass{}} }
	graph := func(s *scenes.Scene) { s.Graph = []scenes.Task{&scenes.EffectPass{}} }
	for name, c := range map[string]struct {
		scene   *scenes.Scene
		refused bool
	}{
		"eight in a large world": {with(8, large), false}, "eight and passes": {with(8, before), false}, "nine": {with(9, nil), false},
		"nine in a large world": {with(9, large), true}, "nine and passes": {with(9, before), true}, "nine and a graph": {with(9, graph), true},
	} {
		err := lacks(c.scene)
		if refused := errors.Is(err, export.ErrRefused); refused != c.refused || refused && !strings.Contains(err.Error(), "it has 9 lights") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
