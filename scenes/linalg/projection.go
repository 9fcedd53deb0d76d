package linalg

import "math"

// LookAtLH returns the view matrix of a camera at eye that looks at target:
// +Z ahead, +X right, +Y up. When up is parallel to the line of sight the X
// axis of the camera is the world's, as in Babylon.js.
func LookAtLH(eye, target, up Vec3) Mat4 {
	z := target.Sub(eye).Normalize()
	x := up.Cross(z)
	if l2 := x.Dot(x); l2 == 0 {
		x[0] = 1
	} else if l := math.Sqrt(l2); l != 1 {
		x = x.Scale(1 / l)
	}
	y := z.Cross(x).Normalize()
	return Mat4{
		x[0], y[0], z[0], 0,
		x[1], y[1], z[1], 0,
		x[2], y[2], z[2], 0,
		-x.Dot(eye), -y.Dot(eye), -z.Dot(eye), 1,
	}
}

// HalfZ returns m, a projection to clip Z in -1…1, remapped to 0…1.
//
// The projections below do it themselves when told halfZ; the method is for
// the engine's single-precision numbers, where the matrix is rounded before
// the remapping and after:
//
//	PerspectiveFovLH(fov, aspect, near, far, false).Round32().HalfZ().Round32()
func (m Mat4) HalfZ() Mat4 {
	return Mat4{0: 1, 5: 1, 10: 0.5, 14: 0.5, 15: 1}.Mul(m)
}

// PerspectiveFovLH returns a left-handed perspective projection. fovY is the
// full vertical field of view, aspect is width over height, near and far are
// distances in scene units; far 0 means infinitely far. With halfZ, clip Z is
// 0 at near and 1 at far (WebGPU); without, -1 and 1 (OpenGL).
func PerspectiveFovLH(fovY, aspect, near, far float64, halfZ bool) Mat4 {
	return perspectiveLH(fovY, aspect, near, far, halfZ)
}

// PerspectiveFovLHReverseZ is [PerspectiveFovLH] with depth turned round: with
// halfZ clip Z is 1 at near and 0 at far. Far 0 means infinitely far. It is
// Babylon.js's projection with useReverseDepthBuffer, which swaps the planes.
func PerspectiveFovLHReverseZ(fovY, aspect, near, far float64, halfZ bool) Mat4 {
	if far == 0 {
		// The limit of (f+n)/(f-n) and -2fn/(f-n) with the planes swapped.
		m := perspectiveLH(fovY, aspect, near, 0, false)
		m[10], m[14] = -1, 2*near
		if halfZ {
			m = m.HalfZ()
		}
		return m
	}
	return perspectiveLH(fovY, aspect, far, near, halfZ)
}

// PerspectiveInfiniteLH is [PerspectiveFovLH] with the far plane at infinity.
func PerspectiveInfiniteLH(fovY, aspect, near float64, halfZ bool) Mat4 {
	return PerspectiveFovLH(fovY, aspect, near, 0, halfZ)
}

// PerspectiveInfiniteLHReverseZ is [PerspectiveFovLHReverseZ] with the far
// plane at infinity: with halfZ, clip Z is near and w the distance, so depth
// is near/distance.
func PerspectiveInfiniteLHReverseZ(fovY, aspect, near float64, halfZ bool) Mat4 {
	return PerspectiveFovLHReverseZ(fovY, aspect, near, 0, halfZ)
}

func perspectiveLH(fovY, aspect, n, f float64, halfZ bool) Mat4 {
	t := 1 / math.Tan(fovY*0.5)
	c, d := 1.0, -2*n
	if f != 0 {
		c = (f + n) / (f - n)
		d = (-2 * f * n) / (f - n)
	}
	m := Mat4{0: t / aspect, 5: t, 10: c, 11: 1, 14: d}
	if halfZ {
		m = m.HalfZ()
	}
	return m
}

// OrthoOffCenterLH returns a left-handed orthographic projection of the box
// left…right, bottom…top, near…far (distances ahead of the camera). With halfZ
// clip Z is 0 at near and 1 at far; without, -1 and 1.
func OrthoOffCenterLH(left, right, bottom, top, near, far float64, halfZ bool) Mat4 {
	m := Mat4{
		0:  2 / (right - left),
		5:  2 / (top - bottom),
		10: 2 / (far - near),
		12: (left + right) / (left - right),
		13: (top + bottom) / (bottom - top),
		14: -(far + near) / (far - near),
		15: 1,
	}
	if halfZ {
		m = m.HalfZ()
	}
	return m
}

// OrthoOffCenterLHReverseZ is [OrthoOffCenterLH] with depth turned round: with
// halfZ clip Z is 1 at near and 0 at far.
func OrthoOffCenterLHReverseZ(left, right, bottom, top, near, far float64, halfZ bool) Mat4 {
	return OrthoOffCenterLH(left, right, bottom, top, far, near, halfZ)
}

// OrthoLH is [OrthoOffCenterLH] of a width x height box about the axis of sight.
func OrthoLH(width, height, near, far float64, halfZ bool) Mat4 {
	return OrthoOffCenterLH(-width/2, width/2, -height/2, height/2, near, far, halfZ)
}
