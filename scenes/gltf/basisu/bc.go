package basisu

import "encoding/binary"

// bc1 decodes a block of two colours and two between them. Where the first is
// not above the second, one colour is between them and the other black, and
// with alpha transparent; four does without that.
func bc1(out *[64]byte, b []byte, alpha, four bool) {
	c0, c1 := binary.LittleEndian.Uint16(b), binary.LittleEndian.Uint16(b[2:])
	var p [4][4]int
	for i, c := range []uint16{c0, c1} {
		r, g, bl := int(c>>11), int(c>>5&63), int(c&31)
		p[i] = [4]int{r<<3 | r>>2, g<<2 | g>>4, bl<<3 | bl>>2, 255}
	}
	for k := range 3 {
		if c0 > c1 || four {
			p[2][k], p[3][k] = (2*p[0][k]+p[1][k])/3, (p[0][k]+2*p[1][k])/3
		} else {
			p[2][k] = (p[0][k] + p[1][k]) / 2
		}
	}
	p[2][3], p[3][3] = 255, 255
	if alpha && c0 <= c1 {
		p[3][3] = 0
	}
	bits := binary.LittleEndian.Uint32(b[4:])
	for i := range 16 {
		c := p[bits>>(2*i)&3]
		out[i*4], out[i*4+1], out[i*4+2], out[i*4+3] = byte(c[0]), byte(c[1]), byte(c[2]), byte(c[3])
	}
}

// bc3 is bc1 after a block of alpha: two values and six or four between them.
func bc3(out *[64]byte, b []byte) error {
	bc1(out, b[8:], false, true)
	a0, a1 := int(b[0]), int(b[1])
	p := [8]int{a0, a1, 0, 0, 0, 0, 0, 255}
	if a0 > a1 {
		for i := 1; i < 7; i++ {
			p[i+1] = ((7-i)*a0 + i*a1) / 7
		}
	} else {
		for i := 1; i < 5; i++ {
			p[i+1] = ((5-i)*a0 + i*a1) / 5
		}
	}
	bits := uint64(binary.LittleEndian.Uint32(b[2:])) | uint64(binary.LittleEndian.Uint16(b[6:]))<<32
	for i := range 16 {
		out[i*4+3] = byte(p[bits>>(3*i)&7])
	}
	return nil
}

// bits128 reads a block of 16 bytes, lowest bits first.
type bits128 struct{ low, high uint64 }

func newBits128(b []byte) bits128 {
	return bits128{binary.LittleEndian.Uint64(b), binary.LittleEndian.Uint64(b[8:])}
}

func (b *bits128) take(n int) int {
	v := int(b.low & (1<<n - 1))
	b.low = b.low>>n | b.high<<(64-n)
	b.high >>= n
	return v
}

// bc7Modes are subsets, bits of the partition, the rotation and the index
// selection, of colours and alpha, bits per endpoint and per subset, and bits
// of the two sets of indices (Khronos Data Format Specification 1.3, table 109).
var bc7Modes = [8]struct{ subsets, partition, rotation, selection, colour, alpha, own, shared, index, index2 int }{
	{3, 4, 0, 0, 4, 0, 1, 0, 3, 0},
	{2, 6, 0, 0, 6, 0, 0, 1, 3, 0},
	{3, 6, 0, 0, 5, 0, 0, 0, 2, 0},
	{2, 6, 0, 0, 7, 0, 1, 0, 2, 0},
	{1, 0, 2, 1, 5, 6, 0, 0, 2, 3},
	{1, 0, 2, 0, 7, 8, 0, 0, 2, 2},
	{1, 0, 0, 0, 7, 7, 1, 0, 4, 0},
	{2, 6, 0, 0, 5, 5, 1, 0, 2, 0},
}

var bc7Weights = [5][]int{2: {0, 21, 43, 64}, 3: {0, 9, 18, 27, 37, 46, 55, 64}, 4: {0, 4, 9, 13, 17, 21, 26, 30, 34, 38, 43, 47, 51, 55, 60, 64}}

// bc7 decodes a block; one of the reserved mode is transparent black.
func bc7(out *[64]byte, block []byte) error {
	b := newBits128(block)
	mode := 0
	for mode < 8 && b.take(1) == 0 {
		mode++
	}
	if mode == 8 {
		clear(out[:])
		return nil
	}
	m := &bc7Modes[mode]
	partition, rotation, selection := b.take(m.partition), b.take(m.rotation), b.take(m.selection)
	var ends [6][4]int
	n := 2 * m.subsets
	for k := range 4 {
		bits := m.colour
		if k == 3 {
			bits = m.alpha
		}
		for i := range n {
			ends[i][k] = b.take(bits)
		}
	}
	var low [6]int
	for i := range n {
		if m.own > 0 {
			low[i] = b.take(1)
		} else if m.shared > 0 && i%2 == 0 {
			low[i] = b.take(1)
			low[i+1] = low[i]
		}
	}
	for i := range n {
		for k := range 4 {
			bits := m.colour
			if k == 3 {
				bits = m.alpha
			}
			if bits == 0 {
				ends[i][k] = 255
				continue
			}
			v := ends[i][k]
			if m.own+m.shared > 0 {
				v, bits = v<<1|low[i], bits+1
			}
			v <<= 8 - bits
			ends[i][k] = v | v>>bits
		}
	}
	subset := func(i int) int {
		switch m.subsets {
		case 2:
			return int(bc7Partitions2[partition] >> i & 1)
		case 3:
			return int(bc7Partitions3[partition] >> (2 * i) & 3)
		}
		return 0
	}
	anchor := func(i int) bool {
		return i == 0 || m.subsets == 2 && i == int(bc7Anchors2[partition]) ||
			m.subsets == 3 && (i == int(bc7Anchors3[0][partition]) || i == int(bc7Anchors3[1][partition]))
	}
	var first, second [16]int
	for i := range first {
		bits := m.index
		if anchor(i) {
			bits--
		}
		first[i] = b.take(bits)
	}
	bits1, bits2 := m.index, m.index
	second = first
	if m.index2 > 0 {
		bits2 = m.index2
		for i := range second {
			bits := m.index2
			if i == 0 {
				bits--
			}
			second[i] = b.take(bits)
		}
	}
	if selection == 1 {
		first, second, bits1, bits2 = second, first, bits2, bits1
	}
	for i := range 16 {
		e0, e1 := &ends[2*subset(i)], &ends[2*subset(i)+1]
		w, wa := bc7Weights[bits1][first[i]], bc7Weights[bits2][second[i]]
		c := out[i*4 : i*4+4]
		for k := range 3 {
			c[k] = byte(((64-w)*e0[k] + w*e1[k] + 32) >> 6)
		}
		c[3] = byte(((64-wa)*e0[3] + wa*e1[3] + 32) >> 6)
		if rotation > 0 {
			c[rotation-1], c[3] = c[3], c[rotation-1]
		}
	}
	return nil
}
