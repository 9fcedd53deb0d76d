package picture

import "errors"

// huffman is a code of ITU-T T.81, annex C: canonical, of up to 16 bits.
type huffman struct {
	ok     bool
	fast   [512]uint16 // by the next 9 bits: value<<8 | length, 0 for longer codes
	last   [17]int32   // by length: one beyond the largest code, left-aligned to 16 bits
	offset [17]int32   // by length: index of a code's value minus the code
	values [256]byte
}

// build makes the code from the number of codes of each length and the values.
func (h *huffman) build(counts, values []byte) error {
	*h = huffman{ok: true}
	copy(h.values[:], values)
	code, k := int32(0), int32(0)
	for length := 1; length <= 16; length++ {
		n := int32(counts[length-1])
		if code+n > 1<<length {
			return errors.New("a Huffman table has too many codes")
		}
		h.offset[length] = k - code
		if length <= 9 {
			for i := range n {
				from := (code + i) << (9 - length)
				for j := range int32(1) << (9 - length) {
					h.fast[from+j] = uint16(h.values[k+i])<<8 | uint16(length)
				}
			}
		}
		code += n
		k += n
		h.last[length] = code << (16 - length)
		code <<= 1
	}
	return nil
}

// errCode is the error of entropy-coded data that no encoder writes.
var errCode = errors.New("the entropy-coded data is broken")

// bitReader reads entropy-coded bits: 0xff 0x00 stands for 0xff, and a marker
// or the end of the file ends them, after which zeros follow.
type bitReader struct {
	data   []byte
	pos    int
	acc    uint64
	n      int  // bits in acc
	padded int  // of them zeros that are not in the file
	marker bool // the bits end at a marker, at pos
	cut    bool // the bits end at the end of the file
}

func (b *bitReader) fill() {
	for b.n <= 48 {
		var v byte
		switch {
		case b.marker || b.cut:
			b.padded += 8
		case b.pos >= len(b.data):
			b.cut = true
			continue
		case b.data[b.pos] != 0xff:
			v = b.data[b.pos]
			b.pos++
		case b.pos+1 >= len(b.data):
			b.cut = true
			continue
		case b.data[b.pos+1] != 0:
			b.marker = true
			continue
		default:
			v = 0xff
			b.pos += 2
		}
		b.acc = b.acc<<8 | uint64(v)
		b.n += 8
	}
}

// exhausted reports that bits were taken that are not in the file.
func (b *bitReader) exhausted() bool { return b.n < b.padded }

// bits takes n bits, at most 16.
func (b *bitReader) bits(n int) int32 {
	if b.n < n {
		b.fill()
	}
	b.n -= n
	return int32(b.acc>>b.n) & (1<<n - 1)
}

// signed takes a number of n bits as T.81's EXTEND reads it (F.2.2.1).
func (b *bitReader) signed(n int) int32 {
	if n == 0 {
		return 0
	}
	v := b.bits(n)
	if v < 1<<(n-1) {
		v += -1<<n + 1
	}
	return v
}

// symbol takes one code of h.
func (b *bitReader) symbol(h *huffman) (byte, error) {
	if b.n < 16 {
		b.fill()
	}
	if f := h.fast[b.acc>>(b.n-9)&511]; f != 0 {
		b.n -= int(f & 0xff)
		return byte(f >> 8), nil
	}
	next := int32(b.acc>>(b.n-16)) & 0xffff
	for length := 1; length <= 16; length++ {
		if next < h.last[length] {
			b.n -= length
			return h.values[next>>(16-length)+h.offset[length]], nil
		}
	}
	return 0, errCode
}
