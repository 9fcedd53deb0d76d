package post

import (
	"darkroom/composer"
	"darkroom/material"
	"darkroom/material/effect"
	"darkroom/material/texture"
	"darkroom/scenes"
)

// TAA are the settings of temporal anti-aliasing.
type TAA struct {
	// Factor is the weight of the frame against what was gathered; zero means 0.05.
	Factor float64
	// Samples is the number of places within a pixel; zero means 8.
	Samples int
}

// TemporalAntiAliasing gathers frames whose projection moves by parts of a
// pixel: it sets s.Jitter, and returns the tasks that mix From into a history
// and draw it. Scene.Frames says how many frames are gathered.
func TemporalAntiAliasing(s *scenes.Scene, p Pass, t TAA) []scenes.Task {
	if t.Factor == 0 {
		t.Factor = 0.05
	}
	if t.Samples < 1 {
		t.Samples = 8
	}
	s.Jitter = Jitter(t.Samples)
	// Eight bits would stop gathering at a step of 1/255 over the factor.
	history := Picture(p.Name+" history", composer.RGBA16Float, p.scale())
	history.Source.(*texture.Target).Persistent = true
	mixed := Picture(p.Name+" mixed", composer.RGBA16Float, p.scale())
	show := p
	show.From = mixed
	return []scenes.Task{
		gather(Pass{Name: p.Name + " mix", From: p.From, To: mixed}, history, t),
		Copy(show), &scenes.CopyPass{Name: p.Name + " keep", From: mixed, To: history},
	}
}

// Jitter are the places within a pixel, in pixels from its middle, at which the
// frames of a temporal anti-aliasing look: the middle, then samples places in turn.
func Jitter(samples int) func(frame int) [2]float64 {
	return func(frame int) [2]float64 {
		if frame == 0 {
			return [2]float64{}
		}
		i := (frame-1)%samples + 1
		return [2]float64{halton(i, 2) - 0.5, halton(i, 3) - 0.5}
	}
}

// gather mixes the frame with what was gathered: Babylon.js, taa.
func gather(p Pass, history *texture.Texture, t TAA) *scenes.EffectPass {
	settings := map[string][]float64{"factor": {t.Factor}, "samples": {float64(t.Samples)}}
	return p.effect("gather", settings, &effect.Effect{
		Textures: map[string]effect.Input{"history": {Texture: history}},
		Values: []effect.Uniform{{Name: "factor", Type: "f32", Func: func(s material.System) any {
			if s.Frame == 0 {
				return 1.0 // there is nothing to mix with
			}
			return t.Factor
		}}},
		Body: `let at = vec2<i32>(input.position.xy);
color = mix(textureLoad(history, at, 0), textureLoad(picture, at, 0), mesh.factor);`,
	})
}

// halton is the i-th number of the low-discrepancy sequence of a base: Halton 1960.
func halton(i, base int) float64 {
	f, r := 1.0, 0.0
	for ; i > 0; i /= base {
		f /= float64(base)
		r += f * float64(i%base)
	}
	return r
}
