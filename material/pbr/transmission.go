package pbr

import (
	_ "embed"

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
// place in the picture behind; roughness chooses the mip. Where the highlight
// is stretched, the bent normal of the reflection refracts, too.
func (m *Material) transmission(c *material.Context, stretched bool) []*composer.Fragment {
	if c.SceneColor == nil && c.Environment == nil {
		return nil // nothing is known of what lies behind
	}
	in := &inputs{c: c}
	f := &composer.Fragment{
		ID: "pbr-transmission",
		Fields: []composer.Field{
			{Name: "transmissionParams", Type: "vec4<f32>"}, // factor, index in the body, index at the surface, dispersion
		},
		Slots: map[composer.Slot]string{},
	}
	code := "let transmitted = clamp(material.transmissionParams.x * " + in.texel(m.Transmission.Texture, "transmissionTexture", "r", "1.0") + ", 0.0, 1.0);\n"
	thickness, through := "1.0", "vec3<f32>(1.0)"
	if m.Volume != nil {
		thickness, through = "thickness", "exp(-material.volumeParams.rgb * thickness)"
		f.Dependencies = append(f.Dependencies, "pbr-volume")
	}
	if c.SceneColor != nil {
		f.FragmentHelpers = transmissionWGSL
		f.Bindings = []composer.Binding{
			{Name: "sceneColor", Kind: composer.BindTexture, Type: "texture_2d<f32>", Visibility: composer.StageFragment},
			{Name: "sceneColorSampler", Kind: composer.BindSampler, Visibility: composer.StageFragment},
		}
		code += "let behindAlphaG = mix(alphaG, 0.0, clamp(3.0 / material.transmissionParams.z - 2.0, 0.0, 1.0));\n"
		if m.Dispersion > 0 {
			// The constant of Babylon.js and Babylon Lite. Babylon.js 9's glTF loader
			// passes 20 over the file's value; here it grows with it, as the extension says.
			ray := func(index, channel string) string {
				return "\n    colorBehind(input.vPositionW, refract(-V, refracting, 1.0 / " + index + ") * " + thickness + ", behindAlphaG)." + channel
			}
			code += "let dispersed = 0.04 * material.transmissionParams.w * (refractionIndex - 1.0);\nlet behind = vec3<f32>(" +
				ray("max(refractionIndex - dispersed, 1.0)", "r") + "," + ray("refractionIndex", "g") + "," + ray("(refractionIndex + dispersed)", "b") + ");\n"
		} else {
			code += "let behind = colorBehind(input.vPositionW, refract(-V, refracting, 1.0 / refractionIndex) * " + thickness + ", behindAlphaG);\n"
		}
	} else {
		code += "let behind = environmentRadiance(environmentDirection(refract(-V, refracting, 1.0 / refractionIndex)), alphaG) * scene.environmentInfos.x;\n"
	}
	f.Dependencies = append(f.Dependencies, "pbr-split-sum")
	reflected := "specularReflectance * specularOcclusion"
	if c.Environment != nil {
		f.Dependencies = append(f.Dependencies, "pbr-ibl")
		reflected += " * horizon"
	}
	if m.Clearcoat != nil {
		f.Dependencies = append(f.Dependencies, "pbr-clearcoat")
		reflected += " * coatConservation"
	}
	refracting := "N"
	if stretched {
		refracting = "bentNormal"
		f.Dependencies = append(f.Dependencies, "pbr-anisotropy")
	}
	// A surface without volume is a thin sheet: the ray goes straight on.
	f.Slots[composer.SlotAmbient] = "let refractionIndex = material.transmissionParams.y;\nlet refracting = " + refracting + ";\n" + code +
		"let notBehind = " + reflected + ";\nlet behindShare = (1.0 - max(notBehind.r, max(notBehind.g, notBehind.b))) * " + through + ";\n" + transmissionAmbientWGSL
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
	index := or(m.IOR, 1.5)
	body := 1.0
	if m.Volume != nil && m.Volume.Thickness > 0 {
		body = index
	}
	w.Floats("transmissionParams", x.Factor, body, index, m.Dispersion)
}
