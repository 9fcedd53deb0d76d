// Package pbr is the physically based family: metallic-roughness with GGX,
// height-correlated Smith, Schlick and Lambert, as Babylon.js shades it. The
// template knows no feature by name; each is a fragment in a file of its own.
package pbr

import (
	_ "embed"

	"darkroom/composer"
	"darkroom/material"
	"darkroom/material/surface"
)

// The template's own slots, besides those of package composer.
const (
	SlotLightShadow    composer.Slot = "LS" // in the light loop: multiplies shadow for light i
	SlotLight          composer.Slot = "LI" // in the light loop: changes diffuseTerm and specularTerm
	SlotSpecularAA     composer.Slot = "SA" // sets roughnessFloor and alphaG
	SlotFog            composer.Slot = "FG" // on the linear colour
	SlotImageProcessor composer.Slot = "IP" // from linear colour to the target's space
)

//go:embed pbr.frag.wgsl
var fragmentWGSL string

// Material is a physically based material. New sets the defaults of glTF.
type Material struct {
	Name      string
	BaseColor [4]float64 // linear
	Metallic  float64
	Roughness float64
	Emissive  [3]float64 // linear
	// F0 is the reflectance of the dielectric part; zero means 0.04.
	F0 float64
	// StandardFalloff weakens point and spot lights linearly to their range
	// instead of by the inverse square.
	StandardFalloff bool
	TwoSided        bool
	AlphaMode       AlphaMode
	AlphaCutoff     float64 // of Mask; zero means 0.5
	NoDepthWrite    bool
	Unlit           bool
}

// AlphaMode says what alpha does.
type AlphaMode uint8

// Alpha modes of glTF.
const (
	Opaque AlphaMode = iota
	Mask
	Blend
)

// New returns a white, rough metal, as glTF's default material.
func New(name string) *Material {
	return &Material{Name: name, BaseColor: [4]float64{1, 1, 1, 1}, Metallic: 1, Roughness: 1}
}

// Label implements material.Material.
func (m *Material) Label() string { return "pbr material " + m.Name }

// Shader implements material.Material.
func (m *Material) Shader(c *material.Context) (*composer.Template, []*composer.Fragment, error) {
	if c.DepthOnly && m.AlphaMode != Mask {
		return surface.Depth(), nil, nil
	}
	t := surface.Vertex("pbr")
	t.Fragment = fragmentWGSL
	t.MaterialFields = []composer.Field{
		{Name: "baseColor", Type: "vec4<f32>"}, {Name: "metallicRoughness", Type: "vec4<f32>"}, {Name: "emissive", Type: "vec3<f32>"},
	}
	t.Outputs = []composer.Output{{Name: "color", Type: "vec4<f32>"}}
	var f []*composer.Fragment
	if c.Has("normal") {
		f = append(f, surface.Normal(), &composer.Fragment{
			ID: "pbr-normal", Dependencies: []string{"vertex-normal"},
			Slots: map[composer.Slot]string{composer.SlotVariables: "N = normalize(input.vNormalW);"},
		})
	}
	if !c.Linear {
		f = append(f, &composer.Fragment{
			ID:    "pbr-image-processing",
			Slots: map[composer.Slot]string{SlotImageProcessor: "color = vec4<f32>(imageProcessing(color.rgb), color.a);"},
		})
	}
	return &t, f, nil
}

// State implements material.Material.
func (m *Material) State(c *material.Context) material.State {
	s := material.State{Cull: composer.CullBack, NoDepthWrite: m.NoDepthWrite}
	if m.TwoSided {
		s.Cull = composer.CullNone
	}
	if m.AlphaMode == Blend {
		b := composer.BlendAlphaState()
		s.Blend, s.NoDepthWrite = &b, true
	}
	return s
}

// Uniforms implements material.Material.
func (m *Material) Uniforms(c *material.Context, w material.Writer) error {
	f0 := m.F0
	if f0 == 0 {
		f0 = 0.04
	}
	physical := 1.0
	if m.StandardFalloff {
		physical = 0
	}
	w.Floats("baseColor", m.BaseColor[:]...)
	w.Floats("metallicRoughness", m.Metallic, m.Roughness, f0, physical)
	w.Floats("emissive", m.Emissive[:]...)
	return nil
}

// Resources implements material.Material.
func (m *Material) Resources(c *material.Context, r material.Resources) error { return nil }
