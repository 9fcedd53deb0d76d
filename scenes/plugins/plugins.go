// Package plugins puts effects of the user's own on whole scenes: material
// plugins and shader materials that are read from files.
package plugins

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"darkroom/material"
	"darkroom/material/plugin"
	"darkroom/material/shader"
	"darkroom/material/texture"
	"darkroom/scenes"
	"darkroom/scenes/picture"
)

// Effect is what a file holds: a plugin or a whole material.
type Effect struct {
	Plugin *plugin.Plugin
	Shader *shader.File
}

// Load reads a plugin as plugin.LoadFile does or, from a JSON file with the
// key "vertex", a material as shader.LoadFile does, with their textures.
func Load(path string) (*Effect, error) {
	if isMaterial(path) {
		f, err := shader.LoadFile(path)
		if err != nil {
			return nil, err
		}
		for name, file := range f.Textures {
			t, err := load(name, file)
			if err == nil {
				err = f.Material.SetTexture(name, t)
			}
			if err != nil {
				return nil, fmt.Errorf("%s: %w", path, err)
			}
		}
		return &Effect{Shader: f}, nil
	}
	f, err := plugin.LoadFile(path)
	if err != nil {
		return nil, err
	}
	p := f.Plugin
	p.Textures = map[string]*texture.Texture{}
	for name, file := range f.Textures {
		if p.Textures[name], err = load(name, file); err != nil {
			return nil, fmt.Errorf("plugin %s: %w", path, err)
		}
	}
	for _, s := range p.Samplers {
		if s.NonFiltering {
			x := &p.Textures[s.Texture].Sampler
			x.Mag, x.Min, x.Mip, x.Anisotropy = "nearest", "nearest", "nearest", 0
		}
	}
	return &Effect{Plugin: p}, nil
}

// isMaterial reports a JSON file with the key "vertex". What is wrong with the
// file its reader says.
func isMaterial(path string) bool {
	if filepath.Ext(path) != ".json" {
		return false
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return false
	}
	var keys map[string]json.RawMessage
	return json.NewDecoder(bytes.NewReader(data)).Decode(&keys) == nil && keys["vertex"] != nil
}

// load decodes a texture's file, bottom row first as the reference engine does.
func load(name, file string) (*texture.Texture, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("texture %s: %w", name, err)
	}
	p, err := picture.Decode(data, picture.Options{})
	if err != nil {
		return nil, fmt.Errorf("texture %s: %s: %w", name, file, err)
	}
	if p.Pix == nil {
		return nil, fmt.Errorf("texture %s: %s is %s; only 8-bit pictures are read", name, file, p.Format)
	}
	return p.Texture(name, false, true), nil
}

// Apply puts the effects on every mesh of the scene: a material replaces the
// mesh's, plugins are added to it, or to the mesh's own. Meshes that shared a
// material share one afterwards. Materials that know no plugins are an error.
func Apply(s *scenes.Scene, effects ...*Effect) error {
	var list []*plugin.Plugin
	var base *shader.File
	for _, e := range effects {
		switch {
		case e.Plugin != nil:
			list = append(list, e.Plugin)
		case e.Shader != nil && base != nil:
			return fmt.Errorf("%s and %s are both materials; a mesh has one", base.Material.Label(), e.Shader.Material.Label())
		default:
			base = e.Shader
		}
	}
	if base != nil && len(list) > 0 {
		return fmt.Errorf("%s takes no plugins; give one or the other", base.Material.Label())
	}
	if base != nil && len(base.Timed) > 0 {
		before := s.Animate
		s.Animate = func(s *scenes.Scene, t float64) error {
			for _, x := range base.Timed {
				if err := base.Material.SetFloat(x.Name, x.Start+t*x.Factor); err != nil {
					return err
				}
			}
			if before != nil {
				return before(s, t)
			}
			return nil
		}
	}
	wrapped := map[material.Material]material.Material{}
	return each(s, func(n *scenes.Node) error {
		m := n.Mesh
		if base != nil {
			m.Material = base.Material
			return nil
		}
		if m.Material == nil || len(list) == 0 {
			return nil
		}
		w := wrapped[m.Material]
		if w == nil {
			p, err := plugin.Wrap(m.Material, list...)
			if err != nil {
				return fmt.Errorf("node %s: %w", n.Name, err)
			}
			w = p
			wrapped[m.Material] = w
		}
		m.Material = w
		return nil
	})
}

// each visits every node with a mesh, hidden or not, once a mesh.
func each(s *scenes.Scene, visit func(*scenes.Node) error) error {
	seen := map[*scenes.Mesh]bool{}
	nodes := append([]*scenes.Node(nil), s.Roots...)
	met := map[*scenes.Node]bool{}
	for len(nodes) > 0 {
		n := nodes[len(nodes)-1]
		nodes = nodes[:len(nodes)-1]
		if n == nil || met[n] {
			continue
		}
		met[n] = true
		nodes = append(nodes, n.Children...)
		if n.Mesh != nil && !seen[n.Mesh] {
			seen[n.Mesh] = true
			if err := visit(n); err != nil {
				return err
			}
		}
	}
	return nil
}
