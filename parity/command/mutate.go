package command

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"darkroom/scenes/files"

	"darkroom/goldens"
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
	Goldens    string   `help:"Golden store, whose pictures of Babylon.js are the references where --references has none." default:"goldens" type:"path"`
	Add        []string `help:"Earlier --json documents: scenes that are not drawn this time are taken over from them." type:"existingfile"`
	Size       cli.Size `help:"Size of the pictures in pixels; other than the scenes' own, there are no reference pictures."`
	Out        string   `help:"The table." default:"goldens/SENSITIVITY.md" type:"path"`
	JSON       string   `name:"json" help:"Write the cells as JSON." type:"path"`
}

// reference is the file of a scene's reference picture.
func (c *mutateCmd) reference(scene string) string {
	if c.References != "" {
		if name := filepath.Join(c.References, scene+".png"); fileExists(name) {
			return name
		}
	}
	return (&goldens.Store{Root: c.Goldens}).Path(scene, goldens.Reference)
}

func fileExists(name string) bool {
	_, err := os.Stat(name)
	return err == nil
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
		Renderer: r, Catalogue: list, Assets: c.Assets, Reference: c.reference, Width: c.Size.W, Height: c.Size.H,
		Progress: func(x mutate.Cell) {
			fmt.Fprintf(os.Stderr, "%-8s %-14s MAD %.5f  %s\n", x.Outcome, x.Mutant, x.MAD, x.Scene)
		},
	})
	if err != nil {
		return err
	}
	for _, name := range c.Add {
		b, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		var old mutate.Table
		if err := json.Unmarshal(b, &old); err != nil {
			return fmt.Errorf("%s: %w; give it what --json wrote", name, err)
		}
		if err := t.Add(&old, cat); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	if c.JSON != "" {
		if err := bisect.WriteJSON(c.JSON, t); err != nil {
			return err
		}
	}
	if err := files.Write(c.Out, []byte(t.Markdown())); err != nil {
		return err
	}
	for _, m := range t.Mutants {
		n, ref, traced := t.Score(m.Name)
		fmt.Printf("%-14s shows in %d scenes, noticed in %d (%d by the reference)\n", m.Name, traced, n, ref)
	}
	fmt.Println(c.Out)
	return nil
}
