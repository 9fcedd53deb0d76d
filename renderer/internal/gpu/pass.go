package gpu

import (
	"fmt"

	"darkroom/composer"
	"github.com/cogentcore/webgpu/wgpu"
)

// ColorAttachment is a color target of a pass. Without a View there is none at
// its place.
type ColorAttachment struct {
	View    *View
	Resolve *View       // where a multisampled View is resolved to
	Clear   *[4]float64 // nil loads what is there
	Discard bool        // what View holds is not kept; Resolve is
}

// DepthAttachment is the depth-stencil target of a pass. What is not cleared is loaded.
type DepthAttachment struct {
	View         *View
	ClearDepth   *float32 // 0…1
	ClearStencil *uint32
	// DepthReadOnly forbids writing depth and stencil, so that the texture can
	// be sampled in the pass. The binding knows no read-only stencil of its own.
	DepthReadOnly bool
	Discard       bool // the content is not kept
}

// RenderPassDesc describes a render pass.
type RenderPassDesc struct {
	Label string
	Color []ColorAttachment
	Depth *DepthAttachment
}

// passBase is what render and compute passes share.
type passBase struct {
	enc   *Encoder
	label string
	err   error
	ended bool
	calls int // draws or dispatches so far
	bound [maxBindGroups]bool
	free  func()
}

// can reports whether the pass records. The device is locked. A failed pass
// swallows everything until End.
func (p *passBase) can() bool {
	switch {
	case p.ended:
		p.enc.fail(fmt.Errorf("pass %q of encoder %q was already ended", p.label, p.enc.label))
		return false
	case p.err != nil:
		return false
	}
	return true
}

// fail keeps the first error.
func (p *passBase) fail(err error) {
	if p.err == nil {
		p.err = err
	}
}

// end closes the pass with raw, which ends it in the backend and validates it.
func (p *passBase) end(raw func() error) error {
	e := p.enc
	if p.ended {
		return fmt.Errorf("pass %q of encoder %q was already ended", p.label, e.label)
	}
	p.ended, e.open = true, nil
	// The backend has recorded names so far and looks them up now: the name of
	// what was released since ends the process.
	err := e.intact("the pass ended")
	if err == nil {
		err = e.dev.result(raw())
	}
	p.free()
	if p.err != nil {
		err = p.err // what we saw ourselves came first
	}
	if err == nil {
		return nil
	}
	return e.fail(fmt.Errorf("pass %q: %w", p.label, err))
}

// group checks what both kinds of pass bind.
func (p *passBase) group(i int, g *BindGroup, offsets []uint32) bool {
	if !p.can() {
		return false
	}
	d := p.enc.dev
	bad := func(err error) bool { p.fail(fmt.Errorf("bind group %d: %w", i, err)); return false }
	if m := int(d.limits.MaxBindGroups); i < 0 || i >= min(m, maxBindGroups) {
		return bad(fmt.Errorf("groups are 0…%d", m-1))
	}
	if err := d.check("bind group", g); err != nil {
		return bad(err)
	}
	if len(offsets) != len(g.layout.dynamic) {
		return bad(fmt.Errorf("%d dynamic offsets for %v, which has %d", len(offsets), g, len(g.layout.dynamic)))
	}
	if g.marked != p.enc.number {
		for _, o := range g.uses {
			if err := o.alive(); err != nil {
				return bad(fmt.Errorf("%v: %w", g, err))
			}
			p.enc.note(o)
		}
		p.enc.note(&g.object)
	}
	p.bound[i] = true
	return true
}

// groups says which bind group is missing for a pipeline of n groups.
func (p *passBase) groups(n int) error {
	for i := range n {
		if !p.bound[i] {
			return fmt.Errorf("bind group %d is not set", i)
		}
	}
	return nil
}

// Pass records draws. Its methods return no errors: the first one is returned
// by End.
type Pass struct {
	passBase
	raw           *wgpu.RenderPassEncoder
	width, height int
	targets       string
	pipeline      *RenderPipeline
	vertex        [maxVertexBuffers]uint64 // bytes bound
	hasVertex     [maxVertexBuffers]bool
	indices       uint64 // number bound
	indexFormat   string // empty: none bound
}

// BeginRenderPass begins a pass, which must be ended before the encoder records
// anything else.
func (e *Encoder) BeginRenderPass(desc RenderPassDesc) (*Pass, error) {
	if e == nil || e.dev == nil {
		return nil, fmt.Errorf("pass %q: the encoder is missing", desc.Label)
	}
	e.dev.mu.Lock()
	defer e.dev.mu.Unlock()
	if err := e.ready(); err != nil {
		return nil, err
	}
	p := &Pass{}
	w, err := e.renderPass(&desc, p)
	if err != nil {
		return nil, e.fail(fmt.Errorf("pass %q: %w", desc.Label, err))
	}
	p.raw = e.raw.BeginRenderPass(w)
	p.passBase = passBase{enc: e, label: desc.Label, free: p.raw.Release}
	e.open = &p.passBase
	return p, nil
}

func (e *Encoder) renderPass(desc *RenderPassDesc, p *Pass) (*wgpu.RenderPassDescriptor, error) {
	if len(desc.Color) > maxColorAttachments {
		return nil, fmt.Errorf("%d color targets are more than %d", len(desc.Color), maxColorAttachments)
	}
	w := &wgpu.RenderPassDescriptor{Label: text(desc.Label)}
	var colors []composer.TextureFormat
	samples := 0
	for i, c := range desc.Color {
		a, err := e.color(&c, p, &samples)
		if err != nil {
			return nil, fmt.Errorf("color target %d: %w", i, err)
		}
		var f composer.TextureFormat
		if c.View != nil {
			f = c.View.Texture.Desc.Format
		}
		colors = append(colors, f)
		w.ColorAttachments = append(w.ColorAttachments, a)
	}
	var depth composer.TextureFormat
	if desc.Depth != nil {
		a, err := e.depth(desc.Depth, p, &samples)
		if err != nil {
			return nil, fmt.Errorf("depth target: %w", err)
		}
		depth, w.DepthStencilAttachment = desc.Depth.View.Texture.Desc.Format, a
	}
	if samples == 0 {
		return nil, fmt.Errorf("it has no target")
	}
	p.targets = signature(colors, depth, samples)
	return w, nil
}

func (e *Encoder) color(c *ColorAttachment, p *Pass, samples *int) (a wgpu.RenderPassColorAttachment, err error) {
	a.LoadOp, a.StoreOp = wgpu.LoadOpLoad, wgpu.StoreOpStore
	if c.View == nil {
		if c.Resolve != nil {
			return a, fmt.Errorf("there is a resolve target but no view")
		}
		return a, nil
	}
	if err := e.target(c.View, p, samples); err != nil {
		return a, err
	}
	f := c.View.Texture.Desc.Format
	if f.IsDepth() || f.HasStencil() {
		return a, fmt.Errorf("format %s is no color", f)
	}
	a.View = c.View.raw
	if r := c.Resolve; r != nil {
		one := 1
		if err := e.target(r, p, &one); err != nil {
			return a, fmt.Errorf("resolve target: %w", err)
		}
		if *samples == 1 || r.Texture.Desc.Format != f {
			return a, fmt.Errorf("%s with %d samples cannot be resolved to %s", f, *samples, r.Texture.Desc.Format)
		}
		a.ResolveTarget = r.raw
	}
	if k := c.Clear; k != nil {
		a.LoadOp, a.ClearValue = wgpu.LoadOpClear, wgpu.Color{R: k[0], G: k[1], B: k[2], A: k[3]}
	}
	if c.Discard {
		a.StoreOp = wgpu.StoreOpDiscard
	}
	return a, nil
}

func (e *Encoder) depth(z *DepthAttachment, p *Pass, samples *int) (*wgpu.RenderPassDepthStencilAttachment, error) {
	if err := e.target(z.View, p, samples); err != nil {
		return nil, err
	}
	f := z.View.Texture.Desc.Format
	switch {
	case !f.IsDepth() && !f.HasStencil():
		return nil, fmt.Errorf("format %s holds neither depth nor stencil", f)
	case z.View.Desc.Aspect != "":
		return nil, fmt.Errorf("the view shows the %s part alone", z.View.Desc.Aspect)
	case z.DepthReadOnly && (z.ClearDepth != nil || z.ClearStencil != nil || z.Discard):
		return nil, fmt.Errorf("it is read-only and cannot be cleared or discarded")
	case z.ClearDepth != nil && !(*z.ClearDepth >= 0 && *z.ClearDepth <= 1):
		return nil, fmt.Errorf("it is cleared to %g, which is not within 0…1", *z.ClearDepth)
	case z.ClearDepth != nil && !f.IsDepth():
		return nil, fmt.Errorf("format %s holds no depth to clear", f)
	case z.ClearStencil != nil && !f.HasStencil():
		return nil, fmt.Errorf("format %s holds no stencil to clear", f)
	}
	a := &wgpu.RenderPassDepthStencilAttachment{
		View: z.View.raw, DepthReadOnly: z.DepthReadOnly, StencilReadOnly: z.DepthReadOnly,
		DepthLoadOp: wgpu.LoadOpLoad, DepthStoreOp: wgpu.StoreOpStore,
		StencilLoadOp: wgpu.LoadOpLoad, StencilStoreOp: wgpu.StoreOpStore,
	}
	if z.ClearDepth != nil {
		a.DepthLoadOp, a.DepthClearValue = wgpu.LoadOpClear, *z.ClearDepth
	}
	if z.ClearStencil != nil {
		a.StencilLoadOp, a.StencilClearValue = wgpu.LoadOpClear, *z.ClearStencil
	}
	if z.Discard {
		a.DepthStoreOp, a.StencilStoreOp = wgpu.StoreOpDiscard, wgpu.StoreOpDiscard
	}
	return a, nil
}

// target checks a view that is drawn into: all are of one size and one number
// of samples.
func (e *Encoder) target(v *View, p *Pass, samples *int) error {
	if err := e.dev.check("view", v); err != nil {
		return err
	}
	t := v.Texture
	if t.Desc.Usage&TextureTarget == 0 {
		return fmt.Errorf("%v was made without TextureTarget", t)
	}
	if v.Desc.Mips != 1 || v.Desc.Layers != 1 || v.Desc.Dimension != composer.View2D && v.Desc.Dimension != composer.View2DArray {
		return fmt.Errorf("%v: a target is one mip level of one layer of a 2d texture, not %d of %d", t, v.Desc.Mips, v.Desc.Layers)
	}
	w, h, _ := t.size(v.Desc.BaseMip)
	if p.width == 0 {
		p.width, p.height = w, h
	}
	if w != p.width || h != p.height {
		return fmt.Errorf("%v is %dx%d, but the first target is %dx%d", t, w, h, p.width, p.height)
	}
	if *samples == 0 {
		*samples = t.Desc.Samples
	}
	if t.Desc.Samples != *samples {
		return fmt.Errorf("%v has %d samples, not %d", t, t.Desc.Samples, *samples)
	}
	e.note(&v.object)
	return nil
}

// End ends the pass and returns the first error of anything recorded in it.
func (p *Pass) End() error {
	if p == nil || p.enc == nil {
		return fmt.Errorf("the pass is missing")
	}
	p.enc.dev.mu.Lock()
	defer p.enc.dev.mu.Unlock()
	return p.end(p.raw.End)
}

// ComputePass records dispatches. Its methods return no errors: the first one
// is returned by End.
type ComputePass struct {
	passBase
	raw      *wgpu.ComputePassEncoder
	pipeline *ComputePipeline
}

// BeginComputePass begins a compute pass, which must be ended before the encoder
// records anything else.
func (e *Encoder) BeginComputePass(label string) (*ComputePass, error) {
	if e == nil || e.dev == nil {
		return nil, fmt.Errorf("pass %q: the encoder is missing", label)
	}
	e.dev.mu.Lock()
	defer e.dev.mu.Unlock()
	if err := e.ready(); err != nil {
		return nil, err
	}
	p := &ComputePass{raw: e.raw.BeginComputePass(&wgpu.ComputePassDescriptor{Label: text(label)})}
	p.passBase = passBase{enc: e, label: label, free: p.raw.Release}
	e.open = &p.passBase
	return p, nil
}

// SetPipeline sets the pipeline of the dispatches that follow.
func (p *ComputePass) SetPipeline(x *ComputePipeline) {
	p.enc.dev.mu.Lock()
	defer p.enc.dev.mu.Unlock()
	p.setPipeline(x)
}

func (p *ComputePass) setPipeline(x *ComputePipeline) {
	if !p.can() {
		return
	}
	if err := p.enc.dev.check("pipeline", x); err != nil {
		p.fail(err)
		return
	}
	p.enc.note(&x.object)
	p.pipeline = x
	p.raw.SetPipeline(x.raw)
}

// SetBindGroup sets bind group i; offsets are those of its dynamic bindings, in
// the order of the bindings.
func (p *ComputePass) SetBindGroup(i int, g *BindGroup, offsets ...uint32) {
	p.enc.dev.mu.Lock()
	defer p.enc.dev.mu.Unlock()
	if p.group(i, g, offsets) {
		p.raw.SetBindGroup(uint32(i), g.raw, offsets)
	}
}

// Dispatch sets a pipeline and its bind groups, 0 and up, and runs x·y·z workgroups.
func (p *ComputePass) Dispatch(pipeline *ComputePipeline, groups []*BindGroup, x, y, z int) {
	p.enc.dev.mu.Lock()
	defer p.enc.dev.mu.Unlock()
	p.setPipeline(pipeline)
	for i, g := range groups {
		if p.group(i, g, nil) {
			p.raw.SetBindGroup(uint32(i), g.raw, nil)
		}
	}
	p.dispatch(x, y, z)
}

// DispatchWorkgroups runs x·y·z workgroups with what is set; none if one of them is 0.
func (p *ComputePass) DispatchWorkgroups(x, y, z int) {
	p.enc.dev.mu.Lock()
	defer p.enc.dev.mu.Unlock()
	p.dispatch(x, y, z)
}

func (p *ComputePass) dispatch(x, y, z int) {
	if !p.can() {
		return
	}
	p.calls++
	bad := func(err error) { p.fail(fmt.Errorf("dispatch %d: %w", p.calls, err)) }
	if p.pipeline == nil {
		bad(fmt.Errorf("no pipeline is set"))
		return
	}
	if err := p.groups(p.pipeline.groups); err != nil {
		bad(fmt.Errorf("%v: %w", p.pipeline, err))
		return
	}
	if m := int(p.enc.dev.limits.MaxComputeWorkgroupsPerDimension); min(x, y, z) < 0 || max(x, y, z) > m {
		bad(fmt.Errorf("%d×%d×%d workgroups are not within 0…%d", x, y, z, m))
		return
	}
	if x > 0 && y > 0 && z > 0 {
		p.raw.DispatchWorkgroups(uint32(x), uint32(y), uint32(z))
	}
}

// End ends the pass and returns the first error of anything recorded in it.
func (p *ComputePass) End() error {
	if p == nil || p.enc == nil {
		return fmt.Errorf("the pass is missing")
	}
	p.enc.dev.mu.Lock()
	defer p.enc.dev.mu.Unlock()
	return p.end(p.raw.End)
}
