package files

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

func TestRead(t *testing.T) {
	dir := t.TempDir()
	whole := filepath.Join(dir, "whole")
	if err := os.WriteFile(whole, []byte("12345"), 0o644); err != nil {
		t.Fatal(err)
	}
	cases := []struct {
		path  string
		limit int64
		want  error
	}{
		{whole, 5, nil},
		{whole, 4, ErrSize},
		{dir, 5, ErrKind},
		{filepath.Join(dir, "none"), 5, fs.ErrNotExist},
	}
	if runtime.GOOS == "linux" {
		cases = append(cases, struct {
			path  string
			limit int64
			want  error
		}{"/dev/zero", 5, ErrKind})
	}
	for _, c := range cases {
		b, err := Read(c.path, c.limit)
		if !errors.Is(err, c.want) || c.want == nil && string(b) != "12345" {
			t.Errorf("Read(%s, %d) = %q, %v; want %v", c.path, c.limit, b, err, c.want)
		}
	}
}

func TestFolderAndTarget(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for name, err := range map[string]error{
		"a file as folder":    Folder(file, "--out"),
		"below a file":        Folder(filepath.Join(file, "x"), "--out"),
		"no name":             Folder("", "--out"),
		"a folder as a file":  Target(dir, "--out"),
		"a file below a file": Target(filepath.Join(file, "x"), "--out"),
	} {
		if err == nil || !strings.Contains(err.Error(), "--out") || strings.Contains(err.Error(), "mkdir") {
			t.Errorf("%s: %v; want an error that names --out", name, err)
		}
	}
	if err := Folder(filepath.Join(dir, "new", "er"), "--out"); err != nil {
		t.Error(err)
	}
	if err := Target(file, "--out"); err != nil {
		t.Error(err)
	}
	left, _ := filepath.Glob(filepath.Join(dir, "new", "er", ".*"))
	if len(left) != 0 {
		t.Errorf("left behind: %v", left)
	}
}
