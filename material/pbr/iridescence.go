package pbr

import (
	_ "embed"

	"darkroom/composer"
	"darkroom/material"
)

//go:embed iridescence.wgsl
var iridescenceWGSL string

// fragments lets a thin film change the reflectance of the base. A clear coat
// over the film takes the place of air, and bends the light before.
func (x *Iridescence) fragments(c *material.Context, m *Material) []*composer.Fragment {
	f := &composer.Fragment{
		ID: "pbr-iridescence", FragmentHelpers: iridescenceWGSL,
		Fields: []composer.Field{{Name: "iridescenceParams", Type: "vec4<f32>"}}, Slots: map[composer.Slot]string{},
		Dependencies: m.reflectivity(),
	}
	code := "var filmAmount = material.iridescenceParams.x;\nvar filmThickness = material.iridescenceParams.w;"
	var out []*composer.Fragment
	if s := sampled(c, x.Texture, "iridescenceTexture", composer.SlotMaterial, ""); len(s) > 0 {
		out = append(out, s...)
		code += "\nfilmAmount *= iridescenceTextureTexel.r;"
	}
	if s := sampled(c, x.ThicknessTexture, "iridescenceThicknessTexture", composer.SlotMaterial, ""); len(s) > 0 {
		out = append(out, s...)
		code += "\nfilmThickness = mix(material.iridescenceParams.z, material.iridescenceParams.w, iridescenceThicknessTextureTexel.g);"
	}
	for _, o := range out {
		f.Dependencies = append(f.Dependencies, o.ID)
	}
	outside, cosine := "1.0", "NdotV"
	if m.Clearcoat != nil && !m.Backdrop {
		f.Dependencies = append(f.Dependencies, "pbr-coat-amount")
		outside, cosine = "overFilm", "sqrt(max(1.0 - (1.0 - NdotV * NdotV) / (overFilm * overFilm), 0.0))"
		code += "\nlet overFilm = mix(1.0, (1.0 + sqrt(coatF0)) / (1.0 - sqrt(coatF0)), coatAmount);"
	}
	f.Slots[composer.SlotMaterial] = code + "\ncolorF0 = mix(colorF0, iridescentF0(" + outside + ", max(material.iridescenceParams.y, 1.0001), " + cosine + ", max(filmThickness, 0.0), colorF0), clamp(filmAmount, 0.0, 1.0));"
	// The film's reflectance is that of the angle already; for lights Babylon.js
	// leaves Schlick's rise towards the edge out as far as there is a film.
	f.Slots[composer.SlotBeforeLighting] = "directF90 = mix(directF90, colorF0, clamp(filmAmount, 0.0, 1.0));"
	return append(out, f)
}
