package env

import "math"

// half rounds x to the nearest IEEE half float, ties to even; beyond the
// largest it is clamped, so that no infinity reaches a filter.
func half(x float32) uint16 {
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

func putHalf(dst []byte, v ...float32) {
	for i, x := range v {
		h := half(x)
		dst[i*2], dst[i*2+1] = byte(h), byte(h>>8)
	}
}
