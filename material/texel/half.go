// Package texel has encodings of colours: half floats and RGBD.
package texel

import "math"

// Half rounds x to the nearest IEEE half float, ties to even; beyond the
// largest it is clamped, so that no infinity reaches a filter, and what is not a
// number is 0.
func Half(x float32) uint16 {
	b := math.Float32bits(x)
	sign := uint16(b >> 16 & 0x8000)
	b &= 0x7fffffff
	switch {
	case b > 0x7f800000:
		return 0
	case b >= 0x477ff000:
		return sign | 0x7bff
	case b < 0x33000001:
		return sign
	case b < 0x38800000:
		shift := 126 - b>>23
		m := b&0x7fffff | 0x800000
		r := m >> shift
		if rem, mid := m&(1<<shift-1), uint32(1)<<(shift-1); rem > mid || rem == mid && r&1 == 1 {
			r++
		}
		return sign | uint16(r)
	}
	r := b>>13 - 112<<10
	if rem := b & 0x1fff; rem > 0x1000 || rem == 0x1000 && r&1 == 1 {
		r++
	}
	return sign | uint16(r)
}

// FromHalf is the value of a half float.
func FromHalf(h uint16) float32 {
	sign, exp, m := uint32(h&0x8000)<<16, uint32(h>>10&31), uint32(h&1023)
	switch {
	case exp == 31:
		return math.Float32frombits(sign | 0x7f800000 | m<<13)
	case exp == 0:
		return math.Float32frombits(sign | math.Float32bits(float32(m)/(1<<24)))
	}
	return math.Float32frombits(sign | (exp+112)<<23 | m<<13)
}

// PutHalf stores values as half floats, little end first.
func PutHalf(dst []byte, v ...float32) {
	for i, x := range v {
		h := Half(x)
		dst[i*2], dst[i*2+1] = byte(h), byte(h>>8)
	}
}
