package png

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"image"
	"image/color"
	"image/draw"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	stdpng "image/png"
)

func noise(seed uint64, w, h int, alpha bool) *image.NRGBA {
	r := rand.New(rand.NewPCG(seed, 7))
	m := image.NewNRGBA(image.Rect(0, 0, w, h))
	for i := range m.Pix {
		m.Pix[i] = uint8(r.Uint32())
		if i%4 == 3 && !alpha {
			m.Pix[i] = 255
		}
	}
	return m
}

func noise16(seed uint64, w, h int, alpha bool) *image.NRGBA64 {
	r := rand.New(rand.NewPCG(seed, 8))
	m := image.NewNRGBA64(image.Rect(0, 0, w, h))
	for i := range m.Pix {
		m.Pix[i] = uint8(r.Uint32())
		if i%8 >= 6 && !alpha {
			m.Pix[i] = 255
		}
	}
	return m
}

// render is a picture with the statistics of a rendered one: flat ground, shading, edges.
func render(w, h int) *image.NRGBA {
	m := image.NewNRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			c := color.NRGBA{51, 51, 77, 255}
			dx, dy := x-w/2, y-h/2
			if d := dx*dx + dy*dy; d < h*h/6 {
				v := 255 - d*800/(h*h)
				c = color.NRGBA{uint8(v), uint8(v*2/3 + (x^y)&3), uint8(v/2 + x*y>>5&7), 255}
			}
			m.SetNRGBA(x, y, c)
		}
	}
	return m
}

func encode(t testing.TB, m image.Image, opt Options) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := Encode(&b, m, opt); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func pix(m image.Image) []byte {
	switch m := m.(type) {
	case *image.NRGBA:
		return m.Pix
	case *image.NRGBA64:
		return m.Pix
	}
	return nil
}

func TestRoundTrip(t *testing.T) {
	sub := noise(3, 40, 30, true).SubImage(image.Rect(5, 6, 25, 20)).(*image.NRGBA)
	tight := image.NewNRGBA(image.Rect(0, 0, 20, 14))
	draw.Draw(tight, tight.Rect, sub, sub.Rect.Min, draw.Src)
	for _, effort := range []Effort{Fast, Small} {
		for _, c := range []struct {
			name    string
			m, want image.Image
		}{
			{"opaque", noise(1, 33, 21, false), nil}, {"alpha", noise(1, 33, 21, true), nil}, {"1×1", noise(1, 1, 1, true), nil},
			{"1×n", noise(1, 1, 50, false), nil}, {"n×1", noise(1, 50, 1, false), nil}, {"render", render(160, 90), nil},
			{"16 bits", noise16(1, 33, 21, false), nil}, {"16 bits alpha", noise16(1, 33, 21, true), nil}, {"window", sub, tight},
		} {
			if c.want == nil {
				c.want = c.m
			}
			b := encode(t, c.m, Options{Effort: effort, Text: []Text{{"darkroom", "größer\nals 1"}, {"Software", "x"}}})
			m, info, err := Decode(b, Caps{})
			if err != nil {
				t.Fatalf("%s: %v", c.name, err)
			}
			if fmt.Sprintf("%T", m) != fmt.Sprintf("%T", c.m) || !bytes.Equal(pix(m), pix(c.want)) {
				t.Errorf("%s: came back as another picture", c.name)
			}
			if info.Get("darkroom") != "größer\nals 1" || info.Get("Software") != "x" || info.Get("none") != "" || !info.SRGB || info.Foreign() != "" {
				t.Errorf("%s: %+v", c.name, info)
			}
			if std, err := stdpng.Decode(bytes.NewReader(b)); err != nil {
				t.Errorf("%s: the standard library refuses it: %v", c.name, err)
			} else if !bytes.Equal(pix(straight(std)), pix(c.want)) {
				t.Errorf("%s: the standard library reads another picture", c.name)
			}
			if !bytes.Equal(b, encode(t, c.m, Options{Effort: effort, Text: info.Text})) {
				t.Errorf("%s: the same picture gave other bytes", c.name)
			}
		}
	}
}

// straight converts what the standard library decodes without loss.
func straight(m image.Image) image.Image {
	r := m.Bounds()
	switch m := m.(type) {
	case *image.NRGBA, *image.NRGBA64:
		return m
	case *image.RGBA64, *image.Gray16:
		d := image.NewNRGBA64(image.Rect(0, 0, r.Dx(), r.Dy()))
		for y := range r.Dy() {
			for x := range r.Dx() {
				d.Set(x, y, m.At(x, y))
			}
		}
		return d
	}
	d := image.NewNRGBA(image.Rect(0, 0, r.Dx(), r.Dy()))
	for y := range r.Dy() {
		for x := range r.Dx() {
			d.Set(x, y, m.At(x, y))
		}
	}
	return d
}

func TestEncodeRefuses(t *testing.T) {
	m := noise(1, 2, 2, false)
	for name, f := range map[string]func() error{
		"premultiplied": func() error { return Encode(new(bytes.Buffer), image.NewRGBA(m.Rect), Options{}) },
		"no pixels":     func() error { return Encode(new(bytes.Buffer), image.NewNRGBA(image.Rectangle{}), Options{}) },
		"keyword":       func() error { return Encode(new(bytes.Buffer), m, Options{Text: []Text{{"", "x"}}}) },
		"long keyword": func() error {
			return Encode(new(bytes.Buffer), m, Options{Text: []Text{{strings.Repeat("k", 80), "x"}}})
		},
		"NUL":         func() error { return Encode(new(bytes.Buffer), m, Options{Text: []Text{{"k", "a\x00b"}}}) },
		"not UTF-8":   func() error { return Encode(new(bytes.Buffer), m, Options{Text: []Text{{"k", "\xff"}}}) },
		"into a file": func() error { return Write(filepath.Join(t.TempDir(), "a", "b.png"), image.NewRGBA(m.Rect), Options{}) },
	} {
		if f() == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// No byte of a file is free: whichever is changed, the file is refused. Half-read goldens pass elsewhere with exit code 0.
func TestEveryByteCounts(t *testing.T) {
	b := encode(t, noise(5, 9, 7, true), Options{Text: []Text{{"darkroom", "provenance"}}})
	for i := range b {
		for _, flip := range []byte{1, 0x20, 0x80} {
			b[i] ^= flip
			if _, _, err := Decode(b, Caps{}); err == nil {
				t.Errorf("byte %d of %d changed by %#x and nothing was said", i, len(b), flip)
			} else if !errors.Is(err, ErrFormat) && !errors.Is(err, ErrTooLarge) {
				t.Errorf("byte %d: %v", i, err)
			}
			b[i] ^= flip
		}
	}
	for n := range b {
		if _, _, err := Decode(b[:n], Caps{}); !errors.Is(err, ErrFormat) {
			t.Errorf("cut to %d of %d bytes: %v", n, len(b), err)
		}
	}
	if _, _, err := Decode(append(bytes.Clone(b), 0), Caps{}); !errors.Is(err, ErrFormat) {
		t.Errorf("a byte more: %v", err)
	}
}

// build makes a file of raw chunks with right checksums; a name ending in ! gets a wrong one.
func build(chunks ...string) []byte {
	out := bytes.NewBufferString(signature)
	for _, c := range chunks {
		name, body, _ := strings.Cut(c, ":")
		wrong := strings.HasSuffix(name, "!")
		name = strings.TrimSuffix(name, "!")
		chunk(out, name, []byte(body))
		if wrong {
			out.Bytes()[out.Len()-1] ^= 1
		}
	}
	return out.Bytes()
}

func ihdr(w, h uint32, depth, colour, interlace byte) string {
	b := make([]byte, 13)
	binary.BigEndian.PutUint32(b, w)
	binary.BigEndian.PutUint32(b[4:], h)
	b[8], b[9], b[12] = depth, colour, interlace
	return "IHDR:" + string(b)
}

// stored is a zlib stream of uncompressed data.
func stored(data string) string {
	a, b := uint32(1), uint32(0)
	for _, c := range []byte(data) {
		a = (a + uint32(c)) % 65521
		b = (b + a) % 65521
	}
	n := uint16(len(data))
	out := []byte{0x78, 0x01, 1, byte(n), byte(n >> 8), ^byte(n), ^byte(n >> 8)}
	return string(binary.BigEndian.AppendUint32(append(out, data...), b<<16|a))
}

func idat(data string) string { return "IDAT:" + stored(data) }

func TestStrictness(t *testing.T) {
	const end = "IEND:"
	px := idat("\x00\x07")
	for _, c := range []struct {
		name   string
		chunks []string
		want   string // "" for a file that is good
	}{
		{"good", []string{ihdr(1, 1, 8, gray, 0), px, end}, ""},
		{"two IDAT", []string{ihdr(1, 1, 8, gray, 0), "IDAT:" + stored("\x00\x07")[:4], "IDAT:" + stored("\x00\x07")[4:], end}, ""},
		{"empty IDAT", []string{ihdr(1, 1, 8, gray, 0), "IDAT:", px, "IDAT:", end}, ""},
		{"unknown ancillary", []string{ihdr(1, 1, 8, gray, 0), "xYZw:abc", px, end}, ""},
		{"wrong checksum of an ancillary chunk", []string{ihdr(1, 1, 8, gray, 0), "xYZw!:abc", px, end}, "checksum"},
		{"unknown critical", []string{ihdr(1, 1, 8, gray, 0), "XYZw:abc", px, end}, "critical"},
		{"IDAT apart", []string{ihdr(1, 1, 8, gray, 0), "IDAT:" + stored("\x00\x07")[:4], "tEXt:a\x00b", "IDAT:" + stored("\x00\x07")[4:], end}, "not together"},
		{"no IDAT", []string{ihdr(1, 1, 8, gray, 0), end}, "no IDAT"},
		{"no IEND", []string{ihdr(1, 1, 8, gray, 0), px}, "without an IEND"},
		{"two IHDR", []string{ihdr(1, 1, 8, gray, 0), ihdr(1, 1, 8, gray, 0), px, end}, "IHDR"},
		{"IHDR not first", []string{px, ihdr(1, 1, 8, gray, 0), end}, "IHDR"},
		{"no pixels", []string{ihdr(0, 1, 8, gray, 0), px, end}, "0×1"},
		{"depth", []string{ihdr(1, 1, 4, rgb, 0), px, end}, "4 bits"},
		{"colour type", []string{ihdr(1, 1, 8, 5, 0), px, end}, "type 5"},
		{"interlace method", []string{ihdr(1, 1, 8, gray, 2), px, end}, "interlace"},
		{"too little data", []string{ihdr(1, 2, 8, gray, 0), px, end}, "instead of 4"},
		{"too much data", []string{ihdr(1, 1, 8, gray, 0), idat("\x00\x07\x00"), end}, "more pixel data"},
		{"bytes after the stream", []string{ihdr(1, 1, 8, gray, 0), px + "x", end}, "1 bytes follow"},
		{"filter type", []string{ihdr(1, 1, 8, gray, 0), idat("\x05\x07"), end}, "filter type 5"},
		{"palette missing", []string{ihdr(1, 1, 8, palette, 0), px, end}, "palette is missing"},
		{"palette index", []string{ihdr(1, 1, 8, palette, 0), "PLTE:abc", px, end}, "index 7"},
		{"palette too long", []string{ihdr(1, 1, 1, palette, 0), "PLTE:abcdefghi", px, end}, "palette of 9"},
		{"palette in a gray picture", []string{ihdr(1, 1, 8, gray, 0), "PLTE:abc", px, end}, "gray picture has"},
		{"suggested palette", []string{ihdr(1, 1, 8, rgb, 0), "PLTE:abc", idat("\x00\x01\x02\x03"), end}, ""},
		{"tRNS with alpha", []string{ihdr(1, 1, 8, rgba, 0), "tRNS:ab", idat("\x00\x01\x02\x03\x04"), end}, "tRNS"},
		{"tRNS twice", []string{ihdr(1, 1, 8, gray, 0), "tRNS:\x00\x07", "tRNS:\x00\x07", px, end}, "two"},
		{"tRNS after data", []string{ihdr(1, 1, 8, gray, 0), px, "tRNS:\x00\x07", end}, "out of order"},
		{"tRNS longer than the palette", []string{ihdr(1, 1, 8, palette, 0), "PLTE:abc", "tRNS:ab", idat("\x00\x00"), end}, "tRNS"},
		{"after IEND", []string{ihdr(1, 1, 8, gray, 0), px, end, "tEXt:a\x00b"}, "follow the end"},
		{"IEND with a body", []string{ihdr(1, 1, 8, gray, 0), px, end + "x"}, "IEND"},
		{"broken text is no reason", []string{ihdr(1, 1, 8, gray, 0), "tEXt:no separator", "iTXt:k\x00\x00", px, end}, ""},
	} {
		_, _, err := Decode(build(c.chunks...), Caps{})
		switch {
		case c.want == "" && err != nil:
			t.Errorf("%s: %v", c.name, err)
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want) || !errors.Is(err, ErrFormat)):
			t.Errorf("%s: %v; want %q", c.name, err, c.want)
		}
	}
}

func TestDepthsAndTransparency(t *testing.T) {
	px := func(b []byte) color.NRGBA {
		m, _, err := Decode(b, Caps{})
		if err != nil {
			t.Fatal(err)
		}
		return m.(*image.NRGBA).NRGBAAt(0, 0)
	}
	for _, c := range []struct {
		name string
		b    []byte
		want color.NRGBA
	}{
		{"gray 1", build(ihdr(1, 1, 1, gray, 0), idat("\x00\x80"), "IEND:"), color.NRGBA{255, 255, 255, 255}},
		{"gray 2", build(ihdr(1, 1, 2, gray, 0), idat("\x00\x40"), "IEND:"), color.NRGBA{85, 85, 85, 255}},
		{"gray 4", build(ihdr(1, 1, 4, gray, 0), idat("\x00\x20"), "IEND:"), color.NRGBA{34, 34, 34, 255}},
		{"gray 4, transparent", build(ihdr(1, 1, 4, gray, 0), "tRNS:\x00\x02", idat("\x00\x20"), "IEND:"), color.NRGBA{34, 34, 34, 0}},
		{"gray 4, tRNS beyond the depth", build(ihdr(1, 1, 4, gray, 0), "tRNS:\x01\x02", idat("\x00\x20"), "IEND:"), color.NRGBA{34, 34, 34, 255}},
		{"rgb, transparent", build(ihdr(1, 1, 8, rgb, 0), "tRNS:\x00\x01\x00\x02\x00\x03", idat("\x00\x01\x02\x03"), "IEND:"), color.NRGBA{1, 2, 3, 0}},
		{"rgb, other", build(ihdr(1, 1, 8, rgb, 0), "tRNS:\x00\x01\x00\x02\x00\x04", idat("\x00\x01\x02\x03"), "IEND:"), color.NRGBA{1, 2, 3, 255}},
		{"palette", build(ihdr(1, 1, 2, palette, 0), "PLTE:abcdef", "tRNS:\x10\x20", idat("\x00\x40"), "IEND:"), color.NRGBA{'d', 'e', 'f', 0x20}},
		{"gray+alpha", build(ihdr(1, 1, 8, grayAlpha, 0), idat("\x00\x07\x09"), "IEND:"), color.NRGBA{7, 7, 7, 9}},
		{"colour under alpha 0 stays", build(ihdr(1, 1, 8, rgba, 0), idat("\x00\x01\x02\x03\x00"), "IEND:"), color.NRGBA{1, 2, 3, 0}},
	} {
		if got := px(c.b); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

func TestColourChunksChangeNoSample(t *testing.T) {
	pixel := idat("\x00\x40\x80\xc0")
	plain := build(ihdr(1, 1, 8, rgb, 0), pixel, "IEND:")
	want, _, err := Decode(plain, Caps{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ name, chunk, foreign string }{
		{"gAMA 1/2.2", "gAMA:\x00\x00\xb1\x8f", ""},
		{"gAMA 1", "gAMA:\x00\x01\x86\xa0", "gamma 1.0"},
		{"sRGB", "sRGB:\x00", ""},
		{"ICC profile", "iCCP:Display P3\x00\x00junk", "Display P3"},
		{"cICP sRGB", "cICP:\x01\x0d\x00\x01", ""},
		{"cICP PQ", "cICP:\x09\x10\x00\x01", "cICP"},
	} {
		m, info, err := Decode(build(ihdr(1, 1, 8, rgb, 0), c.chunk, pixel, "IEND:"), Caps{})
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if !bytes.Equal(pix(m), pix(want)) {
			t.Errorf("%s: samples changed from %v to %v", c.name, pix(want), pix(m))
		}
		if got := info.Foreign(); (got == "") != (c.foreign == "") || !strings.Contains(got, c.foreign) {
			t.Errorf("%s: foreign %q, want %q", c.name, got, c.foreign)
		}
	}
}

func TestCapsComeBeforeMemory(t *testing.T) {
	big := build(ihdr(30000, 30000, 16, rgba, 0), idat("\x00"), "IEND:")
	if _, _, err := Decode(big, Caps{}); !errors.Is(err, ErrTooLarge) {
		t.Errorf("900 million pixels: %v", err)
	}
	// Within the caps, but the data is not there: memory must follow the data and not the header.
	lie := build(ihdr(8000, 8000, 16, rgba, 0), idat("\x00"), "IEND:")
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if _, _, err := Decode(lie, Caps{}); !errors.Is(err, ErrFormat) {
		t.Errorf("a lie of 512 MB: %v", err)
	}
	runtime.ReadMemStats(&after)
	if n := after.TotalAlloc - before.TotalAlloc; n > 4<<20 {
		t.Errorf("a lie of 512 MB made Decode allocate %d bytes", n)
	}
	b := encode(t, noise(1, 20, 20, false), Options{})
	for name, c := range map[string]Caps{"pixels": {Pixels: 399}, "side": {Side: 19}, "bytes": {Bytes: 100}} {
		if _, _, err := Decode(b, c); !errors.Is(err, ErrTooLarge) {
			t.Errorf("cap of %s: %v", name, err)
		}
		if _, err := DecodeInfo(b, c); !errors.Is(err, ErrTooLarge) {
			t.Errorf("cap of %s, head only: %v", name, err)
		}
	}
	if _, _, err := Decode(b, Caps{Pixels: 400, Side: 20}); err != nil {
		t.Error(err)
	}
}

// The hostile pairs of files that common tools call the same, or cannot read.
func TestHostileFiles(t *testing.T) {
	low := noise16(4, 16, 16, false)
	a := encode(t, low, Options{})
	low.Pix[1] ^= 1
	b := encode(t, low, Options{})
	ma, _, _ := Decode(a, Caps{})
	mb, _, _ := Decode(b, Caps{})
	if bytes.Equal(pix(ma), pix(mb)) {
		t.Error("the low byte of 16 bits was lost")
	}
	g, _, err := Decode(build(ihdr(2, 1, 8, gray, 0), idat("\x00\x10\x20"), "IEND:"), Caps{})
	if err != nil {
		t.Fatal(err)
	}
	c, _, err := Decode(build(ihdr(2, 1, 8, rgba, 0), idat("\x00\x10\x10\x10\xff\x20\x20\x20\xff"), "IEND:"), Caps{})
	if err != nil || !bytes.Equal(pix(g), pix(c)) {
		t.Errorf("gray and the same picture in RGBA differ: %v %v %v", pix(g), pix(c), err)
	}
}

func TestWriteIsAllOrNothing(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "new", "folder", "a.png")
	m := noise(1, 8, 8, false)
	if err := Write(path, m, Options{}); err != nil {
		t.Fatal(err)
	}
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := Write(path, image.NewNRGBA(image.Rectangle{}), Options{}); err == nil || !strings.Contains(err.Error(), path) {
		t.Errorf("a picture without pixels: %v", err)
	}
	if after, _ := os.ReadFile(path); !bytes.Equal(before, after) {
		t.Error("a failed write changed the file")
	}
	if got, _, err := Read(path, Caps{}); err != nil || !bytes.Equal(pix(got), m.Pix) {
		t.Errorf("read back: %v", err)
	}
	files, _ := os.ReadDir(filepath.Dir(path))
	if len(files) != 1 {
		t.Errorf("left behind: %v", files)
	}
	if _, _, err := Read(filepath.Join(dir, "none.png"), Caps{}); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("missing file: %v", err)
	}
	if _, _, err := Read(dir, Caps{}); err == nil {
		t.Error("a folder was read")
	}
	if err := Write(filepath.Join(path, "below", "a file.png"), m, Options{}); err == nil {
		t.Error("wrote below a file")
	}
}

// assets finds a folder of the shared test material: below an entry of DARKROOM_ASSETS, or in a folder "shared" beside the checkout.
func assets(t *testing.T, sub string) string {
	t.Helper()
	var tried []string
	for _, d := range filepath.SplitList(os.Getenv("DARKROOM_ASSETS")) {
		tried = append(tried, filepath.Join(d, sub), filepath.Join(d, "assets", sub))
	}
	if wd, err := os.Getwd(); err == nil {
		for d := wd; ; d = filepath.Dir(d) {
			tried = append(tried, filepath.Join(d, "shared", "assets", sub))
			if d == filepath.Dir(d) {
				break
			}
		}
	}
	for _, d := range tried {
		if st, err := os.Stat(d); err == nil && st.IsDir() {
			return d
		}
	}
	if os.Getenv("CI") != "" {
		t.Fatalf("CI is set and %s is nowhere; set DARKROOM_ASSETS", sub)
	}
	t.Skipf("%s is nowhere; set DARKROOM_ASSETS to run this", sub)
	return ""
}

// PngSuite has a file for every colour type, depth, filter, interlace and chunk of the standard, and 14 corrupt ones whose names begin with x.
func TestPngSuite(t *testing.T) {
	files, _ := filepath.Glob(filepath.Join(assets(t, "malformed/png/pngsuite"), "*.png"))
	if len(files) != 175 {
		t.Errorf("%d files, PngSuite has 175", len(files))
	}
	for _, path := range files {
		name := filepath.Base(path)
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		m, _, err := Decode(b, Caps{})
		if name[0] == 'x' {
			if err == nil {
				t.Errorf("%s is corrupt and was read", name)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		std, err := stdpng.Decode(bytes.NewReader(b))
		if err != nil {
			t.Errorf("%s: standard library: %v", name, err)
			continue
		}
		want := straight(std)
		if fmt.Sprintf("%T", m) != fmt.Sprintf("%T", want) || !bytes.Equal(pix(m), pix(want)) {
			t.Errorf("%s: another picture than the standard library's (%T, %T)", name, m, want)
		}
	}
}

func TestMalformedFilesAreRefused(t *testing.T) {
	dir := assets(t, "malformed/png")
	good := map[string]bool{"ztxt_64MiB_bomb_1x1.png": true} // its text is never decompressed
	n := 0
	for _, sub := range []string{"libpng-crashers", "generated"} {
		files, _ := filepath.Glob(filepath.Join(dir, sub, "*.png"))
		for _, path := range files {
			n++
			name := filepath.Base(path)
			if strings.HasPrefix(name, "bomb_8192") { // within the default caps, and honest: 256 MB
				if _, _, err := Read(path, Caps{Pixels: 1 << 24}); !errors.Is(err, ErrTooLarge) {
					t.Errorf("%s: %v", name, err)
				}
				continue
			}
			_, _, err := Read(path, Caps{})
			if (err == nil) != good[name] {
				t.Errorf("%s: %v", name, err)
			}
			if err != nil && (!strings.Contains(err.Error(), path) || strings.Contains(err.Error(), "\n")) {
				t.Errorf("%s: the error does not name the file in one line: %v", name, err)
			}
		}
	}
	if n != 40 {
		t.Errorf("%d files, want 40", n)
	}
}

func FuzzDecode(f *testing.F) {
	for _, m := range []image.Image{noise(1, 3, 3, true), noise16(1, 2, 3, false), render(16, 9)} {
		f.Add(encode(f, m, Options{Text: []Text{{"darkroom", "x"}}}))
	}
	f.Add(build(ihdr(5, 5, 2, palette, 1), "PLTE:abcdefghijkl", "tRNS:\x10", idat("\x00\x00\x00\x40\x00\x40\x00\x40\x00\x40\x00\x40"), "IEND:"))
	f.Add(build(ihdr(1, 1, 8, gray, 0), "gAMA:\x00\x01\x86\xa0", "tRNS:\x00\x07", idat("\x00\x07"), "IEND:"))
	f.Fuzz(func(t *testing.T, b []byte) {
		b = repair(b)
		caps := Caps{Pixels: 1 << 16}
		m, info, err := Decode(b, caps)
		if err != nil {
			if !errors.Is(err, ErrFormat) && !errors.Is(err, ErrTooLarge) {
				t.Fatalf("%T %v", err, err)
			}
			return
		}
		if m.Bounds().Dx() != info.Width || m.Bounds().Dy() != info.Height {
			t.Fatalf("%v and %+v", m.Bounds(), info)
		}
		// What this reader takes, the standard library takes, and sees the same in it.
		std, err := stdpng.Decode(bytes.NewReader(b))
		if err != nil {
			t.Fatalf("the standard library refuses: %v", err)
		}
		if !bytes.Equal(pix(straight(std)), pix(m)) {
			t.Fatal("the standard library sees another picture")
		}
	})
}

// repair sets the checksums right, so that fuzzing gets past them.
func repair(b []byte) []byte {
	b = bytes.Clone(b)
	for i := len(signature); i+12 <= len(b); {
		n := int(binary.BigEndian.Uint32(b[i:]))
		if n < 0 || n > len(b)-i-12 {
			break
		}
		binary.BigEndian.PutUint32(b[i+8+n:], crc32.ChecksumIEEE(b[i+4:i+8+n]))
		i += 12 + n
	}
	return b
}

func BenchmarkDecode4K(b *testing.B) {
	data := encode(b, render(3840, 2160), Options{})
	b.Run("darkroom", func(b *testing.B) {
		b.SetBytes(3840 * 2160 * 4)
		for b.Loop() {
			if _, _, err := Decode(data, Caps{}); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("image/png", func(b *testing.B) {
		b.SetBytes(3840 * 2160 * 4)
		for b.Loop() {
			if _, err := stdpng.Decode(bytes.NewReader(data)); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkEncode(b *testing.B) {
	for _, s := range []image.Point{{1280, 720}, {1920, 1080}, {3840, 2160}} {
		m := render(s.X, s.Y)
		for name, effort := range map[string]Effort{"fast": Fast, "small": Small} {
			b.Run(fmt.Sprintf("%d/%s", s.Y, name), func(b *testing.B) {
				n := 0
				for b.Loop() {
					n = len(encode(b, m, Options{Effort: effort}))
				}
				b.ReportMetric(float64(n), "bytes")
			})
		}
		b.Run(fmt.Sprintf("%d/image.png BestSpeed", s.Y), func(b *testing.B) {
			n := 0
			e := stdpng.Encoder{CompressionLevel: stdpng.BestSpeed}
			for b.Loop() {
				var out bytes.Buffer
				e.Encode(&out, m)
				n = out.Len()
			}
			b.ReportMetric(float64(n), "bytes")
		})
	}
}
