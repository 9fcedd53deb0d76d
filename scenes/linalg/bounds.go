package linalg

import "math"

// AABB is an axis-aligned box. A box whose Min exceeds its Max is empty.
type AABB struct {
	Min, Max Vec3
}

// EmptyAABB returns the box that holds nothing, the start of a union.
func EmptyAABB() AABB {
	inf := math.Inf(1)
	return AABB{Vec3{inf, inf, inf}, Vec3{-inf, -inf, -inf}}
}

// Empty reports whether b holds no point.
func (b AABB) Empty() bool {
	return b.Min[0] > b.Max[0] || b.Min[1] > b.Max[1] || b.Min[2] > b.Max[2]
}

// Extend returns the smallest box that holds b and p.
func (b AABB) Extend(p Vec3) AABB { return AABB{b.Min.Min(p), b.Max.Max(p)} }

// Union returns the smallest box that holds b and c.
func (b AABB) Union(c AABB) AABB { return AABB{b.Min.Min(c.Min), b.Max.Max(c.Max)} }

// Contains reports whether p lies in b, its faces included.
func (b AABB) Contains(p Vec3) bool {
	for i := range p {
		if p[i] < b.Min[i] || p[i] > b.Max[i] {
			return false
		}
	}
	return true
}

// Center returns the middle of b.
func (b AABB) Center() Vec3 { return b.Max.Add(b.Min).Scale(0.5) }

// Size returns the length of each edge of b.
func (b AABB) Size() Vec3 { return b.Max.Sub(b.Min) }

// Diagonal returns the distance from Min to Max.
func (b AABB) Diagonal() float64 { return b.Max.Distance(b.Min) }

// Corners returns the eight corners of b; bit i of the index selects Max on axis i.
func (b AABB) Corners() [8]Vec3 {
	var out [8]Vec3
	for i := range out {
		out[i] = b.Min
		for axis := range 3 {
			if i>>axis&1 != 0 {
				out[i][axis] = b.Max[axis]
			}
		}
	}
	return out
}

// Transform returns the box of the eight transformed corners, which holds the
// transformed contents but is rarely the smallest such box. An empty box
// stays empty.
func (b AABB) Transform(m Mat4) AABB {
	if b.Empty() {
		return b
	}
	out := EmptyAABB()
	for _, c := range b.Corners() {
		out = out.Extend(m.TransformPoint(c))
	}
	return out
}

// Sphere returns the sphere about the middle of b through its corners.
func (b AABB) Sphere() Sphere { return Sphere{b.Center(), b.Diagonal() * 0.5} }

// Sphere is a ball.
type Sphere struct {
	Center Vec3
	Radius float64
}

// Transform returns a sphere that holds the transformed contents of s: the
// radius grows by the longest column of m's upper 3x3, which bounds the
// stretch of an m without shear.
func (s Sphere) Transform(m Mat4) Sphere {
	stretch := 0.0
	for c := 0; c < 12; c += 4 {
		stretch = max(stretch, Vec3{m[c], m[c+1], m[c+2]}.Length())
	}
	return Sphere{m.TransformPoint(s.Center), s.Radius * stretch}
}
