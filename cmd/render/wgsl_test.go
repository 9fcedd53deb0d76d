package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// render wgsl prints the shaders of one mesh with the origin of each run of
// lines in the margin, and refuses names that are not there.
func TestWgsl(t *testing.T) {
	const scene, mesh = "own-pbr-layers", "upper 2"
	code, out, errs := program(t, t.TempDir(), "wgsl", scene, "--mesh", mesh)
	if code != 0 {
		t.Fatalf("exit %d: %s", code, errs)
	}
	line := regexp.MustCompile(`^([^ ].* [A-Za-z0-9_]+:[0-9]+)? +[0-9]+ \|`)
	stages := 0
	for l := range strings.Lines(out) {
		switch {
		case strings.HasPrefix(l, "// pass "):
			if !strings.Contains(l, mesh) {
				t.Errorf("a shader of other nodes: %s", l)
			}
		case l == "// vertex stage\n" || l == "// fragment stage\n":
			stages++
		case !line.MatchString(l):
			t.Errorf("a line without number and margin: %q", l)
		}
	}
	if stages < 2 || stages%2 != 0 {
		t.Errorf("%d stages", stages)
	}
	for _, origin := range []string{"pbr SU:1 ", "pbr-clearcoat MU:", "vertex-uv FI:", "pbr-split-sum FB:", "pbr-sheen HF:"} {
		if !strings.Contains(out, "\n"+origin) {
			t.Errorf("no line comes from %q", origin)
		}
	}

	for _, c := range []struct{ args, want string }{
		{scene + " --mesh nowhere", `no node "nowhere"`},
		{"own-pbr-layer5", "own-pbr-layers"},
	} {
		code, _, errs := program(t, t.TempDir(), append([]string{"wgsl"}, strings.Fields(c.args)...)...)
		if code != 2 || !strings.Contains(errs, c.want) || strings.Count(strings.TrimSpace(errs), "\n") > 0 {
			t.Errorf("wgsl %s: exit %d, %q", c.args, code, errs)
		}
	}
}

// render wgsl --raw writes each shader under the scene's name and its key, once.
func TestWgslRaw(t *testing.T) {
	dir := t.TempDir()
	if code, _, errs := program(t, dir, "wgsl", "own-pbr-layers", "--raw", "out"); code != 0 {
		t.Fatalf("exit %d: %s", code, errs)
	}
	files, err := filepath.Glob(filepath.Join(dir, "out", "*.wgsl"))
	if err != nil || len(files) < 2 || len(files)%2 != 0 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	name := regexp.MustCompile(`^own-pbr-layers-[0-9a-f]{12}\.(vert|frag)\.wgsl$`)
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil || !name.MatchString(filepath.Base(f)) || !strings.Contains(string(text), "\nfn ") {
			t.Errorf("%s: %v", f, err)
		}
	}
}
