package mesh

import (
	"cmp"
	"math"

	"darkroom/scenes/linalg"
)

// LatheOptions are the options of [CreateLathe].
type LatheOptions struct {
	Shape           []linalg.Vec3 `json:"shape"`                 // at least two points in the XY plane
	Radius          float64       `json:"radius,omitzero"`       // scales X; default 1
	Tessellation    int           `json:"tessellation,omitzero"` // steps about Y; default 64
	Clip            int           `json:"clip,omitzero"`         // steps to leave out
	Arc             float64       `json:"arc,omitzero"`          // part of the turn that the steps spread over; default 1
	Closed          *bool         `json:"closed,omitzero"`       // join the last step to the first; default true
	Cap             Cap           `json:"cap,omitzero"`          // join the shape's ends to the axis; default NoCap
	InvertUV        bool          `json:"invertUV,omitzero"`
	SideOrientation Side          `json:"sideOrientation,omitzero"`
	FrontUVs        *linalg.Vec4  `json:"frontUVs,omitzero"` // u0, v0, u1, v1 of a doubled surface's front
	BackUVs         *linalg.Vec4  `json:"backUVs,omitzero"`  // and of its back
}

// CreateLathe makes the surface that a shape sweeps when it turns about Y. A
// shape that runs upwards has its front outside.
func CreateLathe(o LatheOptions) (*Geometry, error) {
	c := check{builder: "CreateLathe"}
	c.path("shape", o.Shape, 2)
	c.size("radius", o.Radius)
	c.count("tessellation", o.Tessellation, 1)
	c.fraction("arc", o.Arc)
	c.cap(o.Cap)
	n := cmp.Or(o.Tessellation, 64)
	if o.Clip < 0 || o.Clip >= n {
		c.failf("clip is %d, want 0 to less than the tessellation %d", o.Clip, n)
	}
	rows, columns := float64(n)+2, float64(len(o.Shape))+4
	c.budget(rows*columns, 6*rows*columns, o.SideOrientation)
	if c.err != nil {
		return nil, c.err
	}
	radius := cmp.Or(o.Radius, 1)
	step := math.Pi * 2 / float64(n) * cmp.Or(o.Arc, 1)
	first, last := o.Shape[0], o.Shape[len(o.Shape)-1]
	var paths [][]linalg.Vec3
	for i := range n - o.Clip + 1 {
		sin, cos := math.Sincos(float64(i) * step)
		turned := func(p linalg.Vec3) linalg.Vec3 {
			return linalg.Vec3{cos * p[0] * radius, p[1], sin * p[0] * radius}
		}
		var path []linalg.Vec3
		if o.Cap.start(NoCap) {
			path = append(path, linalg.Vec3{0, first[1], 0}, turned(first))
		}
		for _, p := range o.Shape {
			path = append(path, turned(p))
		}
		if o.Cap.end(NoCap) {
			path = append(path, turned(last), linalg.Vec3{0, last[1], 0})
		}
		paths = append(paths, path)
	}
	b := ribbon(&c, RibbonOptions{
		PathArray:       paths,
		CloseArray:      o.Closed == nil || *o.Closed,
		InvertUV:        o.InvertUV,
		SideOrientation: o.SideOrientation,
		FrontUVs:        o.FrontUVs,
		BackUVs:         o.BackUVs,
	})
	if c.err != nil {
		return nil, c.err
	}
	return b.surface("lathe", c.builder, o)
}
