package shader

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Every row of the documentation's table has its three cells, and every test and
// scene that it names is there: a test function, or a scene with a golden.
func TestTableOfPromises(t *testing.T) {
	text, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	var sources strings.Builder
	for _, dir := range []string{".", "../../renderer", "../../scenes/gltf", "../../scenes/video", "../../composer", "../../cmd/render"} {
		files, err := filepath.Glob(filepath.Join(dir, "*_test.go"))
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: no tests, %v", dir, err)
		}
		for _, f := range files {
			b, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			sources.Write(b)
		}
	}
	rows := 0
	for line := range strings.SplitSeq(string(text), "\n") {
		if !strings.HasPrefix(line, "//\t") || !strings.Contains(line, " | ") {
			continue
		}
		rows++
		cells := strings.Split(strings.TrimPrefix(line, "//\t"), " | ")
		if len(cells) != 3 || strings.TrimSpace(cells[0]) == "" || strings.TrimSpace(cells[1]) == "" {
			t.Errorf("%s: want a promise, our name and tests", line)
			continue
		}
		for name := range strings.SplitSeq(cells[2], ", ") {
			name = strings.TrimSpace(name)
			found := strings.Contains(sources.String(), "\nfunc "+name+"(")
			if !strings.HasPrefix(name, "Test") && name != "" {
				_, err := os.Stat(filepath.Join("../../goldens", name, "llvmpipe.png"))
				found = err == nil
			}
			if !found {
				t.Errorf("%s: there is no test or scene %q", line, name)
			}
		}
	}
	if rows < 40 {
		t.Errorf("the table has %d rows", rows)
	}
}
