// Package mutate measures how sensitive a suite of scenes is: faults are made on
// purpose, one at a time, and it is noted which scenes' gates notice. A mutant
// that nobody notices is a fault that could be shipped.
package mutate

import (
	"reflect"
	"slices"

	"darkroom/composer"
	"darkroom/material"
	"darkroom/material/texture"
	"darkroom/renderer"
	"darkroom/scenes"
)

// Mutant is a fault.
type Mutant struct {
	Name, Description string
	// Apply makes the fault in a scene that was built for it alone, or in the
	// settings; false where the scene has nothing that it could go wrong in.
	Apply func(s *scenes.Scene, set *renderer.Settings) bool
}

// All are the mutants of the sensitivity table.
func All() []Mutant {
	return []Mutant{
		{"drop-light", "the last light is off", dropLight},
		{"dim-light", "the first light is 2 % weaker", dimLight},
		{"drop-mesh", "the last mesh is not drawn", dropMesh},
		{"swap-textures", "two textures of the scene's materials change places", swapTextures},
		{"nearest", "the materials' textures are sampled nearest instead of linear", nearest},
		{"flip-culling", "front faces are culled instead of back faces", flipCulling},
		{"no-msaa", "one sample per pixel", noMSAA},
		{"shift-limit", "ranges and cones of lights and the end of the fog are 10 % shorter", shiftLimit},
		{"no-shadow", "the passes ahead of the main one draw nothing", noShadow},
		{"exposure", "the exposure is 2 % higher, in scenes that are image processed", exposure},
		{"field-of-view", "the field of view is 0.5 % wider", fieldOfView},
		{"skip-post", "the last post-process shows its input", skipPost},
	}
}

func lights(s *scenes.Scene) (out []*scenes.Light) {
	out = append(out, s.Lights...)
	for _, n := range s.Nodes() {
		if n.Light != nil {
			out = append(out, n.Light)
		}
	}
	return slices.DeleteFunc(out, func(l *scenes.Light) bool { return l.Off || l.Intensity == 0 })
}

func dropLight(s *scenes.Scene, _ *renderer.Settings) bool {
	l := lights(s)
	if len(l) == 0 {
		return false
	}
	// Not Off: that would renumber the lights that shadows are for.
	l[len(l)-1].Intensity = 0
	return true
}

func dimLight(s *scenes.Scene, _ *renderer.Settings) bool {
	l := lights(s)
	if len(l) == 0 {
		return false
	}
	l[0].Intensity *= 0.98
	return true
}

func dropMesh(s *scenes.Scene, _ *renderer.Settings) bool {
	list := s.Nodes()
	for i := len(list) - 1; i >= 0; i-- {
		if list[i].Mesh != nil {
			list[i].Mesh = nil
			return true
		}
	}
	return false
}

// slots are the places in materials that hold a texture with texels.
func slots(s *scenes.Scene) (out []reflect.Value) {
	done := map[uintptr]bool{}
	want := reflect.TypeFor[*texture.Texture]()
	var walk func(v reflect.Value)
	walk = func(v reflect.Value) {
		if v.Kind() != reflect.Pointer || v.IsNil() || v.Elem().Kind() != reflect.Struct || done[v.Pointer()] {
			return
		}
		done[v.Pointer()] = true
		v = v.Elem()
		for i := range v.NumField() {
			f := v.Field(i)
			if !f.CanSet() || f.Kind() != reflect.Pointer || f.IsNil() {
				continue
			}
			if f.Type() != want {
				walk(f)
				continue
			}
			if _, ok := f.Interface().(*texture.Texture).Source.(*texture.Pixels); ok {
				out = append(out, f)
			}
		}
	}
	for _, n := range s.Nodes() {
		if n.Mesh != nil && n.Mesh.Material != nil {
			walk(reflect.ValueOf(n.Mesh.Material))
		}
	}
	return out
}

func swapTextures(s *scenes.Scene, _ *renderer.Settings) bool {
	list := slots(s)
	for i, a := range list {
		for _, b := range list[i+1:] {
			x, y := a.Interface().(*texture.Texture), b.Interface().(*texture.Texture)
			// Of one shape, so that the shader that is there can sample either.
			if x != y && shape(x) == shape(y) {
				a.Set(reflect.ValueOf(y))
				b.Set(reflect.ValueOf(x))
				return true
			}
		}
	}
	return false
}

func shape(t *texture.Texture) string {
	p := t.Source.(*texture.Pixels)
	if p.Dimension == "" || p.Dimension == composer.View2D {
		return "2d"
	}
	return string(p.Dimension)
}

func nearest(s *scenes.Scene, _ *renderer.Settings) bool {
	copies := map[*texture.Texture]*texture.Texture{}
	any := false
	for _, f := range slots(s) {
		t := f.Interface().(*texture.Texture)
		if p := t.Source.(*texture.Pixels); p.Width == 1 && p.Height == 1 || t.Sampler.Mag == composer.FilterNearest && t.Sampler.Min == composer.FilterNearest {
			continue
		}
		if copies[t] == nil {
			c := *t // others may share it
			c.Sampler.Mag, c.Sampler.Min, c.Sampler.Mip, c.Sampler.Anisotropy = composer.FilterNearest, composer.FilterNearest, composer.FilterNearest, 0
			copies[t] = &c
		}
		f.Set(reflect.ValueOf(copies[t]))
		any = true
	}
	return any
}

// culled is a material with the other faces culled.
type culled struct{ material.Material }

// State implements material.Material.
func (m *culled) State(c *material.Context) material.State {
	s := m.Material.State(c)
	switch s.Cull {
	case composer.CullBack:
		s.Cull = composer.CullFront
	case composer.CullFront:
		s.Cull = composer.CullBack
	}
	return s
}

func flipCulling(s *scenes.Scene, _ *renderer.Settings) bool {
	wrapped := map[material.Material]*culled{}
	any := false
	for _, n := range s.Nodes() {
		if n.Mesh == nil || n.Mesh.Material == nil {
			continue
		}
		m := n.Mesh.Material
		if c := m.State(&material.Context{Streams: map[string]composer.VertexFormat{}}).Cull; c != composer.CullBack && c != composer.CullFront {
			continue
		}
		if wrapped[m] == nil {
			wrapped[m] = &culled{m}
		}
		n.Mesh.Material, any = wrapped[m], true
	}
	return any
}

func noMSAA(s *scenes.Scene, set *renderer.Settings) bool {
	if s.Samples == 1 || set.Samples == 1 {
		return false
	}
	set.Samples = 1
	return true
}

func shiftLimit(s *scenes.Scene, _ *renderer.Settings) bool {
	any := false
	for _, l := range lights(s) {
		if l.Range > 0 {
			l.Range, any = l.Range*0.9, true
		}
		if l.Kind == scenes.SpotLight {
			l.Angle, any = l.Angle*0.9, true
		}
	}
	if s.Fog.Mode == scenes.FogLinear {
		s.Fog.End, any = s.Fog.End*0.9, true
	}
	return any
}

func noShadow(s *scenes.Scene, _ *renderer.Settings) bool {
	any := false
	for _, t := range s.Before {
		if p, ok := t.(*scenes.ScenePass); ok {
			p.Only, any = []*scenes.Node{}, true
		}
	}
	return any
}

func exposure(s *scenes.Scene, _ *renderer.Settings) bool {
	ip := &s.ImageProcessing
	if *ip == (material.ImageProcessing{}) && s.Environment == nil {
		return false
	}
	if ip.Exposure == 0 {
		ip.Exposure = 1
	}
	ip.Exposure *= 1.02
	return true
}

func fieldOfView(s *scenes.Scene, _ *renderer.Settings) bool {
	c := s.Camera
	if c == nil || c.Ortho != nil {
		return false
	}
	if c.FOV == 0 {
		c.FOV = 0.8
	}
	c.FOV *= 1.005
	return true
}
