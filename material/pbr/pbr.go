// Package pbr is the physically based family: metallic-roughness or
// specular-glossiness with GGX, height-correlated Smith, Schlick and Lambert, as
// Babylon.js shades it. The template knows no feature by name; each is a
// fragment in a file of its own.
package pbr

import (
	_ "embed"
	"math"

	"darkroom/composer"
	"darkroom/material"
	"darkroom/material/surface"
)

// The template's own slots, besides those of package composer.
const (
	SlotLightShadow    composer.Slot = "LS" // in the light loop: multiplies shadow for light i
	SlotLight          composer.Slot = "LI" // in the light loop: changes diffuseTerm, specularTerm, layerTerm and through
	SlotSpecularAA     composer.Slot = "SA" // sets roughnessFloor and alphaG
	SlotReflection     composer.Slot = "RD" // bends reflectionDirection and irradianceNormal
	SlotLayers         composer.Slot = "LC" // over linear (direct light) and ambient: coats
	SlotFog            composer.Slot = "FG" // on the linear colour
	SlotImageProcessor composer.Slot = "IP" // from linear colour to the target's space
)

//go:embed pbr.frag.wgsl
var fragmentWGSL string

// Material is a physically based material. New sets the defaults of glTF;
// zero fields switch features off.
type Material struct {
	Name      string
	BaseColor [4]float64 // linear, alpha straight
	Metallic  float64
	Roughness float64
	Emissive  [3]float64 // linear; emissive strength multiplied in

	BaseColorTexture *Channel // sRGB format where it holds colours
	// MetallicRoughnessTexture has roughness in green and metalness in blue.
	MetallicRoughnessTexture *Channel
	NormalTexture            *Channel
	NormalScale              float64  // zero means 1
	OcclusionTexture         *Channel // red
	OcclusionStrength        float64  // zero means 1
	EmissiveTexture          *Channel

	// SpecularGlossiness, where set, replaces metallic-roughness.
	SpecularGlossiness *SpecularGlossiness
	// IOR of the dielectric part; zero means 1.5 (F0 = 0.04).
	IOR         float64
	Specular    *Specular
	Clearcoat   *Clearcoat
	Sheen       *Sheen
	Anisotropy  *Anisotropy
	Iridescence *Iridescence
	// Transmission lets light through; Volume gives the body its thickness.
	Transmission        *Transmission
	Volume              *Volume
	Dispersion          float64 // KHR_materials_dispersion
	DiffuseTransmission *DiffuseTransmission

	// StandardFalloff weakens point and spot lights linearly to their range
	// instead of by the inverse square.
	StandardFalloff bool
	TwoSided        bool // draws back faces with turned normals
	// FrontFace is the winding of front faces; empty means counter-clockwise.
	FrontFace    composer.FrontFace
	AlphaMode    AlphaMode
	AlphaCutoff  float64 // of Mask; zero means 0.5
	NoDepthWrite bool
	Unlit        bool
	NoFog        bool
	// ShadowCaster, where set, is drawn instead where the mesh casts a shadow.
	ShadowCaster material.Material
	// Backdrop shows the environment itself, blurred by Roughness: a skybox.
	Backdrop bool
	// SpecularAA widens highlights where normals vary within a pixel; it is on
	// by itself with a normal map.
	SpecularAA bool
}

// SpecularGlossiness is KHR_materials_pbrSpecularGlossiness.
type SpecularGlossiness struct {
	Specular   [3]float64 // linear
	Glossiness float64
	Texture    *Channel // sRGB specular, glossiness in alpha
}

// Specular is KHR_materials_specular.
type Specular struct {
	Factor       float64    // strength of the dielectric reflection
	Color        [3]float64 // linear tint of F0
	Texture      *Channel   // strength in alpha
	ColorTexture *Channel
}

// Clearcoat is KHR_materials_clearcoat.
type Clearcoat struct {
	Factor, Roughness float64
	Texture           *Channel // red
	RoughnessTexture  *Channel // green
	NormalTexture     *Channel
	NormalScale       float64 // zero means 1
	IOR               float64 // zero means 1.5
	// RemapBase gives the base the reflectance that it has under the coat
	// instead of under air, as Babylon.js does unless a glTF file asks.
	RemapBase bool
	// Tint is the linear colour of light that has gone a distance of 1 through
	// the coat, TintThickness the coat's thickness; zero means 1.
	Tint          *[3]float64
	TintThickness float64
}

// Sheen is KHR_materials_sheen.
type Sheen struct {
	Color            [3]float64
	Roughness        float64
	ColorTexture     *Channel // sRGB
	RoughnessTexture *Channel // alpha
}

// Anisotropy is KHR_materials_anisotropy.
type Anisotropy struct {
	Strength, Rotation float64
	Texture            *Channel // direction in red and green, strength in blue
}

// Iridescence is KHR_materials_iridescence.
type Iridescence struct {
	Factor, IOR                        float64  // IOR zero means 1.3
	ThicknessMinimum, ThicknessMaximum float64  // nanometres
	Texture                            *Channel // red
	ThicknessTexture                   *Channel // green
}

// Transmission is KHR_materials_transmission. What is seen through comes from
// Context.SceneColor, else from the environment.
type Transmission struct {
	Factor  float64
	Texture *Channel // red
}

// Volume is KHR_materials_volume.
type Volume struct {
	Thickness           float64
	ThicknessTexture    *Channel // green
	AttenuationDistance float64  // zero means infinite
	AttenuationColor    [3]float64
}

// DiffuseTransmission is KHR_materials_diffuse_transmission.
type DiffuseTransmission struct {
	Factor       float64
	Color        [3]float64
	Texture      *Channel // alpha
	ColorTexture *Channel // sRGB
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

// Caster implements material.Casting.
func (m *Material) Caster() material.Material { return m.ShadowCaster }

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
	return &t, m.fragments(c), nil
}

// fragments lists the features in use, in the order in which they run.
func (m *Material) fragments(c *material.Context) []*composer.Fragment {
	var out []*composer.Fragment
	flat := m.Unlit || !c.Has("normal") && noSurface(c.Topology)
	add := func(f ...*composer.Fragment) { out = append(out, f...) }
	for _, ch := range m.channels() {
		if name := surface.Stream(ch.UV); c.Has(name) && !has(out, "vertex-"+name) {
			add(surface.UV(ch.UV))
		}
	}
	add(m.baseTextures(c)...)
	if m.AlphaMode == Opaque {
		add(opaque())
	}
	add(m.normals(c)...)
	if m.AlphaMode == Mask {
		add(alphaTest())
	}
	if m.SpecularGlossiness != nil {
		add(m.SpecularGlossiness.fragments(c)...)
	} else if m.Specular != nil {
		add(m.Specular.fragments(c)...)
	}
	if m.Iridescence != nil && !flat {
		add(m.Iridescence.fragments(c, m)...)
	}
	if !m.Unlit && !m.Backdrop {
		add(m.layers(c)...)
	}
	if !flat && !m.Backdrop {
		add(splitSum())
	}
	switch {
	case c.Environment == nil || flat:
	case m.Backdrop:
		add(backdrop())
	default:
		add(imageBased(m.NormalTexture.set()))
	}
	if flat {
		add(unlit(c.Environment != nil))
	}
	if m.AlphaMode == Blend && !flat {
		add(luminanceOverAlpha())
	}
	if c.Fog && !m.NoFog {
		add(fog())
	}
	// Babylon.js, pbrBlockPrePass.
	add(surface.Stored(c, surface.Seen{
		Normal: "N", Albedo: "surfaceAlbedo", Reflectivity: "vec4<f32>(colorF0, 1.0 - roughness)", Irradiance: "directDiffuse + diffuseAmbient",
		Alpha: "color.a", AlphaTested: m.AlphaMode == Mask,
	})...)
	if !c.Linear {
		add(&composer.Fragment{
			ID:              "pbr-image-processing",
			FragmentHelpers: material.ImageProcessingWGSL,
			Slots:           map[composer.Slot]string{SlotImageProcessor: "color = vec4<f32>(imageProcessing(color.rgb), color.a);"},
		})
	}
	return out
}

// noSurface reports a topology of points or lines: without normals there is
// nothing that light could fall on, and the reference engine shows them unlit.
func noSurface(t composer.Topology) bool {
	return t == composer.PointList || t == composer.LineList || t == composer.LineStrip
}

func has(list []*composer.Fragment, id string) bool {
	for _, f := range list {
		if f.ID == id {
			return true
		}
	}
	return false
}

// named is a channel with its binding name.
type named struct {
	*Channel
	name string
}

// channels lists the textures in use with their binding names.
func (m *Material) channels() []named {
	var out []named
	add := func(c *Channel, name string) {
		if c.set() {
			out = append(out, named{c, name})
		}
	}
	add(m.BaseColorTexture, "baseColorTexture")
	add(m.MetallicRoughnessTexture, "metallicRoughnessTexture")
	add(m.NormalTexture, "normalTexture")
	add(m.OcclusionTexture, "occlusionTexture")
	add(m.EmissiveTexture, "emissiveTexture")
	if x := m.SpecularGlossiness; x != nil {
		add(x.Texture, "specularGlossinessTexture")
	}
	if x := m.Specular; x != nil {
		add(x.Texture, "specularTexture")
		add(x.ColorTexture, "specularColorTexture")
	}
	if x := m.Iridescence; x != nil {
		add(x.Texture, "iridescenceTexture")
		add(x.ThicknessTexture, "iridescenceThicknessTexture")
	}
	if x := m.Clearcoat; x != nil {
		add(x.Texture, "clearcoatTexture")
		add(x.RoughnessTexture, "clearcoatRoughnessTexture")
		add(x.NormalTexture, "clearcoatNormalTexture")
	}
	if x := m.Sheen; x != nil {
		add(x.ColorTexture, "sheenColorTexture")
		add(x.RoughnessTexture, "sheenRoughnessTexture")
	}
	if x := m.Anisotropy; x != nil {
		add(x.Texture, "anisotropyTexture")
	}
	if x := m.Transmission; x != nil {
		add(x.Texture, "transmissionTexture")
	}
	if x := m.Volume; x != nil {
		add(x.ThicknessTexture, "thicknessTexture")
	}
	if x := m.DiffuseTransmission; x != nil {
		add(x.Texture, "diffuseTransmissionTexture")
		add(x.ColorTexture, "diffuseTransmissionColorTexture")
	}
	return out
}

// State implements material.Material.
func (m *Material) State(c *material.Context) material.State {
	s := material.State{Cull: composer.CullBack, FrontFace: m.FrontFace, NoDepthWrite: m.NoDepthWrite}
	if m.TwoSided || m.Backdrop {
		s.Cull = composer.CullNone
	}
	if m.AlphaMode == Blend && !surface.StoresColor(c) {
		s.Transparent, s.NoDepthWrite = true, true // surface.Stored discards instead
	} else if m.AlphaMode == Blend {
		b := composer.BlendAlphaState()
		s.Blend, s.NoDepthWrite = &b, true
	}
	return s
}

// Uniforms implements material.Material.
func (m *Material) Uniforms(c *material.Context, w material.Writer) error {
	f0 := 0.04
	if m.IOR > 0 {
		r := (m.IOR - 1) / (m.IOR + 1)
		f0 = r * r
	}
	physical := 1.0
	if m.StandardFalloff {
		physical = 0
	}
	w.Floats("baseColor", m.BaseColor[:]...)
	w.Floats("metallicRoughness", m.Metallic, m.Roughness, f0, physical)
	w.Floats("emissive", m.Emissive[:]...)
	w.Floats("alphaCutoff", or(m.AlphaCutoff, 0.5))
	w.Floats("normalScale", or(m.NormalScale, 1))
	w.Floats("occlusionStrength", or(m.OcclusionStrength, 1))
	for _, ch := range m.channels() {
		ch.uniforms(w, ch.name)
	}
	if x := m.SpecularGlossiness; x != nil {
		w.Floats("specularGlossiness", x.Specular[0], x.Specular[1], x.Specular[2], x.Glossiness)
	}
	if x := m.Specular; x != nil {
		w.Floats("specularParams", x.Color[0], x.Color[1], x.Color[2], x.Factor)
	}
	if x := m.Iridescence; x != nil {
		w.Floats("iridescenceParams", x.Factor, or(x.IOR, 1.3), x.ThicknessMinimum, x.ThicknessMaximum)
	}
	if x := m.Clearcoat; x != nil {
		x.uniforms(w)
	}
	if x := m.Sheen; x != nil {
		w.Floats("sheenParams", x.Color[0], x.Color[1], x.Color[2], x.Roughness)
	}
	if x := m.Anisotropy; x != nil {
		sin, cos := math.Sincos(x.Rotation)
		w.Floats("anisotropyParams", cos, sin, x.Strength, 0)
	}
	if x := m.Volume; x != nil {
		x.uniforms(w)
	}
	if x := m.DiffuseTransmission; x != nil {
		w.Floats("translucencyParams", x.Color[0], x.Color[1], x.Color[2], x.Factor)
	}
	m.transmissionUniforms(w)
	return nil
}

func or(x, def float64) float64 {
	if x == 0 {
		return def
	}
	return x
}

// Resources implements material.Material.
func (m *Material) Resources(c *material.Context, r material.Resources) error {
	for _, ch := range m.channels() {
		r.Texture(ch.name, ch.Texture)
	}
	bindEnvironment(c, r)
	bindSplitSum(c, r)
	if c.SceneColor != nil {
		r.Texture("sceneColor", c.SceneColor)
	}
	return nil
}
