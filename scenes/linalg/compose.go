package linalg

import "math"

// FromQuat returns the rotation matrix of the unit quaternion q.
func FromQuat(q Quat) Mat4 {
	x, y, z, w := q[0], q[1], q[2], q[3]
	xx, yy, zz := x*x, y*y, z*z
	xy, zw, zx := x*y, z*w, z*x
	yw, yz, xw := y*w, y*z, x*w
	return Mat4{
		1 - 2*(yy+zz), 2 * (xy + zw), 2 * (zx - yw), 0,
		2 * (xy - zw), 1 - 2*(zz+xx), 2 * (yz + xw), 0,
		2 * (zx + yw), 2 * (yz - xw), 1 - 2*(yy+xx), 0,
		0, 0, 0, 1,
	}
}

// Compose returns the matrix that scales, then rotates, then moves. It is
// Translation(t).Mul(FromQuat(q)).Mul(Scaling(s)) in one step, with the sums
// in the order of Babylon.js's Matrix.Compose.
func Compose(s Vec3, q Quat, t Vec3) Mat4 {
	x, y, z, w := q[0], q[1], q[2], q[3]
	x2, y2, z2 := x+x, y+y, z+z
	xx, xy, xz := x*x2, x*y2, x*z2
	yy, yz, zz := y*y2, y*z2, z*z2
	wx, wy, wz := w*x2, w*y2, w*z2
	return Mat4{
		(1 - (yy + zz)) * s[0], (xy + wz) * s[0], (xz - wy) * s[0], 0,
		(xy - wz) * s[1], (1 - (xx + zz)) * s[1], (yz + wx) * s[1], 0,
		(xz + wy) * s[2], (yz - wx) * s[2], (1 - (xx + yy)) * s[2], 0,
		t[0], t[1], t[2], 1,
	}
}

// Decompose splits an affine m without shear into scale, rotation and
// translation, so that [Compose] gives m back. A mirrored m (determinant ≤ 0)
// has a negative Y scale, as in Babylon.js: which axis was mirrored cannot be
// told from the matrix. When a column is zero, ok is false and the rotation is
// the identity.
//
// A Babylon.js matrix is single precision and so is the rotation matrix that
// its decompose goes through; for its numbers use [Mat4.Decompose32].
func (m Mat4) Decompose() (scale Vec3, rotation Quat, translation Vec3, ok bool) {
	return m.decompose(false)
}

// Decompose32 is [Mat4.Decompose] with the rotation matrix in between rounded
// to float32, as Babylon.js has it outside its high-precision mode.
func (m Mat4) Decompose32() (scale Vec3, rotation Quat, translation Vec3, ok bool) {
	return m.decompose(true)
}

func (m Mat4) decompose(round bool) (scale Vec3, rotation Quat, translation Vec3, ok bool) {
	translation = Vec3{m[12], m[13], m[14]}
	scale = Vec3{
		math.Sqrt(m[0]*m[0] + m[1]*m[1] + m[2]*m[2]),
		math.Sqrt(m[4]*m[4] + m[5]*m[5] + m[6]*m[6]),
		math.Sqrt(m[8]*m[8] + m[9]*m[9] + m[10]*m[10]),
	}
	if m.Determinant() <= 0 {
		scale[1] = -scale[1]
	}
	if scale[0] == 0 || scale[1] == 0 || scale[2] == 0 {
		return scale, QuatIdentity(), translation, false
	}
	sx, sy, sz := 1/scale[0], 1/scale[1], 1/scale[2]
	r := Mat4{
		m[0] * sx, m[1] * sx, m[2] * sx, 0,
		m[4] * sy, m[5] * sy, m[6] * sy, 0,
		m[8] * sz, m[9] * sz, m[10] * sz, 0,
		0, 0, 0, 1,
	}
	if round {
		r = r.Round32()
	}
	return scale, QuatFromMat4(r), translation, true
}
