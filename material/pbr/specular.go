package pbr

import (
	"darkroom/composer"
	"darkroom/material"
)

// reflectivity names the fragments that give the base its reflectance, which
// films and coats over it change.
func (m *Material) reflectivity() []string {
	switch {
	case m.SpecularGlossiness != nil:
		return []string{"pbr-specular-glossiness"}
	case m.Specular != nil:
		return []string{"pbr-specular"}
	}
	return nil
}

// fragments replaces metallic-roughness by specular-glossiness.
func (x *SpecularGlossiness) fragments(c *material.Context) []*composer.Fragment {
	code := `var specularGlossinessColor = material.specularGlossiness;`
	f := &composer.Fragment{ID: "pbr-specular-glossiness", Fields: []composer.Field{{Name: "specularGlossiness", Type: "vec4<f32>"}}, Slots: map[composer.Slot]string{}}
	out := sampled(c, x.Texture, "specularGlossinessTexture", composer.SlotMaterial, "")
	if len(out) > 0 {
		code += "\nspecularGlossinessColor *= specularGlossinessTextureTexel;"
		f.Dependencies = []string{out[0].ID}
	}
	f.Slots[composer.SlotMaterial] = code + `
roughness = clamp(1.0 - specularGlossinessColor.a, 0.0, 1.0);
colorF0 = specularGlossinessColor.rgb;
surfaceAlbedo = baseColor * (1.0 - max(colorF0.r, max(colorF0.g, colorF0.b)));`
	return append(out, f)
}

// fragments weakens and tints the dielectric reflection (KHR_materials_specular):
// Babylon.js, metallicReflectanceColor and metallicF0Factor.
func (x *Specular) fragments(c *material.Context) []*composer.Fragment {
	f := &composer.Fragment{ID: "pbr-specular", Fields: []composer.Field{{Name: "specularParams", Type: "vec4<f32>"}}, Slots: map[composer.Slot]string{}}
	code := "var specularColor = material.specularParams.rgb;\nvar specularWeight = material.specularParams.w;"
	var out []*composer.Fragment
	if s := sampled(c, x.ColorTexture, "specularColorTexture", composer.SlotMaterial, ""); len(s) > 0 {
		out = append(out, s...)
		code += "\nspecularColor *= specularColorTextureTexel.rgb;"
	}
	if s := sampled(c, x.Texture, "specularTexture", composer.SlotMaterial, ""); len(s) > 0 {
		out = append(out, s...)
		code += "\nspecularWeight *= specularTextureTexel.a;"
	}
	for _, o := range out {
		f.Dependencies = append(f.Dependencies, o.ID)
	}
	f.Slots[composer.SlotMaterial] = code + `
let specularF0 = min(dielectricF0 * specularColor, vec3<f32>(1.0)) * specularWeight;
colorF0 = mix(specularF0, baseColor, metallic);
colorF90 = vec3<f32>(mix(specularWeight, 1.0, metallic));
surfaceAlbedo = baseColor * (1.0 - specularF0) * (1.0 - metallic);`
	return append(out, f)
}
