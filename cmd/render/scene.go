package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"io"
	"text/tabwriter"
	"time"

	"darkroom/goldens/png"
	"darkroom/parity/cli"
	"darkroom/renderer"
	"darkroom/scenes/catalogue"
	"darkroom/scenes/files"
)

type listCmd struct {
	Tag  string `help:"Only scenes with this tag."`
	JSON bool   `name:"json" help:"Print JSON."`
}

// Run lists the catalogue.
func (l *listCmd) Run(out *cli.Output) error {
	type row struct {
		Name        string   `json:"name"`
		Description string   `json:"description"`
		Tags        []string `json:"tags"`
		MaxMAD      float64  `json:"max_mad"`
		Assets      []string `json:"assets,omitempty"`
	}
	rows := []row{}
	for _, e := range catalogue.All() {
		if l.Tag == "" || e.HasTag(l.Tag) {
			rows = append(rows, row{e.Name, e.Description, e.Tags, e.MaxMAD, e.Assets})
		}
	}
	if l.JSON {
		return printJSON(out, rows)
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, r := range rows {
		fmt.Fprintf(w, "%s\t%s\n", r.Name, r.Description)
	}
	return w.Flush()
}

type adaptersCmd struct {
	JSON bool `name:"json" help:"Print JSON."`
}

// Run lists the adapters.
func (a *adaptersCmd) Run(out *cli.Output) error {
	list, err := renderer.Adapters()
	if err != nil {
		return err
	}
	if a.JSON {
		return printJSON(out, list)
	}
	for _, x := range list {
		fmt.Fprintln(out, x)
	}
	return nil
}

func printJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(v)
}

type sceneCmd struct {
	shared
	Names   []string `arg:"" help:"Names or patterns (* and ?) of scenes; all prints the whole catalogue."`
	Out     string   `short:"o" default:"out" type:"path" help:"Folder for the pictures."`
	Size    cli.Size `help:"Size of the pictures in pixels, as 1280x720."`
	Samples int      `help:"Samples per pixel: 1 or 4." enum:"0,1,4" default:"0"`
	Time    *float64 `help:"Time of the picture in seconds."`
	Hash    bool     `help:"Print the SHA-256 of each picture's pixels."`
}

// drawn is what is said of one picture.
type drawn struct {
	Scene  string  `json:"scene"`
	File   string  `json:"file,omitempty"`
	Width  int     `json:"width,omitempty"`
	Height int     `json:"height,omitempty"`
	MS     float64 `json:"ms"`
	Digest string  `json:"digest,omitempty"`
	Error  string  `json:"error,omitempty"`
}

// Run renders the named scenes.
func (c *sceneCmd) Run(ctx context.Context, out *cli.Output) error {
	if c.Time != nil {
		if err := finite("--time", *c.Time); err != nil {
			return err
		}
	}
	names := c.Names
	if len(names) == 1 && names[0] == "all" {
		names = nil
	}
	list, err := select1(names)
	if err != nil {
		return err
	}
	if err := files.Folder(c.Out, "--out"); err != nil {
		return err
	}
	r, err := c.open()
	if err != nil {
		return err
	}
	defer r.Close()
	bar := cli.Progress(len(list))
	var rows []drawn
	var failed error
	for _, e := range list {
		d, err := c.draw(ctx, r, e)
		if err != nil {
			d.Error = err.Error()
			failed = errors.Join(failed, err)
		}
		rows = append(rows, d)
		bar.Step()
	}
	bar.Done()
	if c.JSON {
		if err := printJSON(out, struct {
			Adapter renderer.Adapter `json:"adapter"`
			Results []drawn          `json:"results"`
		}{r.Adapter(), rows}); err != nil {
			return err
		}
	} else {
		for _, d := range rows {
			if d.Error == "" {
				line := fmt.Sprintf("%s  %dx%d  %.0f ms", d.File, d.Width, d.Height, d.MS)
				if c.Hash {
					line += "  " + d.Digest
				}
				fmt.Fprintln(out, line)
			}
		}
	}
	return failed
}

func (c *sceneCmd) draw(ctx context.Context, r *renderer.Renderer, e *catalogue.Entry) (drawn, error) {
	d := drawn{Scene: e.Name}
	start := time.Now()
	s, err := e.Build(c.Assets)
	if err != nil {
		return d, fmt.Errorf("scene %s: %w", e.Name, err)
	}
	set := renderer.Settings{Width: e.Width, Height: e.Height, Samples: c.Samples, Time: e.Time}
	if c.Size.W != 0 {
		set.Width, set.Height = c.Size.W, c.Size.H
	}
	if c.Time != nil {
		set.Time = *c.Time
	}
	f, err := r.Render(ctx, s, set)
	if err != nil {
		return d, err
	}
	img := &image.NRGBA{Pix: f.Pix, Stride: f.Width * 4, Rect: image.Rect(0, 0, f.Width, f.Height)}
	d.File, d.Width, d.Height, d.Digest = output(c.Out, e.Name), f.Width, f.Height, digest(img)
	err = png.Write(d.File, img, png.Options{})
	d.MS = float64(time.Since(start).Microseconds()) / 1000
	return d, err
}
