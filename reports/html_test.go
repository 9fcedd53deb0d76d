package reports

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"image/color"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"darkroom/goldens/png"
	"darkroom/parity/metrics"
	"darkroom/parity/verdict"
)

// ball draws a shaded ball before a ground with a grid; seed makes it another one.
func ball(w, h, seed int) *image.NRGBA {
	m := image.NewNRGBA(image.Rect(0, 0, w, h))
	cx, cy, rad := float64(w)*(0.3+0.04*float64(seed%10)), float64(h)*0.52, float64(h)*(0.2+0.02*float64(seed%8))
	hue := float64(seed) * 0.7
	for y := range h {
		for x := range w {
			c := color.NRGBA{51, 51, 77, 255}
			if y > h*2/3 {
				k := uint8(60 + 30*((x*12/w+(y-h*2/3)*9/h)%2))
				c = color.NRGBA{k, k, k + 12, 255}
			}
			if dx, dy := (float64(x)-cx)/rad, (float64(y)-cy)/rad; dx*dx+dy*dy < 1 {
				dz := math.Sqrt(1 - dx*dx - dy*dy)
				l := max(0.08, 0.5*dz-0.45*dy-0.35*dx)
				spec := math.Pow(max(0, 0.75*dz-0.5*dy-0.4*dx), 24)
				f := func(p float64) uint8 { return uint8(min(255, 255*(l*(0.55+0.45*math.Sin(hue+p))+spec))) }
				c = color.NRGBA{f(0), f(2.1), f(4.2), 255}
			}
			m.SetNRGBA(x, y, c)
		}
	}
	return m
}

// fixture is a run of n results with pictures in dir. The first twelve are of every kind; the rest pass, most of them to the byte.
func fixture(t testing.TB, dir string, n, w, h int) *verdict.Run {
	t.Helper()
	start := time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC)
	r := &verdict.Run{Schema: 1, Tool: "darkroom", Commit: "4f1c2ab93d", Started: start, MS: 48213, Command: "parity run",
		Adapter: verdict.Adapter{Name: "llvmpipe (LLVM 15.0.6, 256 bits)", Backend: "vulkan", Driver: "Mesa 22.3.6", Type: "cpu"},
		Canary:  &verdict.Canary{OK: true, Scenes: 3}}
	limits := metrics.DefaultLimits()
	write := func(name string, m image.Image) string {
		var b bytes.Buffer
		path := filepath.Join(dir, name)
		err := errors.Join(png.Encode(&b, m, png.Options{}), os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, b.Bytes(), 0o644))
		if err != nil {
			t.Fatal(err)
		}
		return name
	}
	edit := func(m *image.NRGBA, f func(x, y int, c color.NRGBA) color.NRGBA) *image.NRGBA {
		out := image.NewNRGBA(m.Rect)
		for y := range m.Rect.Dy() {
			for x := range m.Rect.Dx() {
				out.SetNRGBA(x, y, f(x, y, m.NRGBAAt(x, y)))
			}
		}
		return out
	}
	edits := []func(m *image.NRGBA) *image.NRGBA{
		func(m *image.NRGBA) *image.NRGBA { // the object is gone
			return edit(m, func(x, y int, c color.NRGBA) color.NRGBA {
				if x > w/3 && x < w*2/3 && y > h/3 && y < h/2 {
					return color.NRGBA{51, 51, 77, 255}
				}
				return c
			})
		},
		func(m *image.NRGBA) *image.NRGBA {
			return edit(m, func(x, y int, c color.NRGBA) color.NRGBA { return color.NRGBA{c.B, c.G, c.R, c.A} })
		},
		func(m *image.NRGBA) *image.NRGBA {
			return edit(m, func(x, y int, c color.NRGBA) color.NRGBA { return m.NRGBAAt(max(0, x-1), y) })
		},
		func(m *image.NRGBA) *image.NRGBA { // one white pixel
			return edit(m, func(x, y int, c color.NRGBA) color.NRGBA {
				if x == w*3/4 && y == h/4 {
					return color.NRGBA{255, 255, 255, 255}
				}
				return c
			})
		},
		func(m *image.NRGBA) *image.NRGBA {
			return edit(m, func(x, y int, c color.NRGBA) color.NRGBA { c.A = uint8(55 + 200*x/w); return c })
		},
	}
	for i := range n {
		x := verdict.Result{Scene: fmt.Sprintf("scene%d-%s", i, []string{"sphere", "glass", "shadow", "fog", "bloom", "skin"}[i%6]), MS: 12 + float64(i*37%90),
			Tags: []string{[]string{"pbr", "standard", "animation", "shadows"}[i%4]}, Width: w, Height: h, Source: fmt.Sprintf("scenes/catalogue/scene%d.go:21", i),
			Digest: strings.Repeat("ab", 32), Golden: &verdict.Golden{Key: "llvmpipe", Source: "class", Commit: "aa11bb2", Driver: "Mesa 22.3.5", Blessed: start.AddDate(0, -2, 0)}}
		for k := range 14 {
			x.History = append(x.History, verdict.Point{Time: start.AddDate(0, 0, k-14), Commit: fmt.Sprintf("c%06d", k), Verdict: verdict.Pass, MAD: num(0.01 + 0.004*float64((k*7+i)%5))})
		}
		golden := ball(w, h, i)
		judge := func(actual *image.NRGBA) {
			x.Files.Actual = write(x.Scene+".png", actual)
			x.Files.Golden = write("goldens/"+x.Scene+".png", golden)
			m, err := metrics.Measure(golden, actual, metrics.Options{})
			if err != nil {
				t.Fatal(err)
			}
			m.Fill(&x)
			metrics.Gate(limits, m).Fill(&x, limits)
			if x.Verdict != verdict.Pass {
				x.Regions = metrics.Regions(golden, actual, m, 5)
				x.Kind = metrics.Kind(golden, actual)
				x.Diagnosis = metrics.Diagnose(golden, actual)
			}
		}
		other := map[int]verdict.Verdict{5: verdict.MissingGolden, 6: verdict.Crash, 7: verdict.Blank, 8: verdict.NonFinite, 9: verdict.StaleGolden, 10: verdict.NotRun}
		switch v, ok := other[i]; {
		case i < len(edits):
			judge(edits[i](golden))
		case ok:
			x.Verdict, x.Golden, x.Limit = v, nil, num(0.1)
			x.Reason = map[verdict.Verdict]string{
				verdict.MissingGolden: "golden is missing: none of the four places has one; look at the picture and approve it",
				verdict.Crash:         "worker 2 died with SIGSEGV, twice", verdict.Blank: "every pixel is (51, 51, 77, 255)",
				verdict.NonFinite:   "12 texels hold values that are not finite before tone mapping (12 NaN, 0 Inf), first NaN in R at (41, 17)",
				verdict.StaleGolden: "golden is stale: scene has hash 77aa, the golden was made from 1b2c", verdict.NotRun: "asset scene.gltf is not here",
			}[v]
			switch v {
			case verdict.Crash:
				x.Log = "panic: wgpu: device lost\n  at vkQueueSubmit\n"
				x.Attempts = []verdict.Attempt{{Verdict: verdict.Crash, Reason: "worker 1 died with SIGSEGV", MS: 812, Worker: 1}}
			case verdict.NotRun:
			case verdict.Blank:
				x.Files.Actual = write(x.Scene+".png", edit(golden, func(int, int, color.NRGBA) color.NRGBA { return color.NRGBA{51, 51, 77, 255} }))
			default:
				x.Files.Actual = write(x.Scene+".png", golden)
			}
		case i == 11:
			judge(golden)
			x.Flaky = true
			x.Attempts = []verdict.Attempt{{Verdict: verdict.Timeout, Reason: "no picture after 30 s", MS: 30000, Worker: 1}}
		case i%5 == 0:
			judge(edit(golden, func(px, py int, c color.NRGBA) color.NRGBA {
				if (px*31+py*17+i)%97 == 0 && c.G < 255 {
					c.G++
				}
				return c
			}))
		default:
			judge(golden)
		}
		r.Results = append(r.Results, x)
	}
	return r
}

func page(t *testing.T, r *verdict.Run, o HTMLOptions) string {
	t.Helper()
	var b bytes.Buffer
	if err := EncodeHTML(&b, r, o); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

var element = regexp.MustCompile(`<script type="text/plain" id="p(\d+)">([A-Za-z0-9+/=]*)</script>`)

func TestHTMLIsOneFileWithItsPictures(t *testing.T) {
	dir := t.TempDir()
	r := fixture(t, dir, 20, 64, 48)
	path := filepath.Join(dir, "report", "index.html")
	if err := WriteHTML(path, r, HTMLOptions{Options: Options{Root: dir}}); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	html := string(b)
	if files, _ := os.ReadDir(filepath.Dir(path)); len(files) != 1 {
		t.Errorf("beside the page: %v", files)
	}
	// No address that a browser would fetch.
	for _, bad := range []string{"http://", "https://", "//cdn", "@import", "url(", "<link", `src="`} {
		if s := strings.ReplaceAll(html, "http://www.w3.org/2000/svg", ""); strings.Contains(s, bad) {
			t.Errorf("the page has %s", bad)
		}
	}
	var d pageData
	from := html[strings.Index(html, `id="data">`)+len(`id="data">`):]
	if err := json.Unmarshal([]byte(from[:strings.Index(from, "</script>")]), &d); err != nil {
		t.Fatal(err)
	}
	if len(d.Scenes) != 20 || len(d.Run.Results) != 20 || d.Exit != 2 || len(d.Heat) != 256 || len(d.Verdicts) != 13 {
		t.Errorf("%d scenes, %d results, exit %d", len(d.Scenes), len(d.Run.Results), d.Exit)
	}
	pictures := map[string]string{}
	for _, m := range element.FindAllStringSubmatch(html, -1) {
		pictures[m[1]] = m[2]
	}
	for i, s := range d.Scenes {
		x := d.Run.Results[i]
		if (x.Files.Actual != "") != (s.Actual != nil) || (x.Files.Actual != "") != (s.Thumb >= 0) {
			t.Errorf("%s: %+v", x.Scene, s)
		}
		if s.Actual == nil {
			continue
		}
		got, err := base64.StdEncoding.DecodeString(pictures[fmt.Sprint(s.Actual.ID)])
		want, _ := os.ReadFile(filepath.Join(dir, x.Files.Actual))
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s: the picture in the page is not the file", x.Scene)
		}
		if x.Identical && (s.Golden == nil || s.Golden.ID != s.Actual.ID) {
			t.Errorf("%s: one picture is there twice", x.Scene)
		}
		if x.Verdict == verdict.Mismatch && s.Hot < 0 {
			t.Errorf("%s: no thumbnail of the difference", x.Scene)
		}
	}
	// The worst stand first.
	if v := d.Run.Results[0].Verdict; v != verdict.Crash {
		t.Errorf("first is %s", v)
	}
	if v := d.Run.Results[19]; v.Verdict != verdict.Pass || v.Flaky {
		t.Errorf("last is %s", v.Verdict)
	}
}

func TestHTMLBudget(t *testing.T) {
	dir := t.TempDir()
	r := fixture(t, dir, 30, 64, 48)
	small := page(t, r, HTMLOptions{Options: Options{Root: dir}, Embed: 20000})
	total := 0
	for _, m := range element.FindAllStringSubmatch(small, -1) {
		b, err := base64.StdEncoding.DecodeString(m[2])
		if err != nil {
			t.Fatal(err)
		}
		total += len(b)
	}
	if total == 0 || total > 20000 {
		t.Errorf("%d bytes of pictures", total)
	}
	none := page(t, r, HTMLOptions{Options: Options{Root: dir, Link: func(p string) string { return "../" + p }}, Embed: -1})
	if element.MatchString(none) || !strings.Contains(none, `"path":"../scene0-sphere.png"`) {
		t.Error("pictures in a page without them, or no links")
	}
}

// Names and reasons come from files and drivers; none may become markup or a script.
func TestHTMLEscapes(t *testing.T) {
	evil := `</script><script>alert(1)</script><img src=x onerror=alert(2)>"'` + "\u2028`${1}"
	r := &verdict.Run{Adapter: verdict.Adapter{Name: evil}, Commit: evil, Incomplete: evil,
		Results: []verdict.Result{{Scene: evil, Verdict: verdict.Crash, Reason: evil, Log: evil, Tags: []string{evil}, Files: verdict.Files{Actual: evil}}}}
	html := page(t, r, HTMLOptions{Options: Options{Title: evil}})
	if strings.Contains(html, "<script>alert") || strings.Contains(html, "<img src=x") {
		t.Error("a name became markup")
	}
	if n := strings.Count(html, "</script>"); n != 3 {
		t.Errorf("%d script elements end, want 3", n)
	}
}

func TestHTMLOfMissingAndDamagedPictures(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "bad.png"), []byte("no picture"), 0o644); err != nil {
		t.Fatal(err)
	}
	r := &verdict.Run{Results: []verdict.Result{
		{Scene: "a", Verdict: verdict.Mismatch, Files: verdict.Files{Actual: "gone.png", Golden: "bad.png"}},
		{Scene: "b", Verdict: verdict.NotRun},
	}}
	html := page(t, r, HTMLOptions{Options: Options{Root: dir}})
	if !strings.Contains(html, "the file is not there") || !strings.Contains(html, "the file is no PNG") {
		t.Error("the page does not say what is wrong with the pictures")
	}
	empty := page(t, &verdict.Run{}, HTMLOptions{})
	if !strings.Contains(empty, "0 scenes judged") {
		t.Error("the page of an empty run does not say so")
	}
}

// One differing pixel of a large picture can be seen in its thumbnail.
func TestThumbnailOfTheDifferenceKeepsSinglePixels(t *testing.T) {
	g := ball(1280, 720, 1)
	a := image.NewNRGBA(g.Rect)
	copy(a.Pix, g.Pix)
	a.SetNRGBA(1001, 333, color.NRGBA{255, 255, 255, 255})
	m, _, err := png.Decode(encodeHot(g, a), png.Caps{})
	if err != nil {
		t.Fatal(err)
	}
	hot := 0
	for y := range m.Bounds().Dy() {
		for x := range m.Bounds().Dx() {
			if c := m.(*image.NRGBA).NRGBAAt(x, y); int(c.R)+int(c.G)+int(c.B) > 300 {
				hot++
				if dx, dy := x-1001*m.Bounds().Dx()/1280, y-333*m.Bounds().Dy()/720; dx*dx+dy*dy > 2 {
					t.Errorf("hot at (%d, %d)", x, y)
				}
			}
		}
	}
	if hot != 9 {
		t.Errorf("%d hot pixels", hot)
	}
	for _, s := range []image.Point{{1, 1}, {1, 5000}, {5000, 1}, {241, 161}, {3, 2}} {
		if b := encodeThumb(shrink(image.NewNRGBA(image.Rect(0, 0, s.X, s.Y)))); len(b) == 0 {
			t.Errorf("no thumbnail of %v", s)
		}
	}
}

func BenchmarkHTML100(b *testing.B) {
	dir := b.TempDir()
	r := fixture(b, dir, 100, 640, 360)
	b.ResetTimer()
	for b.Loop() {
		var w bytes.Buffer
		if err := EncodeHTML(&w, r, HTMLOptions{Options: Options{Root: dir}}); err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(w.Len()), "bytes")
	}
}
