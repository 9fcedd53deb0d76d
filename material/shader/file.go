package shader

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"darkroom/composer"
	"darkroom/material/internal/descriptor"
)

// File is a material as a file describes it.
type File struct {
	Material *Material
	// Textures are the files of its samplers; the caller decodes and binds them.
	Textures []TextureFile
	// Videos are the files of its external textures; the caller opens and binds
	// them.
	Videos []VideoFile
	// Timed are the f32 uniforms that follow the scene's time: what is to be set
	// at t seconds is Start + t * Factor.
	Timed []Timed
}

// TextureFile is the picture of a sampler.
type TextureFile struct {
	Name, Path string
	Nearest    bool
}

// VideoFile is the moving picture of an external texture. Path is a pattern
// where it is a sequence of pictures, FPS then their rate.
type VideoFile struct {
	Name, Path string
	FPS        float64
	Loop       bool
}

// Timed is a uniform that follows the time.
type Timed struct {
	Name          string
	Start, Factor float64
}

// description is the JSON beside the WGSL.
type description struct {
	Name          string                           `json:"name"`
	WGSL          string                           `json:"wgsl"`     // file with both stages, relative to the descriptor
	Vertex        string                           `json:"vertex"`   // files of one stage
	Fragment      string                           `json:"fragment"` // likewise
	VertexEntry   string                           `json:"vertexEntry"`
	FragmentEntry string                           `json:"fragmentEntry"`
	Attributes    []string                         `json:"attributes"`
	Formats       map[string]composer.VertexFormat `json:"formats"`
	System        []System                         `json:"system"`
	Defines       map[string]descriptor.Define     `json:"defines"`
	Uniforms      []struct {
		Name  string  `json:"name"`
		Type  string  `json:"type"`
		Value any     `json:"value"`
		Time  float64 `json:"time"` // factor of the scene's time, for an f32
	} `json:"uniforms"`
	Textures []struct {
		Name    string `json:"name"`
		File    string `json:"file"`
		Nearest bool   `json:"nearest"`
	} `json:"textures"`
	Videos []struct {
		Name string  `json:"name"`
		File string  `json:"file"`
		FPS  float64 `json:"fps"`
		Loop bool    `json:"loop"`
	} `json:"videos"`
	NoInstanceColors bool                     `json:"noInstanceColors"`
	InstanceWorld    *bool                    `json:"instanceWorld"`
	FinalInput       *bool                    `json:"finalInput"`
	FinalColor       bool                     `json:"finalColor"`
	AlphaBlending    bool                     `json:"alphaBlending"`
	BlendMode        BlendMode                `json:"blendMode"`
	Blend            *composer.Blend          `json:"blend"`
	BlendConstant    [4]float64               `json:"blendConstant"`
	Opaque           bool                     `json:"opaque"`
	AlphaTesting     bool                     `json:"alphaTesting"`
	TwoSided         bool                     `json:"twoSided"`
	DepthWrite       *bool                    `json:"depthWrite"`
	DepthCompare     composer.CompareFunction `json:"depthCompare"`
	DepthBias        int32                    `json:"depthBias"`
	DepthBiasSlope   float32                  `json:"depthBiasSlope"`
	Topology         composer.Topology        `json:"topology"`
}

// The lines that begin the stages of a file with both.
const (
	markVertex   = "VERTEX"
	markFragment = "FRAGMENT"
)

// LoadFile reads a material. The path is that of a JSON file that names its
// WGSL, of a JSON file beside a .wgsl file of the same name, or of that .wgsl
// file. In a file with both stages each begins with a line comment; what comes
// before the first goes ahead of both:
//
//	struct VertexOutput { @builtin(position) position: vec4<f32> };
//	//# VERTEX
//	@vertex fn mainVertex(input: VertexInput) -> VertexOutput { … }
//	//# FRAGMENT
//	@fragment fn mainFragment(input: VertexOutput) -> @location(0) vec4<f32> { … }
//
// The JSON has the members of Options, of which each may be missing: without
// attributes there are position, normal and uv, without system all nine values,
// and getFinalWorld and getFinalInput are there unless they are set to false, so
// that one file fits meshes with skins, instances and morph targets. "vertex" and
// "fragment" stand in place of "wgsl" where each stage is a file:
//
//	{
//	  "name": "toon", "wgsl": "toon.wgsl",
//	  "attributes": ["position", "normal"], "system": ["world", "viewProjection"],
//	  "defines":  {"BANDS": 4.0, "RIM": true, "STEPS": {"i32": 4}},
//	  "uniforms": [{"name": "tint", "type": "vec3<f32>", "value": [1, 0.5, 0]},
//	               {"name": "clock", "type": "f32", "time": 1}],
//	  "textures": [{"name": "ramp", "file": "ramp.png", "nearest": true}],
//	  "videos":   [{"name": "film", "file": "film.y4m", "loop": true},
//	               {"name": "smoke", "file": "smoke/*.png", "fps": 24}],
//	  "finalColor": true, "twoSided": false,
//	  "blend": {"color": {"src": "src-alpha", "dst": "one"}}, "depthWrite": false
//	}
//
// A define is a bool, an f32 or an integer with its type; time is a factor of
// the scene's time in seconds, which is added.
func LoadFile(path string) (*File, error) {
	f, err := loadFile(path)
	if err != nil {
		return nil, fmt.Errorf("shader material %s: %w", path, err)
	}
	return f, nil
}

func loadFile(path string) (*File, error) {
	base, ext := strings.TrimSuffix(path, filepath.Ext(path)), filepath.Ext(path)
	var d description
	data, err := descriptor.Read(base + ".json")
	switch {
	case ext != ".json" && ext != ".wgsl":
		return nil, fmt.Errorf("its name ends neither in .wgsl nor in .json")
	case err == nil:
		if err := descriptor.Decode(data, &d); err != nil {
			return nil, fmt.Errorf("%s: %w", filepath.Base(base+".json"), err)
		}
	case ext == ".json" || !errors.Is(err, fs.ErrNotExist):
		return nil, err
	}
	o, err := d.options()
	if err != nil {
		return nil, err
	}
	if o.Name == "" {
		o.Name = filepath.Base(base)
	}
	if err := d.sources(&o, path, base); err != nil {
		return nil, err
	}
	f := &File{}
	if err := d.files(&o, f, filepath.Dir(path)); err != nil {
		return nil, err
	}
	if f.Material, err = New(o); err != nil {
		return nil, err
	}
	return f, nil
}

// options are those that do not refer to other files; uniforms with their time
// are in files.
func (d *description) options() (Options, error) {
	o := Options{
		Name: d.Name, VertexEntry: d.VertexEntry, FragmentEntry: d.FragmentEntry,
		Attributes: d.Attributes, Formats: d.Formats, System: d.System, Defines: descriptor.Values(d.Defines),
		NoInstanceColors: d.NoInstanceColors, FinalColor: d.FinalColor,
		AlphaBlending: d.AlphaBlending, BlendMode: d.BlendMode, Blend: d.Blend, BlendConstant: d.BlendConstant, Opaque: d.Opaque,
		AlphaTesting: d.AlphaTesting, TwoSided: d.TwoSided, DepthWrite: d.DepthWrite, DepthCompare: d.DepthCompare,
		DepthBias: d.DepthBias, DepthBiasSlope: d.DepthBiasSlope, Topology: d.Topology,
	}
	if d.Attributes == nil {
		o.Attributes = []string{"position", "normal", "uv"}
	}
	if d.System == nil {
		o.System = []System{World, View, Projection, ViewProjection, WorldView, WorldViewProjection, CameraPosition, ScreenSize, AlphaCutoff}
	}
	o.InstanceWorld, o.FinalInput = slices.Contains(o.System, World), len(o.Formats) == 0
	if d.InstanceWorld != nil {
		o.InstanceWorld = *d.InstanceWorld
	}
	if d.FinalInput != nil {
		o.FinalInput = *d.FinalInput
	}
	for _, u := range d.Uniforms {
		v, err := descriptor.Number(u.Value, u.Type)
		if err != nil {
			return o, fmt.Errorf("uniform %q: %w", u.Name, err)
		}
		o.Uniforms = append(o.Uniforms, Uniform{u.Name, u.Type, v})
	}
	return o, nil
}

// sources reads the WGSL.
func (d *description) sources(o *Options, path, base string) error {
	beside := func(name string) string { return filepath.Join(filepath.Dir(path), filepath.FromSlash(name)) }
	if d.Vertex != "" || d.Fragment != "" {
		if d.WGSL != "" {
			return fmt.Errorf("it names %q and a file for each stage; keep \"wgsl\" or \"vertex\" and \"fragment\"", d.WGSL)
		}
		for _, s := range []struct {
			key, name string
			dst       *string
		}{{"vertex", d.Vertex, &o.Vertex}, {"fragment", d.Fragment, &o.Fragment}} {
			if s.name == "" {
				return fmt.Errorf("it does not name the file of its %s stage; set %q", s.key, s.key)
			}
			src, err := descriptor.Read(beside(s.name))
			if err != nil {
				return err
			}
			*s.dst = string(src)
		}
		return nil
	}
	wgsl := base + ".wgsl"
	if d.WGSL != "" {
		wgsl = beside(d.WGSL)
	}
	src, err := descriptor.Read(wgsl)
	if err != nil {
		return err
	}
	if err := stages(string(src), o); err != nil {
		return fmt.Errorf("%s: %w", filepath.Base(wgsl), err)
	}
	return nil
}

// stages takes both stages out of one text. Their lines have the file's numbers.
func stages(src string, o *Options) error {
	list, err := descriptor.Sections(src)
	if err != nil {
		return err
	}
	common := list[0].Text
	for _, s := range list[1:] {
		// The section begins with an empty line for each that comes before it:
		// the common ones take their places again.
		text := common + s.Text[strings.Count(common, "\n"):]
		switch s.Name {
		case markVertex:
			o.Vertex = text
		case markFragment:
			o.Fragment = text
		default:
			return fmt.Errorf("line %d: %q is no stage; //# %s and //# %s are", s.Line, s.Name, markVertex, markFragment)
		}
	}
	for _, s := range []struct{ mark, text string }{{markVertex, o.Vertex}, {markFragment, o.Fragment}} {
		if s.text == "" {
			return fmt.Errorf("there is no line //# %s before the stage's code", s.mark)
		}
	}
	return nil
}

// files notes what the caller has to open or to set.
func (d *description) files(o *Options, f *File, dir string) error {
	for i, u := range d.Uniforms {
		if u.Time == 0 {
			continue
		}
		start, ok := o.Uniforms[i].Default.(float64)
		if u.Type != "f32" || o.Uniforms[i].Default != nil && !ok {
			return fmt.Errorf("uniform %q: only an f32 can follow the time", u.Name)
		}
		f.Timed = append(f.Timed, Timed{u.Name, start, u.Time})
	}
	for _, t := range d.Textures {
		if t.File == "" {
			return fmt.Errorf("texture %q has no file", t.Name)
		}
		o.Samplers = append(o.Samplers, Sampler{Name: t.Name})
		f.Textures = append(f.Textures, TextureFile{t.Name, filepath.Join(dir, filepath.FromSlash(t.File)), t.Nearest})
	}
	for _, v := range d.Videos {
		if v.File == "" {
			return fmt.Errorf("video %q has no file", v.Name)
		}
		o.Externals = append(o.Externals, v.Name)
		f.Videos = append(f.Videos, VideoFile{v.Name, filepath.Join(dir, filepath.FromSlash(v.File)), v.FPS, v.Loop})
	}
	return nil
}

// HoldsStages reports WGSL with a line that begins a stage, so that it is a
// material and no plugin.
func HoldsStages(src string) bool {
	list, err := descriptor.Sections(src)
	if err != nil {
		return false
	}
	for _, s := range list {
		if s.Name == markVertex || s.Name == markFragment {
			return true
		}
	}
	return false
}
