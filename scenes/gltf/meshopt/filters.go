package meshopt

import (
	"encoding/binary"
	"math"
)

// apply runs a filter over elements of stride bytes in place. The arithmetic
// is that of single floats, in the order of the reference decoder.
func apply(out []byte, stride int, filter Filter) {
	wide := stride == 8
	switch filter {
	case Octahedral:
		for i := 0; i+stride <= len(out); i += stride {
			octahedral(out[i:i+stride], wide)
		}
	case Quaternion:
		for i := 0; i+8 <= len(out); i += 8 {
			quaternion(out[i : i+8])
		}
	case Exponential:
		for i := 0; i+4 <= len(out); i += 4 {
			v := int32(binary.LittleEndian.Uint32(out[i:]))
			f := float32(math.Ldexp(float64(v<<8>>8), int(v>>24)))
			binary.LittleEndian.PutUint32(out[i:], math.Float32bits(f))
		}
	case Color:
		for i := 0; i+stride <= len(out); i += stride {
			color(out[i:i+stride], wide)
		}
	}
}

// signed and store read and write component i of 8 or 16 bits.
func signed(b []byte, i int, wide bool) int32 {
	if wide {
		return int32(int16(binary.LittleEndian.Uint16(b[i*2:])))
	}
	return int32(int8(b[i]))
}

func unsigned(b []byte, i int, wide bool) int32 {
	if wide {
		return int32(binary.LittleEndian.Uint16(b[i*2:]))
	}
	return int32(b[i])
}

func store(b []byte, i int, wide bool, v int32) {
	if wide {
		binary.LittleEndian.PutUint16(b[i*2:], uint16(v))
	} else {
		b[i] = byte(v)
	}
}

// round is to the nearest integer, halves to the even one as the reference's
// SIMD code does. What is no number, or far too large, which only broken data
// gives, is 0.
func round(f float32) int32 {
	if !(abs(f) < 1<<24) {
		return 0
	}
	return int32(math.RoundToEven(float64(f)))
}

func abs(f float32) float32 { return float32(math.Abs(float64(f))) }

func sqrt(f float32) float32 { return float32(math.Sqrt(float64(f))) }

// octahedral unfolds two coordinates to a unit vector (Cigolle et al. 2014); the
// third component says what one is.
func octahedral(b []byte, wide bool) {
	most := float32(127)
	if wide {
		most = 32767
	}
	x, y := float32(signed(b, 0, wide)), float32(signed(b, 1, wide))
	z := float32(signed(b, 2, wide)) - abs(x) - abs(y)
	t := min(z, 0)
	if x >= 0 {
		x += t
	} else {
		x -= t
	}
	if y >= 0 {
		y += t
	} else {
		y -= t
	}
	s := most / sqrt(float32(x*x)+float32(y*y)+float32(z*z))
	store(b, 0, wide, round(x*s))
	store(b, 1, wide, round(y*s))
	store(b, 2, wide, round(z*s))
}

// quaternion completes the largest component, whose place the lowest two bits
// of the last one give; the rest of that says what one is.
func quaternion(b []byte) {
	last := signed(b, 3, true)
	s := float32(32767/math.Sqrt2) / float32(last|3)
	x, y, z := float32(signed(b, 0, true))*s, float32(signed(b, 1, true))*s, float32(signed(b, 2, true))*s
	w := sqrt(max(0, float32(32767*32767)-float32(x*x)-float32(y*y)-float32(z*z)))
	at := int(last & 3)
	store(b, (at+1)%4, true, round(x))
	store(b, (at+2)%4, true, round(y))
	store(b, (at+3)%4, true, round(z))
	store(b, at, true, round(w))
}

// color turns YCoCg to RGB; the highest bit of alpha says what one is.
func color(b []byte, wide bool) {
	most := float32(255)
	if wide {
		most = 65535
	}
	y, co, cg, a := unsigned(b, 0, wide), signed(b, 1, wide), signed(b, 2, wide), unsigned(b, 3, wide)
	one := int32(1)
	for one <= a {
		one *= 2
	}
	one = max(one-1, 1)
	a &= one >> 1
	a = a<<1 | a&1
	s := most / float32(one)
	store(b, 0, wide, round(float32(y+co-cg)*s))
	store(b, 1, wide, round(float32(y+cg)*s))
	store(b, 2, wide, round(float32(y-co-cg)*s))
	store(b, 3, wide, round(float32(a)*s))
}
