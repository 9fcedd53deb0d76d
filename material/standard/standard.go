// Package standard is the Blinn-Phong family: what Babylon.js calls
// StandardMaterial. It works in display space; image processing, where a scene
// asks for it, converts to linear light and back.
package standard

import (
	_ "embed"

	"darkroom/composer"
	"darkroom/material"
	"darkroom/material/surface"
	"darkroom/material/texture"
)

// SlotLightShadow is inside the light loop: code there multiplies shadow for light i.
const SlotLightShadow composer.Slot = "LS"

// SlotColorComposed is where the composed colour (lightmap, fog) is changed before it is clamped.
const SlotColorComposed composer.Slot = "CC"

//go:embed standard.frag.wgsl
var fragmentWGSL string

// Material is a standard material. New sets the defaults of the reference engine.
type Material struct {
	Name     string
	Diffuse  [3]float64
	Specular [3]float64
	Emissive [3]float64
	Ambient  [3]float64 // multiplied with the scene's ambient colour
	// SpecularPower is the exponent of the highlight.
	SpecularPower float64
	Alpha         float64

	DiffuseTexture  *Channel
	EmissiveTexture *Channel
	SpecularTexture *Channel
	AmbientTexture  *Channel
	OpacityTexture  *Channel
	LightmapTexture *Channel
	BumpTexture     *Channel
	// ReflectionTexture is sampled by direction.
	ReflectionTexture *Reflection

	// UseAlphaFromDiffuse multiplies alpha by the diffuse texture's.
	UseAlphaFromDiffuse bool
	// VertexAlpha multiplies alpha by that of the vertex and instance colours, and blends.
	VertexAlpha bool
	// GlossFromSpecular multiplies SpecularPower by the specular texture's alpha.
	GlossFromSpecular bool
	// AlphaCutoff discards fragments below it; zero means no alpha test.
	AlphaCutoff float64
	// OpacityFromRGB takes the opacity from the texture's luminance.
	OpacityFromRGB bool
	// LightmapAsShadow multiplies the lightmap instead of adding it.
	LightmapAsShadow bool
	// InvertBumpX and InvertBumpY flip the bump map's axes.
	InvertBumpX, InvertBumpY bool

	DisableLighting bool
	// TwoSided draws back faces too; TwoSidedLighting turns their normals.
	TwoSided, TwoSidedLighting bool
	// SpecularOff leaves the highlight out.
	SpecularOff bool
	// Blend overrides the blend state; Alpha below 1 blends by itself.
	Blend        *composer.Blend
	NoDepthWrite bool
	NoColorWrite bool // draws into depth and stencil alone
	Stencil      *material.Stencil
	// FlatShading takes normals from the surface itself.
	FlatShading bool
	NoFog       bool
	// ShadowCaster, where set, is drawn instead where the mesh casts a shadow.
	ShadowCaster material.Material
	// DepthBias moves the depth, in units of the depth format.
	DepthBias      int32
	DepthBiasSlope float32
}

// Channel is a texture in one role.
type Channel struct {
	// Texture of a depth format, which needs a nearest sampler, gives the depth as red.
	Texture *texture.Texture
	// UV is the texture coordinate set, 0 for the first.
	UV int
	// Level scales what the texture gives; zero means 1.
	Level float64
	// Scale and offset of the coordinates; a zero scale means 1.
	UScale, VScale, UOffset, VOffset float64
	// Angle turns the coordinates about their centre, radians (W axis).
	Angle float64
}

// Reflection is an environment seen in the surface.
type Reflection struct {
	Texture *texture.Texture
	// Mapping is cubic, spherical, planar or that of a sky box.
	Mapping ReflectionMapping
	Level   float64 // zero means 1
}

// ReflectionMapping says how a direction becomes a texture coordinate.
type ReflectionMapping uint8

// Reflection mappings.
const (
	Cubic ReflectionMapping = iota
	Spherical
	Planar
	// Skybox shows the cube map itself, in the direction of the vertex from the
	// middle of the mesh.
	Skybox
)

// New returns a white material with the reference engine's defaults.
func New(name string) *Material {
	return &Material{Name: name, Diffuse: [3]float64{1, 1, 1}, Specular: [3]float64{1, 1, 1}, SpecularPower: 64, Alpha: 1}
}

// Colored returns a white-highlighted material of one diffuse colour.
func Colored(name string, r, g, b float64) *Material {
	m := New(name)
	m.Diffuse = [3]float64{r, g, b}
	return m
}

// Caster implements material.Casting.
func (m *Material) Caster() material.Material { return m.ShadowCaster }

// Label implements material.Material.
func (m *Material) Label() string { return "standard material " + m.Name }

// Shader implements material.Material.
func (m *Material) Shader(c *material.Context) (*composer.Template, []*composer.Fragment, error) {
	if c.DepthOnly && !m.alphaTested() {
		return surface.Depth(), nil, nil
	}
	t := surface.Vertex("standard")
	t.Fragment = fragmentWGSL
	t.MaterialFields = []composer.Field{
		{Name: "vDiffuseColor", Type: "vec4<f32>"}, {Name: "vSpecularColor", Type: "vec4<f32>"},
		{Name: "vEmissiveColor", Type: "vec3<f32>"}, {Name: "vAmbientColor", Type: "vec3<f32>"},
	}
	t.Outputs = []composer.Output{{Name: "color", Type: "vec4<f32>"}}
	f, err := m.fragments(c)
	return &t, f, err
}

func (m *Material) alphaTested() bool { return m.AlphaCutoff > 0 }

func (m *Material) transparent() bool {
	return m.Alpha < 1 || m.Blend != nil || m.VertexAlpha || m.OpacityTexture != nil || m.UseAlphaFromDiffuse && m.AlphaCutoff == 0
}

// State implements material.Material.
func (m *Material) State(c *material.Context) material.State {
	s := material.State{Cull: composer.CullBack, NoDepthWrite: m.NoDepthWrite, NoWrite: m.NoColorWrite, Stencil: m.Stencil, Bias: m.DepthBias, BiasSlope: m.DepthBiasSlope}
	if m.TwoSided {
		s.Cull = composer.CullNone
	}
	if m.transparent() {
		s.NoDepthWrite, s.Transparent = true, true
		if !surface.StoresColor(c) {
			return s // surface.Stored discards instead
		}
		b := composer.BlendAlphaState()
		s.Blend = &b
		if m.Blend != nil {
			s.Blend = m.Blend
		}
	}
	return s
}

// Uniforms implements material.Material.
func (m *Material) Uniforms(c *material.Context, w material.Writer) error {
	w.Floats("vDiffuseColor", m.Diffuse[0], m.Diffuse[1], m.Diffuse[2], m.Alpha)
	specular := m.Specular
	if m.SpecularOff {
		specular = [3]float64{}
	}
	w.Floats("vSpecularColor", specular[0], specular[1], specular[2], m.SpecularPower)
	w.Floats("vEmissiveColor", m.Emissive[:]...)
	amb := c.Ambient
	w.Floats("vAmbientColor", m.Ambient[0]*amb[0], m.Ambient[1]*amb[1], m.Ambient[2]*amb[2])
	w.Floats("alphaCutoff", m.AlphaCutoff)
	if m.DisableLighting {
		w.Set("lightMask", uint32(0))
	}
	for _, ch := range m.channels() {
		ch.uniforms(w)
	}
	m.bumpUniforms(w)
	if r := m.ReflectionTexture; r != nil {
		level := r.Level
		if level == 0 {
			level = 1
		}
		w.Floats("reflectionLevel", level)
	}
	return nil
}

// Resources implements material.Material.
func (m *Material) Resources(c *material.Context, r material.Resources) error {
	for _, ch := range m.channels() {
		r.Texture(ch.name, ch.Texture)
	}
	if m.BumpTexture != nil {
		r.Texture("bumpTexture", m.BumpTexture.Texture)
	}
	if m.ReflectionTexture != nil {
		r.Texture("reflectionTexture", m.ReflectionTexture.Texture)
	}
	return nil
}
