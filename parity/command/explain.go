package command

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"darkroom/goldens"
	"darkroom/parity/bisect"
	"darkroom/parity/cli"
	"darkroom/parity/explain"
	"darkroom/renderer"
	"darkroom/scenes"
	"darkroom/scenes/catalogue"
)

// drawing are the flags of commands that draw one scene.
type drawing struct {
	Scene   string   `help:"The scene." required:""`
	Assets  []string `help:"Folders with third-party files." env:"DARKROOM_ASSETS" sep:":" type:"path"`
	Size    cli.Size `help:"Size of the pictures in pixels, as 1280x720."`
	Samples int      `help:"Samples per pixel: 1 or 4." enum:"0,1,4" default:"0"`
}

// args are the flags that have another program draw the same.
func (d *drawing) args() []string {
	args := []string{"--scene", d.Scene}
	for _, a := range d.Assets {
		args = append(args, "--assets", a)
	}
	if d.Size.W != 0 {
		args = append(args, "--size", fmt.Sprintf("%dx%d", d.Size.W, d.Size.H))
	}
	if d.Samples != 0 {
		args = append(args, "--samples", fmt.Sprint(d.Samples))
	}
	return args
}

func (d *drawing) settings(e *catalogue.Entry) renderer.Settings {
	s := renderer.Settings{Width: e.Width, Height: e.Height, Samples: d.Samples, Time: e.Time}
	if d.Size.W != 0 {
		s.Width, s.Height = d.Size.W, d.Size.H
	}
	return s
}

func (d *drawing) trace(ctx context.Context, cat catalogue.Catalogue, adapter, backend, side, out string) (*explain.Trace, error) {
	e, err := cat.Find(d.Scene)
	if err != nil {
		return nil, err
	}
	r, err := renderer.Open(renderer.Options{Adapter: adapter, Backend: backend})
	if err != nil {
		return nil, err
	}
	defer r.Close()
	if side == "" {
		side = r.Adapter().String()
	}
	return explain.Capture(ctx, r, func() (*scenes.Scene, error) { return e.Build(d.Assets) }, side, out, explain.Options{Settings: d.settings(e)})
}

type traceCmd struct {
	drawing
	Adapter string `help:"Adapter: an index, or part of a name, driver or backend." env:"DARKROOM_ADAPTER"`
	Backend string `help:"Backend: vulkan, gl, metal or dx12." enum:",vulkan,gl,metal,dx12" default:""`
	Side    string `help:"What to call this side."`
	Out     string `help:"Folder for the targets." required:"" type:"path"`
}

// Run draws a scene and keeps every target.
func (c *traceCmd) Run(ctx context.Context, out *cli.Output, cat catalogue.Catalogue) error {
	t, err := c.trace(ctx, cat, c.Adapter, c.Backend, c.Side, c.Out)
	if err != nil {
		return err
	}
	for _, s := range t.Stages {
		fmt.Fprintf(out, "%.12s  %s  %dx%d %s\n", s.Chain, s.Name, s.Width, s.Height, s.Format)
	}
	return nil
}

type explainCmd struct {
	drawing
	A         string  `help:"One side: adapter:NAME, rev:REVISION, golden:KEY or golden:FILE; plain \"here\" is this program on the default adapter." default:"here"`
	B         string  `help:"The other side." required:""`
	Tolerance float64 `help:"Largest MAD of a target that counts as equal; by default 0, and 0.5 where the adapters differ." default:"-1"`
	Repo      string  `help:"The repository of revisions." default:"." type:"existingdir"`
	Goldens   string  `help:"Golden store." default:"goldens" type:"path"`
	Program   string  `help:"The program of a revision that has the verb trace, as go build takes it." default:"./cmd/parity"`
	Report    string  `help:"Folder for the targets and the pictures." default:"report/explain" type:"path"`
	JSON      string  `name:"json" help:"Write the comparison as JSON." type:"path"`
}

// Run compares two sides.
func (c *explainCmd) Run(ctx context.Context, out *cli.Output, cat catalogue.Catalogue) error {
	a, err := c.side(ctx, cat, c.A, filepath.Join(c.Report, "a"))
	if err != nil {
		return fmt.Errorf("side %s: %w", c.A, err)
	}
	b, err := c.side(ctx, cat, c.B, filepath.Join(c.Report, "b"))
	if err != nil {
		return fmt.Errorf("side %s: %w", c.B, err)
	}
	o := explain.CompareOptions{Tolerance: c.Tolerance, Out: c.Report}
	if o.Tolerance < 0 {
		o.Tolerance = 0
		if strings.HasPrefix(c.A, "adapter:") || strings.HasPrefix(c.B, "adapter:") || strings.HasPrefix(c.A, "golden:") || strings.HasPrefix(c.B, "golden:") {
			o.Tolerance = 0.5
		}
	}
	rep, err := explain.Compare(a, b, o)
	if err != nil {
		return err
	}
	if c.JSON != "" {
		if err := bisect.WriteJSON(c.JSON, rep); err != nil {
			return err
		}
	}
	for i, r := range rep.Rows {
		word := "close"
		switch {
		case r.Equal:
			word = "equal"
		case r.Parts && i == rep.First:
			word = "PARTS"
		case r.Parts:
			word = "parts"
		}
		fmt.Fprintf(out, "%s  MAD %9.5f  max %9.3f  %s\n", word, r.MAD, r.Max, r.Stage.Name)
	}
	for _, n := range rep.Notes {
		fmt.Fprintln(out, n)
	}
	fmt.Fprintln(out, rep.Text)
	if rep.Diff != "" {
		fmt.Fprintf(out, "pictures: %s, %s, %s\n", rep.PictureA, rep.PictureB, rep.Diff)
	}
	if rep.First >= 0 {
		return &cli.Exit{Code: cli.Differs}
	}
	return nil
}

func (c *explainCmd) side(ctx context.Context, cat catalogue.Catalogue, side, out string) (*explain.Trace, error) {
	out, err := filepath.Abs(out)
	if err != nil {
		return nil, err
	}
	kind, name, _ := strings.Cut(side, ":")
	switch kind {
	case "here":
		return c.trace(ctx, cat, "", "", "", out)
	case "adapter":
		return c.trace(ctx, cat, name, "", "", out)
	case "golden":
		if _, err := os.Stat(name); err != nil {
			if goldens.CheckName(name) != nil || strings.HasSuffix(name, ".png") {
				return nil, fmt.Errorf("there is no file %s; give golden: a key of the store or a PNG file", name)
			}
			name = (&goldens.Store{Root: c.Goldens}).Path(c.Scene, name)
		}
		return explain.Golden(name, c.Scene, out)
	case "rev":
		err := bisect.At(ctx, bisect.AtOptions{Repo: c.Repo, Rev: name, Builder: bisect.GoBuilder{Package: c.Program}}, func(bin, dir string) error {
			args := append([]string{"trace", "--side", "revision " + name, "--out", out}, c.args()...)
			cmd := exec.CommandContext(ctx, bin, args...)
			cmd.Dir = dir
			var text bytes.Buffer
			cmd.Stderr = &text
			if err := cmd.Run(); err != nil {
				if strings.Contains(text.String(), "unexpected argument trace") {
					return fmt.Errorf("that revision is older than the verb trace, so its targets cannot be kept; compare its picture with golden:FILE instead")
				}
				return fmt.Errorf("the revision's program failed: %w: %s", err, strings.TrimSpace(text.String()))
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
		return explain.Load(out)
	}
	return nil, fmt.Errorf("it is none of here, adapter:NAME, rev:REVISION, golden:KEY and golden:FILE")
}
