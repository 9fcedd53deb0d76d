package command

import (
	"bytes"
	"errors"
	"image"
	"image/color"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"darkroom/goldens/png"
	"darkroom/scenes/catalogue"
)

// TestMain is the program itself where a test calls it.
func TestMain(m *testing.M) {
	if os.Getenv("DARKROOM_TEST_PROGRAM") != "" {
		Main("parity", catalogue.All())
		return
	}
	os.Exit(m.Run())
}

// program runs the command line and returns its exit code and what it said.
func program(t *testing.T, stdout *os.File, args ...string) (int, string) {
	t.Helper()
	c := exec.Command(os.Args[0], args...)
	c.Env = append(os.Environ(), "DARKROOM_TEST_PROGRAM=1")
	var said bytes.Buffer
	c.Stderr = &said
	if stdout != nil {
		c.Stdout = stdout
	}
	err := c.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return c.ProcessState.ExitCode(), said.String()
}

func picture(t *testing.T, path string, w int, c color.NRGBA) {
	t.Helper()
	m := image.NewNRGBA(image.Rect(0, 0, w, 32))
	for i := range w * 32 {
		m.SetNRGBA(i%w, i/w, c)
	}
	if err := png.Write(path, m, png.Options{}); err != nil {
		t.Fatal(err)
	}
}

// The exit code is the contract with CI: 1 is kept for a picture that differs,
// everything that could not be judged is 2 with one line that says why.
func TestExitCodes(t *testing.T) {
	dir := t.TempDir()
	at := func(n string) string { return filepath.Join(dir, n) }
	picture(t, at("a.png"), 32, color.NRGBA{200, 0, 0, 255})
	picture(t, at("b.png"), 32, color.NRGBA{0, 200, 0, 255})
	picture(t, at("small.png"), 16, color.NRGBA{200, 0, 0, 255})
	for name, text := range map[string]string{"junk": "junk", "history": "a shopping list\n", "null": "null", "old": `{"schema":99}`} {
		if err := os.WriteFile(at(name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, d := range []string{"empty", "blocked/index.html"} {
		if err := os.MkdirAll(at(d), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		name string
		args []string
		code int
		says string
	}{
		{"the same", []string{"diff", at("a.png"), at("a.png")}, 0, ""},
		{"differs", []string{"diff", at("a.png"), at("b.png")}, 1, ""},
		{"size", []string{"diff", at("a.png"), at("small.png")}, 2, "sizes differ"},
		{"junk", []string{"diff", at("a.png"), at("junk")}, 2, "junk"},
		{"limit", []string{"diff", at("a.png"), at("a.png"), "--limit=nan"}, 2, "--limit"},
		{"out is a folder", []string{"diff", at("a.png"), at("b.png"), "--out", at("empty")}, 2, "--out"},
		{"scene", []string{"run", "scene2-spere"}, 2, "scene2-sphere"},
		{"flag", []string{"run", "--nope"}, 2, "--help"},
		{"shard", []string{"run", "--shard", "5/4"}, 2, "5/4"},
		{"empty shard", []string{"run", "scene2-sphere", "--shard", "2/4", "--report", at("r")}, 2, "has 1 scene;"},
		{"report is a file", []string{"run", "scene2-sphere", "--report", at("junk")}, 2, "--report"},
		{"page is a folder", []string{"run", "scene2-sphere", "--report", at("blocked")}, 2, "index.html is a folder"},
		{"json is a folder", []string{"run", "scene2-sphere", "--report", at("r"), "--json", at("empty")}, 2, "--json"},
		{"history", []string{"run", "scene2-sphere", "--report", at("r"), "--history", at("history")}, 2, "--history"},
		{"goldens", []string{"limits", "--goldens", at("junk")}, 2, "--goldens"},
		{"merge", []string{"merge", at("junk")}, 2, "--json"},
		{"merge null", []string{"merge", at("null")}, 2, "schema"},
		{"merge old", []string{"merge", at("old")}, 2, "schema 99"},
		{"table", []string{"table", at("null"), "-o", at("empty")}, 2, "--out"},
		{"bisect limit", []string{"bisect", "--scene", "scene2-sphere", "--limit=nan"}, 2, "--limit"},
		{"bisect film", []string{"bisect", "--scene", "scene2-sphere", "--film", at("junk") + "/x"}, 2, "--film"},
		{"pattern", []string{"run", "zz*"}, 2, "render list"},
		{"approve from nowhere", []string{"approve", "--from", at("nowhere")}, 2, "--from takes"},
		{"approve from junk", []string{"approve", "--from", at("empty")}, 2, "--from takes"},
		{"limits without runs", []string{"limits", "--write"}, 2, "--from"},
		{"limits without a reason", []string{"limits", "--from", at("junk"), "--write"}, 2, "--reason"},
		{"limits from junk", []string{"limits", "--from", at("junk")}, 2, "--json"},
		{"noise", []string{"run", "--noise", "some"}, 2, "a number from 0 up, or all"},
		{"explain golden", []string{"explain", "--scene", "scene2-sphere", "--b", "golden:/nope.png", "--report", at("x")}, 2, "no file /nope.png;"},
		{"wrong adapter", []string{"run", "scene2-sphere", "--adapter", "no such adapter", "--report", at("w")}, 2, ""},
		{"wrong adapter, fine", []string{"run", "scene2-sphere", "--adapter", "no such adapter", "--report", at("w"), "--fine"}, 21, ""},
		{"approve on a wrong adapter", []string{"approve", "scene2-sphere", "--adapter", "no such adapter"}, 2, "no such adapter"},
		{"merge folder", []string{"merge", at("empty")}, 2, "is a folder"},
	} {
		t.Run(c.name, func(t *testing.T) {
			code, said := program(t, nil, c.args...)
			if code != c.code || !strings.Contains(said, c.says) || strings.Count(strings.TrimSpace(said), "\n") > 0 || strings.Contains(said, "goroutine") {
				t.Errorf("exit %d, want %d; said %q, want %q", code, c.code, said, c.says)
			}
		})
	}
	if b, _ := os.ReadFile(at("history")); string(b) != "a shopping list\n" {
		t.Errorf("somebody's file became %q", b)
	}
	if left, _ := filepath.Glob(at("*/.*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// Output that reached nobody is no success.
func TestClosedOutput(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	r.Close()
	defer w.Close()
	p := filepath.Join(t.TempDir(), "a.png")
	picture(t, p, 32, color.NRGBA{1, 2, 3, 255})
	code, said := program(t, w, "diff", p, p)
	if code != 2 || !strings.Contains(said, "standard output") {
		t.Errorf("exit %d, said %q", code, said)
	}
}
