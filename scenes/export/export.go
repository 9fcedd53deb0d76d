// Package export writes a scene as a document that another engine can read:
// scene.json, which follows scene.v1.schema.json, and data.bin, which holds
// vertices, texels and other bulk. Reading it back gives the same scene, to
// the bit of its picture.
//
// Nothing is left out in silence. The document is made of the fields of the
// scene's own types, so that a field that is added to one of them is in the
// document from then on; what a document cannot hold (a Go function, a type
// that nobody declared) is refused with its place in the scene.
package export

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"darkroom/scenes/files"

	"darkroom/scenes"
)

// Format and Version begin every document.
const (
	Format  = "darkroom scene"
	Version = 1
)

// Names of the files of a document.
const (
	SceneFile = "scene.json"
	DataFile  = "data.bin"
)

var (
	// ErrRefused is wrapped where a scene holds what a document cannot.
	ErrRefused = errors.New("cannot be exported")
	// ErrDocument is wrapped where a document is not what it should be.
	ErrDocument = errors.New("bad scene document")
)

// Picture is a scene with the picture that is to be made of it.
type Picture struct {
	Scene *scenes.Scene
	// Width and Height in pixels; zero means 1280 × 720.
	Width, Height int
	// Time of the picture in seconds.
	Time float64
}

// Write writes the document to dir, which it makes where it is not there. More
// types than the project's own are declared with more.
func Write(dir string, p *Picture, more ...Type) error {
	reg, err := newRegistry(more)
	if err != nil {
		return err
	}
	e := newEncoder(reg)
	doc, err := e.document(p)
	if err != nil {
		return fmt.Errorf("scene %s: %w", p.Scene.Name, err)
	}
	text, err := json.MarshalIndent(doc, "", " ")
	if err != nil {
		return fmt.Errorf("scene %s: %w", p.Scene.Name, err)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("scene %s: %w", p.Scene.Name, err)
	}
	for _, f := range e.files {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, filepath.FromSlash(f.name))), 0o755); err != nil {
			return fmt.Errorf("scene %s: %w", p.Scene.Name, err)
		}
		if err := files.Write(filepath.Join(dir, filepath.FromSlash(f.name)), f.data); err != nil {
			return fmt.Errorf("scene %s: %w", p.Scene.Name, err)
		}
	}
	// The document last: a folder with one is complete.
	if err := files.Write(filepath.Join(dir, SceneFile), append(text, '\n')); err != nil {
		return fmt.Errorf("scene %s: %w", p.Scene.Name, err)
	}
	return nil
}

// Check returns the error that Write would return for what the scene holds, and
// writes nothing.
func Check(p *Picture, more ...Type) error {
	reg, err := newRegistry(more)
	if err != nil {
		return err
	}
	if _, err := newEncoder(reg).document(p); err != nil {
		return fmt.Errorf("scene %s: %w", p.Scene.Name, err)
	}
	return nil
}

// Read reads the document in dir.
func Read(dir string, more ...Type) (*Picture, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrDocument, err)
	}
	defer root.Close()
	return ReadFS(root.FS(), more...)
}

// ReadFS is Read from a file system.
func ReadFS(fsys fs.FS, more ...Type) (*Picture, error) {
	reg, err := newRegistry(more)
	if err != nil {
		return nil, err
	}
	text, err := fs.ReadFile(fsys, SceneFile)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrDocument, err)
	}
	p, err := (&decoder{reg: reg, fsys: fsys}).document(text)
	if err != nil {
		return nil, fmt.Errorf("%w: %s: %w", ErrDocument, SceneFile, err)
	}
	return p, nil
}

// digest of a file's content.
func digest(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}
