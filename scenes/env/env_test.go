package env

import (
	"math"
	"testing"
)

func TestHalf(t *testing.T) {
	for _, c := range []struct {
		in   float32
		want uint16
	}{{0, 0}, {1, 0x3c00}, {-2, 0xc000}, {65504, 0x7bff}, {1e9, 0x7bff}, {5.9604645e-8, 1}, {0.1, 0x2e66}, {float32(math.NaN()), 0}} {
		if got := half(c.in); got != c.want {
			t.Errorf("half(%g) = %#x, want %#x", c.in, got, c.want)
		}
	}
}

// A mirror reflects everything; a rough surface seen from above loses energy.
func TestIntegrate(t *testing.T) {
	_, mirror := integrate(0.9, 0.01)
	_, rough := integrate(0.9, 1)
	if math.Abs(mirror-1) > 0.001 || rough > 0.5 || rough < 0.3 {
		t.Errorf("mirror %g, rough %g", mirror, rough)
	}
	if f, _ := integrate(0.02, 0.1); f < 0.5 {
		t.Errorf("grazing Fresnel energy %g is too small", f)
	}
}

func TestHarmonicsOfConstant(t *testing.T) {
	var p [9][3]float64
	for _, k := range []int{3, 4, 5} {
		p[k] = [3]float64{1, 1, 1}
	}
	sh := harmonics(p)
	// A constant sky of 1 has the irradiance 1 in every direction.
	if math.Abs(sh[0][0]-1) > 1e-3 || math.Abs(sh[6][0]) > 1e-3 {
		t.Errorf("constant sky: %v", sh)
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte("\x86\x16\x87\x96\xf6\xd6\x96\x36{\"width\":1}\x00"))
	f.Fuzz(func(t *testing.T, b []byte) {
		if e, err := Parse(b); err == nil && e.Specular == nil {
			t.Error("an environment without a picture")
		}
	})
}
