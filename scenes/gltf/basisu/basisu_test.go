package basisu

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"math"
	"os"
	"path/filepath"
	"testing"
)

// witnesses are files that the encoder of Basis Universal made (e: ETC1S, u:
// UASTC with Zstandard), and the CRC-32 of the RGBA that its transcoder makes of
// all levels.
var witnesses = []struct {
	file                  string
	width, height, levels int
	alpha                 bool
	crc                   uint32
}{
	{"alpha_e1.ktx2", 60, 36, 6, true, 0x762641d3},
	{"alpha_u3.ktx2", 60, 36, 6, true, 0x11d37547},
	{"grad_u2.ktx2", 64, 48, 7, false, 0xa297c2b1},
	{"gray_e3.ktx2", 64, 64, 7, false, 0x162e7f53},
	{"odd_e1.ktx2", 37, 21, 6, false, 0x26ae8292},
	{"odd_u2.ktx2", 37, 21, 6, false, 0x7c7d5026},
	{"twotone_e2.ktx2", 64, 64, 7, true, 0x8427f1d5},
	{"twotone_u2.ktx2", 64, 64, 7, true, 0xbd032078},
}

func testdata(tb testing.TB, name string) []byte {
	tb.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		tb.Fatal(err)
	}
	return data
}

func TestDecodeAsReference(t *testing.T) {
	for _, w := range witnesses {
		t.Run(w.file, func(t *testing.T) {
			m, err := Decode(testdata(t, w.file), Options{})
			if err != nil {
				t.Fatal(err)
			}
			if m.Width != w.width || m.Height != w.height || len(m.Levels) != w.levels || m.Alpha != w.alpha || m.Float {
				t.Fatalf("%dx%d, %d levels, alpha %v, float %v", m.Width, m.Height, len(m.Levels), m.Alpha, m.Float)
			}
			if crc := crc32.ChecksumIEEE(bytes.Join(m.Levels, nil)); crc != w.crc {
				t.Errorf("CRC %#x, want %#x", crc, w.crc)
			}
		})
	}
}

// lcg makes the bytes of random blocks.
type lcg uint32

func (l *lcg) next() byte {
	*l = *l*1664525 + 1013904223
	return byte(*l >> 8)
}

// Random blocks of all modes. The CRCs are those of what the transcoder of
// Basis Universal makes of UASTC, and what SwiftShader's sampler makes of the others.
func TestRandomBlocks(t *testing.T) {
	check := func(name string, size int, decode func(*[64]byte, []byte) error, data []byte, want uint32) {
		t.Helper()
		out := make([]byte, 256*256*4)
		if err := blocks(size, decode)(out, data, 256, 256); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if crc := crc32.ChecksumIEEE(out); crc != want {
			t.Errorf("%s: CRC %#x, want %#x", name, crc, want)
		}
	}
	r := lcg(77)
	random := func(size int) []byte {
		b := make([]byte, 4096*size)
		for i := range b {
			b[i] = r.next()
		}
		return b
	}
	opaque := func(out *[64]byte, b []byte) error { bc1(out, b, false, false); return nil }
	cut := func(out *[64]byte, b []byte) error { bc1(out, b, true, false); return nil }
	check("BC1", 8, opaque, random(8), 0xa6161e5e)
	check("BC1 with alpha", 8, cut, random(8), 0x6c857cdb)
	check("BC3", 16, bc3, random(16), 0xd15e321c)
	b := random(16)
	for i := range 4096 {
		mode := i % 8
		b[i*16] = b[i*16]&^(2<<mode-1) | 1<<mode
	}
	check("BC7", 16, bc7, b, 0x8060b122)

	r = 5
	b = b[:0]
	for i := range 4096 {
		mode := i % len(uastcModes)
		m := &uastcModes[mode]
		block := make([]byte, 16)
		for k := range block {
			block[k] = r.next()
		}
		v := binary.LittleEndian.Uint64(block)
		v = v&^(1<<m.code-1) | uint64(uastcCodes[mode])
		if m.subsets > 1 {
			known := len(seeds2)
			if mode == 3 {
				known = len(seeds3)
			} else if mode == 7 {
				known = len(seeds2of3)
			}
			high, low := int(r.next()), int(r.next())
			at := m.code + m.hints
			v = v&^((1<<m.pattern-1)<<at) | uint64((high<<8|low)%known)<<at
		}
		binary.LittleEndian.PutUint64(block, v)
		b = append(b, block...)
	}
	check("UASTC", 16, uastc, b, 0xb06c04e1)
}

// ktx builds a file of one level of texels.
func ktx(format uint32, w, h, scheme int, model, transfer byte, level []byte) []byte {
	b := bytes.Clone(identifier)
	word := func(v ...int) {
		for _, v := range v {
			b = binary.LittleEndian.AppendUint32(b, uint32(v))
		}
	}
	word(int(format), 1, w, h, 0, 0, 1, 1, scheme)
	word(104, 44, 0, 0)
	word(0, 0, 0, 0)
	word(148, 0, len(level), 0, len(level), 0)
	word(44, 0, 40<<16|2)
	b = append(b, model, 1, transfer, 0, 0, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0)
	word(0, 0, 0, 0)
	return append(b, level...)
}

func TestPlain(t *testing.T) {
	f := func(v ...float32) (b []byte) {
		for _, v := range v {
			b = binary.LittleEndian.AppendUint32(b, math.Float32bits(v))
		}
		return b
	}
	for name, c := range map[string]struct {
		format uint32
		in     []byte
		want   []byte
	}{
		"R8":      {9, []byte{1, 2}, []byte{1, 0, 0, 255, 2, 0, 0, 255}},
		"RG8":     {16, []byte{1, 2, 3, 4}, []byte{1, 2, 0, 255, 3, 4, 0, 255}},
		"RGB8":    {29, []byte{1, 2, 3, 4, 5, 6}, []byte{1, 2, 3, 255, 4, 5, 6, 255}},
		"BGRA8":   {44, []byte{1, 2, 3, 4, 5, 6, 7, 8}, []byte{3, 2, 1, 4, 7, 6, 5, 8}},
		"RGBA16":  {91, []byte{255, 255, 0, 128, 0, 0, 128, 0, 1, 0, 0, 1, 255, 0, 0, 255}, []byte{255, 128, 0, 0, 0, 1, 1, 254}},
		"RG16F":   {83, []byte{0, 0x3c, 0, 0xc0, 0, 0x38, 1, 0}, f(1, -2, 0, 1, 0.5, 5.9604645e-8, 0, 1)},
		"RGB32F":  {106, f(1, 2, 3, 4, 5, 6e9), f(1, 2, 3, 1, 4, 5, 6e9, 1)},
		"RGBA32F": {109, f(1, 2, 3, 4, 5, 6, 7, 8), f(1, 2, 3, 4, 5, 6, 7, 8)},
	} {
		m, err := Decode(ktx(c.format, 2, 1, 0, 1, 2, c.in), Options{})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if !bytes.Equal(m.Levels[0], c.want) || m.Float != (len(c.want) > 8) || !m.SRGB {
			t.Errorf("%s: %v, want %v", name, m.Levels[0], c.want)
		}
	}
}

func TestDecodeErrors(t *testing.T) {
	etc, uastc := testdata(t, "odd_e1.ktx2"), testdata(t, "odd_u2.ktx2")
	change := func(b []byte, at int, v uint32) []byte {
		b = bytes.Clone(b)
		binary.LittleEndian.PutUint32(b[at:], v)
		return b
	}
	for name, c := range map[string]struct {
		data []byte
		want error
	}{
		"nothing":           {nil, nil},
		"header":            {etc[:79], ErrBroken},
		"ASTC":              {change(uastc, 12, 157), ErrFormat},
		"scheme":            {change(uastc, 44, 9), ErrFormat},
		"scheme of another": {change(uastc, 44, 1), ErrFormat},
		"no width":          {change(uastc, 20, 0), ErrBroken},
		"huge":              {change(uastc, 20, 1<<31), ErrBroken},
		"large":             {change(change(uastc, 20, 1<<16), 24, 1<<16), ErrTooLarge},
		"faces":             {change(uastc, 36, 2), ErrBroken},
		"levels":            {change(uastc, 40, 9), ErrBroken},
		"level outside":     {change(uastc, 84, 1), ErrBroken},
		"global outside":    {change(etc, 64, 1<<30), ErrBroken},
		"another size":      {change(uastc, 20, 64), nil},
		"video":             {change(etc, int(binary.LittleEndian.Uint64(etc[64:]))+20, 2), ErrFormat},
		"no endpoints":      {change(etc, int(binary.LittleEndian.Uint64(etc[64:])), 0), ErrBroken},
		"plain cut off":     {ktx(37, 2, 2, 0, 1, 2, make([]byte, 15)), ErrBroken},
	} {
		if m, err := Decode(c.data, Options{}); err == nil || c.want != nil && !errors.Is(err, c.want) {
			t.Errorf("%s: %v, %v, want %v", name, m != nil, err, c.want)
		}
	}
	for _, w := range witnesses {
		data := testdata(t, w.file)
		for n := 0; n < len(data); n += 1 + len(data)/61 {
			if _, err := Decode(data[:n], Options{}); err == nil {
				t.Errorf("%s cut to %d of %d bytes was decoded", w.file, n, len(data))
			}
		}
	}
}

func FuzzDecode(f *testing.F) {
	for _, w := range witnesses {
		f.Add(testdata(f, w.file))
	}
	f.Add(ktx(37, 2, 2, 0, 1, 2, make([]byte, 16)))
	f.Add(ktx(145, 4, 4, 0, 134, 2, make([]byte, 16)))
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := Decode(data, Options{MaxPixels: 1 << 16})
		if err != nil {
			return
		}
		texel := 4
		if m.Float {
			texel = 16
		}
		for i, l := range m.Levels {
			if len(l) != max(m.Width>>i, 1)*max(m.Height>>i, 1)*max(m.Depth>>i, 1)*m.Layers*m.Faces*texel {
				t.Errorf("level %d has %d bytes", i, len(l))
			}
		}
	})
}

func BenchmarkDecode(b *testing.B) {
	for _, name := range []string{"twotone_e2.ktx2", "twotone_u2.ktx2"} {
		data := testdata(b, name)
		b.Run(name, func(b *testing.B) {
			b.SetBytes(64 * 64 * 4 * 4 / 3)
			for b.Loop() {
				if _, err := Decode(data, Options{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
