package catalogue

import (
	"math"

	"darkroom/material/standard"
	"darkroom/scenes"
	"darkroom/scenes/linalg"
	"darkroom/scenes/mesh"
)

func sphere() *Entry {
	return &Entry{
		Name: "scene2-sphere", Description: "Blinn-Phong sphere under a directional light",
		Tags: []string{"reference", "standard", "light"}, MaxMAD: 0.01, MaxRegionMAD: 0.01,
		Source: "scenes/catalogue/scene2_sphere.go",
		Build: func(Assets) (*scenes.Scene, error) {
			s := scenes.New("scene2-sphere")
			s.Camera = scenes.NewArcRotate("camera", -math.Pi/2, math.Pi/2, 5, linalg.Vec3{}).Clip(1, 10000)
			sun := scenes.Directional("sun", linalg.Vec3{0, -1, 0})
			sun.Diffuse, sun.Specular = scenes.Color3{1, 0, 0}, scenes.Color3{0, 1, 0}
			s.AddLight(sun)
			g, err := mesh.CreateSphere(mesh.SphereOptions{Segments: 32, Diameter: 1})
			if err != nil {
				return nil, err
			}
			s.Add(scenes.NewMesh("sphere", g, standard.New("white")))
			return s, nil
		},
	}
}
