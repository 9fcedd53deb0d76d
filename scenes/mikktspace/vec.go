package mikktspace

import "math"

// vec is a vector of single floats. Products are rounded before they are
// added, on every machine: fused operations would move the last bit, and with
// it which triangles are taken for degenerate.
type vec [3]float32

func (a vec) sub(b vec) vec { return vec{a[0] - b[0], a[1] - b[1], a[2] - b[2]} }
func (a vec) add(b vec) vec { return vec{a[0] + b[0], a[1] + b[1], a[2] + b[2]} }

func (a vec) scale(s float32) vec {
	return vec{float32(s * a[0]), float32(s * a[1]), float32(s * a[2])}
}

func (a vec) dot(b vec) float32 {
	return float32(a[0]*b[0]) + float32(a[1]*b[1]) + float32(a[2]*b[2])
}

func (a vec) length() float32 { return float32(math.Sqrt(float64(a.dot(a)))) }

// unit is a made one long; a vector of zeros stays.
func (a vec) unit() vec {
	if !notZero(a[0]) && !notZero(a[1]) && !notZero(a[2]) {
		return a
	}
	return a.scale(1 / a.length())
}

// onto is the direction of a in the plane with the normal n.
func (a vec) onto(n vec) vec { return a.sub(n.scale(n.dot(a))).unit() }

// notZero is false for zeros, subnormals and what is not a number.
func notZero(x float32) bool {
	return float32(math.Abs(float64(x))) > 0x1p-126
}
