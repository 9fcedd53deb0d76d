// Package grid draws the lines of a grid in object space, the way of an
// editor's floor.
package grid

import (
	_ "embed"
	"math"

	"darkroom/composer"
	"darkroom/material"
	"darkroom/material/surface"
)

//go:embed grid.frag.wgsl
var fragmentWGSL string

// Material is a grid material. New sets the reference engine's defaults.
type Material struct {
	Name                string
	Main, Line          [3]float64 // between the lines, and of them
	Ratio               float64    // scene units between lines
	MajorUnitFrequency  float64    // every so many lines one is strong
	MinorUnitVisibility float64    // of the others
	Offset              [3]float64
	Opacity             float64 // below 1 only the lines are seen
	Hard                bool    // lines without antialiasing
	MaxLine             bool    // where lines cross, the stronger one counts
	TwoSided            bool
}

// New returns a grid of white lines on black.
func New(name string) *Material {
	return &Material{Name: name, Line: [3]float64{0, 0.5, 0.5}, Ratio: 1, MajorUnitFrequency: 10, MinorUnitVisibility: 0.33, Opacity: 1}
}

// Label implements material.Material.
func (m *Material) Label() string { return "grid material " + m.Name }

// Shader implements material.Material.
func (m *Material) Shader(c *material.Context) (*composer.Template, []*composer.Fragment, error) {
	if c.DepthOnly {
		return surface.Depth(), nil, nil
	}
	t := surface.Vertex("grid")
	t.Fragment = fragmentWGSL
	t.MaterialFields = []composer.Field{
		{Name: "mainColor", Type: "vec3<f32>"}, {Name: "lineColor", Type: "vec3<f32>"}, {Name: "gridControl", Type: "vec4<f32>"},
		{Name: "gridOffset", Type: "vec3<f32>"}, {Name: "gridFlags", Type: "vec2<f32>"},
	}
	t.Outputs = []composer.Output{{Name: "color", Type: "vec4<f32>"}}
	f := &composer.Fragment{
		ID:         "grid-local",
		Attributes: []composer.Attribute{{Name: "normal", Type: "vec3<f32>", Format: "float32x3"}},
		Varyings:   []composer.Varying{{Name: "vPositionLocal", Type: "vec3<f32>"}, {Name: "vNormalLocal", Type: "vec3<f32>"}},
		Slots:      map[composer.Slot]string{composer.SlotVertexAfter: "out.vPositionLocal = positionLocal;\nout.vNormalLocal = input.normal;"},
	}
	out := []*composer.Fragment{f}
	if m.Opacity < 1 {
		out = append(out, &composer.Fragment{
			ID:    "grid-transparent",
			Slots: map[composer.Slot]string{composer.SlotAlphaTexture: "color.a = clamp(grid, 0.08, material.gridControl.w * grid);"},
		})
	}
	return &t, out, nil
}

// State implements material.Material.
func (m *Material) State(*material.Context) material.State {
	s := material.State{Cull: composer.CullBack}
	if m.TwoSided {
		s.Cull = composer.CullNone
	}
	if m.Opacity < 1 {
		b := composer.BlendAlphaState()
		s.Blend, s.NoDepthWrite = &b, true
	}
	return s
}

// Uniforms implements material.Material.
func (m *Material) Uniforms(c *material.Context, w material.Writer) error {
	w.Floats("mainColor", m.Main[:]...)
	w.Floats("lineColor", m.Line[:]...)
	w.Floats("gridControl", m.Ratio, math.Round(m.MajorUnitFrequency), m.MinorUnitVisibility, m.Opacity)
	w.Floats("gridOffset", m.Offset[:]...)
	flag := func(b bool) float64 {
		if b {
			return 1
		}
		return 0
	}
	w.Floats("gridFlags", flag(!m.Hard), flag(m.MaxLine))
	return nil
}

// Resources implements material.Material.
func (m *Material) Resources(*material.Context, material.Resources) error { return nil }
