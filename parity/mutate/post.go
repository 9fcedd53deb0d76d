package mutate

import (
	"darkroom/material/effect"
	"darkroom/renderer"
	"darkroom/scenes"
)

// skipPost replaces the last effect that reads a picture by a copy of its input.
func skipPost(s *scenes.Scene, _ *renderer.Settings) bool {
	for i := len(s.Graph) - 1; i >= 0; i-- {
		p, ok := s.Graph[i].(*scenes.EffectPass)
		if !ok {
			continue
		}
		e, ok := p.Material.(*effect.Effect)
		if !ok || e.Textures["picture"].Texture == nil {
			continue
		}
		q := *p
		q.Material = &effect.Effect{Name: p.Name + " skipped", Body: "color = textureSampleLevel(picture, pictureSampler, st, 0.0);", Textures: map[string]effect.Input{"picture": e.Textures["picture"]}, Blend: e.Blend}
		s.Graph[i] = &q
		return true
	}
	return false
}
