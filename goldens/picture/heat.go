package picture

import (
	"image/color"
	"math"
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
	d65 := [3]float64{0.95047, 1, 1.08883}
	toRGB := [3][3]float64{{3.2404542, -1.5371385, -0.4985314}, {-0.9692660, 1.8760108, 0.0415560}, {0.0556434, -0.2040259, 1.0572252}} // IEC 61966-2-1
	const delta = 6. / 29
	for k, v := range f {
		if v > delta {
			xyz[k] = v * v * v
		} else {
			xyz[k] = (v - 4./29) * 3 * delta * delta
		}
		xyz[k] *= d65[k]
	}
	ok := true
	var out [3]uint8
	for k := range out {
		v := toRGB[k][0]*xyz[0] + toRGB[k][1]*xyz[1] + toRGB[k][2]*xyz[2]
		if v < -0.002 || v > 1.002 {
			ok = false
		}
		v = min(1, max(0, v))
		if v <= 0.0031308 {
			v *= 12.92
		} else {
			v = 1.055*math.Pow(v, 1/2.4) - 0.055
		}
		out[k] = uint8(math.Round(255 * v))
	}
	return color.NRGBA{out[0], out[1], out[2], 255}, ok
}
