// Package plugins puts effects of the user's own on whole scenes: material
// plugins and shader materials that are read from files.
package plugins

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"darkroom/composer"
	"darkroom/material"
	"darkroom/material/plugin"
	"darkroom/material/shader"
	"darkroom/material/texture"
	"darkroom/scenes"
	"darkroom/scenes/files"
	"darkroom/scenes/picture"
	"darkroom/scenes/video"
)

// Effect is what a file holds: a plugin or a whole material.
type Effect struct {
	Plugin *plugin.Plugin
	Shader *shader.File
}

// Load reads a file with its textures and videos: a material as shader.LoadFile
// does where it has stages of its own, a plugin as plugin.LoadFile does otherwise.
func Load(path string) (*Effect, error) {
	if isMaterial(path) {
		return loadMaterial(path)
	}
	f, err := plugin.LoadFile(path)
	if err != nil {
		return nil, err
	}
	p := f.Plugin
	p.Textures = map[string]*texture.Texture{}
	for name, file := range f.Textures {
		if p.Textures[name], err = loadTexture(name, file); err != nil {
			return nil, fmt.Errorf("plugin %s: %w", path, err)
		}
	}
	for _, s := range p.Samplers {
		if s.NonFiltering {
			nearest(p.Textures[s.Texture])
		}
	}
	return &Effect{Plugin: p}, nil
}

func loadMaterial(path string) (*Effect, error) {
	f, err := shader.LoadFile(path)
	if err != nil {
		return nil, err
	}
	fail := func(err error) (*Effect, error) { return nil, fmt.Errorf("shader material %s: %w", path, err) }
	for _, x := range f.Textures {
		t, err := loadTexture(x.Name, x.Path)
		if err != nil {
			return fail(err)
		}
		if x.Nearest {
			nearest(t)
		}
		if err := f.Material.SetTexture(x.Name, t); err != nil {
			return fail(err)
		}
	}
	for _, x := range f.Videos {
		src, err := openVideo(x)
		if err != nil {
			return fail(fmt.Errorf("video %s: %w", x.Name, err))
		}
		film, err := shader.NewExternal(x.Name, src)
		if err != nil {
			return fail(err)
		}
		if err := f.Material.SetExternal(x.Name, film); err != nil {
			return fail(err)
		}
	}
	return &Effect{Shader: f}, nil
}

// What is read is bounded: descriptors and WGSL, and pictures, in bytes.
const (
	maxText    = 4 << 20
	maxPicture = 256 << 20
)

// isMaterial reports a file with stages of its own: WGSL with their marks, or
// JSON that names their files or stands beside such WGSL. What is wrong with a
// file its reader says.
func isMaterial(path string) bool {
	wgsl := strings.TrimSuffix(path, filepath.Ext(path)) + ".wgsl"
	if filepath.Ext(path) == ".json" {
		data, err := files.Read(path, maxText)
		if err != nil {
			return false
		}
		var keys struct {
			WGSL             string
			Vertex, Fragment json.RawMessage
		}
		if json.NewDecoder(bytes.NewReader(data)).Decode(&keys) != nil {
			return false
		}
		if keys.Vertex != nil || keys.Fragment != nil {
			return true
		}
		if keys.WGSL != "" {
			wgsl = filepath.Join(filepath.Dir(path), filepath.FromSlash(keys.WGSL))
		}
	}
	src, err := files.Read(wgsl, maxText)
	return err == nil && shader.HoldsStages(string(src))
}

// loadTexture decodes a texture's file, bottom row first as the reference engine does.
func loadTexture(name, file string) (*texture.Texture, error) {
	data, err := files.Read(file, maxPicture)
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

// nearest has t sampled without a filter.
func nearest(t *texture.Texture) {
	x := &t.Sampler
	x.Mag, x.Min, x.Mip, x.Anisotropy = composer.FilterNearest, composer.FilterNearest, composer.FilterNearest, 0
}

// openVideo opens an animated GIF, a Y4M file or, for a pattern, a sequence of
// PNG files. Y4M files stay open as long as they are used.
func openVideo(v shader.VideoFile) (shader.FrameSource, error) {
	if strings.ContainsAny(filepath.Base(v.Path), "*?[") {
		s, err := video.OpenPNGs(os.DirFS(filepath.Dir(v.Path)), filepath.Base(v.Path), v.FPS)
		if err != nil {
			return nil, err
		}
		s.Loop = v.Loop
		return s, nil
	}
	if v.FPS != 0 {
		return nil, fmt.Errorf("%s has a rate of its own; leave fps out", v.Path)
	}
	f, err := files.Open(v.Path)
	if err != nil {
		return nil, err
	}
	head := make([]byte, 4)
	if _, err := io.ReadFull(f, head); err != nil || string(head[:3]) != "GIF" {
		st, err := f.Stat()
		if err != nil {
			f.Close()
			return nil, err
		}
		s, err := video.OpenY4M(f, st.Size())
		if err != nil {
			f.Close()
			return nil, fmt.Errorf("%s is neither a GIF nor a Y4M file: %w", v.Path, err)
		}
		s.Loop = v.Loop
		return s, nil
	}
	defer f.Close()
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return nil, err
	}
	data, err := io.ReadAll(io.LimitReader(f, maxGIF+1))
	if err == nil && len(data) > maxGIF {
		err = fmt.Errorf("it has more than %d bytes; use a Y4M file", maxGIF)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", v.Path, err)
	}
	s, err := video.ReadGIF(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", v.Path, err)
	}
	s.Loop = v.Loop
	return s, nil
}

// maxGIF bounds GIF files, which are read whole.
const maxGIF = 256 << 20

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
	for _, n := range s.Nodes() {
		if n.Mesh != nil && !seen[n.Mesh] {
			seen[n.Mesh] = true
			if err := visit(n); err != nil {
				return err
			}
		}
	}
	return nil
}
