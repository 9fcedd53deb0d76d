package env

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"image"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"darkroom/material/texel"
)

func TestHalf(t *testing.T) {
	for _, c := range []struct {
		in   float32
		want uint16
	}{{0, 0}, {1, 0x3c00}, {-2, 0xc000}, {65504, 0x7bff}, {1e9, 0x7bff}, {5.9604645e-8, 1}, {0.1, 0x2e66}, {float32(math.NaN()), 0}} {
		if got := texel.Half(c.in); got != c.want {
			t.Errorf("texel.Half(%g) = %#x, want %#x", c.in, got, c.want)
		}
	}
	for h := range uint32(0x10000) {
		if h>>10&31 == 31 {
			continue
		}
		if got := texel.Half(texel.FromHalf(uint16(h))); got != uint16(h) {
			t.Fatalf("texel.Half(texel.FromHalf(%#x)) = %#x", h, got)
		}
	}
}

// file builds a .env file of one colour per face, as a divisor of 1.
func file(version, width, levels int, irradiance string) []byte {
	var faces, body []byte
	for mip := range levels {
		size := width >> mip
		for side := range 6 {
			m := image.NewNRGBA(image.Rect(0, 0, size, size))
			for i := range size * size {
				copy(m.Pix[i*4:], []byte{byte(40 * (side + 1)), 128, 255, 255})
			}
			m.Pix[1] = 0 // the first texel of the first row of the picture
			var b bytes.Buffer
			if err := png.Encode(&b, m); err != nil {
				panic(err)
			}
			faces = fmt.Appendf(faces, `,{"position":%d,"length":%d}`, len(body), b.Len())
			body = append(body, b.Bytes()...)
		}
	}
	if irradiance != "" {
		irradiance = `"irradiance":{` + irradiance + `},`
	}
	out := append([]byte(nil), magic...)
	out = fmt.Appendf(out, `{"version":%d,"width":%d,%s"specular":{"mipmaps":[%s],"lodGenerationScale":0.7}}`, version, width, irradiance, faces[1:])
	return append(append(out, 0), body...)
}

const white = `"x":[0,0,0],"y":[0,0,0],"z":[0,0,0],"xx":[1,1,1],"yy":[1,1,1],"zz":[1,1,1],"yz":[0,0,0],"zx":[0,0,0],"xy":[0,0,0]`

func TestDecodeENV(t *testing.T) {
	for version := range 3 {
		m, err := Decode(file(version, 4, 3, white), Options{})
		if err != nil {
			t.Fatal(err)
		}
		if m.Kind != "env" || !m.Prefiltered || m.Cube.Size != 4 || len(m.Cube.Levels) != 3 || m.LodScale != 0.7 {
			t.Fatalf("%+v", m)
		}
		for side := range 6 {
			// The picture's first row is the face's last.
			marked, other := m.Cube.Levels[0][(side*16+12)*8:], m.Cube.Levels[0][side*16*8:]
			want := [4]float64{math.Pow(float64(40*(side+1))/255, 2.2), math.Pow(128./255, 2.2), 1, 1}
			for i, w := range want {
				got := float64(texel.FromHalf(binary.LittleEndian.Uint16(other[i*2:])))
				if math.Abs(got-w) > 1e-3*w {
					t.Errorf("face %d component %d is %g, want %g", side, i, got, w)
				}
			}
			if marked[2] != 0 || marked[3] != 0 {
				t.Errorf("face %d is not turned upside down", side)
			}
		}
		if sh := m.SH; math.Abs(sh[0][0]-1) > 1e-3 || math.Abs(sh[6][0]) > 1e-3 {
			t.Errorf("a constant sky of 1 has the coefficients %v", sh)
		}
	}
}

// Levels that are not there are black, irradiance that is not there is integrated.
func TestDecodeENVParts(t *testing.T) {
	m, err := Decode(file(2, 8, 2, ""), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(m.Cube.Levels) != 4 || len(bytes.Trim(m.Cube.Levels[2], "\x00")) != 0 {
		t.Errorf("%d levels", len(m.Cube.Levels))
	}
	if math.Abs(m.SH[0][2]-1) > 1e-3 {
		t.Errorf("blue irradiance is %g, want 1", m.SH[0][2])
	}
}

func TestDecodeErrors(t *testing.T) {
	ok := string(file(1, 4, 3, white))
	dds := string(ddsFile(4, 1, ddsDX10, dxgiRGBA16))
	for name, data := range map[string]string{
		"nothing":            "",
		"text":               "hello, world",
		"magic only":         string(magic),
		"no JSON":            string(magic) + "{\x00",
		"width 0":            strings.Replace(ok, `"width":4`, `"width":0`, 1),
		"width 3":            strings.Replace(ok, `"width":4`, `"width":3`, 1),
		"width 8":            strings.Replace(ok, `"width":4`, `"width":8`, 1),
		"width 4096":         strings.Replace(ok, `"width":4`, `"width":4096`, 1),
		"version 3":          strings.Replace(ok, `"version":1`, `"version":3`, 1),
		"face outside":       strings.Replace(ok, `"position":0`, `"position":99999`, 1),
		"face before":        strings.Replace(ok, `"position":0`, `"position":-1`, 1),
		"face empty":         strings.Replace(ok, `"position":0,"length":`, `"position":0,"length":0`, 1),
		"irradiance lacks":   strings.Replace(ok, `"yz"`, `"zy"`, 1),
		"cut off":            ok[:len(ok)-30],
		"dds header only":    dds[:128],
		"dds cut off":        dds[:len(dds)-1],
		"dds 2D":             strings.Replace(string(ddsFile(4, 1, d3dRGBA16Float, 0)), "\x00\xfe\x00\x00", "\x00\x02\x00\x00", 1),
		"dds of bytes":       strings.Replace(dds, "DX10", "DXT1", 1),
		"dds of one DXGI":    string(ddsFile(4, 1, ddsDX10, 71)),
		"hdr cut off":        "#?RADIANCE\n\n-Y 2 +X 2\n\x01",
		"panorama too small": "#?RADIANCE\n\n-Y 1 +X 1\n\x01\x02\x03\x80",
	} {
		if m, err := Decode([]byte(data), Options{}); err == nil {
			t.Errorf("%s was decoded to %s of %d", name, m.Kind, m.Cube.Size)
		}
	}
	if _, err := Decode([]byte("#?RADIANCE\n\n-Y 2 +X 2\n0000000000000000"), Options{Size: 100}); err == nil {
		t.Error("a cube of 100 texels was made")
	}
}

// ddsFile builds a cube whose texels hold 16·face + level in half floats, or
// single floats for the formats that are.
func ddsFile(size, mips int, fourCC, dxgi uint32) []byte {
	head := make([]uint32, 32)
	head[0], head[1], head[2], head[3], head[4] = 0x20534444, 124, 0x1007|ddsMipCount, uint32(size), uint32(size)
	head[7], head[19], head[20], head[21], head[28] = uint32(mips), 32, ddsFourCC, fourCC, 0xfe00
	if fourCC == ddsDX10 {
		head = append(head, dxgi, 3, dxgiCube, 1, 0)
	}
	var out []byte
	for _, v := range head {
		out = binary.LittleEndian.AppendUint32(out, v)
	}
	for side := range 6 {
		for mip := range mips {
			for range (size >> mip) * (size >> mip) * 4 {
				v := float32(16*side + mip)
				if fourCC == d3dRGBA32Float || dxgi == dxgiRGBA32 {
					out = binary.LittleEndian.AppendUint32(out, math.Float32bits(v))
				} else {
					out = binary.LittleEndian.AppendUint16(out, texel.Half(v))
				}
			}
		}
	}
	return out
}

func TestDecodeDDS(t *testing.T) {
	for _, f := range [][2]uint32{{d3dRGBA16Float, 0}, {d3dRGBA32Float, 0}, {ddsDX10, dxgiRGBA16}, {ddsDX10, dxgiRGBA32}} {
		m, err := Decode(ddsFile(8, 4, f[0], f[1]), Options{})
		if err != nil {
			t.Fatal(err)
		}
		if m.Kind != "dds" || m.Cube.Size != 8 || len(m.Cube.Levels) != 4 || !m.Prefiltered {
			t.Fatalf("%+v", m)
		}
		for mip, level := range m.Cube.Levels {
			n := (8 >> mip) * (8 >> mip) * 8
			for side := range 6 {
				if got := texel.FromHalf(binary.LittleEndian.Uint16(level[side*n+n-8:])); got != float32(16*side+mip) {
					t.Errorf("face %d of mip %d holds %g", side, mip, got)
				}
			}
		}
	}
}

// An environment's own irradiance is what our integration of its faces
// gives, so faces, rows and signs are where the engine has them.
func TestIrradianceOfEnvironments(t *testing.T) {
	for _, name := range []string{"environment.env", "photoStudio.env", "Studio_Softbox_2Umbrellas_cube_specular.env"} {
		data, err := os.ReadFile(filepath.Join(assets(t, "env"), name))
		if err != nil {
			t.Fatal(err)
		}
		m, err := Decode(data, Options{})
		if err != nil {
			t.Fatal(err)
		}
		ours := m.Cube.SH()
		for i := range ours {
			for c := range 3 {
				if d := math.Abs(ours[i][c] - m.SH[i][c]); d > 0.05*m.SH[0][c] {
					t.Errorf("%s: coefficient %d,%d is %.4f, the file says %.4f", name, i, c, ours[i][c], m.SH[i][c])
				}
			}
		}
	}
}

func TestParsePanorama(t *testing.T) {
	data, err := os.ReadFile(filepath.Join(assets(t, "env"), "chinese_garden_1k.hdr"))
	if err != nil {
		t.Fatal(err)
	}
	e, err := ParseWith(context.Background(), data, Options{Size: 16, Samples: 32})
	if err != nil {
		t.Fatal(err)
	}
	if e.Specular == nil || e.BRDF == nil || !(e.SH[0][0] > 0) {
		t.Errorf("%+v", e)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := ParseWith(ctx, data, Options{Size: 16}); err == nil {
		t.Error("a cancelled prefilter went on")
	}
}

func FuzzDecode(f *testing.F) {
	f.Add(file(1, 2, 2, white))
	f.Add(ddsFile(2, 2, d3dRGBA16Float, 0))
	f.Add(ddsFile(1, 1, ddsDX10, dxgiRGBA32))
	f.Add([]byte("#?RADIANCE\n\n-Y 2 +X 2\n0000000000000000"))
	f.Fuzz(func(t *testing.T, b []byte) {
		m, err := Decode(b, Options{Size: 4})
		if err != nil {
			return
		}
		for mip, l := range m.Cube.Levels {
			if n := max(1, m.Cube.Size>>mip); len(l) != 6*n*n*8 {
				t.Errorf("level %d has %d bytes", mip, len(l))
			}
		}
		for _, c := range m.SH {
			for _, v := range c {
				if math.IsNaN(v) {
					t.Errorf("harmonics %v", m.SH)
				}
			}
		}
	})
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
