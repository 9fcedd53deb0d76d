package files

import (
	"fmt"
	"os"
	"path/filepath"
)

// Write writes a file. It appears whole or not at all: it is written under a temporary name in the same folder, synced, and renamed. The folder is
// made where it is missing.
func Write(path string, b []byte) error {
	tmp, err := Stage(path, b)
	if err != nil {
		return err
	}
	return Commit(tmp, path)
}

// Stage writes bytes, synced, to a temporary file beside path and returns its name. Commit puts it in place; os.Remove takes it back.
func Stage(path string, b []byte) (tmp string, err error) {
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return "", err
	}
	f, err := os.CreateTemp(dir, "."+filepath.Base(path)+".*.tmp")
	if err != nil {
		return "", err
	}
	defer func() {
		if err != nil {
			f.Close()
			os.Remove(f.Name())
		}
	}()
	if _, err = f.Write(b); err != nil {
		return "", err
	}
	// CreateTemp makes files that only their owner can read; pictures are for everybody the umask allows, and 0644 is what it mostly is.
	if err = f.Chmod(0o644); err != nil {
		return "", err
	}
	if err = f.Sync(); err != nil {
		return "", err
	}
	if err = f.Close(); err != nil {
		return "", err
	}
	return f.Name(), nil
}

// Commit renames a staged file to its place and syncs the folder, so that the new name survives a power cut, too.
func Commit(tmp, path string) error {
	if err := os.Rename(tmp, path); err != nil {
		os.Remove(tmp)
		// What the system calls "file exists" is a folder where the file should be.
		if st, err2 := os.Stat(path); err2 == nil {
			if err := Regular(path, st); err != nil {
				return fmt.Errorf("%w, so no file can take its place; remove it, or write elsewhere", err)
			}
		}
		return err
	}
	// Not every system can sync a folder; the file itself is safe by then.
	if d, err := os.Open(filepath.Dir(path)); err == nil {
		d.Sync()
		d.Close()
	}
	return nil
}
