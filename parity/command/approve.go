package command

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"darkroom/goldens"
	"darkroom/parity"
	"darkroom/parity/cli"
	"darkroom/parity/verdict"
	"darkroom/reports"
	"darkroom/scenes/catalogue"
)

type approveCmd struct {
	judging
	Names   []string      `arg:"" optional:"" help:"Names or patterns of scenes; none means all."`
	From    string        `help:"Report folder of a run with --keep, of this machine or of another; without it the scenes are drawn now." type:"path"`
	Yes     bool          `short:"y" help:"Do it; without it the plan is only shown."`
	All     bool          `help:"Replace goldens of pictures that pass, too."`
	Exact   bool          `help:"For the adapter with its driver; otherwise for its class."`
	Driver  bool          `help:"Accept that the canary draws otherwise than recorded: the driver changed."`
	Reason  string        `help:"Why, for the record."`
	Workers int           `help:"Worker processes." default:"1"`
	Timeout time.Duration `help:"Time that one scene may take." default:"2m"`
	Noise   cli.Amount    `help:"Scenes to draw again to measure how far repeats are apart: a number or all." default:"all"`
}

// Run shows or carries out an approval.
func (c *approveCmd) Run(ctx context.Context, out *cli.Output, cat catalogue.Catalogue) error {
	list, err := cat.Select(c.Names...)
	if err != nil {
		return err
	}
	run, pictures, done, err := c.run(ctx, list)
	if err != nil {
		return err
	}
	defer done()
	store := &goldens.Store{Root: c.Goldens}
	cands, skipped, err := parity.Candidates(run, list, parity.Blessing{Pictures: pictures, Store: store, Exact: c.Exact, Reason: c.Reason, Now: time.Now()})
	if err != nil {
		return err
	}
	for _, s := range skipped {
		fmt.Fprintf(os.Stderr, "%s: not run, so not approved\n", s)
	}
	if len(cands) == 0 {
		return fmt.Errorf("there is no picture to approve: the run has none of the %d scenes asked for", len(list))
	}
	opt := goldens.ApproveOptions{All: c.All}
	if can := run.Canary; can != nil && !can.OK && !c.Driver {
		// A driver that draws otherwise than recorded must be recorded knowingly.
		opt.Dirty = can.Text + "; --driver accepts the new driver"
	}
	plan, err := store.Plan(cands, opt)
	if err != nil {
		return err
	}
	fmt.Fprint(out, plan)
	if !c.Yes {
		fmt.Fprintln(out, "nothing was changed; add --yes to do it")
		return nil
	}
	if err := plan.Apply(); err != nil {
		return err
	}
	return parity.RecordCanary(c.Goldens, run.Canary)
}

// run is the run to approve with the folder of its pictures: an earlier one, or
// one that is made now in a folder that done removes.
func (c *approveCmd) run(ctx context.Context, list catalogue.Catalogue) (run *verdict.Run, pictures string, done func(), err error) {
	done = func() {}
	if c.From != "" {
		run, err = reports.ReadJSON(filepath.Join(c.From, reports.FileJSON))
		if err != nil {
			return nil, "", nil, fmt.Errorf("%w; --from takes the report folder of parity run --keep", err)
		}
		return run, filepath.Join(c.From, "pictures"), done, nil
	}
	dir, err := os.MkdirTemp("", "darkroom-approve-*")
	if err != nil {
		return nil, "", nil, err
	}
	done = func() { os.RemoveAll(dir) }
	how := c.options(filepath.Join(dir, "pictures"))
	how.Keep, how.Census = true, true
	bar := cli.Progress(len(list))
	run, err = parity.Run(ctx, parity.Options{
		Judging: how, Catalogue: list, Workers: max(1, c.Workers), Timeout: c.Timeout, Noise: int(c.Noise),
		Commit: commit(), Binding: binding(), Progress: func(int, int, verdict.Result) { bar.Step() },
	})
	bar.Done()
	if err != nil {
		done()
		return nil, "", nil, err
	}
	return run, how.Pictures, done, nil
}
