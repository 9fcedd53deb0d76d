package command

import (
	"context"
	"fmt"
	"image"
	"os"
	"path/filepath"

	"darkroom/goldens/png"
	"darkroom/parity/cli"
	"darkroom/parity/metrics"
	"darkroom/parity/minimise"
	"darkroom/renderer"
	"darkroom/scenes"
	"darkroom/scenes/catalogue"
)

type minimiseCmd struct {
	drawing
	A        string  `help:"One adapter." required:""`
	B        string  `help:"The other adapter." required:""`
	Limit    float64 `help:"The MAD above which the adapters differ." default:"0.5"`
	MaxTests int     `help:"How many scenes may be drawn." default:"2000"`
	Out      string  `help:"Folder for the scene that is left: scene.go and scene.json." default:"report/minimise" type:"path"`
}

// Run cuts a scene down to what two adapters draw differently.
func (c *minimiseCmd) Run(ctx context.Context, out *cli.Output, cat catalogue.Catalogue) error {
	e, err := cat.Find(c.Scene)
	if err != nil {
		return err
	}
	var sides [2]*renderer.Renderer
	for i, name := range []string{c.A, c.B} {
		if sides[i], err = renderer.Open(renderer.Options{Adapter: name}); err != nil {
			return err
		}
		defer sides[i].Close()
	}
	set := c.settings(e)
	res, err := minimise.Scene(ctx, minimise.Options{
		Build:    func() (*scenes.Scene, error) { return e.Build(c.Assets) },
		MaxTests: c.MaxTests,
		Progress: func(tests, left int) { fmt.Fprintf(os.Stderr, "\r%d tests, %d elements", tests, left) },
		Differs: func(ctx context.Context, s *scenes.Scene) (bool, error) {
			var img [2]*image.NRGBA
			for i, r := range sides {
				f, err := r.Render(ctx, s, set)
				if err != nil {
					return false, ctx.Err() // what cannot be drawn does not differ
				}
				img[i] = &image.NRGBA{Pix: f.Pix, Stride: f.Width * 4, Rect: image.Rect(0, 0, f.Width, f.Height)}
			}
			m, err := metrics.Measure(img[0], img[1], metrics.Options{NoRegion: true})
			return err == nil && m.MAD > c.Limit, err
		},
	})
	fmt.Fprintln(os.Stderr)
	if err != nil {
		return err
	}
	for _, k := range res.Kept {
		fmt.Fprintf(out, "%-12s %s\n", k.Kind, k.Name)
	}
	fmt.Fprintf(out, "%d of %d elements are left after %d tests; without any one of them the adapters agree\n", len(res.Kept), res.All, res.Tests)
	if !res.Complete {
		fmt.Fprintln(out, "the number of tests was used up; more may be dropped (--max-tests)")
	}
	src, lost, err := minimise.Source(res.Scene, "catalogue", "minimal")
	if err != nil {
		return err
	}
	for _, l := range lost {
		fmt.Fprintf(out, "not in the source: %s\n", l)
	}
	if err := png.WriteFile(filepath.Join(c.Out, "scene.go"), src); err != nil {
		return err
	}
	js, err := minimise.JSON(res.Scene)
	if err != nil {
		return err
	}
	if err := png.WriteFile(filepath.Join(c.Out, "scene.json"), js); err != nil {
		return err
	}
	fmt.Fprintf(out, "written: %s and scene.json\n", filepath.Join(c.Out, "scene.go"))
	return nil
}
