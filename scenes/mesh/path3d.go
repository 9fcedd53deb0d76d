package mesh

import (
	"math"

	"darkroom/scenes/linalg"
)

// Path3D is a polyline with a frame at each point, carried from one to the
// next with little twist: the frames of tubes and extrusions.
type Path3D struct {
	Points    []linalg.Vec3
	Tangents  []linalg.Vec3 // of unit length unless the path is raw, along the path
	Normals   []linalg.Vec3 // at right angles to the tangent
	Binormals []linalg.Vec3 // tangent × normal
	Distances []float64     // along the path from the first point
}

// Path3DOptions are the options of [NewPath3D].
type Path3DOptions struct {
	FirstNormal           *linalg.Vec3 // direction of the first normal, as far as the tangent allows; default one of its own choice
	Raw                   bool         // leave most frame vectors at the length they come out with
	AlignTangentsWithPath bool         // tangents along the next segment instead of between the two
}

// axisEpsilon is how near to an axis a tangent counts as parallel; Babylon.js's Epsilon.
const axisEpsilon = 0.001

// NewPath3D computes the frames of a path as Babylon.js's Path3D does: the
// first normal is a choice, each later one the previous binormal × the
// tangent. Fewer than two points have no frames.
func NewPath3D(points []linalg.Vec3, o Path3DOptions) *Path3D {
	n := len(points)
	p := &Path3D{Points: points}
	if n < 2 {
		return p
	}
	unit := linalg.Vec3.Normalize
	if o.Raw {
		unit = func(v linalg.Vec3) linalg.Vec3 { return v }
	}
	p.Tangents = make([]linalg.Vec3, n)
	p.Normals = make([]linalg.Vec3, n)
	p.Binormals = make([]linalg.Vec3, n)
	p.Distances = make([]float64, n)

	p.Tangents[0] = unit(p.ahead(0))
	p.Tangents[n-1] = unit(points[n-1].Sub(points[n-2]))
	p.Normals[0] = unit(firstNormal(p.Tangents[0], o.FirstNormal))
	p.Binormals[0] = unit(p.Tangents[0].Cross(p.Normals[0]))
	for i := 1; i < n; i++ {
		if i < n-1 {
			t := p.ahead(i)
			if !o.AlignTangentsWithPath {
				t = p.behind(i).Add(t)
			}
			p.Tangents[i] = t.Normalize()
		}
		p.Distances[i] = p.Distances[i-1] + points[i].Distance(points[i-1])
		normal := p.Binormals[i-1].Cross(p.Tangents[i])
		if !o.Raw && normal.Length() == 0 {
			normal = p.Normals[i-1]
		} else {
			normal = unit(normal)
		}
		p.Normals[i] = normal
		p.Binormals[i] = unit(p.Tangents[i].Cross(normal))
	}
	return p
}

// ahead returns the vector from point i to the next one that differs from it.
func (p *Path3D) ahead(i int) linalg.Vec3 {
	v := p.Points[i+1].Sub(p.Points[i])
	for j := i + 2; v.Length() == 0 && j < len(p.Points); j++ {
		v = p.Points[j].Sub(p.Points[i])
	}
	return v
}

// behind returns the vector to point i from the last one that differs from it.
func (p *Path3D) behind(i int) linalg.Vec3 {
	v := p.Points[i].Sub(p.Points[i-1])
	for j := i - 2; v.Length() == 0 && j >= 0; j-- {
		v = p.Points[i].Sub(p.Points[j])
	}
	return v
}

// firstNormal returns a unit vector at right angles to the tangent: the part of
// wish that is so, or without a wish one made from an axis that is not parallel.
func firstNormal(tangent linalg.Vec3, wish *linalg.Vec3) linalg.Vec3 {
	if wish != nil {
		return tangent.Cross(*wish).Cross(tangent).Normalize()
	}
	l := tangent.Length()
	if l == 0 {
		l = 1
	}
	along := func(axis int) bool { return math.Abs(math.Abs(tangent[axis])/l-1) <= axisEpsilon }
	var other linalg.Vec3
	switch {
	case !along(1):
		other = linalg.Vec3{0, -1, 0}
	case !along(0):
		other = linalg.Vec3{1, 0, 0}
	case !along(2):
		other = linalg.Vec3{0, 0, 1}
	}
	return tangent.Cross(other).Normalize()
}
