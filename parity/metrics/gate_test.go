package metrics

import (
	"image"
	"image/color"
	"math"
	"strings"
	"testing"

	"darkroom/parity/verdict"
)

// edit returns a copy of m with f applied to every pixel.
func edit(m *image.NRGBA, f func(x, y int, p color.NRGBA) color.NRGBA) *image.NRGBA {
	c := clone(m)
	for y := range c.Rect.Dy() {
		for x := range c.Rect.Dx() {
			c.SetNRGBA(x, y, f(x, y, c.NRGBAAt(x, y)))
		}
	}
	return c
}

func plus(d uint8) func(x, y int, p color.NRGBA) color.NRGBA {
	return func(x, y int, p color.NRGBA) color.NRGBA { return color.NRGBA{p.R + d, p.G + d, p.B + d, p.A} }
}

// softLine is a bright line of three pixels with soft sides.
func softLine(at int) *image.NRGBA {
	return edit(solid(64, 64, color.NRGBA{20, 20, 30, 255}), func(x, y int, p color.NRGBA) color.NRGBA {
		switch x - at {
		case -1, 1:
			return color.NRGBA{120, 120, 120, 255}
		case 0:
			return color.NRGBA{230, 230, 230, 255}
		}
		return p
	})
}

// Pairs that pass one or more of the tools in wide use at their defaults. The default limits must fail every one of them.
func TestHostilePairsFailTheDefaultLimits(t *testing.T) {
	grey := solid(64, 64, color.NRGBA{90, 100, 110, 255})
	white := solid(64, 64, color.NRGBA{255, 255, 255, 255})
	alpha200 := edit(grey, func(x, y int, p color.NRGBA) color.NRGBA { p.A = 200; return p })
	clear := edit(grey, func(x, y int, p color.NRGBA) color.NRGBA { p.A = 0; return p })
	dark := solid(64, 64, color.NRGBA{6, 6, 8, 255})
	object := edit(dark, func(x, y int, p color.NRGBA) color.NRGBA {
		if x >= 40 && x < 56 && y >= 40 && y < 56 {
			return color.NRGBA{22, 20, 24, 255}
		}
		return p
	})
	onePixel := edit(grey, func(x, y int, p color.NRGBA) color.NRGBA {
		if x == 33 && y == 17 {
			return color.NRGBA{255, 255, 255, 255}
		}
		return p
	})
	for _, c := range []struct {
		name      string
		g, a      *image.NRGBA
		gate      Metric // one of those that must fail
		saysWhere string
	}{
		{"white and fully transparent", white, edit(white, func(int, int, color.NRGBA) color.NRGBA { return color.NRGBA{} }), AlphaMax, "alpha"},
		{"white and transparent white", white, edit(white, func(x, y int, p color.NRGBA) color.NRGBA { p.A = 0; return p }), AlphaMax, "alpha"},
		{"RGB differs under alpha 0", clear, edit(clear, plus(50)), MAD, "MAD"},
		{"alpha 200 and 255", grey, alpha200, AlphaMax, "55"},
		{"+1 everywhere", grey, edit(grey, plus(1)), MAD, "MAD 1 "},
		{"+2 everywhere", grey, edit(grey, plus(2)), MAD, "MAD 2 "},
		{"+5 everywhere", grey, edit(grey, plus(5)), MAD, "MAD 5 "},
		{"+12 everywhere", grey, edit(grey, plus(12)), MAD, "MAD 12 "},
		{"dark object gone", object, dark, TileMAD, "(40, 40)"},
		{"one white pixel", grey, onePixel, OverShare, "1 pixel differs"},
		{"soft line moved by 1", softLine(50), softLine(51), TileMAD, "16×16"},
	} {
		m, err := Measure(c.g, c.a, Options{})
		if err != nil {
			t.Fatal(err)
		}
		j := Gate(DefaultLimits(), m)
		if j.OK {
			t.Errorf("%s: passes (%+v)", c.name, m)
			continue
		}
		failed := false
		for _, g := range j.Gates {
			failed = failed || g.Name == string(c.gate) && !g.OK
		}
		if !failed || !strings.Contains(j.Reason, c.saysWhere) {
			t.Errorf("%s: gate %s did not fail, or the reason lacks %q: %s", c.name, c.gate, c.saysWhere, j.Reason)
		}
	}
}

// Neither the MAD nor a count is enough alone; together they are.
func TestOneWhitePixelIn4KAndAShiftOfEverything(t *testing.T) {
	g := solid(3840, 2160, color.NRGBA{51, 51, 77, 255})
	pixel := clone(g)
	pixel.SetNRGBA(1234, 987, color.NRGBA{255, 255, 255, 255})
	m, err := Measure(g, pixel, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if m.MAD > 0.0001 {
		t.Errorf("MAD of one pixel is %v", m.MAD)
	}
	if !Gate(Limits{MAD: 0.1}, m).OK {
		t.Error("the MAD alone caught one pixel; then this test shows nothing")
	}
	j := Gate(DefaultLimits(), m)
	if j.OK || !strings.Contains(j.Reason, "1 pixel differs by more than 32") {
		t.Errorf("one white pixel in 4K: %v %s", j.OK, j.Reason)
	}
	r := Regions(g, pixel, m, 8)
	if len(r) != 1 || r[0].Box != (verdict.Box{X: 1234, Y: 987, Width: 1, Height: 1}) || r[0].Pixels != 1 {
		t.Errorf("the white pixel was found at %+v", r)
	}
	shift := clone(g)
	for i := range shift.Pix {
		if i%4 != 3 {
			shift.Pix[i] += 12
		}
	}
	m, err = Measure(g, shift, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if !Gate(Limits{OverShare: 0}, m).OK {
		t.Error("the count alone caught the shift; then this test shows nothing")
	}
	if j := Gate(DefaultLimits(), m); j.OK || !strings.Contains(j.Reason, "MAD 12 is over its limit 0.1") {
		t.Errorf("+12 in 4K: %v %s", j.OK, j.Reason)
	}
}

func TestAGateWithNothingBehindItFails(t *testing.T) {
	ok := Measures{Pixels: 4, RegionMAD: math.NaN()}
	for _, c := range []struct {
		name string
		l    Limits
		m    Measures
		want string
	}{
		{"no limits", nil, ok, "nothing would be judged"},
		{"no limits, identical", Limits{}, Measures{Pixels: 4, Identical: true}, "nothing would be judged"},
		{"no pixels", DefaultLimits(), Measures{}, "no pixels"},
		{"NaN MAD", Limits{MAD: 1}, Measures{Pixels: 4, MAD: math.NaN()}, "not measured"},
		{"empty region", Limits{RegionMAD: 1}, ok, "no region"},
		{"FLIP not measured", Limits{FLIPMean: 1}, ok, "not measured"},
		{"NaN limit", Limits{MAD: math.NaN()}, ok, "mad is NaN"},
		{"negative limit", Limits{MAD: -22}, ok, "-22"},
		{"unknown metric", Limits{"psnr": 1}, ok, "psnr"},
	} {
		j := Gate(c.l, c.m)
		if j.OK || !strings.Contains(j.Reason, c.want) {
			t.Errorf("%s: ok %v, %q; want %q", c.name, j.OK, j.Reason, c.want)
		}
	}
}

// "mad <= maxMad", the comparison that the reference suite makes.
func TestALimitIsInclusive(t *testing.T) {
	if !Gate(Limits{MAD: 0.5}, Measures{Pixels: 1, MAD: 0.5}).OK {
		t.Error("a MAD at its limit fails")
	}
	if Gate(Limits{MAD: 0.5}, Measures{Pixels: 1, MAD: math.Nextafter(0.5, 1)}).OK {
		t.Error("a MAD above its limit passes")
	}
}

func TestLimitsWith(t *testing.T) {
	l := DefaultLimits().With(Limits{MAD: 3, AlphaMax: math.NaN()})
	if _, ok := l[AlphaMax]; ok || l[MAD] != 3 || l[TileMAD] != 2 {
		t.Errorf("%v", l)
	}
	if DefaultLimits()[MAD] != 0.1 {
		t.Error("With changed the defaults")
	}
}

func TestFill(t *testing.T) {
	g := solid(64, 64, color.NRGBA{90, 100, 110, 255})
	m, err := Measure(g, edit(g, plus(12)), Options{})
	if err != nil {
		t.Fatal(err)
	}
	l := DefaultLimits().With(Limits{RegionMAD: 1})
	var r verdict.Result
	m.Fill(&r)
	Gate(l, m).Fill(&r, l)
	if r.Verdict != verdict.Mismatch || *r.MAD != 12 || *r.Limit != 0.1 || *r.RegionLimit != 1 || *r.MaxDiff != 12 || r.Width != 64 || r.Reason == "" || r.Tile == nil {
		t.Errorf("%+v", r)
	}
}
