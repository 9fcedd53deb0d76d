package command

import (
	"context"
	"errors"
	"fmt"
	"image"
	"image/draw"
	"os"
	"os/exec"
	"strings"

	"darkroom/goldens"
	"darkroom/goldens/png"
	"darkroom/parity/bisect"
	"darkroom/parity/cli"
	"darkroom/parity/minimise"
	"darkroom/renderer"
	"darkroom/scenes"
	"darkroom/scenes/catalogue"
)

// side draws a scene in a search for the smallest one. The scene comes as this
// program built it, without the elements dropped.
type side interface {
	draw(ctx context.Context, s *scenes.Scene, dropped []minimise.Key) (*image.NRGBA, error)
	close()
}

// adapterSide is an adapter of this machine.
type adapterSide struct {
	r   *renderer.Renderer
	set renderer.Settings
}

func (a *adapterSide) draw(ctx context.Context, s *scenes.Scene, _ []minimise.Key) (*image.NRGBA, error) {
	f, err := a.r.Render(ctx, s, a.set)
	if err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, fmt.Errorf("%w: %w", minimise.ErrUndrawable, err)
	}
	return &image.NRGBA{Pix: f.Pix, Stride: f.Width * 4, Rect: image.Rect(0, 0, f.Width, f.Height)}, nil
}

func (a *adapterSide) close() { a.r.Close() }

// processSide is the program of a revision.
type processSide struct{ *minimise.Process }

func (p processSide) draw(ctx context.Context, _ *scenes.Scene, dropped []minimise.Key) (*image.NRGBA, error) {
	return p.Draw(ctx, dropped)
}

func (p processSide) close() { p.Close() }

// goldenSide is a golden: the picture of the whole scene.
type goldenSide struct{ picture *image.NRGBA }

func (goldenSide) draw(context.Context, *scenes.Scene, []minimise.Key) (*image.NRGBA, error) {
	return nil, fmt.Errorf("a golden draws nothing")
}

func (goldenSide) close() {}

// with opens a side, calls use with it and closes it. A revision's worktree is
// there as long.
func (c *minimiseCmd) with(ctx context.Context, e *catalogue.Entry, spec string, use func(side) error) error {
	kind, name, found := strings.Cut(spec, ":")
	switch {
	case kind == "rev" && found:
		dir, err := os.MkdirTemp("", "darkroom-minimise-")
		if err != nil {
			return err
		}
		defer os.RemoveAll(dir)
		at := bisect.AtOptions{Repo: c.Repo, Rev: name, Builder: bisect.GoBuilder{Package: c.Program}}
		return bisect.At(ctx, at, func(bin, tree string) error {
			p := processSide{&minimise.Process{Dir: dir, Command: func(ctx context.Context) *exec.Cmd {
				cmd := exec.CommandContext(ctx, bin, append([]string{"draw"}, c.args()...)...)
				cmd.Dir = tree
				return cmd
			}}}
			defer p.close()
			return use(p)
		})
	case kind == "golden" && found:
		if !fileExists(name) {
			name = (&goldens.Store{Root: c.Goldens}).Path(c.Scene, name)
		}
		img, _, err := png.Read(name, png.Caps{})
		if err != nil {
			return err
		}
		flat := image.NewNRGBA(image.Rect(0, 0, img.Bounds().Dx(), img.Bounds().Dy()))
		draw.Draw(flat, flat.Rect, img, img.Bounds().Min, draw.Src)
		return use(goldenSide{flat})
	case kind == "here" && !found:
		name = ""
	case kind != "adapter":
		name = spec // an adapter by its plain name
	}
	r, err := renderer.Open(renderer.Options{Adapter: name})
	if err != nil {
		return fmt.Errorf("%w; a side is here, adapter:NAME, rev:REVISION, golden:KEY or golden:FILE", err)
	}
	a := &adapterSide{r, c.settings(e)}
	defer a.close()
	return use(a)
}

// drawCmd is the other end of a revision's side.
type drawCmd struct {
	drawing
	Adapter string `help:"Adapter: an index, or part of a name, driver or backend." env:"DARKROOM_ADAPTER"`
}

// Run serves.
func (c *drawCmd) Run(ctx context.Context, out *cli.Output, cat catalogue.Catalogue) error {
	e, err := cat.Find(c.Scene)
	if err != nil {
		return err
	}
	r, err := renderer.Open(renderer.Options{Adapter: c.Adapter})
	if err != nil {
		return err
	}
	a := &adapterSide{r, c.settings(e)}
	defer a.close()
	return minimise.Serve(ctx, func() (*scenes.Scene, error) { return e.Build(c.Assets) }, func(ctx context.Context, s *scenes.Scene) (*image.NRGBA, error) {
		return a.draw(ctx, s, nil)
	}, os.Stdin, out)
}

// elementsOf are the elements of a side that builds the scene by itself.
func elementsOf(ctx context.Context, s side) ([]minimise.Key, error) {
	p, ok := s.(processSide)
	if !ok {
		return nil, nil
	}
	list, err := p.Elements(ctx)
	if err != nil && strings.Contains(err.Error(), "unexpected argument draw") {
		return nil, errors.New("that revision is older than the verb draw, so it cannot be asked for parts of the scene; hold a picture of it against this program with golden:FILE")
	}
	return list, err
}
