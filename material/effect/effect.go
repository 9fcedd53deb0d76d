// Package effect is a material that covers its whole target: generated
// pictures, post-processes, blurs. It is drawn by an EffectPass as one triangle
// and reads no mesh.
package effect

import (
	_ "embed"
	"fmt"
	"sort"

	"darkroom/composer"
	"darkroom/material"
	"darkroom/material/texture"
)

//go:embed effect.vert.wgsl
var vertexWGSL string

//go:embed effect.frag.wgsl
var fragmentWGSL string

// SlotBody is where the effect's statements go.
const SlotBody composer.Slot = "EF"

// Effect is a full-screen fragment shader with its values.
//
// Body are WGSL statements that assign the vec4<f32> variable color. They may
// read uv (0…1, v up: 0 at the bottom, as the reference engine's post-processes
// have it), st (0…1, v down: what samples a render target unchanged),
// input.position.xy (pixels), mesh.NAME for every uniform, and NAME with
// NAMESampler for every texture.
type Effect struct {
	Name    string
	Body    string
	Helpers string // WGSL functions that the body calls
	// Values are the uniforms that the body reads.
	Values   []Uniform
	Textures map[string]Input
	// Outputs, where set, are named outputs besides color that the body assigns
	// as outputs.NAME.
	Outputs []composer.Output
	Blend   *composer.Blend
	Stencil *material.Stencil
}

// Uniform is a typed value.
type Uniform struct {
	Name, Type string
	Value      any
	// Func, where set, gives the value from what the renderer knows of the draw.
	Func func(s material.System) any
}

// Input is a texture that an effect samples.
type Input struct {
	Texture *texture.Texture
	View    material.View
	// Type is the WGSL type; empty means texture_2d<f32>.
	Type string
	// Unfiltered reads with textureLoad or a nearest sampler (depth, 32-bit floats).
	Unfiltered bool
}

// Label implements material.Material.
func (e *Effect) Label() string { return "effect " + e.Name }

// Shader implements material.Material.
func (e *Effect) Shader(c *material.Context) (*composer.Template, []*composer.Fragment, error) {
	t := &composer.Template{
		ID: "effect", Vertex: vertexWGSL, Fragment: fragmentWGSL, SceneUniforms: material.SceneWGSL,
		Builtins: []composer.Builtin{{Name: "vertexIndex", Builtin: "vertex_index", Type: "u32"}},
		Varyings: []composer.Varying{{Name: "uv", Type: "vec2<f32>"}, {Name: "st", Type: "vec2<f32>"}},
		Outputs:  append([]composer.Output{{Name: "color", Type: "vec4<f32>"}}, e.Outputs...),
	}
	f := &composer.Fragment{ID: e.Name, FragmentHelpers: e.Helpers, Slots: map[composer.Slot]string{SlotBody: e.Body}}
	for _, u := range e.Values {
		t.MeshFields = append(t.MeshFields, composer.Field{Name: u.Name, Type: u.Type})
	}
	names := make([]string, 0, len(e.Textures))
	for n := range e.Textures {
		names = append(names, n)
	}
	sort.Strings(names)
	for _, n := range names {
		in := e.Textures[n]
		b := composer.Binding{Name: n, Kind: composer.BindTexture, Type: in.Type, Visibility: composer.StageFragment}
		if b.Type == "" {
			b.Type = "texture_2d<f32>"
		}
		s := composer.Binding{Name: n + "Sampler", Kind: composer.BindSampler, Visibility: composer.StageFragment}
		if in.Unfiltered && in.Texture != nil && !in.Texture.GPUFormat().IsDepth() {
			b.Sample, s.Sampler = composer.SampleUnfilterableFloat, composer.SamplerNonFiltering
		} else if in.Unfiltered {
			s.Sampler = composer.SamplerNonFiltering
		}
		f.Bindings = append(f.Bindings, b, s)
	}
	if e.Body == "" {
		return nil, nil, fmt.Errorf("it has no body; assign color in it")
	}
	return t, []*composer.Fragment{f}, nil
}

// State implements material.Material.
func (e *Effect) State(*material.Context) material.State {
	return material.State{Blend: e.Blend, Stencil: e.Stencil, NoDepthWrite: true, Compare: composer.CompareAlways}
}

// Uniforms implements material.Material.
func (e *Effect) Uniforms(c *material.Context, w material.Writer) error {
	for _, u := range e.Values {
		if u.Func != nil {
			w.Set(u.Name, u.Func(c.System))
		} else {
			w.Set(u.Name, u.Value)
		}
	}
	return nil
}

// Resources implements material.Material.
func (e *Effect) Resources(c *material.Context, r material.Resources) error {
	for n, in := range e.Textures {
		if in.Texture == nil {
			return fmt.Errorf("the texture %s is nil", n)
		}
		r.View(n, in.Texture, in.View)
	}
	return nil
}
