package mesh

import (
	"cmp"
	"math"

	"darkroom/scenes/linalg"
)

// IcoSphereOptions are the options of [CreateIcoSphere].
type IcoSphereOptions struct {
	Radius          float64      `json:"radius,omitzero"`       // default 1
	RadiusX         float64      `json:"radiusX,omitzero"`      // default Radius
	RadiusY         float64      `json:"radiusY,omitzero"`      // default Radius
	RadiusZ         float64      `json:"radiusZ,omitzero"`      // default Radius
	Flat            *bool        `json:"flat,omitzero"`         // one normal for each triangle; default true
	Subdivisions    int          `json:"subdivisions,omitzero"` // of each edge of the icosahedron; default 4
	SideOrientation Side         `json:"sideOrientation,omitzero"`
	FrontUVs        *linalg.Vec4 `json:"frontUVs,omitzero"` // u0, v0, u1, v1 of a doubled sphere's front
	BackUVs         *linalg.Vec4 `json:"backUVs,omitzero"`  // and of its back
}

// icoFaces are the 20 faces of the icosahedron as indices into the corners 0
// to 11 and, for corners that lie elsewhere on the texture, icoAliases.
var icoFaces = [20][3]uint8{
	{0, 11, 5}, {0, 5, 1}, {0, 1, 7}, {0, 7, 10}, {12, 22, 23},
	{1, 5, 20}, {5, 11, 4}, {23, 22, 13}, {22, 18, 6}, {7, 1, 8},
	{14, 21, 4}, {14, 4, 2}, {16, 13, 6}, {15, 6, 19}, {3, 8, 9},
	{4, 21, 5}, {13, 17, 23}, {6, 13, 22}, {19, 6, 18}, {9, 8, 1},
}

// icoAliases are the corners that 12 to 23 stand for.
var icoAliases = [12]uint8{0, 2, 3, 3, 3, 4, 7, 8, 9, 9, 10, 11}

// icoGrid is the place of each corner and alias on the texture's grid.
var icoGrid = [24][2]uint8{
	{5, 1}, {3, 1}, {6, 4}, {0, 0}, {5, 3}, {4, 2}, {2, 2}, {4, 0}, {2, 0}, {1, 1}, {6, 0}, {6, 2},
	{0, 4}, {3, 3}, {4, 4}, {3, 1}, {4, 2}, {4, 4}, {0, 2}, {1, 1}, {2, 2}, {3, 3}, {1, 3}, {2, 4},
}

// icoIsland marks, bit by face, the second of the two islands that the faces
// make on the texture: 4, 7, 8, 12, 13, 16, 17, 18.
const icoIsland uint32 = 1<<4 | 1<<7 | 1<<8 | 1<<12 | 1<<13 | 1<<16 | 1<<17 | 1<<18

// The grid's step, its origin and the second island's shift, in 1/1024 of the
// texture; the engine's constants.
const (
	icoStepU, icoStepV     = 138. / 1024, 239. / 1024
	icoOriginU, icoOriginV = 60. / 1024, 26. / 1024
	icoShiftU, icoShiftV   = -40. / 1024, 20. / 1024
)

// CreateIcoSphere makes a sphere or ellipsoid of nearly equal triangles by
// subdividing an icosahedron. No two triangles share a vertex.
func CreateIcoSphere(o IcoSphereOptions) (*Geometry, error) {
	c := check{builder: "CreateIcoSphere"}
	c.size("radius", o.Radius)
	c.size("radiusX", o.RadiusX)
	c.size("radiusY", o.RadiusY)
	c.size("radiusZ", o.RadiusZ)
	c.count("subdivisions", o.Subdivisions, 1)
	c.side(o.SideOrientation, o.FrontUVs, o.BackUVs)
	n := cmp.Or(o.Subdivisions, 4)
	total := 60 * float64(n) * float64(n)
	c.budget(total, total, o.SideOrientation)
	if c.err != nil {
		return nil, c.err
	}
	flat := o.Flat == nil || *o.Flat
	r := cmp.Or(o.Radius, 1)
	radius := linalg.Vec3{cmp.Or(o.RadiusX, r), cmp.Or(o.RadiusY, r), cmp.Or(o.RadiusZ, r)}

	t := (1 + math.Sqrt(5)) / 2
	corners := [12]linalg.Vec3{
		{-1, t, math.Copysign(0, -1)}, {1, t, 0}, {-1, -t, 0}, {1, -t, 0},
		{0, -1, -t}, {0, 1, -t}, {0, -1, t}, {0, 1, t},
		{t, 0, 1}, {t, 0, -1}, {-t, 0, 1}, {-t, 0, -1},
	}
	b := newBuffers(int(total), int(total))
	for face, ids := range icoFaces {
		f := icoFace{subdivisions: n}
		for i, id := range ids {
			corner := id
			if id >= 12 {
				corner = icoAliases[id-12]
			}
			f.pos[i] = corners[corner].Normalize()
			island := float64(icoIsland >> face & 1)
			f.uv[i] = linalg.Vec2{
				float64(icoGrid[id][0])*icoStepU + icoOriginU + island*icoShiftU,
				float64(icoGrid[id][1])*icoStepV + icoOriginV + island*icoShiftV,
			}
		}
		vertex := func(i, j int, midI, midJ float64) {
			p := f.at(float64(i), j)
			normal := p
			if flat {
				normal = f.middle(midI, midJ)
			}
			b.vertex(p.Mul(radius), normal.Div(radius).Normalize(), f.tex(i, j)[0], f.tex(i, j)[1])
			b.idx = append(b.idx, uint32(len(b.idx)))
		}
		for j := range n {
			for i := range n - j {
				midI, midJ := float64(i)+1.0/3, float64(j)+1.0/3
				vertex(i, j, midI, midJ)
				vertex(i+1, j, midI, midJ)
				vertex(i, j+1, midI, midJ)
				if i+j+1 < n {
					midI, midJ = float64(i)+2.0/3, float64(j)+2.0/3
					vertex(i+1, j, midI, midJ)
					vertex(i+1, j+1, midI, midJ)
					vertex(i, j+1, midI, midJ)
				}
			}
		}
	}
	b.sides(o.SideOrientation, o.FrontUVs, o.BackUVs)
	return b.surface("icoSphere", c.builder, o)
}

// icoFace interpolates over one face: i steps from corner 0 to 1, j from 0 to 2.
type icoFace struct {
	pos          [3]linalg.Vec3
	uv           [3]linalg.Vec2
	subdivisions int
}

// at returns the point (i, j) on the unit sphere.
func (f *icoFace) at(i float64, j int) linalg.Vec3 {
	if j == f.subdivisions {
		// The engine normalises its corner in place, which can change its last bit.
		f.pos[2] = f.pos[2].Normalize()
		return f.pos[2]
	}
	return f.middle(i, float64(j)).Normalize()
}

// middle returns the point (i, j) on the flat face.
func (f *icoFace) middle(i, j float64) linalg.Vec3 {
	n := float64(f.subdivisions)
	return f.pos[0].Lerp(f.pos[2], j/n).Lerp(f.pos[1].Lerp(f.pos[2], j/n), i/(n-j))
}

func (f *icoFace) tex(i, j int) linalg.Vec2 {
	if j == f.subdivisions {
		return f.uv[2]
	}
	n, fj := float64(f.subdivisions), float64(j)
	return f.uv[0].Lerp(f.uv[2], fj/n).Lerp(f.uv[1].Lerp(f.uv[2], fj/n), float64(i)/(n-fj))
}
