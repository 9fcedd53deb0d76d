// Command linked composes the shaders of materials without plugins and prints
// their digest. Built with the tag plugins it has the plugin package linked in.
package main

import (
	"crypto/sha256"
	"fmt"
	"os"

	"darkroom/composer"
	"darkroom/material"
	"darkroom/material/instances"
	"darkroom/material/morph"
	"darkroom/material/pbr"
	"darkroom/material/skin"
	"darkroom/material/standard"
	"darkroom/material/texture"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run() error {
	with := linked() // first: it is what must not matter
	shape, err := morph.New(3, []morph.Target{{Name: "a", Positions: make([]float32, 9), Normals: make([]float32, 9)}}, nil)
	if err != nil {
		return err
	}
	white := texture.Solid("white", 1, 1, 1, 1)
	plainStandard, texturedStandard := standard.Colored("s", 1, 0, 0), standard.New("t")
	texturedStandard.DiffuseTexture = &standard.Channel{Texture: white}
	plain, masked, coated := pbr.New("p"), pbr.New("m"), pbr.New("c")
	masked.AlphaMode = pbr.Mask
	coated.Clearcoat = &pbr.Clearcoat{Factor: 1}
	features := [][]material.Feature{nil, {skin.New("bones", 2)}, {shape}, {instances.New(make([][16]float64, 2), make([][4]float64, 2))}}
	h, n := sha256.New(), 0
	for _, m := range []material.Material{plainStandard, texturedStandard, plain, masked, coated} {
		for _, list := range features {
			for _, depth := range []bool{false, true} {
				c := &material.Context{Lights: 2, DepthOnly: depth, Streams: map[string]composer.VertexFormat{
					"position": "float32x3", "normal": "float32x3", "uv": "float32x2", "joints": "uint32x4", "weights": "float32x4",
				}}
				for _, f := range list {
					if s, ok := f.(material.StreamProvider); ok {
						for k, v := range s.Streams() {
							c.Streams[k] = v
						}
					}
				}
				t, fragments, err := m.Shader(c)
				if err != nil {
					return err
				}
				for _, f := range list {
					fragments = append(fragments, f.Fragments(c)...)
				}
				sh, err := composer.Compose(t, fragments, composer.Options{})
				if err != nil {
					return err
				}
				fmt.Fprintf(h, "%s\x00%s\x00%v\x00", sh.VertexWGSL, sh.FragmentWGSL, sh.Key)
				n++
			}
		}
	}
	fmt.Printf("%s %d %x\n", with, n, h.Sum(nil))
	return nil
}
