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
	}
}

// imageBased adds the light of an environment: irradiance by harmonics,
// prefiltered radiance with the split-sum table and, with a normal map, horizon
// occlusion.
func imageBased(bent bool) *composer.Fragment {
	horizon := "let horizon = 1.0;"
	if bent {
		horizon = "let horizon = horizonOcclusion(V, N, geometricNormal);"
	}
	return &composer.Fragment{
		ID: "pbr-ibl", Dependencies: []string{"pbr-split-sum"}, Bindings: environmentBindings(), FragmentHelpers: iblWGSL,
		Slots: map[composer.Slot]string{composer.SlotAmbient: horizon + `
let irradiance = environmentIrradiance(environmentDirection(irradianceNormal)) * scene.environmentInfos.x;
let reflected = environmentDirection(reflectionDirection);
let radiance = mix(environmentRadiance(reflected, alphaG) * scene.environmentInfos.x, irradiance, alphaG);
diffuseAmbient = irradiance * surfaceAlbedo * occlusion;
specularAmbient = radiance * specularReflectance * specularOcclusion * horizon * energyConservation;`},
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
		ID: "pbr-backdrop", Bindings: append(environmentBindings(), splitSumBindings()...), FragmentHelpers: iblWGSL,
		Slots: map[composer.Slot]string{composer.SlotAmbient: `let scattered = textureSampleLevel(brdfTexture, brdfTextureSampler, vec2<f32>(NdotV, roughness), 0.0).g;
directDiffuse = vec3<f32>(0.0);
directSpecular = vec3<f32>(0.0);
specularAmbient = environmentRadiance(environmentDirection(input.vPositionW - scene.vEyePosition.xyz), alphaG) * scene.environmentInfos.x / max(scattered, 0.001);`},
	}
}

func bindEnvironment(c *material.Context, r material.Resources) {
	if e := c.Environment; e != nil {
		r.Texture("environmentTexture", e.Specular)
	}
}
