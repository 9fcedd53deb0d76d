package command

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"time"

	"darkroom/goldens"
	"darkroom/parity"
	"darkroom/parity/cli"
	"darkroom/parity/shard"
	"darkroom/parity/verdict"
	"darkroom/reports"
	"darkroom/scenes/catalogue"
	"darkroom/scenes/files"
)

// judging are the flags of every command that renders and judges.
type judging struct {
	Adapter string   `help:"Adapter: an index, or part of a name, driver or backend." env:"DARKROOM_ADAPTER"`
	Backend string   `help:"Backend: vulkan, gl, metal or dx12." enum:",vulkan,gl,metal,dx12" default:""`
	Assets  []string `help:"Folders with third-party files." env:"DARKROOM_ASSETS" sep:":" type:"path"`
	Goldens string   `help:"Golden store, or a flat folder of SCENE.png." default:"goldens" type:"path"`
	Against string   `help:"Judge with the goldens of this key alone, e.g. babylonjs."`
	Size    cli.Size `help:"Size of the pictures in pixels, as 1280x720."`
	Samples int      `help:"Samples per pixel: 1 or 4." enum:"0,1,4" default:"0"`
}

func (j *judging) options(pictures string) parity.Judging {
	return parity.Judging{Assets: j.Assets, Adapter: j.Adapter, Backend: j.Backend, Goldens: j.Goldens, Against: j.Against, Pictures: pictures, Width: j.Size.W, Height: j.Size.H, Samples: j.Samples}
}

type runCmd struct {
	judging
	Names   []string      `arg:"" optional:"" help:"Names or patterns of scenes; none means all."`
	Tag     []string      `help:"Only scenes with one of these tags."`
	Report  string        `help:"Folder for the reports and pictures." default:"report" type:"path"`
	JSON    string        `name:"json" help:"Write the JSON document here as well; - is standard output."`
	Workers int           `help:"Worker processes; 0 renders in this one, -1 means one per two cores." default:"-1"`
	Recycle int           `help:"Scenes after which a worker is replaced." default:"50"`
	Timeout time.Duration `help:"Time that one scene may take." default:"2m"`
	Census  bool          `help:"Draw every scene to a float target, too, and fail NaN and Inf." default:"true" negatable:""`
	Noise   cli.Amount    `help:"Scenes to draw again, also after others and on fresh devices, to measure how far repeats are apart: a number or all." default:"2"`
	Keep    bool          `help:"Keep the pictures of scenes that pass, too."`
	Resume  bool          `help:"Go on with the interrupted run in the report folder."`
	Shard   string        `help:"Run part i of n, as i/n; otherwise from the job's variables."`
	Skips   bool          `name:"allow-not-run" help:"Scenes that lack a third-party file do not fail the run."`
	History string        `help:"File that keeps the measures of earlier runs, for the report; this run's are added." type:"path"`
	Fine    bool          `help:"Exit with the fine code of the worst verdict (10 to 31)."`
}

// Run judges the catalogue.
func (c *runCmd) Run(ctx context.Context, out *cli.Output, cat catalogue.Catalogue) error {
	list, err := cat.Select(c.Names...)
	if err != nil {
		return err
	}
	if len(c.Tag) > 0 {
		list = tagged(list, c.Tag)
	}
	sh, source, err := c.shard()
	if err != nil {
		return err
	}
	names := namesOf(list)
	all := shard.CatalogueDigest(names)
	if !sh.Whole() {
		costs, err := (&goldens.Store{Root: c.Goldens}).Costs()
		if err != nil {
			return err
		}
		part, err := shard.Split(names, costs, sh)
		if err != nil {
			return err
		}
		if len(part) == 0 {
			return fmt.Errorf("shard %s is empty, so nothing would be judged: the selection has %s; ask for fewer shards", sh, cli.Count(len(names), "scene"))
		}
		if list, err = list.Select(part...); err != nil {
			return err
		}
		fmt.Fprintf(os.Stderr, "shard %s (%s): %d of %d scenes\n", sh, source, len(part), len(names))
	}
	if err := c.check(); err != nil {
		return err
	}
	if c.Workers < 0 {
		c.Workers = max(1, runtime.NumCPU()/2)
	}
	how := c.options(filepath.Join(c.Report, "pictures"))
	how.Keep, how.Census = c.Keep, c.Census
	bar := cli.Progress(len(list))
	run, err := parity.Run(ctx, parity.Options{
		Judging: how, Catalogue: list, Workers: c.Workers, Recycle: c.Recycle, Timeout: c.Timeout,
		Journal: filepath.Join(c.Report, "journal.jsonl"), Resume: c.Resume, Shard: sh.String(), CatalogueDigest: all,
		Command: strings.Join(os.Args, " "), Commit: commit(), Binding: binding(), Noise: int(c.Noise), Progress: func(int, int, verdict.Result) { bar.Step() },
	})
	bar.Done()
	if err != nil {
		return err
	}
	return c.finish(out, run)
}

// check proves ahead of the work that its results can be written.
func (c *runCmd) check() error {
	if err := files.Folder(c.Report, "--report"); err != nil {
		return err
	}
	for _, name := range reportFiles {
		if err := files.Target(filepath.Join(c.Report, name), "--report"); err != nil {
			return err
		}
	}
	if c.JSON != "" && c.JSON != "-" {
		if err := files.Target(c.JSON, "--json"); err != nil {
			return err
		}
	}
	if c.History == "" {
		return nil
	}
	if err := files.Target(c.History, "--history"); err != nil {
		return err
	}
	_, err := reports.LoadHistory(c.History)
	return err
}

func (c *runCmd) shard() (shard.Shard, string, error) {
	if c.Shard != "" {
		s, err := shard.Parse(c.Shard)
		return s, "--shard", err
	}
	return shard.FromEnvironment(os.Getenv)
}

func (c *runCmd) finish(out *cli.Output, run *verdict.Run) error {
	policy := verdict.Policy{AllowSkip: c.Skips}
	if err := writeReports(out, c.Report, c.History, run, policy); err != nil {
		return err
	}
	if c.JSON != "" {
		if err := writeJSON(out, c.JSON, run); err != nil {
			return err
		}
	}
	if c.JSON != "-" {
		printRun(out, run, c.Report)
	}
	code := run.ExitCode(policy)
	if c.Fine {
		code = run.FineExitCode(policy)
	}
	if code != 0 {
		return &cli.Exit{Code: code}
	}
	return nil
}

func tagged(list catalogue.Catalogue, tags []string) catalogue.Catalogue {
	var out catalogue.Catalogue
	for _, e := range list {
		for _, t := range tags {
			if e.HasTag(t) {
				out = append(out, e)
				break
			}
		}
	}
	return out
}

func namesOf(list catalogue.Catalogue) []string {
	out := make([]string, len(list))
	for i, e := range list {
		out[i] = e.Name
	}
	return out
}

// commit is the revision that this program was built from. Where the build
// does not say (go run, a linked work tree) it is that of the module that the
// working folder is in, if this program is built from it.
func commit() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	var rev string
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			rev = s.Value
		case s.Key == "vcs.modified" && s.Value == "true":
			rev += "+dirty"
		}
	}
	if rev == "" {
		rev = checkout(info.Main.Path)
	}
	return rev
}

// checkout is the revision of the work tree around the working folder where
// that is the module's, with "+dirty" where Go files in it are changed.
func checkout(module string) string {
	git := func(args ...string) (string, bool) {
		b, err := exec.Command("git", args...).Output()
		return strings.TrimSpace(string(b)), err == nil
	}
	top, ok := git("rev-parse", "--show-toplevel")
	if !ok {
		return ""
	}
	mod, err := files.Read(filepath.Join(top, "go.mod"), 1<<20)
	if err != nil || !strings.HasPrefix(string(mod), "module "+module+"\n") {
		return ""
	}
	rev, ok := git("rev-parse", "HEAD")
	if !ok {
		return ""
	}
	if changed, ok := git("-C", top, "status", "--porcelain", "--", "*.go", "*.wgsl", "go.mod"); !ok || changed != "" {
		rev += "+dirty"
	}
	return rev
}

func writeJSON(out *cli.Output, path string, run *verdict.Run) error {
	b, err := json.MarshalIndent(run, "", "  ")
	if err != nil {
		return err
	}
	b = append(b, '\n')
	if path == "-" {
		_, err = out.Write(b)
		return err
	}
	return files.Write(path, b)
}

// printRun prints a line a scene and a summary.
func printRun(w io.Writer, run *verdict.Run, report string) {
	fmt.Fprintf(w, "adapter: %s\n", run.Adapter)
	if c := run.Canary; c != nil && c.Text != "" {
		fmt.Fprintf(w, "canary: %s\n", c.Text)
	}
	if n := run.NoiseFloor(); n != "" {
		fmt.Fprintf(w, "noise: %s\n", n)
	}
	for i := range run.Results {
		r := &run.Results[i]
		line := fmt.Sprintf("%-14s %-40s", r.Verdict, r.Scene)
		if r.MAD != nil {
			line += fmt.Sprintf(" MAD %.4f", *r.MAD)
			if r.Limit != nil {
				line += fmt.Sprintf(" of %.4g", *r.Limit)
			}
		}
		if r.Reason != "" {
			line += "  " + strings.SplitN(r.Reason, "\n", 2)[0]
		}
		if len(r.Diagnosis) > 0 {
			line += "  (" + r.Diagnosis[0].Text + ")"
		}
		fmt.Fprintln(w, line)
	}
	passed, skipped := 0, 0
	for i := range run.Results {
		switch r := &run.Results[i]; {
		case r.Passed():
			passed++
		case r.Verdict == verdict.NotRun && r.Skip:
			skipped++
		}
	}
	fmt.Fprintf(w, "%d passed, %d failed, %d skipped\nreport: %s\n", passed, len(run.Results)-passed-skipped, skipped, filepath.Join(report, "index.html"))
}
