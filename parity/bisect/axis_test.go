package bisect

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
)

// A program whose picture depends on its environment and its build tags.
const environmental = `package main

import (
	"image"
	"image/png"
	"os"
)

func main() {
	img := image.NewNRGBA(image.Rect(0, 0, 16, 16))
	v := uint8(100)
	if os.Getenv("F5") == "1" {
		v = 140
	}
	if os.Getenv("F2") == "1" && os.Getenv("F9") == "1" {
		v = 30
	}
	if os.Getenv("CRASH") == "1" {
		panic("crash")
	}
	for i := range img.Pix {
		img.Pix[i] = v + tagged
	}
	f, _ := os.Create(os.Args[1])
	png.Encode(f, img)
	f.Close()
}
`

func TestAxis(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod": "module x\n\ngo 1.26\n", "main.go": environmental,
		"a.go": "//go:build !odd\n\npackage main\n\nconst tagged = 0\n", "b.go": "//go:build odd\n\npackage main\n\nconst tagged = 50\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	env := func(names ...string) (out []Factor) {
		for _, n := range names {
			out = append(out, Factor{Name: n, Env: []string{n + "=1"}})
		}
		return out
	}
	cases := []struct {
		name    string
		factors []Factor
		each    bool
		want    []string
		renders int
	}{
		{"one of eight", env("F1", "F3", "F4", "F5", "F6", "F7", "F8", "F10"), false, []string{"F5"}, 8},
		{"two together", env("F1", "F2", "F3", "F4", "F6", "F7", "F9", "F8"), false, []string{"F2", "F9"}, 20},
		{"each", env("F1", "F5", "CRASH"), true, []string{"F5"}, 4},
		{"flag", []Factor{{Name: "even", Flags: []string{"-tags=even"}}, {Name: "odd", Flags: []string{"-tags=odd"}}}, false, []string{"odd"}, 4},
	}
	for _, c := range cases {
		work := filepath.Join(t.TempDir(), "work")
		r, err := Axis(context.Background(), AxisOptions{Axis: "driver-env", Scene: "any", Factors: c.factors, Each: c.each, Dir: dir, Work: work, Builder: GoBuilder{Package: "."}, Runner: CommandRunner{Args: []string{"{out}"}}})
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if !slices.Equal(r.Culprits, c.want) || r.Renders > c.renders {
			t.Errorf("%s: %v with %d renders, want %v with at most %d", c.name, r.Culprits, r.Renders, c.want, c.renders)
		}
		if err := WriteAxisFilm(filepath.Join(work, "film.html"), r, FilmOptions{}); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

// git's own search with our verdicts, which skips what does not compile.
func TestOracleServesGitBisectRun(t *testing.T) {
	repo := greys(t, append(line(20, 13), "140")...)
	golden := filepath.Join(t.TempDir(), "g.png")
	p := plain{}
	bin := filepath.Join(t.TempDir(), "bin")
	if err := p.Build(context.Background(), repo, bin); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(bin, []byte("100"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := p.Render(context.Background(), bin, repo, "any", golden); err != nil {
		t.Fatal(err)
	}
	ask := func(dir string) (int, string) {
		return Oracle(context.Background(), OracleOptions{Dir: dir, Scene: "any", Golden: golden, Builder: p, Runner: p})
	}
	command(t, repo, "git", "bisect", "start", "main", "c0")
	for range 10 {
		code, why := ask(repo)
		word := map[int]string{OracleGood: "good", OracleBad: "bad", OracleSkip: "skip"}[code]
		if word == "" {
			t.Fatalf("code %d: %s", code, why)
		}
		cmd := exec.Command("git", "-C", repo, "bisect", word)
		cmd.Env = environ()
		if out, _ := cmd.CombinedOutput(); len(out) > 0 && slices.Contains([]string{command(t, repo, "git", "rev-parse", "c13") + " is the first bad commit"}, firstLine(out)) {
			return
		}
	}
	t.Error("git did not find the commit")
}

func firstLine(b []byte) string { return oneLine(string(b)) }

func TestOracleCodes(t *testing.T) {
	for _, c := range []struct {
		grey string
		want int
	}{{"100", OracleGood}, {"140", OracleBad}, {"broken", OracleSkip}, {"crash", OracleSkip}} {
		dir := t.TempDir()
		golden := filepath.Join(t.TempDir(), "g.png")
		bin := filepath.Join(t.TempDir(), "b")
		if err := os.WriteFile(bin, []byte("100"), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := (plain{}).Render(context.Background(), bin, "", "", golden); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "grey"), []byte(c.grey), 0o644); err != nil {
			t.Fatal(err)
		}
		o := OracleOptions{Dir: dir, Scene: "any", Golden: golden, Builder: plain{}, Runner: plain{}}
		if code, why := Oracle(context.Background(), o); code != c.want {
			t.Errorf("%s: code %d (%s), want %d", c.grey, code, why, c.want)
		}
		o.Golden = fmt.Sprint(golden, "x")
		if code, _ := Oracle(context.Background(), o); code != OracleAbort {
			t.Errorf("a golden that is not there: code %d, want %d", code, OracleAbort)
		}
	}
}
