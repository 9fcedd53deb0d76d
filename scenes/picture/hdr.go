package picture

import (
	"bytes"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// decodeHDR reads a Radiance picture (Ward, "Real Pixels", Graphics Gems II):
// flat, old run-length and adaptive run-length scanlines. EXPOSURE lines are
// divided out; of the orientations only the common top-down one is read.
func decodeHDR(data []byte, limit int) (*Picture, error) {
	exposure := 1.0
	rest := data
	line := func() (string, bool) {
		i := bytes.IndexByte(rest, '\n')
		if i < 0 || i > 4096 {
			return "", false
		}
		s := string(rest[:i])
		rest = rest[i+1:]
		return s, true
	}
	for {
		s, ok := line()
		if !ok {
			return nil, fmt.Errorf("hdr: the header has no end")
		}
		if s == "" {
			break
		}
		if v, found := strings.CutPrefix(s, "EXPOSURE="); found {
			if e, err := strconv.ParseFloat(strings.TrimSpace(v), 64); err == nil && e > 0 {
				exposure *= e
			}
		}
		if v, found := strings.CutPrefix(s, "FORMAT="); found && strings.TrimSpace(v) != "32-bit_rle_rgbe" {
			return nil, fmt.Errorf("hdr: format %q is not read, only 32-bit_rle_rgbe", v)
		}
	}
	s, ok := line()
	if !ok {
		return nil, fmt.Errorf("hdr: the resolution is missing")
	}
	var w, h int
	if n, err := fmt.Sscanf(s, "-Y %d +X %d", &h, &w); n != 2 || err != nil {
		return nil, fmt.Errorf("hdr: the resolution %q is not read, only -Y height +X width", s)
	}
	if w < 1 || h < 1 || w > limit/h {
		return nil, fmt.Errorf("%w: hdr of %dx%d has more than %d pixels", ErrTooLarge, w, h, limit)
	}
	// A run-length scanline of w pixels has at least 4 + 4·ceil(w/127)·2 bytes: no size is believed that the data cannot hold.
	if len(rest) < h {
		return nil, fmt.Errorf("hdr: %d bytes cannot hold %dx%d pixels", len(rest), w, h)
	}
	out := make([]float32, w*h*4)
	scan := make([]byte, w*4)
	for y := range h {
		n, err := scanline(rest, scan, w)
		if err != nil {
			return nil, fmt.Errorf("hdr: row %d: %w", y, err)
		}
		rest = rest[n:]
		for x := range w {
			r, g, b, e := scan[x*4], scan[x*4+1], scan[x*4+2], scan[x*4+3]
			o := out[(y*w+x)*4:]
			o[3] = 1
			if e != 0 {
				f := math.Ldexp(1, int(e)-136) / exposure
				o[0], o[1], o[2] = float32(float64(r)*f), float32(float64(g)*f), float32(float64(b)*f)
			}
		}
	}
	return &Picture{Width: w, Height: h, Float: out, Format: "hdr"}, nil
}

var errShort = fmt.Errorf("the data ends too early")

// scanline reads one row of RGBE into dst and returns the bytes used.
func scanline(src, dst []byte, w int) (int, error) {
	if len(src) < 4 {
		return 0, errShort
	}
	if w >= 8 && w < 32768 && src[0] == 2 && src[1] == 2 && int(src[2])<<8|int(src[3]) == w {
		pos := 4
		for c := range 4 {
			for x := 0; x < w; {
				if pos >= len(src) {
					return 0, errShort
				}
				n := int(src[pos])
				pos++
				if n > 128 {
					n -= 128
					if pos >= len(src) || x+n > w {
						return 0, errShort
					}
					for range n {
						dst[x*4+c] = src[pos]
						x++
					}
					pos++
				} else {
					if n == 0 || pos+n > len(src) || x+n > w {
						return 0, errShort
					}
					for i := range n {
						dst[x*4+c] = src[pos+i]
						x++
					}
					pos += n
				}
			}
		}
		return pos, nil
	}
	pos, shift := 0, 0
	for x := 0; x < w; {
		if pos+4 > len(src) {
			return 0, errShort
		}
		p := src[pos : pos+4]
		pos += 4
		if p[0] == 1 && p[1] == 1 && p[2] == 1 && x > 0 {
			n := int(p[3]) << shift
			if n > w-x || shift > 24 {
				return 0, fmt.Errorf("a run is longer than the row")
			}
			for range n {
				copy(dst[x*4:x*4+4], dst[x*4-4:x*4])
				x++
			}
			shift += 8
			continue
		}
		shift = 0
		copy(dst[x*4:], p)
		x++
	}
	return pos, nil
}
