package command

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"

	"darkroom/goldens"
	"darkroom/goldens/png"
	"darkroom/parity/cli"
	"darkroom/parity/journal"
	"darkroom/parity/metrics"
	"darkroom/parity/shard"
	"darkroom/parity/verdict"
	"darkroom/reports"
	"darkroom/scenes/catalogue"
	"darkroom/scenes/files"
)

type diffCmd struct {
	A     string  `arg:"" type:"path" help:"The golden."`
	B     string  `arg:"" type:"path" help:"The picture."`
	Out   string  `help:"Write a difference heat map here." type:"path"`
	Limit float64 `help:"Largest MAD that passes; without it the default gates apply." default:"-1"`
	JSON  bool    `name:"json" help:"Print JSON."`
}

// Run compares two files.
func (c *diffCmd) Run(out *cli.Output) error {
	if math.IsNaN(c.Limit) {
		return fmt.Errorf("--limit is not a number; give the largest MAD that passes, 0 to 255")
	}
	if c.Out != "" {
		if err := files.Target(c.Out, "--out"); err != nil {
			return err
		}
	}
	a, _, err := png.Read(c.A, png.Caps{})
	if err != nil {
		return err
	}
	b, _, err := png.Read(c.B, png.Caps{})
	if err != nil {
		return err
	}
	m, err := metrics.Measure(a, b, metrics.Options{})
	if err != nil {
		return fmt.Errorf("%s and %s: %w; pictures of different sizes do not compare", c.A, c.B, err)
	}
	limits := metrics.DefaultLimits()
	if c.Limit >= 0 {
		limits = metrics.Limits{metrics.MAD: c.Limit}
	}
	r := verdict.Result{Scene: filepath.Base(c.B), Width: m.Width, Height: m.Height}
	m.Fill(&r)
	metrics.Gate(limits, m).Fill(&r, limits)
	if !m.Identical {
		r.Kind = metrics.Kind(a, b)
		r.Diagnosis = metrics.Diagnose(a, b)
		r.Regions = metrics.Regions(a, b, m, 3)
		if f, err := metrics.FLIP(a, b, metrics.DefaultPPD); err == nil {
			r.FLIP = verdict.Num(f.Mean)
		}
		if s, err := metrics.SSIM(a, b); err == nil {
			r.SSIM = verdict.Num(s)
		}
	}
	if c.Out != "" {
		heat, err := metrics.Heat(a, b, 0)
		if err != nil {
			return err
		}
		if err := png.Write(c.Out, heat, png.Options{}); err != nil {
			return err
		}
	}
	if c.JSON {
		e := json.NewEncoder(out)
		e.SetIndent("", "  ")
		if err := e.Encode(r); err != nil {
			return err
		}
	} else {
		fmt.Fprintf(out, "%s: MAD %.5f, max %v, tile %.3f", r.Verdict, m.MAD, m.MaxDiff, m.TileMAD)
		if r.FLIP != nil {
			fmt.Fprintf(out, ", FLIP %.5f", *r.FLIP)
		}
		if r.SSIM != nil {
			fmt.Fprintf(out, ", SSIM %.6f", *r.SSIM)
		}
		fmt.Fprintln(out)
		if r.Reason != "" {
			fmt.Fprintln(out, r.Reason)
		}
		for _, d := range r.Diagnosis {
			fmt.Fprintln(out, d.Text)
		}
	}
	if !r.Passed() {
		return &cli.Exit{Code: cli.Differs}
	}
	return nil
}

type reportCmd struct {
	Dir  string `arg:"" type:"path" help:"The report folder of the run."`
	JSON string `name:"json" help:"Write the JSON document here as well; - is standard output."`
}

// Run rebuilds reports.
func (c *reportCmd) Run(out *cli.Output) error {
	rec, err := journal.Read(filepath.Join(c.Dir, "journal.jsonl"))
	if err != nil {
		return err
	}
	run := rec.Run()
	if err := writeReports(out, c.Dir, "", run, verdict.Policy{}); err != nil {
		return err
	}
	if c.JSON != "" {
		if err := writeJSON(out, c.JSON, run); err != nil {
			return err
		}
	}
	printRun(out, run, c.Dir)
	if code := run.ExitCode(verdict.Policy{}); code != 0 {
		return &cli.Exit{Code: code}
	}
	return nil
}

type mergeCmd struct {
	Files   []string `arg:"" type:"path" help:"JSON documents of all shards."`
	Names   []string `name:"scene" help:"Names or patterns that the run was asked for; none means the whole catalogue."`
	Report  string   `help:"Folder for the reports." default:"report" type:"path"`
	JSON    string   `name:"json" help:"Write the joined JSON document here; - is standard output."`
	Skips   bool     `name:"allow-not-run" help:"Scenes that lack a third-party file do not fail the run."`
	History string   `help:"File that keeps the measures of earlier runs, for the report; this run's are added." type:"path"`
}

// Run joins shards.
func (c *mergeCmd) Run(out *cli.Output, cat catalogue.Catalogue) error {
	list, err := cat.Select(c.Names...)
	if err != nil {
		return err
	}
	runs, err := readRuns(c.Files)
	if err != nil {
		return err
	}
	for i, r := range runs {
		relocate(r, filepath.Dir(c.Files[i]))
	}
	run, err := shard.Merge(namesOf(list), runs)
	if err != nil {
		return err
	}
	o := &runCmd{Report: c.Report, JSON: c.JSON, Skips: c.Skips, History: c.History}
	if err := o.check(); err != nil {
		return err
	}
	return o.finish(out, run)
}

func readRuns(files []string) ([]*verdict.Run, error) {
	var runs []*verdict.Run
	for _, f := range files {
		r, err := reports.ReadJSON(f)
		if err != nil {
			return nil, fmt.Errorf("%w; give it the documents that parity run --json wrote", err)
		}
		runs = append(runs, r)
	}
	return runs, nil
}

// relocate finds the pictures of a run that was brought here from another
// machine, where its report folder was called otherwise: they lie beside the
// document, and goldens in the store of the working folder.
func relocate(r *verdict.Run, dir string) {
	find := func(path *string, parts int, root string) {
		if *path == "" {
			return
		}
		if _, err := os.Stat(*path); err == nil {
			return
		}
		all := strings.Split(filepath.ToSlash(*path), "/")
		here := filepath.Join(append([]string{root}, all[max(0, len(all)-parts):]...)...)
		if _, err := os.Stat(here); err == nil {
			*path = here
		}
	}
	for i := range r.Results {
		f := &r.Results[i].Files
		find(&f.Actual, 2, dir) // pictures/SCENE.png
		find(&f.Diff, 2, dir)   // pictures/SCENE.diff.png
		find(&f.Golden, 3, ".") // goldens/SCENE/KEY.png
	}
}

type orphansCmd struct {
	Goldens string `help:"Golden store." default:"goldens" type:"path"`
}

// Run lists orphans.
func (c *orphansCmd) Run(out *cli.Output, cat catalogue.Catalogue) error {
	found, err := (&goldens.Store{Root: c.Goldens}).Orphans(namesOf(cat))
	if err != nil {
		return err
	}
	for _, o := range found {
		fmt.Fprintf(out, "%s: %s\n", o.Path, o.Reason)
	}
	if len(found) > 0 {
		return &cli.Exit{Code: cli.Differs}
	}
	return nil
}
