package pbr

import (
	_ "embed"

	"darkroom/composer"
	"darkroom/material"
)

//go:embed sheen.wgsl
var sheenWGSL string

//go:embed sheen_ambient.wgsl
var sheenAmbientWGSL string

//go:embed sheen_base.wgsl
var sheenBaseWGSL string

// fragments add the back-scattering of cloth: the Charlie distribution (Estevez
// and Kulla 2017, "Production Friendly Microfacet Sheen BRDF") with the
// visibility of Ashikhmin and Premoze 2007. What it reflects of the
// surroundings, in the blue channel of the BRDF table, it takes from the base.
func (x *Sheen) fragments(c *material.Context) []*composer.Fragment {
	in := &inputs{c: c}
	f := &composer.Fragment{
		ID: "pbr-sheen", FragmentHelpers: sheenWGSL,
		Fields: []composer.Field{{Name: "sheenParams", Type: "vec4<f32>"}},
		Slots: map[composer.Slot]string{
			composer.SlotMaterial: "let sheenColor = material.sheenParams.rgb * " + in.texel(x.ColorTexture, "sheenColorTexture", "rgb", "1.0") + ";\n" +
				"let sheenRoughness = clamp(material.sheenParams.w * " + in.texel(x.RoughnessTexture, "sheenRoughnessTexture", "a", "1.0") + ", 0.0, 1.0);",
			composer.SlotBeforeLighting: "let sheenDirectRoughness = max(sheenRoughness, roughnessFloor);\nlet sheenDirectAlphaG = sheenDirectRoughness * sheenDirectRoughness + 0.0005;",
			SlotLight:                   "layerTerm += sheenColor * distributionCharlie(NdotH, sheenDirectAlphaG) * visibilityAshikhmin(info.NdotL, NdotV) * info.NdotL * info.attenuation * light.diffuse.rgb;",
		},
	}
	f.Dependencies = append(f.Dependencies, "pbr-split-sum")
	f.Slots[composer.SlotAmbient] = sheenBaseWGSL
	if c.Environment != nil {
		f.Dependencies = append(f.Dependencies, "pbr-ibl")
		f.Slots[composer.SlotAmbient] += sheenAmbientWGSL
	}
	return in.before(f)
}
