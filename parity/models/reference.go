package models

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"darkroom/scenes/files"

	"darkroom/parity/reference"
	"darkroom/scenes/catalogue"
	"darkroom/scenes/export"
)

// References keeps Babylon.js's pictures of models in a folder: NAME.png, and
// NAME.made.json with what they were made of, so that only what changed is drawn
// again.
type References struct {
	// Root is the folder.
	Root string
	// Script is the oracle's driver; a change of what lies beside it, or of the
	// page below, makes every picture old. Node runs it (empty: node).
	Script, Node string
	// Batch is how many files one browser draws before what it did is kept; zero means 20.
	Batch         int
	Jobs, Timeout int // as in reference.Options
	// Progress is told after each batch.
	Progress func(done, total int)
}

// Reference is what Babylon.js made of one file.
type Reference struct {
	// Made is a digest of all that the picture depends on.
	Made string `json:"made"`
	// Error says why there is no picture; empty where there is one.
	Error string `json:"error,omitempty"`
	// As is "model" where the file itself was handed over, "scene" where this
	// project's reading of it was.
	As        string  `json:"as,omitempty"`
	BabylonJS string  `json:"babylonjs,omitempty"`
	MS        float64 `json:"ms,omitempty"`
}

// Draw has Babylon.js draw what is not there yet and returns what is known of
// each file, by name. A file that this project cannot read has no entry.
func (r *References) Draw(ctx context.Context, list catalogue.Catalogue, st Stage) (map[string]*Reference, error) {
	if err := os.MkdirAll(r.Root, 0o755); err != nil {
		return nil, err
	}
	base, err := r.settings(st)
	if err != nil {
		return nil, err
	}
	known := map[string]*Reference{}
	var pending []*catalogue.Entry
	for _, e := range list {
		made, err := digest(base, e.Source)
		if err != nil {
			return nil, err
		}
		if k := r.load(e.Name); k != nil && k.Made == made {
			known[e.Name] = k
			continue
		}
		known[e.Name] = &Reference{Made: made}
		pending = append(pending, e)
	}
	batch := r.Batch
	if batch <= 0 {
		batch = 20
	}
	for i := 0; i < len(pending); i += batch {
		if r.Progress != nil {
			r.Progress(len(list)-len(pending)+i, len(list))
		}
		if err := r.batch(ctx, pending[i:min(i+batch, len(pending))], known); err != nil {
			return nil, err
		}
	}
	if r.Progress != nil {
		r.Progress(len(list), len(list))
	}
	return known, nil
}

// recordExt is not .json: a picture's NAME.json is the manifest of a golden.
const recordExt = ".made.json"

func (r *References) load(name string) *Reference {
	b, err := os.ReadFile(filepath.Join(r.Root, name+recordExt))
	if err != nil {
		return nil
	}
	k := new(Reference)
	if json.Unmarshal(b, k) != nil {
		return nil
	}
	if _, err := os.Stat(filepath.Join(r.Root, name+".png")); (err == nil) != (k.Error == "") {
		return nil
	}
	return k
}

// batch draws some files with one browser and keeps what it made of them.
func (r *References) batch(ctx context.Context, list []*catalogue.Entry, known map[string]*Reference) error {
	work := filepath.Join(r.Root, "work")
	if err := os.RemoveAll(work); err != nil {
		return err
	}
	defer os.RemoveAll(work)
	var dirs []string
	for _, e := range list {
		dir := filepath.Join(work, "scenes", e.Name)
		as, err := document(dir, e)
		if err != nil {
			// Not Babylon.js's fault, so nothing is kept: the run says what it was.
			delete(known, e.Name)
			continue
		}
		known[e.Name].As = as
		dirs = append(dirs, dir)
	}
	run, err := reference.DrawDocuments(ctx, reference.Options{Script: r.Script, Node: r.Node, Work: work, Jobs: r.Jobs, Timeout: r.Timeout}, dirs)
	if err != nil {
		return err
	}
	for _, p := range run.Pictures {
		k := known[p.Scene]
		k.BabylonJS, k.MS = run.BabylonJS, p.MS
		target := filepath.Join(r.Root, p.Scene+".png")
		if p.Err != nil {
			k.Error = strings.TrimPrefix(p.Err.Error(), reference.ErrNotDrawn.Error()+" by Babylon.js: ")
			if err := os.Remove(target); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
		} else if err := os.Rename(p.Path, target); err != nil {
			return err
		}
		text, err := json.MarshalIndent(k, "", " ")
		if err != nil {
			return err
		}
		if err := files.Write(filepath.Join(r.Root, p.Scene+recordExt), text); err != nil {
			return err
		}
	}
	return nil
}

// document writes the scene document of a file and says what is in it. A panic
// costs the file alone.
func document(dir string, e *catalogue.Entry) (as string, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%s: internal fault: %v", e.Source, p)
		}
	}()
	s, err := e.Build(nil)
	if err != nil {
		return "", err
	}
	if err := export.Write(dir, &export.Picture{Scene: s, Width: e.Width, Height: e.Height, Time: e.Time}); err != nil {
		return "", err
	}
	b, err := os.ReadFile(filepath.Join(dir, export.SceneFile))
	if err != nil {
		return "", err
	}
	var doc struct {
		Scene struct {
			Models []json.RawMessage `json:"models"`
		} `json:"scene"`
	}
	if err := json.Unmarshal(b, &doc); err != nil {
		return "", err
	}
	if len(doc.Scene.Models) == 1 {
		return "model", nil
	}
	return "scene", nil
}

// settings is a digest of what all pictures depend on: the page and the stage.
func (r *References) settings(st Stage) ([]byte, error) {
	h := sha256.New()
	fmt.Fprintf(h, "%d %d\n", st.Width, st.Height)
	if st.Environment != "" {
		if err := addFile(h, st.Environment); err != nil {
			return nil, err
		}
	}
	root := filepath.Dir(r.Script)
	err := filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && d.Name() == "node_modules":
			return fs.SkipDir
		case d.IsDir() || strings.HasSuffix(p, ".test.mjs"):
			return nil
		case strings.HasSuffix(p, ".mjs"), filepath.Base(p) == "package-lock.json":
			return addFile(h, p)
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("the oracle is not there: %w; name its driver with --script", err)
	}
	return h.Sum(nil), nil
}

func addFile(w io.Writer, path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	fmt.Fprintln(w, filepath.Base(path))
	_, err = io.Copy(w, f)
	return err
}

// digest takes in a model's file and, by size and time, those beside and below it.
func digest(base []byte, path string) (string, error) {
	h := sha256.New()
	h.Write(base)
	if err := addFile(h, path); err != nil {
		return "", err
	}
	root := filepath.Dir(path)
	err := filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		st, err := d.Info()
		if err != nil {
			return err
		}
		fmt.Fprintln(h, strings.TrimPrefix(p, root), st.Size(), st.ModTime().UnixNano())
		return nil
	})
	return hex.EncodeToString(h.Sum(nil)), err
}
