package basisu

import "fmt"

// uastcMode is how a block of a UASTC mode is laid out: bits of the mode's code
// and of hints for transcoders, which follow it; subsets and bits of the partition;
// components and the number of levels of their endpoints; whether a second
// plane of weights is for one component (bits that name it), and bits of a weight.
type uastcMode struct {
	code, hints      int
	subsets, pattern int
	components       int
	ends             quant
	planes, selector int
	weight           int
}

// quant is a range of integers: bits, and above them a trit or a quint (a digit
// of 3 or 5). c and b undo it (ASTC, "unquantisation"): b names, from the
// highest of nine bits down, the bits that each is a copy of.
type quant struct {
	bits, digit int
	c           int
	b           string
}

var (
	to11  = quant{2, 3, 93, "b000b0bb0"}
	to15  = quant{bits: 4}
	to31  = quant{bits: 5}
	to39  = quant{3, 5, 26, "cb0000cbc"}
	to47  = quant{4, 3, 22, "dcb000dcb"}
	to159 = quant{5, 5, 6, "edcb0000e"}
	to191 = quant{6, 3, 5, "fedcb000f"}
	to255 = quant{bits: 8}
)

const uastcSolid = 8

var uastcModes = [19]uastcMode{
	{4, 15, 1, 0, 3, to191, 1, 0, 4},
	{6, 15, 1, 0, 3, to255, 1, 0, 2},
	{5, 15, 2, 5, 3, to15, 1, 0, 3},
	{5, 15, 3, 4, 3, to11, 1, 0, 2},
	{5, 15, 2, 5, 3, to39, 1, 0, 2},
	{5, 15, 1, 0, 3, to255, 1, 0, 3},
	{5, 15, 1, 0, 3, to159, 2, 2, 2},
	{5, 15, 2, 5, 3, to39, 1, 0, 2},
	{code: 5},
	{5, 23, 2, 5, 4, to15, 1, 0, 2},
	{3, 17, 1, 0, 4, to47, 1, 0, 4},
	{2, 17, 1, 0, 4, to47, 2, 2, 2},
	{3, 17, 1, 0, 4, to191, 1, 0, 3},
	{5, 23, 1, 0, 4, to255, 2, 2, 1},
	{5, 23, 1, 0, 4, to255, 1, 0, 2},
	{7, 23, 1, 0, 2, to255, 1, 0, 4},
	{6, 23, 2, 5, 2, to255, 1, 0, 2},
	{6, 23, 1, 0, 2, to255, 2, 0, 2},
	{4, 15, 1, 0, 3, to31, 1, 0, 5},
}

// uastcCodes are the codes of the modes, to be read from the lowest bit up.
var uastcCodes = [19]byte{0x01, 0x35, 0x1d, 0x03, 0x13, 0x0b, 0x1b, 0x07, 0x17, 0x0f, 0x02, 0x00, 0x06, 0x1f, 0x0d, 0x05, 0x15, 0x25, 0x09}

// The partitions of ASTC that UASTC knows, by their seeds: those of two subsets
// which BC7 has too, those of two that BC7 has in three, and those of three.
var (
	seeds2     = []int{28, 20, 16, 29, 91, 9, 107, 72, 149, 204, 50, 114, 496, 17, 78, 39, 252, 828, 43, 156, 116, 210, 476, 273, 684, 359, 246, 195, 694, 524}
	seeds2of3  = []int{36, 48, 61, 137, 161, 183, 226, 281, 302, 307, 479, 495, 593, 594, 605, 799, 812, 988, 993}
	seeds3     = []int{260, 74, 32, 156, 183, 15, 745, 0, 335, 902, 254}
	patterns2  = patterns(seeds2, 2)
	patterns23 = patterns(seeds2of3, 2)
	patterns3  = patterns(seeds3, 3)
)

// pattern is the subset of each texel, and the first texel of each subset.
type pattern struct {
	subset [16]uint8
	anchor [3]int
}

func patterns(seeds []int, subsets int) []pattern {
	out := make([]pattern, len(seeds))
	for i, seed := range seeds {
		p := &out[i]
		for t := 15; t >= 0; t-- {
			s := astcSubset(uint32(seed), uint32(t%4), uint32(t/4), subsets)
			p.subset[t] = uint8(s)
			p.anchor[s] = t
		}
	}
	return out
}

// astcSubset is the partition function of ASTC for blocks of few texels
// (Khronos Data Format Specification 1.3, section 23.21).
func astcSubset(seed, x, y uint32, subsets int) int {
	x, y = x*2, y*2
	seed += uint32(subsets-1) * 1024
	r := seed
	r ^= r >> 15
	r -= r << 17
	r += r << 7
	r += r << 4
	r ^= r >> 5
	r += r << 16
	r ^= r >> 7
	r ^= r >> 3
	r ^= r << 6
	r ^= r >> 17
	sh1, sh2 := uint32(5), uint32(5)
	if seed&2 != 0 {
		sh1 = 4
	}
	if subsets == 3 {
		sh2 = 6
	}
	if seed&1 == 0 {
		sh1, sh2 = sh2, sh1
	}
	s := func(i, shift uint32) uint32 {
		v := r >> (4 * i) & 15
		return v * v >> shift
	}
	a := (s(0, sh1)*x + s(1, sh2)*y + r>>14) & 63
	b := (s(2, sh1)*x + s(3, sh2)*y + r>>10) & 63
	c := (s(4, sh1)*x + s(5, sh2)*y + r>>6) & 63
	if subsets < 3 {
		c = 0
	}
	switch {
	case a >= b && a >= c:
		return 0
	case b >= c:
		return 1
	}
	return 2
}

// value undoes a quantisation to 8 bits.
func (q *quant) value(v int) byte {
	if q.digit == 0 {
		v <<= 8 - q.bits
		for n := q.bits; n < 8; n *= 2 {
			v |= v >> n
		}
		return byte(v)
	}
	low, digit := v&(1<<q.bits-1), v>>q.bits
	b := 0
	for i := range len(q.b) {
		b <<= 1
		if q.b[i] != '0' {
			b |= low >> (q.b[i] - 'a') & 1
		}
	}
	a := low & 1 * 511
	x := (digit*q.c + b) ^ a
	return byte(a&0x80 | x>>2)
}

// digitBits are how many bits hold so many trits or quints.
var digitBits = map[int][]int{3: {0, 2, 4, 5, 7, 8}, 5: {0, 3, 5, 7}}

// read takes n quantised values: their digits, in groups of five trits or
// three quints, then their bits.
func (q *quant) read(b *bits128, n int) (out [18]byte) {
	var digits [18]int
	if q.digit > 0 {
		sizes := digitBits[q.digit]
		group := len(sizes) - 1
		for i := 0; i < n; i += group {
			k := min(group, n-i)
			v := b.take(sizes[k])
			for j := range k {
				digits[i+j] = v % q.digit
				v /= q.digit
			}
		}
	}
	for i := range n {
		out[i] = q.value(b.take(q.bits) | digits[i]<<q.bits)
	}
	return out
}

// weight64 is a weight of some bits, of 64.
func weight64(v, bits int) int {
	w := v << (6 - bits)
	for n := bits; n < 6; n *= 2 {
		w |= w >> n
	}
	if w > 32 {
		w++
	}
	return w
}

// uastc decodes a block of 4×4 texels.
func uastc(out *[64]byte, block []byte) error {
	b := newBits128(block)
	mode := -1
	for i, code := range uastcCodes {
		if byte(b.low)&(1<<uastcModes[i].code-1) == code {
			mode = i
			break
		}
	}
	if mode < 0 {
		return fmt.Errorf("its mode is not known: %w", ErrBroken)
	}
	m := &uastcModes[mode]
	b.take(m.code)
	if mode == uastcSolid {
		c := [4]byte{byte(b.take(8)), byte(b.take(8)), byte(b.take(8)), byte(b.take(8))}
		for i := range 16 {
			copy(out[i*4:], c[:])
		}
		return nil
	}
	b.take(m.hints)
	p := &pattern{}
	if m.subsets > 1 {
		list := patterns2
		switch {
		case m.subsets == 3:
			list = patterns3
		case mode == 7:
			list = patterns23
		}
		i := b.take(m.pattern)
		if i >= len(list) {
			return fmt.Errorf("its partition %d is not known: %w", i, ErrBroken)
		}
		p = &list[i]
	}
	plane := -1 // the component with weights of its own
	if m.planes == 2 {
		plane = 3
		if m.selector > 0 {
			plane = b.take(m.selector)
		}
	}
	ends := m.ends.read(&b, m.components*2*m.subsets)
	var weights [16][2]int
	for i := range weights {
		anchor := false
		for _, a := range p.anchor[:m.subsets] {
			anchor = anchor || i == a
		}
		for k := range m.planes {
			bits := m.weight
			if anchor {
				bits--
			}
			weights[i][k] = weight64(b.take(bits), m.weight)
		}
	}
	for i := range weights {
		e := ends[int(p.subset[i])*m.components*2:]
		for k := range 4 {
			at := k // of the component among those that are stored
			switch {
			case m.components == 2:
				at = k / 3
			case k >= m.components:
				out[i*4+k] = 255
				continue
			}
			w := weights[i][0]
			if k == plane {
				w = weights[i][1]
			}
			low, high := int(e[at*2])*257, int(e[at*2+1])*257
			out[i*4+k] = byte((low*(64-w) + high*w + 32) >> 6 >> 8)
		}
	}
	return nil
}
