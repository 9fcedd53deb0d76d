package linalg

import "math"

// Mat4 is a 4x4 matrix, column-major: row r, column c is element c*4+r.
type Mat4 [16]float64

// Identity returns the unit matrix.
func Identity() Mat4 {
	return Mat4{0: 1, 5: 1, 10: 1, 15: 1}
}

// Translation returns the matrix that moves a point by t.
func Translation(t Vec3) Mat4 {
	return Mat4{0: 1, 5: 1, 10: 1, 12: t[0], 13: t[1], 14: t[2], 15: 1}
}

// Scaling returns the matrix that scales each axis.
func Scaling(s Vec3) Mat4 {
	return Mat4{0: s[0], 5: s[1], 10: s[2], 15: 1}
}

// RotationX returns the rotation by angle about the X axis, Y towards Z.
func RotationX(angle float64) Mat4 {
	s, c := math.Sincos(angle)
	return Mat4{0: 1, 5: c, 6: s, 9: -s, 10: c, 15: 1}
}

// RotationY returns the rotation by angle about the Y axis, Z towards X.
func RotationY(angle float64) Mat4 {
	s, c := math.Sincos(angle)
	return Mat4{0: c, 2: -s, 5: 1, 8: s, 10: c, 15: 1}
}

// RotationZ returns the rotation by angle about the Z axis, X towards Y.
func RotationZ(angle float64) Mat4 {
	s, c := math.Sincos(angle)
	return Mat4{0: c, 1: s, 4: -s, 5: c, 10: 1, 15: 1}
}

// RotationAxis returns the rotation by angle about axis (Rodrigues' formula),
// in the sense of [QuatFromAxisAngle]; axis is normalised first.
func RotationAxis(axis Vec3, angle float64) Mat4 {
	s, c := math.Sincos(-angle)
	c1 := 1 - c
	a := axis.Normalize()
	x, y, z := a[0], a[1], a[2]
	return Mat4{
		x*x*c1 + c, x*y*c1 - z*s, x*z*c1 + y*s, 0,
		y*x*c1 + z*s, y*y*c1 + c, y*z*c1 - x*s, 0,
		z*x*c1 - y*s, z*y*c1 + x*s, z*z*c1 + c, 0,
		0, 0, 0, 1,
	}
}

// FromEuler returns the rotation of an Euler triple (pitch, yaw, roll); see
// [QuatFromEuler] for the order. Like Babylon.js's RotationYawPitchRoll it
// goes by way of the quaternion.
func FromEuler(e Vec3) Mat4 { return FromQuat(QuatFromEuler(e)) }

// FromAxes returns the matrix whose first three columns are x, y and z.
func FromAxes(x, y, z Vec3) Mat4 {
	return Mat4{
		x[0], x[1], x[2], 0,
		y[0], y[1], y[2], 0,
		z[0], z[1], z[2], 0,
		0, 0, 0, 1,
	}
}

// Mul returns the product m*n: n applies first, then m.
func (m Mat4) Mul(n Mat4) Mat4 {
	var out Mat4
	for c := 0; c < 16; c += 4 {
		a, b, d, e := n[c], n[c+1], n[c+2], n[c+3]
		out[c] = a*m[0] + b*m[4] + d*m[8] + e*m[12]
		out[c+1] = a*m[1] + b*m[5] + d*m[9] + e*m[13]
		out[c+2] = a*m[2] + b*m[6] + d*m[10] + e*m[14]
		out[c+3] = a*m[3] + b*m[7] + d*m[11] + e*m[15]
	}
	return out
}

// Round32 returns m with every element rounded to float32, which is what
// Babylon.js keeps after each matrix operation.
func (m Mat4) Round32() Mat4 {
	for i, v := range m {
		m[i] = float64(float32(v))
	}
	return m
}

// Float32 returns m as it goes to the GPU.
func (m Mat4) Float32() [16]float32 {
	var out [16]float32
	for i, v := range m {
		out[i] = float32(v)
	}
	return out
}

// Transpose returns m with rows and columns swapped.
func (m Mat4) Transpose() Mat4 {
	return Mat4{
		m[0], m[4], m[8], m[12],
		m[1], m[5], m[9], m[13],
		m[2], m[6], m[10], m[14],
		m[3], m[7], m[11], m[15],
	}
}

// minors returns the 2x2 minors of the last two columns and the cofactors of
// the first column that both [Mat4.Determinant] and [Mat4.Inverse] start from.
func (m *Mat4) minors() (d [6]float64, cof [4]float64) {
	d = [6]float64{
		m[10]*m[15] - m[14]*m[11],
		m[9]*m[15] - m[13]*m[11],
		m[9]*m[14] - m[13]*m[10],
		m[8]*m[15] - m[12]*m[11],
		m[8]*m[14] - m[10]*m[12],
		m[8]*m[13] - m[12]*m[9],
	}
	cof = [4]float64{
		m[5]*d[0] - m[6]*d[1] + m[7]*d[2],
		-(m[4]*d[0] - m[6]*d[3] + m[7]*d[4]),
		m[4]*d[1] - m[5]*d[3] + m[7]*d[5],
		-(m[4]*d[2] - m[5]*d[4] + m[6]*d[5]),
	}
	return d, cof
}

// Determinant returns the determinant by Laplace expansion along the first column.
func (m Mat4) Determinant() float64 {
	_, cof := m.minors()
	return m[0]*cof[0] + m[1]*cof[1] + m[2]*cof[2] + m[3]*cof[3]
}

// Inverse returns the inverse of m (adjugate over determinant). When the
// determinant is exactly zero it returns m unchanged and false.
func (m Mat4) Inverse() (Mat4, bool) {
	d, cof := m.minors()
	det := m[0]*cof[0] + m[1]*cof[1] + m[2]*cof[2] + m[3]*cof[3]
	if det == 0 {
		return m, false
	}
	inv := 1 / det
	d1233 := m[6]*m[15] - m[14]*m[7]
	d1133 := m[5]*m[15] - m[13]*m[7]
	d1132 := m[5]*m[14] - m[13]*m[6]
	d1033 := m[4]*m[15] - m[12]*m[7]
	d1032 := m[4]*m[14] - m[12]*m[6]
	d1031 := m[4]*m[13] - m[12]*m[5]
	d1223 := m[6]*m[11] - m[10]*m[7]
	d1123 := m[5]*m[11] - m[9]*m[7]
	d1122 := m[5]*m[10] - m[9]*m[6]
	d1023 := m[4]*m[11] - m[8]*m[7]
	d1022 := m[4]*m[10] - m[8]*m[6]
	d1021 := m[4]*m[9] - m[8]*m[5]
	return Mat4{
		cof[0] * inv,
		-(m[1]*d[0] - m[2]*d[1] + m[3]*d[2]) * inv,
		(m[1]*d1233 - m[2]*d1133 + m[3]*d1132) * inv,
		-(m[1]*d1223 - m[2]*d1123 + m[3]*d1122) * inv,
		cof[1] * inv,
		(m[0]*d[0] - m[2]*d[3] + m[3]*d[4]) * inv,
		-(m[0]*d1233 - m[2]*d1033 + m[3]*d1032) * inv,
		(m[0]*d1223 - m[2]*d1023 + m[3]*d1022) * inv,
		cof[2] * inv,
		-(m[0]*d[1] - m[1]*d[3] + m[3]*d[5]) * inv,
		(m[0]*d1133 - m[1]*d1033 + m[3]*d1031) * inv,
		-(m[0]*d1123 - m[1]*d1023 + m[3]*d1021) * inv,
		cof[3] * inv,
		(m[0]*d[2] - m[1]*d[4] + m[2]*d[5]) * inv,
		-(m[0]*d1132 - m[1]*d1032 + m[2]*d1031) * inv,
		(m[0]*d1122 - m[1]*d1022 + m[2]*d1021) * inv,
	}, true
}

// TransformPoint returns m*(p, 1) divided by its w.
func (m Mat4) TransformPoint(p Vec3) Vec3 {
	v := m.TransformVec4(p.Vec4(1))
	rw := 1 / v[3]
	return Vec3{v[0] * rw, v[1] * rw, v[2] * rw}
}

// TransformNormal returns m*(v, 0): the upper 3x3 times v. It suits directions;
// the normals of a surface under uneven scale need [Mat4.NormalMatrix].
func (m Mat4) TransformNormal(v Vec3) Vec3 {
	return Vec3{
		v[0]*m[0] + v[1]*m[4] + v[2]*m[8],
		v[0]*m[1] + v[1]*m[5] + v[2]*m[9],
		v[0]*m[2] + v[1]*m[6] + v[2]*m[10],
	}
}

// TransformVec4 returns m*v, for clip-space coordinates.
func (m Mat4) TransformVec4(v Vec4) Vec4 {
	return Vec4{
		v[0]*m[0] + v[1]*m[4] + v[2]*m[8] + v[3]*m[12],
		v[0]*m[1] + v[1]*m[5] + v[2]*m[9] + v[3]*m[13],
		v[0]*m[2] + v[1]*m[6] + v[2]*m[10] + v[3]*m[14],
		v[0]*m[3] + v[1]*m[7] + v[2]*m[11] + v[3]*m[15],
	}
}

// NormalMatrix returns the inverse transpose of m with the fourth row and
// column of the unit matrix, which carries surface normals under any scale. A
// singular m gives the upper 3x3 of m itself.
func (m Mat4) NormalMatrix() Mat4 {
	if inv, ok := m.Inverse(); ok {
		m = inv.Transpose()
	}
	return Mat4{
		m[0], m[1], m[2], 0,
		m[4], m[5], m[6], 0,
		m[8], m[9], m[10], 0,
		0, 0, 0, 1,
	}
}
