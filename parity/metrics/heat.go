package metrics

import (
	"fmt"
	"image"
	"image/color"
	"math"

	"darkroom/goldens/picture"
)

// HeatColours is the colour map of difference pictures, from black for no difference to a pale yellow for the largest. It is made by formula in
// CIE LCh(ab): lightness rises evenly from 0 to 97, so that the map still reads in grey; hue turns from violet (300°) over red to yellow (100°);
// chroma swells and fades. Colours that sRGB lacks are brought in by lowering the chroma.
func HeatColours() [256]color.NRGBA {
	var m [256]color.NRGBA
	for i := range m {
		t := float64(i) / 255
		l := 97 * t
		hue := (300 + 160*t) * math.Pi / 180
		chroma := 78 * math.Pow(math.Sin(math.Pi*math.Pow(t, 0.85)), 0.8)
		if i == 255 {
			chroma = 0
		}
		chroma += 22 * t * t
		c, ok := lchToSRGB(l, chroma, hue)
		for !ok && chroma > 0 {
			chroma = max(0, chroma-0.5)
			c, ok = lchToSRGB(l, chroma, hue)
		}
		m[i] = c
	}
	return m
}

// lchToSRGB reports whether the colour is inside sRGB, too.
func lchToSRGB(l, chroma, hue float64) (color.NRGBA, bool) {
	fy := (l + 16) / 116
	f := [3]float64{fy + chroma*math.Cos(hue)/500, fy, fy - chroma*math.Sin(hue)/200}
	var xyz [3]float64
	const delta = 6. / 29
	for k, v := range f {
		if v > delta {
			xyz[k] = v * v * v
		} else {
			xyz[k] = (v - 4./29) * 3 * delta * delta
		}
		xyz[k] *= rgbToXYZ[3*k] + rgbToXYZ[3*k+1] + rgbToXYZ[3*k+2]
	}
	ok := true
	var out [3]uint8
	for k := range out {
		v := xyzToRGB[3*k]*xyz[0] + xyzToRGB[3*k+1]*xyz[1] + xyzToRGB[3*k+2]*xyz[2]
		if v < -0.002 || v > 1.002 {
			ok = false
		}
		out[k] = uint8(math.Round(255 * encodeSRGB(min(1, max(0, v)))))
	}
	return color.NRGBA{out[0], out[1], out[2], 255}, ok
}

// Heat draws where two pictures differ: the largest difference of the four channels of each pixel as a colour of HeatColours. The scale is a
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
	colours := HeatColours()
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
