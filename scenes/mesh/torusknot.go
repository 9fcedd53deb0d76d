package mesh

import (
	"cmp"
	"math"

	"darkroom/scenes/linalg"
)

// TorusKnotOptions are the options of [CreateTorusKnot].
type TorusKnotOptions struct {
	Radius          float64      `json:"radius,omitzero"`          // of the torus that the knot lies on; default 2
	Tube            float64      `json:"tube,omitzero"`            // radius of the tube; default 0.5
	RadialSegments  int          `json:"radialSegments,omitzero"`  // steps along the knot; default 32
	TubularSegments int          `json:"tubularSegments,omitzero"` // steps about the tube; default 32
	P               float64      `json:"p,omitzero"`               // turns about the axis; default 2
	Q               float64      `json:"q,omitzero"`               // turns about the ring; default 3
	SideOrientation Side         `json:"sideOrientation,omitzero"`
	FrontUVs        *linalg.Vec4 `json:"frontUVs,omitzero"` // u0, v0, u1, v1 of a doubled knot's front
	BackUVs         *linalg.Vec4 `json:"backUVs,omitzero"`  // and of its back
}

// CreateTorusKnot makes a tube along a (P, Q) torus knot about Z. The tube has
// no seam vertices, so its V does not reach 1.
func CreateTorusKnot(o TorusKnotOptions) (*Geometry, error) {
	c := check{builder: "CreateTorusKnot"}
	c.size("radius", o.Radius)
	c.size("tube", o.Tube)
	c.count("radialSegments", o.RadialSegments, 1)
	c.count("tubularSegments", o.TubularSegments, 1)
	c.finite("p", o.P)
	c.finite("q", o.Q)
	c.side(o.SideOrientation, o.FrontUVs, o.BackUVs)
	radius := cmp.Or(o.Radius, 2)
	tube := cmp.Or(o.Tube, 0.5)
	radial := cmp.Or(o.RadialSegments, 32)
	tubular := cmp.Or(o.TubularSegments, 32)
	p, q := cmp.Or(o.P, 2), cmp.Or(o.Q, 3)
	c.budget((float64(radial)+1)*float64(tubular), 6*float64(radial)*float64(tubular), o.SideOrientation)
	if c.err != nil {
		return nil, c.err
	}
	at := func(angle float64) linalg.Vec3 {
		su, cu := math.Sincos(angle)
		sv, cv := math.Sincos(q / p * angle)
		return linalg.Vec3{
			radius * (2 + cv) * 0.5 * cu,
			radius * (2 + cv) * su * 0.5,
			radius * sv * 0.5,
		}
	}
	circle := make([]linalg.Vec2, tubular)
	for j := range circle {
		s, cos := math.Sincos(float64(j) / float64(tubular) * 2 * math.Pi)
		circle[j] = linalg.Vec2{-tube * cos, tube * s}
	}
	b := newBuffers((radial+1)*tubular, 6*radial*tubular)
	for i := range radial + 1 {
		angle := float64(i%radial) / float64(radial) * 2 * p * math.Pi
		p1 := at(angle)
		p2 := at(angle + 0.01) // the engine's step to the tangent
		tangent := p2.Sub(p1)
		n := p2.Add(p1)
		bitangent := tangent.Cross(n)
		n = bitangent.Cross(tangent).Normalize()
		bitangent = bitangent.Normalize()
		for j, cxy := range circle {
			b.position(linalg.Vec3{
				p1[0] + cxy[0]*n[0] + cxy[1]*bitangent[0],
				p1[1] + cxy[0]*n[1] + cxy[1]*bitangent[1],
				p1[2] + cxy[0]*n[2] + cxy[1]*bitangent[2],
			})
			b.tex(float64(i)/float64(radial), float64(j)/float64(tubular))
		}
	}
	for i := range radial {
		for j := range tubular {
			next := (j + 1) % tubular
			v0, v1 := i*tubular+j, (i+1)*tubular+j
			v2, v3 := (i+1)*tubular+next, i*tubular+next
			b.triangle(v3, v1, v0)
			b.triangle(v3, v2, v1)
		}
	}
	b.computeNormals()
	b.sides(o.SideOrientation, o.FrontUVs, o.BackUVs)
	return b.surface("torusKnot", c.builder, o)
}
