package catalogue

import (
	"math"

	"darkroom/material/standard"
	"darkroom/scenes"
	"darkroom/scenes/linalg"
	"darkroom/scenes/mesh"
)

// The reference's pages show two canvases of one device side by side; here
// each is a scene of its own, with the canvas's size on that page.
const paneWidth, paneHeight = 638, 720

// SharedCanvases are the two scenes of reference scene 227: one ground, box and
// light, seen by two cameras on two canvases.
func SharedCanvases() ([2]*scenes.Scene, error) {
	var out [2]*scenes.Scene
	ground, err := mesh.CreateGround(mesh.GroundOptions{Width: 6, Height: 6})
	if err != nil {
		return out, err
	}
	box, err := mesh.CreateBox(mesh.BoxOptions{Size: 1.2})
	if err != nil {
		return out, err
	}
	nodes := []*scenes.Node{
		scenes.NewMesh("ground", ground, standard.Colored("ground", 0.4, 0.45, 0.5)),
		scenes.NewMesh("box", box, standard.Colored("box", 0.85, 0.35, 0.25)).At(0, 0.8, 0),
	}
	light := scenes.Hemispheric("sky", linalg.Vec3{0, 1, 0})
	target := linalg.Vec3{0, 0.6, 0}
	for i, c := range []*scenes.Camera{
		scenes.NewArcRotate("front", -math.Pi/2, math.Pi/2.5, 6, target),
		scenes.NewArcRotate("orbit", -math.Pi/4, math.Pi/3.5, 6, target),
	} {
		s := scenes.New([]string{"scene227-multi-canvas-same-scene", "scene227-multi-canvas-same-scene-b"}[i])
		s.Camera = c
		s.AddLight(light)
		s.Add(nodes...)
		out[i] = s
	}
	return out, nil
}

// SeparateCanvases are the two scenes of reference scene 228, which share
// nothing but the device: five balls, and a knot.
func SeparateCanvases() ([2]*scenes.Scene, error) {
	balls := scenes.New("scene228-multi-canvas-different-scenes")
	balls.Clear = scenes.Color4{0.12, 0.13, 0.18, 1}
	balls.Camera = scenes.NewArcRotate("camera", -math.Pi/2, math.Pi/2.2, 9, linalg.Vec3{})
	balls.AddLight(scenes.Hemispheric("sky", linalg.Vec3{0, 1, 0}))
	ball, err := mesh.CreateSphere(mesh.SphereOptions{Diameter: 1.2, Segments: 16})
	if err != nil {
		return [2]*scenes.Scene{}, err
	}
	for i, c := range [][3]float64{{0.85, 0.35, 0.25}, {0.3, 0.8, 0.45}, {0.3, 0.55, 0.95}, {0.95, 0.8, 0.3}, {0.75, 0.4, 0.85}} {
		balls.Add(scenes.NewMesh("ball", ball, standard.Colored("ball", c[0], c[1], c[2])).At((float64(i)-2)*1.6, 0, 0))
	}
	knot := scenes.New("scene228-multi-canvas-different-scenes-b")
	knot.Clear = scenes.Color4{0.2, 0.15, 0.12, 1}
	knot.Camera = scenes.NewArcRotate("camera", math.Pi/4, math.Pi/3, 6, linalg.Vec3{})
	sun := scenes.Directional("sun", linalg.Vec3{-0.4, -1, 0.3})
	sun.Diffuse = scenes.Color3{1, 0.9, 0.75}
	sky := scenes.Hemispheric("sky", linalg.Vec3{0, 1, 0})
	sky.Intensity = 0.25
	knot.AddLight(sun, sky)
	g, err := mesh.CreateTorusKnot(mesh.TorusKnotOptions{Radius: 1.4, Tube: 0.35, RadialSegments: 96, TubularSegments: 16})
	if err != nil {
		return [2]*scenes.Scene{}, err
	}
	m := standard.Colored("bronze", 0.85, 0.55, 0.25)
	m.Specular = [3]float64{0.9, 0.85, 0.7}
	knot.Add(scenes.NewMesh("knot", g, m))
	return [2]*scenes.Scene{balls, knot}, nil
}

// multiCanvas is the entry of the i-th scene that build makes.
func multiCanvas(name, description string, i int, build func() ([2]*scenes.Scene, error)) *Entry {
	return &Entry{
		Name: name + []string{"", "-b"}[i], Description: description, Tags: []string{"own", "standard", "several-canvases"},
		Width: paneWidth, Height: paneHeight, MaxMAD: 0.05, Source: "scenes/catalogue/multicanvas.go",
		Build: func(Assets) (*scenes.Scene, error) {
			all, err := build()
			return all[i], err
		},
	}
}

func sharedCanvas(i int) *Entry {
	return multiCanvas("scene227-multi-canvas-same-scene", []string{"a box on the first of two canvases of one device", "the same box on the second canvas"}[i], i, SharedCanvases)
}

func separateCanvas(i int) *Entry {
	return multiCanvas("scene228-multi-canvas-different-scenes", []string{"five balls on the first of two canvases of one device", "a knot on the second canvas"}[i], i, SeparateCanvases)
}
