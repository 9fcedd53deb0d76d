package gpu

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"darkroom/composer"
	"github.com/cogentcore/webgpu/wgpu"
)

// ShaderModule is compiled WGSL.
type ShaderModule struct {
	object
	module *wgpu.ShaderModule
}

// CreateShader compiles WGSL. The error is the compiler's own text; its places
// look like "label:line:column".
func (d *Device) CreateShader(label, wgsl string) (*ShaderModule, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	switch {
	case d.closed:
		return nil, errClosed
	case strings.TrimSpace(wgsl) == "":
		return nil, fmt.Errorf("shader %q: the source is empty", label)
	case !utf8.ValidString(wgsl) || strings.IndexByte(wgsl, 0) >= 0:
		return nil, fmt.Errorf("shader %q: the source is not UTF-8 text", label)
	}
	m, err := d.dev.CreateShaderModule(&wgpu.ShaderModuleDescriptor{Label: cstring(label), WGSLDescriptor: &wgpu.ShaderModuleWGSLDescriptor{Code: wgsl}})
	if err != nil {
		return nil, fmt.Errorf("shader %q: %w", label, clean(err))
	}
	return &ShaderModule{object: d.track(m, "shader module", label), module: m}, nil
}

// cstring drops NUL bytes, at which a C string would end.
func cstring(s string) string { return strings.ReplaceAll(s, "\x00", "") }

// clean turns the binding's error into plain text.
func clean(err error) error {
	if err == nil {
		return nil
	}
	s := strings.TrimSpace(err.Error())
	if i := strings.Index(s, "(): "); strings.HasPrefix(s, "wgpu.(*") && i > 0 {
		s = s[i+len("(): "):]
	}
	return errors.New(s)
}

// BindGroupLayout is the layout of a bind group.
type BindGroupLayout struct {
	object
	layout  *wgpu.BindGroupLayout
	entries []composer.BindGroupEntry
}

// CreateBindGroupLayout makes a layout from composed entries.
func (d *Device) CreateBindGroupLayout(label string, entries []composer.BindGroupEntry) (*BindGroupLayout, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed {
		return nil, errClosed
	}
	desc := &wgpu.BindGroupLayoutDescriptor{Label: cstring(label)}
	for _, e := range entries {
		w, err := d.layoutEntry(e)
		if err != nil {
			return nil, fmt.Errorf("bind group layout %q: binding %d (%s): %w", label, e.Binding, e.Decl.Name, err)
		}
		desc.Entries = append(desc.Entries, w)
	}
	l, err := d.dev.CreateBindGroupLayout(desc)
	if err != nil {
		return nil, fmt.Errorf("bind group layout %q: %w", label, clean(err))
	}
	return &BindGroupLayout{object: d.track(l, "bind group layout", label), layout: l, entries: append([]composer.BindGroupEntry(nil), entries...)}, nil
}

func (d *Device) layoutEntry(e composer.BindGroupEntry) (w wgpu.BindGroupLayoutEntry, err error) {
	w.Binding, w.Visibility = uint32(e.Binding), wgpu.ShaderStage(e.Decl.Visibility)
	switch e.Decl.Kind {
	case composer.BindUniform:
		w.Buffer = wgpu.BufferBindingLayout{Type: wgpu.BufferBindingTypeUniform, MinBindingSize: uint64(e.MinSize)}
	case composer.BindStorage:
		w.Buffer = wgpu.BufferBindingLayout{Type: wgpu.BufferBindingTypeReadOnlyStorage, MinBindingSize: uint64(e.MinSize)}
		if e.Decl.Access == composer.AccessReadWrite || e.Decl.Access == composer.AccessWrite {
			w.Buffer.Type = wgpu.BufferBindingTypeStorage
		}
	case composer.BindTexture:
		w.Texture.Multisampled = e.Multisampled
		if w.Texture.ViewDimension, err = pick(d.enums.dimension, e.Dimension, composer.View2D, "view dimension"); err != nil {
			return w, err
		}
		w.Texture.SampleType, err = pick(d.enums.sample, e.Decl.Sample, composer.SampleFloat, "sample type")
	case composer.BindSampler:
		w.Sampler.Type, err = pick(d.enums.sampler, e.Decl.Sampler, composer.SamplerFiltering, "sampler type")
	case composer.BindStorageTexture:
		switch e.Decl.Access {
		case composer.AccessRead:
			w.StorageTexture.Access = wgpu.StorageTextureAccessReadOnly
		case composer.AccessReadWrite:
			w.StorageTexture.Access = wgpu.StorageTextureAccessReadWrite
		default:
			w.StorageTexture.Access = wgpu.StorageTextureAccessWriteOnly
		}
		if w.StorageTexture.Format, err = d.format(e.Decl.Format); err != nil {
			return w, err
		}
		w.StorageTexture.ViewDimension, err = pick(d.enums.dimension, e.Dimension, composer.View2D, "view dimension")
	default:
		err = fmt.Errorf("it has no kind")
	}
	return w, err
}

// BindEntry is one resource of a bind group: a buffer range, a view or a sampler.
type BindEntry struct {
	Binding      int
	Buffer       *Buffer
	Offset, Size uint64 // Size 0 means the rest of the buffer
	View         *View
	Sampler      *Sampler
}

// BindGroup is a set of resources.
type BindGroup struct {
	object
	group *wgpu.BindGroup
	uses  []*object
}

// CreateBindGroup makes a bind group of layout.
func (d *Device) CreateBindGroup(layout *BindGroupLayout, entries []BindEntry) (*BindGroup, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if layout == nil {
		return nil, fmt.Errorf("bind group: the layout is missing")
	}
	if err := layout.usable(d, "bind group layout"); err != nil {
		return nil, err
	}
	desc := &wgpu.BindGroupDescriptor{Label: layout.label, Layout: layout.layout}
	out := &BindGroup{}
	for _, e := range entries {
		w := wgpu.BindGroupEntry{Binding: uint32(e.Binding)}
		switch {
		case e.Buffer != nil:
			if err := e.Buffer.usable(d, "buffer"); err != nil {
				return nil, err
			}
			if e.Offset > e.Buffer.Size || e.Size > e.Buffer.Size-e.Offset {
				return nil, fmt.Errorf("bind group %q: %d bytes at %d are outside buffer %q of %d bytes", layout.label, e.Size, e.Offset, e.Buffer.label, e.Buffer.Size)
			}
			w.Buffer, w.Offset, w.Size = e.Buffer.buf, e.Offset, e.Size
			if e.Size == 0 {
				w.Size = e.Buffer.Size - e.Offset
			}
			out.uses = append(out.uses, &e.Buffer.object)
		case e.View != nil:
			if err := e.View.usable(d, "view"); err != nil {
				return nil, err
			}
			w.TextureView = e.View.view
			out.uses = append(out.uses, &e.View.object, &e.View.tex.object)
		case e.Sampler != nil:
			if err := e.Sampler.usable(d, "sampler"); err != nil {
				return nil, err
			}
			w.Sampler = e.Sampler.sampler
			out.uses = append(out.uses, &e.Sampler.object)
		default:
			return nil, fmt.Errorf("bind group %q: binding %d has no resource", layout.label, e.Binding)
		}
		desc.Entries = append(desc.Entries, w)
	}
	g, err := d.dev.CreateBindGroup(desc)
	if err != nil {
		return nil, fmt.Errorf("bind group %q: %w", layout.label, clean(err))
	}
	out.object, out.group = d.track(g, "bind group", layout.label), g
	return out, nil
}

// PipelineLayout is a list of bind group layouts.
type PipelineLayout struct {
	object
	layout *wgpu.PipelineLayout
}

// CreatePipelineLayout makes a pipeline layout of at most four groups.
func (d *Device) CreatePipelineLayout(label string, groups []*BindGroupLayout) (*PipelineLayout, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	desc := &wgpu.PipelineLayoutDescriptor{Label: cstring(label)}
	for _, g := range groups {
		if g == nil {
			return nil, fmt.Errorf("pipeline layout %q: a bind group layout is missing", label)
		}
		if err := g.usable(d, "bind group layout"); err != nil {
			return nil, err
		}
		desc.BindGroupLayouts = append(desc.BindGroupLayouts, g.layout)
	}
	l, err := d.dev.CreatePipelineLayout(desc)
	if err != nil {
		return nil, fmt.Errorf("pipeline layout %q: %w", label, clean(err))
	}
	return &PipelineLayout{object: d.track(l, "pipeline layout", label), layout: l}, nil
}

// RenderPipelineDesc describes a render pipeline. Without a fragment shader
// the pipeline writes depth alone.
type RenderPipelineDesc struct {
	Label                      string
	Layout                     *PipelineLayout
	Vertex, Fragment           *ShaderModule
	VertexEntry, FragmentEntry string // empty: "vs" and "fs"
	Buffers                    []composer.VertexBuffer
	Targets                    []composer.ColorTarget
	DepthStencil               *composer.DepthStencil
	Topology                   composer.Topology
	StripIndex                 string // "uint16" or "uint32" for indexed strips
	Cull                       composer.CullMode
	FrontFace                  composer.FrontFace
	Samples                    int // zero means 1
	AlphaToCoverage            bool
}

// RenderPipeline is a compiled render pipeline.
type RenderPipeline struct {
	object
	pipeline *wgpu.RenderPipeline
}

// CreateRenderPipeline compiles a pipeline.
func (d *Device) CreateRenderPipeline(desc RenderPipelineDesc) (*RenderPipeline, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	w, err := d.renderPipeline(&desc)
	if err != nil {
		return nil, fmt.Errorf("pipeline %q: %w", desc.Label, err)
	}
	p, err := d.dev.CreateRenderPipeline(w)
	if err != nil {
		return nil, fmt.Errorf("pipeline %q: %w", desc.Label, clean(err))
	}
	return &RenderPipeline{object: d.track(p, "render pipeline", desc.Label), pipeline: p}, nil
}

func entry(s, def string) string {
	if s == "" {
		return def
	}
	return s
}

func (d *Device) renderPipeline(desc *RenderPipelineDesc) (*wgpu.RenderPipelineDescriptor, error) {
	if d.closed {
		return nil, errClosed
	}
	if desc.Layout == nil || desc.Vertex == nil {
		return nil, fmt.Errorf("the layout or the vertex shader is missing")
	}
	if err := desc.Layout.usable(d, "pipeline layout"); err != nil {
		return nil, err
	}
	if err := desc.Vertex.usable(d, "shader module"); err != nil {
		return nil, err
	}
	w := &wgpu.RenderPipelineDescriptor{
		Label: cstring(desc.Label), Layout: desc.Layout.layout,
		Vertex:      wgpu.VertexState{Module: desc.Vertex.module, EntryPoint: entry(desc.VertexEntry, "vs")},
		Multisample: wgpu.MultisampleState{Count: uint32(max(1, desc.Samples)), Mask: 0xffffffff, AlphaToCoverageEnabled: desc.AlphaToCoverage},
	}
	var err error
	if w.Primitive.Topology, err = pick(d.enums.topology, desc.Topology, composer.TriangleList, "topology"); err != nil {
		return nil, err
	}
	if w.Primitive.CullMode, err = pick(d.enums.cull, desc.Cull, composer.CullNone, "cull mode"); err != nil {
		return nil, err
	}
	if w.Primitive.FrontFace, err = pick(d.enums.front, desc.FrontFace, composer.FrontCCW, "front face"); err != nil {
		return nil, err
	}
	switch desc.StripIndex {
	case "uint16":
		w.Primitive.StripIndexFormat = wgpu.IndexFormatUint16
	case "uint32":
		w.Primitive.StripIndexFormat = wgpu.IndexFormatUint32
	}
	for _, b := range desc.Buffers {
		l := wgpu.VertexBufferLayout{ArrayStride: uint64(b.Stride), StepMode: wgpu.VertexStepModeVertex}
		if b.Step == composer.StepInstance {
			l.StepMode = wgpu.VertexStepModeInstance
		}
		for _, a := range b.Attributes {
			f, err := pick(d.enums.vertex, a.Format, "", "vertex format")
			if err != nil {
				return nil, fmt.Errorf("attribute %s: %w", a.Name, err)
			}
			l.Attributes = append(l.Attributes, wgpu.VertexAttribute{Format: f, Offset: uint64(a.Offset), ShaderLocation: uint32(a.Location)})
		}
		w.Vertex.Buffers = append(w.Vertex.Buffers, l)
	}
	if desc.DepthStencil != nil {
		if w.DepthStencil, err = d.depthStencil(desc.DepthStencil); err != nil {
			return nil, err
		}
	}
	if desc.Fragment != nil {
		if err := desc.Fragment.usable(d, "shader module"); err != nil {
			return nil, err
		}
		w.Fragment = &wgpu.FragmentState{Module: desc.Fragment.module, EntryPoint: entry(desc.FragmentEntry, "fs")}
		for i, t := range desc.Targets {
			c, err := d.colorTarget(t)
			if err != nil {
				return nil, fmt.Errorf("colour target %d: %w", i, err)
			}
			w.Fragment.Targets = append(w.Fragment.Targets, c)
		}
	} else if len(desc.Targets) > 0 {
		return nil, fmt.Errorf("there are colour targets but no fragment shader")
	}
	return w, nil
}

func (d *Device) depthStencil(s *composer.DepthStencil) (*wgpu.DepthStencilState, error) {
	f, err := d.format(s.Format)
	if err != nil {
		return nil, err
	}
	w := &wgpu.DepthStencilState{
		Format: f, DepthWriteEnabled: s.Write, DepthBias: s.Bias, DepthBiasSlopeScale: s.BiasSlope, DepthBiasClamp: s.BiasClamp,
		StencilReadMask: s.ReadMask, StencilWriteMask: s.WriteMask,
	}
	if w.DepthCompare, err = pick(d.enums.compare, s.Compare, composer.CompareAlways, "comparison"); err != nil {
		return nil, err
	}
	if w.StencilFront, err = d.stencilFace(s.Front); err != nil {
		return nil, err
	}
	w.StencilBack, err = d.stencilFace(s.Back)
	return w, err
}

func (d *Device) stencilFace(s composer.StencilFace) (w wgpu.StencilFaceState, err error) {
	if w.Compare, err = pick(d.enums.compare, s.Compare, composer.CompareAlways, "comparison"); err != nil {
		return w, err
	}
	if w.FailOp, err = pick(d.enums.stencil, s.Fail, composer.StencilKeep, "stencil operation"); err != nil {
		return w, err
	}
	if w.DepthFailOp, err = pick(d.enums.stencil, s.DepthFail, composer.StencilKeep, "stencil operation"); err != nil {
		return w, err
	}
	w.PassOp, err = pick(d.enums.stencil, s.Pass, composer.StencilKeep, "stencil operation")
	return w, err
}

func (d *Device) colorTarget(t composer.ColorTarget) (wgpu.ColorTargetState, error) {
	var c wgpu.ColorTargetState
	if t.Format == "" {
		return c, nil // a null entry
	}
	f, err := d.format(t.Format)
	if err != nil {
		return c, err
	}
	c.Format, c.WriteMask = f, wgpu.ColorWriteMask(t.Write)
	if t.Write == 0 {
		c.WriteMask = wgpu.ColorWriteMaskAll
	}
	if t.NoWrite {
		c.WriteMask = wgpu.ColorWriteMaskNone
	}
	if t.Blend != nil {
		c.Blend = &wgpu.BlendState{}
		if c.Blend.Color, err = d.blend(t.Blend.Color); err != nil {
			return c, err
		}
		if c.Blend.Alpha, err = d.blend(t.Blend.Alpha); err != nil {
			return c, err
		}
	}
	return c, nil
}

func (d *Device) blend(b composer.BlendComponent) (w wgpu.BlendComponent, err error) {
	if w.Operation, err = pick(d.enums.operation, b.Operation, composer.BlendAdd, "blend operation"); err != nil {
		return w, err
	}
	if b.Operation == composer.BlendMin || b.Operation == composer.BlendMax {
		// The factors are ignored, but the backend insists on one.
		b.Src, b.Dst = composer.FactorOne, composer.FactorOne
	}
	if w.SrcFactor, err = pick(d.enums.factor, b.Src, composer.FactorOne, "blend factor"); err != nil {
		return w, err
	}
	w.DstFactor, err = pick(d.enums.factor, b.Dst, composer.FactorZero, "blend factor")
	return w, err
}

// ComputePipeline is a compiled compute pipeline.
type ComputePipeline struct {
	object
	pipeline *wgpu.ComputePipeline
}

// CreateComputePipeline compiles a compute pipeline; the entry point is "main".
func (d *Device) CreateComputePipeline(label string, layout *PipelineLayout, module *ShaderModule) (*ComputePipeline, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if layout == nil || module == nil {
		return nil, fmt.Errorf("compute pipeline %q: the layout or the shader is missing", label)
	}
	if err := layout.usable(d, "pipeline layout"); err != nil {
		return nil, err
	}
	if err := module.usable(d, "shader module"); err != nil {
		return nil, err
	}
	p, err := d.dev.CreateComputePipeline(&wgpu.ComputePipelineDescriptor{Label: cstring(label), Layout: layout.layout, Compute: wgpu.ProgrammableStageDescriptor{Module: module.module, EntryPoint: "main"}})
	if err != nil {
		return nil, fmt.Errorf("compute pipeline %q: %w", label, clean(err))
	}
	return &ComputePipeline{object: d.track(p, "compute pipeline", label), pipeline: p}, nil
}
