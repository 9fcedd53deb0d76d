package mesh

import (
	"maps"
	"slices"

	"darkroom/composer"
	"darkroom/scenes/linalg"
)

// MaxUVs is the number of texture coordinate sets of a [Geometry].
const MaxUVs = 6

// Geometry is the vertices of a mesh and how they join. A nil stream is one
// that the mesh does not have; all others have one element for each vertex.
type Geometry struct {
	// Name stands in errors and labels.
	Name string
	// Builder is how the geometry was made, when a builder made it.
	Builder *Builder

	Positions []float32         // x, y, z for each vertex
	Normals   []float32         // x, y, z, of unit length
	Tangents  []float32         // x, y, z of unit length, and w = ±1, the side of the bitangent
	UVs       [MaxUVs][]float32 // u, v; the first set is the engine's uv, the next uv2 …
	Colors    []float32         // r, g, b, a, linear
	Joints    [2][]uint32       // four joints for each vertex, by index into the skeleton
	Weights   [2][]float32      // the four weights of the joints in the same set

	// Indices pick vertices; nil draws them in order.
	Indices []uint32
	// Topology is how vertices join; empty is a triangle list.
	Topology composer.Topology
	// Streams are further vertex attributes for a user's shaders, by attribute name.
	Streams map[string]Stream
}

// Builder names a builder and its options, enough to make the same mesh again
// here or in the engine. Options is one of this package's option structs, by
// value, with every function replaced by its values; treat it as read-only.
type Builder struct {
	Name    string `json:"name"` // as the engine spells it, e.g. "CreateSphere"
	Options any    `json:"options"`
}

// Stream is a vertex attribute as the GPU reads it: tightly packed, little-endian.
type Stream struct {
	Format composer.VertexFormat
	Data   []byte
}

// VertexCount returns the number of vertices.
func (g *Geometry) VertexCount() int { return len(g.Positions) / 3 }

// ElementCount returns the number of vertices that a draw call reads: the
// number of indices or, without indices, of vertices.
func (g *Geometry) ElementCount() int {
	if g.Indices != nil {
		return len(g.Indices)
	}
	return g.VertexCount()
}

// Bounds returns the box of all vertices, also of those that no index picks,
// as the engine's bounding boxes have it. Without vertices the box is empty.
func (g *Geometry) Bounds() linalg.AABB {
	if len(g.Positions) < 3 {
		return linalg.EmptyAABB()
	}
	lo := [3]float32(g.Positions[:3])
	hi := lo
	for i := 3; i+2 < len(g.Positions); i += 3 {
		for k := range 3 {
			v := g.Positions[i+k]
			lo[k], hi[k] = min(lo[k], v), max(hi[k], v)
		}
	}
	return linalg.AABB{
		Min: linalg.Vec3{float64(lo[0]), float64(lo[1]), float64(lo[2])},
		Max: linalg.Vec3{float64(hi[0]), float64(hi[1]), float64(hi[2])},
	}
}

// Clone returns a copy of g that shares no stream with it.
func (g *Geometry) Clone() *Geometry {
	c := *g
	c.Positions = slices.Clone(g.Positions)
	c.Normals = slices.Clone(g.Normals)
	c.Tangents = slices.Clone(g.Tangents)
	for i := range g.UVs {
		c.UVs[i] = slices.Clone(g.UVs[i])
	}
	c.Colors = slices.Clone(g.Colors)
	for i := range g.Joints {
		c.Joints[i] = slices.Clone(g.Joints[i])
		c.Weights[i] = slices.Clone(g.Weights[i])
	}
	c.Indices = slices.Clone(g.Indices)
	c.Streams = maps.Clone(g.Streams)
	for name, s := range c.Streams {
		c.Streams[name] = Stream{s.Format, slices.Clone(s.Data)}
	}
	return &c
}

// triangles calls f for each triangle with its three vertices in drawing
// order, every other triangle of a strip turned round so that all wind alike
// (WebGPU, "Rasterization"). Lines and points have none. Indices must be valid.
func (g *Geometry) triangles(f func(a, b, c uint32)) {
	at := func(i int) uint32 { return uint32(i) }
	if g.Indices != nil {
		at = func(i int) uint32 { return g.Indices[i] }
	}
	n := g.ElementCount()
	switch g.Topology {
	case "", composer.TriangleList:
		for i := 0; i+2 < n; i += 3 {
			f(at(i), at(i+1), at(i+2))
		}
	case composer.TriangleStrip:
		run := 0 // vertices since the last restart
		for i := range n {
			if g.Indices != nil && at(i) == restart {
				run = 0
				continue
			}
			run++
			switch {
			case run < 3:
			case run%2 == 1:
				f(at(i-2), at(i-1), at(i))
			default:
				f(at(i-1), at(i-2), at(i))
			}
		}
	}
}

// restart is the index that ends a strip when indices are 32 bits wide.
const restart = 0xFFFFFFFF
