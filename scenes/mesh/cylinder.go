package mesh

import (
	"cmp"
	"math"

	"darkroom/scenes/linalg"
)

// CylinderOptions are the options of [CreateCylinder].
//
// Faces are numbered bottom cap, side, the two cut faces of an enclosed arc,
// top cap; with HasRings side and cut faces come again for each subdivision.
type CylinderOptions struct {
	Height          float64       `json:"height,omitzero"`         // default 2
	Diameter        float64       `json:"diameter,omitzero"`       // default 1
	DiameterTop     *float64      `json:"diameterTop,omitzero"`    // default Diameter; 0 makes a cone
	DiameterBottom  *float64      `json:"diameterBottom,omitzero"` // default Diameter
	Tessellation    int           `json:"tessellation,omitzero"`   // sides; default 24
	Subdivisions    int           `json:"subdivisions,omitzero"`   // rings; default 1
	Arc             float64       `json:"arc,omitzero"`            // part of the turn; default 1
	HasRings        bool          `json:"hasRings,omitzero"`       // rings have faces of their own
	Enclose         bool          `json:"enclose,omitzero"`        // close the cut of an arc
	Cap             Cap           `json:"cap,omitzero"`            // default CapAll
	FaceUV          []linalg.Vec4 `json:"faceUV,omitempty"`        // u0, v0, u1, v1 by face; default all of the texture
	FaceColors      []linalg.Vec4 `json:"faceColors,omitempty"`    // r, g, b, a by face, white where missing; empty: no colours
	SideOrientation Side          `json:"sideOrientation,omitzero"`
	FrontUVs        *linalg.Vec4  `json:"frontUVs,omitzero"` // u0, v0, u1, v1 of a doubled cylinder's front
	BackUVs         *linalg.Vec4  `json:"backUVs,omitzero"`  // and of its back
}

// pointDiameter stands for a diameter of zero, whose normals would break; the
// engine's constant.
const pointDiameter = 0.00001

// cylinder is the resolved options and the mesh under construction.
type cylinder struct {
	*buffers
	o                   *CylinderOptions
	height, top, bottom float64
	sides, rings        int
	arc                 float64
	enclose             bool
	faces               int
}

// CreateCylinder makes a cylinder, cone, prism or a sector of one about Y.
func CreateCylinder(o CylinderOptions) (*Geometry, error) {
	c := check{builder: "CreateCylinder"}
	c.size("height", o.Height)
	c.size("diameter", o.Diameter)
	diameter := func(name string, v *float64) float64 {
		if v == nil {
			return cmp.Or(o.Diameter, 1)
		}
		c.size(name, *v)
		return cmp.Or(*v, pointDiameter)
	}
	y := cylinder{
		o:      &o,
		height: cmp.Or(o.Height, 2),
		top:    diameter("diameterTop", o.DiameterTop),
		bottom: diameter("diameterBottom", o.DiameterBottom),
		sides:  cmp.Or(o.Tessellation, 24),
		rings:  cmp.Or(o.Subdivisions, 1),
		arc:    cmp.Or(o.Arc, 1),
	}
	c.count("tessellation", o.Tessellation, 1)
	c.count("subdivisions", o.Subdivisions, 1)
	c.fraction("arc", o.Arc)
	c.cap(o.Cap)
	c.side(o.SideOrientation, o.FrontUVs, o.BackUVs)
	y.enclose = o.Enclose && y.arc != 1
	perRing, ringFaces := 1, 1
	if y.enclose {
		perRing = 3
	}
	if o.HasRings {
		ringFaces = y.rings
	}
	fs, fr := float64(y.sides), float64(y.rings)
	c.budget((fs+5)*2*fr+2*(fs+2), 6*(fs+2)*fr+6*fs, o.SideOrientation)
	if c.err != nil {
		return nil, c.err
	}
	y.faces = 2 + perRing*ringFaces
	c.vec4s("faceUV", o.FaceUV, y.faces)
	c.vec4s("faceColors", o.FaceColors, y.faces)
	if c.err != nil {
		return nil, c.err
	}
	y.buffers = newBuffers((y.sides+5)*(y.rings+1)+2*(y.sides+2), 6*(y.sides+2)*y.rings+6*y.sides)
	y.wall()
	y.wallIndices()
	if o.Cap.start(CapAll) {
		y.cap(0, y.bottom/2, -y.height/2, -1)
	}
	if o.Cap.end(CapAll) {
		y.cap(y.faces-1, y.top/2, y.height/2, 1)
	}
	y.buffers.sides(o.SideOrientation, o.FrontUVs, o.BackUVs)
	return y.surface("cylinder", c.builder, o)
}

func (y *cylinder) paint(face int) {
	if len(y.o.FaceColors) > 0 {
		y.color(faceColor(y.o.FaceColors, face))
	}
}

// wall makes the vertices of the side, ring by ring from the bottom. Rings with
// faces of their own have each inner circle twice.
func (y *cylinder) wall() {
	step := math.Pi * 2 * y.arc / float64(y.sides)
	slope := (y.bottom - y.top) / 2 / y.height
	circle := make([]linalg.Vec2, y.sides+1)
	for j := range circle {
		s, c := math.Sincos(-(float64(j) * step))
		circle[j] = linalg.Vec2{c, s}
	}
	face, last := 1, 0
	for i := range y.rings + 1 {
		h := float64(i) / float64(y.rings)
		radius := (h*(y.top-y.bottom) + y.bottom) / 2
		times := 1
		if y.o.HasRings && i != 0 && i != y.rings {
			times = 2
		}
		for r := range times {
			if r == 1 { // on to the next ring's faces
				face++
				if y.enclose {
					face += 2
				}
			}
			// A ring starts at the lower edge of its rectangle and ends at the upper.
			v := func(uv linalg.Vec4) float64 {
				switch {
				case !y.o.HasRings:
					return uv[1] + (uv[3]-uv[1])*h
				case face != last:
					return uv[1]
				default:
					return uv[3]
				}
			}
			uv := faceUV(y.o.FaceUV, face)
			var first, p, firstNormal, n linalg.Vec3
			for j, cs := range circle {
				p = linalg.Vec3{cs[0] * radius, -y.height/2 + h*y.height, cs[1] * radius}
				n = linalg.Vec3{p[0], math.Sqrt(p[0]*p[0]+p[2]*p[2]) * slope, p[2]}.Normalize()
				if j == 0 {
					first, firstNormal = p, n
				}
				y.vertex(p, n, uv[0]+(uv[2]-uv[0])*float64(j)/float64(y.sides), v(uv))
				y.paint(face)
			}
			if y.enclose {
				up := linalg.Vec3{0, 1, 0}
				axis := linalg.Vec3{0, p[1], 0}
				uv1, uv2 := faceUV(y.o.FaceUV, face+1), faceUV(y.o.FaceUV, face+2)
				n1, n2 := up.Cross(n).Normalize(), firstNormal.Cross(up).Normalize()
				y.vertex(p, n1, uv1[0], v(uv1))
				y.vertex(axis, n1, uv1[2], v(uv1))
				y.vertex(axis, n2, uv2[0], v(uv2))
				y.vertex(first, n2, uv2[2], v(uv2))
				for k := range 4 {
					y.paint(face + 1 + k/2)
				}
			}
			last = face
		}
	}
}

func (y *cylinder) wallIndices() {
	stride := y.sides + 1
	if y.enclose {
		stride += 4
	}
	row := 0
	for range y.rings {
		quad := func(j int) {
			i0 := row*stride + j
			i1 := i0 + stride
			y.triangle(i0, i1, i0+1)
			y.triangle(i1+1, i0+1, i1)
		}
		for j := range y.sides {
			quad(j)
		}
		if y.enclose {
			quad(y.sides - 1 + 2)
			quad(y.sides - 1 + 4)
		}
		row++
		if y.o.HasRings {
			row++
		}
	}
}

// cap makes one end, a fan about its centre. up is 1 for the top, -1 for the bottom.
func (y *cylinder) cap(face int, radius, at, up float64) {
	r := faceUV(y.o.FaceUV, face)
	tex := func(x, z float64) (u, v float64) {
		return r[0] + (r[2]-r[0])*x, r[1] + (r[3]-r[1])*z
	}
	base := y.count()
	normal := linalg.Vec3{0, up, 0}
	u, v := tex(0.5, 0.5)
	y.vertex(linalg.Vec3{0, at, 0}, normal, u, v)
	y.paint(face)
	for i := range y.sides + 1 {
		s, c := math.Sincos(-(math.Pi * 2 * float64(i) * y.arc / float64(y.sides)))
		u, v := tex(c*0.5+0.5, s*0.5+0.5)
		y.vertex(linalg.Vec3{c * radius, at, s * radius}, normal, u, v)
		y.paint(face)
	}
	for i := range y.sides {
		if up > 0 {
			y.triangle(base, base+i+2, base+i+1)
		} else {
			y.triangle(base, base+i+1, base+i+2)
		}
	}
}
