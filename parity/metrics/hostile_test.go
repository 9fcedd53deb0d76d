package metrics

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/color"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"darkroom/goldens/png"
	"darkroom/parity/verdict"

	stdpng "image/png"
)

func encoded(t *testing.T, m image.Image) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, m, png.Options{}); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func standard(t *testing.T, m image.Image) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := stdpng.Encode(&b, m); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// withChunk puts a chunk behind the header, in place of the writer's own sRGB chunk where there is one.
func withChunk(b []byte, name, body string) []byte {
	c := binary.BigEndian.AppendUint32(nil, uint32(len(body)))
	c = append(append(c, name...), body...)
	c = binary.BigEndian.AppendUint32(c, crc32.ChecksumIEEE(c[4:]))
	rest := b[33:]
	if string(rest[4:8]) == "sRGB" {
		rest = rest[13:]
	}
	return append(append(bytes.Clone(b[:33]), c...), rest...)
}

// judgeFiles is what happens to two files on their way to a verdict: "" for a pass, or the words of the refusal.
func judgeFiles(t *testing.T, golden, actual string) string {
	g, info, err := png.Read(golden, png.Caps{})
	if err != nil {
		return err.Error()
	}
	if f := info.Foreign(); f != "" {
		return "foreign encoding: " + f
	}
	a, _, err := png.Read(actual, png.Caps{})
	if err != nil {
		return err.Error()
	}
	m, err := Measure(g, a, Options{})
	if err != nil {
		return err.Error()
	}
	var r verdict.Result
	l := DefaultLimits()
	m.Fill(&r)
	Gate(l, m).Fill(&r, l)
	if r.Verdict == verdict.Pass {
		return ""
	}
	return r.Reason
}

// Pairs of files of which one or more tools in wide use say "same", or cannot read at all, at their defaults.
func TestTwentyOneHostilePairs(t *testing.T) {
	grey := solid(64, 64, color.NRGBA{90, 100, 110, 255})
	white := edit(grey, func(int, int, color.NRGBA) color.NRGBA { return color.NRGBA{255, 255, 255, 255} })
	clear := edit(grey, func(x, y int, p color.NRGBA) color.NRGBA { p.A = 0; return p })
	dark := solid(64, 64, color.NRGBA{6, 6, 8, 255})
	object := edit(dark, func(x, y int, p color.NRGBA) color.NRGBA {
		if x >= 40 && x < 56 && y >= 40 && y < 56 {
			return color.NRGBA{22, 20, 24, 255}
		}
		return p
	})
	speck := edit(grey, func(x, y int, p color.NRGBA) color.NRGBA {
		if x == 33 && y == 17 {
			return color.NRGBA{255, 255, 255, 255}
		}
		return p
	})
	low := deep(noisy(64, 64))
	low2 := image.NewNRGBA64(low.Rect)
	copy(low2.Pix, low.Pix)
	for i := 1; i < len(low2.Pix); i += 2 {
		if i%8 != 7 {
			low2.Pix[i] ^= 0x55
		}
	}
	taller := image.NewNRGBA(image.Rect(0, 0, 64, 65))
	copy(taller.Pix, grey.Pix)
	flat := image.NewGray(image.Rect(0, 0, 64, 64))
	for i := range flat.Pix {
		flat.Pix[i] = uint8(i)
	}
	flatRGBA := image.NewNRGBA(flat.Rect)
	for i, v := range flat.Pix {
		copy(flatRGBA.Pix[4*i:], []byte{v, v, v, 255})
	}
	pal := image.NewPaletted(image.Rect(0, 0, 64, 64), color.Palette{color.NRGBA{1, 2, 3, 255}, color.NRGBA{200, 100, 50, 128}})
	palRGBA := image.NewNRGBA(pal.Rect)
	for i := range pal.Pix {
		pal.Pix[i] = uint8(i / 7 % 2)
		c := pal.Palette[pal.Pix[i]].(color.NRGBA)
		copy(palRGBA.Pix[4*i:], []byte{c.R, c.G, c.B, c.A})
	}
	g := encoded(t, grey)
	flip := func(at int) []byte { // counting from the end
		b := bytes.Clone(g)
		b[len(b)-at] ^= 1
		return b
	}
	resum := func(b []byte) []byte { // the IDAT chunk's checksum made right again
		i := bytes.Index(b, []byte("IDAT"))
		n := int(binary.BigEndian.Uint32(b[i-4:]))
		binary.BigEndian.PutUint32(b[i+4+n:], crc32.ChecksumIEEE(b[i:i+4+n]))
		return b
	}
	pairs := []struct {
		name   string
		g, a   []byte // nil: no such file
		answer string // part of the refusal, "" for a pass
	}{
		{"white and fully transparent", encoded(t, white), encoded(t, edit(white, func(int, int, color.NRGBA) color.NRGBA { return color.NRGBA{} })), "alpha differs by up to 255"},
		{"RGB differs under alpha 0", encoded(t, clear), encoded(t, edit(clear, plus(50))), "MAD 50 "},
		{"alpha 200 and 255", g, encoded(t, edit(grey, func(x, y int, p color.NRGBA) color.NRGBA { p.A = 200; return p })), "alpha differs by up to 55"},
		{"16 bits, low byte only", encoded(t, low), encoded(t, low2), "MAD"},
		{"gAMA 1.0 on the golden", withChunk(g, "gAMA", "\x00\x01\x86\xa0"), g, "foreign encoding: gamma 1.00000"},
		{"sRGB chunk only", withChunk(g, "sRGB", "\x00"), withChunk(g, "teXt", "no colour chunk"), ""},
		{"+1", g, encoded(t, edit(grey, plus(1))), "MAD 1 "},
		{"+2", g, encoded(t, edit(grey, plus(2))), "MAD 2 "},
		{"+5", g, encoded(t, edit(grey, plus(5))), "MAD 5 "},
		{"+12", g, encoded(t, edit(grey, plus(12))), "MAD 12 "},
		{"dark object gone", encoded(t, object), encoded(t, dark), "(40, 40)"},
		{"one pixel white", g, encoded(t, speck), "1 pixel differs"},
		{"soft line moved by 1", encoded(t, softLine(50)), encoded(t, softLine(51)), "pixels differ by more than 32"},
		{"one more row", g, encoded(t, taller), "64×64, picture is 64×65"},
		{"checksum of the picture data wrong", g, resum(flip(17)), "pixel data"},
		{"checksum of the last chunk wrong", g, flip(1), "checksum of chunk \"IEND\""},
		{"cut off", g, g[:len(g)/2], "cut off"},
		{"empty", g, []byte{}, "empty"},
		{"missing", g, nil, "no such file"},
		{"gray and the same in RGBA", standard(t, flat), encoded(t, flatRGBA), ""},
		{"palette with tRNS and the same in RGBA", standard(t, pal), encoded(t, palRGBA), ""},
	}
	if len(pairs) != 21 {
		t.Fatalf("%d pairs", len(pairs))
	}
	for _, p := range pairs {
		dir := t.TempDir()
		for name, b := range map[string][]byte{"g.png": p.g, "a.png": p.a} {
			if b == nil {
				continue
			}
			if err := os.WriteFile(filepath.Join(dir, name), b, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		got := judgeFiles(t, filepath.Join(dir, "g.png"), filepath.Join(dir, "a.png"))
		if (got == "") != (p.answer == "") || !strings.Contains(got, p.answer) || strings.Contains(got, "\n") {
			t.Errorf("%s: %q, want %q", p.name, got, p.answer)
		}
	}
}

func noisy(w, h int) *image.NRGBA {
	m := image.NewNRGBA(image.Rect(0, 0, w, h))
	for i := range m.Pix {
		m.Pix[i] = uint8(i * 37)
		if i%4 == 3 {
			m.Pix[i] = 255
		}
	}
	return m
}

// The document has a row for each hostile pair, silent pass and request, no cell of it is empty, and each row names tests that exist.
func TestHarnessDocument(t *testing.T) {
	doc, err := os.ReadFile("../HARNESSES.md")
	if err != nil {
		t.Fatal(err)
	}
	have := tests(t)
	test := regexp.MustCompile("`((?:Test|Fuzz)\\w+)`")
	for _, m := range test.FindAllStringSubmatch(string(doc), -1) {
		if !have[m[1]] {
			t.Errorf("%s does not exist", m[1])
		}
	}
	rows := map[string]int{}
	section := ""
	for line := range strings.Lines(string(doc)) {
		if title, ok := strings.CutPrefix(line, "## "); ok {
			section = strings.TrimSpace(title)
		}
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		if len(cells) < 3 || strings.HasPrefix(cells[0], "-") || strings.TrimSpace(cells[len(cells)-1]) == "test" || section == "Verdicts and exit codes" {
			continue
		}
		rows[section]++
		for _, c := range cells {
			if strings.TrimSpace(c) == "" {
				t.Errorf("an empty cell: %s", line)
			}
		}
		if !test.MatchString(cells[len(cells)-1]) {
			t.Errorf("no test: %s", line)
		}
	}
	for section, want := range map[string]int{"21 hostile pairs": 21, "Eight ways to pass without checking": 8, "51 requests": 51} {
		if rows[section] != want {
			t.Errorf("%s: %d rows", section, rows[section])
		}
	}
}

// tests are the names of all tests of the module.
func tests(t *testing.T) map[string]bool {
	t.Helper()
	have := map[string]bool{}
	def := regexp.MustCompile(`(?m)^func ((?:Test|Fuzz)\w+)\(`)
	err := filepath.WalkDir("../..", func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == "node_modules" || d.Name() == ".git") {
			return filepath.SkipDir
		}
		if strings.HasSuffix(path, "_test.go") {
			b, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			for _, m := range def.FindAllSubmatch(b, -1) {
				have[string(m[1])] = true
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return have
}
