package mesh

import (
	"cmp"
	"math"

	"darkroom/scenes/linalg"
)

// DiscOptions are the options of [CreateDisc].
type DiscOptions struct {
	Radius          float64      `json:"radius,omitzero"`       // default 0.5
	Tessellation    int          `json:"tessellation,omitzero"` // points on the rim; default 64
	Arc             float64      `json:"arc,omitzero"`          // part of the disc; default 1
	SideOrientation Side         `json:"sideOrientation,omitzero"`
	FrontUVs        *linalg.Vec4 `json:"frontUVs,omitzero"` // u0, v0, u1, v1 of a doubled disc's front
	BackUVs         *linalg.Vec4 `json:"backUVs,omitzero"`  // and of its back
}

// CreateDisc makes a regular polygon or a sector of one, a fan about the
// origin in the XY plane that faces -Z.
func CreateDisc(o DiscOptions) (*Geometry, error) {
	c := check{builder: "CreateDisc"}
	c.size("radius", o.Radius)
	c.count("tessellation", o.Tessellation, 2)
	c.fraction("arc", o.Arc)
	c.side(o.SideOrientation, o.FrontUVs, o.BackUVs)
	radius := cmp.Or(o.Radius, 0.5)
	n := cmp.Or(o.Tessellation, 64)
	arc := cmp.Or(o.Arc, 1)
	c.budget(float64(n)+2, 3*float64(n), o.SideOrientation)
	if c.err != nil {
		return nil, c.err
	}
	// A whole disc repeats its first rim point, a sector ends on its last.
	theta := math.Pi * 2 * arc
	step := theta / float64(n-1)
	if arc == 1 {
		step = theta / float64(n)
	}
	b := newBuffers(n+2, 3*n)
	b.position(linalg.Vec3{})
	b.tex(0.5, 0.5)
	a := 0.0 // a running sum, as in the engine, not a product
	for range n {
		y, x := math.Sincos(a)
		b.position(linalg.Vec3{radius * x, radius * y, 0})
		b.tex((x+1)/2, (1-y)/2)
		a += step
	}
	if arc == 1 {
		b.position(vec3At(b.pos, 1))
		b.tex(b.uv[2], b.uv[3])
	}
	for i := 1; i < b.count()-1; i++ {
		b.triangle(i+1, 0, i)
	}
	b.computeNormals()
	b.sides(o.SideOrientation, o.FrontUVs, o.BackUVs)
	return b.surface("disc", c.builder, o)
}
