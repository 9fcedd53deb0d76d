package catalogue

import (
	"math"

	"darkroom/composer"
	"darkroom/material"
	"darkroom/material/pbr"
	"darkroom/material/standard"
	"darkroom/material/texture"
	"darkroom/scenes"
	"darkroom/scenes/linalg"
	"darkroom/scenes/mesh"
)

func depthPreviews() *Entry {
	return &Entry{
		Name: "scene116-shadow-depth-materials", Description: "a torus and a ball, and below them their depths as two other cameras see them",
		Tags: []string{"reference", "standard", "pbr", "render-target"}, MaxMAD: 0.01, NoiseMAD: 0.2884, CPUMAD: 0.6432, Source: "scenes/catalogue/scene116_depth_previews.go",
		Build: func(Assets) (*scenes.Scene, error) {
			s := scenes.New("scene116-shadow-depth-materials")
			s.Camera = scenes.NewArcRotate("camera", -math.Pi/2, math.Pi/2.35, 8.5, linalg.Vec3{0, -0.25, 0}).Clip(0.1, 100)
			s.AddLight(scenes.Hemispheric("sky", linalg.Vec3{0, 1, 0}))
			torus, err := mesh.CreateTorus(mesh.TorusOptions{Diameter: 1.6, Thickness: 0.45, Tessellation: 48})
			if err != nil {
				return nil, err
			}
			ball, err := mesh.CreateSphere(mesh.SphereOptions{Segments: 32, Diameter: 1.8})
			if err != nil {
				return nil, err
			}
			plane, err := mesh.CreatePlane(mesh.PlaneOptions{Size: 2.2})
			if err != nil {
				return nil, err
			}
			blue := standard.Colored("blue", 0.25, 0.45, 1)
			blue.SpecularPower = 96
			gold := pbr.New("gold")
			gold.BaseColor, gold.Metallic, gold.Roughness, gold.Unlit = [4]float64{1, 0.72, 0.22, 1}, 0, 0.7, true
			add := func(name string, g *mesh.Geometry, m material.Material, x float64) {
				n := s.Add(scenes.NewMesh(name, g, m).At(x, 1, 0))
				depth := &texture.Texture{
					Name: name + " depth", Format: composer.Depth24PlusStencil8, Source: &texture.Target{Width: 512, Height: 512},
					Sampler: texture.Sampler{Mag: composer.FilterNearest, Min: composer.FilterNearest, Mip: composer.FilterNearest},
				}
				camera := scenes.NewFree(name, linalg.Vec3{x, 1, -4}).Clip(2, 8)
				s.Before = append(s.Before, &scenes.ScenePass{
					Name: name + " depth", Camera: camera, Only: []*scenes.Node{n}, FlipY: true, CanvasAspect: true,
					Attachments: scenes.Attachments{Color: []*texture.Texture{}, Depth: depth},
				})
				screen := standard.Colored(name+" preview", 0, 0, 0)
				screen.DisableLighting = true
				screen.EmissiveTexture = &standard.Channel{Texture: depth}
				s.Add(scenes.NewMesh(name+" preview", plane, screen).At(x, -1.6, 0))
			}
			add("torus", torus, blue, -2.25)
			add("ball", ball, gold, 2.25)
			return s, nil
		},
	}
}
