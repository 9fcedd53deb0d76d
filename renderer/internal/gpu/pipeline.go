package gpu

import (
	"errors"
	"fmt"
	"strings"

	"darkroom/composer"
	"github.com/cogentcore/webgpu/wgpu"
)

// PipelineLayout is the bind group layouts of a pipeline, by group.
type PipelineLayout struct {
	object
	raw    *wgpu.PipelineLayout
	groups int
}

func (l *PipelineLayout) base() *object {
	if l == nil {
		return nil
	}
	return &l.object
}

// Release gives the layout back; pipelines made from it stay. A second call does nothing.
func (l *PipelineLayout) Release() { l.base().release() }

// CreatePipelineLayout makes a pipeline layout. A group that the shader does
// not use still needs a layout, an empty one, and an empty bind group.
func (d *Device) CreatePipelineLayout(label string, groups []*BindGroupLayout) (*PipelineLayout, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.ok(); err != nil {
		return nil, err
	}
	bad := func(err error) (*PipelineLayout, error) {
		return nil, fmt.Errorf("pipeline layout %q: %w", label, err)
	}
	if m := int(d.limits.MaxBindGroups); len(groups) > m {
		return bad(fmt.Errorf("%d groups are more than %d, the limit of %s", len(groups), m, d.Info.Name))
	}
	w := &wgpu.PipelineLayoutDescriptor{Label: text(label)}
	for i, g := range groups {
		if err := d.check("bind group layout", g); err != nil {
			return bad(fmt.Errorf("group %d: %w", i, err))
		}
		w.BindGroupLayouts = append(w.BindGroupLayouts, g.raw)
	}
	raw, err := d.raw.CreatePipelineLayout(w)
	if err = d.result(err); err != nil {
		if raw != nil {
			raw.Release()
		}
		return bad(err)
	}
	l := &PipelineLayout{object: d.track(kindPipelineLayout, label, raw.Release), raw: raw, groups: len(groups)}
	d.add(&l.object)
	return l, nil
}

// RenderPipelineDesc describes a render pipeline. Without a fragment shader it
// writes depth and stencil alone.
type RenderPipelineDesc struct {
	Label                      string
	Layout                     *PipelineLayout
	Vertex, Fragment           *ShaderModule
	VertexEntry, FragmentEntry string // empty: "vs" and "fs"
	Buffers                    []composer.VertexBuffer
	Targets                    []composer.ColorTarget
	// DepthStencil may leave both stencil masks 0, which stands for all bits.
	DepthStencil    *composer.DepthStencil
	Topology        composer.Topology
	StripIndex      string // "uint16" or "uint32" where a strip is drawn with indices
	Cull            composer.CullMode
	FrontFace       composer.FrontFace
	Samples         int // zero means 1
	AlphaToCoverage bool
	SampleMask      uint32 // the samples that are written, bit 0 the first; zero means all
}

// RenderPipeline is a compiled render pipeline.
type RenderPipeline struct {
	object
	raw     *wgpu.RenderPipeline
	groups  int
	targets string // what it draws into, as signature spells it
	strip   string // index format of strips
	slots   []slot
}

// slot is what a draw reads from a vertex buffer.
type slot struct {
	name     string
	stride   uint64
	last     uint64 // end of the last attribute within an element
	instance bool
}

func (p *RenderPipeline) base() *object {
	if p == nil {
		return nil
	}
	return &p.object
}

// Release gives the pipeline back. A second call does nothing.
func (p *RenderPipeline) Release() { p.base().release() }

// signature spells what a pass draws into or a pipeline draws for, so that the
// two fit if they are equal.
func signature(colors []composer.TextureFormat, depth composer.TextureFormat, samples int) string {
	var s strings.Builder
	for i, c := range colors {
		if i > 0 {
			s.WriteString(", ")
		}
		s.WriteString(string(or(c, "none")))
	}
	fmt.Fprintf(&s, "; depth %s; %d samples", or(depth, "none"), samples)
	return s.String()
}

// CreateRenderPipeline compiles a pipeline.
func (d *Device) CreateRenderPipeline(desc RenderPipelineDesc) (*RenderPipeline, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.ok(); err != nil {
		return nil, err
	}
	bad := func(err error) (*RenderPipeline, error) { return nil, fmt.Errorf("pipeline %q: %w", desc.Label, err) }
	p := &RenderPipeline{}
	w, err := d.renderPipeline(&desc, p)
	if err != nil {
		return bad(err)
	}
	raw, err := d.raw.CreateRenderPipeline(w)
	if err = d.result(err); err != nil {
		if raw != nil {
			raw.Release()
		}
		return bad(err)
	}
	p.raw = raw
	p.object = d.track(kindRenderPipeline, desc.Label, raw.Release)
	d.add(&p.object)
	return p, nil
}

func (d *Device) renderPipeline(desc *RenderPipelineDesc, p *RenderPipeline) (*wgpu.RenderPipelineDescriptor, error) {
	if err := d.check("layout", desc.Layout); err != nil {
		return nil, err
	}
	if err := d.check("vertex shader", desc.Vertex); err != nil {
		return nil, err
	}
	samples := max(1, desc.Samples)
	if samples != 1 && samples != 4 {
		return nil, fmt.Errorf("%d samples per pixel: want 1 or 4", desc.Samples)
	}
	if desc.AlphaToCoverage && samples == 1 {
		return nil, fmt.Errorf("alpha to coverage needs 4 samples")
	}
	mask := desc.SampleMask
	if mask == 0 {
		mask = 0xffffffff
	}
	w := &wgpu.RenderPipelineDescriptor{
		Label: text(desc.Label), Layout: desc.Layout.raw,
		Vertex:      wgpu.VertexState{Module: desc.Vertex.raw},
		Multisample: wgpu.MultisampleState{Count: uint32(samples), Mask: mask, AlphaToCoverageEnabled: desc.AlphaToCoverage},
	}
	var err error
	if w.Vertex.EntryPoint, err = entryPoint(desc.VertexEntry, "vs"); err != nil {
		return nil, err
	}
	if err := primitive(desc, &w.Primitive); err != nil {
		return nil, err
	}
	if w.Vertex.Buffers, p.slots, err = d.vertexBuffers(desc.Buffers); err != nil {
		return nil, err
	}
	var depth composer.TextureFormat
	if desc.DepthStencil != nil {
		depth = desc.DepthStencil.Format
		if w.DepthStencil, err = depthStencil(desc.DepthStencil); err != nil {
			return nil, fmt.Errorf("depth-stencil state: %w", err)
		}
	}
	var colors []composer.TextureFormat
	switch {
	case desc.Fragment != nil:
		if err := d.check("fragment shader", desc.Fragment); err != nil {
			return nil, err
		}
		if len(desc.Targets) > maxColorAttachments {
			return nil, fmt.Errorf("%d color targets are more than %d", len(desc.Targets), maxColorAttachments)
		}
		w.Fragment = &wgpu.FragmentState{Module: desc.Fragment.raw}
		if w.Fragment.EntryPoint, err = entryPoint(desc.FragmentEntry, "fs"); err != nil {
			return nil, err
		}
		for i, t := range desc.Targets {
			c, err := colorTarget(t)
			if err != nil {
				return nil, fmt.Errorf("color target %d: %w", i, err)
			}
			w.Fragment.Targets = append(w.Fragment.Targets, c)
			colors = append(colors, t.Format)
		}
	case len(desc.Targets) > 0:
		return nil, fmt.Errorf("there are color targets but no fragment shader")
	case desc.DepthStencil == nil:
		return nil, fmt.Errorf("it has neither a fragment shader nor a depth-stencil state, so it draws nothing")
	}
	p.groups, p.targets, p.strip = desc.Layout.groups, signature(colors, depth, samples), desc.StripIndex
	return w, nil
}

// entryPoint is the name of an entry point, which C reads.
func entryPoint(s, empty string) (string, error) {
	s = or(s, empty)
	if strings.ContainsRune(s, 0) {
		return "", fmt.Errorf("the entry point %q is no name", s)
	}
	for _, r := range s {
		if r == '\uFFFD' {
			return "", fmt.Errorf("the entry point %q is not UTF-8 text", s)
		}
	}
	return s, nil
}

func primitive(desc *RenderPipelineDesc, w *wgpu.PrimitiveState) (err error) {
	topology := or(desc.Topology, composer.TriangleList)
	if w.Topology, err = lookup("topology", topology, wgpu.PrimitiveTopologyTriangleStrip); err != nil {
		return err
	}
	if w.CullMode, err = lookup("cull mode", or(desc.Cull, composer.CullNone), wgpu.CullModeBack); err != nil {
		return err
	}
	if w.FrontFace, err = lookup("front face", or(desc.FrontFace, composer.FrontCCW), wgpu.FrontFaceCW); err != nil {
		return err
	}
	if desc.StripIndex != "" {
		if topology != composer.LineStrip && topology != composer.TriangleStrip {
			return fmt.Errorf("a strip index format with the topology %s, which is no strip", topology)
		}
		w.StripIndexFormat, _, err = indexOf(desc.StripIndex)
	}
	return err
}

func (d *Device) vertexBuffers(buffers []composer.VertexBuffer) (out []wgpu.VertexBufferLayout, slots []slot, err error) {
	if m := int(d.limits.MaxVertexBuffers); len(buffers) > m {
		return nil, nil, fmt.Errorf("%d vertex buffers are more than %d, the limit of %s", len(buffers), m, d.Info.Name)
	}
	for i, b := range buffers {
		bad := func(err error) error { return fmt.Errorf("vertex buffer %d (%s): %w", i, b.Name, err) }
		l := wgpu.VertexBufferLayout{StepMode: wgpu.VertexStepModeVertex}
		s := slot{name: b.Name}
		switch b.Step {
		case "", composer.StepVertex:
		case composer.StepInstance:
			l.StepMode, s.instance = wgpu.VertexStepModeInstance, true
		default:
			return nil, nil, bad(fmt.Errorf("step mode %q is neither vertex nor instance", b.Step))
		}
		for _, a := range b.Attributes {
			f, err := vertexFormatOf(a.Format)
			switch {
			case err != nil:
			case a.Offset < 0 || a.Offset%min(4, a.Format.Size()) != 0:
				err = fmt.Errorf("the offset %d is no multiple of %d", a.Offset, min(4, a.Format.Size()))
			case a.Location < 0 || a.Location >= int(d.limits.MaxVertexAttributes):
				err = fmt.Errorf("location %d is not within 0…%d", a.Location, d.limits.MaxVertexAttributes-1)
			case b.Stride > 0 && a.Offset+a.Format.Size() > b.Stride:
				err = fmt.Errorf("it ends at %d, beyond the stride of %d", a.Offset+a.Format.Size(), b.Stride)
			}
			if err != nil {
				return nil, nil, bad(fmt.Errorf("attribute %s: %w", a.Name, err))
			}
			s.last = max(s.last, uint64(a.Offset+a.Format.Size()))
			l.Attributes = append(l.Attributes, wgpu.VertexAttribute{Format: f, Offset: uint64(a.Offset), ShaderLocation: uint32(a.Location)})
		}
		if s.stride = (s.last + 3) &^ 3; b.Stride != 0 {
			s.stride = uint64(b.Stride)
		} else if b.Attributes[0].Constant {
			s.stride = 0
		}
		if b.Stride < 0 || s.stride%4 != 0 || s.stride > uint64(d.limits.MaxVertexBufferArrayStride) {
			return nil, nil, bad(fmt.Errorf("the stride %d is no multiple of 4 within 0…%d", b.Stride, d.limits.MaxVertexBufferArrayStride))
		}
		l.ArrayStride = s.stride
		out, slots = append(out, l), append(slots, s)
	}
	return out, slots, nil
}

func depthStencil(s *composer.DepthStencil) (*wgpu.DepthStencilState, error) {
	if !s.Format.IsDepth() && !s.Format.HasStencil() {
		return nil, fmt.Errorf("format %q holds neither depth nor stencil", s.Format)
	}
	w := &wgpu.DepthStencilState{
		DepthWriteEnabled: s.Write, StencilReadMask: s.ReadMask, StencilWriteMask: s.WriteMask,
		DepthBias: s.Bias, DepthBiasSlopeScale: s.BiasSlope, DepthBiasClamp: s.BiasClamp,
	}
	if s.ReadMask == 0 && s.WriteMask == 0 {
		w.StencilReadMask, w.StencilWriteMask = 0xffffffff, 0xffffffff
	}
	var err error
	if w.Format, err = formatOf(s.Format); err != nil {
		return nil, err
	}
	if w.DepthCompare, err = compareOf(or(s.Compare, composer.CompareAlways)); err != nil {
		return nil, err
	}
	if w.StencilFront, err = stencilFace(s.Front); err != nil {
		return nil, err
	}
	w.StencilBack, err = stencilFace(s.Back)
	return w, err
}

func stencilFace(s composer.StencilFace) (w wgpu.StencilFaceState, err error) {
	if w.Compare, err = compareOf(or(s.Compare, composer.CompareAlways)); err != nil {
		return w, err
	}
	if w.FailOp, err = stencilOf(s.Fail); err != nil {
		return w, err
	}
	if w.DepthFailOp, err = stencilOf(s.DepthFail); err != nil {
		return w, err
	}
	w.PassOp, err = stencilOf(s.Pass)
	return w, err
}

func colorTarget(t composer.ColorTarget) (w wgpu.ColorTargetState, err error) {
	if t.Format == "" {
		return w, nil // a null entry
	}
	if w.Format, err = formatOf(t.Format); err != nil {
		return w, err
	}
	if t.Write&^composer.WriteAll != 0 {
		return w, fmt.Errorf("write mask %#x is not a set of channels", t.Write)
	}
	write := t.Write
	if write == 0 {
		write = composer.WriteAll
	}
	if t.NoWrite {
		write = 0
	}
	for _, c := range [...]struct {
		from composer.WriteMask
		to   wgpu.ColorWriteMask
	}{
		{composer.WriteRed, wgpu.ColorWriteMaskRed}, {composer.WriteGreen, wgpu.ColorWriteMaskGreen},
		{composer.WriteBlue, wgpu.ColorWriteMaskBlue}, {composer.WriteAlpha, wgpu.ColorWriteMaskAlpha},
	} {
		if write&c.from != 0 {
			w.WriteMask |= c.to
		}
	}
	if t.Blend != nil {
		w.Blend = &wgpu.BlendState{}
		if w.Blend.Color, err = blend(t.Blend.Color); err == nil {
			w.Blend.Alpha, err = blend(t.Blend.Alpha)
		}
	}
	return w, err
}

func blend(b composer.BlendComponent) (w wgpu.BlendComponent, err error) {
	if w.Operation, err = lookup("blend operation", or(b.Operation, composer.BlendAdd), wgpu.BlendOperationMax); err != nil {
		return w, err
	}
	if b.Operation == composer.BlendMin || b.Operation == composer.BlendMax {
		b.Src, b.Dst = composer.FactorOne, composer.FactorOne // they are ignored, and have to be one
	}
	if w.SrcFactor, err = factorOf(b.Src, composer.FactorOne); err == nil {
		w.DstFactor, err = factorOf(b.Dst, composer.FactorZero)
	}
	if err != nil && (strings.Contains(string(b.Src), "src1") || strings.Contains(string(b.Dst), "src1")) {
		err = errors.New("the backend has no dual-source blending, which the src1 factors need")
	}
	return w, err
}

// ComputePipeline is a compiled compute pipeline.
type ComputePipeline struct {
	object
	raw    *wgpu.ComputePipeline
	groups int
}

func (p *ComputePipeline) base() *object {
	if p == nil {
		return nil
	}
	return &p.object
}

// Release gives the pipeline back. A second call does nothing.
func (p *ComputePipeline) Release() { p.base().release() }

// CreateComputePipeline compiles a compute pipeline; its entry point is "main".
func (d *Device) CreateComputePipeline(label string, layout *PipelineLayout, module *ShaderModule) (*ComputePipeline, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.ok(); err != nil {
		return nil, err
	}
	bad := func(err error) (*ComputePipeline, error) {
		return nil, fmt.Errorf("compute pipeline %q: %w", label, err)
	}
	if err := d.check("layout", layout); err != nil {
		return bad(err)
	}
	if err := d.check("shader", module); err != nil {
		return bad(err)
	}
	raw, err := d.raw.CreateComputePipeline(&wgpu.ComputePipelineDescriptor{
		Label: text(label), Layout: layout.raw,
		Compute: wgpu.ProgrammableStageDescriptor{Module: module.raw, EntryPoint: "main"},
	})
	if err = d.result(err); err != nil {
		if raw != nil {
			raw.Release()
		}
		return bad(err)
	}
	p := &ComputePipeline{object: d.track(kindComputePipeline, label, raw.Release), raw: raw, groups: layout.groups}
	d.add(&p.object)
	return p, nil
}
