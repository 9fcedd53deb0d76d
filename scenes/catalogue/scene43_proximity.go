package catalogue

import (
	"math"

	"darkroom/material/instances"
	"darkroom/material/standard"
	"darkroom/scenes"
	"darkroom/scenes/linalg"
	"darkroom/scenes/mesh"
)

func parametricProximity() *Entry {
	return &Entry{
		Name: "scene43-parametric-proximity", Description: "a ball on a circular path over coloured blocks, and the block that is nearest to it",
		Tags: []string{"reference", "standard", "instances", "transparency"}, MaxMAD: 1, CPUMAD: 0.2741, Source: "scenes/catalogue/scene43_proximity.go",
		Build: func(Assets) (*scenes.Scene, error) {
			const size, block, frame, frames = 200.0, 4.0, 300, 480
			s := scenes.New("scene43-parametric-proximity")
			s.Camera = scenes.NewArcRotate("camera", math.Pi/3, 0.85, size*1.35, linalg.Vec3{}).Clip(1, 10000)
			sky := scenes.Hemispheric("sky", linalg.Vec3{0, 1, 0})
			sky.Intensity = 0.7
			s.AddLight(sky)
			var failed error
			add := func(m *standard.Material) func(g *mesh.Geometry, err error) *scenes.Node {
				return func(g *mesh.Geometry, err error) *scenes.Node {
					if err != nil && failed == nil {
						failed = err
					}
					return s.Add(scenes.NewMesh(m.Name, g, m))
				}
			}
			circle := func(part float64) linalg.Vec3 {
				sin, cos := math.Sincos(part * 2 * math.Pi)
				return linalg.Vec3{cos * 50, 0.5, sin * 50}
			}
			at := circle(float64(frame) / frames)
			add(standard.New("ball"))(mesh.CreateSphere(mesh.SphereOptions{Diameter: 2, Segments: 32})).Position = at
			reach := standard.Colored("reach", 0, 1, 0)
			reach.Alpha = 0.5
			add(reach)(mesh.CreateSphere(mesh.SphereOptions{Diameter: 20, Segments: 32})).Position = at
			var path []linalg.Vec3
			for i := range 97 {
				path = append(path, circle(float64(i)/96))
			}
			way := standard.Colored("way", 0.1, 0.35, 0.5)
			way.Emissive = [3]float64{0.35, 0.75, 1}
			add(way)(mesh.CreateTube(mesh.TubeOptions{Path: path, Radius: 0.35, Tessellation: 8}))
			add(standard.Colored("ground", 0.45, 0.45, 0.45))(mesh.CreateGround(mesh.GroundOptions{Width: size, Height: size}))

			seed := uint64(0x424321) // of the linear congruential generator of Numerical Recipes
			random := func() float64 {
				seed = (seed*1664525 + 1013904223) & 0xffffffff
				return float64(seed) / (1 << 32)
			}
			var matrices [][16]float64
			var colors [][4]float64
			near, nearest := 10.0, linalg.Vec3{}
			found := false
			for range 100 {
				x, z := (random()-0.5)*size, (random()-0.5)*size
				p := linalg.Vec3{x, block / 2, z}
				matrices = append(matrices, linalg.Translation(p))
				colors = append(colors, [4]float64{random(), random(), random(), 1})
				if d := p.Distance(at); d < near {
					near, nearest, found = d, p, true
				}
			}
			blocks := add(standard.New("blocks"))(mesh.CreateCylinder(mesh.CylinderOptions{Diameter: block, Height: block, Subdivisions: 10, Tessellation: 48}))
			thin := instances.New(matrices, colors)
			blocks.Mesh.Features, blocks.Mesh.Instances = append(blocks.Mesh.Features, thin), thin.Count
			mark := standard.New("nearest")
			mark.Emissive = [3]float64{1, 1, 1}
			n := add(mark)(mesh.CreateCylinder(mesh.CylinderOptions{Diameter: block * 1.5, Height: block * 1.5, Tessellation: 48}))
			n.Position, n.Hidden = nearest, !found
			return s, failed
		},
	}
}
