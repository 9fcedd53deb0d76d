package mesh

import (
	"cmp"

	"darkroom/scenes/linalg"
)

// PlaneOptions are the options of [CreatePlane].
type PlaneOptions struct {
	Size            float64      `json:"size,omitzero"`   // default 1
	Width           float64      `json:"width,omitzero"`  // along X; default Size
	Height          float64      `json:"height,omitzero"` // along Y; default Size
	SideOrientation Side         `json:"sideOrientation,omitzero"`
	FrontUVs        *linalg.Vec4 `json:"frontUVs,omitzero"` // u0, v0, u1, v1 of a doubled plane's front
	BackUVs         *linalg.Vec4 `json:"backUVs,omitzero"`  // and of its back
}

// CreatePlane makes a rectangle in the XY plane that faces -Z, towards a
// camera that looks along +Z.
func CreatePlane(o PlaneOptions) (*Geometry, error) {
	c := check{builder: "CreatePlane"}
	c.size("size", o.Size)
	c.size("width", o.Width)
	c.size("height", o.Height)
	c.side(o.SideOrientation, o.FrontUVs, o.BackUVs)
	if c.err != nil {
		return nil, c.err
	}
	w := cmp.Or(o.Width, o.Size, 1) / 2
	h := cmp.Or(o.Height, o.Size, 1) / 2
	b := newBuffers(4, 6)
	ahead := linalg.Vec3{0, 0, -1}
	b.vertex(linalg.Vec3{-w, -h, 0}, ahead, 0, 0)
	b.vertex(linalg.Vec3{w, -h, 0}, ahead, 1, 0)
	b.vertex(linalg.Vec3{w, h, 0}, ahead, 1, 1)
	b.vertex(linalg.Vec3{-w, h, 0}, ahead, 0, 1)
	b.triangle(0, 1, 2)
	b.triangle(0, 2, 3)
	b.sides(o.SideOrientation, o.FrontUVs, o.BackUVs)
	return b.surface("plane", c.builder, o)
}
