// Package picture decodes image files for textures. Colour is never
// premultiplied: what stands under alpha 0 is kept. A file's size is checked
// before its pixels are touched.
package picture

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"

	"golang.org/x/image/webp"
)

// Picture is a decoded image: 8-bit straight RGBA in Pix, or linear float RGBA
// in Float. Rows are tight, top row first.
type Picture struct {
	Width, Height int
	Pix           []byte
	Float         []float32
	Format        string // png, jpeg, webp, gif, hdr
}

// Options bound what Decode takes on.
type Options struct {
	MaxPixels int // zero means 64 Mi (8192 × 8192)
}

// ErrFormat is returned for bytes that no decoder knows.
var ErrFormat = errors.New("unknown image format")

// ErrTooLarge is returned for pictures beyond MaxPixels.
var ErrTooLarge = errors.New("picture is too large")

// Sniff names the format of data by its first bytes, "" where unknown.
func Sniff(data []byte) string {
	switch {
	case bytes.HasPrefix(data, []byte("\x89PNG\r\n\x1a\n")):
		return "png"
	case bytes.HasPrefix(data, []byte("\xff\xd8\xff")):
		return "jpeg"
	case len(data) >= 12 && string(data[:4]) == "RIFF" && string(data[8:12]) == "WEBP":
		return "webp"
	case bytes.HasPrefix(data, []byte("GIF8")):
		return "gif"
	case bytes.HasPrefix(data, []byte("#?RADIANCE")) || bytes.HasPrefix(data, []byte("#?RGBE")):
		return "hdr"
	case bytes.HasPrefix(data, []byte("\xabKTX 20\xbb")):
		return "ktx2"
	}
	return ""
}

// Decode decodes data. A picture beyond the limit, a format that is not
// known, or broken data is an error.
func Decode(data []byte, o Options) (p *Picture, err error) {
	// The standard decoders are fuzzed, not proved: a panic becomes an error.
	defer func() {
		if r := recover(); r != nil {
			p, err = nil, fmt.Errorf("the image data is broken: %v", r)
		}
	}()
	limit := o.MaxPixels
	if limit == 0 {
		limit = 64 << 20
	}
	format := Sniff(data)
	var config func([]byte) (image.Config, error)
	var decode func([]byte) (image.Image, error)
	switch format {
	case "png":
		config = func(b []byte) (image.Config, error) { return png.DecodeConfig(bytes.NewReader(b)) }
		decode = func(b []byte) (image.Image, error) { return png.Decode(bytes.NewReader(b)) }
	case "jpeg":
		config = func(b []byte) (image.Config, error) { return jpeg.DecodeConfig(bytes.NewReader(b)) }
		decode = func(b []byte) (image.Image, error) { return jpeg.Decode(bytes.NewReader(b)) }
	case "webp":
		config = func(b []byte) (image.Config, error) { return webp.DecodeConfig(bytes.NewReader(b)) }
		decode = func(b []byte) (image.Image, error) { return webp.Decode(bytes.NewReader(b)) }
	case "gif":
		config = func(b []byte) (image.Config, error) { return gif.DecodeConfig(bytes.NewReader(b)) }
		decode = func(b []byte) (image.Image, error) { return gif.Decode(bytes.NewReader(b)) }
	case "hdr":
		return decodeHDR(data, limit)
	default:
		return nil, fmt.Errorf("%w: %d bytes beginning with %.8q; PNG, JPEG, WebP, GIF and Radiance HDR are read", ErrFormat, len(data), data[:min(8, len(data))])
	}
	c, err := config(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", format, err)
	}
	if c.Width < 1 || c.Height < 1 || c.Width > limit/c.Height {
		return nil, fmt.Errorf("%w: %s of %dx%d has more than %d pixels", ErrTooLarge, format, c.Width, c.Height, limit)
	}
	m, err := decode(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", format, err)
	}
	b := m.Bounds()
	return &Picture{Width: b.Dx(), Height: b.Dy(), Pix: straight(m), Format: format}, nil
}

// straight converts to 8-bit straight RGBA. 16-bit samples keep their high
// byte, as Chromium's PNG decoder strips the low one.
func straight(m image.Image) []byte {
	b := m.Bounds()
	w, h := b.Dx(), b.Dy()
	out := make([]byte, w*h*4)
	row := func(y int) []byte { return out[y*w*4 : (y+1)*w*4] }
	switch m := m.(type) {
	case *image.NRGBA:
		for y := range h {
			copy(row(y), m.Pix[y*m.Stride:])
		}
	case *image.Gray:
		for y := range h {
			for x, v := range m.Pix[y*m.Stride : y*m.Stride+w] {
				copy(row(y)[x*4:], []byte{v, v, v, 255})
			}
		}
	case *image.YCbCr:
		for y := range h {
			r := row(y)
			for x := range w {
				c := m.YCbCrAt(b.Min.X+x, b.Min.Y+y)
				r[x*4], r[x*4+1], r[x*4+2] = color.YCbCrToRGB(c.Y, c.Cb, c.Cr)
				r[x*4+3] = 255
			}
		}
	default:
		for y := range h {
			r := row(y)
			for x := range w {
				switch c := m.At(b.Min.X+x, b.Min.Y+y).(type) {
				case color.NRGBA:
					r[x*4], r[x*4+1], r[x*4+2], r[x*4+3] = c.R, c.G, c.B, c.A
				case color.NRGBA64:
					r[x*4], r[x*4+1], r[x*4+2], r[x*4+3] = byte(c.R>>8), byte(c.G>>8), byte(c.B>>8), byte(c.A>>8)
				default:
					n := color.NRGBA64Model.Convert(c).(color.NRGBA64)
					r[x*4], r[x*4+1], r[x*4+2], r[x*4+3] = byte(n.R>>8), byte(n.G>>8), byte(n.B>>8), byte(n.A>>8)
				}
			}
		}
	}
	return out
}
