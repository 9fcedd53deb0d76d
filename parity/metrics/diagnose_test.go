package metrics

import (
	"image"
	"image/color"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

// still is a picture with smooth shading, edges and fine detail, and no symmetry; wide enough that rows of 4·w bytes need padding to 256.
func still(w, h int) *image.NRGBA {
	r := rand.New(rand.NewPCG(4, 4))
	m := image.NewNRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			c := color.NRGBA{51, 51, 77, 255}
			if dx, dy := x-w/3, y-h/2; dx*dx+dy*dy < h*h/9 {
				s := math.Sqrt(1 - float64(dx*dx+dy*dy)/float64(h*h/9))
				c = color.NRGBA{uint8(40 + 190*s), uint8(30 + 90*s), uint8(20 + 40*s), 255}
			} else if x > w*2/3 && y > h/4 && y < h*3/4 {
				c = color.NRGBA{uint8(x * 3 % 200), uint8(80 + y%60), 60, 255}
				if (x/3+y/3)%2 == 0 {
					c.G += 50
				}
			}
			c.B += uint8(r.IntN(4))
			m.SetNRGBA(x, y, c)
		}
	}
	return m
}

func TestDiagnosisNamesTheTransform(t *testing.T) {
	g := still(150, 90)
	soft := edit(g, func(x, y int, p color.NRGBA) color.NRGBA { p.A = uint8(40 + x); return p })
	holes := edit(g, func(x, y int, p color.NRGBA) color.NRGBA {
		if x < 60 {
			p.A = 0
		}
		return p
	})
	at := func(m *image.NRGBA, x, y int) color.NRGBA {
		return m.NRGBAAt(max(0, min(149, x)), max(0, min(89, y)))
	}
	curve := func(f func(float64) float64) func(x, y int, p color.NRGBA) color.NRGBA {
		c := func(v uint8) uint8 { return uint8(math.Round(255 * min(1, max(0, f(float64(v)/255))))) }
		return func(x, y int, p color.NRGBA) color.NRGBA { return color.NRGBA{c(p.R), c(p.G), c(p.B), p.A} }
	}
	mean := func(ps ...color.NRGBA) color.NRGBA {
		var r, gr, b int
		for _, p := range ps {
			r, gr, b = r+int(p.R), gr+int(p.G), b+int(p.B)
		}
		n := len(ps)
		return color.NRGBA{uint8((r + n/2) / n), uint8((gr + n/2) / n), uint8((b + n/2) / n), 255}
	}
	// Read-back that forgot the padding: 150 pixels are 600 bytes, padded to 768, so 42 pixels of padding a row.
	padded := make([]byte, 90*768)
	for y := range 90 {
		copy(padded[y*768:], g.Pix[y*600:y*600+600])
	}
	unpadded := &image.NRGBA{Pix: padded[:90*600], Stride: 600, Rect: g.Rect}
	skewed := edit(g, func(x, y int, p color.NRGBA) color.NRGBA {
		i := y*(150+5) + x
		return at(g, i%150, i/150)
	})
	for _, c := range []struct {
		name  string
		g, a  *image.NRGBA
		want  string
		after float64 // at most
	}{
		{"R/B", g, edit(g, func(x, y int, p color.NRGBA) color.NRGBA { p.R, p.B = p.B, p.R; return p }), "R/B swap", 0},
		{"Y flip", g, edit(g, func(x, y int, p color.NRGBA) color.NRGBA { return at(g, x, 89-y) }), "Y flip", 0},
		{"X flip", g, edit(g, func(x, y int, p color.NRGBA) color.NRGBA { return at(g, 149-x, y) }), "X flip", 0},
		{"turned", g, edit(g, func(x, y int, p color.NRGBA) color.NRGBA { return at(g, 149-x, 89-y) }), "turn by 180°", 0},
		{"encoded", g, edit(g, curve(encodeSRGB)), "sRGB encoding", 0},
		{"decoded", g, edit(g, curve(decodeSRGB)), "sRGB decoding", 0},
		{"premultiplied", soft, edit(soft, func(x, y int, p color.NRGBA) color.NRGBA {
			f := func(v uint8) uint8 { return uint8((int(v)*int(p.A) + 127) / 255) }
			return color.NRGBA{f(p.R), f(p.G), f(p.B), p.A}
		}), "premultiplying", 0},
		{"unpremultiplied", soft, edit(soft, func(x, y int, p color.NRGBA) color.NRGBA {
			f := func(v uint8) uint8 { return uint8(min(255, (int(v)*255+int(p.A)/2)/int(p.A))) }
			return color.NRGBA{f(p.R), f(p.G), f(p.B), p.A}
		}), "dividing by alpha", 0},
		{"black under alpha 0", holes, edit(holes, func(x, y int, p color.NRGBA) color.NRGBA {
			if p.A == 0 {
				return color.NRGBA{}
			}
			return p
		}), "black where alpha is 0", 0},
		{"gain", g, edit(g, curve(func(v float64) float64 { return v * 0.8 })), "gain ×0.8", 0.1},
		{"gain in linear light", g, edit(g, curve(func(v float64) float64 { return encodeSRGB(decodeSRGB(v) * 0.5) })), "in linear light", 0.5},
		{"offset", g, edit(g, plus(12)), "offset by +12", 0.01},
		{"1 pixel right", g, edit(g, func(x, y int, p color.NRGBA) color.NRGBA { return at(g, x-1, y) }), "shift by 1 pixel right", 0},
		{"1 pixel up", g, edit(g, func(x, y int, p color.NRGBA) color.NRGBA { return at(g, x, y+1) }), "shift by 1 pixel up", 0},
		{"half a pixel left", g, edit(g, func(x, y int, p color.NRGBA) color.NRGBA { return mean(at(g, x, y), at(g, x+1, y)) }), "shift by ½ pixel left", 0.01},
		{"half a pixel both ways", g, edit(g, func(x, y int, p color.NRGBA) color.NRGBA {
			return mean(at(g, x, y), at(g, x-1, y), at(g, x, y-1), at(g, x-1, y-1))
		}), "shift by ½ pixel right and down", 0.01},
		{"padding not skipped", g, unpadded, "rows padded to 256 bytes", 0.01},
		{"stride too long", g, skewed, "row skew of +5", 0.5},
	} {
		f := Diagnose(c.g, c.a)
		if len(f) == 0 {
			t.Errorf("%s: nothing found", c.name)
			continue
		}
		if !strings.Contains(f[0].Name, c.want) || f[0].After > c.after {
			t.Errorf("%s: found %q (MAD %.3f → %.3f), want %q", c.name, f[0].Name, f[0].Before, f[0].After, c.want)
		}
		if !strings.Contains(f[0].Text, "after "+f[0].Name+" MAD ") || !strings.Contains(f[0].Text, "→") {
			t.Errorf("%s: text %q", c.name, f[0].Text)
		}
	}
}

func TestDiagnosisDoesNotInvent(t *testing.T) {
	g := still(150, 90)
	gone := edit(g, func(x, y int, p color.NRGBA) color.NRGBA {
		if x > 100 {
			return color.NRGBA{51, 51, 77, 255}
		}
		return p
	})
	if f := Diagnose(g, gone); len(f) != 0 {
		t.Errorf("an object is gone, yet: %+v", f)
	}
	if f := Diagnose(g, g); len(f) != 0 {
		t.Errorf("equal pictures: %+v", f)
	}
	if f := Diagnose(g, still(150, 91)); f != nil {
		t.Errorf("other sizes: %+v", f)
	}
	r := rand.New(rand.NewPCG(1, 9))
	if f := Diagnose(noise(r, 64, 64), noise(r, 64, 64)); len(f) != 0 {
		t.Errorf("noise: %+v", f)
	}
	for _, s := range []image.Point{{1, 1}, {1, 9}, {9, 1}, {2, 2}} {
		Diagnose(noise(r, s.X, s.Y), noise(r, s.X, s.Y))
	}
}

func TestDiagnosisOfAlpha(t *testing.T) {
	g := edit(still(80, 60), func(x, y int, p color.NRGBA) color.NRGBA { p.A = uint8(3 * x); return p })
	opaque := edit(g, func(x, y int, p color.NRGBA) color.NRGBA { p.A = 255; return p })
	f := Diagnose(g, opaque)
	if len(f) != 1 || f[0].Name != "alpha" || !strings.Contains(f[0].Text, "255 in every pixel") {
		t.Errorf("alpha lost: %+v", f)
	}
	f = Diagnose(g, edit(g, func(x, y int, p color.NRGBA) color.NRGBA { p.A = 255 - p.A; return p }))
	if len(f) != 1 || !strings.Contains(f[0].Text, "inverting") {
		t.Errorf("alpha inverted: %+v", f)
	}
}

func TestKind(t *testing.T) {
	g := still(150, 90)
	at := func(x, y int) color.NRGBA { return g.NRGBAAt(max(0, min(149, x)), max(0, min(89, y))) }
	square := func(off int) *image.NRGBA {
		return edit(image.NewNRGBA(image.Rect(0, 0, 100, 100)), func(x, y int, p color.NRGBA) color.NRGBA {
			if x > 20+off && x < 80 && y > 20 && y < 80 {
				return color.NRGBA{200, 180, 160, 255}
			}
			return color.NRGBA{51, 51, 77, 255}
		})
	}
	for _, c := range []struct {
		name string
		g, a *image.NRGBA
		want string
	}{
		{"equal", g, g, KindNone},
		{"edge moved by 1", square(0), square(1), KindEdges},
		{"object recoloured", square(0), edit(square(0), func(x, y int, p color.NRGBA) color.NRGBA {
			if p.R == 200 {
				p.R = 190
			}
			return p
		}), KindInterior},
		{"+12", g, edit(g, plus(12)), KindEverywhere},
		{"+1", g, edit(g, plus(1)), KindEverywhere},
		{"alpha", g, edit(g, func(x, y int, p color.NRGBA) color.NRGBA { p.A = 9; return p }), KindAlpha},
		{"edge moved among noise of 1", square(0), edit(square(1), func(x, y int, p color.NRGBA) color.NRGBA {
			p.G += uint8((x ^ y) & 1)
			return p
		}), KindEdges},
		{"upside down", g, edit(g, func(x, y int, p color.NRGBA) color.NRGBA { return at(x, 89-y) }), KindMixed},
	} {
		if got := Kind(c.g, c.a); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

func BenchmarkDiagnose720p(b *testing.B) {
	g := still(1280, 720)
	a := edit(g, plus(3))
	for b.Loop() {
		Diagnose(g, a)
	}
}

func BenchmarkKind720p(b *testing.B) {
	g := still(1280, 720)
	a := edit(g, plus(3))
	for b.Loop() {
		Kind(g, a)
	}
}
