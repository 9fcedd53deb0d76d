package meshopt

import (
	"encoding/binary"
	"fmt"
	"math/bits"
)

// attributes decodes mode 0. Elements come in blocks; in a block all first bytes
// come first, then all second ones, each as the difference from that of the
// element before.
func attributes(data []byte, count, stride int) ([]byte, error) {
	if len(data) == 0 {
		return nil, errShort
	}
	version := int(data[0]) - 0xa0
	if version != 0 && version != 1 {
		return nil, fmt.Errorf("header %#x is not that of attributes, versions 0 and 1", data[0])
	}
	last, padded := stride, max(stride, 32)
	if version == 1 {
		last += stride / 4
		padded = max(last, 24)
	}
	data = data[1:]
	if len(data) < padded {
		return nil, errShort
	}
	tail := data[len(data)-last:]
	data = data[:len(data)-padded]
	size := min(8192/stride&^15, 256)
	blocks := (count + size - 1) / size
	// A block has at least its headers; no room is made for what cannot be there.
	least := stride / 4
	if version == 0 {
		least = stride
	}
	if blocks > len(data)/least {
		return nil, errShort
	}
	d := &attributeDecoder{data: data, stride: stride, version: version, previous: append([]byte(nil), tail[:stride]...), channels: tail[stride:]}
	for _, c := range d.channels {
		if c&15 > 2 || c&15 < 2 && c > 15 {
			return nil, fmt.Errorf("channel mode %#x is not known", c)
		}
	}
	out := make([]byte, count*stride)
	for at := 0; at < count; at += size {
		n := min(size, count-at)
		if err := d.block(out[at*stride:(at+n)*stride], n); err != nil {
			return nil, fmt.Errorf("element %d: %w", at, err)
		}
	}
	if len(d.data) != 0 {
		return nil, fmt.Errorf("%d bytes are left over: %w", len(d.data), ErrBroken)
	}
	return out, nil
}

type attributeDecoder struct {
	data     []byte
	stride   int
	version  int
	previous []byte // element
	channels []byte // modes, of version 1
	deltas   [4][256]byte
}

func (d *attributeDecoder) take(n int) ([]byte, error) {
	if n > len(d.data) {
		return nil, errShort
	}
	b := d.data[:n]
	d.data = d.data[n:]
	return b, nil
}

// widths are the bits of a difference by the two bits of a group's header: of
// version 0, then of the control modes 0 and 1 of version 1.
var widths = [3][4]int{{0, 2, 4, 8}, {0, 1, 2, 4}, {1, 2, 4, 8}}

func (d *attributeDecoder) block(out []byte, n int) error {
	var control []byte
	if d.version == 1 {
		var err error
		if control, err = d.take(d.stride / 4); err != nil {
			return err
		}
	}
	for channel := range d.stride / 4 {
		for k := range 4 {
			w := &widths[0]
			if d.version == 1 {
				mode := control[channel] >> (2 * k) & 3
				if mode == 2 {
					clear(d.deltas[k][:])
					continue
				}
				if mode == 3 {
					b, err := d.take(n)
					if err != nil {
						return err
					}
					copy(d.deltas[k][:], b)
					continue
				}
				w = &widths[1+mode]
			}
			if err := d.groups(d.deltas[k][:], n, w); err != nil {
				return err
			}
		}
		mode := byte(0)
		if d.version == 1 {
			mode = d.channels[channel]
		}
		d.undo(out, n, channel*4, mode)
	}
	copy(d.previous, out[len(out)-d.stride:])
	return nil
}

// groups reads differences in groups of 16.
func (d *attributeDecoder) groups(to []byte, n int, widths *[4]int) error {
	groups := (n + 15) / 16
	head, err := d.take((groups + 3) / 4)
	if err != nil {
		return err
	}
	for g := range groups {
		w := widths[head[g/4]>>(g%4*2)&3]
		group := to[g*16 : g*16+16]
		packed, err := d.take(w * 2)
		if err != nil {
			return err
		}
		switch w {
		case 0:
			clear(group)
			continue
		case 8:
			copy(group, packed)
			continue
		}
		sentinel := byte(1)<<w - 1
		for i := range group {
			at := i * w
			shift := 8 - w - at%8
			if w == 1 { // the other way round
				shift = at % 8
			}
			if group[i] = packed[at/8] >> shift & sentinel; group[i] == sentinel {
				b, err := d.take(1)
				if err != nil {
					return err
				}
				group[i] = b[0]
			}
		}
	}
	return nil
}

// undo adds the differences of four bytes up.
func (d *attributeDecoder) undo(out []byte, n, at int, mode byte) {
	p := d.previous[at : at+4]
	switch mode & 15 {
	case 0:
		for k := range 4 {
			v := p[k]
			for i := range n {
				e := d.deltas[k][i]
				v += e>>1 ^ -(e & 1)
				out[i*d.stride+at+k] = v
			}
		}
	case 1:
		for k := 0; k < 4; k += 2 {
			v := binary.LittleEndian.Uint16(p[k:])
			for i := range n {
				e := uint16(d.deltas[k][i]) | uint16(d.deltas[k+1][i])<<8
				v += e>>1 ^ -(e & 1)
				binary.LittleEndian.PutUint16(out[i*d.stride+at+k:], v)
			}
		}
	default:
		v := binary.LittleEndian.Uint32(p)
		for i := range n {
			e := uint32(d.deltas[0][i]) | uint32(d.deltas[1][i])<<8 | uint32(d.deltas[2][i])<<16 | uint32(d.deltas[3][i])<<24
			v ^= bits.RotateLeft32(e, -int(mode>>4))
			binary.LittleEndian.PutUint32(out[i*d.stride+at:], v)
		}
	}
}
