package command

import (
	"context"
	"fmt"
	"os"

	"darkroom/goldens/png"
	"darkroom/parity/bisect"
	"darkroom/parity/cli"
	"darkroom/parity/mutate"
	"darkroom/renderer"
	"darkroom/scenes/catalogue"
)

type mutateCmd struct {
	Names      []string `arg:"" optional:"" help:"Names or patterns of scenes; none means all."`
	Adapter    string   `help:"Adapter: an index, or part of a name, driver or backend." env:"DARKROOM_ADAPTER"`
	Backend    string   `help:"Backend: vulkan, gl, metal or dx12." enum:",vulkan,gl,metal,dx12" default:""`
	Assets     []string `help:"Folders with third-party files." env:"DARKROOM_ASSETS" sep:":" type:"path"`
	References string   `help:"Folder of the reference engine's pictures, SCENE.png." type:"path"`
	Size       cli.Size `help:"Size of the pictures in pixels; other than the scenes' own, there are no reference pictures."`
	Out        string   `help:"The table." default:"goldens/SENSITIVITY.md" type:"path"`
	JSON       string   `name:"json" help:"Write the cells as JSON." type:"path"`
}

// Run makes faults and writes who notices.
func (c *mutateCmd) Run(ctx context.Context, cat catalogue.Catalogue) error {
	list, err := cat.Select(c.Names...)
	if err != nil {
		return err
	}
	r, err := renderer.Open(renderer.Options{Adapter: c.Adapter, Backend: c.Backend})
	if err != nil {
		return err
	}
	defer r.Close()
	t, err := mutate.Run(ctx, mutate.Options{
		Renderer: r, Catalogue: list, Assets: c.Assets, References: c.References, Width: c.Size.W, Height: c.Size.H,
		Progress: func(x mutate.Cell) {
			fmt.Fprintf(os.Stderr, "%-8s %-14s MAD %.5f  %s\n", x.Outcome, x.Mutant, x.MAD, x.Scene)
		},
	})
	if err != nil {
		return err
	}
	if c.JSON != "" {
		if err := bisect.WriteJSON(c.JSON, t); err != nil {
			return err
		}
	}
	if err := png.WriteFile(c.Out, []byte(t.Markdown())); err != nil {
		return err
	}
	for _, m := range t.Mutants {
		n, ref, traced := t.Score(m.Name)
		fmt.Printf("%-14s shows in %d scenes, noticed in %d (%d by the reference)\n", m.Name, traced, n, ref)
	}
	fmt.Println(c.Out)
	return nil
}
