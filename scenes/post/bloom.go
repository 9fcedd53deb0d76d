package post

import (
	"math"

	"darkroom/material/effect"
	"darkroom/material/texture"
	"darkroom/scenes"
)

// Glow are the settings of Bloom; zero values are Babylon.js's defaults.
type Glow struct {
	Weight    float64 // of the glow in the sum; zero means 0.25
	Kernel    float64 // width of the blur in pixels of the picture; zero means 64
	Threshold float64 // linear luminance above which a pixel glows; zero means 0.2
	Exposure  float64 // factor of the colour that is measured; zero means 1
	Scale     float64 // of the blurred pictures; zero means 0.5
}

// Bloom adds a blur of what is bright to the picture.
func Bloom(p Pass, g Glow) []scenes.Task {
	orElse(&g.Weight, 0.25)
	orElse(&g.Kernel, 64)
	orElse(&g.Threshold, 0.2)
	orElse(&g.Exposure, 1)
	orElse(&g.Scale, 0.5)
	step := func(name string, from Pass) Pass {
		return Pass{Name: p.Name + " " + name, From: from.To, To: Picture(p.Name+" "+name, p.format(), p.scale()*g.Scale)}
	}
	bright := step("bright", Pass{To: p.From})
	across := step("across", bright)
	down := step("down", across)
	return []scenes.Task{
		Highlights(bright, g.Threshold, g.Exposure),
		Blur(across, [2]float64{1, 0}, g.Kernel*g.Scale),
		Blur(down, [2]float64{0, 1}, g.Kernel*g.Scale),
		addGlow(p, down.To, g.Weight),
	}
}

// addGlow adds the blurred picture of what is bright: Babylon.js, bloomMerge.
func addGlow(p Pass, glow *texture.Texture, weight float64) *scenes.EffectPass {
	return p.effect("addGlow", map[string][]float64{"weight": {weight}}, &effect.Effect{
		Textures: map[string]effect.Input{"glow": {Texture: glow}},
		Values:   []effect.Uniform{{Name: "weight", Type: "f32", Value: weight}},
		Body: `let seen = textureSampleLevel(picture, pictureSampler, st, 0.0);
color = vec4<f32>(seen.rgb + textureSampleLevel(glow, glowSampler, st, 0.0).rgb * mesh.weight, seen.a);`,
	})
}

// Highlights keeps what is brighter than a linear threshold and makes the rest
// black: Babylon.js, extractHighlights.
func Highlights(p Pass, threshold, exposure float64) *scenes.EffectPass {
	return p.effect("highlights", map[string][]float64{"threshold": {threshold}, "exposure": {exposure}}, &effect.Effect{
		Values: []effect.Uniform{{Name: "limits", Type: "vec2<f32>", Value: []float64{math.Pow(threshold, 1/2.2), exposure}}},
		Body: `let seen = textureSampleLevel(picture, pictureSampler, st, 0.0);
let luminance = dot(vec3<f32>(0.2126, 0.7152, 0.0722), seen.rgb * mesh.limits.y);
color = vec4<f32>(step(mesh.limits.x, luminance) * seen.rgb, seen.a);`,
	})
}

func orElse(v *float64, def float64) {
	if *v == 0 {
		*v = def
	}
}
