package pbr

import (
	_ "embed"

	"darkroom/composer"
	"darkroom/material"
)

//go:embed iridescence.wgsl
var iridescenceWGSL string

// fragments lets a thin film change the reflectance of the base.
func (x *Iridescence) fragments(c *material.Context) []*composer.Fragment {
	f := &composer.Fragment{
		ID: "pbr-iridescence", FragmentHelpers: iridescenceWGSL,
		Fields: []composer.Field{{Name: "iridescenceParams", Type: "vec4<f32>"}}, Slots: map[composer.Slot]string{},
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
	f.Slots[composer.SlotMaterial] = code + "\ncolorF0 = mix(colorF0, iridescentF0(max(material.iridescenceParams.y, 1.0001), NdotV, max(filmThickness, 0.0), colorF0), clamp(filmAmount, 0.0, 1.0));"
	return append(out, f)
}
