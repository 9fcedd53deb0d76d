// Package canary holds three tiny scenes that are drawn before a run to tell a
// changed driver from changed code. They must never change: they exercise
// rasterisation, interpolation, transcendental functions, blending and texture
// filtering with shaders of their own, so that a change of the materials does
// not touch them.
package canary

import (
	"math"

	"darkroom/composer"
	"darkroom/material/effect"
	"darkroom/material/texture"
	"darkroom/scenes"
)

// Size is the width and height of a canary picture in pixels.
const Size = 64

// Scenes returns the set.
func Scenes() ([]*scenes.Scene, error) {
	return []*scenes.Scene{functions(), filtering(), blending()}, nil
}

func fullScreen(name string, effects ...*effect.Effect) *scenes.Scene {
	s := scenes.New(name)
	for i, e := range effects {
		p := &scenes.EffectPass{Name: e.Name, Material: e}
		p.LoadColor = i > 0
		s.Graph = append(s.Graph, p)
	}
	return s
}

// functions draws what compilers and drivers round differently.
func functions() *scenes.Scene {
	return fullScreen("canary-functions", &effect.Effect{Name: "functions", Body: `let p = uv * 9.0 - 4.5;
color = vec4<f32>(0.5 + 0.5 * sin(p.x * p.y), exp2(-abs(p.x)) * inverseSqrt(1.0 + p.y * p.y), pow(uv.x, 2.2) * 0.5 + 0.5 * cos(p.y) * log2(1.0 + uv.x), 1.0);`})
}

// filtering samples a small texture between its texels, with mips.
func filtering() *scenes.Scene {
	const n = 16
	pix := make([]byte, n*n*4)
	for y := range n {
		for x := range n {
			o := (y*n + x) * 4
			pix[o], pix[o+1], pix[o+2], pix[o+3] = byte(x*16), byte(y*16), byte((x^y)*16), 255
		}
	}
	t := &texture.Texture{Name: "checks", Format: composer.RGBA8UnormSRGB, Mips: true, Source: &texture.Pixels{Width: n, Height: n, Levels: [][]byte{pix}}}
	return fullScreen("canary-filtering", &effect.Effect{
		Name: "filtering", Textures: map[string]effect.Input{"picture": {Texture: t}},
		Body: `let level = floor(uv.y * 4.0);
color = textureSampleLevel(picture, pictureSampler, st * 3.3, level);`,
	})
}

// blending lays one picture over another.
func blending() *scenes.Scene {
	b := composer.BlendAlphaState()
	over := &effect.Effect{Name: "over", Blend: &b, Values: []effect.Uniform{{Name: "turn", Type: "f32", Value: float32(math.Pi / 7)}}, Body: `let d = uv - 0.5;
let r = vec2<f32>(cos(mesh.turn) * d.x - sin(mesh.turn) * d.y, sin(mesh.turn) * d.x + cos(mesh.turn) * d.y);
color = vec4<f32>(0.9, 0.4, 0.1, smoothstep(0.4, 0.1, length(r * vec2<f32>(1.0, 2.0))) * 0.7);`}
	return fullScreen("canary-blending", &effect.Effect{Name: "under", Body: "color = vec4<f32>(uv.x * 0.7, 0.3, 1.0 - uv.y, 1.0);"}, over)
}
