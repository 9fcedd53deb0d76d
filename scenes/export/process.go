package export

import (
	"fmt"

	"darkroom/material"
	"darkroom/scenes"
	"darkroom/scenes/post"
)

// plainEffectPass is a full-screen pass: a known post-process by name where the
// pass is one, and its material otherwise.
type plainEffectPass struct {
	Name string
	scenes.Attachments
	Material material.Material
	Camera   *scenes.Camera
	Viewport scenes.Viewport
	Process  *scenes.Process
}

func packEffectPass(v any) (any, error) {
	p := v.(*scenes.EffectPass)
	out := &plainEffectPass{p.Name, p.Attachments, p.Material, p.Camera, p.Viewport, nil}
	if post.Is(p) {
		out.Process, out.Material = p.Process, nil
	}
	return out, nil
}

func unpackEffectPass(v any) (any, error) {
	p := v.(*plainEffectPass)
	out := &scenes.EffectPass{Name: p.Name, Attachments: p.Attachments, Material: p.Material, Camera: p.Camera, Viewport: p.Viewport}
	if p.Process == nil {
		if p.Material == nil {
			return nil, fmt.Errorf("it has neither a material nor a process; want one of them")
		}
		return out, nil
	}
	if p.Material != nil {
		return nil, fmt.Errorf("it has both a material and a process; want one of them")
	}
	made, err := post.Make(p.Process, post.Pass{Name: p.Name, Viewport: p.Viewport}, p.Camera)
	if err != nil {
		return nil, err
	}
	out.Material, out.Process = made.Material, made.Process
	return out, nil
}

// jitter takes the movement of the projection out of a scene where it is the
// one that a temporal anti-aliasing of its graph brings along.
func jitter(s *scenes.Scene) {
	samples := gathered(s)
	if s.Jitter == nil || samples == 0 {
		return
	}
	want := post.Jitter(samples)
	for frame := range 2*samples + 2 {
		if s.Jitter(frame) != want(frame) {
			return // another movement: it is refused as the function that it is
		}
	}
	s.Jitter = nil
}

// gathered is the number of samples of the temporal anti-aliasing in a scene's
// graph; 0 where there is none.
func gathered(s *scenes.Scene) int {
	for _, t := range s.Graph {
		if p, ok := t.(*scenes.EffectPass); ok && p.Process != nil && p.Process.Name == "gather" && post.Is(p) {
			if v := p.Process.Values["samples"]; len(v) == 1 {
				return int(v[0])
			}
		}
	}
	return 0
}
