package command

import (
	"context"
	"encoding/json"
	"fmt"
	"image"
	"path/filepath"

	"darkroom/goldens/png"
	"darkroom/parity/cli"
	"darkroom/renderer"
	"darkroom/scenes/catalogue"
)

// sceneCmd and listCmd are what bisect asks a program for. Here they let it ask
// the only program that a module of scenes may have, its judge.
type sceneCmd struct {
	Name    string   `arg:"" help:"The scene."`
	Out     string   `help:"Folder for the picture." required:"" type:"path"`
	Adapter string   `help:"Adapter: an index, or part of a name, driver or backend." env:"DARKROOM_ADAPTER"`
	Backend string   `help:"Backend: vulkan, gl, metal or dx12." enum:",vulkan,gl,metal,dx12" default:""`
	Assets  []string `help:"Folders with third-party files." env:"DARKROOM_ASSETS" sep:":" type:"path"`
}

// Run draws a scene to a PNG file.
func (c *sceneCmd) Run(ctx context.Context, cat catalogue.Catalogue) error {
	e, err := cat.Find(c.Name)
	if err != nil {
		return err
	}
	s, err := e.Build(c.Assets)
	if err != nil {
		return err
	}
	r, err := renderer.Open(renderer.Options{Adapter: c.Adapter, Backend: c.Backend})
	if err != nil {
		return err
	}
	defer r.Close()
	f, err := r.Render(ctx, s, (&drawing{}).settings(e))
	if err != nil {
		return err
	}
	img := &image.NRGBA{Pix: f.Pix, Stride: f.Width * 4, Rect: image.Rect(0, 0, f.Width, f.Height)}
	return png.Write(filepath.Join(c.Out, e.Name+".png"), img, png.Options{})
}

type listCmd struct {
	JSON bool `name:"json" help:"As JSON."`
}

// Run lists the scenes.
func (c *listCmd) Run(out *cli.Output, cat catalogue.Catalogue) error {
	type row struct {
		Name   string  `json:"name"`
		MaxMAD float64 `json:"max_mad"`
	}
	rows := []row{}
	for _, e := range cat {
		if !c.JSON {
			fmt.Fprintln(out, e.Name)
		}
		rows = append(rows, row{e.Name, e.MaxMAD})
	}
	if c.JSON {
		return json.NewEncoder(out).Encode(rows)
	}
	return nil
}
