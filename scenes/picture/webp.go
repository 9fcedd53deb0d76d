package picture

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"image"

	"golang.org/x/image/webp"
)

var errBroken = errors.New("the data is broken")

// decodeWebP decodes a still WebP, or the first frame of an animated one onto
// its canvas. A lossy picture's colour is converted as libwebp does (studio
// range BT.601, chroma interpolated); the decoder underneath hands out the
// planes.
func decodeWebP(data []byte, limit int) (*Picture, error) {
	var canvas, frame image.Rectangle
	var still []byte
	body := data[12:]
	if n := int(binary.LittleEndian.Uint32(data[4:])); n >= 4 && n-4 < len(body) {
		body = body[:n-4]
	}
	err := riff(body, func(id string, b []byte) error {
		w, h, err := webpSize(id, b)
		if err != nil || w == 0 {
			return err
		}
		if err := checkSize(w, h, limit); err != nil {
			return err
		}
		switch {
		case id == "VP8X":
			canvas = image.Rect(0, 0, w, h)
		case id == "ANMF" && still == nil:
			if len(b) < 16 {
				return errBroken
			}
			frame = image.Rect(0, 0, w, h).Add(image.Pt(uint24(b)*2, uint24(b[3:])*2))
			if !frame.In(canvas) {
				return fmt.Errorf("the first frame %v lies outside the canvas %v", frame, canvas)
			}
			var err error
			still, err = stillOf(b[16:], w, h, limit)
			return err
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if still == nil {
		return webpStill(data)
	}
	p, err := webpStill(still)
	if err != nil {
		return nil, err
	}
	if p.Width != frame.Dx() || p.Height != frame.Dy() {
		return nil, fmt.Errorf("the first frame is %dx%d, its header says %dx%d", p.Width, p.Height, frame.Dx(), frame.Dy())
	}
	out := &Picture{Width: canvas.Dx(), Height: canvas.Dy(), Pix: make([]byte, canvas.Dx()*canvas.Dy()*4)}
	for y := range p.Height {
		copy(out.Pix[((frame.Min.Y+y)*out.Width+frame.Min.X)*4:], p.Pix[y*p.Width*4:(y+1)*p.Width*4])
	}
	return out, nil
}

// riff calls f with each chunk of body.
func riff(body []byte, f func(id string, data []byte) error) error {
	for len(body) >= 8 {
		id, n := string(body[:4]), binary.LittleEndian.Uint32(body[4:])
		body = body[8:]
		if uint64(n) > uint64(len(body)) {
			return fmt.Errorf("chunk %q has %d bytes, %d are there", id, n, len(body))
		}
		if err := f(id, body[:n]); err != nil {
			return err
		}
		body = body[min(len(body), int(n+n&1)):]
	}
	return nil
}

// webpSize is the size that a chunk declares, 0 for chunks that declare none.
func webpSize(id string, b []byte) (w, h int, err error) {
	switch {
	case id == "VP8 " && len(b) >= 10:
		return int(binary.LittleEndian.Uint16(b[6:]) & 0x3fff), int(binary.LittleEndian.Uint16(b[8:]) & 0x3fff), nil
	case id == "VP8L" && len(b) >= 5:
		v := binary.LittleEndian.Uint32(b[1:])
		return int(v&0x3fff) + 1, int(v>>14&0x3fff) + 1, nil
	case id == "VP8X" && len(b) >= 10:
		return uint24(b[4:]) + 1, uint24(b[7:]) + 1, nil
	case id == "ANMF" && len(b) >= 16:
		return uint24(b[6:]) + 1, uint24(b[9:]) + 1, nil
	case id == "VP8 " || id == "VP8L" || id == "VP8X" || id == "ANMF":
		return 0, 0, fmt.Errorf("chunk %q is cut off", id)
	}
	return 0, 0, nil
}

func uint24(b []byte) int { return int(b[0]) | int(b[1])<<8 | int(b[2])<<16 }

// stillOf wraps the chunks of an animation frame as a file of its own.
func stillOf(chunks []byte, w, h, limit int) ([]byte, error) {
	var alpha byte
	err := riff(chunks, func(id string, b []byte) error {
		if id == "ALPH" {
			alpha = 0x10
		}
		w, h, err := webpSize(id, b)
		if err == nil && w > 0 {
			err = checkSize(w, h, limit)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	out := []byte("RIFF\x00\x00\x00\x00WEBP")
	if alpha != 0 {
		out = append(out, "VP8X\x0a\x00\x00\x00"...)
		w, h := w-1, h-1
		out = append(out, alpha, 0, 0, 0, byte(w), byte(w>>8), byte(w>>16), byte(h), byte(h>>8), byte(h>>16))
	}
	out = append(out, chunks...)
	binary.LittleEndian.PutUint32(out[4:], uint32(len(out)-8))
	return out, nil
}

func webpStill(data []byte) (*Picture, error) {
	m, err := webp.Decode(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	b := m.Bounds()
	p := &Picture{Width: b.Dx(), Height: b.Dy()}
	switch m := m.(type) {
	case *image.YCbCr:
		p.Pix, err = studioRGBA(m)
	case *image.NYCbCrA:
		if p.Pix, err = studioRGBA(&m.YCbCr); err != nil {
			break
		}
		for y := range p.Height {
			row := p.Pix[y*p.Width*4:]
			for x, a := range m.A[y*m.AStride:][:p.Width] {
				row[x*4+3] = a
			}
		}
	default:
		p.Pix = straight(m)
	}
	return p, err
}

// studioRGBA converts 4:2:0 planes as libwebp does: each chroma sample is
// weighed 9:3:3:1 with its neighbours in two rounding steps, then BT.601
// with 14-bit factors (RFC 6386, section 9.2, and libwebp's dsp/yuv.h).
func studioRGBA(m *image.YCbCr) ([]byte, error) {
	if m.SubsampleRatio != image.YCbCrSubsampleRatio420 {
		return nil, errBroken
	}
	w, h := m.Rect.Dx(), m.Rect.Dy()
	cw, ch := (w+1)/2, (h+1)/2
	out := make([]byte, w*h*4)
	cb, cr := make([]int32, 2*cw), make([]int32, 2*cw)
	for y := range h {
		// Odd rows lie nearer to the chroma row above, even ones to that below.
		near := y / 2
		far := near - 1
		if y&1 == 1 {
			far = near + 1
		}
		far = min(max(far, 0), ch-1)
		interpolate(cb, m.Cb[near*m.CStride:][:cw], m.Cb[far*m.CStride:][:cw])
		interpolate(cr, m.Cr[near*m.CStride:][:cw], m.Cr[far*m.CStride:][:cw])
		row := out[y*w*4:][:w*4]
		for x, l := range m.Y[y*m.YStride:][:w] {
			l, u, v := int32(l)*19077>>8, cb[x], cr[x]
			row[x*4] = clip6(l + v*26149>>8 - 14234)
			row[x*4+1] = clip6(l - u*6419>>8 - v*13320>>8 + 8708)
			row[x*4+2] = clip6(l + u*33050>>8 - 17685)
			row[x*4+3] = 255
		}
	}
	return out, nil
}

// interpolate doubles a chroma row, weighing in the row on the other side.
// The rounding is libwebp's: the mean of the sample and of a diagonal mean.
func interpolate(dst []int32, near, far []byte) {
	n := len(near)
	edge := func(i int) int32 { return (3*int32(near[i]) + int32(far[i]) + 2) >> 2 }
	dst[0], dst[2*n-1] = edge(0), edge(n-1)
	for i := 1; i < n; i++ {
		a, b, c, d := int32(near[i-1]), int32(near[i]), int32(far[i-1]), int32(far[i])
		sum := a + b + c + d + 8
		dst[2*i-1] = ((sum+2*(b+c))>>3 + a) >> 1
		dst[2*i] = ((sum+2*(a+d))>>3 + b) >> 1
	}
}

func clip6(v int32) byte {
	if v < 0 {
		return 0
	}
	return byte(min(v>>6, 255))
}
