// Package picture holds what goldens and metrics both need to know of a picture: its digest, and whether there is anything on it.
//
// A picture is an *image.NRGBA or an *image.NRGBA64 of the standard library: rows of straight (not premultiplied) RGBA with 8 or 16 bits a
// channel. Premultiplied types are refused rather than converted, because the conversion loses colour where alpha is small, and a comparison
// that starts with a loss cannot see it.
package picture

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"image"
)

// Rows gives the bytes of row y of a picture, 4 or 8 bytes a pixel, 16-bit channels big-endian.
func Rows(m image.Image) (row func(y int) []byte, width, height, pixel int, err error) {
	switch m := m.(type) {
	case *image.NRGBA:
		w, h := m.Rect.Dx(), m.Rect.Dy()
		return func(y int) []byte { return m.Pix[y*m.Stride : y*m.Stride+w*4] }, w, h, 4, nil
	case *image.NRGBA64:
		w, h := m.Rect.Dx(), m.Rect.Dy()
		return func(y int) []byte { return m.Pix[y*m.Stride : y*m.Stride+w*8] }, w, h, 8, nil
	}
	return nil, 0, 0, 0, fmt.Errorf("picture: %T is not straight RGBA; use *image.NRGBA or *image.NRGBA64", m)
}

// Digest is the SHA-256, in hex, of the line "darkroom picture WIDTHxHEIGHT BITS\n" and the rows of pixels from the top, 4 channels each,
// 16-bit ones big-endian. Two pictures have one digest if and only if they are of one size and depth and equal in every channel of every
// pixel; how they were compressed does not matter.
func Digest(m image.Image) (string, error) {
	row, w, h, pixel, err := Rows(m)
	if err != nil {
		return "", err
	}
	d := sha256.New()
	fmt.Fprintf(d, "darkroom picture %dx%d %d\n", w, h, pixel*2)
	for y := range h {
		d.Write(row(y))
	}
	return hex.EncodeToString(d.Sum(nil)), nil
}

// Equal reports whether two 8-bit pictures have one size and the same bytes.
func Equal(a, b *image.NRGBA) bool {
	w, h := a.Rect.Dx(), a.Rect.Dy()
	if w != b.Rect.Dx() || h != b.Rect.Dy() {
		return false
	}
	if a.Stride == w*4 && b.Stride == w*4 {
		return bytes.Equal(a.Pix[:h*w*4], b.Pix[:h*w*4])
	}
	for y := range h {
		if !bytes.Equal(a.Pix[y*a.Stride:][:w*4], b.Pix[y*b.Stride:][:w*4]) {
			return false
		}
	}
	return true
}

// Blank says why there is nothing to see on a picture, or "" where there is something. A picture is blank when it has no pixels, when every
// pixel is fully transparent, or when no channel varies by more than 1 of 255 over the whole of it (dithering alone makes that much).
func Blank(m image.Image) (string, error) {
	row, w, h, pixel, err := Rows(m)
	if err != nil {
		return "", err
	}
	if w == 0 || h == 0 {
		return fmt.Sprintf("the picture has no pixels (%d×%d)", w, h), nil
	}
	step := pixel / 4 // the high byte of each channel decides
	var lo, hi [4]uint8
	for c := range 4 {
		lo[c] = row(0)[c*step]
		hi[c] = lo[c]
	}
	clear := true
	var last []byte
	for y := range h {
		r := row(y)
		if y > 0 && bytes.Equal(r, last) {
			continue
		}
		last = r
		for i := 0; i < len(r); i += pixel {
			for c := range 4 {
				v := r[i+c*step]
				lo[c], hi[c] = min(lo[c], v), max(hi[c], v)
			}
			a := r[i+3*step]
			if a != 0 || step == 2 && r[i+7] != 0 {
				clear = false
			}
			if !clear && spread(lo, hi) > 1 {
				return "", nil
			}
		}
	}
	switch {
	case clear:
		return "every pixel is fully transparent", nil
	case spread(lo, hi) == 0:
		return fmt.Sprintf("every pixel is (%d, %d, %d, %d)", lo[0], lo[1], lo[2], lo[3]), nil
	case spread(lo, hi) == 1:
		return fmt.Sprintf("every pixel is within 1 of (%d, %d, %d, %d)", lo[0], lo[1], lo[2], lo[3]), nil
	}
	return "", nil
}

func spread(lo, hi [4]uint8) uint8 {
	return max(hi[0]-lo[0], hi[1]-lo[1], hi[2]-lo[2], hi[3]-lo[3])
}
