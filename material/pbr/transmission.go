package pbr

import (
	_ "embed"
	"math"

	"darkroom/composer"
	"darkroom/material"
)

//go:embed transmission.wgsl
var transmissionWGSL string

//go:embed transmission_ambient.wgsl
var transmissionAmbientWGSL string

// ReadsScene implements material.SceneReader. Diffuse transmission shows no
// picture, but the reference engine leaves it out of the picture, too.
func (m *Material) ReadsScene() bool {
	return !m.Unlit && (m.Transmission != nil && m.Transmission.Factor > 0 || m.DiffuseTransmission != nil && m.DiffuseTransmission.Factor > 0)
}

// transmission lets what lies behind shine through instead of the diffuse
// base: KHR_materials_transmission with the thickness, absorption, refraction
// and dispersion of KHR_materials_volume and _dispersion, as Babylon.js's
// SS_REFRACTION. A refracted ray of the length of the thickness leads to the
// place in the picture behind; roughness chooses the mip.
func (m *Material) transmission(c *material.Context) []*composer.Fragment {
	if c.SceneColor == nil && c.Environment == nil {
		return nil // nothing is known of what lies behind
	}
	in := &inputs{c: c}
	f := &composer.Fragment{
		ID: "pbr-transmission",
		Fields: []composer.Field{
			{Name: "transmissionParams", Type: "vec4<f32>"}, // factor, thickness, index of refraction, dispersion
			{Name: "volumeAbsorption", Type: "vec4<f32>"},
		},
		Slots: map[composer.Slot]string{},
	}
	code := "let transmitted = clamp(material.transmissionParams.x * " + in.texel(m.Transmission.Texture, "transmissionTexture", "r", "1.0") + ", 0.0, 1.0);\n"
	thickness := "1.0"
	if m.Volume != nil {
		thickness = in.texel(m.Volume.ThicknessTexture, "thicknessTexture", "g", "1.0")
	}
	code += "let thickness = material.transmissionParams.y * " + thickness + " * max(length(mesh.world[0].xyz), max(length(mesh.world[1].xyz), length(mesh.world[2].xyz)));\n"
	if c.SceneColor != nil {
		f.FragmentHelpers = transmissionWGSL
		f.Bindings = []composer.Binding{
			{Name: "sceneColor", Kind: composer.BindTexture, Type: "texture_2d<f32>", Visibility: composer.StageFragment},
			{Name: "sceneColorSampler", Kind: composer.BindSampler, Visibility: composer.StageFragment},
		}
		code += "let behindAlphaG = mix(alphaG, 0.0, clamp(3.0 / material.transmissionParams.z - 2.0, 0.0, 1.0));\n"
		if m.Dispersion > 0 {
			code += `let dispersed = 0.04 * material.transmissionParams.w * (refractionIndex - 1.0);
let behind = vec3<f32>(
    colorBehind(input.vPositionW, refract(-V, N, 1.0 / (refractionIndex - dispersed)) * thickness, behindAlphaG).r,
    colorBehind(input.vPositionW, refract(-V, N, 1.0 / refractionIndex) * thickness, behindAlphaG).g,
    colorBehind(input.vPositionW, refract(-V, N, 1.0 / (refractionIndex + dispersed)) * thickness, behindAlphaG).b);
`
		} else {
			code += "let behind = colorBehind(input.vPositionW, refract(-V, N, 1.0 / refractionIndex) * thickness, behindAlphaG);\n"
		}
	} else {
		code += "let behind = environmentRadiance(environmentDirection(refract(-V, N, 1.0 / refractionIndex)), alphaG) * scene.environmentInfos.x;\n"
	}
	reflected := "vec3<f32>(0.0)"
	if c.Environment != nil {
		f.Dependencies = append(f.Dependencies, "pbr-ibl")
		reflected = "specularReflectance * specularOcclusion * horizon"
	}
	// A surface without volume is a thin sheet: the ray goes straight on.
	f.Slots[composer.SlotAmbient] = "let refractionIndex = select(1.0, material.transmissionParams.z, material.transmissionParams.y > 0.0);\n" + code +
		"let behindShare = vec3<f32>(1.0) - " + reflected + ";\n" + transmissionAmbientWGSL
	if m.Sheen != nil {
		f.Dependencies = append(f.Dependencies, "pbr-sheen")
	}
	return in.before(f)
}

func (m *Material) transmissionUniforms(w material.Writer) {
	x := m.Transmission
	if x == nil {
		return
	}
	thickness := 0.0
	var absorption [3]float64
	if v := m.Volume; v != nil {
		thickness = v.Thickness
		absorption = v.absorption()
	}
	w.Floats("transmissionParams", x.Factor, thickness, or(m.IOR, 1.5), m.Dispersion)
	w.Floats("volumeAbsorption", absorption[0], absorption[1], absorption[2], 0)
}

// absorption is what a unit of length takes away: Beer's law.
func (v *Volume) absorption() [3]float64 {
	var a [3]float64
	if d := v.AttenuationDistance; d > 0 && !math.IsInf(d, 1) {
		for i, c := range v.AttenuationColor {
			a[i] = -math.Log(max(c, 1e-6)) / d
		}
	}
	return a
}
