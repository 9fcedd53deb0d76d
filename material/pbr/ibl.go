package pbr

import (
	_ "embed"

	"darkroom/composer"
	"darkroom/material"
)

//go:embed ibl.wgsl
var iblWGSL string

func environmentBindings() []composer.Binding {
	return []composer.Binding{
		{Name: "environmentTexture", Kind: composer.BindTexture, Type: "texture_cube<f32>", Visibility: composer.StageFragment},
		{Name: "environmentTextureSampler", Kind: composer.BindSampler, Visibility: composer.StageFragment},
		{Name: "brdfTexture", Kind: composer.BindTexture, Type: "texture_2d<f32>", Visibility: composer.StageFragment},
		{Name: "brdfTextureSampler", Kind: composer.BindSampler, Visibility: composer.StageFragment},
	}
}

// imageBased adds the light of an environment: irradiance by harmonics,
// prefiltered radiance with the split-sum table, the energy that single
// scattering loses (Fdez-Aguera 2019, as Babylon.js approximates it), specular
// occlusion (Lagarde 2014) and, with a normal map, horizon occlusion.
func imageBased(bent bool) *composer.Fragment {
	horizon := "let horizon = 1.0;"
	if bent {
		horizon = "let horizon = horizonOcclusion(V, N, geometricNormal);"
	}
	return &composer.Fragment{
		ID: "pbr-ibl", Bindings: environmentBindings(), FragmentHelpers: iblWGSL,
		Slots: map[composer.Slot]string{composer.SlotAmbient: `let brdf = textureSampleLevel(brdfTexture, brdfTextureSampler, vec2<f32>(NdotV, roughness), 0.0).rgb;
let specularReflectance = (colorF90 - colorF0) * brdf.x + colorF0 * brdf.y;
let occlusionTerm = NdotVUnclamped + occlusion;
let specularOcclusion = clamp(occlusionTerm * occlusionTerm - 1.0 + occlusion, 0.0, 1.0);
` + horizon + `
let energyConservation = 1.0 + colorF0 * (1.0 / max(brdf.y, 0.001) - 1.0);
let irradiance = environmentIrradiance(environmentDirection(irradianceNormal)) * scene.environmentInfos.x;
let reflected = environmentDirection(reflectionDirection);
let radiance = mix(environmentRadiance(reflected, alphaG) * scene.environmentInfos.x, irradiance, alphaG);
diffuseAmbient = irradiance * surfaceAlbedo * occlusion;
specularAmbient = radiance * specularReflectance * specularOcclusion * horizon * energyConservation;
directSpecular *= energyConservation;`},
	}
}

// backdrop shows the environment itself, blurred by the roughness: the
// material of a skybox that surrounds the camera. It reflects everything
// (F0 = F90 = 1), which leaves of Babylon.js's shading (PBR material of
// createDefaultSkybox, REFLECTIONMAP_SKYBOX) the radiance over what a rough
// surface would lose by single scattering: a gain of 1 to 2 percent at the
// roughness 0.3 that grows with the angle to the box's faces.
func backdrop() *composer.Fragment {
	return &composer.Fragment{
		ID: "pbr-backdrop", Bindings: environmentBindings(), FragmentHelpers: iblWGSL,
		Slots: map[composer.Slot]string{composer.SlotAmbient: `let scattered = textureSampleLevel(brdfTexture, brdfTextureSampler, vec2<f32>(NdotV, roughness), 0.0).g;
directDiffuse = vec3<f32>(0.0);
directSpecular = vec3<f32>(0.0);
specularAmbient = environmentRadiance(environmentDirection(input.vPositionW - scene.vEyePosition.xyz), alphaG) * scene.environmentInfos.x / max(scattered, 0.001);`},
	}
}

func bindEnvironment(c *material.Context, r material.Resources) {
	if e := c.Environment; e != nil {
		r.Texture("environmentTexture", e.Specular)
		r.Texture("brdfTexture", e.BRDF)
	}
}
