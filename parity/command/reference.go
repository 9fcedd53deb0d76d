package command

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"text/tabwriter"
	"time"

	"darkroom/goldens"
	"darkroom/parity/cli"
	"darkroom/parity/reference"
	"darkroom/reports"
	"darkroom/scenes/catalogue"
	"darkroom/scenes/export"
	"darkroom/scenes/files"
)

type referenceCmd struct {
	Names    []string `arg:"" optional:"" help:"Names or patterns of scenes; none means all."`
	Assets   []string `help:"Folders with third-party files." env:"DARKROOM_ASSETS" sep:":" type:"path"`
	Goldens  string   `help:"Golden store." default:"goldens" type:"path"`
	Script   string   `help:"The oracle's driver." default:"goldens/oracle/oracle.mjs" type:"path"`
	Work     string   `help:"Folder for documents and pictures; empty: a temporary one." type:"path"`
	Captures string   `help:"Folder with SCENE.png of another origin to compare with." type:"path"`
	Jobs     int      `help:"Pages side by side." default:"2"`
	Timeout  int      `help:"Seconds that a scene may take." default:"180"`
	Yes      bool     `short:"y" help:"Refresh the goldens; without it the plan is only shown."`
	Reason   string   `help:"Why, for the record."`
	JSON     string   `name:"json" help:"Also write here what became of each scene, for parity table --witness." type:"path"`
}

// Run has Babylon.js draw scenes and refreshes their reference goldens.
func (c *referenceCmd) Run(ctx context.Context, out *cli.Output, cat catalogue.Catalogue) error {
	list, err := cat.Select(c.Names...)
	if err != nil {
		return err
	}
	if c.Work == "" {
		if c.Work, err = os.MkdirTemp("", "darkroom-reference-*"); err != nil {
			return err
		}
		defer os.RemoveAll(c.Work)
	}
	o := reference.Options{Catalogue: list, Assets: c.Assets, Script: c.Script, Work: c.Work, Captures: c.Captures, Jobs: c.Jobs, Timeout: c.Timeout}
	if c.JSON != "" {
		if err := files.Target(c.JSON, "--json"); err != nil {
			return err
		}
	}
	run, err := reference.Draw(ctx, o)
	if err != nil {
		return err
	}
	if c.JSON != "" {
		w, err := run.Witness(max(c.Jobs, 1))
		if err == nil {
			err = reports.WriteWitness(c.JSON, w)
		}
		if err != nil {
			return err
		}
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	failed := 0
	var cands []goldens.Candidate
	for i, p := range run.Pictures {
		switch {
		case errors.Is(p.Err, catalogue.ErrNoAsset):
			fmt.Fprintf(w, "not run\t%s\t\t%v\n", p.Scene, p.Err)
			continue
		case errors.Is(p.Err, export.ErrRefused):
			fmt.Fprintf(w, "refused\t%s\t\t%v\n", p.Scene, p.Err)
			continue
		case p.Err != nil:
			failed++
			fmt.Fprintf(w, "failed\t%s\t\t%v\n", p.Scene, p.Err)
			continue
		}
		note := ""
		if p.Capture != nil {
			note = fmt.Sprintf("MAD %.4f from the capture", *p.Capture)
		}
		fmt.Fprintf(w, "drawn\t%s\t%.0f ms\t%s\n", p.Scene, p.MS, note)
		cands = append(cands, goldens.Candidate{
			Picture: p.Image, BlankOK: list[i].MayBeBlank,
			From: goldens.Provenance{
				Scene: p.Scene, Key: goldens.Reference, SceneHash: p.Hash, Commit: commit(), Adapter: p.Adapter,
				Binding: "Babylon.js " + run.BabylonJS, CaptureMAD: p.Capture, Blessed: time.Now().UTC().Truncate(time.Second), Reason: c.Reason,
			},
		})
	}
	if err := w.Flush(); err != nil {
		return err
	}
	fmt.Fprintf(out, "Babylon.js %s, Chromium %s: browser %.1f s, scenes %.1f s\n", run.BabylonJS, run.Chromium, run.StartMS/1000, run.MS/1000)
	store := &goldens.Store{Root: filepath.Clean(c.Goldens)}
	plan, err := store.Plan(cands, goldens.ApproveOptions{})
	if err != nil {
		return err
	}
	fmt.Fprint(out, plan)
	if !c.Yes {
		fmt.Fprintln(out, "nothing was changed; add --yes to do it")
	} else if err := plan.Apply(); err != nil {
		return err
	}
	if failed > 0 {
		return fmt.Errorf("%d of %d scenes were not drawn", failed, len(list))
	}
	return nil
}
