package pbr

import (
	_ "embed"

	"darkroom/composer"
	"darkroom/material"
	"darkroom/material/surface"
)

//go:embed anisotropy.wgsl
var anisotropyWGSL string

//go:embed anisotropy_light.wgsl
var anisotropyLightWGSL string

// fragments stretch the highlight along a direction of the tangent frame: the
// anisotropic GGX of Burley 2012 and Heitz 2014 for lights, a normal bent
// towards the viewer for the surroundings (Revie 2012, as glTF's
// KHR_materials_anisotropy and Babylon.js shape it).
func (x *Anisotropy) fragments(c *material.Context, m *Material) []*composer.Fragment {
	in := &inputs{c: c}
	f := &composer.Fragment{
		ID: "pbr-anisotropy", FragmentHelpers: anisotropyWGSL,
		Fields: []composer.Field{{Name: "anisotropyParams", Type: "vec4<f32>"}},
		Slots: map[composer.Slot]string{
			SlotLight:      anisotropyLightWGSL,
			SlotReflection: "let bentNormal = stretchedNormal(N, V, stretchBitangent, anisotropy, roughness);\nreflectionDirection = reflect(-V, bentNormal);",
		},
	}
	if m.TwoSided || m.NormalTexture.set() {
		// Babylon.js takes the irradiance of two-sided and normal-mapped surfaces
		// in the fragment stage, and there with the bent normal.
		f.Slots[SlotReflection] += "\nirradianceNormal = bentNormal;"
	}
	code := "var anisotropy = clamp(material.anisotropyParams.z, 0.0, 1.0);\nvar stretch = material.anisotropyParams.xy;\n"
	if in.texel(x.Texture, "anisotropyTexture", "rgb", "") != "" {
		code += `anisotropy *= anisotropyTextureTexel.b;
let stretchTexel = anisotropyTextureTexel.rg * 2.0 - 1.0;
stretch = mat2x2<f32>(stretch, vec2<f32>(-stretch.y, stretch.x)) * stretchTexel * inverseSqrt(max(dot(stretchTexel, stretchTexel), 0.0000001));
`
	}
	// The frame is that of the normal map where there is one, so that both
	// agree; else of the first texture coordinates. There Babylon.js has the
	// bitangent point the other way: along V.
	uv, side := "", ""
	switch {
	case c.Has("normal") && c.Has("tangent"):
	case m.NormalTexture.set() && c.Has(stream(m.NormalTexture)):
		uv = "normalTextureUV"
		f.Dependencies = append(f.Dependencies, "pbr-normalTexture")
	case c.Has("uv"):
		uv, side = "input.vUV", "-"
		f.Requires = append(f.Requires, surface.UV(0))
	default:
		return nil // nothing says where along is
	}
	f.Slots[composer.SlotAlphaCutoff] = "let stretchFrame = " + tangentFrame(c, f, "N", m.turned(c, uv)) + ";"
	f.Slots[composer.SlotMaterial] = code + "let stretchTangent = safeNormalize(normalize(stretchFrame[0]) * stretch.x + normalize(" + side + "stretchFrame[1]) * stretch.y, N);" + `
let stretchBitangent = safeNormalize(cross(stretchFrame[2], stretchTangent), stretchTangent);`
	return in.before(f)
}
