package mesh

import (
	"cmp"
	"math"

	"darkroom/scenes/linalg"
)

// SphereOptions are the options of [CreateSphere].
type SphereOptions struct {
	Segments              int          `json:"segments,omitzero"`              // the sphere has Segments+2 rows of 2*(Segments+2) quads; default 32
	Diameter              float64      `json:"diameter,omitzero"`              // default 1
	DiameterX             float64      `json:"diameterX,omitzero"`             // default Diameter
	DiameterY             float64      `json:"diameterY,omitzero"`             // default Diameter
	DiameterZ             float64      `json:"diameterZ,omitzero"`             // default Diameter
	Arc                   float64      `json:"arc,omitzero"`                   // part of the turn about Y; default 1
	Slice                 float64      `json:"slice,omitzero"`                 // part of the way from the top down; default 1
	DedupTopBottomIndices bool         `json:"dedupTopBottomIndices,omitzero"` // leave the degenerate triangles at the poles out
	SideOrientation       Side         `json:"sideOrientation,omitzero"`
	FrontUVs              *linalg.Vec4 `json:"frontUVs,omitzero"` // u0, v0, u1, v1 of a doubled sphere's front
	BackUVs               *linalg.Vec4 `json:"backUVs,omitzero"`  // and of its back
}

// CreateSphere makes a sphere or ellipsoid about the origin by latitude and
// longitude. U runs about Y, V from 0 at the top to 1 at the bottom.
func CreateSphere(o SphereOptions) (*Geometry, error) {
	c := check{builder: "CreateSphere"}
	c.count("segments", o.Segments, 1)
	c.size("diameter", o.Diameter)
	c.size("diameterX", o.DiameterX)
	c.size("diameterY", o.DiameterY)
	c.size("diameterZ", o.DiameterZ)
	c.fraction("arc", o.Arc)
	c.fraction("slice", o.Slice)
	c.side(o.SideOrientation, o.FrontUVs, o.BackUVs)
	segments := cmp.Or(o.Segments, 32)
	fr := 2 + float64(segments)
	c.budget((fr+1)*(2*fr+1), 6*fr*2*fr, o.SideOrientation)
	if c.err != nil {
		return nil, c.err
	}
	arc, slice := cmp.Or(o.Arc, 1), cmp.Or(o.Slice, 1)
	radius := linalg.Vec3{
		cmp.Or(o.DiameterX, o.Diameter, 1) / 2,
		cmp.Or(o.DiameterY, o.Diameter, 1) / 2,
		cmp.Or(o.DiameterZ, o.Diameter, 1) / 2,
	}
	rows := 2 + segments
	cols := 2 * rows
	b := newBuffers((rows+1)*(cols+1), 6*rows*cols)

	// The engine turns the pole by two single-precision matrices for each vertex.
	turns := make([]linalg.Mat4, cols+1)
	for col := range turns {
		turns[col] = linalg.RotationY(float64(col) / float64(cols) * math.Pi * 2 * arc).Round32()
	}
	for row := range rows + 1 {
		v := float64(row) / float64(rows)
		tilt := linalg.RotationZ(-(v * math.Pi * slice)).Round32()
		tilted := tilt.TransformPoint(linalg.Vec3{0, 1, 0})
		for col, turn := range turns {
			p := turn.TransformPoint(tilted)
			b.vertex(p.Mul(radius), p.Div(radius).Normalize(), float64(col)/float64(cols), v)
		}
	}
	for row := range rows {
		for col := range cols {
			i := row*(cols+1) + col
			if !o.DedupTopBottomIndices || row > 0 {
				b.triangle(i, i+1, i+cols+1)
			}
			if !o.DedupTopBottomIndices || row < rows-1 || slice < 1 {
				b.triangle(i+cols+1, i+1, i+cols+2)
			}
		}
	}
	b.sides(o.SideOrientation, o.FrontUVs, o.BackUVs)
	return b.surface("sphere", c.builder, o)
}
