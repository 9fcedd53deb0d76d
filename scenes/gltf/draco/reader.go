package draco

import (
	"encoding/binary"
	"errors"
	"math"
)

// ErrBroken is wrapped by the errors of data that no encoder writes.
var ErrBroken = errors.New("the data is broken")

var errShort = errors.New("the data ends too early")

// reader reads the fields of a bitstream. After the first that is not there,
// all are zero and err says so.
type reader struct {
	data []byte
	err  error
}

func (r *reader) bytes(n uint64) []byte {
	if n > uint64(len(r.data)) {
		if r.err == nil {
			r.err = errShort
		}
		r.data = nil
		return nil
	}
	b := r.data[:n:n]
	r.data = r.data[n:]
	return b
}

func (r *reader) u8() byte {
	if b := r.bytes(1); b != nil {
		return b[0]
	}
	return 0
}

func (r *reader) u16() uint16 {
	if b := r.bytes(2); b != nil {
		return binary.LittleEndian.Uint16(b)
	}
	return 0
}

func (r *reader) u32() uint32 {
	if b := r.bytes(4); b != nil {
		return binary.LittleEndian.Uint32(b)
	}
	return 0
}

func (r *reader) f32() float32 { return math.Float32frombits(r.u32()) }

// varint is a LEB128 number.
func (r *reader) varint() uint64 {
	var v uint64
	for shift := 0; shift < 64; shift += 7 {
		b := r.u8()
		v |= uint64(b&0x7f) << shift
		if b < 0x80 {
			return v
		}
	}
	if r.err == nil {
		r.err = ErrBroken
	}
	return 0
}

// count is a varint of 32 bits.
func (r *reader) count() int {
	v := r.varint()
	if v > math.MaxInt32 {
		if r.err == nil {
			r.err = ErrBroken
		}
		return 0
	}
	return int(v)
}

// bitReader reads bits, lowest first.
type bitReader struct {
	data []byte
	pos  uint64 // in bits
	cut  bool   // more bits were read than there are
}

func (b *bitReader) bits(n int) uint32 {
	if b.pos+uint64(n) > uint64(len(b.data))*8 {
		b.cut = true
		return 0
	}
	var v uint64
	at := b.pos / 8
	for i := uint64(0); i < 5 && at+i < uint64(len(b.data)); i++ {
		v |= uint64(b.data[at+i]) << (8 * i)
	}
	v >>= b.pos % 8
	b.pos += uint64(n)
	return uint32(v & (1<<n - 1))
}

// used is how many bytes the bits that were read reach into.
func (b *bitReader) used() uint64 { return (b.pos + 7) / 8 }
