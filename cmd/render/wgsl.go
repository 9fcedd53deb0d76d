package main

import (
	"fmt"
	"strings"

	"github.com/alecthomas/kong"

	"darkroom/composer"
	"darkroom/goldens/picture"
	"darkroom/renderer"
	"image"
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
	Name string `arg:"" help:"Name of the scene."`
	Mesh string `help:"Only the shader of this node."`
}

// Run prints composed shaders with the origin of every line in the margin.
func (c *wgslCmd) Run() error {
	list, err := select1([]string{c.Name})
	if err != nil {
		return err
	}
	r, err := c.open()
	if err != nil {
		return err
	}
	defer r.Close()
	for _, e := range list {
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
		found := false
		for _, sh := range shaders {
			if c.Mesh != "" && !contains(sh.Nodes, c.Mesh) {
				continue
			}
			found = true
			fmt.Printf("// pass %s, nodes %s\n// vertex stage\n%s", sh.Pass, strings.Join(sh.Nodes, ", "), sh.Shader.Listing(composer.StageVertex))
			if sh.Shader.FragmentWGSL != "" {
				fmt.Printf("// fragment stage\n%s", sh.Shader.Listing(composer.StageFragment))
			}
		}
		if !found {
			return fmt.Errorf("scene %s has no node %q with a mesh", e.Name, c.Mesh)
		}
	}
	return nil
}

func contains(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}

type completeCmd struct {
	Shell string `arg:"" enum:"bash,zsh,fish" help:"bash, zsh or fish."`
}

// Run prints a completion script for the commands and the scenes' names.
func (c *completeCmd) Run(k *kong.Kong) error {
	fmt.Print(completion("render", c.Shell, k))
	return nil
}
