package picture

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// maxHeader bounds a Radiance header; real ones have a few hundred bytes.
const maxHeader = 64 << 10

var errShort = errors.New("the data ends too early")

// hdrHead is what the header of a Radiance picture says.
type hdrHead struct {
	width, height int
	exposure      float64
	// columns: a scanline is a column. The others say that the axis runs against
	// the usual way, right and down.
	columns, leftward, upward bool
}

// decodeHDR reads a Radiance picture (Ward, "Real Pixels", Graphics Gems II;
// Radiance's file format reference): flat, old run-length and adaptive
// run-length scanlines, in any of the eight orientations. A component c of
// a pixel with exponent e is c·2^(e-136).
func decodeHDR(data []byte, limit int) (*Picture, error) {
	head, rest, err := hdrHeader(data)
	if err != nil {
		return nil, err
	}
	w, h := head.width, head.height
	if err := checkSize(w, h, limit); err != nil {
		return nil, err
	}
	lines, length := h, w
	if head.columns {
		lines, length = w, h
	}
	if len(rest)/4 < lines {
		return nil, fmt.Errorf("%d bytes cannot hold %d scanlines of %d pixels", len(rest), lines, length)
	}
	scan := make([]byte, length*4)
	// The data is walked once for its errors, so that room is only made for
	// pixels that are there.
	for i, b := 0, rest; i < lines; i++ {
		n, err := scanline(b, scan, length)
		if err != nil {
			return nil, fmt.Errorf("scanline %d of %d: %w", i, lines, err)
		}
		b = b[n:]
	}
	var scale [256]float32
	for e := 1; e < 256; e++ {
		scale[e] = float32(math.Ldexp(1, e-136))
	}
	out := make([]float32, w*h*4)
	for i := range lines {
		n, err := scanline(rest, scan, length)
		if err != nil {
			return nil, err
		}
		rest = rest[n:]
		for j := range length {
			x, y := j, i
			if head.columns {
				x, y = i, j
			}
			if head.leftward {
				x = w - 1 - x
			}
			if head.upward {
				y = h - 1 - y
			}
			s, o := scan[j*4:j*4+4], out[(y*w+x)*4:(y*w+x)*4+4]
			f := scale[s[3]]
			o[0], o[1], o[2], o[3] = float32(s[0])*f, float32(s[1])*f, float32(s[2])*f, 1
		}
	}
	return &Picture{Width: w, Height: h, Float: out, Exposure: head.exposure}, nil
}

// hdrHeader reads the lines up to the empty one and the resolution, and
// returns the bytes after it.
func hdrHeader(data []byte) (hdrHead, []byte, error) {
	head := hdrHead{exposure: 1}
	rest := data
	line := func() (string, bool) {
		i := bytes.IndexByte(rest, '\n')
		if i < 0 || len(data)-len(rest)+i > maxHeader {
			return "", false
		}
		s := strings.TrimSuffix(string(rest[:i]), "\r")
		rest = rest[i+1:]
		return s, true
	}
	for {
		s, ok := line()
		if !ok {
			return head, nil, errors.New("the header has no end")
		}
		if s == "" {
			break
		}
		key, value, _ := strings.Cut(s, "=")
		switch value = strings.TrimSpace(value); strings.TrimSpace(key) {
		case "EXPOSURE":
			e, err := strconv.ParseFloat(value, 64)
			if err != nil || !(e > 0) || e*head.exposure > math.MaxFloat32 || e*head.exposure == 0 {
				return head, nil, fmt.Errorf("the exposure %.32q is not a positive number", value)
			}
			head.exposure *= e
		case "FORMAT":
			if value != "32-bit_rle_rgbe" {
				return head, nil, fmt.Errorf("the format %.32q is not read, only 32-bit_rle_rgbe", value)
			}
		}
	}
	s, ok := line()
	if !ok {
		return head, nil, errors.New("the resolution is missing")
	}
	f := strings.Fields(s)
	if len(f) == 4 && len(f[0]) == 2 && len(f[2]) == 2 {
		a, errA := strconv.Atoi(f[1])
		b, errB := strconv.Atoi(f[3])
		axes := f[0] + f[2]
		ok := errA == nil && errB == nil && a > 0 && b > 0 && a <= math.MaxInt32 && b <= math.MaxInt32
		for _, sign := range []int{0, 2} {
			if axes[sign] != '+' && axes[sign] != '-' {
				ok = false
			}
		}
		switch {
		case ok && axes[1] == 'Y' && axes[3] == 'X':
			head.height, head.width, head.upward, head.leftward = a, b, axes[0] == '+', axes[2] == '-'
			return head, rest, nil
		case ok && axes[1] == 'X' && axes[3] == 'Y':
			head.columns = true
			head.width, head.height, head.leftward, head.upward = a, b, axes[0] == '-', axes[2] == '+'
			return head, rest, nil
		}
	}
	return head, nil, fmt.Errorf("the resolution %.64q is not read; one looks like -Y height +X width", s)
}

// scanline reads one row of n RGBE pixels into dst and returns the bytes used.
func scanline(src, dst []byte, n int) (int, error) {
	if len(src) < 4 {
		return 0, errShort
	}
	if n < 8 || n > 0x7fff || src[0] != 2 || src[1] != 2 || src[2]&0x80 != 0 {
		return oldScanline(src, dst, n)
	}
	if got := int(src[2])<<8 | int(src[3]); got != n {
		return 0, fmt.Errorf("it says that it has %d pixels, want %d", got, n)
	}
	// The components come one after another, each run-length encoded.
	pos := 4
	for c := range 4 {
		for x := 0; x < n; {
			if pos+1 >= len(src) {
				return 0, errShort
			}
			count := int(src[pos])
			pos++
			run := count > 128
			if run {
				count -= 128
			}
			if count == 0 || count > n-x {
				return 0, fmt.Errorf("a run of %d does not fit at pixel %d of %d", count, x, n)
			}
			if run {
				v := src[pos]
				pos++
				for ; count > 0; count-- {
					dst[x*4+c] = v
					x++
				}
				continue
			}
			if count > len(src)-pos {
				return 0, errShort
			}
			for _, v := range src[pos : pos+count] {
				dst[x*4+c] = v
				x++
			}
			pos += count
		}
	}
	return pos, nil
}

// oldScanline reads whole pixels, among which (1, 1, 1, n) repeats the one
// before n times; each such pixel in a row counts 256 times the one before.
func oldScanline(src, dst []byte, n int) (int, error) {
	pos, shift := 0, 0
	for x := 0; x < n; {
		if len(src)-pos < 4 {
			return 0, errShort
		}
		p := src[pos : pos+4]
		pos += 4
		if p[0] != 1 || p[1] != 1 || p[2] != 1 {
			copy(dst[x*4:], p)
			x++
			shift = 0
			continue
		}
		if x == 0 {
			return 0, errors.New("it begins with a run")
		}
		if shift > 16 || int(p[3])<<shift > n-x {
			return 0, fmt.Errorf("a run of %d does not fit at pixel %d of %d", int(p[3])<<min(shift, 24), x, n)
		}
		for range int(p[3]) << shift {
			copy(dst[x*4:x*4+4], dst[x*4-4:x*4])
			x++
		}
		shift += 8
	}
	return pos, nil
}
