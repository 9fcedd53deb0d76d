package explain

import (
	"os"
	"path/filepath"
	"testing"
)

// A trace comes from another program and is not to be trusted with paths.
func TestLoadRefuses(t *testing.T) {
	for name, text := range map[string]string{
		"no JSON":      "{",
		"version":      `{"version":9}`,
		"outside":      `{"version":1,"stages":[{"name":"x","file":"../../etc/passwd"}]}`,
		"absolute":     `{"version":1,"stages":[{"name":"x","file":"/etc/passwd"}]}`,
		"other folder": `{"version":1,"stages":[{"name":"x","file":"a/b"}]}`,
	} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "trace.json"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := Load(dir); err == nil {
			t.Errorf("%s: was loaded", name)
		}
	}
	if _, err := Load(t.TempDir()); err == nil {
		t.Error("an empty folder was loaded")
	}
}
