package mesh

import (
	"cmp"
	"math"
	"slices"

	"darkroom/scenes/linalg"
)

// CapsuleOptions are the options of [CreateCapsule].
type CapsuleOptions struct {
	Orientation           *linalg.Vec3 `json:"orientation,omitzero"`           // where the capsule's top points; default +Y
	Height                float64      `json:"height,omitzero"`                // with the caps; default 1
	Radius                float64      `json:"radius,omitzero"`                // default 0.25
	RadiusTop             float64      `json:"radiusTop,omitzero"`             // default Radius
	RadiusBottom          float64      `json:"radiusBottom,omitzero"`          // default Radius
	Tessellation          int          `json:"tessellation,omitzero"`          // sides; default 16
	Subdivisions          int          `json:"subdivisions,omitzero"`          // rings between the caps; default 2
	CapSubdivisions       int          `json:"capSubdivisions,omitzero"`       // rings of each cap; default 6
	TopCapSubdivisions    int          `json:"topCapSubdivisions,omitzero"`    // default CapSubdivisions
	BottomCapSubdivisions int          `json:"bottomCapSubdivisions,omitzero"` // default CapSubdivisions
}

// CreateCapsule makes a cylinder or cone between two sphere caps about Y. Like
// the engine's, an orientation turns the positions but leaves the normals, and
// is exact only along the axes; turn the node instead.
func CreateCapsule(o CapsuleOptions) (*Geometry, error) {
	c := check{builder: "CreateCapsule"}
	c.size("height", o.Height)
	c.size("radius", o.Radius)
	c.size("radiusTop", o.RadiusTop)
	c.size("radiusBottom", o.RadiusBottom)
	c.count("tessellation", o.Tessellation, 3)
	c.count("subdivisions", o.Subdivisions, 1)
	c.count("capSubdivisions", o.CapSubdivisions, 1)
	c.count("topCapSubdivisions", o.TopCapSubdivisions, 1)
	c.count("bottomCapSubdivisions", o.BottomCapSubdivisions, 1)
	if o.Orientation != nil {
		c.path("orientation", []linalg.Vec3{*o.Orientation}, 1)
	}
	height := cmp.Or(o.Height, 1)
	radius := cmp.Or(o.Radius, 0.25)
	top, bottom := cmp.Or(o.RadiusTop, radius), cmp.Or(o.RadiusBottom, radius)
	sides := cmp.Or(o.Tessellation, 16)
	rings := cmp.Or(o.Subdivisions, 2)
	capRings := cmp.Or(o.CapSubdivisions, 6)
	topRings, bottomRings := cmp.Or(o.TopCapSubdivisions, capRings), cmp.Or(o.BottomCapSubdivisions, capRings)
	if d := math.Abs(bottom - top); d >= height {
		c.failf("the radii differ by %g, want less than the height %g", d, height)
	}
	rows := float64(topRings) + float64(rings) + float64(bottomRings)
	c.budget((rows+1)*(float64(sides)+1), 6*rows*float64(sides), FrontSide)
	if c.err != nil {
		return nil, c.err
	}

	half := (height - (top + bottom)) * 0.5
	alpha := math.Acos((bottom - top) / height) // of the seams between caps and cone, from the axis
	sinA, cosA := math.Sincos(alpha)
	cone := linalg.Vec2{top * sinA, half + top*cosA}.
		Sub(linalg.Vec2{bottom * sinA, -half + bottom*cosA}).
		Length()
	length := top*alpha + cone + bottom*(math.Pi*0.5-alpha) // along the profile, for V

	stride := sides + 1
	circle := make([]linalg.Vec2, stride) // sine, cosine
	for x := range circle {
		s, cos := math.Sincos(float64(x) / float64(sides) * (2 * math.Pi))
		circle[x] = linalg.Vec2{s, cos}
	}
	b := newBuffers(int(rows+1)*stride, 6*int(rows)*sides)
	v := 0.0
	ring := func(radius, y float64, normal func(sc linalg.Vec2) linalg.Vec3) {
		for x, sc := range circle {
			b.vertex(linalg.Vec3{radius * sc[0], y, radius * sc[1]}, normal(sc), float64(x)/float64(sides), 1-v/length)
		}
	}
	ball := func(angle, radius, center float64) {
		s, cos := math.Sincos(angle)
		ring(cos*radius, center+s*radius, func(sc linalg.Vec2) linalg.Vec3 {
			return linalg.Vec3{cos * sc[0], s, cos * sc[1]}
		})
	}
	for y := range topRings + 1 {
		v += top * alpha / float64(topRings)
		ball(math.Pi*0.5-alpha*(float64(y)/float64(topRings)), top, half)
	}
	coneHeight := height - top - bottom + cosA*top - cosA*bottom
	slope := sinA * (bottom - top) / coneHeight
	for y := 1; y <= rings; y++ {
		v += cone / float64(rings)
		r := sinA * (float64(y)*(bottom-top)/float64(rings) + top)
		ring(r, half+cosA*top-float64(y)*coneHeight/float64(rings), func(sc linalg.Vec2) linalg.Vec3 {
			return linalg.Vec3{sc[0], slope, sc[1]}.Normalize()
		})
	}
	for y := 1; y <= bottomRings; y++ {
		v += bottom * alpha / float64(bottomRings)
		ball(math.Pi*0.5-alpha-(math.Pi-alpha)*(float64(y)/float64(bottomRings)), bottom, -half)
	}

	for x := range sides {
		for y := range int(rows) {
			i := y*stride + x
			b.triangle(i, i+stride, i+1)
			b.triangle(i+stride, i+stride+1, i+1)
		}
	}
	slices.Reverse(b.idx)
	if o.Orientation != nil && *o.Orientation != (linalg.Vec3{0, 1, 0}) {
		e := o.Orientation.Scale(math.Pi * 0.5).Cross(linalg.Vec3{0, 1, 0})
		m := linalg.FromEuler(e).Round32()
		for i := range b.count() {
			p := m.TransformPoint(vec3At(b.pos, uint32(i)))
			copy(b.pos[3*i:], p[:])
		}
	}
	return b.surface("capsule", c.builder, o)
}
