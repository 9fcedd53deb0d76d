package goldens

import (
	"encoding/json"
	"errors"
	"image"
	"image/color"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"darkroom/goldens/picture"
	"darkroom/goldens/png"
)

var (
	h200     = Adapter{Name: "NVIDIA H200", Backend: "vulkan", Driver: "570.86.10", Type: "discrete"}
	llvmpipe = Adapter{Name: "llvmpipe (LLVM 15.0.6, 256 bits)", Backend: "vulkan", Driver: "Mesa 22.3.6", Type: "cpu"}
)

func sketch(seed uint8) *image.NRGBA {
	m := image.NewNRGBA(image.Rect(0, 0, 32, 24))
	for y := range 24 {
		for x := range 32 {
			m.SetNRGBA(x, y, color.NRGBA{uint8(x * 8), uint8(y * 9), seed, 255})
		}
	}
	return m
}

func bless(t *testing.T, s *Store, scene, key string, m image.Image, f func(p *Provenance)) {
	t.Helper()
	from := Provenance{Scene: scene, Key: key, SceneHash: "hash-1", ShaderHash: "shader-1", Commit: "abc", Adapter: h200}
	if f != nil {
		f(&from)
	}
	p, err := s.Plan([]Candidate{{Picture: m, From: from}}, ApproveOptions{Getenv: noCI})
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Apply(); err != nil {
		t.Fatal(err)
	}
}

func noCI(string) string { return "" }

func digest(t *testing.T, m image.Image) string {
	t.Helper()
	d, err := picture.Digest(m)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestKeys(t *testing.T) {
	for _, c := range []struct {
		a            Adapter
		exact, class string
	}{
		{h200, "nvidia-h200+570.86.10", "nvidia"},
		{llvmpipe, "llvmpipe-llvm-15.0.6-256-bits+mesa-22.3.6", "llvmpipe"},
		{Adapter{Name: "SwiftShader Device (LLVM 10.0.0)", Backend: "Vulkan"}, "swiftshader-device-llvm-10.0.0", "swiftshader"},
		{Adapter{Name: "llvmpipe on Intel Xeon"}, "llvmpipe-on-intel-xeon", "llvmpipe"},
		{Adapter{Name: "Apple M3", Backend: "metal"}, "apple-m3+metal", "apple"},
		{Adapter{Name: "Warmup Amdahl", Type: "cpu"}, "warmup-amdahl", "software"},
		{Adapter{Name: "AMD Radeon RX 7900", Driver: "radv"}, "amd-radeon-rx-7900+radv", "amd"},
		{Adapter{}, "unnamed", "other"},
		{Adapter{Name: "../../etc/passwd"}, "etc-passwd", "other"},
		{Adapter{Name: "光の板"}, "x", "other"},
	} {
		if e, k := c.a.Exact(), c.a.Class(); e != c.exact || k != c.class {
			t.Errorf("%+v: %q, %q; want %q, %q", c.a, e, k, c.exact, c.class)
		}
		if err := CheckName(c.a.Exact()); err != nil {
			t.Error(err)
		}
	}
	long := Adapter{Name: strings.Repeat("very long name ", 30)}
	other := Adapter{Name: strings.Repeat("very long name ", 31)}
	if len(long.Exact()) > maxName || long.Exact() == other.Exact() {
		t.Errorf("%q, %q", long.Exact(), other.Exact())
	}
}

func TestNamesCannotLeaveTheStore(t *testing.T) {
	for _, n := range []string{"", ".", "..", "../x", "a/b", `a\b`, ".hidden", "a.", "-flag", "a b", "a\x00b", "é", "con", "NUL.png", "lpt1", strings.Repeat("a", 81)} {
		if CheckName(n) == nil {
			t.Errorf("%q is taken for a name", n)
		}
		s := &Store{Root: t.TempDir()}
		if _, err := s.Find(n, h200, "", ""); err == nil {
			t.Errorf("%q was found", n)
		}
		if _, err := s.Plan([]Candidate{{Picture: sketch(1), From: Provenance{Scene: n, Key: "k"}}}, ApproveOptions{Getenv: noCI}); err == nil {
			t.Errorf("%q was planned", n)
		}
		if _, err := s.Plan([]Candidate{{Picture: sketch(1), From: Provenance{Scene: "s", Key: n}}}, ApproveOptions{Getenv: noCI}); err == nil {
			t.Errorf("key %q was planned", n)
		}
	}
	if err := CheckNames([]string{"scene2-sphere", "Alien_3", "a.b"}); err != nil {
		t.Error(err)
	}
	if err := CheckNames([]string{"alien", "Alien"}); err == nil {
		t.Error("two scenes in one file where case does not count")
	}
}

func TestChain(t *testing.T) {
	s := &Store{Root: t.TempDir()}
	find := func(want Source) {
		t.Helper()
		g, err := s.Find("alien", h200, "hash-1", "shader-1")
		if err != nil {
			t.Fatal(err)
		}
		if g.Source != want {
			t.Errorf("found %s, want %s", g.Source, want)
		}
		if _, err := g.Picture(); err != nil {
			t.Error(err)
		}
	}
	_, err := s.Find("alien", h200, "", "")
	if !errors.Is(err, ErrMissing) || !strings.Contains(err.Error(), "nvidia-h200+570.86.10.png") || !strings.Contains(err.Error(), "babylonjs.png") {
		t.Errorf("missing: %v", err)
	}
	if err := png.Write(filepath.Join(s.Root, "alien.png"), sketch(1), png.Options{}); err != nil {
		t.Fatal(err)
	}
	find(SourceFlat)
	bless(t, s, "alien", Reference, sketch(2), nil)
	find(SourceReference)
	bless(t, s, "alien", "nvidia", sketch(3), nil)
	find(SourceClass)
	bless(t, s, "alien", h200.Exact(), sketch(4), nil)
	find(SourceExact)
	// Another adapter does not see the first one's.
	g, err := s.Find("alien", llvmpipe, "", "")
	if err != nil || g.Source != SourceReference {
		t.Errorf("llvmpipe: %+v, %v", g, err)
	}
	if _, err := (&Store{Root: filepath.Join(s.Root, "nowhere")}).Find("alien", h200, "", ""); !errors.Is(err, ErrMissing) || !strings.Contains(err.Error(), "nowhere") {
		t.Errorf("no store: %v", err)
	}
}

func TestADigestPassesWithoutDecoding(t *testing.T) {
	s := &Store{Root: t.TempDir()}
	m := sketch(1)
	bless(t, s, "a", "nvidia", m, nil)
	g, err := s.Find("a", h200, "hash-1", "shader-1")
	if err != nil {
		t.Fatal(err)
	}
	if !g.Same(digest(t, m)) || g.Same(digest(t, sketch(2))) || g.Same("") || len(g.Notes) != 0 {
		t.Errorf("%+v", g)
	}
	if g.From.Commit != "abc" || g.From.Adapter != h200 {
		t.Errorf("%+v", g.From)
	}
	// The same provenance is in the PNG; without a manifest it is known, but no digest is vouched for.
	if err := os.Remove(filepath.Join(s.Root, "a", "nvidia.json")); err != nil {
		t.Fatal(err)
	}
	g, err = s.Find("a", h200, "hash-1", "")
	if err != nil || g.From == nil || g.From.Commit != "abc" || g.Digest != "" || g.Same(digest(t, m)) || len(g.Notes) != 1 {
		t.Errorf("without manifest: %+v, %v", g, err)
	}
}

func TestStaleIsNotMismatch(t *testing.T) {
	s := &Store{Root: t.TempDir()}
	bless(t, s, "a", "nvidia", sketch(1), nil)
	g, err := s.Find("a", h200, "hash-2", "")
	if !errors.Is(err, ErrStale) || g == nil || !strings.Contains(err.Error(), "hash-2") || !strings.Contains(err.Error(), "hash-1") {
		t.Errorf("%+v, %v", g, err)
	}
	if _, err := s.Find("a", h200, "", ""); err != nil {
		t.Errorf("an unknown hash is not stale: %v", err)
	}
	g, err = s.Find("a", h200, "hash-1", "shader-2")
	if err != nil || len(g.Notes) != 1 || !strings.Contains(g.Notes[0], "shaders") {
		t.Errorf("other shaders are a note: %+v, %v", g, err)
	}
}

// Whatever happens to a golden's files, it is refused and not replaced, cropped or skipped.
func TestDamagedGoldensAreRefused(t *testing.T) {
	overwrite := func(name string, f func(b []byte) []byte) func(t *testing.T, dir string) {
		return func(t *testing.T, dir string) {
			path := filepath.Join(dir, name)
			b, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, f(b), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	remove := func(name string) func(t *testing.T, dir string) {
		return func(t *testing.T, dir string) {
			if err := os.Remove(filepath.Join(dir, name)); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, c := range []struct {
		name  string
		harm  []func(t *testing.T, dir string)
		words string
	}{
		{"cut in half", []func(*testing.T, string){overwrite("nvidia.png", func(b []byte) []byte { return b[:len(b)/2] })}, "manifest"},
		{"emptied", []func(*testing.T, string){overwrite("nvidia.png", func([]byte) []byte { return nil })}, "manifest"},
		{"cut, no manifest", []func(*testing.T, string){remove("nvidia.json"), overwrite("nvidia.png", func(b []byte) []byte { return b[:len(b)-20] })}, "png"},
		{"another picture", []func(*testing.T, string){func(t *testing.T, dir string) {
			if err := png.Write(filepath.Join(dir, "nvidia.png"), sketch(9), png.Options{}); err != nil {
				t.Fatal(err)
			}
		}}, "manifest"},
		{"manifest no JSON", []func(*testing.T, string){overwrite("nvidia.json", func([]byte) []byte { return []byte("<<<<<<< HEAD") })}, "nvidia.json"},
		{"manifest without digests", []func(*testing.T, string){overwrite("nvidia.json", func([]byte) []byte { return []byte("{}") })}, "digest"},
		{"a folder", []func(*testing.T, string){remove("nvidia.png"), func(t *testing.T, dir string) {
			if err := os.Mkdir(filepath.Join(dir, "nvidia.png"), 0o755); err != nil {
				t.Fatal(err)
			}
		}}, "regular"},
	} {
		s := &Store{Root: t.TempDir()}
		bless(t, s, "a", "nvidia", sketch(1), nil)
		for _, h := range c.harm {
			h(t, filepath.Join(s.Root, "a"))
		}
		g, err := s.Find("a", h200, "hash-1", "")
		if err == nil {
			_, err = g.Picture()
		}
		if !errors.Is(err, ErrUnreadable) || !strings.Contains(err.Error(), c.words) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	// Copied from another scene.
	s := &Store{Root: t.TempDir()}
	bless(t, s, "a", "nvidia", sketch(1), nil)
	if err := os.Rename(filepath.Join(s.Root, "a"), filepath.Join(s.Root, "b")); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Find("b", h200, "hash-1", ""); !errors.Is(err, ErrUnreadable) || !strings.Contains(err.Error(), "copied or renamed") {
		t.Errorf("renamed: %v", err)
	}
}

func TestPixelsMustBeTheBlessedOnes(t *testing.T) {
	s := &Store{Root: t.TempDir()}
	bless(t, s, "a", "nvidia", sketch(1), nil)
	dir := filepath.Join(s.Root, "a")
	// An editor that kept the text chunk and changed a pixel; the manifest is gone.
	_, info, err := png.Read(filepath.Join(dir, "nvidia.png"), png.Caps{})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(dir, "nvidia.json")); err != nil {
		t.Fatal(err)
	}
	if err := png.Write(filepath.Join(dir, "nvidia.png"), sketch(2), png.Options{Text: info.Text}); err != nil {
		t.Fatal(err)
	}
	g, err := s.Find("a", h200, "hash-1", "")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := g.Picture(); !errors.Is(err, ErrUnreadable) || !strings.Contains(err.Error(), "blessed") {
		t.Errorf("%v", err)
	}
}

func TestOrphans(t *testing.T) {
	s := &Store{Root: t.TempDir()}
	bless(t, s, "kept", "nvidia", sketch(1), nil)
	bless(t, s, "gone", "nvidia", sketch(1), nil)
	for path, body := range map[string]string{
		"png/reader.go": "package png", "png/testdata/x.png": "", "limits.json": "{}", "kept/amd.json": "{}", "kept/.nvidia.png.123.tmp": "",
		"kept/notes.txt": "", "old-flat.png": "", "kept.png": "",
	} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(s.Root, path)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(s.Root, path), []byte(body), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := s.Orphans([]string{"kept"})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"gone/nvidia.json", "gone/nvidia.png", "kept/.nvidia.png.123.tmp", "kept/amd.json", "kept/notes.txt", "old-flat.png"}
	for i, o := range got {
		rel, _ := filepath.Rel(s.Root, o.Path)
		if i >= len(want) || filepath.ToSlash(rel) != want[i] || o.Reason == "" {
			t.Errorf("orphan %d is %s (%s)", i, rel, o.Reason)
		}
	}
	if len(got) != len(want) {
		t.Errorf("%d orphans, want %d", len(got), len(want))
	}
}

func TestForeignEncodingIsRefused(t *testing.T) {
	s := &Store{Root: t.TempDir()}
	path := filepath.Join(s.Root, "a.png")
	if err := png.Write(path, sketch(1), png.Options{}); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	// The sRGB chunk, 13 bytes after signature and IHDR, becomes a gAMA chunk of 1.0.
	gama := "\x00\x00\x00\x04gAMA\x00\x01\x86\xa0\x31\xe8\x96\x5f"
	if err := os.WriteFile(path, []byte(string(b[:33])+gama+string(b[33+13:])), 0o644); err != nil {
		t.Fatal(err)
	}
	g, err := s.Find("a", h200, "", "")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := g.Picture(); !errors.Is(err, ErrUnreadable) || !strings.Contains(err.Error(), "gamma 1.0") {
		t.Errorf("%v", err)
	}
}

// The reference pictures of Babylon Lite's suite, judged in flat mode.
func TestReferencePicturesCanBeUsed(t *testing.T) {
	dir := ""
	for _, d := range append(filepath.SplitList(os.Getenv("DARKROOM_ASSETS")), sharedFolders()...) {
		for _, sub := range []string{"goldens", "babylon/goldens"} {
			if st, err := os.Stat(filepath.Join(d, sub, "scene2-sphere.png")); err == nil && st.Mode().IsRegular() {
				dir = filepath.Join(d, sub)
			}
		}
	}
	if dir == "" {
		if os.Getenv("CI") != "" {
			t.Fatal("CI is set and the reference pictures are nowhere; set DARKROOM_ASSETS")
		}
		t.Skip("the reference pictures are nowhere; set DARKROOM_ASSETS to run this")
	}
	s := &Store{Root: dir}
	files, _ := filepath.Glob(filepath.Join(dir, "*.png"))
	for _, f := range files {
		scene := strings.TrimSuffix(filepath.Base(f), ".png")
		g, err := s.Find(scene, h200, "some hash", "")
		if err != nil {
			t.Error(err)
			continue
		}
		m, err := g.Picture()
		if err != nil {
			t.Error(err)
			continue
		}
		if why, err := picture.Blank(m); why != "" || err != nil {
			t.Errorf("%s is blank: %s, %v", scene, why, err)
		}
		if g.Source != SourceFlat || len(g.Notes) != 1 {
			t.Errorf("%s: %+v", scene, g)
		}
	}
	if len(files) < 100 {
		t.Errorf("%d pictures in %s", len(files), dir)
	}
}

func sharedFolders() []string {
	var out []string
	wd, err := os.Getwd()
	if err != nil {
		return nil
	}
	for d := wd; d != filepath.Dir(d); d = filepath.Dir(d) {
		out = append(out, filepath.Join(d, "shared"))
	}
	return out
}

func FuzzManifest(f *testing.F) {
	b, _ := json.Marshal(Manifest{Provenance: Provenance{Pixels: strings.Repeat("a", 64)}, File: strings.Repeat("b", 64)})
	f.Add(b)
	f.Fuzz(func(t *testing.T, b []byte) {
		if m, err := parseManifest(b); err == nil && (len(m.File) != 64 || len(m.Pixels) != 64) {
			t.Fatal("no digests")
		}
	})
}
