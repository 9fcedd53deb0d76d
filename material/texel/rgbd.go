package texel

import "math"

// gamma is the decoding of an 8-bit component of RGBD.
var gamma = func() (t [256]float64) {
	for i := range t {
		t[i] = math.Pow(float64(i)/255, 2.2)
	}
	return t
}()

// DecodeRGBD writes a texel as rgba16float: colour to the power 2.2 over the
// divisor in alpha.
func DecodeRGBD(dst, src []byte) {
	d := math.Max(float64(src[3])/255, 1.0/255)
	PutHalf(dst, float32(gamma[src[0]]/d), float32(gamma[src[1]]/d), float32(gamma[src[2]]/d), 1)
}

// EncodeRGBD stores a linear colour: a divisor in alpha that brings the largest
// component to 1, then gamma 2.2.
func EncodeRGBD(dst []byte, c [3]float64) {
	top := math.Max(math.Max(c[0], c[1]), math.Max(c[2], 1e-7))
	d := math.Min(255, math.Floor(math.Max(1, 255/top)))
	for i, v := range c {
		dst[i] = byte(math.Round(255 * math.Pow(math.Max(0, math.Min(1, v*d/255)), 1/2.2)))
	}
	dst[3] = byte(d)
}
