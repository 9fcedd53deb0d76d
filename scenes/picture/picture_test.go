package picture

import (
	"errors"
	"hash/crc32"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// witnesses are the CRC-32 of the RGBA that Chromium 156 gives for a file:
// createImageBitmap with premultiplyAlpha and colorSpaceConversion "none",
// uploaded to WebGL and read back. The first are in testdata, the others among
// the standard library's test images.
var witnesses = []struct {
	file          string
	width, height int
	crc           uint32
}{
	{"noise_17x33_420.jpg", 17, 33, 0x66a8fbb4},
	{"noise_17x33_420p.jpg", 17, 33, 0x66a8fbb4},
	{"noise_5x4_420.jpg", 5, 4, 0xa0484876},
	{"turned.jpg", 24, 40, 0x733c0e1d},
	{"turned.png", 24, 40, 0xe2978665},
	{"cmyk.jpg", 50, 40, 0x3afa0a01},
	{"noise_17x33.webp", 17, 33, 0x75533423},
	{"noise_17x33_ss.webp", 17, 33, 0x776babb4},
	{"alpha.webp", 64, 48, 0x056e3e8c},
	{"anim.webp", 30, 20, 0xf4ec19b3},
	{"alpha.gif", 64, 48, 0x4286b89e},
	{"video-001.221212.jpeg", 150, 103, 0x17c7516f},
	{"video-001.5bpp.gif", 150, 103, 0x07faa7a9},
	{"video-001.cmyk.jpeg", 150, 103, 0xa61af0ad},
	{"video-001.gif", 150, 103, 0x4f1b4b87},
	{"video-001.interlaced.gif", 150, 103, 0x4f1b4b87},
	{"video-001.jpeg", 150, 103, 0x660ed170},
	{"video-001.progressive.jpeg", 150, 103, 0x660ed170},
	{"video-001.q50.410.jpeg", 150, 103, 0x7b101fc6},
	{"video-001.q50.410.progressive.jpeg", 150, 103, 0x7b101fc6},
	{"video-001.q50.411.jpeg", 150, 103, 0xa8a44af6},
	{"video-001.q50.411.progressive.jpeg", 150, 103, 0xa8a44af6},
	{"video-001.q50.420.jpeg", 150, 103, 0x1458fc90},
	{"video-001.q50.420.progressive.jpeg", 150, 103, 0x1458fc90},
	{"video-001.q50.422.jpeg", 150, 103, 0x3a721484},
	{"video-001.q50.422.progressive.jpeg", 150, 103, 0x3a721484},
	{"video-001.q50.440.jpeg", 150, 103, 0x83b066e4},
	{"video-001.q50.440.progressive.jpeg", 150, 103, 0x83b066e4},
	{"video-001.q50.444.jpeg", 150, 103, 0xe342ca66},
	{"video-001.q50.444.progressive.jpeg", 150, 103, 0xe342ca66},
	{"video-001.restart2.jpeg", 150, 103, 0x08a0555c},
	{"video-001.rgb.jpeg", 150, 103, 0x79d56adb},
	{"video-001.separate.dc.progression.jpeg", 150, 103, 0x3f57bf7c},
	{"video-001.separate.dc.progression.progressive.jpeg", 150, 103, 0x3f57bf7c},
	{"video-005.gray.gif", 150, 103, 0xe0148028},
	{"video-005.gray.jpeg", 150, 103, 0x85e6259b},
	{"video-005.gray.q50.2x2.jpeg", 150, 103, 0xcf3fb21c},
	{"video-005.gray.q50.2x2.progressive.jpeg", 150, 103, 0xcf3fb21c},
	{"video-005.gray.q50.jpeg", 150, 103, 0xcf3fb21c},
	{"video-005.gray.q50.progressive.jpeg", 150, 103, 0xcf3fb21c},
}

// pngSuite is the CRC-32 of the same for the 161 valid files of PngSuite, in
// the order of their names.
const pngSuite = 0x7eb85d7c

func TestDecodeAsBrowsersDo(t *testing.T) {
	goroot := filepath.Join(runtime.GOROOT(), "src", "image", "testdata")
	for _, w := range witnesses {
		t.Run(w.file, func(t *testing.T) {
			data, err := os.ReadFile(filepath.Join("testdata", w.file))
			if err != nil {
				if data, err = os.ReadFile(filepath.Join(goroot, w.file)); err != nil {
					t.Skipf("the standard library's sources are not here: %v", err)
				}
			}
			p, err := Decode(data, Options{})
			if err != nil {
				t.Fatal(err)
			}
			if p.Width != w.width || p.Height != w.height {
				t.Fatalf("%dx%d, want %dx%d", p.Width, p.Height, w.width, w.height)
			}
			if got := crc32.ChecksumIEEE(p.Pix); got != w.crc {
				t.Errorf("pixels have CRC %#x, want %#x", got, w.crc)
			}
		})
	}
}

func TestPngSuite(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(assets(t, "malformed/png/pngsuite"), "*.png"))
	if err != nil || len(files) != 175 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	var crc uint32
	for _, f := range files {
		data, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		p, err := Decode(data, Options{})
		if bad := strings.HasPrefix(filepath.Base(f), "x"); bad != (err != nil) {
			t.Errorf("%s: %v", filepath.Base(f), err)
		}
		if err == nil {
			crc = crc32.Update(crc, crc32.IEEETable, p.Pix)
		}
	}
	if crc != pngSuite {
		t.Errorf("the pixels have CRC %#x, want %#x", crc, uint32(pngSuite))
	}
}

// Whatever the bytes say, decoding them gives a picture or an error and
// takes no more room than the limit allows.
func TestHostile(t *testing.T) {
	root := assets(t, "malformed")
	const limit = 4 << 20
	n := 0
	for _, pattern := range []string{"png/*/*", "go-fuzz-corpus/*/*", "hdr-generated/*"} {
		files, err := filepath.Glob(filepath.Join(root, pattern))
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %d files, %v", pattern, len(files), err)
		}
		for _, f := range files {
			data, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			p, err := Decode(data, Options{MaxPixels: limit})
			runtime.ReadMemStats(&after)
			name := filepath.Base(f)
			if mib := (after.TotalAlloc - before.TotalAlloc) >> 20; mib > 128 {
				t.Errorf("%s: %d MiB were allocated", name, mib)
			}
			if err == nil && len(p.Pix)+len(p.Float) != p.Width*p.Height*4 {
				t.Errorf("%s: %dx%d pixels in %d values", name, p.Width, p.Height, len(p.Pix)+len(p.Float))
			}
			if strings.HasPrefix(name, "bomb") && !errors.Is(err, ErrTooLarge) {
				t.Errorf("%s: %v, want %v", name, err, ErrTooLarge)
			}
			if strings.HasPrefix(name, "hdr_") && err == nil {
				t.Errorf("%s was decoded", name)
			}
			n++
		}
	}
	t.Logf("%d files", n)
}

func TestDecodeErrors(t *testing.T) {
	jpeg, err := os.ReadFile("testdata/noise_17x33_420.jpg")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name string
		data []byte
		want error
	}{
		{"empty", nil, ErrFormat},
		{"text", []byte("hello, world"), ErrFormat},
		{"ktx2", []byte("\xabKTX 20\xbb\r\n\x1a\n...."), ErrFormat},
		{"avif", []byte("\x00\x00\x00\x20ftypavif...."), ErrFormat},
		{"jpeg cut off", jpeg[:len(jpeg)-40], errShort},
		{"jpeg of nothing", jpeg[:3], errShort},
		{"jpeg beyond the limit", jpeg, ErrTooLarge},
		{"hdr beyond the limit", []byte("#?RADIANCE\n\n-Y 1000000000 +X 1000000000\n"), ErrTooLarge},
		{"webp beyond the limit", []byte("RIFF\x16\x00\x00\x00WEBPVP8X\x0a\x00\x00\x00\x00\x00\x00\x00\xff\xff\xff\xff\xff\xff"), ErrTooLarge},
	} {
		limit := 500
		if c.want == errShort {
			limit = 600
		}
		if _, err := Decode(c.data, Options{MaxPixels: limit}); !errors.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", c.name, err, c.want)
		}
	}
}

// Colour that alpha hides is data to a shader.
func TestColourUnderAlphaIsKept(t *testing.T) {
	p, err := Decode(encodePNG(t, 2, 1, []byte{200, 100, 50, 0, 1, 2, 3, 4}), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if want := "\xc8\x64\x32\x00\x01\x02\x03\x04"; string(p.Pix) != want {
		t.Errorf("%v, want %v", p.Pix, []byte(want))
	}
}

func FuzzDecode(f *testing.F) {
	files, err := filepath.Glob("testdata/*.*")
	if err != nil {
		f.Fatal(err)
	}
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Add([]byte("#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 2 +X 8\n\x02\x02\x00\x08\x88\x01\x88\x02\x88\x03\x88\x80\x01\x01\x01\x08"))
	f.Fuzz(func(t *testing.T, data []byte) {
		p, err := Decode(data, Options{MaxPixels: 1 << 18})
		if err != nil {
			return
		}
		if n := p.Width * p.Height; n < 1 || n > 1<<18 || len(p.Pix)+len(p.Float) != n*4 {
			t.Errorf("%dx%d pixels in %d values", p.Width, p.Height, len(p.Pix)+len(p.Float))
		}
	})
}

// The errors of the standard decoders are passed on; a panic in ours would be
// hidden by Decode, so they are called without it.
func FuzzJPEG(f *testing.F) {
	for _, name := range []string{"noise_17x33_420.jpg", "noise_17x33_420p.jpg", "cmyk.jpg", "turned.jpg"} {
		data, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if Sniff(data) == "jpeg" {
			_, _ = decodeJPEG(data, 1<<18)
		}
	})
}

func FuzzHDR(f *testing.F) {
	f.Add([]byte("#?RADIANCE\nEXPOSURE=2\n\n+X 2 -Y 8\n\x02\x02\x00\x08\x88\x01\x88\x02\x88\x03\x88\x80\x01\x02\x01\x08\x01\x01\x01\x07"))
	f.Fuzz(func(t *testing.T, data []byte) {
		_, _ = decodeHDR(data, 1<<18)
	})
}

func BenchmarkDecode(b *testing.B) {
	for _, name := range []string{"video-001.q50.420.jpeg", "video-001.q50.420.progressive.jpeg", "video-001.png"} {
		data, err := os.ReadFile(filepath.Join(runtime.GOROOT(), "src", "image", "testdata", name))
		if err != nil {
			b.Skip(err)
		}
		b.Run(name, func(b *testing.B) {
			b.SetBytes(150 * 103 * 4)
			for b.Loop() {
				if _, err := Decode(data, Options{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// assets finds a folder of the shared test material: below an entry of
// DARKROOM_ASSETS, or in a folder "shared" beside the checkout.
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
