package pbr

import (
	"darkroom/composer"
	"darkroom/material"
	"darkroom/material/splitsum"
)

func splitSumBindings() []composer.Binding {
	return []composer.Binding{
		{Name: "brdfTexture", Kind: composer.BindTexture, Type: "texture_2d<f32>", Visibility: composer.StageFragment},
		{Name: "brdfTextureSampler", Kind: composer.BindSampler, Visibility: composer.StageFragment},
	}
}

// splitSum reads what the surface reflects as a whole from the split-sum table,
// gives the highlights of lights the energy that single scattering loses
// (Fdez-Aguera 2019, "A Multiple-Scattering Microfacet Model for Real-Time
// Image-based Lighting", as Babylon.js approximates it), and occludes what an
// environment or a picture behind adds (Lagarde 2014). Like the reference
// engine it does so without an environment, too.
func splitSum() *composer.Fragment {
	return &composer.Fragment{
		ID: "pbr-split-sum", Bindings: splitSumBindings(),
		Slots: map[composer.Slot]string{composer.SlotAmbient: `let brdf = textureSampleLevel(brdfTexture, brdfTextureSampler, vec2<f32>(NdotV, roughness), 0.0).rgb;
let specularReflectance = (colorF90 - colorF0) * brdf.x + colorF0 * brdf.y;
let occlusionTerm = NdotVUnclamped + occlusion;
let specularOcclusion = clamp(occlusionTerm * occlusionTerm - 1.0 + occlusion, 0.0, 1.0);
let energyConservation = 1.0 + colorF0 * (1.0 / max(brdf.y, 0.001) - 1.0);
directSpecular *= energyConservation;`},
	}
}

// bindSplitSum binds the environment's table, or the generated one.
func bindSplitSum(c *material.Context, r material.Resources) {
	if e := c.Environment; e != nil && e.BRDF != nil {
		r.Texture("brdfTexture", e.BRDF)
		return
	}
	r.Texture("brdfTexture", splitsum.Table())
}
