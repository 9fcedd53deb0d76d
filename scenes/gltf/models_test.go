package gltf

import (
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"testing"
)

// shared finds a folder of third-party files: in DARKROOM_ASSETS, or in the
// folder "shared" beside the checkout. Without it the test is skipped, on a CI
// machine it fails.
func shared(t testing.TB, name string) string {
	t.Helper()
	var tried []string
	look := func(dir string) string {
		p := filepath.Join(dir, filepath.FromSlash(name))
		if st, err := os.Stat(p); err == nil && st.IsDir() {
			return p
		}
		tried = append(tried, p)
		return ""
	}
	for _, dir := range filepath.SplitList(os.Getenv("DARKROOM_ASSETS")) {
		if p := look(dir); p != "" {
			return p
		}
	}
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if p := look(filepath.Join(dir, "shared", "assets")); p != "" {
			return p
		}
		up := filepath.Dir(dir)
		if up == dir {
			break
		}
		dir = up
	}
	text := "no folder " + name + " in DARKROOM_ASSETS or in a folder shared/assets above this package"
	if os.Getenv("CI") != "" {
		t.Fatal(text)
	}
	t.Skip(text)
	return ""
}

// files lists the glTF files below a folder.
func files(t testing.TB, dir string) []string {
	t.Helper()
	var out []string
	err := filepath.WalkDir(dir, func(p string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() && (strings.HasSuffix(p, ".gltf") || strings.HasSuffix(p, ".glb")) {
			out = append(out, p)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	sort.Strings(out)
	return out
}

func TestModels(t *testing.T) {
	dir := shared(t, "models")
	list := files(t, dir)
	loaded := 0
	for _, p := range list {
		name, _ := filepath.Rel(dir, p)
		a, err := Load(p, Options{})
		if err != nil {
			t.Logf("%s: %v", name, err)
			continue
		}
		loaded++
		for _, w := range a.Warnings {
			t.Logf("%s: warning: %s", name, w)
		}
	}
	t.Logf("%d of %d files load", loaded, len(list))
}
