package reference

import (
	"errors"
	"strings"
	"testing"

	"darkroom/material/texture"
	"darkroom/scenes"
	"darkroom/scenes/catalogue"
	"darkroom/scenes/export"
)

// Scenes that the engine cannot draw are known without a browser.
func TestCheck(t *testing.T) {
	for name, want := range map[string]string{"scene2-sphere": "", "own-surfaces-pbr": "", "own-skin-baked-crowd": "", "own-shader-outputs": "WGSL of the user's own"} {
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
