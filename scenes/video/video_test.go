package video

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/gif"
	"image/png"
	"strings"
	"testing"
	"testing/fstest"

	"darkroom/material/shader"
)

var (
	_ shader.FrameSource = (*GIF)(nil)
	_ shader.FrameSource = (*PNGs)(nil)
	_ shader.FrameSource = (*Y4M)(nil)
)

func TestClock(t *testing.T) {
	c := clock{ends: []float64{0.1, 0.3, 0.4}}
	for _, x := range []struct {
		t    float64
		loop bool
		want int
	}{
		{-1, false, 0}, {0, false, 0}, {0.0999, false, 0}, {0.1, false, 1}, {0.3, false, 2}, {0.4, false, 2}, {99, false, 2},
		{-1, true, 0}, {0.4, true, 0}, {0.5, true, 1}, {0.7, true, 2}, {0.8, true, 0}, {4.1, true, 1},
	} {
		c.Loop = x.loop
		if got := c.Frame(x.t); got != x.want {
			t.Errorf("at %g s, loop %t: frame %d, want %d", x.t, x.loop, got, x.want)
		}
	}
	// A frame begins at its time, whatever its binary fraction.
	s := steady(100, 30)
	for i := range 100 {
		if got := s.Frame(float64(i) / 30); got != i {
			t.Errorf("at %d/30 s: frame %d", i, got)
		}
	}
}

func animation(t testing.TB) []byte {
	t.Helper()
	p := color.Palette{color.NRGBA{}, color.NRGBA{255, 0, 0, 255}, color.NRGBA{0, 255, 0, 255}, color.NRGBA{0, 0, 255, 255}}
	fill := func(r image.Rectangle, i uint8) *image.Paletted {
		m := image.NewPaletted(r, p)
		for k := range m.Pix {
			m.Pix[k] = i
		}
		return m
	}
	g := &gif.GIF{Config: image.Config{Width: 4, Height: 2, ColorModel: p}, BackgroundIndex: 0}
	add := func(m *image.Paletted, delay int, disposal byte) {
		g.Image, g.Delay, g.Disposal = append(g.Image, m), append(g.Delay, delay), append(g.Disposal, disposal)
	}
	add(fill(image.Rect(0, 0, 4, 2), 1), 50, gif.DisposalNone)
	add(fill(image.Rect(2, 0, 4, 2), 2), 50, gif.DisposalPrevious)
	add(fill(image.Rect(0, 0, 1, 1), 3), 0, gif.DisposalBackground)
	add(fill(image.Rect(3, 1, 4, 2), 0), 50, gif.DisposalNone)
	var b bytes.Buffer
	if err := gif.EncodeAll(&b, g); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestGIF(t *testing.T) {
	v, err := ReadGIF(animation(t))
	if err != nil {
		t.Fatal(err)
	}
	if v.Frames() != 4 || v.Duration() != 1.6 {
		t.Errorf("%d frames in %g s", v.Frames(), v.Duration())
	}
	const R, G, B, none = "\xff\x00\x00\xff", "\x00\xff\x00\xff", "\x00\x00\xff\xff", "\x00\x00\x00\x00"
	for at, want := range map[float64]string{
		0:    strings.Repeat(R, 8),
		0.5:  R + R + G + G + R + R + G + G,
		1:    B + strings.Repeat(R, 7),
		1.05: B + strings.Repeat(R, 7),
		1.1:  none + strings.Repeat(R, 7),
	} {
		if got, err := v.At(at); err != nil || string(got) != want {
			t.Errorf("at %g s: %x, want %x, %v", at, got, want, err)
		}
	}
	for _, bad := range []string{"", "GIF89a", "\x89PNG"} {
		if _, err := ReadGIF([]byte(bad)); !errors.Is(err, ErrFormat) {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

func TestPNGs(t *testing.T) {
	file := func(w int, c color.Color) *fstest.MapFile {
		m := image.NewNRGBA(image.Rect(0, 0, w, 1))
		for x := range w {
			m.Set(x, 0, c)
		}
		var b bytes.Buffer
		if err := png.Encode(&b, m); err != nil {
			t.Fatal(err)
		}
		return &fstest.MapFile{Data: b.Bytes()}
	}
	fsys := fstest.MapFS{
		"f/10.png": file(1, color.White), "f/9.png": file(1, color.Black), "f/010.png": file(1, color.NRGBA{255, 0, 0, 128}),
		"f/11.png": file(2, color.White), "f/12.png": {Data: []byte("GIF89a")}, "f/readme": {},
	}
	v, err := OpenPNGs(fsys, "f/*.png", 2)
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(v.names, " "); got != "f/9.png f/10.png f/010.png f/11.png f/12.png" {
		t.Errorf("order %s", got)
	}
	for at, want := range map[float64]string{0: "\x00\x00\x00\xff", 0.5: "\xff\xff\xff\xff", 1.2: "\xff\x00\x00\x80"} {
		if got, err := v.At(at); err != nil || string(got) != want {
			t.Errorf("at %g s: %x, %v", at, got, err)
		}
	}
	if _, err := v.At(1.5); err == nil || !strings.Contains(err.Error(), "f/11.png") || !strings.Contains(err.Error(), "2x1") {
		t.Errorf("another size: %v", err)
	}
	if _, err := v.At(2); err == nil || !strings.Contains(err.Error(), "f/12.png") {
		t.Errorf("no PNG: %v", err)
	}
	for _, x := range []struct {
		pattern string
		fps     float64
	}{{"g/*.png", 2}, {"f/*.png", 0}, {"f/12.png", 1}, {"[", 1}} {
		if _, err := OpenPNGs(fsys, x.pattern, x.fps); err == nil {
			t.Errorf("%+v was taken", x)
		}
	}
}

func y4m(head string, frames ...string) *bytes.Reader {
	s := "YUV4MPEG2 " + head + "\n"
	for _, f := range frames {
		s += "FRAME\n" + f
	}
	return bytes.NewReader([]byte(s))
}

func TestY4M(t *testing.T) {
	const grey = "\x80\x80"
	for _, x := range []struct {
		name, head, frame string
		want              string // of the first two pixels, RGB
	}{
		{"black and white, limited", "W2 H1 F25:1 C444", "\x10\xeb" + grey + grey, "\x00\x00\x00\xff\xff\xff"},
		{"black and white, full", "W2 H1 F25:1 C444 XCOLORRANGE=FULL", "\x00\xff" + grey + grey, "\x00\x00\x00\xff\xff\xff"},
		{"grey", "W2 H1 F25:1 Cmono XCOLORRANGE=FULL", "\x40\x80", "\x40\x40\x40\x80\x80\x80"},
		// The primaries of BT.601 in limited range, from the standard's formula.
		{"red and blue", "W2 H1 F25:1 C444 Ip A1:1", "\x51\x29" + "\x5a\xf0" + "\xf0\x6e", "\xfe\x00\x00\x00\x00\xff"},
		{"4:2:0", "W2 H1 F25:1", "\x51\x51" + "\x5a" + "\xf0", "\xfe\x00\x00\xfe\x00\x00"},
		{"4:2:2", "W2 H1 F25:1 C422", "\x51\x51" + "\x5a" + "\xf0", "\xfe\x00\x00\xfe\x00\x00"},
	} {
		r := y4m(x.head, x.frame)
		v, err := OpenY4M(r, r.Size())
		if err != nil {
			t.Errorf("%s: %v", x.name, err)
			continue
		}
		got, err := v.At(0)
		if err != nil {
			t.Fatal(err)
		}
		if rgb := string(got[:3]) + string(got[4:7]); rgb != x.want || got[3] != 255 {
			t.Errorf("%s: %x, want %x", x.name, rgb, x.want)
		}
	}
	r := y4m("W1 H1 F2:1 Cmono", "\x10", "\xeb")
	v, err := OpenY4M(r, r.Size())
	if err != nil || v.Frames() != 2 || v.Duration() != 1 {
		t.Fatalf("%v", err)
	}
	for at, want := range map[float64]byte{0: 0, 0.5: 255, 7: 255} {
		if got, err := v.At(at); err != nil || got[0] != want {
			t.Errorf("at %g s: %v, %v", at, got, err)
		}
	}
}

func TestY4MRefused(t *testing.T) {
	for _, x := range []struct{ head, frame, want string }{
		{"W2 H1 C444", "", "frame rate"}, {"W2 H1 F0:1", "", "frame rate"}, {"W2 H1 F25", "", "frame rate"},
		{"W0 H1 F25:1", "", "0x1"}, {"Wx H1 F25:1", "", "Wx"}, {"W99999999 H99999999 F25:1", "", "pixels"},
		{"W2 H1 F25:1 C420p10", "", "C420p10"}, {"W2 H1 F25:1 It", "", "interlaced"},
		{"W2 H1 F25:1 Cmono", "x", "cut off"}, {"W2 H1 F25:1 Cmono", "xyz", "FRAME"},
	} {
		r := y4m(x.head, x.frame)
		if _, err := OpenY4M(r, r.Size()); err == nil || !strings.Contains(err.Error(), x.want) {
			t.Errorf("%s: %v, want %q", x.head, err, x.want)
		}
	}
	r := bytes.NewReader([]byte("RIFF"))
	if _, err := OpenY4M(r, r.Size()); !errors.Is(err, ErrFormat) {
		t.Error(err)
	}
}

func FuzzY4M(f *testing.F) {
	f.Add([]byte("YUV4MPEG2 W2 H1 F25:1 C444\nFRAME\n123456"))
	f.Add([]byte("YUV4MPEG2 W3 H3 F25:1\nFRAME X\n" + strings.Repeat("a", 17)))
	f.Fuzz(func(t *testing.T, data []byte) {
		v, err := OpenY4M(bytes.NewReader(data), int64(len(data)))
		if err != nil {
			return
		}
		for i := range v.Frames() {
			if p, err := v.At(v.ends[i] - 1e-6); err != nil || len(p) != 4*v.w*v.h {
				t.Fatal(fmt.Sprint(len(p), err))
			}
		}
	})
}

func FuzzGIF(f *testing.F) {
	f.Add(animation(f))
	f.Fuzz(func(t *testing.T, data []byte) {
		if v, err := ReadGIF(data); err == nil {
			if p, err := v.At(0.7); err != nil || len(p) != 4*v.w*v.h {
				t.Fatal(len(p), err)
			}
		}
	})
}
