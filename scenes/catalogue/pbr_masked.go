package catalogue

import (
	"fmt"
	"math"

	"darkroom/material/pbr"
	"darkroom/scenes"
	"darkroom/scenes/linalg"
	"darkroom/scenes/mesh"
)

// onBackdrop is a reference scene whose capture has the engine's default sky and
// ground behind its objects; their two pictures cannot be had, so that the
// pixels of the backdrop are left out of the judgement. Its limit is the
// suite's for the whole picture.
func onBackdrop(e Entry, build func(s *scenes.Scene) error) *Entry {
	e.Tags = append([]string{"reference", "pbr", "environment"}, e.Tags...)
	e.Source, e.Assets, e.Masked = "scenes/catalogue/pbr_masked.go", []string{environmentFile}, true
	e.Build = func(a Assets) (*scenes.Scene, error) {
		s := scenes.New(e.Name)
		if err := lightByEnvironment(s, a); err != nil {
			return nil, err
		}
		return s, build(s)
	}
	return &e
}

func specularGlossinessSphere() *Entry {
	return onBackdrop(Entry{
		Name: "scene6-pbr-sphere", Description: "gold by specular-glossiness in an environment, without its backdrop",
		Tags: []string{"specular-glossiness"}, MaxMAD: 0.5,
	}, func(s *scenes.Scene) error {
		s.Camera = scenes.NewArcRotate("camera", 0, math.Pi/2, 5, linalg.Vec3{}).Clip(1, 10000)
		g, err := mesh.CreateSphere(mesh.SphereOptions{Segments: 16, Diameter: 2})
		if err != nil {
			return err
		}
		m := pbr.New("gold")
		m.BaseColor = [4]float64{1, 0.766, 0.336, 1}
		m.SpecularGlossiness = &pbr.SpecularGlossiness{Specular: [3]float64{1, 0.766, 0.336}, Glossiness: 0.4}
		s.Add(scenes.NewMesh("sphere", g, m))
		return nil
	})
}

func emissiveGrid() *Entry {
	return onBackdrop(Entry{
		Name: "scene20-emissive-grid", Description: "2,500 mirrors that glow in 150 colours, in chains of five, without their backdrop",
		Tags: []string{"emissive", "light", "parenting"}, MaxMAD: 0.49,
	}, func(s *scenes.Scene) error {
		s.Camera = scenes.NewArcRotate("camera", math.Pi/2, math.Pi/2, 80, linalg.Vec3{}).Clip(1, 10000)
		s.AddLight(scenes.Hemispheric("sky", linalg.Vec3{0, 1, 0}))
		// The suite's generator: Numerical Recipes' constants, from 42.
		state := uint32(42)
		random := func() float64 {
			state = state*1664525 + 1013904223
			return float64(state) / (1 << 32)
		}
		glow := make([]*pbr.Material, 150)
		for i := range glow {
			m := pbr.New(fmt.Sprintf("glow %d", i))
			m.SpecularGlossiness = &pbr.SpecularGlossiness{Specular: [3]float64{1, 1, 1}, Glossiness: 1}
			m.Emissive = [3]float64{random(), random(), random()}
			glow[i] = m
		}
		g, err := mesh.CreateSphere(mesh.SphereOptions{Segments: 32, Diameter: 2})
		if err != nil {
			return err
		}
		var parent *scenes.Node
		var from linalg.Vec3
		for i := range 2500 {
			at := linalg.Vec3{20 - random()*40, 20 - random()*40, 20 - random()*40}
			n := scenes.NewMesh("sphere", g, glow[i%len(glow)])
			if i%5 == 0 {
				s.Add(n.At(at[0], at[1], at[2]))
			} else {
				parent.Add(n.At(at[0]-from[0], at[1]-from[1], at[2]-from[2]))
			}
			parent, from = n, at
		}
		return nil
	})
}

func anisotropicMirror() *Entry {
	return onBackdrop(Entry{
		Name: "scene23-anisotropy", Description: "a mirror that blurs in one direction, without its backdrop",
		Tags: []string{"anisotropy"}, MaxMAD: 0.12,
	}, func(s *scenes.Scene) error {
		s.Camera = scenes.NewArcRotate("camera", 0, math.Pi/2, 5, linalg.Vec3{}).Clip(1, 10000)
		g, err := mesh.CreateSphere(mesh.SphereOptions{Segments: 128, Diameter: 2})
		if err != nil {
			return err
		}
		m := pbr.New("brushed")
		m.Roughness = 0
		m.Anisotropy = &pbr.Anisotropy{Strength: 1}
		s.Add(scenes.NewMesh("sphere", g, m))
		return nil
	})
}
