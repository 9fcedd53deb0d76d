package mesh

import (
	"cmp"

	"darkroom/scenes/linalg"
)

// BoxOptions are the options of [CreateBox].
type BoxOptions struct {
	Size            float64       `json:"size,omitzero"`         // default 1
	Width           float64       `json:"width,omitzero"`        // along X; default Size
	Height          float64       `json:"height,omitzero"`       // along Y; default Size
	Depth           float64       `json:"depth,omitzero"`        // along Z; default Size
	FaceUV          []linalg.Vec4 `json:"faceUV,omitempty"`      // u0, v0, u1, v1 of +Z, -Z, +X, -X, +Y, -Y; default all of the texture
	FaceColors      []linalg.Vec4 `json:"faceColors,omitempty"`  // r, g, b, a in the same order, white where missing; empty: no colours
	Wrap            bool          `json:"wrap,omitzero"`         // the texture stands upright on all four walls
	TopBaseAt       *int          `json:"topBaseAt,omitzero"`    // which wall the top's lower edge joins when wrapped, by quarter turns; default 1
	BottomBaseAt    int           `json:"bottomBaseAt,omitzero"` // the same for the bottom
	SideOrientation Side          `json:"sideOrientation,omitzero"`
	FrontUVs        *linalg.Vec4  `json:"frontUVs,omitzero"` // u0, v0, u1, v1 of a doubled box's front
	BackUVs         *linalg.Vec4  `json:"backUVs,omitzero"`  // and of its back
}

// boxNormals are the outward normals of the faces in order.
var boxNormals = [6]linalg.Vec3{{0, 0, 1}, {0, 0, -1}, {1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}}

// boxCorners are the corners of each face of a box of size 2.
var boxCorners = [24]linalg.Vec3{
	{1, -1, 1}, {-1, -1, 1}, {-1, 1, 1}, {1, 1, 1},
	{1, 1, -1}, {-1, 1, -1}, {-1, -1, -1}, {1, -1, -1},
	{1, 1, -1}, {1, -1, -1}, {1, -1, 1}, {1, 1, 1},
	{-1, 1, 1}, {-1, -1, 1}, {-1, -1, -1}, {-1, 1, -1},
	{-1, 1, 1}, {-1, 1, -1}, {1, 1, -1}, {1, 1, 1},
	{1, -1, 1}, {1, -1, -1}, {-1, -1, -1}, {-1, -1, 1},
}

// wrappedWalls are the corners of the four walls of a wrapped box, and
// wrappedTop and wrappedBottom those of the other faces before their quarter turns.
var (
	wrappedWalls = [16]linalg.Vec3{
		{-1, 1, 1}, {1, 1, 1}, {1, -1, 1}, {-1, -1, 1},
		{1, 1, -1}, {-1, 1, -1}, {-1, -1, -1}, {1, -1, -1},
		{1, 1, 1}, {1, 1, -1}, {1, -1, -1}, {1, -1, 1},
		{-1, 1, -1}, {-1, 1, 1}, {-1, -1, 1}, {-1, -1, -1},
	}
	wrappedTop         = [4]linalg.Vec3{{1, 1, 1}, {-1, 1, 1}, {-1, 1, -1}, {1, 1, -1}}
	wrappedBottom      = [4]linalg.Vec3{{-1, -1, 1}, {1, -1, 1}, {1, -1, -1}, {-1, -1, -1}}
	wrappedWallIndices = [24]uint32{
		2, 3, 0, 2, 0, 1, 4, 5, 6, 4, 6, 7,
		9, 10, 11, 9, 11, 8, 12, 14, 15, 12, 13, 14,
	}
)

// CreateBox makes a box about the origin, each face with vertices of its own.
func CreateBox(o BoxOptions) (*Geometry, error) {
	c := check{builder: "CreateBox"}
	c.size("size", o.Size)
	c.size("width", o.Width)
	c.size("height", o.Height)
	c.size("depth", o.Depth)
	c.vec4s("faceUV", o.FaceUV, 6)
	c.vec4s("faceColors", o.FaceColors, 6)
	c.side(o.SideOrientation, o.FrontUVs, o.BackUVs)
	if c.err != nil {
		return nil, c.err
	}
	half := linalg.Vec3{
		cmp.Or(o.Width, o.Size, 1) / 2,
		cmp.Or(o.Height, o.Size, 1) / 2,
		cmp.Or(o.Depth, o.Size, 1) / 2,
	}
	corners := boxCorners
	b := newBuffers(24, 36)
	if o.Wrap {
		top := 1
		if o.TopBaseAt != nil {
			top = *o.TopBaseAt
		}
		b.idx = wrapBox(&corners, top, o.BottomBaseAt)
	} else {
		for i := 0; i < 24; i += 4 {
			b.triangle(i, i+1, i+2)
			b.triangle(i, i+2, i+3)
		}
	}
	for face, normal := range boxNormals {
		uv := faceUV(o.FaceUV, face)
		us := [4]float64{uv[2], uv[0], uv[0], uv[2]}
		vs := [4]float64{uv[3], uv[3], uv[1], uv[1]}
		for i := range 4 {
			b.vertex(corners[4*face+i].Mul(half), normal, us[i], vs[i])
			if len(o.FaceColors) > 0 {
				b.color(faceColor(o.FaceColors, face))
			}
		}
	}
	b.sides(o.SideOrientation, o.FrontUVs, o.BackUVs)
	return b.surface("box", c.builder, o)
}

// wrapBox puts the corners of a wrapped box into corners and returns its
// indices. The quarter turns of the top and bottom move corners and indices
// together, so that only the texture turns.
func wrapBox(corners *[24]linalg.Vec3, topBase, bottomBase int) []uint32 {
	mod4 := func(i int) int { return (i%4 + 4) % 4 }
	topTurn := [4]int{2, 0, 3, 1}[mod4(topBase)]
	bottomTurn := [4]int{2, 0, 1, 3}[mod4(bottomBase)]
	copy(corners[:], wrappedWalls[:])
	idx := append(make([]uint32, 0, 36), wrappedWallIndices[:]...)
	cap := func(at int, from [4]linalg.Vec3, order [4]uint32, turn int) {
		var turned [4]uint32
		for i := range 4 {
			corners[at+(i+turn)%4] = from[i]
			turned[(i+turn)%4] = order[i]
		}
		idx = append(idx, turned[0], turned[2], turned[3], turned[0], turned[1], turned[2])
	}
	cap(16, wrappedTop, [4]uint32{17, 18, 19, 16}, topTurn)
	cap(20, wrappedBottom, [4]uint32{22, 23, 20, 21}, bottomTurn)
	return idx
}
