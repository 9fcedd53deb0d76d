package shader

import (
	"errors"
	"testing"

	"darkroom/composer"
	"darkroom/material"
)

func TestState(t *testing.T) {
	yes, no := true, false
	blend := composer.BlendPremultipliedState()
	alpha := composer.BlendAlphaState()
	additive := Additive.state()
	if want := (composer.Blend{
		Color: composer.BlendComponent{Operation: composer.BlendAdd, Src: composer.FactorSrcAlpha, Dst: composer.FactorOne},
		Alpha: composer.BlendComponent{Operation: composer.BlendAdd, Src: composer.FactorOne, Dst: composer.FactorOne},
	}); additive != want {
		t.Errorf("additive is %+v", additive)
	}
	for _, x := range []struct {
		name   string
		change func(*Options)
		blend  *composer.Blend
		write  bool
		opaque bool
		cull   composer.CullMode
	}{
		{"plain", func(*Options) {}, nil, true, false, composer.CullBack},
		{"two-sided", func(o *Options) { o.TwoSided = true }, nil, true, false, composer.CullNone},
		{"no depth", func(o *Options) { o.DepthWrite = &no }, nil, false, false, composer.CullBack},
		{"alpha", func(o *Options) { o.AlphaBlending = true }, &alpha, false, false, composer.CullBack},
		{"alpha never writes depth", func(o *Options) { o.AlphaBlending, o.DepthWrite = true, &yes }, &alpha, false, false, composer.CullBack},
		{"additive", func(o *Options) { o.AlphaBlending, o.BlendMode = true, Additive }, &additive, false, false, composer.CullBack},
		{"blend mode alone", func(o *Options) { o.BlendMode = Additive }, nil, true, false, composer.CullBack},
		{"blend", func(o *Options) { o.Blend = &blend }, &blend, false, false, composer.CullBack},
		{"blend over mode", func(o *Options) { o.Blend, o.BlendMode, o.AlphaBlending = &blend, Additive, true }, &blend, false, false, composer.CullBack},
		{"blend that writes depth", func(o *Options) { o.Blend, o.DepthWrite = &blend, &yes }, &blend, true, false, composer.CullBack},
		{"blend among the opaque", func(o *Options) { o.Blend, o.Opaque = &blend, true }, &blend, false, true, composer.CullBack},
	} {
		t.Run(x.name, func(t *testing.T) {
			o := base()
			x.change(&o)
			s := mustNew(t, o).State(nil)
			if (s.Blend == nil) != (x.blend == nil) || s.Blend != nil && *s.Blend != *x.blend {
				t.Errorf("blend %+v, want %+v", s.Blend, x.blend)
			}
			if s.NoDepthWrite == x.write || s.Opaque != x.opaque || s.Cull != x.cull {
				t.Errorf("state %+v", s)
			}
		})
	}
	o := base()
	o.DepthCompare, o.Topology, o.Write = composer.CompareAlways, composer.LineList, composer.WriteRed
	o.Stencil = &material.Stencil{Reference: 3}
	if s := mustNew(t, o).State(nil); s.Compare != o.DepthCompare || s.Topology != o.Topology || s.Write != o.Write || s.Stencil.Reference != 3 {
		t.Errorf("state %+v", s)
	}
}

func TestViews(t *testing.T) {
	o := base()
	o.Uniforms = []Uniform{{Name: "a", Type: "f32"}}
	o.Externals = []string{"video"}
	m := mustNew(t, o)
	dim := m.View("dim", func(s *material.State) { s.NoWrite = true })
	lines := dim.View("lines", func(s *material.State) { s.Topology = composer.LineList })
	if s := lines.State(nil); !s.NoWrite || s.Topology != composer.LineList || m.State(nil).NoWrite {
		t.Errorf("states %+v of the view and %+v of the source", lines.State(nil), m.State(nil))
	}
	if lines.Source() != m || m.Source() != nil {
		t.Error("the view of a view has another source")
	}
	film, err := NewExternal("film", FrameFunc{1, 1, func(float64) ([]byte, error) { return make([]byte, 4), nil }})
	if err != nil {
		t.Fatal(err)
	}
	if err := lines.SetExternal("video", film); err != nil || m.External("video") != film || dim.ResourceVersion() != 1 {
		t.Errorf("bound through a view, the source has %v at version %d, %v", m.External("video"), dim.ResourceVersion(), err)
	}
	if err := m.SetFloat("a", 1); err != nil || dim.values != m.values {
		t.Errorf("a view does not borrow: %v", err)
	}
	if err := dim.SetFloat("a", 2); err != nil || dim.values == m.values || m.values.writer.Bytes()[3] == dim.values.writer.Bytes()[3] {
		t.Errorf("a view's own value is the source's: %v", err)
	}
	if err := dim.SetFloat("b", 2); !errors.Is(err, ErrUndeclared) {
		t.Error(err)
	}
	if err := lines.SetVec4("a", [4]float64{}); !errors.Is(err, ErrValue) || lines.values == lines.spare {
		t.Errorf("a value that was refused is the view's own: %v", err)
	}
	own := dim.values.buffer
	dim.ReleaseUniforms()
	if dim.values != m.values {
		t.Error("a released view does not borrow")
	}
	if err := dim.SetFloat("a", 3); err != nil || dim.values.buffer != own {
		t.Errorf("a view's own values have another buffer the second time: %v", err)
	}
	dim.ReleaseUniforms()
	dim.ReleaseUniforms()
	lines.ReleaseUniforms()
	m.ReleaseUniforms()
	if dim.values != m.values || m.values == nil {
		t.Error("a released view does not borrow again")
	}
	// Views draw with the source's shader.
	a, err1 := compose(m, streams("position"))
	b, err2 := compose(dim, streams("position"))
	if err1 != nil || err2 != nil || a.Key != b.Key {
		t.Errorf("another shader: %v, %v", err1, err2)
	}
}

// What New was given it has taken down: the caller's slices and maps are the
// caller's.
func TestSnapshot(t *testing.T) {
	o := full()
	o.Blend = &composer.Blend{Color: composer.BlendComponent{Dst: composer.FactorOne}}
	o.Outputs = []composer.Output{{Name: "glow", Type: "vec4<f32>"}}
	o.Fragment = "@fragment fn mainFragment() -> FragmentOutput {\n    outputs.glow = vec4<f32>(1.0);\n    return fragmentOutputs();\n}"
	m := mustNew(t, o)
	before, err := compose(m, streams("position", "uv", "color"))
	if err != nil {
		t.Fatal(err)
	}
	o.Attributes[1], o.System[0], o.Uniforms[0].Type, o.Samplers[0].Name, o.Externals[0], o.Buffers[0].Type = "uv2", View, "i32", "x", "y", "array<u32>"
	o.Defines["ZOOM"], o.Blend.Color.Dst, o.Outputs[0].Name = 9.0, composer.FactorZero, "other"
	after, err := compose(m, streams("position", "uv", "color"))
	if err != nil || after.Key != before.Key || m.State(nil).Blend.Color.Dst != composer.FactorOne {
		t.Errorf("the caller's changes reach the material: %v", err)
	}
}
