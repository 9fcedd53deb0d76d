package video

import (
	"bytes"
	"fmt"
	"image"
	"image/gif"
)

// GIF is an animated GIF with all frames decoded.
type GIF struct {
	clock
	w, h   int
	frames [][]byte
}

// ReadGIF decodes an animated GIF. A frame without a delay, or with one below
// 20 ms, is shown for 100 ms, as browsers do. The file's own loop count is not
// looked at.
func ReadGIF(data []byte) (*GIF, error) {
	c, err := gif.DecodeConfig(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("%w: GIF: %v", ErrFormat, err)
	}
	if err := checkSize(c.Width, c.Height); err != nil {
		return nil, fmt.Errorf("GIF: %w", err)
	}
	g, err := gif.DecodeAll(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("%w: GIF: %v", ErrFormat, err)
	}
	if n := len(g.Image); n*c.Width*c.Height > maxTotal {
		return nil, fmt.Errorf("GIF: %d frames of %dx%d are more than %d pixels; use a Y4M file", n, c.Width, c.Height, maxTotal)
	}
	v := &GIF{w: c.Width, h: c.Height}
	canvas := make([]byte, 4*v.w*v.h) // transparent black
	end := 0.0
	for i, m := range g.Image {
		var before []byte
		if g.Disposal[i] == gif.DisposalPrevious {
			before = bytes.Clone(canvas)
		}
		r := m.Rect.Intersect(image.Rect(0, 0, v.w, v.h))
		draw(canvas, v.w, m, r)
		v.frames = append(v.frames, bytes.Clone(canvas))
		delay := g.Delay[i]
		if delay < 2 {
			delay = 10
		}
		end += float64(delay) / 100
		v.ends = append(v.ends, end)
		switch g.Disposal[i] {
		case gif.DisposalPrevious:
			canvas = before
		case gif.DisposalBackground:
			for y := r.Min.Y; y < r.Max.Y; y++ {
				clear(canvas[(y*v.w+r.Min.X)*4 : (y*v.w+r.Max.X)*4])
			}
		}
	}
	return v, nil
}

// draw puts the opaque pixels of m within r onto the canvas.
func draw(canvas []byte, width int, m *image.Paletted, r image.Rectangle) {
	var table [256][4]byte
	for i, c := range m.Palette {
		if i == len(table) {
			break
		}
		// A palette's colours are opaque, or the one that is transparent.
		red, green, blue, alpha := c.RGBA()
		table[i] = [4]byte{byte(red >> 8), byte(green >> 8), byte(blue >> 8), byte(alpha >> 8)}
	}
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			if c := table[m.ColorIndexAt(x, y)]; c[3] != 0 {
				copy(canvas[(y*width+x)*4:], c[:])
			}
		}
	}
}

// Size implements shader.FrameSource.
func (v *GIF) Size() (width, height int) { return v.w, v.h }

// At implements shader.FrameSource. The picture must not be changed.
func (v *GIF) At(t float64) ([]byte, error) { return v.frames[v.Frame(t)], nil }
