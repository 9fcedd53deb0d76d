package mesh

import (
	"fmt"
	"math"
	"slices"

	"darkroom/composer"
	"darkroom/scenes/linalg"
)

// Side says which side of a built surface is its front; the engine's
// sideOrientation and its numbers.
type Side uint8

const (
	FrontSide  Side = iota // as built
	BackSide               // turned inside out
	DoubleSide             // both, the back as a second set of vertices after the first
)

// Cap says which ends of a tube-like surface are closed. Its JSON form is the
// engine's number.
type Cap uint8

const (
	CapDefault Cap = iota // what the builder's documentation says
	NoCap
	CapStart
	CapEnd
	CapAll
)

// MarshalJSON writes the engine's number, 0 for no cap to 3 for both.
func (c Cap) MarshalJSON() ([]byte, error) {
	if c > CapAll {
		return nil, fmt.Errorf("mesh: cap %d is unknown", c)
	}
	return fmt.Append(nil, max(c, NoCap)-NoCap), nil
}

// UnmarshalJSON reads the engine's number.
func (c *Cap) UnmarshalJSON(b []byte) error {
	for v := NoCap; v <= CapAll; v++ {
		if want, _ := v.MarshalJSON(); string(want) == string(b) {
			*c = v
			return nil
		}
	}
	return fmt.Errorf("mesh: cap %s is not a number from 0 to 3", b)
}

// start and end report which ends are closed; CapDefault stands for def.
func (c Cap) start(def Cap) bool { return c.or(def) == CapStart || c.or(def) == CapAll }
func (c Cap) end(def Cap) bool   { return c.or(def) == CapEnd || c.or(def) == CapAll }

func (c Cap) or(def Cap) Cap {
	if c == CapDefault {
		return def
	}
	return c
}

// maxBytes bounds what one builder may allocate.
const maxBytes = 1 << 30

// check gathers the first thing wrong with a builder's options.
type check struct {
	builder string
	err     error
}

func (c *check) failf(format string, args ...any) {
	if c.err == nil {
		c.err = fmt.Errorf("mesh: %s: %s", c.builder, fmt.Sprintf(format, args...))
	}
}

// size wants a length that is not negative; zero is the default.
func (c *check) size(name string, v float64) {
	if !(v >= 0 && v <= math.MaxFloat32) {
		c.failf("%s is %g, want a length that is not negative and fits float32", name, v)
	}
}

func (c *check) finite(name string, v float64) {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		c.failf("%s is %g, want a finite number", name, v)
	}
}

// fraction wants a part of a turn or a whole; zero is the default.
func (c *check) fraction(name string, v float64) {
	if !(v >= 0 && v <= 1) {
		c.failf("%s is %g, want a fraction from 0 to 1", name, v)
	}
}

// count wants a number that is at least least, or zero for the default.
func (c *check) count(name string, v, least int) {
	if v < 0 || (v != 0 && v < least) {
		c.failf("%s is %d, want at least %d", name, v, least)
	}
}

func (c *check) side(s Side, front, back *linalg.Vec4) {
	if s > DoubleSide {
		c.failf("sideOrientation is %d, want 0 to 2", s)
	}
	for _, uv := range []*linalg.Vec4{front, back} {
		if uv != nil {
			c.vec4s("frontUVs and backUVs", []linalg.Vec4{*uv}, 1)
		}
	}
}

func (c *check) cap(v Cap) {
	if v > CapAll {
		c.failf("cap is %d, want one of the Cap constants", v)
	}
}

// values wants none or exactly n finite numbers.
func (c *check) values(name string, vs []float64, n int) {
	if len(vs) != 0 && len(vs) != n {
		c.failf("%s has %d entries, want one for each of the %d points", name, len(vs), n)
	}
	for i, v := range vs {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			c.failf("%s[%d] is %g, want a finite number", name, i, v)
			return
		}
	}
}

// vec4s wants at most most finite vectors.
func (c *check) vec4s(name string, vs []linalg.Vec4, most int) {
	if len(vs) > most {
		c.failf("%s has %d entries, want at most %d", name, len(vs), most)
	}
	for i, v := range vs {
		for _, x := range v {
			c.finite(fmt.Sprintf("%s[%d]", name, i), x)
		}
	}
}

// path wants at least least finite points.
func (c *check) path(name string, ps []linalg.Vec3, least int) {
	if len(ps) < least {
		c.failf("%s has %d points, want at least %d", name, len(ps), least)
	}
	for i, p := range ps {
		for _, x := range p {
			if math.IsNaN(x) || math.IsInf(x, 0) {
				c.failf("%s[%d] is %v, want finite coordinates", name, i, p)
				return
			}
		}
	}
}

// budget refuses what would take more than maxBytes. The counts are floats, so
// that absurd options cannot overflow them, and are those of one side.
func (c *check) budget(vertices, indices float64, side Side) {
	// Position, normal, UV and colour in float64 while building and in float32 after.
	bytes := vertices*12*(8+4) + indices*4
	if side == DoubleSide {
		bytes *= 2
	}
	if !(bytes <= maxBytes) {
		c.failf("%.3g vertices and %.3g indices would take %.3g GiB, the limit is 1 GiB; lower the subdivisions",
			vertices, indices, bytes/(1<<30))
	}
}

// buffers collects a mesh in float64, the precision in which the engine's
// builders work before they round.
type buffers struct {
	pos, nor, uv, col []float64
	idx               []uint32
}

func newBuffers(vertices, indices int) *buffers {
	return &buffers{
		pos: make([]float64, 0, 3*vertices),
		nor: make([]float64, 0, 3*vertices),
		uv:  make([]float64, 0, 2*vertices),
		idx: make([]uint32, 0, indices),
	}
}

func (b *buffers) count() int { return len(b.pos) / 3 }

func (b *buffers) position(p linalg.Vec3) { b.pos = append(b.pos, p[0], p[1], p[2]) }
func (b *buffers) normal(n linalg.Vec3)   { b.nor = append(b.nor, n[0], n[1], n[2]) }
func (b *buffers) tex(u, v float64)       { b.uv = append(b.uv, u, v) }
func (b *buffers) color(c linalg.Vec4)    { b.col = append(b.col, c[0], c[1], c[2], c[3]) }

func (b *buffers) vertex(p, n linalg.Vec3, u, v float64) {
	b.position(p)
	b.normal(n)
	b.tex(u, v)
}

// triangle takes ints, as index arithmetic is done in them.
func (b *buffers) triangle(i, j, k int) {
	b.idx = append(b.idx, uint32(i), uint32(j), uint32(k))
}

// computeNormals makes normals of the triangles so far; see [Geometry.ComputeNormals].
func (b *buffers) computeNormals() {
	b.nor = slices.Grow(b.nor[:0], len(b.pos))[:len(b.pos)]
	clear(b.nor)
	for i := 0; i+2 < len(b.idx); i += 3 {
		addFacet(b.pos, b.nor, b.idx[i], b.idx[i+1], b.idx[i+2])
	}
	normalizeAll(b.nor)
}

// sides turns the surface round or doubles it. Only a doubled one maps its UVs
// into the rectangles front and back (u0, v0, u1, v1), by default all of the
// texture. The engine leaves the colours of a doubled cylinder, polyhedron or
// ribbon undoubled, so that its back reads past the buffer; here they double.
func (b *buffers) sides(side Side, front, back *linalg.Vec4) {
	switch side {
	case BackSide:
		for i := 0; i+2 < len(b.idx); i += 3 {
			b.idx[i], b.idx[i+2] = b.idx[i+2], b.idx[i]
		}
		for i := range b.nor {
			b.nor[i] = -b.nor[i]
		}
	case DoubleSide:
		n := uint32(b.count())
		b.pos = append(b.pos, b.pos...)
		b.col = append(b.col, b.col...)
		for i, l := 0, len(b.idx); i+2 < l; i += 3 {
			b.idx = append(b.idx, b.idx[i+2]+n, b.idx[i+1]+n, b.idx[i]+n)
		}
		for _, v := range b.nor[:len(b.nor):len(b.nor)] {
			b.nor = append(b.nor, -v)
		}
		lu := len(b.uv)
		b.uv = append(b.uv, b.uv...)
		whole := linalg.Vec4{0, 0, 1, 1}
		if front == nil {
			front = &whole
		}
		if back == nil {
			back = &whole
		}
		intoRect(b.uv[:lu], *front)
		intoRect(b.uv[lu:], *back)
	}
}

func intoRect(uv []float64, r linalg.Vec4) {
	for i := 0; i+1 < len(uv); i += 2 {
		uv[i] = r[0] + (r[2]-r[0])*uv[i]
		uv[i+1] = r[1] + (r[3]-r[1])*uv[i+1]
	}
}

// geometry rounds the mesh to float32 and validates it: options that pass the
// checks can still be too large for float32 or make no surface. The topology
// is a list of triangles or lines.
func (b *buffers) geometry(name, builder string, topology composer.Topology, options any) (*Geometry, error) {
	g := &Geometry{
		Name:      name,
		Builder:   &Builder{builder, options},
		Positions: toFloat32(b.pos),
		Indices:   b.idx,
		Topology:  topology,
	}
	if len(b.nor) > 0 {
		g.Normals = toFloat32(b.nor)
	}
	if len(b.uv) > 0 {
		g.UVs[0] = toFloat32(b.uv)
	}
	if len(b.col) > 0 {
		g.Colors = toFloat32(b.col)
	}
	if len(g.Indices) == 0 {
		return nil, fmt.Errorf("mesh: %s: the options make an empty %s", builder, topology)
	}
	if err := g.Validate(); err != nil {
		return nil, fmt.Errorf("mesh: %s: %w", builder, err)
	}
	return g, nil
}

// surface is geometry of a triangle list.
func (b *buffers) surface(name, builder string, options any) (*Geometry, error) {
	return b.geometry(name, builder, composer.TriangleList, options)
}

// faceOr returns the face's entry, or def past the end of the list.
func faceOr(list []linalg.Vec4, i int, def linalg.Vec4) linalg.Vec4 {
	if i < len(list) {
		return list[i]
	}
	return def
}

// faceUV returns the rectangle of a face, by default all of the texture.
func faceUV(list []linalg.Vec4, i int) linalg.Vec4 { return faceOr(list, i, linalg.Vec4{0, 0, 1, 1}) }

// faceColor returns the colour of a face, by default white.
func faceColor(list []linalg.Vec4, i int) linalg.Vec4 {
	return faceOr(list, i, linalg.Vec4{1, 1, 1, 1})
}
