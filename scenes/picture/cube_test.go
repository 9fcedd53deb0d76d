package picture

import (
	"os"
	"strings"
	"testing"

	"darkroom/composer"
	"darkroom/material/texture"
)

// A cube map of six files in several formats, and what is wrong with others.
func TestDecodeCube(t *testing.T) {
	read := func(name string) []byte {
		data, err := os.ReadFile("testdata/" + name)
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	square := func(n int) *Picture { return &Picture{Width: n, Height: n, Pix: make([]byte, n*n*4)} }
	faces := [6]*Picture{square(8), square(8), square(8), square(8), square(8), square(8)}
	faces[4].Pix[0] = 77
	c, err := Cube("room", faces, true)
	if err != nil {
		t.Fatal(err)
	}
	p := c.Source.(*texture.Pixels)
	if p.Layers != 6 || p.Dimension != composer.ViewCube || len(p.Levels[0]) != 6*8*8*4 || p.Levels[0][4*8*8*4] != 77 || c.Format != composer.RGBA8UnormSRGB || !c.Mips {
		t.Errorf("%+v, %d bytes", *c, len(p.Levels[0]))
	}
	for want, bad := range map[string]func() error{
		"face +Y has no": func() error { f := faces; f[2] = nil; _, err := Cube("room", f, false); return err },
		"face -Z is 4x4": func() error { f := faces; f[5] = square(4); _, err := Cube("room", f, false); return err },
		"face +X is 17x33": func() error {
			_, err := DecodeCube("room", [6][]byte{read("noise_17x33.webp"), read("noise_17x33_420.jpg"), read("noise_17x33.webp"), read("noise_17x33.webp"), read("noise_17x33.webp"), read("noise_17x33.webp")}, false)
			return err
		},
		"face -X: ": func() error {
			_, err := DecodeCube("room", [6][]byte{read("turned.png"), []byte("no picture")}, false)
			return err
		},
		"face +X: png": func() error { _, err := DecodeCube("room", [6][]byte{read("turned.png")[:40]}, false); return err },
	} {
		if err := bad(); err == nil || !strings.Contains(err.Error(), "cube map room: "+want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}
