package catalogue

import (
	"math"

	"darkroom/material/morph"
	"darkroom/material/standard"
	"darkroom/scenes"
	"darkroom/scenes/linalg"
	"darkroom/scenes/mesh"
)

func standardMorph() *Entry {
	return &Entry{
		Name: "scene252-standard-material-morph", Description: "a sphere morphed to a drop",
		Tags: []string{"reference", "standard", "morph"}, MaxMAD: 0.05, MaxRegionMAD: 0.05, Source: "scenes/catalogue/scene252_morph.go",
		Build: func(Assets) (*scenes.Scene, error) {
			s := scenes.New("scene252-standard-material-morph")
			s.Camera = scenes.NewArcRotate("camera", -math.Pi/2, 1.15, 4, linalg.Vec3{}).Clip(1, 10000)
			sun := scenes.Directional("sun", linalg.Vec3{0, -1, 0})
			sun.Diffuse, sun.Specular = scenes.Color3{1, 0, 0}, scenes.Color3{0, 1, 0}
			s.AddLight(sun)
			g, err := mesh.CreateSphere(mesh.SphereOptions{Segments: 32, Diameter: 1})
			if err != nil {
				return nil, err
			}
			delta := make([]float32, len(g.Positions))
			for i := 0; i < len(delta); i += 3 {
				x, y, z := float64(g.Positions[i]), float64(g.Positions[i+1]), float64(g.Positions[i+2])
				upper := math.Max(0, y) / 0.5
				delta[i], delta[i+1], delta[i+2] = float32(-x*0.45*upper), float32(0.5*y), float32(-z*0.45*upper)
			}
			m, err := morph.New(g.VertexCount(), []morph.Target{{Name: "drop", Positions: delta}}, []float64{1})
			if err != nil {
				return nil, err
			}
			n := s.Add(scenes.NewMesh("drop", g, standard.New("white")))
			n.Mesh.Features = append(n.Mesh.Features, m)
			return s, nil
		},
	}
}
