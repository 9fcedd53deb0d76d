package metrics

import (
	"fmt"
	"image"
	"image/color"
	"math"

	"darkroom/goldens/picture"
)

// Heat draws where two pictures differ: the largest difference of the four channels of each pixel as a colour of picture.HeatColours. The scale is a
// square root up to full, so that a difference of 1 can be seen beside one of 255; full is the difference that gets the last colour, 0 for 255.
func Heat(golden, actual image.Image, full float64) (*image.NRGBA, error) {
	g, w, h, gp, err := picture.Rows(golden)
	if err != nil {
		return nil, fmt.Errorf("heat map: golden: %w", err)
	}
	a, aw, ah, ap, err := picture.Rows(actual)
	if err != nil {
		return nil, fmt.Errorf("heat map: actual: %w", err)
	}
	if w != aw || h != ah {
		return nil, fmt.Errorf("heat map: %w: golden is %d×%d, picture is %d×%d", ErrSize, w, h, aw, ah)
	}
	unit := 1
	if gp != ap {
		g, a, gp = widen(g, gp), widen(a, ap), 8
	}
	if gp == 8 {
		unit = 257
	}
	if full <= 0 {
		full = 255
	}
	colours := picture.HeatColours()
	var lut [256]color.NRGBA
	for d := range lut {
		lut[d] = colours[int(math.Round(255*min(1, math.Sqrt(float64(d)/full))))]
	}
	out := image.NewNRGBA(image.Rect(0, 0, w, h))
	rows(h, func(y int) {
		gr, ar, o := g(y), a(y), out.Pix[y*out.Stride:]
		for x := range w {
			// Rounded up, so that a low byte of 16 bits shows.
			c := lut[(diffAt(gr, ar, x, gp)+unit-1)/unit]
			o[4*x], o[4*x+1], o[4*x+2], o[4*x+3] = c.R, c.G, c.B, c.A
		}
	})
	return out, nil
}
