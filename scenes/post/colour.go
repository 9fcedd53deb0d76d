package post

import (
	_ "embed"

	"darkroom/material"
	"darkroom/material/effect"
	"darkroom/material/texture"
	"darkroom/scenes"
)

//go:embed aberration.wgsl
var aberrationWGSL string

//go:embed sharpen.wgsl
var sharpenWGSL string

// BlackAndWhite takes the colour away by degree, 0…1. The weights of the
// luminance are Babylon.js's blackAndWhite.
func BlackAndWhite(p Pass, degree float64) *scenes.EffectPass {
	return p.effect("blackAndWhite", map[string][]float64{"degree": {degree}}, &effect.Effect{
		Values: []effect.Uniform{{Name: "degree", Type: "f32", Value: degree}},
		Body: `let seen = textureSampleLevel(picture, pictureSampler, st, 0.0);
color = vec4<f32>(mix(seen.rgb, vec3<f32>(dot(seen.rgb, vec3<f32>(0.3, 0.59, 0.11))), mesh.degree), 1.0);`,
	})
}

// Anaglyph shows the right eye's picture (From) in red and the left eye's in
// green and blue, for glasses of these colours.
func Anaglyph(p Pass, left *texture.Texture) *scenes.EffectPass {
	return p.effect("anaglyph", nil, &effect.Effect{
		Textures: map[string]effect.Input{"left": {Texture: left}},
		Body:     `color = vec4<f32>(textureSampleLevel(picture, pictureSampler, st, 0.0).r, textureSampleLevel(left, leftSampler, st, 0.0).gb, 1.0);`,
	})
}

// Aberration are the settings of ChromaticAberration.
type Aberration struct {
	// Amount is how far, in pixels of the picture, red and blue part: 0.3 of it each.
	Amount float64
	// Direction of the parting; zero means away from Center.
	Direction [2]float64
	// RadialIntensity is the power of the distance from Center, in fractions of
	// the picture, that scales the amount; zero means everywhere alike.
	RadialIntensity float64
	Center          [2]float64 // in fractions of the picture
}

// ChromaticAberration shifts red and blue against green: Babylon.js,
// chromaticAberration, which halves the vertical shift.
func ChromaticAberration(p Pass, a Aberration) *scenes.EffectPass {
	settings := map[string][]float64{"amount": {a.Amount}, "direction": a.Direction[:], "radialIntensity": {a.RadialIntensity}, "center": a.Center[:]}
	return p.effect("chromaticAberration", settings, &effect.Effect{
		Values: []effect.Uniform{
			{Name: "amounts", Type: "vec4<f32>", Value: []float64{a.Amount, a.RadialIntensity, a.Center[0], a.Center[1]}},
			{Name: "direction", Type: "vec2<f32>", Value: a.Direction[:]},
			screen(),
		},
		Body: aberrationWGSL,
	})
}

// Sharpness are the settings of Sharpen.
type Sharpness struct {
	Color float64 // factor of the picture; Babylon.js's default is 1
	Edge  float64 // how much of the Laplacian is taken off; Babylon.js's default is 0.3
}

// Sharpen subtracts the Laplacian of the four neighbours: Babylon.js, sharpen.
func Sharpen(p Pass, s Sharpness) *scenes.EffectPass {
	return p.effect("sharpen", map[string][]float64{"color": {s.Color}, "edge": {s.Edge}}, &effect.Effect{
		Values: []effect.Uniform{{Name: "amounts", Type: "vec2<f32>", Value: []float64{s.Color, s.Edge}}, screen()},
		Body:   sharpenWGSL,
	})
}

// screen is the size of the target in pixels.
func screen() effect.Uniform {
	return effect.Uniform{Name: "screenSize", Type: "vec2<f32>", Func: func(s material.System) any { return s.Screen[:] }}
}

// ImageProcessing takes a linear picture to display space with the scene's
// exposure, tone mapping and contrast. What draws the picture must be Linear.
func ImageProcessing(p Pass) *scenes.EffectPass {
	return p.effect("imageProcessing", nil, &effect.Effect{
		Helpers: material.ImageProcessingWGSL,
		Body: `let seen = textureSampleLevel(picture, pictureSampler, st, 0.0);
color = vec4<f32>(imageProcessing(seen.rgb), seen.a);`,
	})
}
