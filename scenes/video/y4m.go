package video

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// Y4M is an uncompressed YUV4MPEG2 file, of which one frame is in memory.
type Y4M struct {
	clock
	w, h    int
	cw, ch  int // size of the chroma planes; 0: none
	full    bool
	offsets []int64
	size    int
	src     io.ReaderAt
	last    int
	buf     []byte
	pix     []byte
}

// OpenY4M reads the header of a YUV4MPEG2 file of n bytes and finds its
// frames. 8-bit 4:2:0, 4:2:2, 4:4:4 and grey are read. Colours are BT.601 below
// 720 lines and BT.709 from there on, as browsers take them, of limited range
// unless the header says XCOLORRANGE=FULL; each chroma sample covers its pixels.
func OpenY4M(src io.ReaderAt, n int64) (*Y4M, error) {
	v := &Y4M{src: src, last: -1}
	r := bufio.NewReaderSize(io.NewSectionReader(src, 0, min(n, 4096)), 4096)
	head, err := r.ReadString('\n')
	if err != nil || !strings.HasPrefix(head, "YUV4MPEG2 ") {
		return nil, fmt.Errorf("%w: it does not begin with a line YUV4MPEG2", ErrFormat)
	}
	fps, err := v.header(strings.Fields(head)[1:])
	if err != nil {
		return nil, fmt.Errorf("Y4M: %w", err)
	}
	v.size = v.w*v.h + 2*v.cw*v.ch
	at := int64(len(head))
	line := make([]byte, 256)
	for at < n {
		k, err := src.ReadAt(line, at)
		if err != nil && err != io.EOF {
			return nil, fmt.Errorf("Y4M: frame %d: %w", len(v.offsets), err)
		}
		end := bytes.IndexByte(line[:k], '\n')
		if end < 0 || !bytes.HasPrefix(line[:k], []byte("FRAME")) {
			return nil, fmt.Errorf("%w: Y4M: frame %d does not begin with FRAME, at byte %d", ErrFormat, len(v.offsets), at)
		}
		at += int64(end) + 1
		if n-at < int64(v.size) {
			return nil, fmt.Errorf("%w: Y4M: frame %d has %d bytes, want %d: the file is cut off", ErrFormat, len(v.offsets), n-at, v.size)
		}
		v.offsets = append(v.offsets, at)
		at += int64(v.size)
	}
	if len(v.offsets) == 0 {
		return nil, fmt.Errorf("%w: Y4M: there is no frame", ErrFormat)
	}
	v.clock = steady(len(v.offsets), fps)
	return v, nil
}

// header reads the parameters and returns the frame rate.
func (v *Y4M) header(params []string) (fps float64, err error) {
	chroma := "420jpeg"
	for _, p := range params {
		switch value := p[1:]; p[0] {
		case 'W':
			v.w, err = strconv.Atoi(value)
		case 'H':
			v.h, err = strconv.Atoi(value)
		case 'F':
			num, den, ok := strings.Cut(value, ":")
			a, err1 := strconv.ParseFloat(num, 64)
			b, err2 := strconv.ParseFloat(den, 64)
			if !ok || err1 != nil || err2 != nil || !(a > 0 && b > 0 && a/b <= 1e6) {
				return 0, fmt.Errorf("%w: the frame rate %q is no positive ratio", ErrFormat, value)
			}
			fps = a / b
		case 'I':
			if value != "p" && value != "?" {
				return 0, fmt.Errorf("%w: interlaced frames (I%s) are not read", ErrFormat, value)
			}
		case 'C':
			chroma = value
		case 'X':
			v.full = v.full || value == "COLORRANGE=FULL"
		}
		if err != nil {
			return 0, fmt.Errorf("%w: parameter %q", ErrFormat, p)
		}
	}
	if fps == 0 {
		return 0, fmt.Errorf("%w: there is no frame rate", ErrFormat)
	}
	if err := checkSize(v.w, v.h); err != nil {
		return 0, err
	}
	switch chroma {
	case "420", "420jpeg", "420mpeg2", "420paldv":
		v.cw, v.ch = (v.w+1)/2, (v.h+1)/2
	case "422":
		v.cw, v.ch = (v.w+1)/2, v.h
	case "444":
		v.cw, v.ch = v.w, v.h
	case "mono":
	default:
		return 0, fmt.Errorf("%w: the colour space C%s is not read; 8-bit 420, 422, 444 and mono are", ErrFormat, chroma)
	}
	return fps, nil
}

// Size implements shader.FrameSource.
func (v *Y4M) Size() (width, height int) { return v.w, v.h }

// At implements shader.FrameSource. The picture is good until the next call.
func (v *Y4M) At(t float64) ([]byte, error) {
	i := v.Frame(t)
	if i == v.last {
		return v.pix, nil
	}
	if v.buf == nil {
		v.buf, v.pix = make([]byte, v.size), make([]byte, 4*v.w*v.h)
	}
	if _, err := v.src.ReadAt(v.buf, v.offsets[i]); err != nil && err != io.EOF {
		return nil, fmt.Errorf("Y4M: frame %d: %w", i, err)
	}
	v.last = i
	v.convert()
	return v.pix, nil
}

// convert turns the planes in buf into RGBA in pix. Kr and Kb of ITU-R BT.601
// and BT.709, section 3; limited range puts black at 16, white at 235 and
// chroma between 16 and 240.
func (v *Y4M) convert() {
	kr, kb := 0.299, 0.114
	if v.h >= 720 {
		kr, kb = 0.2126, 0.0722
	}
	scale, offset, chroma := 1.0, 0.0, 1.0
	if !v.full {
		scale, offset, chroma = 255.0/219, 16, 255.0/224
	}
	kg := 1 - kr - kb
	red, blue := 2*(1-kr)*chroma, 2*(1-kb)*chroma
	greenU, greenV := -2*kb*(1-kb)/kg*chroma, -2*kr*(1-kr)/kg*chroma
	luma, u, w := v.buf[:v.w*v.h], v.buf[v.w*v.h:], v.buf[v.w*v.h:]
	if v.cw > 0 {
		w = u[v.cw*v.ch:]
	}
	for y := range v.h {
		for x := range v.w {
			l := (float64(luma[y*v.w+x]) - offset) * scale
			r, g, b := l, l, l
			if v.cw > 0 {
				cx, cy := x, y
				if v.cw != v.w {
					cx /= 2
				}
				if v.ch != v.h {
					cy /= 2
				}
				at := cy*v.cw + cx
				cb, cr := float64(u[at])-128, float64(w[at])-128
				r, g, b = l+red*cr, l+greenU*cb+greenV*cr, l+blue*cb
			}
			o := v.pix[(y*v.w+x)*4:]
			o[0], o[1], o[2], o[3] = level(r), level(g), level(b), 255
		}
	}
}

// level rounds to a byte.
func level(x float64) byte {
	switch {
	case x <= 0:
		return 0
	case x >= 255:
		return 255
	}
	return byte(x + 0.5)
}
