// Package files reads and writes files that were named by somebody: what they name may be a folder, a pipe that nobody writes, a device without an
// end or a file without a bound, and each is one error that says so.
package files

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// ErrKind is returned for what is not a regular file.
var ErrKind = errors.New("not a regular file")

// ErrSize is returned for a file over the limit.
var ErrSize = errors.New("file is too large")

// Open opens a regular file. It looks before it opens, since opening a pipe
// waits for a writer that may never come.
func Open(path string) (*os.File, error) {
	st, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if err := Regular(path, st); err != nil {
		return nil, err
	}
	return os.Open(path)
}

// Regular says what path is where it is not a regular file.
func Regular(path string, st fs.FileInfo) error {
	m := st.Mode()
	kind := "a special file"
	switch {
	case m.IsRegular():
		return nil
	case m.IsDir():
		kind = "a folder"
	case m&fs.ModeNamedPipe != 0:
		kind = "a pipe"
	case m&fs.ModeSocket != 0:
		kind = "a socket"
	case m&fs.ModeDevice != 0:
		kind = "a device"
	}
	return fmt.Errorf("%s is %s: %w", path, kind, ErrKind)
}

// Read reads a regular file of at most limit bytes.
func Read(path string, limit int64) ([]byte, error) {
	f, err := Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err != nil {
		return nil, err
	}
	if int64(len(b)) > limit {
		return nil, fmt.Errorf("%s has more than %d bytes: %w", path, limit, ErrSize)
	}
	return b, nil
}

// Folder makes the folder dir where it is missing and proves, by a file that is
// removed again, that it can be written to; flag is the option to choose another with.
func Folder(dir, flag string) error {
	if dir == "" {
		return fmt.Errorf("the folder has no name; give one with %s", flag)
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return fmt.Errorf("the folder %s cannot be made: %w; choose another with %s", dir, cause(err), flag)
	}
	f, err := os.CreateTemp(dir, ".darkroom-*")
	if err != nil {
		return fmt.Errorf("the folder %s cannot be written to: %w; choose another with %s", dir, cause(err), flag)
	}
	f.Close()
	return os.Remove(f.Name())
}

// Target proves ahead of the work that the file path can be written.
func Target(path, flag string) error {
	st, err := os.Stat(path)
	if err == nil {
		if err := Regular(path, st); err != nil {
			return fmt.Errorf("%w; choose another with %s", err, flag)
		}
	}
	return Folder(filepath.Dir(path), flag)
}

// cause is an error of the file system without the path, which the caller names.
func cause(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}
