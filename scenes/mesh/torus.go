package mesh

import (
	"cmp"
	"math"

	"darkroom/scenes/linalg"
)

// TorusOptions are the options of [CreateTorus].
type TorusOptions struct {
	Diameter        float64      `json:"diameter,omitzero"`     // of the circle inside the ring; default 1
	Thickness       float64      `json:"thickness,omitzero"`    // of the ring; default 0.5
	Tessellation    int          `json:"tessellation,omitzero"` // steps both ways; default 16
	SideOrientation Side         `json:"sideOrientation,omitzero"`
	FrontUVs        *linalg.Vec4 `json:"frontUVs,omitzero"` // u0, v0, u1, v1 of a doubled torus's front
	BackUVs         *linalg.Vec4 `json:"backUVs,omitzero"`  // and of its back
}

// CreateTorus makes a ring about Y. Like the engine it adds, for the seam
// vertices, one row and one column of triangles more than the surface needs.
func CreateTorus(o TorusOptions) (*Geometry, error) {
	c := check{builder: "CreateTorus"}
	c.size("diameter", o.Diameter)
	c.size("thickness", o.Thickness)
	c.count("tessellation", o.Tessellation, 1)
	c.side(o.SideOrientation, o.FrontUVs, o.BackUVs)
	diameter := cmp.Or(o.Diameter, 1)
	thickness := cmp.Or(o.Thickness, 0.5)
	n := cmp.Or(o.Tessellation, 16)
	stride := n + 1
	fs := float64(n) + 1
	c.budget(fs*fs, 6*fs*fs, o.SideOrientation)
	if c.err != nil {
		return nil, c.err
	}
	b := newBuffers(stride*stride, 6*stride*stride)
	ring := make([]linalg.Vec3, stride)
	for j := range ring {
		dy, dx := math.Sincos(float64(j)*math.Pi*2/float64(n) + math.Pi)
		ring[j] = linalg.Vec3{dx, dy, 0}
	}
	move := linalg.Translation(linalg.Vec3{diameter / 2, 0, 0}).Round32()
	for i := range stride {
		u := float64(i) / float64(n)
		turn := linalg.RotationY(float64(i)*math.Pi*2/float64(n) - math.Pi/2).Round32()
		m := turn.Mul(move).Round32()
		for j, normal := range ring {
			v := 1 - float64(j)/float64(n)
			b.vertex(m.TransformPoint(normal.Scale(thickness/2)), m.TransformNormal(normal), u, v)
			ni, nj := (i+1)%stride, (j+1)%stride
			b.triangle(i*stride+j, i*stride+nj, ni*stride+j)
			b.triangle(i*stride+nj, ni*stride+nj, ni*stride+j)
		}
	}
	b.sides(o.SideOrientation, o.FrontUVs, o.BackUVs)
	return b.surface("torus", c.builder, o)
}
