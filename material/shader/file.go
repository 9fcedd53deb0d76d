package shader

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
)

// File is a material as a file describes it.
type File struct {
	Material *Material
	// Textures are the files of its samplers, by name; the caller decodes and
	// binds them.
	Textures map[string]string
	// Timed are the f32 uniforms that follow the scene's time: what is to be set
	// at t seconds is Start + t * Factor.
	Timed []Timed
}

// Timed is a uniform that follows the time.
type Timed struct {
	Name          string
	Start, Factor float64
}

// descriptor is the JSON beside the WGSL.
type descriptor struct {
	Name       string         `json:"name"`
	Vertex     string         `json:"vertex"`   // file, relative to the descriptor
	Fragment   string         `json:"fragment"` // likewise
	Attributes []string       `json:"attributes"`
	System     []System       `json:"system"`
	Defines    map[string]any `json:"defines"`
	Uniforms   []struct {
		Name  string  `json:"name"`
		Type  string  `json:"type"`
		Value any     `json:"value"`
		Time  float64 `json:"time"` // factor of the scene's time, for an f32
	} `json:"uniforms"`
	Textures []struct {
		Name string `json:"name"`
		File string `json:"file"`
	} `json:"textures"`
	InstanceWorld bool      `json:"instanceWorld"`
	FinalColor    bool      `json:"finalColor"`
	AlphaBlending bool      `json:"alphaBlending"`
	BlendMode     BlendMode `json:"blendMode"`
	AlphaTesting  bool      `json:"alphaTesting"`
	TwoSided      bool      `json:"twoSided"`
}

// maxFile bounds the files that are read.
const maxFile = 4 << 20

// LoadFile reads a material from a JSON file that names its WGSL:
//
//	{
//	  "name": "toon", "vertex": "toon.vert.wgsl", "fragment": "toon.frag.wgsl",
//	  "attributes": ["position", "normal"], "system": ["world", "viewProjection"],
//	  "defines":  {"STEPS": 4.0},
//	  "uniforms": [{"name": "tint", "type": "vec3<f32>", "value": [1, 0.5, 0]},
//	               {"name": "clock", "type": "f32", "time": 1}],
//	  "textures": [{"name": "ramp", "file": "ramp.png"}],
//	  "instanceWorld": true, "finalColor": false,
//	  "alphaBlending": false, "blendMode": "alpha", "alphaTesting": false, "twoSided": false
//	}
//
// A define is a bool or an f32; time is a factor of the scene's time in seconds.
func LoadFile(path string) (*File, error) {
	fail := func(err error) (*File, error) { return nil, fmt.Errorf("shader material %s: %w", path, err) }
	data, err := readFile(path)
	if err != nil {
		return fail(err)
	}
	var d descriptor
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&d); err != nil {
		return fail(fmt.Errorf("line %d: %w", 1+bytes.Count(data[:min(int(dec.InputOffset()), len(data))], []byte("\n")), err))
	}
	o := Options{
		Name: d.Name, Attributes: d.Attributes, System: d.System, Defines: d.Defines, InstanceWorld: d.InstanceWorld, FinalColor: d.FinalColor,
		AlphaBlending: d.AlphaBlending, BlendMode: d.BlendMode, AlphaTesting: d.AlphaTesting, TwoSided: d.TwoSided,
	}
	if o.Name == "" {
		o.Name = strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
	}
	for _, s := range []struct {
		key, name string
		dst       *string
	}{{"vertex", d.Vertex, &o.Vertex}, {"fragment", d.Fragment, &o.Fragment}} {
		if s.name == "" {
			return fail(fmt.Errorf("it does not name the file of its %s stage; set %q", s.key, s.key))
		}
		src, err := readFile(filepath.Join(filepath.Dir(path), filepath.FromSlash(s.name)))
		if err != nil {
			return fail(err)
		}
		*s.dst = string(src)
	}
	f := &File{Textures: map[string]string{}}
	for _, u := range d.Uniforms {
		v, err := number(u.Value, u.Type)
		if err != nil {
			return fail(fmt.Errorf("uniform %q: %w", u.Name, err))
		}
		o.Uniforms = append(o.Uniforms, Uniform{u.Name, u.Type, v})
		if u.Time == 0 {
			continue
		}
		start, ok := v.(float64)
		if u.Type != "f32" || v != nil && !ok {
			return fail(fmt.Errorf("uniform %q: only an f32 can follow the time", u.Name))
		}
		f.Timed = append(f.Timed, Timed{u.Name, start, u.Time})
	}
	for _, t := range d.Textures {
		if t.File == "" {
			return fail(fmt.Errorf("texture %q has no file", t.Name))
		}
		o.Samplers = append(o.Samplers, Sampler{Name: t.Name})
		f.Textures[t.Name] = filepath.Join(filepath.Dir(path), filepath.FromSlash(t.File))
	}
	if f.Material, err = New(o); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return f, nil
}

// number reads a JSON number or list of numbers as a value of a type.
func number(v any, typ string) (any, error) {
	switch x := v.(type) {
	case nil:
		return nil, nil
	case float64:
		if typ == "i32" || typ == "u32" {
			if x != math.Trunc(x) || math.Abs(x) > math.MaxUint32 {
				return nil, fmt.Errorf("%v is no %s", x, typ)
			}
			return int(x), nil
		}
		return x, nil
	case []any:
		list := make([]float64, 0, len(x))
		for _, e := range x {
			n, ok := e.(float64)
			if !ok {
				return nil, fmt.Errorf("%v is no number", e)
			}
			list = append(list, n)
		}
		return list, nil
	}
	return nil, fmt.Errorf("%v is neither a number nor a list of numbers", v)
}

// readFile reads a file that is not absurdly large.
func readFile(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err == nil && len(data) > maxFile {
		err = fmt.Errorf("%s has more than %d bytes", path, maxFile)
	}
	return data, err
}
