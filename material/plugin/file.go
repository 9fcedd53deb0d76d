package plugin

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"

	"darkroom/material"
)

// File is a plugin as a file describes it.
type File struct {
	Plugin *Plugin
	// Textures are the files of its samplers' textures, by the sampler's texture
	// name; the caller decodes them into Plugin.Textures.
	Textures map[string]string
}

// descriptor is the JSON beside the WGSL.
type descriptor struct {
	Name     string         `json:"name"`
	Priority int            `json:"priority"`
	WGSL     string         `json:"wgsl"` // file, relative to the descriptor
	Defines  map[string]any `json:"defines"`
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

// maxFile bounds the files that are read.
const maxFile = 4 << 20

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
//	  "defines":  {"STRONG": true, "SCALE": 2.0},
//	  "uniforms": [{"name": "tint", "type": "vec3f", "value": [1, 0.5, 0]},
//	               {"name": "clock", "type": "f32", "time": 1}],
//	  "varyings": [{"name": "vHeight", "type": "f32"}],
//	  "textures": [{"name": "grain", "file": "grain.png"}]
//	}
//
// A define is a bool or an f32. A uniform's value is a number or a list of
// numbers; time is a factor of the scene's time in seconds, which is added. The
// texture grain is sampled with grainSampler. A value that WGSL or the
// descriptor does not know is an error with the file's name and line.
func LoadFile(path string) (*File, error) {
	base, ext := strings.TrimSuffix(path, filepath.Ext(path)), filepath.Ext(path)
	var d descriptor
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
	src, err := readFile(wgsl)
	if err != nil {
		return nil, err
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

// readFile reads a file that is not absurdly large.
func readFile(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("plugin: %w", err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err == nil && len(data) > maxFile {
		err = fmt.Errorf("it has more than %d bytes", maxFile)
	}
	if err != nil {
		return nil, fmt.Errorf("plugin %s: %w", path, err)
	}
	return data, nil
}

func (d *descriptor) read(path string) error {
	data, err := readFile(path)
	if err != nil {
		return err
	}
	if err := d.decode(data); err != nil {
		return fmt.Errorf("plugin %s: %w", path, err)
	}
	return nil
}

func (d *descriptor) decode(data []byte) error {
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	if err := dec.Decode(d); err != nil {
		line := 1 + bytes.Count(data[:min(int(dec.InputOffset()), len(data))], []byte("\n"))
		return fmt.Errorf("line %d: %w", line, err)
	}
	if dec.More() {
		return fmt.Errorf("there is more after the descriptor's object")
	}
	return nil
}

// sections splits WGSL at its "//# POINT" lines. Lines keep their numbers:
// each section begins with as many empty lines as come before it in the file.
func sections(src string) (map[Point]string, error) {
	out := map[Point]string{}
	var point Point
	for i, line := range strings.Split(strings.ReplaceAll(src, "\r\n", "\n"), "\n") {
		if mark, ok := strings.CutPrefix(strings.TrimSpace(line), "//#"); ok {
			point = Point(strings.TrimSpace(mark))
			if point.stage() == 0 {
				return nil, fmt.Errorf("line %d: %q is no point; the points are %s", i+1, point, pointNames())
			}
			if _, ok := out[point]; ok {
				return nil, fmt.Errorf("line %d: %s is there twice", i+1, point)
			}
			out[point] = strings.Repeat("\n", i+1)
			continue
		}
		if point != "" {
			out[point] += line + "\n"
		} else if t := strings.TrimSpace(line); t != "" && !strings.HasPrefix(t, "//") {
			return nil, fmt.Errorf("line %d: it is not said where this goes; write a line //# and a point before it, such as //# %s", i+1, FragmentBeforeFragColor)
		}
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("there is no line //# POINT; the points are %s", pointNames())
	}
	return out, nil
}

// file makes the plugin.
func (d *descriptor) file(code map[Point]string, dir string) (*File, error) {
	p := &Plugin{Name: d.Name, Priority: d.Priority, Code: code, Defines: d.Defines}
	f := &File{Plugin: p, Textures: map[string]string{}}
	type timed struct {
		name   string
		v      []float64
		whole  []int // in place of v, for integers
		factor float64
	}
	var values []timed
	for _, u := range d.Uniforms {
		p.Uniforms = append(p.Uniforms, Uniform{u.Name, u.Type, u.Visibility})
		x := timed{name: u.Name, factor: u.Time}
		switch v := u.Value.(type) {
		case nil:
			if u.Time == 0 {
				return nil, fmt.Errorf("uniform %q has neither a value nor a time", u.Name)
			}
			x.v = []float64{0}
		case float64:
			x.v = []float64{v}
		case []any:
			for _, e := range v {
				n, ok := e.(float64)
				if !ok {
					return nil, fmt.Errorf("uniform %q: %v is no number", u.Name, e)
				}
				x.v = append(x.v, n)
			}
		default:
			return nil, fmt.Errorf("uniform %q: %v is neither a number nor a list of numbers", u.Name, v)
		}
		if strings.Contains(u.Type, "i32") || strings.Contains(u.Type, "u32") {
			x.whole = make([]int, len(x.v))
			for i, n := range x.v {
				if n != math.Trunc(n) || math.Abs(n) > math.MaxUint32 {
					return nil, fmt.Errorf("uniform %q: %v is no %s", u.Name, n, u.Type)
				}
				x.whole[i] = int(n)
			}
		}
		if u.Time != 0 && wgslType(u.Type) != "f32" {
			return nil, fmt.Errorf("uniform %q: only an f32 can follow the time", u.Name)
		}
		p.Dynamic = p.Dynamic || u.Time != 0
		values = append(values, x)
	}
	p.Values = func(s material.System, w material.Writer) error {
		for _, x := range values {
			v := x.v
			if x.factor != 0 {
				v = []float64{v[0] + x.factor*s.Time}
			}
			if x.whole != nil {
				w.Set(x.name, x.whole)
			} else {
				w.Floats(x.name, v...)
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
