package gltf

import (
	"math"

	"darkroom/material/pbr"
)

// part is an object of a material's JSON, the material itself or one of its
// extensions, with the properties that a file may set and KHR_animation_pointer
// may move: one description serves both.
type part struct {
	path     string // from the material, with a / at its end where there is one
	has      func(m *pbr.Material) bool
	make     func(m *pbr.Material) // nil: the material always has it
	numbers  []number
	textures []slot
}

// number is a factor or a colour.
type number struct {
	name   string // its path within the part
	at     func(m *pbr.Material) []*float64
	def    float64 // of each component
	lo, hi float64 // what the specifications allow; a value beyond is a warning, and used
	// store converts what the file says to what the field holds; nil: as it is.
	// moved is the same for an animation, where it differs.
	store, moved func(float64) float64
}

// slot is a texture.
type slot struct {
	name string
	srgb bool
	at   func(m *pbr.Material) **pbr.Channel
}

func always(*pbr.Material) bool { return true }

func one(p *float64) []*float64 { return []*float64{p} }

func each(v []float64) []*float64 {
	out := make([]*float64, len(v))
	for i := range v {
		out[i] = &v[i]
	}
	return out
}

var inf = math.Inf(1)

const extensionPath = "extensions/KHR_materials_"

// materialParts describes what is read of a material beside what is one of a
// kind: its alpha mode, its sides, unlit, and emission, which is the product of
// two properties.
func materialParts() []part {
	return []part{
		{
			path: "", has: always,
			numbers: []number{
				{name: "pbrMetallicRoughness/baseColorFactor", at: func(m *pbr.Material) []*float64 { return each(m.BaseColor[:]) }, def: 1, hi: 1},
				{name: "pbrMetallicRoughness/metallicFactor", at: func(m *pbr.Material) []*float64 { return one(&m.Metallic) }, def: 1, hi: 1},
				{name: "pbrMetallicRoughness/roughnessFactor", at: func(m *pbr.Material) []*float64 { return one(&m.Roughness) }, def: 1, hi: 1},
				{name: "alphaCutoff", at: func(m *pbr.Material) []*float64 { return one(&m.AlphaCutoff) }, def: 0.5, hi: inf, store: cutoff},
				{name: "normalTexture/scale", at: func(m *pbr.Material) []*float64 { return one(&m.NormalScale) }, def: 1, lo: -inf, hi: inf, store: some},
				{name: "occlusionTexture/strength", at: func(m *pbr.Material) []*float64 { return one(&m.OcclusionStrength) }, def: 1, hi: 1, store: some},
			},
			textures: []slot{
				{"pbrMetallicRoughness/baseColorTexture", true, func(m *pbr.Material) **pbr.Channel { return &m.BaseColorTexture }},
				{"pbrMetallicRoughness/metallicRoughnessTexture", false, func(m *pbr.Material) **pbr.Channel { return &m.MetallicRoughnessTexture }},
				{"normalTexture", false, func(m *pbr.Material) **pbr.Channel { return &m.NormalTexture }},
				{"occlusionTexture", false, func(m *pbr.Material) **pbr.Channel { return &m.OcclusionTexture }},
				{"emissiveTexture", true, func(m *pbr.Material) **pbr.Channel { return &m.EmissiveTexture }},
			},
		},
		{
			path: extensionPath + "pbrSpecularGlossiness/",
			has:  func(m *pbr.Material) bool { return m.SpecularGlossiness != nil },
			make: func(m *pbr.Material) {
				// It replaces the metallic-roughness model as a whole.
				m.SpecularGlossiness, m.BaseColorTexture, m.MetallicRoughnessTexture = new(pbr.SpecularGlossiness), nil, nil
			},
			numbers: []number{
				{name: "diffuseFactor", at: func(m *pbr.Material) []*float64 { return each(m.BaseColor[:]) }, def: 1, hi: 1},
				{name: "specularFactor", at: func(m *pbr.Material) []*float64 { return each(m.SpecularGlossiness.Specular[:]) }, def: 1, hi: 1},
				{name: "glossinessFactor", at: func(m *pbr.Material) []*float64 { return one(&m.SpecularGlossiness.Glossiness) }, def: 1, hi: 1},
			},
			textures: []slot{
				{"diffuseTexture", true, func(m *pbr.Material) **pbr.Channel { return &m.BaseColorTexture }},
				{"specularGlossinessTexture", true, func(m *pbr.Material) **pbr.Channel { return &m.SpecularGlossiness.Texture }},
			},
		},
		{
			path: extensionPath + "ior/", has: always,
			numbers: []number{
				// 0 asks for a Fresnel term of 1 everywhere.
				{name: "ior", at: func(m *pbr.Material) []*float64 { return one(&m.IOR) }, def: 1.5, hi: inf, store: ior},
			},
		},
		{
			path: extensionPath + "dispersion/", has: always,
			numbers: []number{
				{name: "dispersion", at: func(m *pbr.Material) []*float64 { return one(&m.Dispersion) }, hi: inf, moved: some},
			},
		},
		{
			path: extensionPath + "specular/",
			has:  func(m *pbr.Material) bool { return m.Specular != nil },
			make: func(m *pbr.Material) { m.Specular = new(pbr.Specular) },
			numbers: []number{
				{name: "specularFactor", at: func(m *pbr.Material) []*float64 { return one(&m.Specular.Factor) }, def: 1, hi: 1},
				{name: "specularColorFactor", at: func(m *pbr.Material) []*float64 { return each(m.Specular.Color[:]) }, def: 1, hi: inf},
			},
			textures: []slot{
				{"specularTexture", false, func(m *pbr.Material) **pbr.Channel { return &m.Specular.Texture }},
				{"specularColorTexture", true, func(m *pbr.Material) **pbr.Channel { return &m.Specular.ColorTexture }},
			},
		},
		{
			path: extensionPath + "clearcoat/",
			has:  func(m *pbr.Material) bool { return m.Clearcoat != nil },
			make: func(m *pbr.Material) { m.Clearcoat = new(pbr.Clearcoat) },
			numbers: []number{
				{name: "clearcoatFactor", at: func(m *pbr.Material) []*float64 { return one(&m.Clearcoat.Factor) }, hi: 1},
				{name: "clearcoatRoughnessFactor", at: func(m *pbr.Material) []*float64 { return one(&m.Clearcoat.Roughness) }, hi: 1},
				{name: "clearcoatNormalTexture/scale", at: func(m *pbr.Material) []*float64 { return one(&m.Clearcoat.NormalScale) }, def: 1, lo: -inf, hi: inf, store: some},
			},
			// The reference engine's loader decodes clearcoatTexture, iridescenceTexture and
			// iridescenceThicknessTexture as colours. They are data, and are read as such here.
			textures: []slot{
				{"clearcoatTexture", false, func(m *pbr.Material) **pbr.Channel { return &m.Clearcoat.Texture }},
				{"clearcoatRoughnessTexture", false, func(m *pbr.Material) **pbr.Channel { return &m.Clearcoat.RoughnessTexture }},
				{"clearcoatNormalTexture", false, func(m *pbr.Material) **pbr.Channel { return &m.Clearcoat.NormalTexture }},
			},
		},
		{
			path: extensionPath + "sheen/",
			has:  func(m *pbr.Material) bool { return m.Sheen != nil },
			make: func(m *pbr.Material) { m.Sheen = new(pbr.Sheen) },
			numbers: []number{
				{name: "sheenColorFactor", at: func(m *pbr.Material) []*float64 { return each(m.Sheen.Color[:]) }, hi: 1},
				{name: "sheenRoughnessFactor", at: func(m *pbr.Material) []*float64 { return one(&m.Sheen.Roughness) }, hi: 1},
			},
			textures: []slot{
				{"sheenColorTexture", true, func(m *pbr.Material) **pbr.Channel { return &m.Sheen.ColorTexture }},
				{"sheenRoughnessTexture", false, func(m *pbr.Material) **pbr.Channel { return &m.Sheen.RoughnessTexture }},
			},
		},
		{
			path: extensionPath + "anisotropy/",
			has:  func(m *pbr.Material) bool { return m.Anisotropy != nil },
			make: func(m *pbr.Material) { m.Anisotropy = new(pbr.Anisotropy) },
			numbers: []number{
				{name: "anisotropyStrength", at: func(m *pbr.Material) []*float64 { return one(&m.Anisotropy.Strength) }, hi: 1},
				{name: "anisotropyRotation", at: func(m *pbr.Material) []*float64 { return one(&m.Anisotropy.Rotation) }, lo: -inf, hi: inf},
			},
			textures: []slot{
				{"anisotropyTexture", false, func(m *pbr.Material) **pbr.Channel { return &m.Anisotropy.Texture }},
			},
		},
		{
			path: extensionPath + "iridescence/",
			has:  func(m *pbr.Material) bool { return m.Iridescence != nil },
			make: func(m *pbr.Material) { m.Iridescence = new(pbr.Iridescence) },
			numbers: []number{
				{name: "iridescenceFactor", at: func(m *pbr.Material) []*float64 { return one(&m.Iridescence.Factor) }, hi: 1},
				{name: "iridescenceIor", at: func(m *pbr.Material) []*float64 { return one(&m.Iridescence.IOR) }, def: 1.3, lo: 1, hi: inf, moved: some},
				{name: "iridescenceThicknessMinimum", at: func(m *pbr.Material) []*float64 { return one(&m.Iridescence.ThicknessMinimum) }, def: 100, hi: inf},
				{name: "iridescenceThicknessMaximum", at: func(m *pbr.Material) []*float64 { return one(&m.Iridescence.ThicknessMaximum) }, def: 400, hi: inf},
			},
			textures: []slot{
				{"iridescenceTexture", false, func(m *pbr.Material) **pbr.Channel { return &m.Iridescence.Texture }},
				{"iridescenceThicknessTexture", false, func(m *pbr.Material) **pbr.Channel { return &m.Iridescence.ThicknessTexture }},
			},
		},
		{
			path: extensionPath + "transmission/",
			has:  func(m *pbr.Material) bool { return m.Transmission != nil },
			make: func(m *pbr.Material) { m.Transmission = new(pbr.Transmission) },
			numbers: []number{
				{name: "transmissionFactor", at: func(m *pbr.Material) []*float64 { return one(&m.Transmission.Factor) }, hi: 1},
			},
			textures: []slot{
				{"transmissionTexture", false, func(m *pbr.Material) **pbr.Channel { return &m.Transmission.Texture }},
			},
		},
		{
			path: extensionPath + "volume/",
			has:  func(m *pbr.Material) bool { return m.Volume != nil },
			make: func(m *pbr.Material) { m.Volume = new(pbr.Volume) },
			numbers: []number{
				{name: "thicknessFactor", at: func(m *pbr.Material) []*float64 { return one(&m.Volume.Thickness) }, hi: inf},
				// The default is infinite, which 0 stands for.
				{name: "attenuationDistance", at: func(m *pbr.Material) []*float64 { return one(&m.Volume.AttenuationDistance) }, hi: inf, moved: some},
				{name: "attenuationColor", at: func(m *pbr.Material) []*float64 { return each(m.Volume.AttenuationColor[:]) }, def: 1, hi: 1},
			},
			textures: []slot{
				{"thicknessTexture", false, func(m *pbr.Material) **pbr.Channel { return &m.Volume.ThicknessTexture }},
			},
		},
		{
			path: extensionPath + "diffuse_transmission/",
			has:  func(m *pbr.Material) bool { return m.DiffuseTransmission != nil },
			make: func(m *pbr.Material) { m.DiffuseTransmission = new(pbr.DiffuseTransmission) },
			numbers: []number{
				{name: "diffuseTransmissionFactor", at: func(m *pbr.Material) []*float64 { return one(&m.DiffuseTransmission.Factor) }, hi: 1},
				{name: "diffuseTransmissionColorFactor", at: func(m *pbr.Material) []*float64 { return each(m.DiffuseTransmission.Color[:]) }, def: 1, hi: 1},
			},
			textures: []slot{
				{"diffuseTransmissionTexture", false, func(m *pbr.Material) **pbr.Channel { return &m.DiffuseTransmission.Texture }},
				{"diffuseTransmissionColorTexture", true, func(m *pbr.Material) **pbr.Channel { return &m.DiffuseTransmission.ColorTexture }},
			},
		},
	}
}

// cutoff keeps a zero from reading as the default: no alpha is below it.
func cutoff(x float64) float64 {
	if x == 0 {
		return -1
	}
	return x
}

// ior replaces the extension's special value 0: Fresnel is 1 everywhere.
func ior(x float64) float64 {
	if x == 0 {
		return 1e9
	}
	return x
}

// some keeps a zero from reading as a default.
func some(x float64) float64 {
	if x == 0 {
		return 1e-30
	}
	return x
}
