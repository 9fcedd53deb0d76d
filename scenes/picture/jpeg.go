package picture

import (
	"bytes"
	"errors"
	"fmt"
)

// A JPEG decoder of our own (ITU-T T.81: sequential and progressive Huffman,
// 8 bits), since the standard library's rounds its transform otherwise than
// libjpeg and repeats chroma samples where libjpeg interpolates: the latter is
// worth up to 70 of 255 at the edges of a 4:2:0 picture.

// jpegComponent is a colour component of the frame.
type jpegComponent struct {
	id, quant byte
	h, v      int // sampling factors
	dw, dh    int // size in samples
	bw, bh    int // size in blocks, whole MCUs
	samples   []byte
	coeffs    [][64]int16 // of progressive frames, bw·bh blocks
	table     [64]int32   // dequantisation, taken at the first scan
	scanned   bool
	pred      int32
	dc, ac    *huffman // of the current scan
}

type jpegDecoder struct {
	data        []byte
	pos         int
	width       int
	height      int
	progressive bool
	comps       []jpegComponent
	maxH, maxV  int
	quant       [4]*[64]int32
	dc, ac      [4]huffman
	interval    int // MCUs between restart markers
	visits      int // blocks that may still be visited
	jfif        bool
	adobe       int // transform of the Adobe segment, -1 without one
	exif        []byte
}

// decodeJPEG decodes what libjpeg with its defaults decodes, to the same bits.
func decodeJPEG(data []byte, limit int) (*Picture, error) {
	d := &jpegDecoder{data: data, pos: 2, adobe: -1}
	if err := d.segments(limit); err != nil {
		return nil, err
	}
	for i := range d.comps {
		c := &d.comps[i]
		if !c.scanned {
			return nil, fmt.Errorf("component %d has no scan", c.id)
		}
		for at := range c.coeffs {
			inverseDCT(&c.coeffs[at], &c.table, c.samples[(at/c.bw*c.bw*8+at%c.bw)*8:], c.bw*8)
		}
		c.coeffs = nil
	}
	p := &Picture{Width: d.width, Height: d.height}
	var err error
	if p.Pix, err = d.colour(); err != nil {
		return nil, err
	}
	return p.orient(exifOrientation(d.exif)), nil
}

// segments reads all markers up to the end of the image or of the data.
func (d *jpegDecoder) segments(limit int) error {
	for {
		i := bytes.IndexByte(d.data[min(d.pos, len(d.data)):], 0xff)
		if i < 0 {
			return d.end()
		}
		d.pos += i + 1
		for d.pos < len(d.data) && d.data[d.pos] == 0xff {
			d.pos++
		}
		if d.pos >= len(d.data) {
			return d.end()
		}
		m := d.data[d.pos]
		d.pos++
		switch {
		case m == 0xd9: // end of image
			return d.end()
		case m <= 0x01 || m >= 0xd0 && m <= 0xd8: // stuffing, restart, start of image
			continue
		}
		if d.pos+2 > len(d.data) {
			return errShort
		}
		n := int(d.data[d.pos])<<8 | int(d.data[d.pos+1])
		if n < 2 || d.pos+n > len(d.data) {
			return fmt.Errorf("segment %#x has %d bytes, %d are there", m, n, len(d.data)-d.pos)
		}
		body := d.data[d.pos+2 : d.pos+n]
		d.pos += n
		var err error
		switch m {
		case 0xc0, 0xc1, 0xc2:
			d.progressive = m == 0xc2
			err = d.frame(body, limit)
		case 0xc4:
			err = d.huffmanTables(body)
		case 0xda:
			err = d.scan(body)
		case 0xdb:
			err = d.quantTables(body)
		case 0xdd:
			if len(body) < 2 {
				return errShort
			}
			d.interval = int(body[0])<<8 | int(body[1])
		case 0xe0:
			d.jfif = d.jfif || bytes.HasPrefix(body, []byte("JFIF\x00"))
		case 0xe1:
			if b, ok := bytes.CutPrefix(body, []byte("Exif\x00\x00")); ok && d.exif == nil {
				d.exif = b
			}
		case 0xee:
			if len(body) >= 12 && string(body[:5]) == "Adobe" {
				d.adobe = int(body[11])
			}
		case 0xc3, 0xc5, 0xc6, 0xc7, 0xc8, 0xc9, 0xca, 0xcb, 0xcd, 0xce, 0xcf:
			return fmt.Errorf("frames of kind %#x (lossless, hierarchical or arithmetic) are not read", m)
		}
		if err != nil {
			return err
		}
	}
}

func (d *jpegDecoder) end() error {
	if len(d.comps) == 0 {
		return errShort
	}
	return nil
}

func (d *jpegDecoder) frame(b []byte, limit int) error {
	if len(d.comps) > 0 {
		return errors.New("it has two frames")
	}
	if len(b) < 6 || len(b) < 6+3*int(b[5]) {
		return errShort
	}
	if b[0] != 8 {
		return fmt.Errorf("samples of %d bits are not read, only 8", b[0])
	}
	d.height, d.width = int(b[1])<<8|int(b[2]), int(b[3])<<8|int(b[4])
	if err := checkSize(d.width, d.height, limit); err != nil {
		return err
	}
	n := int(b[5])
	if n != 1 && n != 3 && n != 4 {
		return fmt.Errorf("%d components are not read, only 1, 3 or 4", n)
	}
	comps := make([]jpegComponent, n)
	for i := range comps {
		c, s := &comps[i], b[6+3*i:]
		c.id, c.h, c.v, c.quant = s[0], int(s[1]>>4), int(s[1]&15), s[2]
		if c.h < 1 || c.h > 4 || c.v < 1 || c.v > 4 || c.quant > 3 {
			return fmt.Errorf("component %d has sampling factors %dx%d and table %d", c.id, c.h, c.v, c.quant)
		}
		for _, o := range comps[:i] {
			if o.id == c.id {
				return fmt.Errorf("two components have the number %d", c.id)
			}
		}
		d.maxH, d.maxV = max(d.maxH, c.h), max(d.maxV, c.v)
	}
	mx, my := ceilDiv(d.width, 8*d.maxH), ceilDiv(d.height, 8*d.maxV)
	blocks := 0
	for i := range comps {
		c := &comps[i]
		c.dw, c.dh = ceilDiv(d.width*c.h, d.maxH), ceilDiv(d.height*c.v, d.maxV)
		c.bw, c.bh = mx*c.h, my*c.v
		blocks += c.bw * c.bh
	}
	// A block costs a bit at the least; a file that is cut off is an error in any case.
	if blocks/8 > len(d.data) {
		return fmt.Errorf("%d bytes cannot hold %dx%d pixels", len(d.data), d.width, d.height)
	}
	// An encoder's progression visits a block about ten times; hostile ones
	// have thousands of scans of a few bytes.
	d.visits = 32*blocks + 1<<20
	for i := range comps {
		c := &comps[i]
		c.samples = make([]byte, c.bw*c.bh*64)
		if d.progressive {
			c.coeffs = make([][64]int16, c.bw*c.bh)
		}
	}
	d.comps = comps
	return nil
}

func ceilDiv(a, b int) int { return (a + b - 1) / b }

// zigzag is the place in a block of the k-th coefficient (T.81, figure A.6).
var zigzag = [64]uint8{
	0, 1, 8, 16, 9, 2, 3, 10, 17, 24, 32, 25, 18, 11, 4, 5,
	12, 19, 26, 33, 40, 48, 41, 34, 27, 20, 13, 6, 7, 14, 21, 28,
	35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23, 30, 37, 44, 51,
	58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61, 54, 47, 55, 62, 63,
}

func (d *jpegDecoder) quantTables(b []byte) error {
	for len(b) > 0 {
		wide, id := int(b[0]>>4), b[0]&15
		if wide > 1 || id > 3 {
			return fmt.Errorf("quantisation table %d of precision %d is not read", id, wide)
		}
		size := 64 << wide
		if len(b) < 1+size {
			return errShort
		}
		t := new([64]int32)
		for k := range 64 {
			if wide == 1 {
				t[zigzag[k]] = int32(b[1+2*k])<<8 | int32(b[2+2*k])
			} else {
				t[zigzag[k]] = int32(b[1+k])
			}
		}
		d.quant[id] = t
		b = b[1+size:]
	}
	return nil
}

func (d *jpegDecoder) huffmanTables(b []byte) error {
	for len(b) > 0 {
		class, id := b[0]>>4, b[0]&15
		if class > 1 || id > 3 || len(b) < 17 {
			return fmt.Errorf("Huffman table %d of class %d is not read", id, class)
		}
		n := 0
		for _, c := range b[1:17] {
			n += int(c)
		}
		if n > 256 || len(b) < 17+n {
			return errShort
		}
		t := &d.dc[id]
		if class == 1 {
			t = &d.ac[id]
		}
		if err := t.build(b[1:17], b[17:17+n]); err != nil {
			return err
		}
		b = b[17+n:]
	}
	return nil
}
