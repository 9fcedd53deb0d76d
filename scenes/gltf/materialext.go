package gltf

import (
	"math"

	"github.com/qmuntal/gltf"

	"darkroom/material/pbr"
)

// materialExtensions reads the KHR_materials_* extensions of a material. What
// they leave out has the defaults of their specifications.
func (l *loader) materialExtensions(m *pbr.Material, i int, o string) error {
	g := l.doc.Materials[i]
	r := &extensionReader{l: l, e: g.Extensions, o: o}
	e := &emission{factor: m.Emissive, strength: 1, material: m}
	r.unlit(m)
	r.specularGlossiness(m)
	r.emissiveStrength(e)
	e.set()
	if !l.dry {
		if l.emissions == nil {
			l.emissions = map[int]*emission{}
		}
		l.emissions[i] = e
	}
	r.ior(m)
	r.specular(m)
	r.clearcoat(m)
	r.sheen(m)
	r.anisotropy(m)
	r.iridescence(m)
	r.transmission(m)
	r.volume(m)
	r.dispersion(m)
	r.diffuseTransmission(m)
	r.ranges(m)
	return r.err
}

// ranges warns of factors that the specifications do not allow. They are used
// as they are.
func (r *extensionReader) ranges(m *pbr.Material) {
	check := func(name string, x, lo, hi float64) {
		if !(x >= lo && x <= hi) {
			r.l.warn("%s: %s is %g, want %g to %g", r.o, name, x, lo, hi)
		}
	}
	big := math.Inf(1)
	for i := range m.BaseColor {
		check("a component of the base colour", m.BaseColor[i], 0, 1)
	}
	check("metallicFactor", m.Metallic, 0, 1)
	check("roughnessFactor", m.Roughness, 0, 1)
	check("dispersion", m.Dispersion, 0, big)
	for _, x := range m.Emissive {
		check("a component of the emission", x, 0, big)
	}
	if x := m.Specular; x != nil {
		check("specularFactor", x.Factor, 0, 1)
		for _, c := range x.Color {
			check("a component of specularColorFactor", c, 0, big)
		}
	}
	if x := m.Clearcoat; x != nil {
		check("clearcoatFactor", x.Factor, 0, 1)
		check("clearcoatRoughnessFactor", x.Roughness, 0, 1)
	}
	if x := m.Sheen; x != nil {
		check("sheenRoughnessFactor", x.Roughness, 0, 1)
	}
	if x := m.Anisotropy; x != nil {
		check("anisotropyStrength", x.Strength, 0, 1)
	}
	if x := m.Transmission; x != nil {
		check("transmissionFactor", x.Factor, 0, 1)
	}
	if x := m.DiffuseTransmission; x != nil {
		check("diffuseTransmissionFactor", x.Factor, 0, 1)
	}
	if x := m.Volume; x != nil {
		check("thicknessFactor", x.Thickness, 0, big)
		check("attenuationDistance", x.AttenuationDistance, 0, big)
	}
}

// extensionReader reads extensions until the first error.
type extensionReader struct {
	l   *loader
	e   gltf.Extensions
	o   string
	err error
}

func (r *extensionReader) read(name string, v any) bool {
	if r.err != nil {
		return false
	}
	ok, err := extension(r.e, name, r.o, v)
	r.err = err
	return ok && err == nil
}

func (r *extensionReader) channel(property string, t *textureInfo, srgb bool) *pbr.Channel {
	if r.err != nil {
		return nil
	}
	c, err := r.l.channel(r.o, property, t, srgb)
	r.err = err
	return c
}

// number is a factor with a default.
func number(x *float64, def float64) float64 {
	if x == nil {
		return def
	}
	return *x
}

// color is a colour factor with a default for all channels.
func (r *extensionReader) color(property string, x *[]float64, def float64) [3]float64 {
	if x == nil {
		return [3]float64{def, def, def}
	}
	if err := length(r.o, property, x, 3); err != nil {
		if r.err == nil {
			r.err = err
		}
		return [3]float64{}
	}
	return [3]float64(*x)
}

func (r *extensionReader) unlit(m *pbr.Material) {
	m.Unlit = r.read("KHR_materials_unlit", &struct{}{})
}

func (r *extensionReader) specularGlossiness(m *pbr.Material) {
	var x struct {
		DiffuseFactor             *[]float64   `json:"diffuseFactor"`
		DiffuseTexture            *textureInfo `json:"diffuseTexture"`
		SpecularFactor            *[]float64   `json:"specularFactor"`
		GlossinessFactor          *float64     `json:"glossinessFactor"`
		SpecularGlossinessTexture *textureInfo `json:"specularGlossinessTexture"`
	}
	if !r.read("KHR_materials_pbrSpecularGlossiness", &x) {
		return
	}
	// It replaces the metallic-roughness model as a whole.
	m.BaseColor = [4]float64{1, 1, 1, 1}
	if x.DiffuseFactor != nil {
		if r.err = length(r.o, "diffuseFactor", x.DiffuseFactor, 4); r.err != nil {
			return
		}
		m.BaseColor = [4]float64(*x.DiffuseFactor)
	}
	m.BaseColorTexture = r.channel("diffuseTexture", x.DiffuseTexture, true)
	m.MetallicRoughnessTexture = nil
	m.SpecularGlossiness = &pbr.SpecularGlossiness{
		Specular:   r.color("specularFactor", x.SpecularFactor, 1),
		Glossiness: number(x.GlossinessFactor, 1),
		Texture:    r.channel("specularGlossinessTexture", x.SpecularGlossinessTexture, true),
	}
}

// emission is what a material emits: the core's factor times the strength of
// KHR_materials_emissive_strength.
type emission struct {
	factor   [3]float64
	strength float64
	material *pbr.Material
}

func (e *emission) set() {
	for i, x := range e.factor {
		e.material.Emissive[i] = x * e.strength
	}
}

func (r *extensionReader) emissiveStrength(e *emission) {
	var x struct {
		EmissiveStrength *float64 `json:"emissiveStrength"`
	}
	if r.read("KHR_materials_emissive_strength", &x) {
		e.strength = number(x.EmissiveStrength, 1)
	}
}

func (r *extensionReader) ior(m *pbr.Material) {
	var x struct {
		IOR *float64 `json:"ior"`
	}
	if !r.read("KHR_materials_ior", &x) {
		return
	}
	m.IOR = ior(number(x.IOR, 1.5))
	if m.IOR < 1 {
		r.err = bad(r.o, "KHR_materials_ior.ior is %g, want 0, or 1 or more", m.IOR)
	}
}

// ior replaces the extension's special value 0: Fresnel is 1 everywhere.
func ior(x float64) float64 {
	if x == 0 {
		return 1e9
	}
	return x
}

func (r *extensionReader) specular(m *pbr.Material) {
	var x struct {
		SpecularFactor       *float64     `json:"specularFactor"`
		SpecularTexture      *textureInfo `json:"specularTexture"`
		SpecularColorFactor  *[]float64   `json:"specularColorFactor"`
		SpecularColorTexture *textureInfo `json:"specularColorTexture"`
	}
	if !r.read("KHR_materials_specular", &x) {
		return
	}
	m.Specular = &pbr.Specular{
		Factor:       number(x.SpecularFactor, 1),
		Color:        r.color("specularColorFactor", x.SpecularColorFactor, 1),
		Texture:      r.channel("specularTexture", x.SpecularTexture, false),
		ColorTexture: r.channel("specularColorTexture", x.SpecularColorTexture, true),
	}
}

func (r *extensionReader) clearcoat(m *pbr.Material) {
	var x struct {
		ClearcoatFactor           *float64     `json:"clearcoatFactor"`
		ClearcoatTexture          *textureInfo `json:"clearcoatTexture"`
		ClearcoatRoughnessFactor  *float64     `json:"clearcoatRoughnessFactor"`
		ClearcoatRoughnessTexture *textureInfo `json:"clearcoatRoughnessTexture"`
		ClearcoatNormalTexture    *textureInfo `json:"clearcoatNormalTexture"`
	}
	if !r.read("KHR_materials_clearcoat", &x) {
		return
	}
	// The reference engine's loader decodes clearcoatTexture, iridescenceTexture and
	// iridescenceThicknessTexture as colours. They are data, and are read as such here.
	m.Clearcoat = &pbr.Clearcoat{
		Factor: number(x.ClearcoatFactor, 0), Roughness: number(x.ClearcoatRoughnessFactor, 0),
		Texture:          r.channel("clearcoatTexture", x.ClearcoatTexture, false),
		RoughnessTexture: r.channel("clearcoatRoughnessTexture", x.ClearcoatRoughnessTexture, false),
		NormalTexture:    r.channel("clearcoatNormalTexture", x.ClearcoatNormalTexture, false),
	}
	if t := x.ClearcoatNormalTexture; t != nil {
		m.Clearcoat.NormalScale = some(number(t.Scale, 1))
	}
}

func (r *extensionReader) sheen(m *pbr.Material) {
	var x struct {
		SheenColorFactor      *[]float64   `json:"sheenColorFactor"`
		SheenColorTexture     *textureInfo `json:"sheenColorTexture"`
		SheenRoughnessFactor  *float64     `json:"sheenRoughnessFactor"`
		SheenRoughnessTexture *textureInfo `json:"sheenRoughnessTexture"`
	}
	if !r.read("KHR_materials_sheen", &x) {
		return
	}
	m.Sheen = &pbr.Sheen{
		Color: r.color("sheenColorFactor", x.SheenColorFactor, 0), Roughness: number(x.SheenRoughnessFactor, 0),
		ColorTexture:     r.channel("sheenColorTexture", x.SheenColorTexture, true),
		RoughnessTexture: r.channel("sheenRoughnessTexture", x.SheenRoughnessTexture, false),
	}
}

func (r *extensionReader) anisotropy(m *pbr.Material) {
	var x struct {
		AnisotropyStrength *float64     `json:"anisotropyStrength"`
		AnisotropyRotation *float64     `json:"anisotropyRotation"`
		AnisotropyTexture  *textureInfo `json:"anisotropyTexture"`
	}
	if !r.read("KHR_materials_anisotropy", &x) {
		return
	}
	m.Anisotropy = &pbr.Anisotropy{
		Strength: number(x.AnisotropyStrength, 0), Rotation: number(x.AnisotropyRotation, 0),
		Texture: r.channel("anisotropyTexture", x.AnisotropyTexture, false),
	}
}

func (r *extensionReader) iridescence(m *pbr.Material) {
	var x struct {
		IridescenceFactor           *float64     `json:"iridescenceFactor"`
		IridescenceTexture          *textureInfo `json:"iridescenceTexture"`
		IridescenceIOR              *float64     `json:"iridescenceIor"`
		IridescenceThicknessMinimum *float64     `json:"iridescenceThicknessMinimum"`
		IridescenceThicknessMaximum *float64     `json:"iridescenceThicknessMaximum"`
		IridescenceThicknessTexture *textureInfo `json:"iridescenceThicknessTexture"`
	}
	if !r.read("KHR_materials_iridescence", &x) {
		return
	}
	m.Iridescence = &pbr.Iridescence{
		Factor: number(x.IridescenceFactor, 0), IOR: number(x.IridescenceIOR, 1.3),
		ThicknessMinimum: number(x.IridescenceThicknessMinimum, 100),
		ThicknessMaximum: number(x.IridescenceThicknessMaximum, 400),
		Texture:          r.channel("iridescenceTexture", x.IridescenceTexture, false),
		ThicknessTexture: r.channel("iridescenceThicknessTexture", x.IridescenceThicknessTexture, false),
	}
}

func (r *extensionReader) transmission(m *pbr.Material) {
	var x struct {
		TransmissionFactor  *float64     `json:"transmissionFactor"`
		TransmissionTexture *textureInfo `json:"transmissionTexture"`
	}
	if !r.read("KHR_materials_transmission", &x) || number(x.TransmissionFactor, 0) == 0 {
		return
	}
	m.Transmission = &pbr.Transmission{
		Factor:  *x.TransmissionFactor,
		Texture: r.channel("transmissionTexture", x.TransmissionTexture, false),
	}
}

func (r *extensionReader) volume(m *pbr.Material) {
	var x struct {
		ThicknessFactor     *float64     `json:"thicknessFactor"`
		ThicknessTexture    *textureInfo `json:"thicknessTexture"`
		AttenuationDistance *float64     `json:"attenuationDistance"`
		AttenuationColor    *[]float64   `json:"attenuationColor"`
	}
	if !r.read("KHR_materials_volume", &x) {
		return
	}
	m.Volume = &pbr.Volume{
		Thickness:           number(x.ThicknessFactor, 0),
		ThicknessTexture:    r.channel("thicknessTexture", x.ThicknessTexture, false),
		AttenuationDistance: number(x.AttenuationDistance, 0),
		AttenuationColor:    r.color("attenuationColor", x.AttenuationColor, 1),
	}
}

func (r *extensionReader) dispersion(m *pbr.Material) {
	var x struct {
		Dispersion float64 `json:"dispersion"`
	}
	if r.read("KHR_materials_dispersion", &x) {
		m.Dispersion = x.Dispersion
	}
}

func (r *extensionReader) diffuseTransmission(m *pbr.Material) {
	var x struct {
		DiffuseTransmissionFactor       *float64     `json:"diffuseTransmissionFactor"`
		DiffuseTransmissionTexture      *textureInfo `json:"diffuseTransmissionTexture"`
		DiffuseTransmissionColorFactor  *[]float64   `json:"diffuseTransmissionColorFactor"`
		DiffuseTransmissionColorTexture *textureInfo `json:"diffuseTransmissionColorTexture"`
	}
	if !r.read("KHR_materials_diffuse_transmission", &x) {
		return
	}
	m.DiffuseTransmission = &pbr.DiffuseTransmission{
		Factor:       number(x.DiffuseTransmissionFactor, 0),
		Color:        r.color("diffuseTransmissionColorFactor", x.DiffuseTransmissionColorFactor, 1),
		Texture:      r.channel("diffuseTransmissionTexture", x.DiffuseTransmissionTexture, false),
		ColorTexture: r.channel("diffuseTransmissionColorTexture", x.DiffuseTransmissionColorTexture, true),
	}
}
