package catalogue

import (
	"math"

	"darkroom/material/instances"
	"darkroom/material/standard"
	"darkroom/scenes"
	"darkroom/scenes/linalg"
	"darkroom/scenes/mesh"
)

func thinInstances() *Entry {
	return &Entry{
		Name: "scene16-thin-instances", Description: "64,000 coloured cubes in one draw",
		Tags: []string{"reference", "standard", "instances"}, MaxMAD: 0.01, CPUMAD: 0.198, Source: "scenes/catalogue/scene16_thin_instances.go",
		Build: func(Assets) (*scenes.Scene, error) {
			s := scenes.New("scene16-thin-instances")
			s.Camera = scenes.NewArcRotate("camera", -math.Pi/5, math.Pi/3, 200, linalg.Vec3{}).Clip(1, 10000)
			g, err := mesh.CreateBox(mesh.BoxOptions{Size: 1})
			if err != nil {
				return nil, err
			}
			const side, size = 40, 100.0
			var matrices [][16]float64
			var colors [][4]float64
			ramp := 0.0 // a colour counted up from black to white
			at := func(i int) float64 { return -size/2 + size/(side-1)*float64(i) }
			for x := range side {
				for y := range side {
					for z := range side {
						matrices = append(matrices, linalg.Translation(linalg.Vec3{at(x), at(y), at(z)}))
						c := int(ramp)
						colors = append(colors, [4]float64{float64(c>>16&255) / 255, float64(c>>8&255) / 255, float64(c&255) / 255, 1})
						ramp += 0xffffff / float64(side*side*side)
					}
				}
			}
			m := standard.New("unlit")
			m.DisableLighting = true
			m.Emissive = [3]float64{1, 1, 1}
			n := s.Add(scenes.NewMesh("cubes", g, m))
			thin := instances.New(matrices, colors)
			n.Mesh.Features, n.Mesh.Instances = append(n.Mesh.Features, thin), thin.Count
			return s, nil
		},
	}
}
