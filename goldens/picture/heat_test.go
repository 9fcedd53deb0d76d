package picture

import (
	"image/color"
	"math"
	"testing"
)

func TestHeatColoursRise(t *testing.T) {
	m := HeatColours()
	last := -1.0
	for i, c := range m {
		y := 0.2126*math.Pow(float64(c.R)/255, 2.2) + 0.7152*math.Pow(float64(c.G)/255, 2.2) + 0.0722*math.Pow(float64(c.B)/255, 2.2)
		if y < last-1e-3 {
			t.Errorf("colour %d is darker than the one before", i)
		}
		last = y
		if i > 0 {
			p := m[i-1]
			d := func(a, b uint8) int { return max(int(a)-int(b), int(b)-int(a)) }
			if max(d(p.R, c.R), d(p.G, c.G), d(p.B, c.B)) > 12 {
				t.Errorf("colours %d and %d jump: %v %v", i-1, i, p, c)
			}
		}
	}
	if m[0] != (color.NRGBA{0, 0, 0, 255}) || m[255].R < 230 || m[255].G < 230 {
		t.Errorf("from %v to %v", m[0], m[255])
	}
}
