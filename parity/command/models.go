package command

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"darkroom/parity"
	"darkroom/parity/cli"
	"darkroom/parity/models"
	"darkroom/parity/verdict"
	"darkroom/scenes/files"
)

type modelsCmd struct {
	Models  []string      `arg:"" help:"glTF files, or folders of them." type:"path"`
	Adapter string        `help:"Adapter for our side: an index, or part of a name, driver or backend." env:"DARKROOM_ADAPTER"`
	Env     string        `help:"Environment file for image-based light." type:"path"`
	Size    cli.Size      `help:"Size of the pictures in pixels." default:"640x360"`
	Out     string        `short:"o" help:"Folder for pictures, reports and the journal." default:"out/gltf-parity" type:"path"`
	Script  string        `help:"The oracle's driver." default:"goldens/oracle/oracle.mjs" type:"path"`
	Notes   string        `help:"What is known of single files: causes and pass marks." type:"path"`
	Table   string        `help:"Also write the table here, as Markdown." type:"path"`
	Sheet   string        `help:"Contact sheet: ours, Babylon.js's and the difference of each; empty: in --out." type:"path"`
	Jobs    int           `help:"Browser pages side by side." default:"2"`
	Batch   int           `help:"Files that one browser draws before its pictures are kept." default:"20"`
	Timeout time.Duration `help:"Time that one file may take, on each side." default:"2m"`
	Resume  bool          `help:"Go on with an interrupted run of ours in --out. Babylon.js's pictures are always kept until something they depend on changes."`
	Serve   bool          `hidden:"" help:"Serve as a worker process."`
}

// Run holds models against Babylon.js's loader.
func (c *modelsCmd) Run(ctx context.Context, out *cli.Output) error {
	st := models.Stage{Environment: c.Env, Width: c.Size.W, Height: c.Size.H}
	list, err := models.Catalogue(c.Models, st)
	if err != nil {
		return err
	}
	if c.Serve {
		return parity.ServeWorker(ctx, list, os.Stdin, os.Stdout)
	}
	if err := files.Folder(c.Out, "--out"); err != nil {
		return err
	}
	if c.Sheet == "" {
		c.Sheet = filepath.Join(c.Out, "sheet.png")
	}
	notes := map[string]models.Note{}
	if c.Notes != "" {
		if notes, err = models.ReadNotes(c.Notes); err != nil {
			return err
		}
	}
	theirs, ours := filepath.Join(c.Out, "babylonjs"), filepath.Join(c.Out, "pictures")
	said := func(who string) func(done, total int) {
		return func(done, total int) { fmt.Fprintf(os.Stderr, "%s: %d of %d files\n", who, done, total) }
	}
	refs, err := (&models.References{
		Root: theirs, Script: c.Script, Batch: c.Batch, Jobs: c.Jobs, Timeout: int(c.Timeout / time.Second), Progress: said("Babylon.js"),
	}).Draw(ctx, list, st)
	if err != nil {
		return err
	}
	exe, err := os.Executable()
	if err != nil {
		return err
	}
	worker := append([]string{exe}, os.Args[1:]...)
	bar := cli.Progress(len(list))
	run, err := parity.Run(ctx, parity.Options{
		Judging:   parity.Judging{Adapter: c.Adapter, Goldens: theirs, Pictures: ours, Keep: true},
		Catalogue: list, Workers: 1, Worker: append(worker, "--serve"), Timeout: c.Timeout,
		Journal: filepath.Join(c.Out, "journal.jsonl"), Resume: c.Resume, NoCanary: true, Commit: commit(),
		Progress: func(int, int, verdict.Result) { bar.Step() },
	})
	bar.Done()
	if err != nil {
		return err
	}
	rows := models.Rows(run, refs, notes)
	if err := models.Print(out, rows); err != nil {
		return err
	}
	if err := models.Sheet(c.Sheet, rows, ours, theirs); err != nil {
		return err
	}
	sum := models.Summarise(rows)
	if c.Table != "" {
		var b bytes.Buffer
		if err := modelsTable(&b, run, rows, &sum, version(refs)); err != nil {
			return err
		}
		if err := files.Write(c.Table, b.Bytes()); err != nil {
			return err
		}
	}
	fmt.Fprintf(out, "%s\nsheet: %s\n", &sum, c.Sheet)
	switch {
	case sum.NotRun > 0:
		return fmt.Errorf("%d files were not judged; go on with --resume", sum.NotRun)
	case len(sum.Unexplained) > 0:
		fmt.Fprintf(out, "no cause is known of %d: %v\n", len(sum.Unexplained), sum.Unexplained)
		return &cli.Exit{Code: cli.Differs}
	case sum.Share() < 0.95:
		return &cli.Exit{Code: cli.Differs}
	}
	return nil
}

// version is that of the engine that drew the reference pictures.
func version(refs map[string]*models.Reference) string {
	for _, r := range refs {
		if r != nil && r.BabylonJS != "" {
			return r.BabylonJS
		}
	}
	return "(unknown)"
}

// modelsTable writes the page that is kept under version control.
func modelsTable(w io.Writer, run *verdict.Run, rows []models.Row, sum *models.Summary, version string) error {
	_, err := fmt.Fprintf(w, `# glTF files against Babylon.js's own loader

Written by %smake gltf-parity%s: each file as %srender gltf%s shows it by default, with environment.env, and as Babylon.js's loader shows it
with the same camera and light, both on one software rasteriser. A file's name is its path with -- for /.
MAD, max (the largest difference of red, green or blue) and alpha (the largest of alpha) are in units of 0…255; a file counts as within a
MAD where its alpha is within %d, too. Causes and pass marks were written down by who looked at the pictures (gltf-notes.tsv).

- Here: %s
- There: Babylon.js %s in headless Chromium on SwiftShader

%s

`, "`", "`", "`", "`", models.AlphaStep, run.Adapter, version, sum)
	if err != nil {
		return err
	}
	return models.Markdown(w, rows)
}
