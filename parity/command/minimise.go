package command

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"darkroom/parity/bisect"
	"darkroom/parity/cli"
	"darkroom/parity/metrics"
	"darkroom/parity/minimise"
	"darkroom/scenes"
	"darkroom/scenes/catalogue"
	"darkroom/scenes/export"
	"darkroom/scenes/files"
)

type minimiseCmd struct {
	drawing
	A        string  `help:"One side: here (this program on the default adapter), adapter:NAME or a plain adapter's name, rev:REVISION, golden:KEY or golden:FILE." default:"here"`
	B        string  `help:"The other side." required:""`
	Limit    float64 `help:"The MAD above which the sides differ; against a golden, the MAD within which the wrong pixels count as kept." default:"0.5"`
	MaxTests int     `help:"How many scenes may be drawn." default:"2000"`
	Repo     string  `help:"The repository of revisions." default:"." type:"existingdir"`
	Goldens  string  `help:"Golden store." default:"goldens" type:"path"`
	Program  string  `help:"The program of a revision that has the verb draw, as go build takes it." default:"./cmd/parity"`
	JSON     string  `name:"json" help:"Write what was found as JSON." type:"path"`
	Out      string  `help:"Folder for the scene that is left: scene.go, and scene.json with data.bin." default:"report/minimise" type:"path"`
}

// Run cuts a scene down to what two sides draw differently.
func (c *minimiseCmd) Run(ctx context.Context, out *cli.Output, cat catalogue.Catalogue) error {
	e, err := cat.Find(c.Scene)
	if err != nil {
		return err
	}
	if !(c.Limit >= 0) {
		return fmt.Errorf("--limit %g: give a MAD, 0 to 255", c.Limit)
	}
	if c.JSON != "" {
		if err := files.Target(c.JSON, "--json"); err != nil {
			return err
		}
	}
	var res *minimise.Result
	named := func(spec string, err error) error {
		if err != nil {
			return fmt.Errorf("side %s: %w", spec, err)
		}
		return nil
	}
	// An error of the search comes through both sides' with as it is.
	var search error
	err = named(c.A, c.with(ctx, e, c.A, func(a side) error {
		return named(c.B, c.with(ctx, e, c.B, func(b side) error {
			res, search = c.search(ctx, e, a, b)
			return nil
		}))
	}))
	fmt.Fprintln(os.Stderr)
	if err = errors.Join(search, err); err != nil {
		return err
	}
	c.print(out, res)
	if c.JSON != "" {
		if err := bisect.WriteJSON(c.JSON, res); err != nil {
			return err
		}
	}
	return c.write(out, e, res)
}

// search compares the sides on smaller and smaller scenes.
func (c *minimiseCmd) search(ctx context.Context, e *catalogue.Entry, a, b side) (*minimise.Result, error) {
	o := minimise.Options{
		Build:    func() (*scenes.Scene, error) { return e.Build(c.Assets) },
		MaxTests: c.MaxTests,
		Progress: func(tests, left int) { fmt.Fprintf(os.Stderr, "\r%d tests, %d elements", tests, left) },
	}
	for _, s := range []side{a, b} {
		list, err := elementsOf(ctx, s)
		if err != nil {
			return nil, err
		}
		o.Foreign = append(o.Foreign, list...)
	}
	o.Fragments = func(ctx context.Context, dropped []minimise.Key) (out []minimise.Key, err error) {
		for _, s := range []side{a, b} {
			if p, ok := s.(processSide); ok {
				list, err := p.Fragments(ctx, dropped)
				if err != nil {
					return nil, err
				}
				out = append(out, list...)
			}
		}
		return out, nil
	}
	_, goldenA := a.(goldenSide)
	_, goldenB := b.(goldenSide)
	switch {
	case goldenA && goldenB:
		return nil, fmt.Errorf("two goldens draw nothing; let one side be here, an adapter or a revision")
	case goldenA:
		a, b = b, a
		fallthrough
	case goldenB:
		return c.againstGolden(ctx, o, a, b.(goldenSide))
	}
	o.Differs = func(ctx context.Context, s *scenes.Scene, dropped []minimise.Key) (minimise.Outcome, error) {
		x, err := a.draw(ctx, s, dropped)
		if err == nil {
			y, err2 := b.draw(ctx, s, dropped)
			if err = err2; err == nil {
				m, err := metrics.Measure(x, y, metrics.Options{NoRegion: true})
				if err != nil || m.MAD > c.Limit { // another size is a difference
					return minimise.Differ, nil
				}
				return minimise.Agree, nil
			}
		}
		if errors.Is(err, minimise.ErrUndrawable) {
			return minimise.Undrawable, nil
		}
		return minimise.Agree, err
	}
	return minimise.Scene(ctx, o)
}

// againstGolden looks for the smallest scene that draws the wrong pixels.
func (c *minimiseCmd) againstGolden(ctx context.Context, o minimise.Options, a side, golden goldenSide) (*minimise.Result, error) {
	s, err := o.Build()
	if err != nil {
		return nil, err
	}
	whole, err := a.draw(ctx, s, nil)
	if err != nil {
		return nil, err
	}
	// Two steps are what two drivers differ by where nothing is wrong.
	wrong, err := minimise.NewWrong(golden.picture, whole, 2)
	if err != nil {
		return nil, err
	}
	if wrong.Pixels() == 0 {
		return nil, fmt.Errorf("no pixel differs from the golden by more than 2 steps, so there is nothing to cut down")
	}
	fmt.Fprintf(os.Stderr, "%d pixels are wrong\n", wrong.Pixels())
	o.Differs = func(ctx context.Context, s *scenes.Scene, dropped []minimise.Key) (minimise.Outcome, error) {
		x, err := a.draw(ctx, s, dropped)
		switch {
		case errors.Is(err, minimise.ErrUndrawable):
			return minimise.Undrawable, nil
		case err != nil:
			return minimise.Agree, err
		case wrong.Stays(x, c.Limit):
			return minimise.Differ, nil
		}
		return minimise.Agree, nil
	}
	return minimise.Scene(ctx, o)
}

// print says what is left and why.
func (c *minimiseCmd) print(out *cli.Output, res *minimise.Result) {
	why := func(k minimise.Kept) string {
		switch k.Without {
		case minimise.Agree:
			return "without it they agree"
		case minimise.Undrawable:
			return "without it the scene cannot be drawn"
		}
		return ""
	}
	for _, k := range res.Kept {
		fmt.Fprintf(out, "%-12s %-50s %s\n", k.Kind, k.Name, why(k))
	}
	for _, k := range res.Fragments {
		fmt.Fprintf(out, "%-12s %-50s %s\n", k.Kind, k.Name, why(k))
	}
	fmt.Fprintf(out, "%d of %d elements are left after %d tests; dropped: %s, and %d fragments of what is left\n", len(res.Kept), res.All, res.Tests, res.Count(), res.FragmentsDropped)
	if !res.Complete {
		fmt.Fprintln(out, "the number of tests was used up; more may be dropped (--max-tests)")
	}
}

// write writes the smallest scene as Go and as a document.
func (c *minimiseCmd) write(out *cli.Output, e *catalogue.Entry, res *minimise.Result) error {
	set := c.settings(e)
	if err := minimise.Freeze(res.Scene, set.Time, set.Width, set.Height); err != nil {
		return err
	}
	src, lost, err := minimise.Source(res.Scene, minimise.SourceOptions{Package: "catalogue", Function: "minimal", Width: set.Width, Height: set.Height, Time: set.Time})
	if err != nil {
		return err
	}
	for _, l := range lost {
		fmt.Fprintf(out, "not in the source: %s\n", l)
	}
	if err := files.Write(filepath.Join(c.Out, "scene.go"), src); err != nil {
		return err
	}
	err = export.Write(c.Out, &export.Picture{Scene: res.Scene, Width: set.Width, Height: set.Height, Time: set.Time})
	switch {
	case errors.Is(err, export.ErrRefused):
		// What no engine could read is still good to read for people.
		fmt.Fprintf(out, "scene.json is a plain listing of the data, for a document cannot hold it: %v\n", err)
		js, err := minimise.JSON(res.Scene)
		if err != nil {
			return err
		}
		if err := files.Write(filepath.Join(c.Out, "scene.json"), js); err != nil {
			return err
		}
	case err != nil:
		return err
	}
	fmt.Fprintf(out, "written: %s and scene.json\n", filepath.Join(c.Out, "scene.go"))
	return nil
}
