package bisect

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// An own module of scenes stays as it is while the library that it is built
// with is bisected; neither its go.mod nor the library's tree is written to.
func TestReplaceBisectsTheLibrary(t *testing.T) {
	var in strings.Builder
	for i := range 8 {
		src := fmt.Sprintf("package lib\n\nconst Grey = %d\n\n// Change %d.\n", map[bool]int{false: 100, true: 140}[i >= 5], i)
		fmt.Fprintf(&in, "commit refs/heads/main\ncommitter A <a@a> %d +0000\ndata 1\nx\n", 1700000000+i)
		for _, f := range [][2]string{{"go.mod", "module lib.test/lib\n\ngo 1.26\n"}, {"lib.go", src}} {
			fmt.Fprintf(&in, "M 100644 inline %s\ndata %d\n%s\n", f[0], len(f[1]), f[1])
		}
		fmt.Fprintf(&in, "\nreset refs/tags/c%d\nfrom refs/heads/main\n\n", i)
	}
	lib := fastImport(t, []byte(in.String()))
	module := t.TempDir()
	mod := "module scenes.test/own\n\ngo 1.26\n\nrequire lib.test/lib v0.0.0\n\nreplace lib.test/lib => ./nowhere\n"
	main := "package main\n\nimport (\n\"image\"\n\"image/png\"\n\"os\"\n\n\"lib.test/lib\"\n)\n\nfunc main() {\nimg := image.NewNRGBA(image.Rect(0, 0, 16, 16))\nfor i := range img.Pix {\nimg.Pix[i] = lib.Grey\n}\nf, err := os.Create(os.Args[1])\nif err != nil {\npanic(err)\n}\ndefer f.Close()\npng.Encode(f, img)\n}\n"
	for name, text := range map[string]string{"go.mod": mod, "main.go": main} {
		if err := os.WriteFile(filepath.Join(module, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	before := snapshot(t, lib)
	r, err := Run(context.Background(), Options{
		Repo: lib, Scene: "any", Good: []string{"c0"}, Cache: t.TempDir(),
		Builder: GoBuilder{Package: ".", Module: module, Replace: map[string]string{"lib.test/lib": ""}}, Runner: CommandRunner{Args: []string{"{out}"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	if want := command(t, lib, "git", "rev-parse", "c5"); r.First != want {
		t.Errorf("found %q among %v, want %s", r.First, r.Suspects, want)
	}
	if b, _ := os.ReadFile(filepath.Join(module, "go.mod")); string(b) != mod {
		t.Errorf("go.mod was changed:\n%s", b)
	}
	if _, err := os.Stat(filepath.Join(module, "go.sum")); err == nil {
		t.Error("a go.sum was written")
	}
	if got := snapshot(t, lib); got != before {
		t.Errorf("the library's tree changed:\n%s", got)
	}
}

// The other way round the library stays as it is, with what is not committed in
// it, while the module of scenes is bisected.
func TestReplaceBisectsTheScenes(t *testing.T) {
	lib := t.TempDir()
	for name, text := range map[string]string{"go.mod": "module lib.test/lib\n\ngo 1.26\n", "lib.go": "package lib\n\n// Grey is not committed anywhere.\nconst Grey = 100\n"} {
		if err := os.WriteFile(filepath.Join(lib, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	var in strings.Builder
	for i := range 8 {
		main := fmt.Sprintf("package main\n\nimport (\n\"image\"\n\"image/png\"\n\"os\"\n\n\"lib.test/lib\"\n)\n\nfunc main() {\nimg := image.NewNRGBA(image.Rect(0, 0, 16, 16))\nfor i := range img.Pix {\nimg.Pix[i] = lib.Grey + %d\n}\nf, err := os.Create(os.Args[1])\nif err != nil {\npanic(err)\n}\ndefer f.Close()\npng.Encode(f, img)\n}\n", i/3*20)
		fmt.Fprintf(&in, "commit refs/heads/main\ncommitter A <a@a> %d +0000\ndata 1\nx\n", 1700000000+i)
		for _, f := range [][2]string{{"go.mod", "module scenes.test/own\n\ngo 1.26\n\nrequire lib.test/lib v0.0.0\n\nreplace lib.test/lib => ./nowhere\n"}, {"main.go", main}, {"n", fmt.Sprint(i)}} {
			fmt.Fprintf(&in, "M 100644 inline %s\ndata %d\n%s\n", f[0], len(f[1]), f[1])
		}
		fmt.Fprintf(&in, "\nreset refs/tags/c%d\nfrom refs/heads/main\n\n", i)
	}
	repo := fastImport(t, []byte(in.String()))
	o := Options{
		Repo: repo, Scene: "any", Good: []string{"c0"}, Bad: "c5", Cache: t.TempDir(),
		Builder: GoBuilder{Package: ".", Replace: map[string]string{"lib.test/lib": lib}}, Runner: CommandRunner{Args: []string{"{out}"}},
	}
	r, err := Run(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	if want := command(t, repo, "git", "rev-parse", "c3"); r.First != want {
		t.Errorf("found %q among %v, want %s", r.First, r.Suspects, want)
	}
	// Another state of the library is another search.
	key := o.Builder.Key()
	if err := os.WriteFile(filepath.Join(lib, "more.go"), []byte("package lib\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if o.Builder.Key() == key {
		t.Error("a change of the library left the key of the builds as it was")
	}
}
