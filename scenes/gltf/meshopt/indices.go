package meshopt

import (
	"encoding/binary"
	"fmt"
)

// varints reads numbers of up to five bytes, seven bits each.
type varints struct {
	data []byte
	bad  bool
}

func (v *varints) next() uint32 {
	var x uint32
	for i := range 5 {
		if i >= len(v.data) {
			break
		}
		x |= uint32(v.data[i]&0x7f) << (7 * i)
		if v.data[i] < 0x80 {
			v.data = v.data[i+1:]
			return x
		}
	}
	v.bad = true
	v.data = nil
	return 0
}

func (v *varints) byte() byte {
	if len(v.data) == 0 {
		v.bad = true
		return 0
	}
	b := v.data[0]
	v.data = v.data[1:]
	return b
}

// zigzag is the number whose lowest bit is its sign.
func zigzag(v uint32) uint32 { return v>>1 ^ -(v & 1) }

// put appends an index of 2 or 4 bytes.
func put(out []byte, stride int, v uint32) []byte {
	if stride == 2 {
		return binary.LittleEndian.AppendUint16(out, uint16(v))
	}
	return binary.LittleEndian.AppendUint32(out, v)
}

// triangles decodes mode 1: triangles that share an edge with one of the last,
// most of them a byte each.
func triangles(data []byte, count, stride int) ([]byte, error) {
	n := count / 3
	if len(data) < 1+n+16 {
		return nil, errShort
	}
	if data[0] != 0xe1 {
		return nil, fmt.Errorf("header %#x is not that of triangles, version 1", data[0])
	}
	codes, table := data[1:1+n], data[len(data)-16:]
	for i, c := range table {
		if c>>4 == 15 || c&15 == 15 || i >= 14 && c != 0 {
			return nil, fmt.Errorf("the table of codes is wrong: %w", ErrBroken)
		}
	}
	d := triangleDecoder{extra: varints{data: data[1+n : len(data)-16]}}
	out := make([]byte, 0, count*stride)
	for i, code := range codes {
		a, b, c := d.triangle(code, table)
		if d.extra.bad || d.unset {
			return nil, fmt.Errorf("triangle %d: %w", i, ErrBroken)
		}
		out = put(put(put(out, stride, a), stride, b), stride, c)
	}
	if len(d.extra.data) != 0 {
		return nil, fmt.Errorf("%d bytes are left over: %w", len(d.extra.data), ErrBroken)
	}
	return out, nil
}

type triangleDecoder struct {
	extra    varints
	high     uint32 // the index that is expected next
	last     uint32 // the one that was coded last
	edges    [16][2]uint32
	vertices [16]uint32
	edgeN    uint // of edges that were written, and of vertices
	vertexN  uint
	unset    bool // one was read that was not written
}

func (d *triangleDecoder) edge(back byte) (uint32, uint32) {
	d.unset = d.unset || uint(back) >= d.edgeN
	e := d.edges[(d.edgeN-1-uint(back))%16]
	return e[0], e[1]
}

func (d *triangleDecoder) vertex(back byte) uint32 {
	d.unset = d.unset || uint(back) >= d.vertexN
	return d.vertices[(d.vertexN-1-uint(back))%16]
}

func (d *triangleDecoder) pushEdge(a, b uint32) {
	d.edges[d.edgeN%16] = [2]uint32{a, b}
	d.edgeN++
}

func (d *triangleDecoder) pushVertex(v uint32) {
	d.vertices[d.vertexN%16] = v
	d.vertexN++
}

// fresh is the next new index.
func (d *triangleDecoder) fresh() uint32 {
	d.high++
	return d.high - 1
}

// explicit is an index coded as the difference from the last such one.
func (d *triangleDecoder) explicit() uint32 {
	d.last += zigzag(d.extra.next())
	return d.last
}

// index is a new index, one of the last, or an explicit one.
func (d *triangleDecoder) index(code byte) uint32 {
	switch code {
	case 0:
		return d.fresh()
	case 15:
		return d.explicit()
	}
	return d.vertex(code - 1)
}

func (d *triangleDecoder) triangle(code byte, table []byte) (a, b, c uint32) {
	x, y := code>>4, code&15
	if x < 15 {
		a, b = d.edge(x)
		switch {
		case y == 0:
			c = d.fresh()
		case y < 13:
			c = d.vertex(y)
		case y == 15:
			c = d.explicit()
		default:
			if y == 13 {
				d.last--
			} else {
				d.last++
			}
			c = d.last
		}
		d.pushEdge(c, b)
		d.pushEdge(a, c)
		if y == 0 || y >= 13 {
			d.pushVertex(c)
		}
		return a, b, c
	}
	var aux byte
	if y < 14 {
		aux = table[y]
	} else if aux = d.extra.byte(); aux == 0 {
		d.high = 0
	}
	z, w := aux>>4, aux&15
	if y == 15 {
		a = d.explicit()
	} else {
		a = d.fresh()
	}
	b, c = d.index(z), d.index(w)
	d.pushEdge(b, a)
	d.pushEdge(c, b)
	d.pushEdge(a, c)
	d.pushVertex(a)
	if z == 0 || z == 15 {
		d.pushVertex(b)
	}
	if w == 0 || w == 15 {
		d.pushVertex(c)
	}
	return a, b, c
}

// indices decodes mode 2: differences from one of two indices before.
func indices(data []byte, count, stride int) ([]byte, error) {
	if len(data) < 1+count+4 {
		return nil, errShort
	}
	if data[0] != 0xd1 {
		return nil, fmt.Errorf("header %#x is not that of indices, version 1", data[0])
	}
	v := varints{data: data[1 : len(data)-4]}
	out := make([]byte, 0, count*stride)
	var last [2]uint32
	for range count {
		x := v.next()
		last[x&1] += zigzag(x >> 1)
		out = put(out, stride, last[x&1])
	}
	if v.bad || len(v.data) != 0 {
		return nil, fmt.Errorf("%d bytes are left over, or too few: %w", len(v.data), ErrBroken)
	}
	return out, nil
}
