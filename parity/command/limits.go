package command

import (
	"fmt"
	"strings"
	"text/tabwriter"
	"time"

	"darkroom/goldens"
	"darkroom/parity"
	"darkroom/parity/cli"
	"darkroom/scenes/catalogue"
)

type limitsCmd struct {
	Goldens string   `help:"Golden store." default:"goldens" type:"path"`
	From    []string `help:"JSON documents of runs that are known to be right: show what the ledger should say after them." type:"path" sep:","`
	Write   bool     `help:"With --from: write new and tighter entries into the ledger."`
	Widen   bool     `help:"With --write: write wider ones, too."`
	Reason  string   `help:"With --write: why the limits are what they are, for the record."`
}

// Run prints and checks the ledger, or works out what it should say.
func (c *limitsCmd) Run(out *cli.Output, cat catalogue.Catalogue) error {
	store := &goldens.Store{Root: c.Goldens}
	l, err := store.Ledger()
	if err != nil {
		return err
	}
	if len(c.From) > 0 {
		return c.propose(out, cat, store, l)
	}
	if c.Write || c.Widen || c.Reason != "" {
		return fmt.Errorf("--write, --widen and --reason need runs to measure by; name their documents with --from")
	}
	return c.check(out, store, l)
}

// check prints the ledger and what is wrong with it.
func (c *limitsCmd) check(out *cli.Output, store *goldens.Store, l *goldens.Ledger) error {
	now := time.Now()
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "scene\tadapter\tagainst\tmetric\tlimit\tnoise\theadroom\tsamples\tdate\treason")
	for i := range l.Entries {
		e := &l.Entries[i]
		against, headroom := "its own", "–"
		if e.Golden != "" {
			against = e.Golden
		}
		if e.Noise > 0 {
			headroom = fmt.Sprintf("×%.3g", e.Headroom())
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%.4g\t%.3g\t%s\t%d\t%s\t%s\n", e.Scene, e.Adapter, against, e.Metric, e.Limit, e.Noise, headroom, e.Samples, e.Date, e.Reason)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	found := l.Check(now)
	more, err := store.Uncovered(l, parity.OwnMetrics(), now)
	if err != nil {
		return err
	}
	found = append(found, more...)
	for _, f := range found {
		fmt.Fprintln(out, f)
	}
	open, err := store.Unmeasured(l)
	if err != nil {
		return err
	}
	if len(open) > 0 {
		fmt.Fprintf(out, "note: %s with a picture of %s and no entry, so only the limit that the scene sets holds (%s); parity run --against %[2]s and parity limits --from measure it\n",
			cli.Count(len(open), "scene"), goldens.Reference, few(open))
	}
	if len(found) > 0 {
		return &cli.Exit{Code: cli.Differs, Text: fmt.Sprintf("%s of the tolerance ledger to attend to; parity limits --from RUN.JSON --write measures anew", cli.Count(len(found), "finding"))}
	}
	fmt.Fprintf(out, "%d entries, all in order: none is wider than %g times its noise or, where that is less, than its metric's floor\n", len(l.Entries), l.Times())
	return nil
}

// propose shows what the ledger should say, and writes it.
func (c *limitsCmd) propose(out *cli.Output, cat catalogue.Catalogue, store *goldens.Store, l *goldens.Ledger) error {
	if c.Write && c.Reason == "" {
		return fmt.Errorf("a limit needs a reason for the record; give it with --reason")
	}
	runs, err := readRuns(c.From)
	if err != nil {
		return err
	}
	ms, err := parity.Measurements(runs, cat)
	if err != nil {
		return err
	}
	ps := l.Propose(ms, time.Now(), c.Reason)
	wider := 0
	for i := range ps {
		fmt.Fprintln(out, ps[i].String())
		if ps[i].Wider {
			wider++
		}
	}
	if !c.Write {
		fmt.Fprintln(out, "nothing was changed; add --write to do it")
		return nil
	}
	n := l.Accept(ps, c.Widen)
	if err := store.SaveLedger(l); err != nil {
		return err
	}
	fmt.Fprintf(out, "%d of %d entries were written\n", n, len(ps))
	if wider > 0 && !c.Widen {
		return &cli.Exit{Code: cli.Differs, Text: fmt.Sprintf("%s would have to be wider, and stays; look at the pictures, then --widen accepts that", cli.Count(wider, "limit"))}
	}
	return nil
}

// few names at most four.
func few(names []string) string {
	if len(names) <= 4 {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:4], ", "), len(names)-4)
}
