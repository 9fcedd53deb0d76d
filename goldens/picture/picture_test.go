package picture

import (
	"image"
	"image/color"
	"strings"
	"testing"
)

func fill(w, h int, c color.NRGBA) *image.NRGBA {
	m := image.NewNRGBA(image.Rect(0, 0, w, h))
	for i := 0; i < len(m.Pix); i += 4 {
		m.Pix[i], m.Pix[i+1], m.Pix[i+2], m.Pix[i+3] = c.R, c.G, c.B, c.A
	}
	return m
}

func TestDigestSeesEveryByteAndOnlyPixels(t *testing.T) {
	a := fill(8, 4, color.NRGBA{1, 2, 3, 4})
	d, err := Digest(a)
	if err != nil || len(d) != 64 {
		t.Fatal(d, err)
	}
	for i := range a.Pix {
		a.Pix[i]++
		if e, _ := Digest(a); e == d {
			t.Errorf("byte %d does not count", i)
		}
		a.Pix[i]--
	}
	// The same bytes as another shape are another picture.
	b := &image.NRGBA{Pix: a.Pix, Stride: 16, Rect: image.Rect(0, 0, 4, 8)}
	if e, _ := Digest(b); e == d {
		t.Error("8x4 and 4x8 have one digest")
	}
	// A window into a larger picture is the same picture.
	big := fill(20, 20, color.NRGBA{9, 9, 9, 9})
	sub := big.SubImage(image.Rect(3, 5, 11, 9)).(*image.NRGBA)
	for y := 5; y < 9; y++ {
		for x := 3; x < 11; x++ {
			sub.SetNRGBA(x, y, color.NRGBA{1, 2, 3, 4})
		}
	}
	if e, _ := Digest(sub); e != d {
		t.Error("the digest depends on the stride")
	}
	if !Equal(sub, a) || Equal(a, b) {
		t.Error("Equal and Digest disagree")
	}
	if _, err := Digest(image.NewRGBA(image.Rect(0, 0, 1, 1))); err == nil {
		t.Error("a premultiplied picture was taken")
	}
}

func TestBlank(t *testing.T) {
	speck := fill(64, 64, color.NRGBA{0, 0, 0, 255})
	speck.SetNRGBA(63, 63, color.NRGBA{2, 0, 0, 255})
	dither := fill(64, 64, color.NRGBA{51, 51, 77, 255})
	dither.SetNRGBA(5, 5, color.NRGBA{52, 51, 77, 255})
	clear := fill(8, 8, color.NRGBA{0, 0, 0, 0})
	clear.SetNRGBA(3, 3, color.NRGBA{200, 0, 0, 0})
	deep := image.NewNRGBA64(image.Rect(0, 0, 4, 4))
	faint := image.NewNRGBA64(image.Rect(0, 0, 4, 4))
	for i := range faint.Pix {
		faint.Pix[i] = 0x40
	}
	faint.SetNRGBA64(1, 1, color.NRGBA64{0x8000, 0, 0, 0xffff})
	for _, c := range []struct {
		name string
		m    image.Image
		want string
	}{
		{"clear colour", fill(64, 64, color.NRGBA{51, 51, 77, 255}), "(51, 51, 77, 255)"},
		{"black", fill(1, 1, color.NRGBA{}), "transparent"},
		{"dithered", dither, "within 1"},
		{"colour under alpha 0", clear, "transparent"},
		{"no pixels", image.NewNRGBA(image.Rectangle{}), "no pixels"},
		{"one dark speck in a corner", speck, ""},
		{"16 bits, black", deep, "transparent"},
		{"16 bits, one pixel", faint, ""},
	} {
		got, err := Blank(c.m)
		if err != nil || (got == "") != (c.want == "") || !strings.Contains(got, c.want) {
			t.Errorf("%s: %q, %v; want %q", c.name, got, err, c.want)
		}
	}
}

func BenchmarkDigest4K(b *testing.B) {
	m := fill(3840, 2160, color.NRGBA{1, 2, 3, 255})
	b.SetBytes(int64(len(m.Pix)))
	for b.Loop() {
		Digest(m)
	}
}
