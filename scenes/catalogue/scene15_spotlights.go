package catalogue

import (
	"math"

	"darkroom/material/standard"
	"darkroom/scenes"
	"darkroom/scenes/linalg"
	"darkroom/scenes/mesh"
)

func spotlights() *Entry {
	return &Entry{
		Name: "scene15-spotlights", Description: "two spot lights of different exponents on a ground",
		Tags: []string{"reference", "standard", "light"}, MaxMAD: 0.01, Source: "scenes/catalogue/scene15_spotlights.go",
		Build: func(Assets) (*scenes.Scene, error) {
			s := scenes.New("scene15-spotlights")
			s.Camera = scenes.NewArcRotate("camera", -math.Pi/2, math.Pi/4, 5, linalg.Vec3{}).Clip(1, 10000)
			down := linalg.Vec3{0, -1, 0}
			red := scenes.Spot("red", linalg.Vec3{-1, 1, -1}, down, math.Pi/2, 10)
			red.Diffuse, red.Specular = scenes.Color3{1, 0, 0}, scenes.Color3{0, 1, 0}
			green := scenes.Spot("green", linalg.Vec3{1, 1, 1}, down, math.Pi/2, 50)
			green.Diffuse, green.Specular = scenes.Color3{0, 1, 0}, scenes.Color3{0, 1, 0}
			s.AddLight(red, green)
			g, err := mesh.CreateGround(mesh.GroundOptions{Width: 4, Height: 4})
			if err != nil {
				return nil, err
			}
			s.Add(scenes.NewMesh("ground", g, standard.New("white")))
			return s, nil
		},
	}
}
