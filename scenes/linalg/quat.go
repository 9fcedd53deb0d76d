package linalg

import "math"

// Quat is a quaternion (x, y, z, w); unit length where it stands for a
// rotation. Its zero value is no rotation: start from [QuatIdentity].
type Quat [4]float64

// QuatIdentity returns the rotation that turns nothing.
func QuatIdentity() Quat { return Quat{0, 0, 0, 1} }

// QuatFromAxisAngle returns the rotation by angle radians about axis, which
// need not be of unit length but must not be zero (the result would be NaN).
func QuatFromAxisAngle(axis Vec3, angle float64) Quat {
	s := math.Sin(angle/2) / axis.Length()
	return Quat{axis[0] * s, axis[1] * s, axis[2] * s, math.Cos(angle / 2)}
}

// QuatFromEuler returns the rotation of Babylon.js's Euler triple: roll e[2]
// about Z first, then pitch e[0] about X, then yaw e[1] about Y
// (RotationYawPitchRoll(e.y, e.x, e.z)).
func QuatFromEuler(e Vec3) Quat {
	sz, cz := math.Sincos(e[2] * 0.5)
	sx, cx := math.Sincos(e[0] * 0.5)
	sy, cy := math.Sincos(e[1] * 0.5)
	return Quat{
		cy*sx*cz + sy*cx*sz,
		sy*cx*cz - cy*sx*sz,
		cy*cx*sz - sy*sx*cz,
		cy*cx*cz + sy*sx*sz,
	}
}

// gimbalLimit is the sine of half the pitch from which yaw and roll cannot be
// told apart; Babylon.js's constant in Quaternion.toEulerAngles.
const gimbalLimit = 0.4999999

// Euler returns the Euler triple of q in the convention of [QuatFromEuler].
// At a pitch of ±π/2 the roll is put at zero and the yaw carries both.
func (q Quat) Euler() Vec3 {
	x, y, z, w := q[0], q[1], q[2], q[3]
	zAxisY := y*z - x*w
	if zAxisY < -gimbalLimit {
		return Vec3{math.Pi / 2, 2 * math.Atan2(y, w), 0}
	}
	if zAxisY > gimbalLimit {
		return Vec3{-math.Pi / 2, 2 * math.Atan2(y, w), 0}
	}
	xx, yy, zz, ww := x*x, y*y, z*z, w*w
	return Vec3{
		math.Asin(-2 * zAxisY),
		math.Atan2(2*(z*x+y*w), zz-xx-yy+ww),
		math.Atan2(2*(x*y+z*w), -zz-xx+yy+ww),
	}
}

// QuatFromMat4 returns the rotation of m's upper 3x3, whose columns must be
// orthonormal and right-handed among themselves (determinant 1); take the
// scale out with [Mat4.Decompose] first. The branches pick the largest of the
// four components to divide by (Shepperd's method).
func QuatFromMat4(m Mat4) Quat {
	m11, m12, m13 := m[0], m[4], m[8]
	m21, m22, m23 := m[1], m[5], m[9]
	m31, m32, m33 := m[2], m[6], m[10]
	switch trace := m11 + m22 + m33; {
	case trace > 0:
		s := 0.5 / math.Sqrt(trace+1)
		return Quat{(m32 - m23) * s, (m13 - m31) * s, (m21 - m12) * s, 0.25 / s}
	case m11 > m22 && m11 > m33:
		s := 2 * math.Sqrt(1+m11-m22-m33)
		return Quat{0.25 * s, (m12 + m21) / s, (m13 + m31) / s, (m32 - m23) / s}
	case m22 > m33:
		s := 2 * math.Sqrt(1+m22-m11-m33)
		return Quat{(m12 + m21) / s, 0.25 * s, (m23 + m32) / s, (m13 - m31) / s}
	default:
		s := 2 * math.Sqrt(1+m33-m11-m22)
		return Quat{(m13 + m31) / s, (m23 + m32) / s, 0.25 * s, (m21 - m12) / s}
	}
}

// unitEpsilon is how near to opposite two unit vectors count as opposite;
// Babylon.js's Epsilon.
const unitEpsilon = 0.001

// QuatFromUnitVectors returns the shortest rotation that turns the unit vector
// from onto the unit vector to; for opposite vectors, a half turn about some
// axis perpendicular to from.
func QuatFromUnitVectors(from, to Vec3) Quat {
	r := from.Dot(to) + 1
	if r >= unitEpsilon {
		c := from.Cross(to)
		return Quat{c[0], c[1], c[2], r}.Normalize()
	}
	if math.Abs(from[0]) > math.Abs(from[2]) {
		return Quat{-from[1], from[0], 0, 0}.Normalize()
	}
	return Quat{0, -from[2], from[1], 0}.Normalize()
}

// Mul returns the Hamilton product q*r: the rotation r followed by q. It is
// Babylon.js's q.multiply(r).
func (q Quat) Mul(r Quat) Quat {
	return Quat{
		q[0]*r[3] + q[1]*r[2] - q[2]*r[1] + q[3]*r[0],
		-q[0]*r[2] + q[1]*r[3] + q[2]*r[0] + q[3]*r[1],
		q[0]*r[1] - q[1]*r[0] + q[2]*r[3] + q[3]*r[2],
		-q[0]*r[0] - q[1]*r[1] - q[2]*r[2] + q[3]*r[3],
	}
}

// Add returns the component-wise sum, for blending by weight.
func (q Quat) Add(r Quat) Quat { return Quat{q[0] + r[0], q[1] + r[1], q[2] + r[2], q[3] + r[3]} }

// Scale returns every component times s, for blending by weight.
func (q Quat) Scale(s float64) Quat { return Quat{q[0] * s, q[1] * s, q[2] * s, q[3] * s} }

// Dot returns the cosine of half the angle between two unit rotations.
func (q Quat) Dot(r Quat) float64 { return q[0]*r[0] + q[1]*r[1] + q[2]*r[2] + q[3]*r[3] }

// Length returns the norm of q.
func (q Quat) Length() float64 { return math.Sqrt(q.Dot(q)) }

// Normalize returns q scaled to norm 1; the zero quaternion stays zero.
func (q Quat) Normalize() Quat {
	if l := q.Length(); l != 0 && l != 1 {
		return q.Scale(1 / l)
	}
	return q
}

// Conjugate returns (-x, -y, -z, w), the inverse rotation of a unit quaternion.
func (q Quat) Conjugate() Quat { return Quat{-q[0], -q[1], -q[2], q[3]} }

// slerpLinear is the cosine above which two rotations are so near that
// [Quat.Slerp] interpolates linearly; Babylon.js's constant.
const slerpLinear = 0.999999

// Slerp interpolates from q at t = 0 to r at t = 1 along the shorter arc. As
// in Babylon.js nearly equal rotations are interpolated linearly and the
// result is not normalised again.
func (q Quat) Slerp(r Quat, t float64) Quat {
	cos := q.Dot(r)
	sign := 1.0
	if cos < 0 {
		cos, sign = -cos, -1
	}
	a, b := 1-t, sign*t
	if cos <= slerpLinear {
		angle := math.Acos(cos)
		inv := 1 / math.Sin(angle)
		a = math.Sin((1-t)*angle) * inv
		b = sign * math.Sin(t*angle) * inv
	}
	return Quat{
		a*q[0] + b*r[0],
		a*q[1] + b*r[1],
		a*q[2] + b*r[2],
		a*q[3] + b*r[3],
	}
}

// Rotate returns v turned by the unit quaternion q, by way of the matrix, as
// Babylon.js's rotateByQuaternionToRef does.
func (q Quat) Rotate(v Vec3) Vec3 { return FromQuat(q).TransformNormal(v) }
