package catalogue

import (
	"math"

	"darkroom/material/instances"
	"darkroom/material/standard"
	"darkroom/scenes"
	"darkroom/scenes/linalg"
	"darkroom/scenes/mesh"
)

// ownCulledInstances looks out from within a lattice of boxes, most of which
// are behind the camera or beside the view.
func ownCulledInstances() *Entry {
	const name = "own-instances-culled"
	return &Entry{
		Name: name, Description: "64,000 boxes about the camera; those out of view are left out on the device",
		Tags: []string{"own", "standard", "instances"}, Width: 640, Height: 360, MaxMAD: 0.05, Source: "scenes/catalogue/own_instances.go",
		Build: func(Assets) (*scenes.Scene, error) {
			s := scenes.New(name)
			s.Camera = scenes.NewArcRotate("camera", -1.9, 1.2, 4, linalg.Vec3{}).Clip(0.1, 60)
			s.AddLight(scenes.Hemispheric("sky", linalg.Vec3{0.2, 1, -0.3}))
			g, err := mesh.CreateBox(mesh.BoxOptions{Size: 0.8})
			if err != nil {
				return nil, err
			}
			const side, pitch = 40, 3.0
			at := func(i int) float64 { return (float64(i) - (side-1)/2.0) * pitch }
			var matrices [][16]float64
			var colors [][4]float64
			for x := range side {
				for y := range side {
					for z := range side {
						turn := linalg.QuatFromEuler(linalg.Vec3{float64(x) * 0.3, float64(y) * 0.2, float64(z) * 0.25})
						long := 1 + 0.5*math.Sin(float64(x+2*y+3*z))
						matrices = append(matrices, linalg.Compose(linalg.Vec3{long, 1, 1 / long}, turn, linalg.Vec3{at(x), at(y), at(z)}))
						colors = append(colors, [4]float64{0.2 + 0.8*float64(x)/side, 0.2 + 0.8*float64(y)/side, 0.2 + 0.8*float64(z)/side, 1})
					}
				}
			}
			s.Add(scenes.NewMesh("boxes", g, standard.New("white"))).Instanced(instances.New(matrices, colors)).CullInstances(0)
			return s, nil
		},
	}
}
