package mesh

import (
	"cmp"
	"math"
	"slices"

	"darkroom/scenes/linalg"
)

// TubeOptions are the options of [CreateTube].
type TubeOptions struct {
	Path            []linalg.Vec3                         `json:"path"`                  // at least two points
	Radius          float64                               `json:"radius,omitzero"`       // default 1
	Radii           []float64                             `json:"radii,omitempty"`       // for each point of Path, in place of Radius
	RadiusFunc      func(i int, distance float64) float64 `json:"-"`                     // gives Radii from a point's index and its distance along Path
	Tessellation    int                                   `json:"tessellation,omitzero"` // points about the tube; default 64
	Arc             float64                               `json:"arc,omitzero"`          // part of the turn that they spread over; default 1
	Cap             Cap                                   `json:"cap,omitzero"`          // default NoCap
	InvertUV        bool                                  `json:"invertUV,omitzero"`     // swap U (about) and V (along)
	SideOrientation Side                                  `json:"sideOrientation,omitzero"`
	FrontUVs        *linalg.Vec4                          `json:"frontUVs,omitzero"` // u0, v0, u1, v1 of a doubled tube's front
	BackUVs         *linalg.Vec4                          `json:"backUVs,omitzero"`  // and of its back
}

// CreateTube makes a tube about a path. A cap is a fan to the path's end.
func CreateTube(o TubeOptions) (*Geometry, error) {
	c := check{builder: "CreateTube"}
	c.path("path", o.Path, 2)
	c.size("radius", o.Radius)
	c.count("tessellation", o.Tessellation, 2)
	c.fraction("arc", o.Arc)
	c.cap(o.Cap)
	n := cmp.Or(o.Tessellation, 64)
	rings := float64(len(o.Path)) + 4
	c.budget(rings*(float64(n)+1), 6*rings*float64(n), o.SideOrientation)
	if c.err != nil {
		return nil, c.err
	}
	frames := NewPath3D(o.Path, Path3DOptions{})
	if o.RadiusFunc != nil {
		o.Radii = make([]float64, len(o.Path))
		for i := range o.Radii {
			o.Radii[i] = o.RadiusFunc(i, frames.Distances[i])
		}
		o.RadiusFunc = nil
	}
	c.values("radii", o.Radii, len(o.Path))
	if c.err != nil {
		return nil, c.err
	}
	step := math.Pi * 2 / float64(n) * cmp.Or(o.Arc, 1)
	paths := make([][]linalg.Vec3, len(o.Path))
	for i, center := range o.Path {
		radius := cmp.Or(o.Radius, 1)
		if len(o.Radii) > 0 {
			radius = o.Radii[i]
		}
		paths[i] = make([]linalg.Vec3, n)
		for t := range n {
			turn := linalg.RotationAxis(frames.Tangents[i], step*float64(t)).Round32()
			paths[i][t] = turn.TransformPoint(frames.Normals[i]).Scale(radius).Add(center)
		}
	}
	point := func(p linalg.Vec3) []linalg.Vec3 { return slices.Repeat([]linalg.Vec3{p}, n) }
	b := ribbon(&c, RibbonOptions{
		PathArray:       capPaths(paths, o.Cap, point(o.Path[0]), point(o.Path[len(o.Path)-1])),
		ClosePath:       true,
		InvertUV:        o.InvertUV,
		SideOrientation: o.SideOrientation,
		FrontUVs:        o.FrontUVs,
		BackUVs:         o.BackUVs,
	})
	if c.err != nil {
		return nil, c.err
	}
	return b.surface("tube", c.builder, o)
}

// capPaths puts the cap at each end that has one: the end's path again, for
// normals of its own, and the path that it shrinks to.
func capPaths(paths [][]linalg.Vec3, c Cap, start, end []linalg.Vec3) [][]linalg.Vec3 {
	if c.end(NoCap) {
		paths = append(paths, paths[len(paths)-1], end)
	}
	if c.start(NoCap) {
		paths = slices.Insert(paths, 0, start, paths[0])
	}
	return paths
}
