package metrics

import (
	"errors"
	"fmt"
	"image"
	"image/color"
	"math"
	"math/rand/v2"
	"testing"
)

// plain is the definition of every measure, pixel by pixel, for checking the fast ones.
func plain(g, a *image.NRGBA, opt Options) Measures {
	w, h := g.Rect.Dx(), g.Rect.Dy()
	m := Measures{Width: w, Height: h, Pixels: w * h, OverAbove: opt.overAbove(), RegionMAD: math.NaN()}
	bg := opt.background()
	mad := make([]float64, w*h)
	var sum, region float64
	for y := range h {
		for x := range w {
			p, q := g.NRGBAAt(g.Rect.Min.X+x, g.Rect.Min.Y+y), a.NRGBAAt(a.Rect.Min.X+x, a.Rect.Min.Y+y)
			d := func(a, b uint8) float64 { return math.Abs(float64(a) - float64(b)) }
			r, gr, b, al := d(p.R, q.R), d(p.G, q.G), d(p.B, q.B), d(p.A, q.A)
			top := max(r, gr, b)
			mad[y*w+x] = (r + gr + b) / 3
			sum += mad[y*w+x]
			m.Histogram[int(top)]++
			m.MaxDiff = max(m.MaxDiff, top)
			m.AlphaMax = max(m.AlphaMax, al)
			m.AlphaMAD += al
			if top > m.OverAbove {
				m.Over++
			}
			for i, t := range []float64{0, 1, 3, 5} {
				if top <= t {
					*[]*float64{&m.Within0, &m.Within1, &m.Within3, &m.Within5}[i]++
				}
			}
			dist := math.Sqrt(math.Pow(float64(p.R)-float64(bg.R), 2) + math.Pow(float64(p.G)-float64(bg.G), 2) + math.Pow(float64(p.B)-float64(bg.B), 2))
			if dist > 30 && !opt.NoRegion {
				m.RegionPixels++
				region += mad[y*w+x]
			}
		}
	}
	n := float64(w * h)
	m.MAD, m.AlphaMAD, m.OverShare = sum/n, m.AlphaMAD/n, float64(m.Over)/n
	m.Within0, m.Within1, m.Within3, m.Within5 = m.Within0/n, m.Within1/n, m.Within3/n, m.Within5/n
	if m.RegionPixels > 0 {
		m.RegionMAD = region / float64(m.RegionPixels)
	}
	m.TileMAD = -1
	for y := 0; y == 0 || y < (h+7)/8*8-8; y += 8 {
		for x := 0; x == 0 || x < (w+7)/8*8-8; x += 8 {
			box := image.Rect(x, y, min(w, x+16), min(h, y+16))
			var s float64
			for j := box.Min.Y; j < box.Max.Y; j++ {
				for i := box.Min.X; i < box.Max.X; i++ {
					s += mad[j*w+i]
				}
			}
			if s /= float64(box.Dx() * box.Dy()); s > m.TileMAD+1e-12 {
				m.TileMAD, m.Tile = s, box
			}
		}
	}
	return m
}

func noise(r *rand.Rand, w, h int) *image.NRGBA {
	m := image.NewNRGBA(image.Rect(0, 0, w, h))
	for i := range m.Pix {
		m.Pix[i] = uint8(r.Uint32())
	}
	return m
}

func clone(m *image.NRGBA) *image.NRGBA {
	c := image.NewNRGBA(m.Rect)
	copy(c.Pix, m.Pix)
	return c
}

// solid is a picture of one colour with a lighter square in the middle, so that nothing here is blank.
func solid(w, h int, c color.NRGBA) *image.NRGBA {
	m := image.NewNRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			p := c
			if x > w/4 && x < w/2 && y > h/4 && y < h/2 {
				p.R += 40
			}
			m.SetNRGBA(x, y, p)
		}
	}
	return m
}

func close2(a, b float64) bool {
	return math.IsNaN(a) && math.IsNaN(b) || math.Abs(a-b) <= 1e-9*max(1, math.Abs(b))
}

func checkEqual(t *testing.T, name string, got, want Measures) {
	t.Helper()
	for _, c := range []struct {
		name      string
		got, want float64
	}{
		{"MAD", got.MAD, want.MAD}, {"RegionMAD", got.RegionMAD, want.RegionMAD}, {"RegionPixels", float64(got.RegionPixels), float64(want.RegionPixels)},
		{"MaxDiff", got.MaxDiff, want.MaxDiff}, {"Within0", got.Within0, want.Within0}, {"Within1", got.Within1, want.Within1},
		{"Within3", got.Within3, want.Within3}, {"Within5", got.Within5, want.Within5}, {"TileMAD", got.TileMAD, want.TileMAD},
		{"Over", float64(got.Over), float64(want.Over)}, {"OverShare", got.OverShare, want.OverShare},
		{"AlphaMAD", got.AlphaMAD, want.AlphaMAD}, {"AlphaMax", got.AlphaMax, want.AlphaMax},
	} {
		if !close2(c.got, c.want) {
			t.Errorf("%s: %s is %v, want %v", name, c.name, c.got, c.want)
		}
	}
	if got.Tile != want.Tile {
		t.Errorf("%s: worst tile %v, want %v", name, got.Tile, want.Tile)
	}
	if got.Histogram != want.Histogram {
		t.Errorf("%s: histograms differ", name)
	}
}

func TestMeasureIsThePlainDefinition(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for i := range 300 {
		w, h := 1+r.IntN(70), 1+r.IntN(70)
		g := noise(r, w, h)
		a := clone(g)
		switch i % 4 {
		case 0:
			a = noise(r, w, h)
		case 1: // a few bytes
			for range 1 + r.IntN(5) {
				a.Pix[r.IntN(len(a.Pix))] ^= 1 << r.IntN(8)
			}
		case 2: // small steps everywhere, colour and alpha
			for i := range a.Pix {
				a.Pix[i] += uint8(r.IntN(3))
			}
		case 3: // flat background with a patch
			for i := 0; i < len(g.Pix); i += 4 {
				if r.IntN(3) > 0 {
					copy(g.Pix[i:], []byte{51, 51, 77, 255})
				}
			}
		}
		if i%5 == 0 { // windows into larger pictures
			big := noise(r, w+9, h+5)
			sub := big.SubImage(image.Rect(4, 3, 4+w, 3+h)).(*image.NRGBA)
			for y := range h {
				copy(sub.Pix[y*sub.Stride:][:w*4], a.Pix[y*a.Stride:][:w*4])
			}
			a = sub
		}
		opt := Options{NoRegion: i%7 == 0, OverAbove: float64(r.IntN(40)), Workers: 1 + i%3}
		if i%11 == 0 {
			opt.Background = &color.NRGBA{200, 100, 50, 255}
		}
		got, err := Measure(g, a, opt)
		if err != nil {
			t.Fatal(err)
		}
		if got.Identical {
			continue
		}
		checkEqual(t, fmt.Sprintf("pair %d, %d×%d", i, w, h), got, plain(g, a, opt))
	}
}

// Many workers must give the very sums that one gives.
func TestMeasureDoesNotDependOnWorkers(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	g := noise(r, 517, 389)
	a := clone(g)
	for range 5000 {
		a.Pix[r.IntN(len(a.Pix))]++
	}
	one, err := Measure(g, a, Options{Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	for workers := 2; workers < 9; workers++ {
		m, _ := Measure(g, a, Options{Workers: workers})
		if m != one {
			t.Errorf("%d workers: %+v, one: %+v", workers, m, one)
		}
	}
}

func TestSizesThatDifferAreAnErrorAndNeverACrop(t *testing.T) {
	g := solid(64, 64, color.NRGBA{10, 10, 10, 255})
	for _, s := range []image.Point{{64, 65}, {65, 64}, {63, 64}, {32, 128}, {0, 0}} {
		_, err := Measure(g, image.NewNRGBA(image.Rect(0, 0, s.X, s.Y)), Options{})
		if !errors.Is(err, ErrSize) {
			t.Errorf("%v: %v", s, err)
		}
	}
	empty := image.NewNRGBA(image.Rectangle{})
	if _, err := Measure(empty, empty, Options{}); !errors.Is(err, ErrSize) {
		t.Errorf("two pictures without pixels compare: %v", err)
	}
	if _, err := Measure(g, image.NewRGBA(g.Rect), Options{}); err == nil {
		t.Error("a premultiplied picture compares")
	}
}

func TestARegionThatSelectsNothingIsNotZero(t *testing.T) {
	g := image.NewNRGBA(image.Rect(0, 0, 32, 32))
	for i := 0; i < len(g.Pix); i += 4 {
		copy(g.Pix[i:], []byte{51, 51, 77, 255})
	}
	a := clone(g)
	a.Pix[0] = 255
	m, err := Measure(g, a, Options{})
	if err != nil || m.RegionPixels != 0 || !math.IsNaN(m.RegionMAD) {
		t.Errorf("region of %d pixels has MAD %v, %v", m.RegionPixels, m.RegionMAD, err)
	}
}

// The region's border, from the definition: distance 30 is background, anything more is not.
func TestRegionBorder(t *testing.T) {
	g := image.NewNRGBA(image.Rect(0, 0, 4, 1))
	copy(g.Pix, []byte{51 + 30, 51, 77, 255 /**/, 51 + 31, 51, 77, 255 /**/, 51 - 18, 51 - 18, 77 + 16, 255 /**/, 51 - 18, 51 - 18, 77 + 15, 255})
	a := clone(g)
	a.Pix[4] += 3
	m, err := Measure(g, a, Options{})
	// 18²+18²+16² = 904 > 900; 18²+18²+15² = 873.
	if err != nil || m.RegionPixels != 2 || m.RegionMAD != 0.5 {
		t.Errorf("%d pixels, MAD %v, %v; want 2, 0.5", m.RegionPixels, m.RegionMAD, err)
	}
}

func deep(m *image.NRGBA) *image.NRGBA64 {
	d := image.NewNRGBA64(m.Rect)
	for i, v := range m.Pix {
		d.Pix[2*i], d.Pix[2*i+1] = v, v
	}
	return d
}

func TestSixteenBits(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	g, a := noise(r, 61, 47), noise(r, 61, 47)
	want := plain(g, a, Options{})
	for name, pair := range map[string][2]image.Image{"16/16": {deep(g), deep(a)}, "8/16": {g, deep(a)}, "16/8": {deep(g), a}} {
		got, err := Measure(pair[0], pair[1], Options{})
		if err != nil {
			t.Fatal(err)
		}
		checkEqual(t, name, got, want)
	}
	// The low byte alone.
	low := deep(g)
	low.Pix[1] ^= 1
	m, err := Measure(deep(g), low, Options{})
	if err != nil || m.Identical || m.Within0 == 1 || m.MaxDiff != 1.0/257 || m.MAD == 0 {
		t.Errorf("a low byte differs: %+v, %v", m, err)
	}
	m, err = Measure(deep(g), deep(g), Options{})
	if err != nil || !m.Identical || m.Within0 != 1 {
		t.Errorf("equal: %+v, %v", m, err)
	}
}

func FuzzMeasure(f *testing.F) {
	f.Add(uint8(9), uint8(3), []byte{1, 2, 3}, []byte{4})
	f.Fuzz(func(t *testing.T, w, h uint8, p, q []byte) {
		if w == 0 || h == 0 {
			return
		}
		g := image.NewNRGBA(image.Rect(0, 0, int(w), int(h)))
		a := clone(g)
		copy(g.Pix, p)
		copy(a.Pix, q)
		got, err := Measure(g, a, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if !got.Identical {
			checkEqual(t, "fuzz", got, plain(g, a, Options{}))
		}
	})
}

func bench(b *testing.B, opt Options, change func(a *image.NRGBA)) {
	g := image.NewNRGBA(image.Rect(0, 0, 3840, 2160))
	for y := range 2160 {
		for x := range 3840 {
			i := g.PixOffset(x, y)
			copy(g.Pix[i:], []byte{51, 51, 77, 255})
			if (x-1920)*(x-1920)+(y-1080)*(y-1080) < 900*900 {
				copy(g.Pix[i:], []byte{uint8(x ^ y), uint8(x + y), uint8(x * y >> 4), 255})
			}
		}
	}
	a := clone(g)
	change(a)
	b.SetBytes(int64(len(g.Pix)))
	b.ResetTimer()
	for b.Loop() {
		if _, err := Measure(g, a, opt); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkMeasure4K(b *testing.B) {
	everywhere := func(a *image.NRGBA) {
		for i := range a.Pix {
			if i%4 != 3 {
				a.Pix[i] += 12
			}
		}
	}
	onePercent := func(a *image.NRGBA) {
		for i := 0; i < len(a.Pix); i += 400 {
			a.Pix[i] += 90
		}
	}
	r := rand.New(rand.NewPCG(1, 1))
	random := func(a *image.NRGBA) {
		for i := range a.Pix {
			a.Pix[i] = uint8(r.Uint32())
		}
	}
	for _, c := range []struct {
		name string
		opt  Options
		f    func(*image.NRGBA)
	}{
		{"equal", Options{}, func(*image.NRGBA) {}},
		{"1%", Options{}, onePercent},
		{"1%/1 core", Options{Workers: 1}, onePercent},
		{"+12", Options{}, everywhere},
		{"+12/1 core", Options{Workers: 1}, everywhere},
		{"+12/1 core, no region", Options{Workers: 1, NoRegion: true}, everywhere},
		{"random", Options{}, random},
	} {
		b.Run(c.name, func(b *testing.B) { bench(b, c.opt, c.f) })
	}
}
