package minimise

import (
	"fmt"
	"reflect"

	"darkroom/material"
	"darkroom/material/effect"
	"darkroom/material/texture"
	"darkroom/scenes"
)

// Freeze stops a scene at t seconds, so that less of it is code: animations have
// moved what they move, and values that effects compute from the size of their
// target (width and height are the canvas's in pixels) are written down. What
// still moves afterwards, from frame to frame, stays as it is.
func Freeze(s *scenes.Scene, t float64, width, height int) error {
	if err := s.Seek(t); err != nil {
		return fmt.Errorf("scene %s: %w", s.Name, err)
	}
	if s.Frames < 2 || s.Step == 0 {
		s.Animations, s.Animate = nil, nil
	}
	for _, list := range [][]scenes.Task{s.Before, s.Graph} {
		for _, task := range list {
			p, ok := task.(*scenes.EffectPass)
			if !ok {
				continue
			}
			e, ok := p.Material.(*effect.Effect)
			if !ok {
				continue
			}
			for i := range e.Values {
				v, ok := perFrame(s, p, e.Values[i].Func, t, width, height)
				if ok && len(v) == 1 {
					e.Values[i].Value, e.Values[i].Func = v[0], nil
				}
			}
		}
	}
	return nil
}

// perFrame evaluates a value of an effect for each frame; one value where all
// are equal. ok is false where it depends on more than the target's size, the
// frame and the time.
func perFrame(s *scenes.Scene, p *scenes.EffectPass, f func(material.System) any, t float64, width, height int) (values []any, ok bool) {
	if f == nil {
		return nil, false
	}
	w, h := targetSize(p, width, height)
	equal := true
	for i := range max(1, s.Frames) {
		sys := material.System{Screen: [2]float64{float64(w), float64(h)}, Frame: i, Time: t + float64(i)*s.Step}
		v := f(sys)
		// The same value from another point of view?
		for _, m := range []*[16]float64{&sys.World, &sys.View, &sys.Projection, &sys.ViewProjection} {
			for j := range m {
				m[j] = 0.5 + float64(j)
			}
		}
		sys.Eye = [3]float64{1, 2, 3}
		if !reflect.DeepEqual(v, f(sys)) {
			return nil, false
		}
		values = append(values, v)
		equal = equal && reflect.DeepEqual(v, values[0])
	}
	if equal {
		values = values[:1]
	}
	return values, true
}

// targetSize is the size of what a pass draws into, in pixels.
func targetSize(p *scenes.EffectPass, width, height int) (w, h int) {
	if len(p.Color) == 0 || p.Color[0] == nil {
		return width, height
	}
	x, ok := p.Color[0].Source.(*texture.Target)
	if !ok {
		return width, height
	}
	w, h = x.Width, x.Height
	scale := x.Scale
	if scale == 0 {
		scale = 1
	}
	if w == 0 {
		w = max(1, int(float64(width)*scale))
	}
	if h == 0 {
		h = max(1, int(float64(height)*scale))
	}
	if len(p.Views) > 0 { // a mip level
		w, h = max(1, w>>p.Views[0].BaseMip), max(1, h>>p.Views[0].BaseMip)
	}
	return w, h
}
