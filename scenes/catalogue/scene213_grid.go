package catalogue

import (
	"math"

	"darkroom/material/grid"
	"darkroom/scenes"
	"darkroom/scenes/linalg"
	"darkroom/scenes/mesh"
)

func gridMaterial() *Entry {
	return &Entry{
		Name: "scene213-gridmaterial", Description: "grids on a floor, a ball and two boxes, one transparent, one hard-edged",
		Tags: []string{"reference", "grid"}, MaxMAD: 0.01, NoiseMAD: 0.1147, CPUMAD: 0.0199, Source: "scenes/catalogue/scene213_grid.go",
		Build: func(Assets) (*scenes.Scene, error) {
			s := scenes.New("scene213-gridmaterial")
			s.Clear = scenes.Color4{0.08, 0.08, 0.11, 1}
			s.Camera = scenes.NewArcRotate("camera", -math.Pi/2.3, math.Pi/3, 16, linalg.Vec3{0, 1.2, 0}).Clip(0.1, 200)
			floor, err := mesh.CreateGround(mesh.GroundOptions{Width: 14, Height: 14})
			if err != nil {
				return nil, err
			}
			ball, err := mesh.CreateSphere(mesh.SphereOptions{Segments: 48, Diameter: 3})
			if err != nil {
				return nil, err
			}
			box, err := mesh.CreateBox(mesh.BoxOptions{Size: 2.4})
			if err != nil {
				return nil, err
			}
			small, err := mesh.CreateBox(mesh.BoxOptions{Size: 1.6})
			if err != nil {
				return nil, err
			}
			add := func(name string, g *mesh.Geometry, x, y, z float64, main, line [3]float64, ratio, major, minor float64) *grid.Material {
				m := grid.New(name)
				m.Main, m.Line, m.Ratio, m.MajorUnitFrequency, m.MinorUnitVisibility = main, line, ratio, major, minor
				s.Add(scenes.NewMesh(name, g, m).At(x, y, z))
				return m
			}
			add("floor", floor, 0, 0, 0, [3]float64{0.06, 0.07, 0.1}, [3]float64{0, 0.5, 0.5}, 1, 10, 0.45)
			add("ball", ball, -3.6, 1.6, 0, [3]float64{0.1, 0.05, 0.05}, [3]float64{1, 0.55, 0.1}, 0.5, 5, 0.5).MaxLine = true
			add("box", box, 3.6, 1.2, 0, [3]float64{0.05, 0.08, 0.12}, [3]float64{0.2, 0.9, 1}, 0.5, 4, 0.4).Opacity = 0.6
			add("hard box", small, 0, 0.8, 3.4, [3]float64{0.08, 0.05, 0.1}, [3]float64{0.9, 0.2, 0.6}, 0.3, 3, 0.6).Hard = true
			return s, nil
		},
	}
}
