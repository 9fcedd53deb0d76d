// Package promises checks the tables of a package's documentation that say which
// promise of a design is kept under which name, and what shows it.
package promises

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Check reads the table in doc.go of the folder that the test runs in. Every row
// (//\tpromise | our name | tests and scenes) must have its cells, and every
// test and scene that it names must be there: a test function in one of the
// folders, or a scene with a golden. It takes at least so many rows.
func Check(t *testing.T, rows int, folders ...string) {
	t.Helper()
	text, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	var sources strings.Builder
	for _, dir := range folders {
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
	n := 0
	for line := range strings.SplitSeq(string(text), "\n") {
		if !strings.HasPrefix(line, "//\t") || !strings.Contains(line, " | ") {
			continue
		}
		n++
		cells := strings.Split(strings.TrimPrefix(line, "//\t"), " | ")
		if len(cells) != 3 || strings.TrimSpace(cells[0]) == "" || strings.TrimSpace(cells[1]) == "" || strings.TrimSpace(cells[2]) == "" {
			t.Errorf("%s: want a promise, our name and tests", line)
			continue
		}
		for name := range strings.SplitSeq(cells[2], ", ") {
			name = strings.TrimSpace(name)
			found := strings.Contains(sources.String(), "\nfunc "+name+"(")
			if !strings.HasPrefix(name, "Test") {
				_, err := os.Stat(filepath.Join("../../goldens", name, "llvmpipe.png"))
				found = err == nil
			}
			if !found {
				t.Errorf("%s: there is no test or scene %q", line, name)
			}
		}
	}
	if n < rows {
		t.Errorf("the table has %d rows, want at least %d", n, rows)
	}
}
