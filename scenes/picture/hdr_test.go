package picture

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
	"math"
	"slices"
	"testing"
)

func encodePNG(t *testing.T, w, h int, pix []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, &image.NRGBA{Pix: pix, Stride: w * 4, Rect: image.Rect(0, 0, w, h)}); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// rgbe is the pixel at (x, y) of the picture that the tests write.
func rgbe(x, y int) [4]byte {
	if x >= 4 && x < 14 {
		return [4]byte{byte(y), 7, 9, 130} // a run
	}
	return [4]byte{byte(x * 5), byte(y * 3), 200, byte(120 + (x+y)%20)}
}

// encodings are the ways of writing one scanline.
var encodings = map[string]func(line [][4]byte) []byte{
	"flat": func(line [][4]byte) (b []byte) {
		for _, p := range line {
			b = append(b, p[:]...)
		}
		return b
	},
	"old runs": func(line [][4]byte) (b []byte) {
		for i := 0; i < len(line); {
			n := 1
			for i+n < len(line) && line[i+n] == line[i] {
				n++
			}
			b = append(b, line[i][:]...)
			if n > 1 {
				b = append(b, 1, 1, 1, byte(n-1))
			}
			i += n
		}
		return b
	},
	"new runs": func(line [][4]byte) []byte {
		b := []byte{2, 2, byte(len(line) >> 8), byte(len(line))}
		for c := range 4 {
			for i := 0; i < len(line); {
				n := 1
				for i+n < len(line) && n < 127 && line[i+n][c] == line[i][c] {
					n++
				}
				if n > 2 {
					b = append(b, byte(128+n), line[i][c])
				} else {
					n = 1
					b = append(b, 1, line[i][c])
				}
				i += n
			}
		}
		return b
	},
}

func TestHDR(t *testing.T) {
	const w, h = 21, 17
	for name, encode := range encodings {
		for _, axes := range []string{"-Y+X", "-Y-X", "+Y+X", "+Y-X", "+X-Y", "-X-Y", "+X+Y", "-X+Y"} {
			t.Run(name+axes, func(t *testing.T) {
				size := map[byte]int{'X': w, 'Y': h}
				major, minor := size[axes[1]], size[axes[3]]
				var b bytes.Buffer
				fmt.Fprintf(&b, "#?RADIANCE\n# made for a test\nFORMAT=32-bit_rle_rgbe\nEXPOSURE=4\nEXPOSURE = 0.5\n\n%s %d %s %d\n", axes[:2], major, axes[2:], minor)
				for i := range major {
					line := make([][4]byte, minor)
					for j := range line {
						at := map[byte]int{axes[1]: i, axes[3]: j}
						x, y := at['X'], at['Y']
						if axes[0:2] == "-X" || axes[2:] == "-X" {
							x = w - 1 - x
						}
						if axes[0:2] == "+Y" || axes[2:] == "+Y" {
							y = h - 1 - y
						}
						line[j] = rgbe(x, y)
					}
					b.Write(encode(line))
				}
				p, err := Decode(b.Bytes(), Options{})
				if err != nil {
					t.Fatal(err)
				}
				if p.Width != w || p.Height != h || p.Exposure != 2 {
					t.Fatalf("%dx%d, exposure %g", p.Width, p.Height, p.Exposure)
				}
				for y := range h {
					for x := range w {
						s := rgbe(x, y)
						f := math.Ldexp(1, int(s[3])-136)
						want := []float32{float32(float64(s[0]) * f), float32(float64(s[1]) * f), float32(float64(s[2]) * f), 1}
						if got := p.Float[(y*w+x)*4:][:4]; !slices.Equal(got, want) {
							t.Fatalf("pixel %d,%d is %v, want %v", x, y, got, want)
						}
					}
				}
			})
		}
	}
}

func TestHDRErrors(t *testing.T) {
	for _, s := range []string{
		"#?RADIANCE\n",
		"#?RADIANCE\n\n",
		"#?RADIANCE\nFORMAT=32-bit_rle_xyze\n\n-Y 1 +X 1\n\x01\x02\x03\x04",
		"#?RADIANCE\nEXPOSURE=-1\n\n-Y 1 +X 1\n\x01\x02\x03\x04",
		"#?RADIANCE\n\n-Y 1 +Y 1\n\x01\x02\x03\x04",
		"#?RADIANCE\n\n-Y 0 +X 1\n\x01\x02\x03\x04",
		"#?RADIANCE\n\n-Y 2 +X 1\n\x01\x02\x03\x04",
		"#?RADIANCE\n\n-Y 1 +X 2\n\x01\x01\x01\x01\x02\x02\x02\x02",
		"#?RADIANCE\n\n-Y 1 +X 9\n\x02\x02\x00\x08",
		"#?RADIANCE\n\n-Y 1 +X 8\n\x02\x02\x00\x08\x89\x01",
		"#?RADIANCE\n\n-Y 1 +X 8\n\x02\x02\x00\x08\x00\x01",
	} {
		if p, err := Decode([]byte(s), Options{}); err == nil {
			t.Errorf("%q was decoded to %dx%d", s, p.Width, p.Height)
		}
	}
}
