package post

import (
	"reflect"
	"strings"
	"testing"

	"darkroom/material/effect"
	"darkroom/material/texture"
	"darkroom/scenes"
)

// everyProcess is a pass of each kind.
func everyProcess() []*scenes.EffectPass {
	p := Pass{Name: "pass", From: Picture("picture", "", 1)}
	depth := Depth("depth", 1)
	out := []*scenes.EffectPass{
		Copy(p), BlackAndWhite(p, 0.5), Anaglyph(p, Picture("left", "", 1)), Blur(p, [2]float64{1, 0}, 9), Sharpen(p, Sharpness{1, 0.3}), ImageProcessing(p),
		ChromaticAberration(p, Aberration{Amount: 30, Direction: [2]float64{1, 0}, Center: [2]float64{0.5, 0.5}}),
	}
	s := scenes.New("s")
	for _, list := range [][]scenes.Task{Bloom(p, Glow{}), DepthOfField(p, depth, nil, Lens{}, High), DepthOfField(p, depth, nil, Lens{}, Low), TemporalAntiAliasing(s, p, TAA{})} {
		for _, t := range list {
			if e, ok := t.(*scenes.EffectPass); ok {
				out = append(out, e)
			}
		}
	}
	return out
}

// Every pass says what it is, and the pass made of that is the same; one whose
// material was changed afterwards is not what it says any more.
func TestMake(t *testing.T) {
	for _, p := range everyProcess() {
		if !Is(p) {
			t.Errorf("%s: the pass made of its process is another", p.Process.Name)
		}
		e := *p.Material.(*effect.Effect)
		e.Body += " "
		p.Material = &e
		if Is(p) {
			t.Errorf("%s: a changed body goes unnoticed", p.Process.Name)
		}
	}
}

// What a process lacks, has too much or has wrong is an error that names it.
func TestMakeRefuses(t *testing.T) {
	one := func() *scenes.Process {
		return Blur(Pass{Name: "p", From: Picture("f", "", 1)}, [2]float64{1, 0}, 9).Process
	}
	for want, change := range map[string]func(*scenes.Process){
		`"magic" is unknown`:    func(p *scenes.Process) { p.Name = "magic" },
		"lacks kernel":          func(p *scenes.Process) { delete(p.Values, "kernel") },
		"lacks direction":       func(p *scenes.Process) { p.Values["direction"] = []float64{1} },
		"lacks the input":       func(p *scenes.Process) { delete(p.Inputs, "picture") },
		`no setting "strength"`: func(p *scenes.Process) { p.Values["strength"] = []float64{1} },
		`no input "left"`:       func(p *scenes.Process) { p.Inputs["left"] = &texture.Texture{} },
	} {
		p := one()
		change(p)
		if _, err := Make(p, Pass{Name: "p"}, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	p := one()
	p.Values["kernel"] = []float64{1e9}
	if _, err := Make(p, Pass{Name: "p"}, nil); err == nil {
		t.Error("a kernel of a thousand million pixels was taken")
	}
	// Making leaves the process alone.
	p = one()
	if _, err := Make(p, Pass{Name: "p"}, nil); err != nil || !reflect.DeepEqual(p, one()) {
		t.Errorf("%v; %+v, want %+v", err, p, one())
	}
}
