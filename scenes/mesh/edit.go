package mesh

import (
	"fmt"
	"slices"

	"darkroom/composer"
	"darkroom/scenes/linalg"
)

// Transform returns a copy of g moved by the affine m: positions as points,
// tangents as directions, normals by the inverse transpose, and triangles
// turned round when m mirrors. (The engine's bakeTransformIntoVertices takes
// normals by m itself, which differs under uneven scale.) Joint weights and
// further streams are copied as they are. The copy names no builder.
func (g *Geometry) Transform(m linalg.Mat4) (*Geometry, error) {
	if err := g.Validate(); err != nil {
		return nil, err
	}
	out := g.Clone()
	out.Builder = nil
	mapVectors(out.Positions, 3, m.TransformPoint)
	normal := m.NormalMatrix()
	mapVectors(out.Normals, 3, func(v linalg.Vec3) linalg.Vec3 { return normal.TransformNormal(v).Normalize() })
	mapVectors(out.Tangents, 4, func(v linalg.Vec3) linalg.Vec3 { return m.TransformNormal(v).Normalize() })
	if m.Determinant() < 0 {
		if err := out.mirror(); err != nil {
			return nil, err
		}
	}
	return out, out.Validate() // a huge m can overflow float32
}

func mapVectors(s []float32, stride int, f func(linalg.Vec3) linalg.Vec3) {
	for i := 0; i+2 < len(s); i += stride {
		v := f(linalg.Vec3{float64(s[i]), float64(s[i+1]), float64(s[i+2])}).Float32()
		copy(s[i:i+3], v[:])
	}
}

// mirror keeps the front of each triangle in front after a mirroring: it turns
// the winding and the side of the bitangents round.
func (g *Geometry) mirror() error {
	for i := 3; i < len(g.Tangents); i += 4 {
		g.Tangents[i] = -g.Tangents[i]
	}
	if !g.hasTriangles() {
		return nil
	}
	if g.Topology == composer.TriangleStrip {
		return fmt.Errorf("mesh %q: Transform: the matrix mirrors and a strip cannot be turned round, make it a list", g.Name)
	}
	if g.Indices == nil {
		g.Indices = make([]uint32, g.VertexCount())
		for i := range g.Indices {
			g.Indices[i] = uint32(i)
		}
	}
	for i := 0; i+2 < len(g.Indices); i += 3 {
		g.Indices[i+1], g.Indices[i+2] = g.Indices[i+2], g.Indices[i+1]
	}
	return nil
}

// Merge returns the geometries one after another as one mesh. They must have
// the same streams, and the same topology, which must be a list. The result
// has the name of the first and names no builder.
func Merge(gs ...*Geometry) (*Geometry, error) {
	if len(gs) == 0 {
		return nil, fmt.Errorf("mesh: Merge: there is nothing to merge")
	}
	first := gs[0]
	if first.Topology == composer.LineStrip || first.Topology == composer.TriangleStrip {
		return nil, fmt.Errorf("mesh %q: Merge: a %s cannot be merged, make it a list", first.Name, first.Topology)
	}
	indexed, total := false, 0
	for _, g := range gs {
		if err := g.Validate(); err != nil {
			return nil, fmt.Errorf("mesh: Merge: %w", err)
		}
		if name := streamDifference(first, g); name != "" {
			return nil, fmt.Errorf("mesh: Merge: %q and %q differ in %s, give both or neither", first.Name, g.Name, name)
		}
		indexed = indexed || g.Indices != nil
		total += g.VertexCount()
	}
	if int64(total) >= restart {
		return nil, fmt.Errorf("mesh: Merge: %d vertices are more than 32-bit indices can name", total)
	}
	out := first.Clone()
	out.Builder = nil
	if indexed && out.Indices == nil {
		out.Indices = appendIndices(nil, first, 0)
	}
	for _, g := range gs[1:] {
		base := uint32(out.VertexCount())
		if indexed {
			out.Indices = appendIndices(out.Indices, g, base)
		}
		out.Positions = append(out.Positions, g.Positions...)
		out.Normals = append(out.Normals, g.Normals...)
		out.Tangents = append(out.Tangents, g.Tangents...)
		out.Colors = append(out.Colors, g.Colors...)
		for i := range g.UVs {
			out.UVs[i] = append(out.UVs[i], g.UVs[i]...)
		}
		for i := range g.Joints {
			out.Joints[i] = append(out.Joints[i], g.Joints[i]...)
			out.Weights[i] = append(out.Weights[i], g.Weights[i]...)
		}
		for name, s := range g.Streams {
			out.Streams[name] = Stream{s.Format, append(out.Streams[name].Data, s.Data...)}
		}
	}
	return out, nil
}

func appendIndices(to []uint32, g *Geometry, base uint32) []uint32 {
	to = slices.Grow(to, g.ElementCount())
	if g.Indices == nil {
		for i := range g.VertexCount() {
			to = append(to, base+uint32(i))
		}
		return to
	}
	for _, v := range g.Indices {
		to = append(to, base+v)
	}
	return to
}

// streamDifference names a stream that one of a and b has and the other has
// not, or has otherwise; it is empty when there is none.
func streamDifference(a, b *Geometry) string {
	list := func(t composer.Topology) composer.Topology {
		if t == "" {
			return composer.TriangleList
		}
		return t
	}
	switch {
	case list(a.Topology) != list(b.Topology):
		return "topology"
	case (a.Normals == nil) != (b.Normals == nil):
		return "normals"
	case (a.Tangents == nil) != (b.Tangents == nil):
		return "tangents"
	case (a.Colors == nil) != (b.Colors == nil):
		return "colors"
	}
	for i := range a.UVs {
		if (a.UVs[i] == nil) != (b.UVs[i] == nil) {
			return fmt.Sprintf("uvs[%d]", i)
		}
	}
	for i := range a.Joints {
		if (a.Joints[i] == nil) != (b.Joints[i] == nil) {
			return fmt.Sprintf("joints[%d]", i)
		}
	}
	for name, s := range a.Streams {
		if t, ok := b.Streams[name]; !ok || t.Format != s.Format {
			return fmt.Sprintf("stream %q", name)
		}
	}
	for name := range b.Streams {
		if _, ok := a.Streams[name]; !ok {
			return fmt.Sprintf("stream %q", name)
		}
	}
	return ""
}
