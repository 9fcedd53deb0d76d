package renderer

import (
	"crypto/sha256"
	"fmt"
	"sort"
	"strings"

	"darkroom/composer"
	"darkroom/material"
	"darkroom/renderer/internal/gpu"
)

// pipelines are the device-wide caches: whatever composes to the same bytes
// shares a module, a layout and a pipeline, whichever material asked.
type pipelines struct {
	dev     *gpu.Device
	scene   *gpu.BindGroupLayout // group 0
	empty   *gpu.BindGroupLayout
	modules map[[32]byte]*gpu.ShaderModule
	groups  map[string]*gpu.BindGroupLayout
	layouts map[string]*gpu.PipelineLayout
	render  map[pipelineKey]*pipeline
	compute map[[32]byte]*computePipeline
	// generation is raised when all are dropped.
	generation int
}

// pipeline is a render pipeline with the layouts that its bind groups need.
type pipeline struct {
	render       *gpu.RenderPipeline
	mesh, shadow *gpu.BindGroupLayout // nil: the shader has none
}

// pipelineKey is everything a pipeline depends on: the composed shader and
// the pass and state as text.
type pipelineKey struct {
	shader composer.Key
	state  string
}

func (p *pipelines) init(dev *gpu.Device) {
	p.dev = dev
	p.modules = map[[32]byte]*gpu.ShaderModule{}
	p.groups = map[string]*gpu.BindGroupLayout{}
	p.layouts = map[string]*gpu.PipelineLayout{}
	p.render = map[pipelineKey]*pipeline{}
	p.compute = map[[32]byte]*computePipeline{}
}

// clear drops everything.
func (p *pipelines) clear() {
	for _, x := range p.render {
		x.render.Release()
	}
	for _, x := range p.compute {
		x.pipeline.Release()
	}
	for _, x := range p.layouts {
		x.Release()
	}
	for _, x := range p.groups {
		x.Release()
	}
	for _, x := range p.modules {
		x.Release()
	}
	if p.scene != nil {
		p.scene.Release()
	}
	*p = pipelines{generation: p.generation + 1, dev: p.dev}
	p.init(p.dev)
}

func (p *pipelines) sceneLayout() (*gpu.BindGroupLayout, error) {
	if p.scene != nil {
		return p.scene, nil
	}
	both := composer.StageVertex | composer.StageFragment
	var err error
	p.scene, err = p.dev.CreateBindGroupLayout("scene", []composer.BindGroupEntry{
		{Binding: 0, Decl: composer.Binding{Name: "scene", Kind: composer.BindUniform, Visibility: both}},
		{Binding: 1, Decl: composer.Binding{Name: "lights", Kind: composer.BindUniform, Visibility: both}},
	})
	return p.scene, err
}

func (p *pipelines) module(label, wgsl string) (*gpu.ShaderModule, error) {
	k := sha256.Sum256([]byte(wgsl))
	if m := p.modules[k]; m != nil {
		return m, nil
	}
	m, err := p.dev.CreateShader(label, wgsl)
	if err == nil {
		p.modules[k] = m
	}
	return m, err
}

func (p *pipelines) groupLayout(entries []composer.BindGroupEntry) (*gpu.BindGroupLayout, string, error) {
	var s strings.Builder
	for _, e := range entries {
		d := e.Decl
		d.Name = ""
		fmt.Fprintf(&s, "%d %+v %s %t %d;", e.Binding, d, e.Dimension, e.Multisampled, e.MinSize)
	}
	k := s.String()
	if g := p.groups[k]; g != nil {
		return g, k, nil
	}
	g, err := p.dev.CreateBindGroupLayout("group", entries)
	if err == nil {
		p.groups[k] = g
	}
	return g, k, err
}

// request is what a pipeline is made from.
type request struct {
	label    string
	pass     string // the targets, as text
	shader   *composer.Shader
	state    material.State
	targets  []composer.ColorTarget
	depth    composer.TextureFormat
	reverse  bool
	samples  int
	topology composer.Topology
	mirrored bool
	indexed  bool
	flip     bool // the picture is drawn upside down
	outputs  map[string]int
}

// use is a request by value: what decides the pipeline, without text to build.
type use struct {
	shader                           *composer.Shader
	pass                             string
	state                            material.State // its pointers cleared
	blend                            composer.Blend
	blended, tested                  bool
	stencil                          material.Stencil
	topology                         composer.Topology
	mirrored, indexed, flip, reverse bool
}

// pipeline finds the pipeline of a draw, by way of the session's own uses.
func (x *Session) pipeline(q *request) (*pipeline, error) {
	u := use{shader: q.shader, pass: q.pass, state: q.state, topology: q.topology, mirrored: q.mirrored, indexed: q.indexed, flip: q.flip, reverse: q.reverse}
	if q.state.Blend != nil {
		u.blended, u.blend = true, *q.state.Blend
	}
	if q.state.Stencil != nil {
		u.tested, u.stencil = true, *q.state.Stencil
	}
	u.state.Blend, u.state.Stencil, u.state.BlendConstant = nil, nil, [4]float64{}
	u.stencil.Reference = 0
	if g := x.r.pipelines.generation; x.generation != g {
		x.generation = g
		clear(x.used)
	}
	if p := x.used[u]; p != nil {
		return p, nil
	}
	p, err := x.r.pipelines.get(q)
	if err == nil {
		x.used[u] = p
	}
	return p, err
}

func (q *request) descriptor() (gpu.RenderPipelineDesc, error) {
	d := gpu.RenderPipelineDesc{Label: q.label, Buffers: q.shader.Buffers, Samples: q.samples, VertexEntry: q.shader.VertexEntry, FragmentEntry: q.shader.FragmentEntry, Cull: q.state.Cull, AlphaToCoverage: q.state.AlphaToCoverage && q.samples > 1}
	d.Topology = q.topology
	if q.state.Topology != "" {
		d.Topology = q.state.Topology
	}
	if q.indexed && (d.Topology == composer.LineStrip || d.Topology == composer.TriangleStrip) {
		d.StripIndex = "uint32"
	}
	d.FrontFace = q.state.FrontFace
	if d.FrontFace == "" {
		d.FrontFace = composer.FrontCCW
	}
	if q.mirrored != q.flip {
		if d.FrontFace == composer.FrontCCW {
			d.FrontFace = composer.FrontCW
		} else {
			d.FrontFace = composer.FrontCCW
		}
	}
	for i, t := range q.targets {
		if t.Format != "" && q.shader.FragmentWGSL != "" && (i < len(q.shader.Outputs) && q.shader.Outputs[i].Name != "") {
			t.Blend, t.Write, t.NoWrite = q.state.Blend, q.state.Write, q.state.NoWrite
		} else if t.Format != "" {
			t.NoWrite = true // the pass has the target, the shader does not write it
		}
		d.Targets = append(d.Targets, t)
	}
	if q.depth != "" {
		ds := &composer.DepthStencil{Format: q.depth, Write: !q.state.NoDepthWrite, Compare: q.state.Compare, Bias: q.state.Bias, BiasSlope: q.state.BiasSlope}
		if ds.Compare == "" {
			ds.Compare = composer.CompareLessEqual
		}
		if q.reverse {
			ds.Compare = reversed(ds.Compare)
			ds.Bias, ds.BiasSlope = -ds.Bias, -ds.BiasSlope
		}
		if s := q.state.Stencil; s != nil {
			if !q.depth.HasStencil() {
				return d, fmt.Errorf("the material tests the stencil, but the pass's depth format %s has none", q.depth)
			}
			ds.Front, ds.Back, ds.ReadMask, ds.WriteMask = s.Front, s.Back, s.ReadMask, s.WriteMask
		}
		d.DepthStencil = ds
	}
	return d, nil
}

// reversed turns a comparison of distances into one of reverse-Z depths.
func reversed(c composer.CompareFunction) composer.CompareFunction {
	switch c {
	case composer.CompareLess:
		return composer.CompareGreater
	case composer.CompareLessEqual:
		return composer.CompareGreaterEqual
	case composer.CompareGreater:
		return composer.CompareLess
	case composer.CompareGreaterEqual:
		return composer.CompareLessEqual
	}
	return c
}

func (p *pipelines) get(q *request) (*pipeline, error) {
	desc, err := q.descriptor()
	if err != nil {
		return nil, err
	}
	key := pipelineKey{q.shader.Key, stateText(&desc)}
	if x := p.render[key]; x != nil {
		return x, nil
	}
	if desc.Vertex, err = p.module(q.label, q.shader.VertexWGSL); err != nil {
		return nil, q.shader.ExplainError(composer.StageVertex, err.Error())
	}
	if q.shader.FragmentWGSL != "" {
		if desc.Fragment, err = p.module(q.label, q.shader.FragmentWGSL); err != nil {
			return nil, q.shader.ExplainError(composer.StageFragment, err.Error())
		}
	}
	scene, err := p.sceneLayout()
	if err != nil {
		return nil, err
	}
	out := &pipeline{}
	groups := []*gpu.BindGroupLayout{scene}
	id := "scene"
	add := func(entries []composer.BindGroupEntry) (*gpu.BindGroupLayout, error) {
		g, k, err := p.groupLayout(entries)
		groups, id = append(groups, g), id+"|"+k
		return g, err
	}
	if len(q.shader.Mesh) > 0 || len(q.shader.Shadow) > 0 {
		if out.mesh, err = add(q.shader.Mesh); err != nil {
			return nil, err
		}
	}
	if len(q.shader.Shadow) > 0 {
		if out.shadow, err = add(q.shader.Shadow); err != nil {
			return nil, err
		}
	}
	layout := p.layouts[id]
	if layout == nil {
		if layout, err = p.dev.CreatePipelineLayout(q.label, groups); err != nil {
			return nil, err
		}
		p.layouts[id] = layout
	}
	desc.Layout = layout
	if out.render, err = p.dev.CreateRenderPipeline(desc); err != nil {
		return nil, err
	}
	p.render[key] = out
	return out, nil
}

// stateText spells the fixed-function part of a pipeline, so that equal
// states are equal strings.
func stateText(d *gpu.RenderPipelineDesc) string {
	var s strings.Builder
	fmt.Fprintf(&s, "%s %s %s %s %d %t;", d.Topology, d.StripIndex, d.Cull, d.FrontFace, d.Samples, d.AlphaToCoverage)
	for _, t := range d.Targets {
		fmt.Fprintf(&s, "%s %d %t ", t.Format, t.Write, t.NoWrite)
		if t.Blend != nil {
			fmt.Fprintf(&s, "%+v", *t.Blend)
		}
	}
	if d.DepthStencil != nil {
		fmt.Fprintf(&s, ";%+v", *d.DepthStencil)
	}
	return s.String()
}

// outputsText spells output locations in a fixed order.
func outputsText(m map[string]int) string {
	names := make([]string, 0, len(m))
	for n := range m {
		names = append(names, n)
	}
	sort.Strings(names)
	var s strings.Builder
	for _, n := range names {
		fmt.Fprintf(&s, "%s=%d ", n, m[n])
	}
	return s.String()
}
