package catalogue

import (
	"math"

	"darkroom/material/standard"
	"darkroom/scenes"
	"darkroom/scenes/linalg"
	"darkroom/scenes/mesh"
)

// animated is the stage that the reference suite's animation scenes share:
// a camera, a weak sun and a weak sky, and boxes.
func animated(name string, boxes ...string) (*scenes.Scene, []*scenes.Node, error) {
	s := scenes.New(name)
	s.Camera = scenes.NewArcRotate("camera", -math.Pi/2, math.Pi/4, 10, linalg.Vec3{}).Clip(1, 10000)
	sun := scenes.Directional("sun", linalg.Vec3{0, -1, 1})
	sun.Intensity = 0.75
	sky := scenes.Hemispheric("sky", linalg.Vec3{0, 1, 0})
	sky.Intensity = 0.5
	s.AddLight(sun, sky)
	g, err := mesh.CreateBox(mesh.BoxOptions{})
	if err != nil {
		return nil, nil, err
	}
	var nodes []*scenes.Node
	for _, b := range boxes {
		n := scenes.NewMesh(b, g, standard.New("white"))
		s.Add(n)
		nodes = append(nodes, n)
	}
	return s, nodes, nil
}

// slide is a clip of two seconds that moves n along x: from a to b and back.
func slide(name string, n *scenes.Node, a, b float64, interp scenes.Interpolation) *scenes.Animation {
	return &scenes.Animation{Name: name, Tracks: []*scenes.Track{{
		Node: n, Path: scenes.PathPositionX, Times: []float64{0, 1, 2}, Values: []float64{a, b, a}, Interp: interp,
	}}}
}

func manualXSlide() *Entry {
	return &Entry{
		Name: "scene150-manual-x-slide", Description: "a box slides along x, seen at 1 s", Time: 1,
		Tags: []string{"reference", "standard", "animation"}, MaxMAD: 0.08, Source: "scenes/catalogue/animation.go",
		Build: func(Assets) (*scenes.Scene, error) {
			s, n, err := animated("scene150-manual-x-slide", "box")
			if err != nil {
				return nil, err
			}
			s.Animations = []*scenes.Animation{slide("slide", n[0], 2, -2, scenes.Linear)}
			return s, nil
		},
	}
}

func manualTransform() *Entry {
	return &Entry{
		Name: "scene151-manual-transform", Description: "position, scaling and rotation tracks, seen at 0.5 s", Time: 0.5,
		Tags: []string{"reference", "standard", "animation"}, MaxMAD: 0.02, Source: "scenes/catalogue/animation.go",
		Build: func(Assets) (*scenes.Scene, error) {
			s, n, err := animated("scene151-manual-transform", "box")
			if err != nil {
				return nil, err
			}
			times := []float64{0, 1, 2}
			up := linalg.Vec3{0, 1, 0}
			var turns []float64
			for _, a := range []float64{0, math.Pi / 2, math.Pi} {
				q := linalg.QuatFromAxisAngle(up, a)
				turns = append(turns, q[:]...)
			}
			s.Animations = []*scenes.Animation{{Name: "dance", Tracks: []*scenes.Track{
				{Node: n[0], Path: scenes.PathPosition, Times: times, Values: []float64{1.5, 0, 0, -1.5, 0.75, 0, 1.5, 0, 0}},
				{Node: n[0], Path: scenes.PathScaling, Times: times, Values: []float64{1, 1, 1, 1.45, 0.7, 1.2, 1, 1, 1}},
				{Node: n[0], Path: scenes.PathRotation, Times: times, Values: turns},
			}}}
			return s, nil
		},
	}
}

func stepTime() *Entry {
	return &Entry{
		Name: "scene154-step-time-animation", Description: "linear against step interpolation, seen at 0.75 s", Time: 0.75,
		Tags: []string{"reference", "standard", "animation"}, MaxMAD: 0.02, Source: "scenes/catalogue/animation.go",
		Build: func(Assets) (*scenes.Scene, error) {
			s, n, err := animated("scene154-step-time-animation", "linear", "step")
			if err != nil {
				return nil, err
			}
			n[0].At(-1.5, 0.8, 0)
			n[1].At(-1.5, -0.8, 0)
			s.Animations = []*scenes.Animation{slide("linear", n[0], -1.5, 1.5, scenes.Linear), slide("step", n[1], -1.5, 1.5, scenes.Step)}
			return s, nil
		},
	}
}

func weightedBlend() *Entry {
	return &Entry{
		Name: "scene155-manual-weighted-blend", Description: "two clips blended 1:3, seen at 1 s", Time: 1,
		Tags: []string{"reference", "standard", "animation"}, MaxMAD: 0.02, Source: "scenes/catalogue/animation.go",
		Build: func(Assets) (*scenes.Scene, error) {
			s, n, err := animated("scene155-manual-weighted-blend", "box")
			if err != nil {
				return nil, err
			}
			a, b := slide("right", n[0], 0, 2, scenes.Linear), slide("left", n[0], 0, -2, scenes.Linear)
			a.Weight, b.Weight = scenes.ConstantWeight(0.25), scenes.ConstantWeight(0.75)
			s.Animations = []*scenes.Animation{a, b}
			return s, nil
		},
	}
}

func crossFade() *Entry {
	return &Entry{
		Name: "scene156-manual-cross-fade", Description: "a cross-fade of one second, seen a quarter through", Time: 1.25,
		Tags: []string{"reference", "standard", "animation"}, MaxMAD: 0.02, Source: "scenes/catalogue/animation.go",
		Build: func(Assets) (*scenes.Scene, error) {
			s, n, err := animated("scene156-manual-cross-fade", "box")
			if err != nil {
				return nil, err
			}
			a, b := slide("right", n[0], 0, 2, scenes.Linear), slide("left", n[0], 0, -2, scenes.Linear)
			a.Weight = &scenes.Fade{From: 1, To: 0, Start: 1, Duration: 1}
			b.Weight = &scenes.Fade{From: 0, To: 1, Start: 1, Duration: 1}
			s.Animations = []*scenes.Animation{a, b}
			return s, nil
		},
	}
}
