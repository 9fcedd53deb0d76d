package linalg

// HermiteWeights returns the weights of value 0, tangent 0, value 1 and
// tangent 1 at t in 0…1 of a cubic Hermite spline. Tangents are per unit of t:
// multiply glTF's per-second tangents by the length of the key's interval
// (glTF 2.0, appendix C, "Cubic Spline Interpolation").
func HermiteWeights(t float64) (v0, t0, v1, t1 float64) {
	t2 := t * t
	t3 := t * t2
	return 2*t3 - 3*t2 + 1, t3 - 2*t2 + t, -2*t3 + 3*t2, t3 - t2
}

// Hermite interpolates numbers from v0 to v1 with tangents t0 and t1.
func Hermite(v0, t0, v1, t1, t float64) float64 {
	a, b, c, d := HermiteWeights(t)
	return v0*a + v1*c + t0*b + t1*d
}

// HermiteVec3 interpolates vectors from v0 to v1 with tangents t0 and t1.
func HermiteVec3(v0, t0, v1, t1 Vec3, t float64) Vec3 {
	a, b, c, d := HermiteWeights(t)
	var out Vec3
	for i := range out {
		out[i] = v0[i]*a + v1[i]*c + t0[i]*b + t1[i]*d
	}
	return out
}

// HermiteQuat interpolates quaternions component by component and does not
// normalise: glTF asks for it, Babylon.js does it when the value is used.
func HermiteQuat(v0, t0, v1, t1 Quat, t float64) Quat {
	a, b, c, d := HermiteWeights(t)
	var out Quat
	for i := range out {
		out[i] = v0[i]*a + v1[i]*c + t0[i]*b + t1[i]*d
	}
	return out
}

// CatmullRom interpolates from b to c with the neighbours a and d, at t in 0…1.
func CatmullRom(a, b, c, d Vec3, t float64) Vec3 {
	t2 := t * t
	t3 := t * t2
	var out Vec3
	for i := range out {
		out[i] = 0.5 * (2*b[i] +
			(-a[i]+c[i])*t +
			(2*a[i]-5*b[i]+4*c[i]-d[i])*t2 +
			(-a[i]+3*b[i]-3*c[i]+d[i])*t3)
	}
	return out
}
