package mesh

import (
	"fmt"
	"math"

	"darkroom/composer"
	"darkroom/scenes/linalg"
)

// ComputeNormals replaces the normals of g by smooth ones: each vertex gets
// the normalised sum of the unit normals of the triangles that use it, so
// large and small triangles count alike (Babylon.js's ComputeNormals). A
// vertex of no triangle, or of degenerate ones only, gets a zero normal.
func (g *Geometry) ComputeNormals() error {
	if err := g.Validate(); err != nil {
		return err
	}
	if !g.hasTriangles() {
		return fmt.Errorf("mesh %q: ComputeNormals: a %s has no surface", g.Name, g.Topology)
	}
	pos := make([]float64, len(g.Positions))
	for i, v := range g.Positions {
		pos[i] = float64(v)
	}
	nor := make([]float64, len(pos))
	g.triangles(func(a, b, c uint32) { addFacet(pos, nor, a, b, c) })
	normalizeAll(nor)
	g.Normals = toFloat32(nor)
	return nil
}

func (g *Geometry) hasTriangles() bool {
	return g.Topology == "" || g.Topology == composer.TriangleList || g.Topology == composer.TriangleStrip
}

// addFacet adds the unit normal of a triangle to its three vertices in nor.
func addFacet(pos, nor []float64, a, b, c uint32) {
	p1, p2, p3 := vec3At(pos, a), vec3At(pos, b), vec3At(pos, c)
	n := p1.Sub(p2).Cross(p3.Sub(p2))
	// A division, not Vec3.Normalize, whose product with 1/l is rounded twice.
	l := n.Length()
	if l == 0 {
		l = 1
	}
	n = linalg.Vec3{n[0] / l, n[1] / l, n[2] / l}
	for _, v := range [3]uint32{a, b, c} {
		nor[3*v] += n[0]
		nor[3*v+1] += n[1]
		nor[3*v+2] += n[2]
	}
}

func normalizeAll(nor []float64) {
	for i := 0; i+2 < len(nor); i += 3 {
		l := math.Sqrt(nor[i]*nor[i] + nor[i+1]*nor[i+1] + nor[i+2]*nor[i+2])
		if l == 0 {
			l = 1
		}
		nor[i] /= l
		nor[i+1] /= l
		nor[i+2] /= l
	}
}

func vec3At(s []float64, i uint32) linalg.Vec3 {
	return linalg.Vec3{s[3*i], s[3*i+1], s[3*i+2]}
}

func toFloat32(s []float64) []float32 {
	out := make([]float32, len(s))
	for i, v := range s {
		out[i] = float32(v)
	}
	return out
}

// Unindex returns a copy of g without indices: a vertex that several triangles
// share is repeated for each. A strip with a restart index becomes an error,
// as there is no way to draw it so.
func (g *Geometry) Unindex() (*Geometry, error) {
	if err := g.Validate(); err != nil {
		return nil, err
	}
	if g.Indices == nil {
		return g.Clone(), nil
	}
	for i, v := range g.Indices {
		if v == restart {
			return nil, fmt.Errorf("mesh %q: Unindex: index %d restarts the strip, which needs indices", g.Name, i)
		}
	}
	return g.Pick(g.Indices), nil
}

// Flat returns a copy of g whose triangles share no vertex and have the normal
// of their plane at all three corners. A strip becomes a list.
func (g *Geometry) Flat() (*Geometry, error) {
	if err := g.Validate(); err != nil {
		return nil, err
	}
	if !g.hasTriangles() {
		return nil, fmt.Errorf("mesh %q: Flat: a %s has no surface", g.Name, g.Topology)
	}
	order := make([]uint32, 0, 3*g.ElementCount())
	g.triangles(func(a, b, c uint32) { order = append(order, a, b, c) })
	if len(order) == 0 {
		return nil, fmt.Errorf("mesh %q: Flat: there are no triangles", g.Name)
	}
	out := g.Pick(order)
	out.Topology = composer.TriangleList
	out.Normals = make([]float32, len(out.Positions))
	corner := func(i int) linalg.Vec3 {
		p := out.Positions[i : i+3]
		return linalg.Vec3{float64(p[0]), float64(p[1]), float64(p[2])}
	}
	for i := 0; i < len(out.Positions); i += 9 {
		mid := corner(i + 3)
		n := corner(i).Sub(mid).Cross(corner(i + 6).Sub(mid)).Normalize().Float32()
		for v := i; v < i+9; v += 3 {
			copy(out.Normals[v:v+3], n[:])
		}
	}
	return out, nil
}

// Pick returns the vertices of g in the given order, without indices. The
// numbers of order must be vertices of g.
func (g *Geometry) Pick(order []uint32) *Geometry {
	out := &Geometry{Name: g.Name, Topology: g.Topology}
	out.Positions = Gather(g.Positions, order, 3)
	out.Normals = Gather(g.Normals, order, 3)
	out.Tangents = Gather(g.Tangents, order, 4)
	out.Colors = Gather(g.Colors, order, 4)
	for i := range g.UVs {
		out.UVs[i] = Gather(g.UVs[i], order, 2)
	}
	for i := range g.Joints {
		out.Joints[i] = Gather(g.Joints[i], order, 4)
		out.Weights[i] = Gather(g.Weights[i], order, 4)
	}
	if g.Streams != nil {
		n := g.VertexCount()
		out.Streams = make(map[string]Stream, len(g.Streams))
		for name, s := range g.Streams {
			out.Streams[name] = Stream{s.Format, Gather(s.Data, order, len(s.Data)/n)}
		}
	}
	return out
}

// Gather returns the elements of s, size numbers each, in the given order; nil of nil.
func Gather[T any](s []T, order []uint32, size int) []T {
	if s == nil {
		return nil
	}
	out := make([]T, 0, len(order)*size)
	for _, v := range order {
		out = append(out, s[int(v)*size:int(v+1)*size]...)
	}
	return out
}
