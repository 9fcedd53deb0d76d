package goldens

import (
	"errors"
	"image"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func candidate(scene string, m image.Image) Candidate {
	return Candidate{Picture: m, From: Provenance{Scene: scene, Key: "nvidia", SceneHash: "h", Adapter: h200}}
}

// tree is every file of a folder with its content.
func tree(t *testing.T, root string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(path)
		rel, _ := filepath.Rel(root, path)
		out[filepath.ToSlash(rel)] = string(b)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func same(a, b map[string]string) bool {
	if len(a) != len(b) {
		return false
	}
	for k, v := range a {
		if b[k] != v {
			return false
		}
	}
	return true
}

func TestPlanSaysWhatApplyDoes(t *testing.T) {
	s := &Store{Root: t.TempDir()}
	for _, scene := range []string{"fails", "passes", "equal"} {
		bless(t, s, scene, "nvidia", sketch(1), func(p *Provenance) { p.SceneHash = "h" })
	}
	before := tree(t, s.Root)
	passing := candidate("passes", sketch(3))
	passing.Passes = true
	cs := []Candidate{candidate("new", sketch(2)), candidate("fails", sketch(2)), passing, candidate("equal", sketch(1))}
	p, err := s.Plan(cs, ApproveOptions{Getenv: noCI})
	if err != nil {
		t.Fatal(err)
	}
	if !same(before, tree(t, s.Root)) {
		t.Fatal("planning changed the store")
	}
	got := map[string]Action{}
	for _, it := range p.Items {
		got[it.Scene] = it.Action
	}
	for scene, want := range map[string]Action{"new": Add, "fails": Replace, "passes": Keep, "equal": Keep} {
		if got[scene] != want {
			t.Errorf("%s: %s, want %s", scene, got[scene], want)
		}
	}
	if text := p.String(); !strings.Contains(text, "replace") || !strings.Contains(text, "→") || strings.Count(text, "\n") != 4 {
		t.Error(text)
	}
	if err := p.Apply(); err != nil {
		t.Fatal(err)
	}
	after := tree(t, s.Root)
	for name, body := range after {
		changed := before[name] != body
		if want := strings.HasPrefix(name, "new/") || strings.HasPrefix(name, "fails/"); changed != want {
			t.Errorf("%s: changed %v, want %v", name, changed, want)
		}
	}
	if len(after) != 8 {
		t.Errorf("%d files: temporary ones were left", len(after))
	}
	for _, scene := range []string{"new", "fails"} {
		g, err := s.Find(scene, h200, "h", "")
		if err != nil || !g.Same(digest(t, sketch(2))) {
			t.Errorf("%s: %+v, %v", scene, g, err)
		}
	}
	// --all touches what passes, too; the same pixels from another scene renew the provenance.
	renewed := candidate("equal", sketch(1))
	renewed.From.SceneHash = "h2"
	p, err = s.Plan([]Candidate{passing, renewed}, ApproveOptions{Getenv: noCI, All: true})
	if err != nil || len(p.Changes()) != 2 {
		t.Fatalf("%v, %v", p, err)
	}
	if err := p.Apply(); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Find("equal", h200, "h2", ""); err != nil {
		t.Error(err)
	}
}

func TestApprovalIsRefused(t *testing.T) {
	s := &Store{Root: t.TempDir()}
	good := []Candidate{candidate("a", sketch(1))}
	ci := func(v string) func(string) string {
		return func(name string) string {
			if name == "CI" {
				return v
			}
			return ""
		}
	}
	for name, opt := range map[string]ApproveOptions{
		"CI": {Getenv: ci("true")}, "CI=1": {Getenv: ci("1")}, "dirty adapter": {Getenv: noCI, Dirty: "canary differs"},
	} {
		if _, err := s.Plan(good, opt); !errors.Is(err, ErrRefused) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := s.Plan(good, ApproveOptions{Getenv: ci("false")}); err != nil {
		t.Errorf("CI=false: %v", err)
	}
	if _, err := s.Plan([]Candidate{good[0], good[0]}, ApproveOptions{Getenv: noCI}); !errors.Is(err, ErrRefused) {
		t.Errorf("two candidates: %v", err)
	}
	blank := image.NewNRGBA(image.Rect(0, 0, 8, 8))
	nan := candidate("nan", sketch(1))
	nan.NonFinite = 3
	for name, c := range map[string]Candidate{"blank": candidate("blank", blank), "non-finite": nan, "no picture": candidate("none", nil)} {
		p, err := s.Plan([]Candidate{c, good[0]}, ApproveOptions{Getenv: noCI, All: true})
		if err != nil || len(p.Refused()) != 1 {
			t.Errorf("%s: %v, %v", name, p, err)
			continue
		}
		if err := p.Apply(); !errors.Is(err, ErrRefused) {
			t.Errorf("%s: %v", name, err)
		}
		if n := len(tree(t, s.Root)); n != 0 {
			t.Errorf("%s: %d files were written all the same", name, n)
		}
	}
	ok := candidate("blank", blank)
	ok.BlankOK = true
	if p, err := s.Plan([]Candidate{ok}, ApproveOptions{Getenv: noCI}); err != nil || len(p.Refused()) != 0 {
		t.Errorf("a scene that may be blank: %v, %v", p, err)
	}
}

func TestApplyNoticesAChangedGolden(t *testing.T) {
	s := &Store{Root: t.TempDir()}
	bless(t, s, "a", "nvidia", sketch(1), nil)
	p, err := s.Plan([]Candidate{candidate("a", sketch(2)), candidate("b", sketch(2))}, ApproveOptions{Getenv: noCI})
	if err != nil {
		t.Fatal(err)
	}
	bless(t, s, "a", "nvidia", sketch(3), nil)
	before := tree(t, s.Root)
	if err := p.Apply(); !errors.Is(err, ErrRefused) || !strings.Contains(err.Error(), "plan again") {
		t.Errorf("%v", err)
	}
	if !same(before, tree(t, s.Root)) {
		t.Error("a refused plan changed the store")
	}
}

// The last file cannot be put in place; those before it must be as they were.
func TestApplyTakesBackWhatItDid(t *testing.T) {
	s := &Store{Root: t.TempDir()}
	bless(t, s, "a", "nvidia", sketch(1), nil)
	p, err := s.Plan([]Candidate{candidate("a", sketch(2)), candidate("b", sketch(2)), candidate("c", sketch(2))}, ApproveOptions{Getenv: noCI})
	if err != nil {
		t.Fatal(err)
	}
	// A folder with something in it stands where the manifest of c must go: rename fails on every system.
	if err := os.MkdirAll(filepath.Join(s.Root, "c", "nvidia.json", "x"), 0o755); err != nil {
		t.Fatal(err)
	}
	before := tree(t, s.Root)
	if err := p.Apply(); err == nil || !strings.Contains(err.Error(), "taken back") {
		t.Errorf("%v", err)
	}
	if after := tree(t, s.Root); !same(before, after) {
		t.Errorf("before %d files, after %d", len(before), len(after))
	}
}

func TestAnUnreadableGoldenCanBeReplaced(t *testing.T) {
	s := &Store{Root: t.TempDir()}
	bless(t, s, "a", "nvidia", sketch(1), nil)
	if err := os.WriteFile(filepath.Join(s.Root, "a", "nvidia.png"), []byte("junk"), 0o644); err != nil {
		t.Fatal(err)
	}
	p, err := s.Plan([]Candidate{candidate("a", sketch(1))}, ApproveOptions{Getenv: noCI})
	if err != nil || p.Items[0].Action != Replace {
		t.Fatalf("%v, %v", p, err)
	}
	if err := p.Apply(); err != nil {
		t.Fatal(err)
	}
	if g, err := s.Find("a", h200, "h", ""); err != nil || !g.Same(digest(t, sketch(1))) {
		t.Errorf("%v, %v", g, err)
	}
}
