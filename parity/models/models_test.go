package models

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"darkroom/goldens"
	"darkroom/goldens/png"
	"darkroom/parity/verdict"
	"darkroom/scenes/catalogue"
	"darkroom/scenes/gltf/sample"
)

// The test program stands in for the oracle where this is set: it draws every
// document but those called bad, and notes in the file what it drew.
const fakeOracle = "DARKROOM_TEST_ORACLE"

func TestMain(m *testing.M) {
	if log := os.Getenv(fakeOracle); log != "" {
		if err := oracle(log, os.Args[2:]); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(2)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func oracle(log string, args []string) error {
	var out string
	results := []map[string]any{}
	f, err := os.OpenFile(log, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	defer f.Close()
	for i := 0; i < len(args); i++ {
		switch {
		case args[i] == "--out":
			i++
			out = args[i]
		case strings.HasPrefix(args[i], "--"):
			i++
		default:
			name := filepath.Base(args[i])
			fmt.Fprintln(f, name)
			if strings.HasPrefix(name, "bad") {
				results = append(results, map[string]any{"scene": name, "error": "it says no"})
				continue
			}
			p := image.NewNRGBA(image.Rect(0, 0, 8, 8))
			p.SetNRGBA(3, 3, color.NRGBA{255, 0, 0, 255})
			file := filepath.Join(out, name+".png")
			if err := os.MkdirAll(out, 0o755); err != nil {
				return err
			}
			if err := png.Write(file, p, png.Options{}); err != nil {
				return err
			}
			results = append(results, map[string]any{"scene": name, "file": file, "ms": 5})
		}
	}
	return json.NewEncoder(os.Stdout).Encode(map[string]any{"babylonjs": "1.2.3", "results": results})
}

func write(t *testing.T, path string, data []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestFindNamesFilesByTheirPath(t *testing.T) {
	dir := t.TempDir()
	for _, p := range []string{"b/x.glb", "a.gltf", "b/c/x.GLB", "b/x.png"} {
		write(t, filepath.Join(dir, p), nil)
	}
	list, err := Find([]string{dir})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := names(list), []string{"a.gltf", "b--c--x.GLB", "b--x.glb"}; !slices.Equal(got, want) {
		t.Errorf("found %q, want %q", got, want)
	}
	odd := t.TempDir()
	for _, p := range []string{"a b.glb", "a_b.glb", strings.Repeat("long/", 40) + "x.glb", strings.Repeat("lang/", 40) + "x.glb"} {
		write(t, filepath.Join(odd, p), nil)
	}
	list, err = Find([]string{odd})
	if err != nil || len(list) != 4 {
		t.Fatalf("found %q, %v; want 4 files", names(list), err)
	}
	for _, e := range list {
		if err := goldens.CheckName(e.Name); err != nil {
			t.Error(err)
		}
	}
	for _, paths := range [][]string{{filepath.Join(dir, "b", "x.glb"), filepath.Join(dir, "b", "x.glb")}, {t.TempDir()}, {filepath.Join(dir, "none")}} {
		if _, err := Find(paths); err == nil {
			t.Errorf("%q: no error", paths)
		}
	}
}

func names(list catalogue.Catalogue) []string {
	var out []string
	for _, e := range list {
		out = append(out, e.Name)
	}
	return out
}

// Babylon.js draws a file once: again only when the file, what lies beside it
// or the page has changed.
func TestReferencesAreKept(t *testing.T) {
	dir := t.TempDir()
	log := filepath.Join(dir, "log")
	t.Setenv(fakeOracle, log)
	column, err := sample.Column()
	if err != nil {
		t.Fatal(err)
	}
	models := filepath.Join(dir, "models")
	for _, p := range []string{"one/a.glb", "two/b.glb", "bad.glb"} {
		write(t, filepath.Join(models, p), column)
	}
	write(t, filepath.Join(models, "broken.glb"), []byte("glTF"))
	script := filepath.Join(dir, "oracle", "oracle.mjs")
	write(t, script, []byte("1"))
	st := Stage{Width: 8, Height: 8}
	list, err := Catalogue([]string{models}, st)
	if err != nil {
		t.Fatal(err)
	}
	refs := &References{Root: filepath.Join(dir, "pictures"), Script: script, Node: os.Args[0], Batch: 2}
	draw := func() (map[string]*Reference, []string) {
		t.Helper()
		os.Remove(log)
		known, err := refs.Draw(context.Background(), list, st)
		if err != nil {
			t.Fatal(err)
		}
		b, _ := os.ReadFile(log)
		drawn := strings.Fields(string(b))
		slices.Sort(drawn)
		return known, drawn
	}
	known, drawn := draw()
	if want := []string{"bad.glb", "one--a.glb", "two--b.glb"}; !slices.Equal(drawn, want) {
		t.Fatalf("drawn are %q, want %q", drawn, want)
	}
	if k := known["one--a.glb"]; k.Error != "" || k.As != "model" || k.BabylonJS != "1.2.3" {
		t.Errorf("a.glb: %+v", k)
	}
	if k := known["bad.glb"]; k.Error != "it says no" {
		t.Errorf("bad.glb: %+v", k)
	}
	if k := known["broken.glb"]; k != nil {
		t.Errorf("broken.glb, which this project cannot read: %+v", k)
	}
	if _, drawn := draw(); len(drawn) > 0 {
		t.Errorf("drawn again: %q", drawn)
	}
	late := time.Now().Add(time.Hour)
	write(t, filepath.Join(models, "two", "beside.bin"), []byte("x"))
	if err := os.Chtimes(filepath.Join(models, "two", "beside.bin"), late, late); err != nil {
		t.Fatal(err)
	}
	// bad.glb lies above both folders, so what is beside it has changed, too.
	if _, drawn := draw(); !slices.Equal(drawn, []string{"bad.glb", "two--b.glb"}) {
		t.Errorf("after a change beside b.glb: drawn are %q", drawn)
	}
	write(t, filepath.Join(dir, "oracle", "page", "main.mjs"), []byte("2"))
	if _, drawn := draw(); len(drawn) != 3 {
		t.Errorf("after a change of the page: drawn are %q", drawn)
	}
	if err := os.Remove(filepath.Join(refs.Root, "one--a.glb.png")); err != nil {
		t.Fatal(err)
	}
	if _, drawn := draw(); !slices.Equal(drawn, []string{"one--a.glb"}) {
		t.Errorf("after a picture was removed: drawn are %q", drawn)
	}
}

func number(x float64) *float64 { return &x }

func TestSummary(t *testing.T) {
	run := &verdict.Run{Results: []verdict.Result{
		{Scene: "same", Verdict: verdict.Pass, MAD: number(0), Digest: "1"},
		{Scene: "clear", Verdict: verdict.Pass, MAD: number(0), AlphaMax: number(3), Digest: "1"},
		{Scene: "near", Verdict: verdict.Pass, MAD: number(0.5), Digest: "1"},
		{Scene: "far", Verdict: verdict.Mismatch, MAD: number(2), MaxDiff: number(9), Digest: "1"},
		{Scene: "farthest", Verdict: verdict.Mismatch, MAD: number(30), Digest: "1"},
		{Scene: "mine", Verdict: verdict.MissingGolden, Digest: "1"},
		{Scene: "theirs", Verdict: verdict.Crash, Reason: "it died"},
		{Scene: "nobody", Verdict: verdict.RenderError, Reason: "no such extension"},
		{Scene: "sizes", Verdict: verdict.Size, Reason: "8x8 against 9x9", Digest: "1"},
		{Scene: "later", Verdict: verdict.NotRun},
	}}
	drawn := &Reference{}
	refs := map[string]*Reference{"same": drawn, "near": drawn, "clear": drawn, "far": drawn, "farthest": drawn, "theirs": drawn, "sizes": drawn, "mine": {Error: "no"}, "nobody": nil}
	notes := map[string]Note{"far": {Cause: "a cause"}, "nobody": {Cause: "both say so"}, "same": {Marks: "9 of 9"}}
	rows := Rows(run, refs, notes)
	s := Summarise(rows)
	if s.Files != 10 || s.Compared != 5 || s.Near != 2 || s.Far != 3 || s.OnlyHere != 1 || s.OnlyThere != 1 || s.Neither != 1 || s.Unlike != 1 || s.NotRun != 1 {
		t.Errorf("got %+v", s)
	}
	if want := []string{"clear", "farthest", "mine", "theirs", "sizes", "later"}; !slices.Equal(s.Unexplained, want) {
		t.Errorf("unexplained are %q, want %q", s.Unexplained, want)
	}
	// Of seven that Babylon.js draws; the one that died here counts against us.
	if got, want := s.Share(), 2.0/7; got != want {
		t.Errorf("the share is %v, want %v", got, want)
	}
	var b bytes.Buffer
	if err := Markdown(&b, rows); err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{"| far | 2.0000 | 9 | 0 | a cause |", "| same | 0.0000 | 0 | 0 | pass marks: 9 of 9 |", "| theirs | only there |  |  | here: it died |", "| mine | only here |  |  | Babylon.js: no |"} {
		if !strings.Contains(b.String(), line+"\n") {
			t.Errorf("no line %q in\n%s", line, &b)
		}
	}
}

func TestNotes(t *testing.T) {
	path := filepath.Join(t.TempDir(), "notes")
	write(t, path, []byte("# a comment\n\na.glb\tcause\twhy\na.glb\tmarks\t3 of 3\n"))
	notes, err := ReadNotes(path)
	if err != nil || notes["a.glb"] != (Note{"why", "3 of 3"}) {
		t.Errorf("got %v, %v", notes, err)
	}
	write(t, path, []byte("a.glb\tcause\twhy\nb.glb\treason\twhy\n"))
	if _, err := ReadNotes(path); err == nil || !strings.Contains(err.Error(), "line 2") {
		t.Errorf("got %v, want an error that names line 2", err)
	}
}
