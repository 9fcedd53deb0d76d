package metrics

import (
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
)

// flipPairs are pictures made by formula, so that the very same can be given to another implementation.
func flipPairs() map[string][2]*image.NRGBA {
	draw := func(f func(x, y int) color.NRGBA) *image.NRGBA {
		m := image.NewNRGBA(image.Rect(0, 0, 160, 120))
		for y := range 120 {
			for x := range 160 {
				m.SetNRGBA(x, y, f(x, y))
			}
		}
		return m
	}
	disc := func(cx, cy, r int, in color.NRGBA) func(x, y int) color.NRGBA {
		return func(x, y int) color.NRGBA {
			if (x-cx)*(x-cx)+(y-cy)*(y-cy) < r*r {
				return in
			}
			return color.NRGBA{51, 51, 77, 255}
		}
	}
	gradient := func(x, y int) color.NRGBA {
		return color.NRGBA{uint8(x * 255 / 159), uint8(y * 255 / 119), uint8(x ^ y), 255}
	}
	shifted := func(x, y int) color.NRGBA {
		c := gradient(x, y)
		return color.NRGBA{c.R/2 + 20, c.G, 255 - c.B, 255}
	}
	lines := func(off int) func(x, y int) color.NRGBA {
		return func(x, y int) color.NRGBA {
			if (x+off)%9 == 0 || (y+off)%13 == 0 {
				return color.NRGBA{240, 230, 200, 255}
			}
			return color.NRGBA{30, 40, 60, 255}
		}
	}
	return map[string][2]*image.NRGBA{
		"disc moved by 1":    {draw(disc(80, 60, 30, color.NRGBA{200, 120, 40, 255})), draw(disc(81, 60, 30, color.NRGBA{200, 120, 40, 255}))},
		"disc recoloured":    {draw(disc(80, 60, 30, color.NRGBA{200, 120, 40, 255})), draw(disc(80, 60, 30, color.NRGBA{120, 120, 200, 255}))},
		"disc gone":          {draw(disc(80, 60, 30, color.NRGBA{200, 120, 40, 255})), draw(disc(80, 60, 0, color.NRGBA{}))},
		"gradient, inverted": {draw(gradient), draw(shifted)},
		"lines moved":        {draw(lines(0)), draw(lines(1))},
		"black and white":    {draw(func(x, y int) color.NRGBA { return color.NRGBA{0, 0, 0, 255} }), draw(func(x, y int) color.NRGBA { return color.NRGBA{255, 255, 255, 255} })},
	}
}

// The values are those that NVIDIA's own C++ implementation (FLIP 1.6, 67.02 ppd) prints for the same pictures. It computes in 32 bits, which
// moves the sixth digit.
func TestFLIPAgreesWithTheAuthors(t *testing.T) {
	want := map[string]struct{ mean, max, at10 float64 }{
		"black and white":    {0.967388, 0.967388, 0.967388},
		"disc gone":          {0.161670, 0.969136, 0},
		"disc moved by 1":    {0.020367, 0.494541, 0},
		"disc recoloured":    {0.153495, 0.954333, 0},
		"gradient, inverted": {0.770863, 0.970354, 0.958821},
		"lines moved":        {0.400454, 0.987963, 0.460256},
	}
	for name, p := range flipPairs() {
		f, err := FLIP(p[0], p[1], 0)
		if err != nil {
			t.Fatal(err)
		}
		w := want[name]
		if math.Abs(f.Mean-w.mean) > 5e-6 || math.Abs(f.Max-w.max) > 5e-6 || math.Abs(float64(f.Error[10*160+10])-w.at10) > 5e-6 {
			t.Errorf("%q: mean %.6f, max %.6f, at (10,10) %.6f; want %+v", name, f.Mean, f.Max, f.Error[10*160+10], w)
		}
	}
}

// The pair that nv-flip publishes (etc/tree-ref.png, etc/tree-test.png) with the numbers that the authors' command line tool printed for it:
// mean 0.133285, largest 0.983044, within 0.0001. The pictures are not part of this repository; the variable names their folder.
func TestFLIPOfThePublishedPair(t *testing.T) {
	dir := os.Getenv("DARKROOM_FLIP_PAIR")
	if dir == "" {
		t.Skip("DARKROOM_FLIP_PAIR names no folder with tree-ref.png and tree-test.png")
	}
	f, err := FLIP(readPNG(t, filepath.Join(dir, "tree-ref.png")), readPNG(t, filepath.Join(dir, "tree-test.png")), 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("mean %.6f, max %.6f", f.Mean, f.Max)
	if math.Abs(f.Mean-0.133285) > 1e-4 || math.Abs(f.Max-0.983044) > 1e-4 {
		t.Errorf("mean %.6f, max %.6f; published 0.133285 and 0.983044", f.Mean, f.Max)
	}
}

func readPNG(t *testing.T, path string) *image.NRGBA {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	m, err := png.Decode(f)
	if err != nil {
		t.Fatal(err)
	}
	n := image.NewNRGBA(m.Bounds())
	draw.Draw(n, n.Rect, m, m.Bounds().Min, draw.Src)
	return n
}

// Only the surroundings of a difference are computed; that must not show.
func TestFLIPOfALocalDifferenceIsThatOfTheWhole(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 8))
	g := noise(r, 200, 150)
	for i := 3; i < len(g.Pix); i += 4 {
		g.Pix[i] = 255
	}
	for _, at := range []image.Point{{100, 75}, {0, 0}, {199, 149}, {3, 148}} {
		a := clone(g)
		a.SetNRGBA(at.X, at.Y, color.NRGBA{255, 0, 255, 255})
		local, err := FLIP(g, a, 0)
		if err != nil {
			t.Fatal(err)
		}
		whole, err := flipWhole(g, a, DefaultPPD)
		if err != nil {
			t.Fatal(err)
		}
		for i := range whole.Error {
			if d := math.Abs(float64(whole.Error[i] - local.Error[i])); d > 1e-6 {
				t.Fatalf("difference at %v: error at %d is %v, whole %v", at, i, local.Error[i], whole.Error[i])
			}
		}
		if math.Abs(local.Mean-whole.Mean) > 1e-9 || math.Abs(local.Max-whole.Max) > 1e-6 {
			t.Errorf("difference at %v: mean %v, whole %v", at, local.Mean, whole.Mean)
		}
	}
	same, err := FLIP(g, g, 0)
	if err != nil || same.Mean != 0 || same.Max != 0 {
		t.Errorf("a picture and itself: %v, %v", same.Mean, err)
	}
}

func BenchmarkFLIP1080p(b *testing.B) {
	g := image.NewNRGBA(image.Rect(0, 0, 1920, 1080))
	a := clone(g)
	for i := range a.Pix {
		g.Pix[i], a.Pix[i] = uint8(i*3), uint8(i*7)
	}
	for b.Loop() {
		FLIP(g, a, 0)
	}
}

// SSIM from its definition, window by window.
func TestSSIMIsTheDefinition(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 9))
	g := noise(r, 30, 25)
	a := clone(g)
	for i := range a.Pix {
		a.Pix[i] = uint8(max(0, min(255, int(a.Pix[i])+r.IntN(41)-20)))
	}
	got, err := SSIM(g, a)
	if err != nil {
		t.Fatal(err)
	}
	luma := func(m *image.NRGBA, x, y int) float64 {
		c := m.NRGBAAt(x, y)
		return 0.299*float64(c.R) + 0.587*float64(c.G) + 0.114*float64(c.B)
	}
	var sum, n float64
	for y := 5; y < 20; y++ {
		for x := 5; x < 25; x++ {
			var w, mg, ma, gg, aa, ga float64
			for j := -5; j <= 5; j++ {
				for i := -5; i <= 5; i++ {
					k := math.Exp(-float64(i*i+j*j) / (2 * 1.5 * 1.5))
					p, q := luma(g, x+i, y+j), luma(a, x+i, y+j)
					w, mg, ma, gg, aa, ga = w+k, mg+k*p, ma+k*q, gg+k*p*p, aa+k*q*q, ga+k*p*q
				}
			}
			mg, ma, gg, aa, ga = mg/w, ma/w, gg/w, aa/w, ga/w
			const c1, c2 = 6.5025, 58.5225
			sum += (2*mg*ma + c1) * (2*(ga-mg*ma) + c2) / ((mg*mg + ma*ma + c1) * (gg - mg*mg + aa - ma*ma + c2))
			n++
		}
	}
	if want := sum / n; math.Abs(got-want) > 1e-5 {
		t.Errorf("SSIM %v, want %v", got, want)
	}
	if same, err := SSIM(g, g); err != nil || math.Abs(same-1) > 1e-6 {
		t.Errorf("SSIM of a picture and itself is %v, %v", same, err)
	}
	if _, err := SSIM(g, image.NewNRGBA(image.Rect(0, 0, 30, 26))); err == nil {
		t.Error("SSIM of two sizes")
	}
}
