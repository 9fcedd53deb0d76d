package png

import "encoding/binary"

// put8 writes the pixels of an unfiltered row, of at most 8 bits a sample, to places x0, x0+dx, … below w of a row of straight RGBA.
func (f *file) put8(dst, row []byte, x0, dx, w int) error {
	switch f.colour {
	case rgba:
		if dx == 1 {
			copy(dst, row)
			return nil
		}
		for x := x0; x < w; x += dx {
			copy(dst[4*x:4*x+4], row[:4])
			row = row[4:]
		}
	case rgb:
		f.putRGB(dst, row, x0, dx, w)
	case grayAlpha:
		for x := x0; x < w; x += dx {
			d := dst[4*x : 4*x+4]
			d[0], d[1], d[2], d[3] = row[0], row[0], row[0], row[1]
			row = row[2:]
		}
	case gray:
		top := 1<<f.depth - 1
		clear := -1 // the sample that is transparent
		if f.transparent != nil {
			clear = int(binary.BigEndian.Uint16(f.transparent))
		}
		for i, x := 0, x0; x < w; i, x = i+1, x+dx {
			s := f.sample(row, i)
			v := byte(s * 255 / top)
			d := dst[4*x : 4*x+4]
			d[0], d[1], d[2], d[3] = v, v, v, 255
			if s == clear {
				d[3] = 0
			}
		}
	case palette:
		for i, x := 0, x0; x < w; i, x = i+1, x+dx {
			s := f.sample(row, i)
			if 3*s+3 > len(f.palette) {
				return bad("palette index %d is beyond the palette of %d colours", s, len(f.palette)/3)
			}
			d := dst[4*x : 4*x+4]
			copy(d, f.palette[3*s:3*s+3])
			d[3] = 255
			if s < len(f.transparent) {
				d[3] = f.transparent[s]
			}
		}
	}
	return nil
}

func (f *file) putRGB(dst, row []byte, x0, dx, w int) {
	if f.transparent == nil && dx == 1 {
		dst = dst[:4*w]
		for len(dst) >= 4 && len(row) >= 3 {
			dst[0], dst[1], dst[2], dst[3] = row[0], row[1], row[2], 255
			dst, row = dst[4:], row[3:]
		}
		return
	}
	for x := x0; x < w; x += dx {
		d := dst[4*x : 4*x+4]
		d[0], d[1], d[2], d[3] = row[0], row[1], row[2], 255
		if t := f.transparent; t != nil && t[0]|t[2]|t[4] == 0 && row[0] == t[1] && row[1] == t[3] && row[2] == t[5] {
			d[3] = 0
		}
		row = row[3:]
	}
}

// sample i of a row with one channel of 1, 2, 4 or 8 bits; the leftmost pixel has the high bits.
func (f *file) sample(row []byte, i int) int {
	if f.depth == 8 {
		return int(row[i])
	}
	d := int(f.depth)
	per := 8 / d
	return int(row[i/per]) >> (8 - d - i%per*d) & (1<<d - 1)
}

// put16 is put8 for 16 bits a sample; both file and picture are big-endian.
func (f *file) put16(dst, row []byte, x0, dx, w int) {
	n := f.channels() * 2
	for x := x0; x < w; x += dx {
		d, s := dst[8*x:8*x+8], row[:n]
		row = row[n:]
		d[6], d[7] = 255, 255
		switch f.colour {
		case rgba:
			copy(d, s)
		case rgb:
			copy(d, s)
			if f.transparent != nil && string(s) == string(f.transparent) {
				d[6], d[7] = 0, 0
			}
		case gray, grayAlpha:
			for c := range 3 {
				d[2*c], d[2*c+1] = s[0], s[1]
			}
			if f.colour == grayAlpha {
				d[6], d[7] = s[2], s[3]
			} else if f.transparent != nil && string(s) == string(f.transparent) {
				d[6], d[7] = 0, 0
			}
		}
	}
}
