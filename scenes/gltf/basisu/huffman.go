package basisu

import (
	"errors"
	"math/bits"
)

// bitReader reads bits, lowest first. After the last there are zeros; those
// that were taken too many are counted.
type bitReader struct {
	data []byte
	acc  uint64
	n    int // bits in acc
	over int // bits taken that are not there, and those in acc
}

func (b *bitReader) fill() {
	for b.n <= 48 {
		if len(b.data) > 0 {
			b.acc |= uint64(b.data[0]) << b.n
			b.data = b.data[1:]
		} else {
			b.over += 8
		}
		b.n += 8
	}
}

// cut reports that more bits were taken than there are.
func (b *bitReader) cut() bool { return b.over > b.n }

// take reads n bits, at most 16.
func (b *bitReader) take(n int) int {
	if b.n < n {
		b.fill()
	}
	v := int(b.acc & (1<<n - 1))
	b.acc >>= n
	b.n -= n
	return v
}

// variable reads a number in groups of size bits, each led by one that says
// whether more follow.
func (b *bitReader) variable(size int) int {
	v := 0
	for shift := 0; shift < 32; shift += size {
		s := b.take(size + 1)
		v |= s & (1<<size - 1) << shift
		if s>>size == 0 {
			break
		}
	}
	return v
}

// table decodes a canonical Huffman code by its next bits: symbol<<5 | length,
// 0 for bits that begin no code.
type table struct {
	bits    int
	entries []uint32
}

var errTable = errors.New("a Huffman table is broken")

// newTable makes the code from the lengths of the symbols, at most 16 bits.
func newTable(lengths []byte) (*table, error) {
	var count [17]int
	t := &table{}
	for _, n := range lengths {
		if n > 16 {
			return nil, errTable
		}
		if n > 0 {
			count[n]++
			t.bits = max(t.bits, int(n))
		}
	}
	var next [17]int
	code := 0
	for n := 1; n <= 16; n++ {
		code = (code + count[n-1]) << 1
		next[n] = code
		if code+count[n] > 1<<n {
			return nil, errTable
		}
	}
	t.entries = make([]uint32, 1<<t.bits)
	for s, n := range lengths {
		if n == 0 {
			continue
		}
		c := int(bits.Reverse16(uint16(next[n])) >> (16 - n))
		next[n]++
		for ; c < len(t.entries); c += 1 << n {
			t.entries[c] = uint32(s)<<5 | uint32(n)
		}
	}
	return t, nil
}

// symbol reads a code; -1 where the bits are none.
func (b *bitReader) symbol(t *table) int {
	if b.n < 16 {
		b.fill()
	}
	e := t.entries[b.acc&uint64(len(t.entries)-1)]
	if e == 0 {
		return -1
	}
	n := int(e & 31)
	b.acc >>= n
	b.n -= n
	return int(e >> 5)
}

// codeOrder is the order in which the lengths of the code of lengths are stored.
var codeOrder = [21]int{17, 18, 19, 20, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15, 16}

// table reads a Huffman table: the lengths of its codes, run-length and Huffman
// coded like those of Deflate.
func (b *bitReader) table() (*table, error) {
	total := b.take(14)
	if total == 0 {
		return newTable(nil)
	}
	n := b.take(5)
	if n < 1 || n > 21 {
		return nil, errTable
	}
	var short [21]byte
	for i := range n {
		short[codeOrder[i]] = byte(b.take(3))
	}
	codes, err := newTable(short[:])
	if err != nil {
		return nil, err
	}
	lengths := make([]byte, 0, total)
	for len(lengths) < total {
		s := b.symbol(codes)
		if s < 0 || b.cut() {
			return nil, errTable
		}
		run, v := 1, byte(s)
		switch s {
		case 17:
			run, v = 3+b.take(3), 0
		case 18:
			run, v = 11+b.take(7), 0
		case 19:
			run = 3 + b.take(2)
		case 20:
			run = 7 + b.take(7)
		}
		if s >= 19 {
			if len(lengths) == 0 || lengths[len(lengths)-1] == 0 {
				return nil, errTable
			}
			v = lengths[len(lengths)-1]
		}
		if run > total-len(lengths) {
			return nil, errTable
		}
		for range run {
			lengths = append(lengths, v)
		}
	}
	return newTable(lengths)
}
