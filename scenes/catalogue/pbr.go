package catalogue

import (
	"math"

	"darkroom/material/pbr"
	"darkroom/scenes"
	"darkroom/scenes/env"
	"darkroom/scenes/linalg"
	"darkroom/scenes/mesh"
)

const environmentFile = "textures/environment.env"

func pbrIridescence() *Entry {
	return &Entry{
		Name: "scene177-pbr-iridescence", Description: "iridescent metal in an environment, with the environment as backdrop",
		Tags: []string{"reference", "pbr", "environment", "iridescence"}, MaxMAD: 0.4, Assets: []string{environmentFile}, Source: "scenes/catalogue/pbr.go",
		Build: func(a Assets) (*scenes.Scene, error) {
			path, err := a.Path(environmentFile)
			if err != nil {
				return nil, err
			}
			s := scenes.New("scene177-pbr-iridescence")
			if s.Environment, err = env.Load(path); err != nil {
				return nil, err
			}
			s.Camera = scenes.NewArcRotate("camera", 0, math.Pi/2, 5, linalg.Vec3{}).Clip(1, 10000)
			g, err := mesh.CreateSphere(mesh.SphereOptions{Segments: 16, Diameter: 2})
			if err != nil {
				return nil, err
			}
			m := pbr.New("film")
			m.BaseColor, m.Metallic, m.Roughness = [4]float64{0.1, 0.1, 0.1, 1}, 1, 0
			m.Iridescence = &pbr.Iridescence{Factor: 1, IOR: 1.3, ThicknessMinimum: 100, ThicknessMaximum: 400}
			s.Add(scenes.NewMesh("sphere", g, m))
			box, err := mesh.CreateBox(mesh.BoxOptions{Size: 1000})
			if err != nil {
				return nil, err
			}
			sky := pbr.New("sky")
			sky.Backdrop, sky.Roughness = true, 0.3
			eye := s.Camera.Rig.Eye()
			s.Add(scenes.NewMesh("sky", box, sky).At(eye[0], eye[1], eye[2]))
			return s, nil
		},
	}
}

func pbrFog() *Entry {
	return &Entry{
		Name: "scene216-pbr-fog", Description: "gold boxes that fade into linear fog",
		Tags: []string{"reference", "pbr", "fog"}, MaxMAD: 0.05, Source: "scenes/catalogue/pbr.go",
		Build: func(Assets) (*scenes.Scene, error) {
			s := scenes.New("scene216-pbr-fog")
			s.Clear = scenes.Color4{0.7, 0.75, 0.82, 1}
			s.Fog = scenes.Fog{Mode: scenes.FogLinear, Color: scenes.Color3{0.7, 0.75, 0.82}, Start: 12, End: 60}
			s.Camera = scenes.NewArcRotate("camera", 0.4, 1.2, 20, linalg.Vec3{-10, 0, 0}).Clip(1, 10000)
			s.AddLight(scenes.Hemispheric("sky", linalg.Vec3{0, 1, 0}))
			g, err := mesh.CreateBox(mesh.BoxOptions{})
			if err != nil {
				return nil, err
			}
			m := pbr.New("gold")
			m.BaseColor, m.Metallic, m.Roughness = [4]float64{1, 0.766, 0.336, 1}, 0, 1
			for i := range 10 {
				s.Add(scenes.NewMesh("box", g, m).At(-5*float64(i), 0, 0))
			}
			return s, nil
		},
	}
}
