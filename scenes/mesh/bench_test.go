package mesh

import (
	"testing"
)

func BenchmarkBuilders(b *testing.B) {
	for _, c := range []struct {
		name string
		make func() (*Geometry, error)
	}{
		{"sphere32", made(CreateSphere, SphereOptions{})},
		{"sphere128", made(CreateSphere, SphereOptions{Segments: 128})},
		{"box", made(CreateBox, BoxOptions{})},
		{"ground100", made(CreateGround, GroundOptions{Subdivisions: 100})},
		{"heightmap100", made(ground, HeightMapGroundOptions{Subdivisions: 100})},
		{"cylinder24", made(CreateCylinder, CylinderOptions{})},
		{"torus64", made(CreateTorus, TorusOptions{Tessellation: 64})},
		{"torusknot128", made(CreateTorusKnot, TorusKnotOptions{RadialSegments: 128, TubularSegments: 64})},
		{"icosphere16", made(CreateIcoSphere, IcoSphereOptions{Subdivisions: 16})},
		{"capsule", made(CreateCapsule, CapsuleOptions{})},
		{"polyhedron", made(CreatePolyhedron, PolyhedronOptions{Type: Icosahedron})},
		{"ribbon", made(CreateRibbon, RibbonOptions{PathArray: wave()})},
		{"tube", made(CreateTube, TubeOptions{Path: helix()})},
		{"extrude", made(ExtrudeShape, ExtrudeOptions{Shape: square(), Path: helix()})},
		{"lathe", made(CreateLathe, LatheOptions{Shape: profile()})},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			n := 0
			for b.Loop() {
				g, err := c.make()
				if err != nil {
					b.Fatal(err)
				}
				n += g.VertexCount()
			}
			b.ReportMetric(float64(n)/b.Elapsed().Seconds()/1e6, "Mvertex/s")
		})
	}
}

func BenchmarkGeometry(b *testing.B) {
	g, err := CreateSphere(SphereOptions{Segments: 128})
	if err != nil {
		b.Fatal(err)
	}
	b.Run("Validate", func(b *testing.B) {
		for b.Loop() {
			if err := g.Validate(); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("ComputeNormals", func(b *testing.B) {
		c := g.Clone()
		for b.Loop() {
			if err := c.ComputeNormals(); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("Flat", func(b *testing.B) {
		for b.Loop() {
			if _, err := g.Flat(); err != nil {
				b.Fatal(err)
			}
		}
	})
}
