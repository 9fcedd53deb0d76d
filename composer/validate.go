package composer

import (
	"math"
	"strconv"
)

// State is the fixed-function state of a pipeline, beside its vertex buffers.
type State struct {
	Targets      []ColorTarget
	DepthStencil *DepthStencil // nil: the pass has none
	Topology     Topology
	Cull         CullMode
	FrontFace    FrontFace
	Samples      int // zero means 1
	// AlphaToCoverage derives the coverage of the samples from the alpha of target 0.
	AlphaToCoverage bool
}

// ValidateState checks a pipeline's state before the device sees it: against
// itself, against the shader's outputs and vertex buffers (a nil shader
// leaves those out) and against the limits. The rules are those of WebGPU
// (W3C draft, section "Render Pipelines").
func ValidateState(sh *Shader, s State, l Limits) error {
	if err := l.check(); err != nil {
		return err
	}
	l = l.withDefaults()
	if sh != nil {
		if err := ValidateBuffers(sh.Buffers, l); err != nil {
			return err
		}
	}
	if err := validateTargets(sh, s, l); err != nil {
		return err
	}
	if s.DepthStencil != nil {
		if err := validateDepth(s.DepthStencil, s.Topology); err != nil {
			return within("depth stencil", err)
		}
	}
	switch s.Topology {
	case "", PointList, LineList, LineStrip, TriangleList, TriangleStrip:
	default:
		return errorf(ErrState, "%q is no topology", s.Topology)
	}
	switch s.Cull {
	case "", CullNone, CullFront, CullBack:
	default:
		return errorf(ErrState, "%q is no cull mode", s.Cull)
	}
	switch s.FrontFace {
	case "", FrontCCW, FrontCW:
	default:
		return errorf(ErrState, "%q is no winding", s.FrontFace)
	}
	return validateSamples(s)
}

func validateTargets(sh *Shader, s State, l Limits) error {
	if n := len(s.Targets); n > l.ColorAttachments {
		return errorf(ErrLimit, "%d color targets and the device has %d", n, l.ColorAttachments)
	}
	bytes, written := 0, 0
	for i := range s.Targets {
		t := &s.Targets[i]
		if t.Format == "" {
			if t.Blend != nil {
				return errorf(ErrState, "color target %d has a blend and no format", i)
			}
			continue
		}
		written++
		if err := validateTarget(t, l); err != nil {
			return within("color target "+strconv.Itoa(i), err)
		}
		if t.Blend != nil && t.Blend.DualSource() && (i > 0 || len(s.Targets) > 1) {
			return errorf(ErrState, "color target %d: a blend with two sources must be that of the only target", i)
		}
		f, _ := t.Format.texel()
		bytes = roundUp(bytes, f.align) + f.cost
		if sh != nil && sh.FragmentWGSL != "" && !sh.OwnOutputs {
			if err := validateOutput(sh, i, t, f); err != nil {
				return within("color target "+strconv.Itoa(i), err)
			}
		}
	}
	if bytes > l.ColorBytesPerSample {
		return errorf(ErrLimit, "the color targets take %d bytes a sample and the device has %d", bytes, l.ColorBytesPerSample)
	}
	if written == 0 && s.DepthStencil == nil {
		return errorf(ErrState, "the pipeline has neither a color target nor a depth stencil")
	}
	return nil
}

func validateTarget(t *ColorTarget, l Limits) error {
	f, ok := t.Format.texel()
	if !ok {
		return errorf(ErrType, "unknown texture format %q", t.Format)
	}
	if !f.target {
		return errorf(ErrState, "%s cannot be rendered to", t.Format)
	}
	if t.Write > WriteAll {
		return errorf(ErrState, "the write mask %#x has bits beyond the four channels", uint8(t.Write))
	}
	if t.Blend == nil {
		return nil
	}
	if !f.blend {
		return errorf(ErrState, "%s cannot be blended", t.Format)
	}
	for _, c := range []struct {
		name string
		BlendComponent
	}{{"color", t.Blend.Color}, {"alpha", t.Blend.Alpha}} {
		if !c.Operation.valid() {
			return errorf(ErrState, "%q is no blend operation (%s)", c.Operation, c.name)
		}
		for _, f := range []BlendFactor{c.Src, c.Dst} {
			if !f.valid() {
				return errorf(ErrState, "%q is no blend factor (%s)", f, c.name)
			}
		}
	}
	if t.Blend.DualSource() && !l.DualSourceBlending {
		return errorf(ErrLimit, "the blend reads a second source and the device lacks the feature dual-source-blending")
	}
	return nil
}

// validateOutput checks a target against what the shader writes to it.
func validateOutput(sh *Shader, i int, t *ColorTarget, f texel) error {
	if i >= len(sh.Outputs) || sh.Outputs[i].Name == "" {
		if t.Mask() != 0 {
			return errorf(ErrState, "the shader writes no output there; set NoWrite, or leave the format empty")
		}
		return nil
	}
	o := sh.Outputs[i]
	typ, err := (&types{}).resolve(o.Type)
	if err != nil {
		return err
	}
	want := byte('f')
	switch f.sample {
	case SampleUint:
		want = 'u'
	case SampleSint:
		want = 'i'
	}
	if typ.scalar != want {
		return errorf(ErrState, "output %q is %s and %s takes %s", o.Name, typ.text, t.Format, scalarName(want))
	}
	if n := typ.components(); n < f.components {
		return errorf(ErrState, "output %q has %d components and %s takes %d", o.Name, n, t.Format, f.components)
	}
	if t.Blend != nil && t.Blend.readsAlpha() && typ.components() < 4 {
		return errorf(ErrState, "the blend reads the alpha of output %q, which is %s", o.Name, typ.text)
	}
	return nil
}

func validateDepth(d *DepthStencil, topology Topology) error {
	if !d.Format.IsDepth() && !d.Format.HasStencil() {
		return errorf(ErrType, "%q is no depth or stencil format", d.Format)
	}
	if !d.Compare.valid() {
		return errorf(ErrState, "%q is no compare function", d.Compare)
	}
	if !d.Format.IsDepth() && (d.Write || d.Compare != "" && d.Compare != CompareAlways) {
		return errorf(ErrState, "%s has no depth to test or write", d.Format)
	}
	for _, f := range []struct {
		name string
		StencilFace
	}{{"front", d.Front}, {"back", d.Back}} {
		if !f.Compare.valid() {
			return errorf(ErrState, "%q is no compare function (%s)", f.Compare, f.name)
		}
		for _, op := range []StencilOperation{f.Fail, f.DepthFail, f.Pass} {
			if !op.valid() {
				return errorf(ErrState, "%q is no stencil operation (%s)", op, f.name)
			}
			if op != "" && op != StencilKeep && !d.Format.HasStencil() {
				return errorf(ErrState, "%s has no stencil for the %s face to change", d.Format, f.name)
			}
		}
		if f.Compare != "" && f.Compare != CompareAlways && !d.Format.HasStencil() {
			return errorf(ErrState, "%s has no stencil for the %s face to test", d.Format, f.name)
		}
	}
	for _, v := range []float32{d.BiasSlope, d.BiasClamp} {
		if v64 := float64(v); math.IsNaN(v64) || math.IsInf(v64, 0) {
			return errorf(ErrState, "the depth bias is not finite")
		}
	}
	switch topology {
	case PointList, LineList, LineStrip:
		if d.Bias != 0 || d.BiasSlope != 0 || d.BiasClamp != 0 {
			return errorf(ErrState, "a depth bias works on triangles, not on %s", topology)
		}
	}
	return nil
}

func validateSamples(s State) error {
	switch s.Samples {
	case 0, 1:
		if s.AlphaToCoverage {
			return errorf(ErrState, "alpha to coverage needs several samples")
		}
		return nil
	case 4:
	default:
		return errorf(ErrState, "%d samples; WebGPU has 1 and 4", s.Samples)
	}
	for i, t := range s.Targets {
		if f, ok := t.Format.texel(); ok && !f.msaa {
			return errorf(ErrState, "color target %d: %s cannot have several samples", i, t.Format)
		}
	}
	if s.AlphaToCoverage {
		if len(s.Targets) == 0 || s.Targets[0].Format == "" {
			return errorf(ErrState, "alpha to coverage needs a color target 0")
		}
		if f, _ := s.Targets[0].Format.texel(); !f.blend || f.components < 4 {
			return errorf(ErrState, "alpha to coverage needs an alpha in color target 0, and %s has none", s.Targets[0].Format)
		}
	}
	return nil
}
