package plugin

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Every test that the documentation's table names exists.
func TestTableOfPromises(t *testing.T) {
	text, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	var sources strings.Builder
	for _, d := range []string{".", "../../renderer", "../../scenes/catalogue", "../../scenes/plugins"} {
		files, _ := filepath.Glob(filepath.Join(d, "*.go"))
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
		cells := strings.Split(line, " | ")
		if !strings.HasPrefix(line, "//\t") || len(cells) != 3 {
			continue
		}
		rows++
		for test := range strings.SplitSeq(cells[2], ", ") {
			if test = strings.TrimSpace(test); !strings.Contains(sources.String(), "func "+test+"(") && !strings.Contains(sources.String(), `"`+test+`"`) {
				t.Errorf("%s: there is no test or scene %q", line, test)
			}
		}
	}
	if rows < 20 {
		t.Errorf("the table has %d rows", rows)
	}
}
