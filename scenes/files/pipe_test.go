//go:build unix

package files

import (
	"errors"
	"path/filepath"
	"syscall"
	"testing"
)

// A pipe without a writer must not be waited for.
func TestReadPipe(t *testing.T) {
	p := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(p, 0o644); err != nil {
		t.Skip(err)
	}
	if _, err := Read(p, 10); !errors.Is(err, ErrKind) {
		t.Errorf("got %v", err)
	}
}
