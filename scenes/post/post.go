// Package post makes post-processes: each is one full-screen pass, or a list of
// them, over pictures that earlier passes drew. The renderer knows none of them.
//
// Directions and centres have their origin at the lower left and y up, as in
// the reference engine.
package post

import (
	"darkroom/composer"
	"darkroom/material/effect"
	"darkroom/material/texture"
	"darkroom/scenes"
)

// Pass says what a post-process reads and where it draws.
type Pass struct {
	Name string
	From *texture.Texture
	To   *texture.Texture // nil: the canvas
	// Viewport in fractions of the target; zero means all of it.
	Viewport scenes.Viewport
	// Load keeps what the target holds outside the viewport.
	Load bool
}

// Picture returns a target of the canvas's size times scale (zero means 1)
// that is sampled bilinearly and without repeating; an empty format means
// rgba8unorm.
func Picture(name string, format composer.TextureFormat, scale float64) *texture.Texture {
	clamp := composer.AddressClamp
	return &texture.Texture{
		Name: name, Format: format, Source: &texture.Target{Scale: scale},
		Sampler: texture.Sampler{AddressU: clamp, AddressV: clamp, AddressW: clamp, NoMips: true},
	}
}

// effect makes the pass that draws e, which sees From as "picture". Kind and
// settings are what a document says of it; Make takes them.
func (p Pass) effect(kind string, settings map[string][]float64, e *effect.Effect) *scenes.EffectPass {
	e.Name = p.Name
	if e.Textures == nil {
		e.Textures = map[string]effect.Input{}
	}
	e.Textures["picture"] = effect.Input{Texture: p.From}
	out := &scenes.EffectPass{Name: p.Name, Material: e, Viewport: p.Viewport}
	out.Process = &scenes.Process{Name: kind, Values: settings, Inputs: map[string]*texture.Texture{}}
	for name, in := range e.Textures {
		out.Process.Inputs[name] = in.Texture
	}
	out.LoadColor = p.Load
	if p.To != nil {
		out.Color = []*texture.Texture{p.To}
	}
	return out
}

// Copy shows the picture as it is.
func Copy(p Pass) *scenes.EffectPass {
	return p.effect("copy", nil, &effect.Effect{Body: "color = textureSampleLevel(picture, pictureSampler, st, 0.0);"})
}

// format is that of the picture a pass reads.
func (p Pass) format() composer.TextureFormat { return p.From.GPUFormat() }

// scale is the share of the canvas's size that the picture read by p has.
func (p Pass) scale() float64 {
	if t, ok := p.From.Source.(*texture.Target); ok && t.Scale != 0 {
		return t.Scale
	}
	return 1
}
