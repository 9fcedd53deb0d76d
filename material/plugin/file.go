package plugin

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"darkroom/material"
	"darkroom/material/internal/descriptor"
)

// File is a plugin as a file describes it.
type File struct {
	Plugin *Plugin
	// Textures are the files of its samplers' textures, by the sampler's texture
	// name; the caller decodes them into Plugin.Textures.
	Textures map[string]string
}

// description is the JSON beside the WGSL.
type description struct {
	Name     string                       `json:"name"`
	Priority int                          `json:"priority"`
	WGSL     string                       `json:"wgsl"` // file, relative to the descriptor
	Defines  map[string]descriptor.Define `json:"defines"`
	Uniforms []struct {
		Name       string     `json:"name"`
		Type       string     `json:"type"`
		Visibility Visibility `json:"visibility"`
		Value      any        `json:"value"`
		Time       float64    `json:"time"` // factor of the scene's time, for an f32
	} `json:"uniforms"`
	Varyings []struct {
		Name string `json:"name"`
		Type string `json:"type"`
	} `json:"varyings"`
	Textures []struct {
		Name         string     `json:"name"`
		File         string     `json:"file"`
		NonFiltering bool       `json:"nonFiltering"`
		Visibility   Visibility `json:"visibility"`
	} `json:"textures"`
}

// LoadFile reads a plugin. The path is that of a .wgsl file, beside which a
// .json of the same name may describe it, or of a .json that names the WGSL.
//
// The WGSL says with a line comment where what follows it goes:
//
//	//# CUSTOM_FRAGMENT_BEFORE_FRAGCOLOR
//	color = vec4<f32>(1.0 - color.rgb, color.a);
//
// The JSON, of which every part may be missing:
//
//	{
//	  "name": "invert", "priority": 500, "wgsl": "invert.wgsl",
//	  "defines":  {"STRONG": true, "SCALE": 2.0, "STEPS": {"i32": 4}},
//	  "uniforms": [{"name": "tint", "type": "vec3f", "value": [1, 0.5, 0]},
//	               {"name": "clock", "type": "f32", "time": 1}],
//	  "varyings": [{"name": "vHeight", "type": "f32"}],
//	  "textures": [{"name": "grain", "file": "grain.png"}]
//	}
//
// A define is a bool, an f32 or an integer with its type. A uniform's value is a number or a list of
// numbers; time is a factor of the scene's time in seconds, which is added. The
// texture grain is sampled with grainSampler. A value that WGSL or the
// descriptor does not know is an error with the file's name and line.
func LoadFile(path string) (*File, error) {
	base, ext := strings.TrimSuffix(path, filepath.Ext(path)), filepath.Ext(path)
	var d description
	wgsl := path
	switch ext {
	case ".json":
		if err := d.read(path); err != nil {
			return nil, err
		}
		wgsl = base + ".wgsl"
	case ".wgsl":
		if err := d.read(base + ".json"); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
	default:
		return nil, fmt.Errorf("plugin %s: its name ends neither in .wgsl nor in .json", path)
	}
	if d.WGSL != "" {
		wgsl = filepath.Join(filepath.Dir(path), filepath.FromSlash(d.WGSL))
	}
	src, err := descriptor.Read(wgsl)
	if err != nil {
		return nil, fmt.Errorf("plugin: %w", err)
	}
	code, err := sections(string(src))
	if err != nil {
		return nil, fmt.Errorf("plugin %s: %w", wgsl, err)
	}
	f, err := d.file(code, filepath.Dir(path))
	if err != nil {
		return nil, fmt.Errorf("plugin %s: %w", path, err)
	}
	if f.Plugin.Name == "" {
		f.Plugin.Name = filepath.Base(base)
	}
	return f, nil
}

func (d *description) read(path string) error {
	data, err := descriptor.Read(path)
	if err == nil {
		err = descriptor.Decode(data, d)
	}
	if err != nil {
		return fmt.Errorf("plugin %s: %w", path, err)
	}
	return nil
}

// sections splits WGSL at its "//# POINT" lines.
func sections(src string) (map[Point]string, error) {
	list, err := descriptor.Sections(src)
	if err != nil {
		return nil, err
	}
	if line, ok := list[0].Code(); ok {
		return nil, fmt.Errorf("line %d: it is not said where this goes; write a line //# and a point before it, such as //# %s", line, FragmentBeforeFragColor)
	}
	out := map[Point]string{}
	for _, s := range list[1:] {
		point := Point(s.Name)
		if point.stage() == 0 {
			return nil, fmt.Errorf("line %d: %q is no point; the points are %s", s.Line, point, pointNames())
		}
		out[point] = s.Text
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("there is no line //# POINT; the points are %s", pointNames())
	}
	return out, nil
}

// file makes the plugin.
func (d *description) file(code map[Point]string, dir string) (*File, error) {
	p := &Plugin{Name: d.Name, Priority: d.Priority, Code: code, Defines: descriptor.Values(d.Defines)}
	f := &File{Plugin: p, Textures: map[string]string{}}
	type timed struct {
		name   string
		v      any
		factor float64
	}
	var values []timed
	for _, u := range d.Uniforms {
		p.Uniforms = append(p.Uniforms, Uniform{u.Name, u.Type, u.Visibility})
		v, err := descriptor.Number(u.Value, u.Type)
		switch start, isFloat := v.(float64); {
		case err != nil:
			return nil, fmt.Errorf("uniform %q: %w", u.Name, err)
		case v == nil && u.Time == 0:
			return nil, fmt.Errorf("uniform %q has neither a value nor a time", u.Name)
		case u.Time != 0 && (wgslType(u.Type) != "f32" || v != nil && !isFloat):
			return nil, fmt.Errorf("uniform %q: only an f32 can follow the time", u.Name)
		case v == nil:
			v = start
		}
		p.Dynamic = p.Dynamic || u.Time != 0
		values = append(values, timed{u.Name, v, u.Time})
	}
	p.Values = func(s material.System, w material.Writer) error {
		for _, x := range values {
			if x.factor != 0 {
				w.Floats(x.name, x.v.(float64)+x.factor*s.Time)
			} else {
				w.Set(x.name, x.v)
			}
		}
		return nil
	}
	for _, v := range d.Varyings {
		p.Varyings = append(p.Varyings, Varying{v.Name, v.Type})
	}
	for _, t := range d.Textures {
		if t.File == "" {
			return nil, fmt.Errorf("texture %q has no file", t.Name)
		}
		p.Samplers = append(p.Samplers, Sampler{Texture: t.Name, Sampler: t.Name + "Sampler", NonFiltering: t.NonFiltering, Visibility: t.Visibility})
		f.Textures[t.Name] = filepath.Join(dir, filepath.FromSlash(t.File))
	}
	return f, nil
}
