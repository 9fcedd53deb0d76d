package metrics

import (
	"image"
	"image/color"
	"testing"
)

// A masked backdrop hides what differs in it, and nothing else.
func TestMask(t *testing.T) {
	golden, actual := image.NewNRGBA(image.Rect(0, 0, 4, 1)), image.NewNRGBA(image.Rect(0, 0, 4, 1))
	for x, c := range []color.NRGBA{{51, 51, 77, 255}, {60, 55, 100, 255}, {51, 51, 108, 255}, {200, 10, 10, 255}} {
		golden.SetNRGBA(x, 0, c)
		actual.SetNRGBA(x, 0, color.NRGBA{c.R, c.G + 9, c.B, 255})
	}
	m, err := Measure(golden, Mask(golden, actual), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if want := 9.0 / 3 * 2 / 4; m.MAD != want || m.Within0 != 0.5 {
		t.Errorf("MAD %g with a share of %g equal, want %g and half", m.MAD, m.Within0, want)
	}
	if got := actual.NRGBAAt(0, 0); got.G != 60 {
		t.Errorf("the picture itself was changed: %v", got)
	}
	small := image.NewNRGBA(image.Rect(0, 0, 2, 1))
	if Mask(golden, small) != small {
		t.Error("a picture of another size was masked")
	}
}
