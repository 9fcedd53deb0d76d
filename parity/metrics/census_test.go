package metrics

import (
	"encoding/binary"
	"image"
	"image/color"
	"math"
	"strings"
	"testing"

	"darkroom/parity/verdict"
)

func TestCensus(t *testing.T) {
	const w, h, stride16, stride32 = 5, 4, 256, 256
	half := make([]byte, h*stride16)
	full := make([]byte, h*stride32)
	for i := range half { // padding full of NaN must not count
		half[i] = 0xff
		full[i] = 0xff
	}
	set := func(x, y, c int, h16 uint16, f float32) {
		binary.LittleEndian.PutUint16(half[y*stride16+x*8+c*2:], h16)
		binary.LittleEndian.PutUint32(full[y*stride32+x*16+c*4:], math.Float32bits(f))
	}
	for y := range h {
		for x := range w {
			for c := range 4 {
				set(x, y, c, 0x7bff, math.MaxFloat32) // the largest finite value of each
			}
		}
	}
	for _, format := range []Float{Float16, Float32} {
		data := map[Float][]byte{Float16: half, Float32: full}[format]
		c, err := Census(data, w, h, 256, format)
		if err != nil || c.Texel != 0 || CensusReason(c) != "" {
			t.Fatalf("finite target: %+v, %v", c, err)
		}
	}
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	set(3, 1, 2, 0x7e00, nan)
	set(3, 1, 3, 0xfc00, -inf)
	set(0, 2, 0, 0x7c00, inf)
	set(4, 3, 1, 0xfc01, math.Float32frombits(0xff800001)) // a negative NaN
	for _, format := range []Float{Float16, Float32} {
		data := map[Float][]byte{Float16: half, Float32: full}[format]
		c, err := Census(data, w, h, 256, format)
		if err != nil {
			t.Fatal(err)
		}
		want := []verdict.Texel{{X: 3, Y: 1, Channel: "B", Value: "NaN"}, {X: 3, Y: 1, Channel: "A", Value: "-Inf"}, {X: 0, Y: 2, Channel: "R", Value: "+Inf"}, {X: 4, Y: 3, Channel: "G", Value: "NaN"}}
		if c.NaN != 2 || c.Inf != 2 || c.Texel != 3 || len(c.First) != 4 {
			t.Fatalf("format %d: %+v", format, c)
		}
		for i := range want {
			if c.First[i] != want[i] {
				t.Errorf("format %d: place %d is %+v, want %+v", format, i, c.First[i], want[i])
			}
		}
		if r := CensusReason(c); !strings.Contains(r, "first NaN in B at (3, 1)") {
			t.Error(r)
		}
	}
	for _, c := range []struct {
		w, h, stride int
		f            Float
	}{{0, 4, 256, Float16}, {5, 0, 256, Float16}, {5, 4, 39, Float16}, {5, 5, 256, Float16}, {5, 4, 256, 3}} {
		if _, err := Census(half, c.w, c.h, c.stride, c.f); err == nil {
			t.Errorf("%+v is no error", c)
		}
	}
}

func TestHeatShowsASinglePixelAndLowBytes(t *testing.T) {
	g := solid(40, 30, color.NRGBA{100, 100, 100, 255})
	a := clone(g)
	a.Pix[a.PixOffset(7, 9)+3] = 254 // alpha by 1
	m, err := Heat(g, a, 0)
	if err != nil {
		t.Fatal(err)
	}
	black := color.NRGBA{0, 0, 0, 255}
	for y := range 30 {
		for x := range 40 {
			if (m.NRGBAAt(x, y) != black) != (x == 7 && y == 9) {
				t.Errorf("(%d, %d) is %v", x, y, m.NRGBAAt(x, y))
			}
		}
	}
	d := deep(g)
	d.Pix[1] ^= 1
	m, err = Heat(deep(g), d, 0)
	if err != nil || m.NRGBAAt(0, 0) == black {
		t.Errorf("a low byte does not show: %v, %v", m.NRGBAAt(0, 0), err)
	}
	if _, err := Heat(g, image.NewNRGBA(image.Rect(0, 0, 30, 40)), 0); err == nil {
		t.Error("heat map of two sizes")
	}
}

func TestRegionsAreApartAndSorted(t *testing.T) {
	g := solid(200, 100, color.NRGBA{100, 100, 100, 255})
	a := edit(g, func(x, y int, p color.NRGBA) color.NRGBA {
		if x >= 10 && x < 30 && y >= 50 && y < 60 {
			p.R += 10
		}
		if x >= 150 && x < 190 && y >= 20 && y < 80 {
			p.R += 90
		}
		if x == 100 && y == 99 {
			p.A = 0
		}
		return p
	})
	m, err := Measure(g, a, Options{})
	if err != nil {
		t.Fatal(err)
	}
	r := Regions(g, a, m, 8)
	want := []verdict.Box{{X: 150, Y: 20, Width: 40, Height: 60}, {X: 10, Y: 50, Width: 20, Height: 10}, {X: 100, Y: 99, Width: 1, Height: 1}}
	if len(r) != len(want) {
		t.Fatalf("%+v", r)
	}
	for i := range want {
		if r[i].Box != want[i] {
			t.Errorf("region %d is %+v, want %+v", i, r[i].Box, want[i])
		}
	}
	if r[0].MAD != 30 || r[0].Pixels != 2400 {
		t.Errorf("%+v", r[0])
	}
	// A shift of everything does not swallow the hole.
	b := edit(a, func(x, y int, p color.NRGBA) color.NRGBA { p.G++; return p })
	m, _ = Measure(g, b, Options{})
	if r := Regions(g, b, m, 1); len(r) != 1 || r[0].Box != want[0] {
		t.Errorf("with noise: %+v", r)
	}
	if r := Regions(g, a, m, 1); len(r) != 1 {
		t.Errorf("at most 1: %+v", r)
	}
}
