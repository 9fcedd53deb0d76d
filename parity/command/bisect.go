package command

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"darkroom/parity/bisect"
	"darkroom/parity/cli"
	"darkroom/parity/metrics"
	"darkroom/renderer"
	"darkroom/scenes/catalogue"
	"darkroom/scenes/files"
)

// searching are the flags of the commands that build revisions.
type searching struct {
	Scene    string            `help:"The scene."`
	Golden   string            `help:"PNG file that pictures are held against; otherwise the picture of the good end." type:"path"`
	Limit    float64           `help:"Largest MAD that is good; without it the default gates apply." default:"-1"`
	OwnLimit bool              `help:"Judge each revision by the MAD limit that it sets itself for the scene (with --golden)."`
	Repeats  int               `help:"Pictures of a revision that must all be good, for scenes that are noisy." default:"1"`
	Adapter  string            `help:"Adapter: an index, or part of a name, driver or backend." env:"DARKROOM_ADAPTER"`
	Backend  string            `help:"Backend: vulkan, gl, metal or dx12." enum:",vulkan,gl,metal,dx12" default:""`
	Assets   []string          `help:"Folders with third-party files." env:"DARKROOM_ASSETS" sep:":" type:"path"`
	Package  string            `help:"The program that draws, as go build takes it: render, or the judge of a module of scenes." default:"./cmd/render"`
	Args     string            `help:"Its arguments, where it is neither: {scene} is the scene, {out} the PNG file, {folder} an empty folder for it." placeholder:"'draw {scene} {out}'"`
	Flag     []string          `help:"A flag of go build, e.g. --flag=-tags=x."`
	Module   string            `help:"Folder of the module that is built, where it is not the repository that is bisected." type:"existingdir"`
	Replace  map[string]string `help:"MODULE=FOLDER: use this folder for a module; MODULE= is the revision that is bisected."`
	JSON     string            `name:"json" help:"Write the result as JSON." type:"path"`
	Film     string            `help:"Write the film strip of all pictures here." default:"report/bisect.html" type:"path"`
}

func (s *searching) limits(cat catalogue.Catalogue) metrics.Limits {
	if s.Limit >= 0 {
		return metrics.Limits{metrics.MAD: s.Limit}
	}
	if s.Golden != "" {
		if e, err := cat.Find(s.Scene); err == nil {
			return metrics.Limits{metrics.MAD: max(e.MaxMAD, e.NoiseMAD)}
		}
	}
	return nil
}

func (s *searching) builder() (bisect.GoBuilder, error) {
	b := bisect.GoBuilder{Package: s.Package, Flags: s.Flag, Module: s.Module, Replace: map[string]string{}}
	for m, d := range s.Replace {
		if d != "" {
			var err error
			if d, err = filepath.Abs(d); err != nil {
				return b, err
			}
		}
		b.Replace[m] = d
	}
	return b, nil
}

func (s *searching) runner(adapter, backend string) bisect.CommandRunner {
	r := bisect.CommandRunner{Args: strings.Fields(s.Args)}
	if len(r.Args) > 0 {
		return r // its flags are its own
	}
	if adapter != "" {
		r.More = append(r.More, "--adapter", adapter)
	}
	if backend != "" {
		r.More = append(r.More, "--backend", backend)
	}
	for _, a := range s.Assets {
		r.More = append(r.More, "--assets", a)
	}
	// A picture belongs to the driver and its version. Where the adapter cannot
	// be opened here the revisions will say so themselves.
	if x, err := renderer.Open(renderer.Options{Adapter: adapter, Backend: backend}); err == nil {
		r.Device = x.Adapter().String()
		x.Close()
	}
	return r
}

type bisectCmd struct {
	searching
	Good        []string `help:"Revision where the scene looked right; the first gives the reference picture."`
	Bad         string   `help:"Revision where it does not." default:"HEAD"`
	Repo        string   `help:"The repository that is bisected." default:"." type:"existingdir"`
	BelieveBad  bool     `help:"Draw the bad end only where all others are good, which saves a picture; otherwise both ends are proved first."`
	FirstParent bool     `help:"Follow the first parents alone: which merge brought it."`
	Path        []string `help:"Only commits that touch this path."`
	Resume      bool     `help:"Go on with an interrupted search."`
	NoCache     bool     `help:"Build and draw everything again."`
	Cache       string   `help:"Folder of builds and pictures; otherwise in the user's cache folder." type:"path"`
	Axis        string   `help:"Search over settings instead of commits: adapter, backend, driver-env or flag." enum:",adapter,backend,driver-env,flag" default:""`
	Value       []string `help:"A value of the axis: an adapter, a backend, NAME=VALUE, or a build flag. May be repeated; adapters and backends default to all there are." sep:"none"`
	Prune       bool     `help:"Remove from the cache what was not used for long, and end. A search does so by itself, keeping 30 days and 8192 MiB."`
	KeepDays    int      `help:"Days without use after which --prune removes something." default:"30"`
	KeepMiB     int64    `name:"keep-mib" help:"Size to which --prune brings the cache, in MiB." default:"8192"`
	Oracle      bool     `help:"Judge the checkout in --repo for git bisect run: exit with 0, 1 or 125."`
}

// Run searches.
func (c *bisectCmd) Run(ctx context.Context, out *cli.Output, cat catalogue.Catalogue) error {
	if c.Prune {
		return c.prune(ctx, out)
	}
	if c.Scene == "" {
		return fmt.Errorf("no scene is named; give one with --scene")
	}
	if c.Golden != "" && !fileExists(c.Golden) {
		return fmt.Errorf("--golden %s: there is no such file; give the PNG file that pictures are held against", c.Golden)
	}
	if math.IsNaN(c.Limit) {
		return fmt.Errorf("--limit is not a number; give the largest MAD that is good, 0 to 255")
	}
	if c.JSON != "" {
		if err := files.Target(c.JSON, "--json"); err != nil {
			return err
		}
	}
	if err := files.Target(c.Film, "--film"); err != nil && !c.Oracle {
		return err
	}
	b, err := c.builder()
	if err != nil {
		return err
	}
	switch {
	case c.Oracle:
		code, why := bisect.Oracle(ctx, bisect.OracleOptions{Dir: c.Repo, Scene: c.Scene, Golden: c.Golden, Limits: c.limits(cat), Repeats: c.Repeats, OwnLimit: c.OwnLimit, Builder: b, Runner: c.runner(c.Adapter, c.Backend)})
		fmt.Fprintln(os.Stderr, why)
		if code != 0 {
			return &cli.Exit{Code: code}
		}
		return nil
	case c.Axis != "":
		return c.axis(ctx, out, cat, b)
	}
	r, err := bisect.Run(ctx, bisect.Options{
		Repo: c.Repo, Scene: c.Scene, Good: c.Good, Bad: c.Bad, Golden: c.Golden, Limits: c.limits(cat), OwnLimit: c.OwnLimit, Repeats: c.Repeats,
		FirstParent: c.FirstParent, BelieveBad: c.BelieveBad, Paths: c.Path, Cache: c.Cache, Resume: c.Resume, NoCache: c.NoCache, Builder: b, Runner: c.runner(c.Adapter, c.Backend),
		Progress: func(v bisect.Verdict, left, steps int) {
			text := fmt.Sprintf("MAD %.5f", v.MAD)
			if v.Status == bisect.Skip {
				text = strings.SplitN(v.Reason, "\n", 2)[0]
			}
			fmt.Fprintf(os.Stderr, "%-4s %.12s  %s  (%s; %d left, about %d steps)  %s\n", v.Status, v.Commit, text, v.Cost(), left, steps, v.Subject)
		},
	})
	if err != nil {
		return err
	}
	if c.JSON != "" {
		if err := bisect.WriteJSON(c.JSON, r); err != nil {
			return err
		}
	}
	if err := bisect.WriteFilm(c.Film, r, bisect.FilmOptions{}); err != nil {
		return err
	}
	for _, n := range r.Notes {
		fmt.Fprintln(out, n)
	}
	if r.First == "" {
		fmt.Fprintf(out, "the first bad commit is one of\n  %s\n", strings.Join(r.Suspects, "\n  "))
	} else {
		fmt.Fprintf(out, "%s is the first bad commit\nAuthor: %s\nDate:   %s\n\n    %s\n\n%s\n", r.First, r.Author, r.Date, r.Subject, r.Stat)
	}
	fmt.Fprintf(out, "%d steps for %d commits, %d skipped; %d builds, %d renders\nfilm strip: %s\n", r.Steps, r.Range, r.Skipped, r.Builds, r.Renders, c.Film)
	return nil
}

// prune makes the cache small.
func (c *bisectCmd) prune(ctx context.Context, out *cli.Output) error {
	if c.KeepDays < 0 || c.KeepMiB < 0 {
		return fmt.Errorf("--keep-days %d and --keep-mib %d must not be negative; 0 keeps nothing", c.KeepDays, c.KeepMiB)
	}
	// Numbers that large mean "any".
	k := bisect.Keep{Age: -1, Bytes: -1}
	if c.KeepDays < 100000 {
		k.Age = time.Duration(c.KeepDays) * 24 * time.Hour
	}
	if c.KeepMiB < 1<<40 {
		k.Bytes = c.KeepMiB << 20
	}
	p, err := bisect.Prune(ctx, c.Cache, k)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "removed %d entries with %.1f MiB; %d with %.1f MiB are left\n", p.Removed, float64(p.RemovedBytes)/(1<<20), p.Left, float64(p.LeftBytes)/(1<<20))
	return nil
}

func (c *bisectCmd) axis(ctx context.Context, out *cli.Output, cat catalogue.Catalogue, b bisect.GoBuilder) (err error) {
	o := bisect.AxisOptions{Axis: c.Axis, Scene: c.Scene, Golden: c.Golden, Limits: c.limits(cat), Repeats: c.Repeats, Dir: c.Repo, Builder: b, Runner: c.runner(c.Adapter, c.Backend)}
	values := c.Value
	switch c.Axis {
	case "adapter", "backend":
		o.Each, o.Runner = true, c.runner("", "")
		if len(values) == 0 {
			list, err := renderer.Adapters()
			if err != nil {
				return err
			}
			for _, a := range list {
				f := bisect.Factor{Name: fmt.Sprintf("%d (%s, %s)", a.Index, a.Name, a.Backend), Args: []string{"--adapter", fmt.Sprint(a.Index)}}
				if c.Axis == "backend" {
					f = bisect.Factor{Name: a.Backend, Args: []string{"--backend", a.Backend}}
				}
				if !slices.ContainsFunc(o.Factors, func(x bisect.Factor) bool { return x.Name == f.Name }) {
					o.Factors = append(o.Factors, f)
				}
			}
		}
		for _, v := range values {
			o.Factors = append(o.Factors, bisect.Factor{Name: v, Args: []string{"--" + c.Axis, v}})
		}
	case "driver-env":
		for _, v := range values {
			if !strings.Contains(v, "=") {
				return fmt.Errorf("--value %s: an environment setting is written NAME=VALUE", v)
			}
			o.Factors = append(o.Factors, bisect.Factor{Name: v, Env: []string{v}})
		}
	case "flag":
		for _, v := range values {
			o.Factors = append(o.Factors, bisect.Factor{Name: v, Flags: []string{v}})
		}
	}
	// The film strip is made from the pictures.
	if o.Work, err = os.MkdirTemp("", "darkroom-axis-"); err != nil {
		return err
	}
	defer os.RemoveAll(o.Work)
	r, err := bisect.Axis(ctx, o)
	if err != nil {
		return err
	}
	if c.JSON != "" {
		if err := bisect.WriteJSON(c.JSON, r); err != nil {
			return err
		}
	}
	if err := bisect.WriteAxisFilm(c.Film, r, bisect.FilmOptions{}); err != nil {
		return err
	}
	for _, v := range r.Tested {
		text := fmt.Sprintf("MAD %.5f of %g", v.MAD, v.Limit)
		if v.Status == bisect.Skip {
			text = strings.SplitN(v.Reason, "\n", 2)[0]
		} else if v.Reason != "" {
			text = v.Reason
		}
		fmt.Fprintf(out, "%-4s %s  %s\n", v.Status, v.Commit, text)
	}
	if len(r.Culprits) == 0 {
		fmt.Fprintln(out, "no value of the axis changes the picture")
		return nil
	}
	fmt.Fprintf(out, "changes the picture: %s\n", strings.Join(r.Culprits, ", "))
	return nil
}
