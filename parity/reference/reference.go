// Package reference has Babylon.js draw scenes: it exports them, runs the
// oracle's page (goldens/oracle) over the documents and reads the pictures. What
// they are to become is the caller's affair.
package reference

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"darkroom/goldens"
	"darkroom/goldens/picture"
	"darkroom/goldens/png"
	"darkroom/parity/metrics"
	"darkroom/reports"
	"darkroom/scenes"
	"darkroom/scenes/catalogue"
	"darkroom/scenes/export"
)

// Options of a run.
type Options struct {
	Catalogue catalogue.Catalogue
	Assets    catalogue.Assets
	// Script is the oracle's driver, Node the program that runs it (empty: node).
	Script, Node string
	// Work is the folder for documents and pictures.
	Work string
	// Captures is a folder with SCENE.png of another origin, such as captures of
	// a GPU, to compare with; empty for none.
	Captures string
	Jobs     int // pages side by side; zero means 2
	Timeout  int // seconds that a scene may take; zero means 120
}

// Picture is what became of one scene.
type Picture struct {
	Scene string
	// Hash of the scene at rest.
	Hash  string
	Image image.Image // nil with Err
	Path  string
	MS    float64
	// Adapter that drew it; its backend is "gl" where WebGPU has too few bindings.
	Adapter goldens.Adapter
	// Capture is the MAD from the picture in Options.Captures; nil where there is none.
	Capture *float64
	// Err says why there is no picture. It wraps export.ErrRefused, ErrNotDrawn
	// or catalogue.ErrNoAsset.
	Err error
}

// ErrNotDrawn is wrapped where Babylon.js did not draw a document.
var ErrNotDrawn = errors.New("not drawn")

// Run is what became of all.
type Run struct {
	BabylonJS, Chromium string
	Pictures            []Picture // in the catalogue's order
	StartMS, MS         float64   // of the browser and of all scenes
}

// Witness is the run as a document, pages of which were drawn side by side.
func (r *Run) Witness(pages int) (*reports.Witness, error) {
	w := &reports.Witness{Engine: "Babylon.js " + r.BabylonJS, Browser: "Chromium " + r.Chromium, Pages: pages, StartMS: r.StartMS, MS: r.MS}
	for _, p := range r.Pictures {
		out := reports.WitnessPicture{Scene: p.Scene, MS: p.MS, Capture: p.Capture}
		switch {
		case errors.Is(p.Err, export.ErrRefused):
			out.Refused = p.Err.Error()
		case p.Err != nil:
			out.Failed = p.Err.Error()
		default:
			out.Backend = p.Adapter.Backend
			var err error
			if out.Pixels, err = picture.Digest(p.Image); err != nil {
				return nil, err
			}
		}
		w.Pictures = append(w.Pictures, out)
	}
	return w, nil
}

// output is what the driver prints.
type output struct {
	BabylonJS string  `json:"babylonjs"`
	Chromium  string  `json:"chromium"`
	StartMS   float64 `json:"startMs"`
	MS        float64 `json:"ms"`
	Results   []struct {
		Scene    string   `json:"scene"`
		File     string   `json:"file"`
		Hash     string   `json:"hash"`
		Error    string   `json:"error"`
		Messages []string `json:"messages"`
		MS       float64  `json:"ms"`
		Adapter  struct {
			Architecture string `json:"architecture"`
			Backend      string `json:"backend"`
		} `json:"adapter"`
	} `json:"results"`
}

// Draw exports the scenes and has them drawn. The error says why no run took
// place; what happened to single scenes is in the pictures.
func Draw(ctx context.Context, o Options) (*Run, error) {
	run := &Run{Pictures: make([]Picture, len(o.Catalogue))}
	at := map[string]*Picture{}
	var dirs []string
	for i, e := range o.Catalogue {
		p := &run.Pictures[i]
		p.Scene = e.Name
		at[e.Name] = p
		dir := filepath.Join(o.Work, "scenes", e.Name)
		if p.Hash, p.Err = write(dir, e, o.Assets); p.Err == nil {
			dirs = append(dirs, dir)
		}
	}
	if len(dirs) == 0 {
		return run, nil
	}
	if err := o.draw(ctx, run, at, dirs); err != nil {
		return nil, err
	}
	return run, nil
}

// DrawDocuments has documents drawn that are there already, each in a folder
// that has the scene's name.
func DrawDocuments(ctx context.Context, o Options, dirs []string) (*Run, error) {
	run := &Run{Pictures: make([]Picture, len(dirs))}
	at := map[string]*Picture{}
	for i, dir := range dirs {
		p := &run.Pictures[i]
		p.Scene = filepath.Base(dir)
		at[p.Scene] = p
	}
	if len(dirs) == 0 {
		return run, nil
	}
	if err := o.draw(ctx, run, at, dirs); err != nil {
		return nil, err
	}
	return run, nil
}

func write(dir string, e *catalogue.Entry, a catalogue.Assets) (string, error) {
	s, err := e.Build(a)
	if err != nil {
		return "", err
	}
	if err := export.Write(dir, &export.Picture{Scene: s, Width: e.Width, Height: e.Height, Time: e.Time}); err != nil {
		return "", err
	}
	return scenes.Hash(s), lacks(s)
}

func (o *Options) draw(ctx context.Context, run *Run, at map[string]*Picture, dirs []string) error {
	node := o.Node
	if node == "" {
		node = "node"
	}
	args := []string{o.Script, "--out", filepath.Join(o.Work, "pictures")}
	if o.Jobs > 0 {
		args = append(args, "--jobs", fmt.Sprint(o.Jobs))
	}
	if o.Timeout > 0 {
		args = append(args, "--timeout", fmt.Sprint(o.Timeout))
	}
	c := exec.CommandContext(ctx, node, append(args, dirs...)...)
	var out, errs bytes.Buffer
	c.Stdout, c.Stderr = &out, &errs
	err := c.Run()
	var exit *exec.ExitError
	if err != nil && !(errors.As(err, &exit) && exit.ExitCode() == 1) {
		return fmt.Errorf("the oracle did not run: %w: %s (npm ci in %s installs what it needs)", err, strings.TrimSpace(errs.String()), filepath.Dir(o.Script))
	}
	var doc output
	if err := json.Unmarshal(out.Bytes(), &doc); err != nil {
		return fmt.Errorf("the oracle printed no result: %w", err)
	}
	run.BabylonJS, run.Chromium, run.StartMS, run.MS = doc.BabylonJS, doc.Chromium, doc.StartMS, doc.MS
	for _, r := range doc.Results {
		p := at[r.Scene]
		if p == nil {
			return fmt.Errorf("the oracle drew %s, which nobody asked for", r.Scene)
		}
		p.MS = r.MS
		if r.Error != "" {
			p.Err = fmt.Errorf("%w by Babylon.js: %s", ErrNotDrawn, r.Error)
			continue
		}
		p.Path = r.File
		if p.Image, _, p.Err = png.Read(r.File, png.Caps{}); p.Err != nil {
			continue
		}
		p.Adapter = goldens.Adapter{Name: r.Adapter.Architecture, Backend: r.Adapter.Backend, Driver: "Chromium " + doc.Chromium, Type: "cpu"}
		p.Err = p.compare(o.Captures)
	}
	for i := range run.Pictures {
		if p := &run.Pictures[i]; p.Image == nil && p.Err == nil {
			p.Err = fmt.Errorf("%w: the oracle says nothing of it", ErrNotDrawn)
		}
	}
	return nil
}

// compare measures the distance from a capture of the same scene.
func (p *Picture) compare(dir string) error {
	if dir == "" {
		return nil
	}
	want, _, err := png.Read(filepath.Join(dir, p.Scene+".png"), png.Caps{})
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	m, err := metrics.Measure(want, p.Image, metrics.Options{})
	if err != nil {
		return err
	}
	p.Capture = &m.MAD
	return nil
}
