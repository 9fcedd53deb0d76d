package minimise

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"darkroom/renderer"
	"darkroom/scenes/catalogue"
)

// The sources of the catalogue's scenes compile and draw what the scenes do, to
// the byte. What a source leaves out is code, and it says so.
func TestSourcesDrawAlike(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles the sources of many scenes")
	}
	r, err := renderer.Open(renderer.Options{Adapter: os.Getenv("DARKROOM_ADAPTER")})
	if err != nil {
		t.Fatal(err) // no adapter is a failure, never a skip
	}
	defer r.Close()
	// These have no form as data.
	left := map[string]string{"own-video-": "a video", "own-plugin-gltf": "Values (a func)"}
	const width, height, most = 128, 72, 250_000 // bytes of source; compiling more takes long
	dir, err := os.MkdirTemp(".", "testdata-source-")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	want := map[string]string{}
	var calls strings.Builder
	bytes := 0
	for _, e := range catalogue.All() {
		s, err := e.Build(assets(t))
		if errors.Is(err, catalogue.ErrNoAsset) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		if err := Freeze(s, e.Time, width, height); err != nil {
			t.Fatal(err)
		}
		name := fmt.Sprintf("f%d", len(want))
		src, lost, err := Source(s, SourceOptions{Package: "main", Function: name, Width: width, Height: height, Time: e.Time})
		if err != nil {
			t.Fatal(err)
		}
		known := ""
		for prefix, what := range left {
			if strings.HasPrefix(e.Name, prefix) {
				known = what
			}
		}
		all := strings.Join(lost, ", ")
		if !strings.Contains(all, known) {
			t.Errorf("%s: left out %q, want %q", e.Name, all, known)
		}
		if strings.Contains(all, "(private)") || len(lost) > 0 && !strings.Contains(string(src), "// Left out: "+lost[0]) {
			t.Errorf("%s: left out %q, which is data, or the source does not say so", e.Name, all)
		}
		if len(lost) > 0 || len(src) > most {
			continue
		}
		bytes += len(src)
		// As it is drawn without being frozen.
		fresh, err := e.Build(assets(t))
		if err != nil {
			t.Fatal(err)
		}
		set := renderer.Settings{Width: width, Height: height, Samples: 1, Time: e.Time}
		f, err := r.Render(context.Background(), fresh, set)
		if err != nil {
			t.Fatal(err)
		}
		sum := sha256.Sum256(f.Pix)
		want[e.Name] = hex.EncodeToString(sum[:])
		fmt.Fprintf(&calls, "draw(%q, %s, %g)\n", e.Name, name, e.Time)
		if err := os.WriteFile(filepath.Join(dir, name+".go"), src, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	main := `package main

import (
	"context"
	"crypto/sha256"
	"fmt"
	"os"

	"darkroom/renderer"
	"darkroom/scenes"
)

func main() {
	r, err := renderer.Open(renderer.Options{Adapter: os.Getenv("DARKROOM_ADAPTER")})
	if err != nil {
		panic(err)
	}
	draw := func(name string, build func() (*scenes.Scene, error), t float64) {
		s, err := build()
		if err != nil {
			fmt.Println(name, err)
			return
		}
		f, err := r.Render(context.Background(), s, renderer.Settings{Width: 128, Height: 72, Samples: 1, Time: t})
		if err != nil {
			fmt.Println(name, err)
			return
		}
		fmt.Printf("%s %x\n", name, sha256.Sum256(f.Pix))
	}
` + calls.String() + "}\n"
	if err := os.WriteFile(filepath.Join(dir, "main.go"), []byte(main), 0o644); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("go", "run", "./"+dir).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	alike := 0
	for l := range strings.Lines(string(out)) {
		name, got, _ := strings.Cut(strings.TrimSpace(l), " ")
		if want[name] == got {
			alike++
			delete(want, name)
		} else {
			t.Errorf("%s: the source draws %s, want %s", name, got, want[name])
			delete(want, name)
		}
	}
	for name := range want {
		t.Errorf("%s was not drawn", name)
	}
	t.Logf("%d sources with %d bytes draw alike", alike, bytes)
	if alike < 60 {
		t.Errorf("only %d scenes were compared", alike)
	}
}

// assets are the folders with third-party files.
func assets(t *testing.T) catalogue.Assets {
	t.Helper()
	if list := os.Getenv("DARKROOM_ASSETS"); list != "" {
		return strings.Split(list, ":")
	}
	for dir, n := "..", 0; n < 6; dir, n = filepath.Join(dir, ".."), n+1 {
		shared := filepath.Join(dir, "shared")
		if _, err := os.Stat(shared); err == nil {
			return catalogue.Assets{filepath.Join(shared, "babylon", "assets"), filepath.Join(shared, "assets")}
		}
	}
	if os.Getenv("CI") != "" {
		t.Fatal("third-party files are not there; set DARKROOM_ASSETS to their folders")
	}
	return nil
}
