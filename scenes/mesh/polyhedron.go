package mesh

import (
	"cmp"
	"math"

	"darkroom/scenes/linalg"
)

// PolyhedronType is one of the ready-made polyhedra; the engine's numbers.
type PolyhedronType int

const (
	Tetrahedron PolyhedronType = iota
	Octahedron
	Dodecahedron
	Icosahedron
	Rhombicuboctahedron
	TriangularPrism
	PentagonalPrism
	HexagonalPrism
	SquarePyramid                // J1
	PentagonalPyramid            // J2
	TriangularDipyramid          // J12
	PentagonalDipyramid          // J13
	ElongatedSquareDipyramid     // J15
	ElongatedPentagonalDipyramid // J16
	ElongatedPentagonalCupola    // J20
)

// Polyhedron is a polyhedron of convex faces.
type Polyhedron struct {
	Vertices []linalg.Vec3 `json:"vertex"`
	Faces    [][]int       `json:"face"` // indices of vertices, clockwise seen from outside
}

// PolyhedronOptions are the options of [CreatePolyhedron].
type PolyhedronOptions struct {
	Type            PolyhedronType `json:"type,omitzero"`
	Custom          *Polyhedron    `json:"custom,omitzero"`      // in place of Type
	Size            float64        `json:"size,omitzero"`        // factor; default 1
	SizeX           float64        `json:"sizeX,omitzero"`       // default Size
	SizeY           float64        `json:"sizeY,omitzero"`       // default Size
	SizeZ           float64        `json:"sizeZ,omitzero"`       // default Size
	Flat            *bool          `json:"flat,omitzero"`        // faces have vertices of their own; default true
	FaceUV          []linalg.Vec4  `json:"faceUV,omitempty"`     // u0, v0, u1, v1 by face when flat; default all of the texture
	FaceColors      []linalg.Vec4  `json:"faceColors,omitempty"` // r, g, b, a by face when flat, white where missing; empty: no colours
	SideOrientation Side           `json:"sideOrientation,omitzero"`
	FrontUVs        *linalg.Vec4   `json:"frontUVs,omitzero"` // u0, v0, u1, v1 of a doubled polyhedron's front
	BackUVs         *linalg.Vec4   `json:"backUVs,omitzero"`  // and of its back
}

// CreatePolyhedron makes a polyhedron about the origin. A face's corners lie
// on a circle in its rectangle of the texture; without Flat corners are shared
// and have no place on the texture.
func CreatePolyhedron(o PolyhedronOptions) (*Geometry, error) {
	c := check{builder: "CreatePolyhedron"}
	c.size("size", o.Size)
	c.size("sizeX", o.SizeX)
	c.size("sizeY", o.SizeY)
	c.size("sizeZ", o.SizeZ)
	c.side(o.SideOrientation, o.FrontUVs, o.BackUVs)
	var solid Polyhedron
	switch {
	case o.Custom != nil:
		solid = *o.Custom
		solid.validate(&c)
	case o.Type < 0 || int(o.Type) >= len(polyhedra):
		c.failf("type is %d, want 0 to %d", o.Type, len(polyhedra)-1)
	default:
		solid = polyhedra[o.Type]
	}
	c.vec4s("faceUV", o.FaceUV, len(solid.Faces))
	c.vec4s("faceColors", o.FaceColors, len(solid.Faces))
	corners := 0
	for _, face := range solid.Faces {
		corners += len(face)
	}
	c.budget(float64(corners+len(solid.Vertices)), 3*float64(corners), o.SideOrientation)
	if c.err != nil {
		return nil, c.err
	}
	size := linalg.Vec3{cmp.Or(o.SizeX, o.Size, 1), cmp.Or(o.SizeY, o.Size, 1), cmp.Or(o.SizeZ, o.Size, 1)}
	b := newBuffers(corners, 3*corners)
	if o.Flat == nil || *o.Flat {
		for i, face := range solid.Faces {
			base := b.count()
			solid.circle(b, face, faceUV(o.FaceUV, i))
			for j, v := range face {
				b.position(solid.Vertices[v].Mul(size))
				if len(o.FaceColors) > 0 {
					b.color(faceColor(o.FaceColors, i))
				}
				if j >= 2 {
					b.triangle(base, base+j, base+j-1)
				}
			}
		}
	} else {
		for _, v := range solid.Vertices {
			b.position(v.Mul(size))
			b.tex(0, 0)
		}
		for _, face := range solid.Faces {
			for j := 2; j < len(face); j++ {
				b.triangle(face[0], face[j], face[j-1])
			}
		}
	}
	b.computeNormals()
	b.sides(o.SideOrientation, o.FrontUVs, o.BackUVs)
	return b.surface("polyhedron", c.builder, o)
}

// circle puts the corners of a face on the texture by turning one about the
// middle, step by step as the engine does, from the middle of the lower edge.
func (Polyhedron) circle(b *buffers, face []int, uv linalg.Vec4) {
	angle := 2 * math.Pi / float64(len(face))
	sin, cos := math.Sincos(angle)
	x, y := 0.5*math.Tan(angle/2), 0.5
	for range face {
		b.tex(uv[0]+(uv[2]-uv[0])*(0.5+x), uv[1]+(uv[3]-uv[1])*(y-0.5))
		x, y = x*cos-y*sin, x*sin+y*cos
	}
}

func (p Polyhedron) validate(c *check) {
	c.path("custom.vertex", p.Vertices, 3)
	if len(p.Faces) == 0 {
		c.failf("custom.face is empty")
	}
	for i, face := range p.Faces {
		if len(face) < 3 {
			c.failf("custom.face[%d] has %d corners, want at least 3", i, len(face))
		}
		for _, v := range face {
			if v < 0 || v >= len(p.Vertices) {
				c.failf("custom.face[%d] names vertex %d, there are %d", i, v, len(p.Vertices))
			}
		}
	}
}
