package main

import (
	"context"
	"errors"
	"fmt"
	"image"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"darkroom/composer"
	"darkroom/goldens/picture"
	"darkroom/parity/cli"
	"darkroom/renderer"
	"darkroom/scenes/catalogue"
	"darkroom/scenes/files"
)

func digest(img image.Image) string {
	d, err := picture.Digest(img)
	if err != nil {
		return ""
	}
	return d
}

type wgslCmd struct {
	shared
	Name string `arg:"" help:"Name or pattern of scenes; all means the whole catalogue."`
	Mesh string `help:"Only the shader of this node."`
	Raw  string `help:"Write each distinct shader as a .wgsl file into this folder instead of printing." type:"path"`
}

// Run prints composed shaders with the origin of every line in the margin.
func (c *wgslCmd) Run(ctx context.Context, out *cli.Output) error {
	names := []string{c.Name}
	if c.Name == "all" {
		names = nil
	}
	list, err := select1(names)
	if err != nil {
		return err
	}
	if c.Raw != "" {
		if err := files.Folder(c.Raw, "--raw"); err != nil {
			return err
		}
	}
	r, err := c.open()
	if err != nil {
		return err
	}
	defer r.Close()
	for _, e := range list {
		err := c.scene(ctx, out, r, e)
		if c.Raw != "" && errors.Is(err, catalogue.ErrNoAsset) {
			fmt.Fprintf(os.Stderr, "left out: %v\n", err)
			continue
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// scene prints or writes the shaders of one scene.
func (c *wgslCmd) scene(ctx context.Context, out *cli.Output, r *renderer.Renderer, e *catalogue.Entry) error {
	s, err := e.Build(c.Assets)
	if err != nil {
		return fmt.Errorf("scene %s: %w", e.Name, err)
	}
	x, err := r.Session(s, renderer.Settings{Width: e.Width, Height: e.Height, Time: e.Time})
	if err != nil {
		return err
	}
	defer x.Close()
	shaders, err := x.Shaders(e.Time)
	if err != nil {
		return err
	}
	if c.Raw != "" {
		// Drawing takes every shader through the device's own compiler.
		if _, err := x.Draw(ctx, e.Time); err != nil {
			return err
		}
	}
	found := false
	for _, sh := range shaders {
		if c.Mesh != "" && !slices.Contains(sh.Nodes, c.Mesh) {
			continue
		}
		found = true
		if c.Raw != "" {
			if err := writeRaw(c.Raw, e.Name, sh.Shader); err != nil {
				return err
			}
			continue
		}
		fmt.Fprintf(out, "// pass %s, nodes %s\n// vertex stage\n%s", sh.Pass, strings.Join(sh.Nodes, ", "), sh.Shader.Listing(composer.StageVertex))
		if sh.Shader.FragmentWGSL != "" {
			fmt.Fprintf(out, "// fragment stage\n%s", sh.Shader.Listing(composer.StageFragment))
		}
	}
	if !found && c.Mesh != "" {
		return fmt.Errorf("scene %s has no node %q with a mesh", e.Name, c.Mesh)
	}
	return nil
}

// writeRaw writes both stages under the scene's name and the shader's key.
func writeRaw(dir, scene string, sh *composer.Shader) error {
	base := filepath.Join(dir, scene+"-"+sh.Key.String()[:12])
	if err := files.Write(base+".vert.wgsl", []byte(sh.VertexWGSL)); err != nil {
		return err
	}
	if sh.FragmentWGSL == "" {
		return nil
	}
	return files.Write(base+".frag.wgsl", []byte(sh.FragmentWGSL))
}

type completeCmd struct {
	Shell string `arg:"" enum:"bash,zsh,fish" help:"bash, zsh or fish."`
}

// Run prints a completion script for the commands and the scenes' names.
func (c *completeCmd) Run(k *kong.Kong, out *cli.Output) error {
	fmt.Fprint(out, completion("render", c.Shell, k))
	return nil
}
