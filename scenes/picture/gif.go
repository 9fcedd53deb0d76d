package picture

import (
	"bytes"
	"image"
	"image/color"
	"image/gif"
)

// decodeGIF decodes the first frame onto its logical screen; what the frame
// does not cover is transparent black.
func decodeGIF(data []byte, limit int) (*Picture, error) {
	c, err := gif.DecodeConfig(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	if err := checkSize(c.Width, c.Height, limit); err != nil {
		return nil, err
	}
	m, err := gif.Decode(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	p := &Picture{Width: c.Width, Height: c.Height, Pix: make([]byte, c.Width*c.Height*4)}
	frame, ok := m.(*image.Paletted)
	if !ok {
		return nil, errBroken
	}
	r := frame.Bounds().Intersect(image.Rect(0, 0, c.Width, c.Height))
	for y := r.Min.Y; y < r.Max.Y; y++ {
		paletted(p.Pix[(y*c.Width+r.Min.X)*4:][:r.Dx()*4], frame, y-frame.Rect.Min.Y)
	}
	return p, nil
}

// paletted looks the indices of row y up. An index beyond the palette is
// opaque black.
func paletted(dst []byte, m *image.Paletted, y int) {
	src := m.Pix[y*m.Stride:]
	var table [256][4]byte
	for i := range table {
		table[i] = [4]byte{0, 0, 0, 255}
	}
	for i, c := range m.Palette[:min(len(m.Palette), 256)] {
		switch c := c.(type) {
		case color.NRGBA:
			table[i] = [4]byte{c.R, c.G, c.B, c.A}
		default:
			r, g, b, a := unmultiply(c.RGBA())
			table[i] = [4]byte{r, g, b, a}
		}
	}
	for x := 0; x*4 < len(dst); x++ {
		copy(dst[x*4:x*4+4], table[src[x]][:])
	}
}
