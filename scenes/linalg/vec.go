package linalg

import "math"

// Vec2 is a vector or point (x, y).
type Vec2 [2]float64

// Vec3 is a vector, point, scale or Euler triple (x, y, z).
type Vec3 [3]float64

// Vec4 is a homogeneous vector (x, y, z, w) or a colour (r, g, b, a).
type Vec4 [4]float64

// Add returns v + w.
func (v Vec2) Add(w Vec2) Vec2 { return Vec2{v[0] + w[0], v[1] + w[1]} }

// Sub returns v - w.
func (v Vec2) Sub(w Vec2) Vec2 { return Vec2{v[0] - w[0], v[1] - w[1]} }

// Scale returns v * s.
func (v Vec2) Scale(s float64) Vec2 { return Vec2{v[0] * s, v[1] * s} }

// Dot returns the inner product of v and w.
func (v Vec2) Dot(w Vec2) float64 { return v[0]*w[0] + v[1]*w[1] }

// Length returns the Euclidean length of v.
func (v Vec2) Length() float64 { return math.Sqrt(v.Dot(v)) }

// Normalize returns v scaled to length 1; the zero vector stays zero.
func (v Vec2) Normalize() Vec2 {
	if l := v.Length(); l != 0 && l != 1 {
		return v.Scale(1 / l)
	}
	return v
}

// Lerp returns v + (w-v)*t.
func (v Vec2) Lerp(w Vec2, t float64) Vec2 {
	return Vec2{v[0] + (w[0]-v[0])*t, v[1] + (w[1]-v[1])*t}
}

// Min returns the smaller of each component.
func (v Vec2) Min(w Vec2) Vec2 { return Vec2{min(v[0], w[0]), min(v[1], w[1])} }

// Max returns the larger of each component.
func (v Vec2) Max(w Vec2) Vec2 { return Vec2{max(v[0], w[0]), max(v[1], w[1])} }

// Add returns v + w.
func (v Vec3) Add(w Vec3) Vec3 { return Vec3{v[0] + w[0], v[1] + w[1], v[2] + w[2]} }

// Sub returns v - w.
func (v Vec3) Sub(w Vec3) Vec3 { return Vec3{v[0] - w[0], v[1] - w[1], v[2] - w[2]} }

// Scale returns v * s.
func (v Vec3) Scale(s float64) Vec3 { return Vec3{v[0] * s, v[1] * s, v[2] * s} }

// Mul returns the component-wise product of v and w.
func (v Vec3) Mul(w Vec3) Vec3 { return Vec3{v[0] * w[0], v[1] * w[1], v[2] * w[2]} }

// Div returns the component-wise quotient of v and w.
func (v Vec3) Div(w Vec3) Vec3 { return Vec3{v[0] / w[0], v[1] / w[1], v[2] / w[2]} }

// Neg returns -v.
func (v Vec3) Neg() Vec3 { return Vec3{-v[0], -v[1], -v[2]} }

// Dot returns the inner product of v and w.
func (v Vec3) Dot(w Vec3) float64 { return v[0]*w[0] + v[1]*w[1] + v[2]*w[2] }

// Cross returns the outer product v × w.
func (v Vec3) Cross(w Vec3) Vec3 {
	return Vec3{
		v[1]*w[2] - v[2]*w[1],
		v[2]*w[0] - v[0]*w[2],
		v[0]*w[1] - v[1]*w[0],
	}
}

// Length returns the Euclidean length of v. It is the plain root of the sum
// of squares, as Babylon.js has it, and so overflows where [math.Hypot] would not.
func (v Vec3) Length() float64 { return math.Sqrt(v.Dot(v)) }

// Distance returns the length of v - w.
func (v Vec3) Distance(w Vec3) float64 { return v.Sub(w).Length() }

// Normalize returns v scaled to length 1; the zero vector stays zero. It
// multiplies by the reciprocal of the length, as Babylon.js does, which can
// differ from a division in the last bit.
func (v Vec3) Normalize() Vec3 {
	if l := v.Length(); l != 0 && l != 1 {
		return v.Scale(1 / l)
	}
	return v
}

// Lerp returns v + (w-v)*t.
func (v Vec3) Lerp(w Vec3, t float64) Vec3 {
	return Vec3{v[0] + (w[0]-v[0])*t, v[1] + (w[1]-v[1])*t, v[2] + (w[2]-v[2])*t}
}

// Min returns the smaller of each component.
func (v Vec3) Min(w Vec3) Vec3 { return Vec3{min(v[0], w[0]), min(v[1], w[1]), min(v[2], w[2])} }

// Max returns the larger of each component.
func (v Vec3) Max(w Vec3) Vec3 { return Vec3{max(v[0], w[0]), max(v[1], w[1]), max(v[2], w[2])} }

// Vec4 returns v with w as the fourth component: 1 for a point, 0 for a direction.
func (v Vec3) Vec4(w float64) Vec4 { return Vec4{v[0], v[1], v[2], w} }

// Float32 returns v as it goes to the GPU.
func (v Vec3) Float32() [3]float32 {
	return [3]float32{float32(v[0]), float32(v[1]), float32(v[2])}
}

// Add returns v + w.
func (v Vec4) Add(w Vec4) Vec4 { return Vec4{v[0] + w[0], v[1] + w[1], v[2] + w[2], v[3] + w[3]} }

// Sub returns v - w.
func (v Vec4) Sub(w Vec4) Vec4 { return Vec4{v[0] - w[0], v[1] - w[1], v[2] - w[2], v[3] - w[3]} }

// Scale returns v * s.
func (v Vec4) Scale(s float64) Vec4 { return Vec4{v[0] * s, v[1] * s, v[2] * s, v[3] * s} }

// Dot returns the inner product of v and w.
func (v Vec4) Dot(w Vec4) float64 { return v[0]*w[0] + v[1]*w[1] + v[2]*w[2] + v[3]*w[3] }

// Length returns the Euclidean length of v.
func (v Vec4) Length() float64 { return math.Sqrt(v.Dot(v)) }

// Normalize returns v scaled to length 1; the zero vector stays zero.
func (v Vec4) Normalize() Vec4 {
	if l := v.Length(); l != 0 && l != 1 {
		return v.Scale(1 / l)
	}
	return v
}

// Lerp returns v + (w-v)*t.
func (v Vec4) Lerp(w Vec4, t float64) Vec4 {
	return Vec4{v[0] + (w[0]-v[0])*t, v[1] + (w[1]-v[1])*t, v[2] + (w[2]-v[2])*t, v[3] + (w[3]-v[3])*t}
}

// Min returns the smaller of each component.
func (v Vec4) Min(w Vec4) Vec4 {
	return Vec4{min(v[0], w[0]), min(v[1], w[1]), min(v[2], w[2]), min(v[3], w[3])}
}

// Max returns the larger of each component.
func (v Vec4) Max(w Vec4) Vec4 {
	return Vec4{max(v[0], w[0]), max(v[1], w[1]), max(v[2], w[2]), max(v[3], w[3])}
}

// Vec3 returns the first three components.
func (v Vec4) Vec3() Vec3 { return Vec3{v[0], v[1], v[2]} }

// Float32 returns v as it goes to the GPU.
func (v Vec4) Float32() [4]float32 {
	return [4]float32{float32(v[0]), float32(v[1]), float32(v[2]), float32(v[3])}
}
