package mesh

import (
	"cmp"
	"slices"

	"darkroom/scenes/linalg"
)

// ExtrudeOptions are the options of [ExtrudeShape].
type ExtrudeOptions struct {
	Shape           []linalg.Vec3 `json:"shape"`                // at least two points: X along the path's normal, Y along its binormal, Z along its tangent
	Path            []linalg.Vec3 `json:"path"`                 // at least two points
	Scale           float64       `json:"scale,omitzero"`       // default 1
	Rotation        float64       `json:"rotation,omitzero"`    // added about the tangent from one point to the next
	CloseShape      bool          `json:"closeShape,omitzero"`  // join the shape's ends
	ClosePath       bool          `json:"closePath,omitzero"`   // join the path's ends
	Cap             Cap           `json:"cap,omitzero"`         // default NoCap
	FirstNormal     *linalg.Vec3  `json:"firstNormal,omitzero"` // direction of the path's first normal
	AdjustFrame     bool          `json:"adjustFrame,omitzero"` // keep the frames from turning over where the path turns back
	InvertUV        bool          `json:"invertUV,omitzero"`
	SideOrientation Side          `json:"sideOrientation,omitzero"`
	FrontUVs        *linalg.Vec4  `json:"frontUVs,omitzero"` // u0, v0, u1, v1 of a doubled surface's front
	BackUVs         *linalg.Vec4  `json:"backUVs,omitzero"`  // and of its back
}

// ExtrudeCustomOptions are the options of [ExtrudeShapeCustom].
type ExtrudeCustomOptions struct {
	Shape           []linalg.Vec3                         `json:"shape"`                  // as in ExtrudeOptions
	Path            []linalg.Vec3                         `json:"path"`                   // at least two points
	Scales          []float64                             `json:"scales,omitempty"`       // for each point of Path; default 1
	ScaleFunc       func(i int, distance float64) float64 `json:"-"`                      // gives Scales from a point's index and its distance along Path
	ScaleVectors    []linalg.Vec3                         `json:"scaleVectors,omitempty"` // in place of Scales, for each axis of the world
	Rotations       []float64                             `json:"rotations,omitempty"`    // for each point of Path, added about the tangent from it to the next; default 0
	RotationFunc    func(i int, distance float64) float64 `json:"-"`                      // gives Rotations
	CloseShape      bool                                  `json:"closeShape,omitzero"`
	ClosePath       bool                                  `json:"closePath,omitzero"`
	Cap             Cap                                   `json:"cap,omitzero"` // default NoCap
	FirstNormal     *linalg.Vec3                          `json:"firstNormal,omitzero"`
	AdjustFrame     bool                                  `json:"adjustFrame,omitzero"`
	InvertUV        bool                                  `json:"invertUV,omitzero"`
	SideOrientation Side                                  `json:"sideOrientation,omitzero"`
	FrontUVs        *linalg.Vec4                          `json:"frontUVs,omitzero"`
	BackUVs         *linalg.Vec4                          `json:"backUVs,omitzero"`
}

// extrusion is what both builders come down to.
type extrusion struct {
	shape     []linalg.Vec3
	frames    *Path3D
	scale     func(i int) linalg.Vec3
	rotation  func(i int) float64
	cap       Cap
	closeEnds [2]bool // the shape's, the path's
	invertUV  bool
	side      Side
	front     *linalg.Vec4
	back      *linalg.Vec4
}

// ExtrudeShape makes the surface that a shape sweeps along a path.
func ExtrudeShape(o ExtrudeOptions) (*Geometry, error) {
	c := check{builder: "ExtrudeShape"}
	c.size("scale", o.Scale)
	c.finite("rotation", o.Rotation)
	frames := extrusionFrames(&c, o.Shape, o.Path, o.FirstNormal, o.AdjustFrame, o.Cap, o.SideOrientation)
	if c.err != nil {
		return nil, c.err
	}
	s := cmp.Or(o.Scale, 1)
	b := extrude(&c, extrusion{
		shape: o.Shape, frames: frames,
		scale:    func(int) linalg.Vec3 { return linalg.Vec3{s, s, s} },
		rotation: func(int) float64 { return o.Rotation },
		cap:      o.Cap, closeEnds: [2]bool{o.CloseShape, o.ClosePath}, invertUV: o.InvertUV,
		side: o.SideOrientation, front: o.FrontUVs, back: o.BackUVs,
	})
	if c.err != nil {
		return nil, c.err
	}
	return b.surface("extrudedShape", c.builder, o)
}

// ExtrudeShapeCustom is [ExtrudeShape] with a scale and a rotation for each
// point of the path.
func ExtrudeShapeCustom(o ExtrudeCustomOptions) (*Geometry, error) {
	c := check{builder: "ExtrudeShapeCustom"}
	frames := extrusionFrames(&c, o.Shape, o.Path, o.FirstNormal, o.AdjustFrame, o.Cap, o.SideOrientation)
	if c.err != nil {
		return nil, c.err
	}
	list := func(f func(int, float64) float64, given []float64) []float64 {
		if f == nil {
			return given
		}
		given = make([]float64, len(o.Path))
		for i := range given {
			given[i] = f(i, frames.Distances[i])
		}
		return given
	}
	o.Scales = list(o.ScaleFunc, o.Scales)
	o.Rotations = list(o.RotationFunc, o.Rotations)
	o.ScaleFunc, o.RotationFunc = nil, nil
	c.values("scales", o.Scales, len(o.Path))
	c.values("rotations", o.Rotations, len(o.Path))
	if len(o.ScaleVectors) > 0 {
		c.path("scaleVectors", o.ScaleVectors, len(o.Path))
	}
	if c.err != nil {
		return nil, c.err
	}
	b := extrude(&c, extrusion{
		shape: o.Shape, frames: frames,
		scale: func(i int) linalg.Vec3 {
			if len(o.ScaleVectors) > 0 {
				return o.ScaleVectors[i]
			}
			if len(o.Scales) > 0 {
				return linalg.Vec3{o.Scales[i], o.Scales[i], o.Scales[i]}
			}
			return linalg.Vec3{1, 1, 1}
		},
		rotation: func(i int) float64 {
			if len(o.Rotations) > 0 {
				return o.Rotations[i]
			}
			return 0
		},
		cap: o.Cap, closeEnds: [2]bool{o.CloseShape, o.ClosePath}, invertUV: o.InvertUV,
		side: o.SideOrientation, front: o.FrontUVs, back: o.BackUVs,
	})
	if c.err != nil {
		return nil, c.err
	}
	return b.surface("extrudedShape", c.builder, o)
}

// extrusionFrames checks what the two builders share and computes the path's frames.
func extrusionFrames(c *check, shape, path []linalg.Vec3, first *linalg.Vec3, adjust bool, ends Cap, side Side) *Path3D {
	c.path("shape", shape, 2)
	c.path("path", path, 2)
	if first != nil {
		c.path("firstNormal", []linalg.Vec3{*first}, 1)
	}
	c.cap(ends)
	rows, columns := float64(len(path))+5, float64(len(shape))+1
	c.budget(rows*columns, 6*rows*columns, side)
	if c.err != nil {
		return nil
	}
	frames := NewPath3D(path, Path3DOptions{FirstNormal: first})
	if adjust {
		adjustFrames(frames.Tangents)
		adjustFrames(frames.Normals)
		adjustFrames(frames.Binormals)
	}
	return frames
}

// adjustFrames gives a zero vector the value of the one before it and turns
// round each that points away from the one before it.
func adjustFrames(vs []linalg.Vec3) {
	for i := 1; i < len(vs); i++ {
		if vs[i] == (linalg.Vec3{}) {
			vs[i] = vs[i-1]
		}
		if vs[i-1].Dot(vs[i]) < 0 {
			vs[i] = vs[i].Scale(-1)
		}
	}
}

func extrude(c *check, e extrusion) *buffers {
	f := e.frames
	paths := make([][]linalg.Vec3, len(f.Points))
	angle := 0.0
	for i, at := range f.Points {
		scale := e.scale(i)
		turn := linalg.RotationAxis(f.Tangents[i], angle).Round32()
		paths[i] = make([]linalg.Vec3, len(e.shape))
		for j, s := range e.shape {
			p := f.Tangents[i].Scale(s[2]).Add(f.Normals[i].Scale(s[0])).Add(f.Binormals[i].Scale(s[1]))
			paths[i][j] = turn.TransformPoint(p).Mul(scale).Add(at)
		}
		angle += e.rotation(i)
	}
	return ribbon(c, RibbonOptions{
		PathArray:       capPaths(paths, e.cap, collapse(paths[0]), collapse(paths[len(paths)-1])),
		CloseArray:      e.closeEnds[1],
		ClosePath:       e.closeEnds[0],
		InvertUV:        e.invertUV,
		SideOrientation: e.side,
		FrontUVs:        e.front,
		BackUVs:         e.back,
	})
}

// collapse returns a path that stays at the mean of the points of another.
func collapse(path []linalg.Vec3) []linalg.Vec3 {
	var mean linalg.Vec3
	for _, p := range path {
		mean = mean.Add(p)
	}
	return slices.Repeat([]linalg.Vec3{mean.Scale(1 / float64(len(path)))}, len(path))
}
