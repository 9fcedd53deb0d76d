package metrics

import (
	"cmp"
	"fmt"
	"image"
	"math"
	"slices"

	"darkroom/parity/verdict"
)

const (
	// A transform is worth telling when it leaves less than this share of the difference.
	explains = 0.5
	// Before all rows are looked at, a transform must stand on about this many of them.
	probeRows = 96
)

// transform is a guess at what happened to the golden on its way to the picture.
type transform struct {
	name string
	// row writes row y of the transformed golden. It writes pixels x0…x1 only, and none where x0 >= x1: what a shift leaves open is not
	// compared.
	row func(dst []byte, y int) (x0, x1 int)
}

// Diagnose looks for simple transforms of the golden that explain the picture: channels swapped, flips, another encoding, gain or offset,
// alpha multiplied in or out, shifts by one and by half a pixel, rows read with the wrong stride. Each finding gives the MAD before and after:
// "after R/B swap MAD 48.1 → 0.02". The best comes first, at most three, and none that leaves half of the difference or more. Pictures of 16
// bits are not diagnosed.
//
// The transforms run from golden to picture, never back: a premultiplied or clipped picture has lost what the way back would need.
func Diagnose(golden, actual image.Image) []verdict.Finding {
	g, ok := golden.(*image.NRGBA)
	a, ok2 := actual.(*image.NRGBA)
	if !ok || !ok2 || g.Rect.Size() != a.Rect.Size() || g.Rect.Empty() {
		return nil
	}
	p := &pair{g: g, a: a, w: g.Rect.Dx(), h: g.Rect.Dy(), buf: make([]byte, g.Rect.Dx()*4)}
	before := p.mad(transform{"identity", p.shift(0, 0)}, 1)
	var found []verdict.Finding
	if before > 0 {
		found = p.explainColour(before)
	}
	if f, ok := p.explainAlpha(); ok {
		found = append(found, f)
	}
	return found
}

func (p *pair) explainColour(before float64) []verdict.Finding {
	step := max(1, p.h/probeRows)
	probe := p.mad(transform{"identity", p.shift(0, 0)}, step)
	var found []verdict.Finding
	for _, t := range p.transforms() {
		if p.mad(t, step) > max(explains*probe, 0.05*before) {
			continue
		}
		after := p.mad(t, 1)
		if after >= explains*before {
			continue
		}
		found = append(found, verdict.Finding{Name: t.name, Before: before, After: after,
			Text: fmt.Sprintf("after %s MAD %s → %s", t.name, num(before), num(after))})
	}
	// Stable: of two that explain as much, the simpler one comes first in the list.
	slices.SortStableFunc(found, func(x, y verdict.Finding) int {
		if math.Abs(x.After-y.After) < 1e-3 {
			return 0
		}
		return cmp.Compare(x.After, y.After)
	})
	return found[:min(3, len(found))]
}

// pair is two pictures of one size and a row to work in.
type pair struct {
	g, a *image.NRGBA
	w, h int
	buf  []byte
}

func (p *pair) golden(y int) []byte { return p.g.Pix[y*p.g.Stride : y*p.g.Stride+p.w*4] }
func (p *pair) actual(y int) []byte { return p.a.Pix[y*p.a.Stride : y*p.a.Stride+p.w*4] }

// mad between the transformed golden and the picture, over every step-th row; +Inf where the transform leaves less than half to compare.
func (p *pair) mad(t transform, step int) float64 {
	var sum uint64
	pixels, all := 0, 0
	for y := 0; y < p.h; y += step {
		all += p.w
		x0, x1 := t.row(p.buf, y)
		if x0 >= x1 {
			continue
		}
		pixels += x1 - x0
		sum += sumAbsRGB(p.buf[x0*4:x1*4], p.actual(y)[x0*4:x1*4])
	}
	if pixels*2 < all {
		return math.Inf(1)
	}
	return float64(sum) / 3 / float64(pixels)
}

func (p *pair) transforms() []transform {
	ts := []transform{
		{"R/B swap", p.pixels(func(d, s []byte) { d[0], d[1], d[2] = s[2], s[1], s[0] })},
		{"R/G swap", p.pixels(func(d, s []byte) { d[0], d[1], d[2] = s[1], s[0], s[2] })},
		{"G/B swap", p.pixels(func(d, s []byte) { d[0], d[1], d[2] = s[0], s[2], s[1] })},
		{"Y flip", func(dst []byte, y int) (int, int) { return 0, copy(dst, p.golden(p.h-1-y)) / 4 }},
		{"X flip", p.mirrored(func(y int) int { return y })},
		{"turn by 180°", p.mirrored(func(y int) int { return p.h - 1 - y })},
		{"sRGB encoding (picture is encoded twice, or golden is linear)", p.lut(func(v float64) float64 { return encodeSRGB(v) })},
		{"sRGB decoding (picture is linear)", p.lut(decodeSRGB)},
		{"black where alpha is 0", p.pixels(func(d, s []byte) {
			d[0], d[1], d[2] = s[0], s[1], s[2]
			if s[3] == 0 {
				d[0], d[1], d[2] = 0, 0, 0
			}
		})},
		{"premultiplying by alpha", p.pixels(func(d, s []byte) {
			for c := range 3 {
				d[c] = uint8((int(s[c])*int(s[3]) + 127) / 255)
			}
		})},
		{"dividing by alpha", p.pixels(func(d, s []byte) {
			for c := range 3 {
				d[c] = 0
				if s[3] > 0 {
					d[c] = uint8(min(255, (int(s[c])*255+int(s[3])/2)/int(s[3])))
				}
			}
		})},
		{"inverting", p.lut(func(v float64) float64 { return 1 - v })},
	}
	ts = append(ts, p.fitted()...)
	for _, s := range []struct {
		x, y int
		name string
	}{
		{1, 0, "right"}, {-1, 0, "left"}, {0, 1, "down"}, {0, -1, "up"},
		{1, 1, "right and down"}, {-1, 1, "left and down"}, {1, -1, "right and up"}, {-1, -1, "left and up"},
	} {
		ts = append(ts,
			transform{"shift by 1 pixel " + s.name, p.shift(s.x, s.y)},
			transform{"shift by ½ pixel " + s.name, p.half(s.x, s.y)})
	}
	return append(ts, p.skewed()...)
}

// pixels applies f to every pixel; d and s are RGBA.
func (p *pair) pixels(f func(d, s []byte)) func([]byte, int) (int, int) {
	return func(dst []byte, y int) (int, int) {
		src := p.golden(y)
		for i := 0; i+4 <= len(src); i += 4 {
			f(dst[i:i+4:i+4], src[i:i+4:i+4])
		}
		return 0, p.w
	}
}

// lut applies f, on 0…1, to the colour channels.
func (p *pair) lut(f func(float64) float64) func([]byte, int) (int, int) {
	var t [256]byte
	for v := range t {
		t[v] = uint8(math.Round(255 * min(1, max(0, f(float64(v)/255)))))
	}
	return p.pixels(func(d, s []byte) { d[0], d[1], d[2] = t[s[0]], t[s[1]], t[s[2]] })
}

func (p *pair) mirrored(row func(y int) int) func([]byte, int) (int, int) {
	return func(dst []byte, y int) (int, int) {
		src := p.golden(row(y))
		for x := range p.w {
			copy(dst[x*4:x*4+4], src[(p.w-1-x)*4:])
		}
		return 0, p.w
	}
}

// fitted has the gains and the offset that fit best, from pixels that are not clipped in the picture.
func (p *pair) fitted() []transform {
	var gg, ga, lgg, lga, sum, n float64
	var linear [256]float64
	for v := range linear {
		linear[v] = decodeSRGB(float64(v) / 255)
	}
	step := max(1, p.h/probeRows)
	for y := 0; y < p.h; y += step {
		g, a := p.golden(y), p.actual(y)
		for i, v := range a {
			if i%4 == 3 || v == 0 || v == 255 {
				continue
			}
			x, z := float64(g[i]), float64(v)
			gg, ga = gg+x*x, ga+x*z
			lx, lz := linear[g[i]], linear[v]
			lgg, lga = lgg+lx*lx, lga+lx*lz
			sum, n = sum+z-x, n+1
		}
	}
	if n == 0 || gg == 0 || lgg == 0 {
		return nil
	}
	gain, light, offset := ga/gg, lga/lgg, math.Round(sum/n)
	return []transform{
		{fmt.Sprintf("offset by %+.0f", offset), p.lut(func(v float64) float64 { return v + offset/255 })},
		{fmt.Sprintf("gain ×%.3f", gain), p.lut(func(v float64) float64 { return v * gain })},
		{fmt.Sprintf("gain ×%.3f in linear light", light), p.lut(func(v float64) float64 { return encodeSRGB(decodeSRGB(v) * light) })},
	}
}

// shift moves the golden by whole pixels; right and down are positive.
func (p *pair) shift(dx, dy int) func([]byte, int) (int, int) {
	return func(dst []byte, y int) (int, int) {
		if y-dy < 0 || y-dy >= p.h {
			return 0, 0
		}
		src := p.golden(y - dy)
		x0, x1 := max(0, dx), min(p.w, p.w+dx)
		if x0 < x1 {
			copy(dst[x0*4:x1*4], src[(x0-dx)*4:])
		}
		return x0, x1
	}
}

// half moves the golden by half a pixel in the directions that are not 0: each pixel is the mean of the two or four it comes to lie on.
func (p *pair) half(dx, dy int) func([]byte, int) (int, int) {
	other := make([]byte, p.w*4)
	return func(dst []byte, y int) (int, int) {
		src, up := p.golden(y), p.golden(y)
		if dy != 0 {
			if y-dy < 0 || y-dy >= p.h {
				return 0, 0
			}
			up = p.golden(y - dy)
		}
		for i := range other {
			other[i] = uint8((int(src[i]) + int(up[i]) + 1) / 2)
		}
		if dx == 0 {
			copy(dst, other)
			return 0, p.w
		}
		x0, x1 := max(0, dx), min(p.w, p.w+dx)
		for i := x0 * 4; i < x1*4; i++ {
			dst[i] = uint8((int(src[i]) + int(up[i]) + int(src[i-4*dx]) + int(up[i-4*dx]) + 2) / 4)
		}
		return x0, x1
	}
}

// skewed has the pictures that come of reading rows with the wrong stride: every row starts some pixels further on than the one above. A GPU
// pads the rows of a read-back to 256 bytes.
func (p *pair) skewed() []transform {
	name := func(k int) string {
		s := fmt.Sprintf("row skew of %+d pixels a row", k)
		if bytes := (256 - p.w*4%256) % 256; bytes > 0 && k == -bytes/4 {
			s += fmt.Sprintf(" (rows padded to 256 bytes were read as if they had %d)", p.w*4)
		}
		return s
	}
	best, bestMAD := 0, math.Inf(1)
	step := max(1, p.h/24)
	for k := -63; k <= 63; k++ {
		if k == 0 || k > p.w/2 || -k > p.w/2 {
			continue
		}
		if d := p.mad(transform{row: p.skew(k)}, step); d < bestMAD {
			best, bestMAD = k, d
		}
	}
	if best == 0 {
		return nil
	}
	return []transform{{name(best), p.skew(best)}}
}

// skew reads pixel (x, y) from place y·(w+k)+x of the golden's pixels in reading order when k is above 0: rows taken too far apart. When k is
// below 0 the golden's rows have -k pixels of padding that was not skipped.
func (p *pair) skew(k int) func([]byte, int) (int, int) {
	return func(dst []byte, y int) (int, int) {
		if k > 0 {
			return p.stream(dst, y*(p.w+k), p.w)
		}
		// Place in the padded stream, then row and column in it. What was padding is unknown and taken from the picture itself.
		stride := p.w - k
		copy(dst, p.actual(y))
		done := 0
		for done < p.w {
			row, col := (y*p.w+done)/stride, (y*p.w+done)%stride
			if row >= p.h {
				break
			}
			if col < p.w {
				done += copy(dst[done*4:], p.golden(row)[col*4:]) / 4
			} else {
				done += stride - col
			}
		}
		return 0, min(done, p.w)
	}
}

// stream copies n pixels of the golden in reading order, from place at on.
func (p *pair) stream(dst []byte, at, n int) (int, int) {
	done := 0
	for done < n {
		row, col := (at+done)/p.w, (at+done)%p.w
		if row >= p.h {
			break
		}
		done += copy(dst[done*4:n*4], p.golden(row)[col*4:]) / 4
	}
	return 0, done
}

// explainAlpha tells a constant or inverted alpha.
func (p *pair) explainAlpha() (verdict.Finding, bool) {
	lo, hi := uint8(255), uint8(0)
	var before, inverted uint64
	varies := false
	first := p.golden(0)[3]
	for y := range p.h {
		g, a := p.golden(y), p.actual(y)
		for i := 3; i < len(g); i += 4 {
			lo, hi = min(lo, a[i]), max(hi, a[i])
			before += uint64(absDiff(g[i], a[i]))
			inverted += uint64(absDiff(255-g[i], a[i]))
			varies = varies || g[i] != first
		}
	}
	n := float64(p.w * p.h)
	f := verdict.Finding{Name: "alpha", Before: float64(before) / n}
	switch {
	case before == 0:
		return f, false
	case lo == hi:
		f.Text = fmt.Sprintf("alpha is %d in every pixel of the picture; the golden has %d in every pixel", lo, first)
		if varies {
			f.Text = fmt.Sprintf("alpha is %d in every pixel of the picture; the golden's varies", lo)
		}
		return f, true
	case float64(inverted) < explains*float64(before):
		f.After = float64(inverted) / n
		f.Text = fmt.Sprintf("after inverting alpha, its mean difference %s → %s", num(f.Before), num(f.After))
		return f, true
	}
	return f, false
}
