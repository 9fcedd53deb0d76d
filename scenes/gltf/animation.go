package gltf

import (
	"fmt"

	"github.com/qmuntal/gltf"

	"darkroom/scenes"
)

// buildAnimations makes a clip of each animation. As in the reference engine
// the first plays and the others are stopped, and a clip begins at 0 s.
func (l *loader) buildAnimations() error {
	for i, a := range l.doc.Animations {
		name := a.Name
		if name == "" {
			name = fmt.Sprintf("animation%d", i)
		}
		clip := &scenes.Animation{Name: name, Stopped: len(l.asset.Animations) > 0}
		for k := range a.Channels {
			if err := l.animationChannel(clip, i, k); err != nil {
				return err
			}
		}
		if len(clip.Tracks) == 0 {
			l.warn("%s drives nothing", named("animation", i, a.Name))
			continue
		}
		l.asset.Animations = append(l.asset.Animations, clip)
	}
	return nil
}

func (l *loader) animationChannel(clip *scenes.Animation, i, k int) error {
	a := l.doc.Animations[i]
	c := a.Channels[k]
	o := named("animation", i, a.Name) + " " + nth("channel", k)
	target := l.doc.animations[i].Channels[k].Target
	var tracks []*scenes.Track
	switch path := *target.Path; path {
	case "pointer":
		var p struct {
			Pointer *string `json:"pointer"`
		}
		ok, err := extension(c.Target.Extensions, "KHR_animation_pointer", o, &p)
		if err != nil {
			return err
		}
		if !ok {
			l.warn("%s is ignored: it has a pointer path and no KHR_animation_pointer", o)
			return nil
		}
		if p.Pointer == nil {
			return missing(o, "KHR_animation_pointer.pointer")
		}
		if tracks, err = l.pointer(o, *p.Pointer); err != nil {
			return err
		}
	case "translation", "rotation", "scale", "weights":
		if c.Target.Node == nil {
			return nil // section 3.11: such a channel is to be ignored
		}
		tracks = l.nodeTracks(o, *c.Target.Node, path)
	default:
		return bad(o, "target.path is %s, want translation, rotation, scale or weights", quote(path))
	}
	if len(tracks) == 0 {
		return nil
	}
	s := l.doc.Animations[i].Samplers[c.Sampler]
	so := named("animation", i, a.Name) + " " + nth("sampler", c.Sampler)
	times, _, err := l.floats(so+" input", s.Input, gltf.AccessorScalar)
	if err != nil {
		return err
	}
	values, _, err := l.floats(so+" output", s.Output, gltf.AccessorScalar, gltf.AccessorVec2, gltf.AccessorVec3, gltf.AccessorVec4)
	if err != nil {
		return err
	}
	for n := 1; n < len(times); n++ {
		if times[n] <= times[n-1] && l.doc.Accessors[s.Input].BufferView == nil && l.doc.Accessors[s.Input].Sparse == nil {
			l.warn("%s is ignored: its times are not in the file", o)
			return nil
		}
		if times[n] <= times[n-1] {
			return bad(so, "input %d is %g s after %g s, times must ascend", n, times[n], times[n-1])
		}
	}
	if times[0] < 0 {
		return bad(so, "input 0 is %g s, want 0 or more", times[0])
	}
	per := 1
	interp := scenes.Linear
	switch s.Interpolation {
	case gltf.InterpolationStep:
		interp = scenes.Step
	case gltf.InterpolationCubicSpline:
		interp, per = scenes.Cubic, 3
	}
	if err := l.spend(so, int64(len(times)+len(values))*8); err != nil {
		return err
	}
	t64, v64 := doubles(times), doubles(values)
	for _, t := range tracks {
		width := trackWidth(t)
		if len(values) != width*per*len(times) {
			return bad(so, "output has %s for %s; %s wants %d for each", count(len(values), "number"), count(len(times), "key"), *target.Path, width*per)
		}
		t.Times, t.Values, t.Interp = t64, v64, interp
		clip.Tracks = append(clip.Tracks, t)
	}
	return nil
}

func doubles(f []float32) []float64 {
	out := make([]float64, len(f))
	for i, x := range f {
		out[i] = float64(x)
	}
	return out
}

func trackWidth(t *scenes.Track) int {
	switch t.Path {
	case scenes.PathPosition, scenes.PathScaling:
		return 3
	case scenes.PathRotation:
		return 4
	case scenes.PathCustom:
		return t.Width
	}
	return 1
}

// nodeTracks drive a property of a node: none where there is nothing to drive.
func (l *loader) nodeTracks(o string, node int, path string) []*scenes.Track {
	n := l.asset.Nodes[node]
	switch path {
	case "translation":
		return []*scenes.Track{{Node: n, Path: scenes.PathPosition}}
	case "rotation":
		return []*scenes.Track{{Node: n, Path: scenes.PathRotation}}
	case "scale":
		return []*scenes.Track{{Node: n, Path: scenes.PathScaling}}
	}
	uses := l.weights[node]
	if len(uses) == 0 {
		if l.reachable[node] {
			l.warn("%s is ignored: node %d has no morph targets", o, node)
		}
		return nil
	}
	return []*scenes.Track{{Path: scenes.PathCustom, Name: n.Name + " weights", Width: uses[0].Targets(), Set: func(v []float64) {
		for _, m := range uses {
			copy(m.Weights, v)
		}
	}}}
}
