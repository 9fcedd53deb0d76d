package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"darkroom/material"
	"darkroom/parity/cli"
	"darkroom/scenes/catalogue"
	"darkroom/scenes/env"
	"darkroom/scenes/export"
	"darkroom/scenes/files"
)

type exportCmd struct {
	Names  []string `arg:"" help:"Names or patterns of scenes, all for the whole catalogue; or glTF files."`
	Out    string   `short:"o" default:"out" type:"path" help:"Folder in which each scene gets a folder of its own."`
	Assets []string `help:"Folders with third-party files." env:"DARKROOM_ASSETS" sep:":" type:"path"`
	Size   cli.Size `help:"Size of the pictures of glTF files in pixels." default:"1280x720"`
	Env    string   `help:"Environment file (.env) for image-based light on glTF files." type:"path"`
	JSON   bool     `name:"json" help:"Print JSON."`
}

// exported is what is said of one document.
type exported struct {
	Scene  string `json:"scene"`
	Folder string `json:"folder,omitempty"`
	Error  string `json:"error,omitempty"`
}

// Run writes the documents; one that is refused does not stop the others.
func (c *exportCmd) Run(out *cli.Output) error {
	var names, models []string
	for _, n := range c.Names {
		if ext := strings.ToLower(filepath.Ext(n)); ext == ".gltf" || ext == ".glb" {
			models = append(models, n)
		} else {
			names = append(names, n)
		}
	}
	if err := files.Folder(c.Out, "--out"); err != nil {
		return err
	}
	rows := []exported{}
	failed := 0
	write := func(name string, build func() (*export.Picture, error)) {
		r := exported{Scene: name, Folder: filepath.Join(c.Out, name)}
		p, err := build()
		if err == nil {
			err = export.Write(r.Folder, p)
		}
		if err != nil {
			failed++
			r.Folder, r.Error = "", strings.ReplaceAll(err.Error(), "\n", " ")
			// An older document must not pass for this one.
			if err := os.Remove(filepath.Join(c.Out, name, export.SceneFile)); err != nil && !errors.Is(err, os.ErrNotExist) {
				r.Error += "; " + err.Error()
			}
		}
		rows = append(rows, r)
	}
	if len(names) > 0 {
		if len(names) == 1 && names[0] == "all" {
			names = nil
		}
		list, err := select1(names)
		if err != nil {
			return err
		}
		for _, e := range list {
			write(e.Name, func() (*export.Picture, error) {
				s, err := e.Build(catalogue.Assets(c.Assets))
				return &export.Picture{Scene: s, Width: e.Width, Height: e.Height, Time: e.Time}, err
			})
		}
	}
	if len(models) > 0 {
		if err := c.models(models, write); err != nil {
			return err
		}
	}
	if c.JSON {
		if err := printJSON(out, rows); err != nil {
			return err
		}
	} else {
		for _, r := range rows {
			if r.Error != "" {
				fmt.Fprintf(out, "refused  %s  %s\n", r.Scene, r.Error)
			} else {
				fmt.Fprintf(out, "ok  %s\n", r.Folder)
			}
		}
	}
	if failed > 0 {
		return fmt.Errorf("%d of %d scenes were not exported", failed, len(rows))
	}
	return nil
}

// models puts glTF files on the stage on which `render gltf` shows them.
func (c *exportCmd) models(paths []string, write func(string, func() (*export.Picture, error))) error {
	g := &gltfCmd{Files: paths, Out: c.Out, Size: c.Size, Camera: -1}
	jobs, err := g.jobs()
	if err != nil {
		return err
	}
	var light *material.Environment
	if c.Env != "" {
		if light, err = env.Load(c.Env); err != nil {
			return err
		}
	}
	for _, j := range jobs {
		write(strings.TrimSuffix(filepath.Base(j.out), ".png"), func() (*export.Picture, error) {
			s, set, _, err := g.scene(j, light)
			return &export.Picture{Scene: s, Width: set.Width, Height: set.Height, Time: set.Time}, err
		})
	}
	return nil
}
