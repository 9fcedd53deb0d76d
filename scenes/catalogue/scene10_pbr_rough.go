package catalogue

import (
	"math"

	"darkroom/material/pbr"
	"darkroom/scenes"
	"darkroom/scenes/linalg"
	"darkroom/scenes/mesh"
)

func pbrRough() *Entry {
	return &Entry{
		Name: "scene10-pbr-rough", Description: "rough dielectric sphere under a hemispheric light",
		Tags: []string{"reference", "pbr", "light"}, MaxMAD: 0.011, Source: "scenes/catalogue/scene10_pbr_rough.go",
		Build: func(Assets) (*scenes.Scene, error) {
			s := scenes.New("scene10-pbr-rough")
			s.Camera = scenes.NewArcRotate("camera", 0, math.Pi/2, 5, linalg.Vec3{}).Clip(1, 10000)
			s.AddLight(scenes.Hemispheric("sky", linalg.Vec3{0, 1, 0}))
			g, err := mesh.CreateSphere(mesh.SphereOptions{Segments: 16, Diameter: 2})
			if err != nil {
				return nil, err
			}
			m := pbr.New("gold paint")
			m.BaseColor = [4]float64{1, 0.766, 0.336, 1}
			m.Metallic, m.Roughness = 0, 1
			s.Add(scenes.NewMesh("sphere", g, m))
			return s, nil
		},
	}
}
