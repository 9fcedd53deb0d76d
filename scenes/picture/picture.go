// Package picture decodes image files for textures: PNG, JPEG, WebP, GIF (the
// first frame) and Radiance HDR.
//
// The rules are those of a browser that decodes for a texture, since that is
// what the reference pictures were drawn with (createImageBitmap without
// premultiplication and without colour space conversion):
//
//   - Colour is never premultiplied; what stands under alpha 0 is kept.
//   - Colour profiles, gAMA and cHRM are ignored, as glTF 2.0 asks too.
//   - 16-bit samples keep their high byte.
//   - JPEG and lossy WebP are decoded as libjpeg and libwebp do, to the bit:
//     chroma is interpolated, not repeated.
//   - The orientation that EXIF gives a JPEG or a PNG is applied, that of a WebP
//     is not.
//
// A file's size is checked before its pixels are touched, against the caller's
// limit and, where the format allows it, against what the bytes can hold.
package picture

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/png"
)

// Picture is a decoded image: 8-bit straight RGBA in Pix, or linear float RGBA
// in Float; exactly one of them is set. Rows are tight, top row first.
type Picture struct {
	Width, Height int
	Pix           []byte    // 4 bytes a pixel
	Float         []float32 // 4 values a pixel, alpha 1
	Format        string    // png, jpeg, webp, gif, hdr
	// Exposure is the product of a Radiance file's EXPOSURE lines, 1 for
	// all others: Float divided by it is radiance in W/(sr·m²). It is not applied,
	// as the reference engine does not.
	Exposure float64
}

// Options bound what Decode takes on.
type Options struct {
	MaxPixels int // zero means DefaultMaxPixels
}

// DefaultMaxPixels is 8192 × 8192, the largest 2D texture that every WebGPU
// device has.
const DefaultMaxPixels = 64 << 20

var (
	// ErrFormat is returned for bytes that no decoder knows.
	ErrFormat = errors.New("unknown image format")
	// ErrTooLarge is returned for pictures beyond MaxPixels.
	ErrTooLarge = errors.New("picture is too large")
)

// Sniff names the format of data by its first bytes, "" where unknown: png,
// jpeg, webp, gif, hdr, and ktx2 and avif, which Decode does not read.
func Sniff(data []byte) string {
	switch {
	case bytes.HasPrefix(data, []byte("\x89PNG\r\n\x1a\n")):
		return "png"
	case bytes.HasPrefix(data, []byte("\xff\xd8\xff")):
		return "jpeg"
	case len(data) >= 12 && string(data[:4]) == "RIFF" && string(data[8:12]) == "WEBP":
		return "webp"
	case bytes.HasPrefix(data, []byte("GIF87a")), bytes.HasPrefix(data, []byte("GIF89a")):
		return "gif"
	case bytes.HasPrefix(data, []byte("#?")):
		return "hdr"
	case bytes.HasPrefix(data, []byte("\xabKTX 20\xbb\r\n\x1a\n")):
		return "ktx2"
	case len(data) >= 12 && string(data[4:8]) == "ftyp" && (string(data[8:12]) == "avif" || string(data[8:12]) == "avis"):
		return "avif"
	}
	return ""
}

// Decode decodes data. A picture beyond the limit (ErrTooLarge), a format
// that is not known (ErrFormat) or broken data is an error.
func Decode(data []byte, o Options) (p *Picture, err error) {
	// The decoders of other packages are fuzzed, not proved: a panic becomes an error.
	defer func() {
		if r := recover(); r != nil {
			p, err = nil, fmt.Errorf("the image data is broken: %v", r)
		}
	}()
	limit := o.MaxPixels
	if limit <= 0 {
		limit = DefaultMaxPixels
	}
	format := Sniff(data)
	switch format {
	case "png":
		p, err = decodePNG(data, limit)
	case "jpeg":
		p, err = decodeJPEG(data, limit)
	case "webp":
		p, err = decodeWebP(data, limit)
	case "gif":
		p, err = decodeGIF(data, limit)
	case "hdr":
		p, err = decodeHDR(data, limit)
	case "":
		return nil, fmt.Errorf("%w: %d bytes beginning with %q; PNG, JPEG, WebP, GIF and Radiance HDR are read", ErrFormat, len(data), data[:min(8, len(data))])
	default:
		return nil, fmt.Errorf("%w: %s; PNG, JPEG, WebP, GIF and Radiance HDR are read", ErrFormat, format)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", format, err)
	}
	p.Format = format
	if p.Exposure == 0 {
		p.Exposure = 1
	}
	return p, nil
}

// checkSize is the error of a picture that is empty or beyond limit.
func checkSize(w, h, limit int) error {
	if w < 1 || h < 1 {
		return fmt.Errorf("a picture of %dx%d has no pixels", w, h)
	}
	if w > limit/h {
		return fmt.Errorf("%w: %dx%d is more than %d pixels", ErrTooLarge, w, h, limit)
	}
	return nil
}

func decodePNG(data []byte, limit int) (*Picture, error) {
	c, err := png.DecodeConfig(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	if err := checkSize(c.Width, c.Height, limit); err != nil {
		return nil, err
	}
	idat, exif := pngChunks(data)
	// Deflate makes at most 1032 bytes of one; a pixel has at least one bit.
	bits := 1
	if len(data) > 25 {
		bits = int(data[24]) * [8]int{1, 1, 3, 1, 2, 1, 4, 1}[data[25]&7]
	}
	if need := (c.Width*bits + 7) / 8 * c.Height; need/1040 > idat {
		return nil, fmt.Errorf("%d bytes of compressed data cannot hold %dx%d pixels", idat, c.Width, c.Height)
	}
	m, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	p := &Picture{Width: c.Width, Height: c.Height, Pix: straight(m)}
	return p.orient(exifOrientation(exif)), nil
}

// pngChunks is the length of all IDAT chunks together and the bytes of eXIf.
func pngChunks(data []byte) (idat int, exif []byte) {
	for rest := data[8:]; len(rest) >= 12; {
		n := int(uint32(rest[0])<<24 | uint32(rest[1])<<16 | uint32(rest[2])<<8 | uint32(rest[3]))
		body := rest[8:]
		if n > len(body) {
			n = len(body)
		}
		switch string(rest[4:8]) {
		case "IDAT":
			idat += n
		case "eXIf":
			exif = body[:n]
		}
		if n+4 > len(body) {
			break
		}
		rest = body[n+4:]
	}
	return idat, exif
}

// straight converts what the standard library's decoders return to 8-bit
// straight RGBA. 16-bit samples keep their high byte, as Chromium's decoder
// strips the low one.
func straight(m image.Image) []byte {
	b := m.Bounds()
	w, h := b.Dx(), b.Dy()
	switch m := m.(type) {
	case *image.NRGBA:
		if m.Stride == w*4 {
			return m.Pix[:w*h*4]
		}
	case *image.RGBA: // opaque, from a PNG without alpha
		if m.Stride == w*4 {
			return m.Pix[:w*h*4]
		}
	}
	out := make([]byte, w*h*4)
	for y := range h {
		row := out[y*w*4:][:w*4]
		switch m := m.(type) {
		case *image.Gray:
			for x, v := range m.Pix[y*m.Stride:][:w] {
				row[x*4], row[x*4+1], row[x*4+2], row[x*4+3] = v, v, v, 255
			}
		case *image.Gray16:
			src := m.Pix[y*m.Stride:][:w*2]
			for x := range w {
				v := src[x*2]
				row[x*4], row[x*4+1], row[x*4+2], row[x*4+3] = v, v, v, 255
			}
		case *image.RGBA64: // opaque
			strip16(row, m.Pix[y*m.Stride:][:w*8])
		case *image.NRGBA64:
			strip16(row, m.Pix[y*m.Stride:][:w*8])
		case *image.Paletted:
			paletted(row, m, y)
		default:
			for x := range w {
				r, g, b, a := unmultiply(m.At(b.Min.X+x, b.Min.Y+y).RGBA())
				row[x*4], row[x*4+1], row[x*4+2], row[x*4+3] = r, g, b, a
			}
		}
	}
	return out
}

func strip16(dst, src []byte) {
	for i := range dst {
		dst[i] = src[i*2]
	}
}

// unmultiply turns the 16-bit premultiplied components of a color.Color into
// 8-bit straight ones.
func unmultiply(r, g, b, a uint32) (byte, byte, byte, byte) {
	if a == 0 {
		return 0, 0, 0, 0
	}
	f := func(c uint32) byte { return byte(min(c*0xffff/a, 0xffff) >> 8) }
	return f(r), f(g), f(b), byte(a >> 8)
}
