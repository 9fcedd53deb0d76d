package post

import (
	"fmt"
	"math"

	"darkroom/material/effect"
	"darkroom/material/texture"
	"darkroom/scenes"
)

// Make makes a pass anew from what its Process says; where and through which
// camera it draws are p's and camera's affair. p.From is taken from the process.
func Make(r *scenes.Process, p Pass, camera *scenes.Camera) (*scenes.EffectPass, error) {
	s := &settings{process: r, used: map[string]bool{"picture": true}}
	p.From = r.Inputs["picture"]
	if p.From == nil {
		return nil, fmt.Errorf("the process %q lacks the input picture", r.Name)
	}
	var out *scenes.EffectPass
	switch r.Name {
	case "copy":
		out = Copy(p)
	case "highlights":
		out = Highlights(p, s.one("threshold"), s.one("exposure"))
	case "blur":
		out = Blur(p, s.two("direction"), s.kernel())
	case "addGlow":
		out = addGlow(p, s.input("glow"), s.one("weight"))
	case "blackAndWhite":
		out = BlackAndWhite(p, s.one("degree"))
	case "anaglyph":
		out = Anaglyph(p, s.input("left"))
	case "chromaticAberration":
		out = ChromaticAberration(p, Aberration{s.one("amount"), s.two("direction"), s.one("radialIntensity"), s.two("center")})
	case "sharpen":
		out = Sharpen(p, Sharpness{s.one("color"), s.one("edge")})
	case "imageProcessing":
		out = ImageProcessing(p)
	case "circleOfConfusion":
		out = CircleOfConfusion(p, p.From, camera, Lens{s.one("size"), s.one("fStop"), s.one("focusDistance"), s.one("focalLength")})
	case "weightedBlur":
		out = weightedBlur(p, s.input("confusion"), s.two("direction"), s.kernel())
	case "mixSteps":
		steps := []*texture.Texture{p.From, s.input("blur0")}
		for i := 1; i < len(stepEnds) && r.Inputs[fmt.Sprintf("blur%d", i)] != nil; i++ {
			steps = append(steps, s.input(fmt.Sprintf("blur%d", i)))
		}
		out = mixSteps(p, s.input("confusion"), steps)
	case "gather":
		t := TAA{Factor: s.one("factor"), Samples: int(s.one("samples"))}
		if t.Samples < 1 || t.Samples > 1<<16 {
			return nil, fmt.Errorf("the process %q has %d samples, want 1 to %d", r.Name, t.Samples, 1<<16)
		}
		out = gather(p, s.input("history"), t)
	default:
		return nil, fmt.Errorf("the process %q is unknown", r.Name)
	}
	out.Camera = camera
	return out, s.err()
}

// settings reads what a process says and remembers what was missing.
type settings struct {
	process *scenes.Process
	used    map[string]bool
	missing string
}

func (s *settings) numbers(name string, n int) []float64 {
	v := s.process.Values[name]
	s.used[name] = true
	for _, x := range v {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			s.missing = name
		}
	}
	if len(v) != n {
		s.missing = name
		return make([]float64, n)
	}
	return v
}

func (s *settings) one(name string) float64 { return s.numbers(name, 1)[0] }

// kernel is the width of a blur, within what a shader of its taps can be long.
func (s *settings) kernel() float64 {
	k := s.one("kernel")
	if k < 0 || k > 1024 {
		s.missing = "kernel"
		return 1
	}
	return k
}

func (s *settings) two(name string) [2]float64 { return [2]float64(s.numbers(name, 2)) }

func (s *settings) input(name string) *texture.Texture {
	t := s.process.Inputs[name]
	s.used[name] = true
	if t == nil {
		s.missing = name
		return &texture.Texture{}
	}
	return t
}

func (s *settings) err() error {
	if s.missing != "" {
		return fmt.Errorf("the process %q lacks %s, or has a value for it that cannot be", s.process.Name, s.missing)
	}
	for name := range s.process.Values {
		if !s.used[name] {
			return fmt.Errorf("the process %q has no setting %q", s.process.Name, name)
		}
	}
	for name := range s.process.Inputs {
		if !s.used[name] {
			return fmt.Errorf("the process %q has no input %q", s.process.Name, name)
		}
	}
	return nil
}

// Is reports whether the pass is still as Make would make it, so that its
// process says all of it.
func Is(p *scenes.EffectPass) bool {
	if p.Process == nil {
		return false
	}
	made, err := Make(p.Process, Pass{Name: p.Name, Viewport: p.Viewport}, p.Camera)
	if err != nil {
		return false
	}
	is, ok := p.Material.(*effect.Effect)
	return ok && same(is, made.Material.(*effect.Effect))
}

// same compares two effects; of values that the renderer computes, only that they are.
func same(a, b *effect.Effect) bool {
	if a.Name != b.Name || a.Body != b.Body || a.Helpers != b.Helpers || len(a.Values) != len(b.Values) || len(a.Textures) != len(b.Textures) {
		return false
	}
	if a.Blend != nil || a.Stencil != nil || a.Outputs != nil {
		return false
	}
	for i, u := range a.Values {
		w := b.Values[i]
		if u.Name != w.Name || u.Type != w.Type || (u.Func == nil) != (w.Func == nil) || fmt.Sprint(u.Value) != fmt.Sprint(w.Value) {
			return false
		}
	}
	for name, in := range a.Textures {
		if b.Textures[name] != in {
			return false
		}
	}
	return true
}
