package linalg

// Plane is the set of points p with Normal·p + D = 0; points with a positive
// sum lie on the side of the normal.
type Plane struct {
	Normal Vec3
	D      float64
}

// Distance returns the signed distance of p when Normal has unit length.
func (p Plane) Distance(q Vec3) float64 { return p.Normal.Dot(q) + p.D }

// Normalize returns p with a normal of unit length. A plane without a normal
// becomes the zero plane, whose distance to every point is 0.
func (p Plane) Normalize() Plane {
	l := p.Normal.Length()
	if l == 0 {
		return Plane{}
	}
	return Plane{p.Normal.Scale(1 / l), p.D * (1 / l)}
}

// Frustum is the six planes of a view volume, normals inwards: clip z = 0,
// z = w, left, right, top, bottom. The first is the near plane and the second
// the far one, or the other way round under reverse Z.
type Frustum [6]Plane

// FrustumFromViewProj returns the planes of viewProj = projection*view, whose
// clip Z is in 0…1, by Gribb and Hartmann's sums of its rows ("Fast Extraction
// of Viewing Frustum Planes", 2001). An infinitely far plane is the zero plane
// and rejects nothing.
func FrustumFromViewProj(viewProj Mat4) Frustum {
	row := func(r int) Vec4 { return Vec4{viewProj[r], viewProj[4+r], viewProj[8+r], viewProj[12+r]} }
	x, y, z, w := row(0), row(1), row(2), row(3)
	var f Frustum
	for i, v := range [6]Vec4{z, w.Sub(z), w.Add(x), w.Sub(x), w.Sub(y), w.Add(y)} {
		f[i] = Plane{v.Vec3(), v[3]}.Normalize()
	}
	return f
}

// ContainsPoint reports whether p lies in f or on its surface.
func (f Frustum) ContainsPoint(p Vec3) bool {
	for _, plane := range f {
		if plane.Distance(p) < 0 {
			return false
		}
	}
	return true
}

// IntersectsAABB reports whether b may be visible: false only when b lies
// wholly outside one plane, so a box past a corner of f can be kept. An empty
// box is never visible.
func (f Frustum) IntersectsAABB(b AABB) bool {
	if b.Empty() {
		return false
	}
	for _, plane := range f {
		far := b.Min // the corner furthest along the normal
		for i, n := range plane.Normal {
			if n > 0 {
				far[i] = b.Max[i]
			}
		}
		if plane.Distance(far) < 0 {
			return false
		}
	}
	return true
}

// IntersectsSphere reports whether s may be visible: false only when s lies
// wholly outside one plane.
func (f Frustum) IntersectsSphere(s Sphere) bool {
	for _, plane := range f {
		if plane.Distance(s.Center) < -s.Radius {
			return false
		}
	}
	return true
}
