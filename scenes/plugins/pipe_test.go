//go:build unix

package plugins

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// A pipe that nobody writes is refused, wherever a plugin names it, and not waited for.
func TestLoadRefusesPipes(t *testing.T) {
	dir := fileSet(t)
	for _, name := range []string{"pipe.json", "pipe.wgsl", "pipe.png", "pipe.gif"} {
		if err := syscall.Mkfifo(filepath.Join(dir, name), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for name, text := range map[string]string{
		"texture.json": `{"wgsl": "glow.wgsl", "textures": [{"name": "grain", "file": "pipe.png"}]}`,
		"video.json":   `{"wgsl": "both.wgsl", "videos": [{"name": "a", "file": "pipe.gif"}]}`,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"pipe.json", "pipe.wgsl", "texture.json", "video.json"} {
		if _, err := Load(filepath.Join(dir, name)); err == nil || !strings.Contains(err.Error(), "pipe.") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
