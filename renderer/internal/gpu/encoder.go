package gpu

import (
	"fmt"
	"math"

	"github.com/cogentcore/webgpu/wgpu"
)

// Encoder records commands. Errors of recorded commands are kept and
// returned by End and Submit, which know the pass's name.
type Encoder struct {
	object
	enc       *wgpu.CommandEncoder
	open      string // label of the pass that was begun and not ended
	err       error
	submitted bool
	uses      map[*object]bool
}

// NewEncoder begins to record.
func (d *Device) NewEncoder(label string) (*Encoder, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed {
		return nil, errClosed
	}
	e, err := d.dev.CreateCommandEncoder(&wgpu.CommandEncoderDescriptor{Label: cstring(label)})
	if err != nil {
		return nil, fmt.Errorf("encoder %q: %w", label, clean(err))
	}
	return &Encoder{object: d.track(e, "command encoder", label), enc: e, uses: map[*object]bool{}}, nil
}

func (e *Encoder) fail(err error) error {
	if e.err == nil {
		e.err = err
	}
	return err
}

func (e *Encoder) ready() error {
	switch {
	case e.err != nil:
		return e.err
	case e.released || e.submitted:
		return fmt.Errorf("encoder %q was already submitted or released", e.label)
	case e.open != "":
		return fmt.Errorf("pass %q was not ended", e.open)
	}
	return nil
}

// ColorAttachment is a colour target of a pass; a nil View is not written.
type ColorAttachment struct {
	View, Resolve *View
	Clear         *[4]float64 // nil loads what is there
	Discard       bool        // the multisampled content is not kept
}

// DepthAttachment is the depth-stencil target of a pass; nil clears load.
type DepthAttachment struct {
	View         *View
	ClearDepth   *float32
	ClearStencil *uint32
	ReadOnly     bool
}

// RenderPassDesc describes a render pass.
type RenderPassDesc struct {
	Label string
	Color []ColorAttachment
	Depth *DepthAttachment
}

// Pass records draws.
type Pass struct {
	enc      *Encoder
	pass     *wgpu.RenderPassEncoder
	label    string
	err      error
	ended    bool
	pipeline bool
	vertex   map[int]uint64
	index    uint64 // number of indices bound
}

// BeginRenderPass begins a pass. It must be ended.
func (e *Encoder) BeginRenderPass(desc RenderPassDesc) (*Pass, error) {
	d := e.dev
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := e.ready(); err != nil {
		return nil, err
	}
	w := &wgpu.RenderPassDescriptor{Label: cstring(desc.Label)}
	any := false
	for i, c := range desc.Color {
		a := wgpu.RenderPassColorAttachment{LoadOp: wgpu.LoadOpLoad, StoreOp: wgpu.StoreOpStore}
		if c.View != nil {
			if err := e.target(c.View); err != nil {
				return nil, fmt.Errorf("pass %q: colour target %d: %w", desc.Label, i, err)
			}
			any = true
			a.View = c.View.view
		}
		if c.Resolve != nil {
			if err := e.target(c.Resolve); err != nil {
				return nil, fmt.Errorf("pass %q: resolve target %d: %w", desc.Label, i, err)
			}
			a.ResolveTarget = c.Resolve.view
		}
		if c.Clear != nil {
			a.LoadOp, a.ClearValue = wgpu.LoadOpClear, wgpu.Color{R: c.Clear[0], G: c.Clear[1], B: c.Clear[2], A: c.Clear[3]}
		}
		if c.Discard {
			a.StoreOp = wgpu.StoreOpDiscard
		}
		w.ColorAttachments = append(w.ColorAttachments, a)
	}
	if z := desc.Depth; z != nil {
		if err := e.target(z.View); err != nil {
			return nil, fmt.Errorf("pass %q: depth target: %w", desc.Label, err)
		}
		any = true
		a := &wgpu.RenderPassDepthStencilAttachment{View: z.View.view, DepthReadOnly: z.ReadOnly, StencilReadOnly: z.ReadOnly}
		if !z.ReadOnly {
			a.DepthLoadOp, a.DepthStoreOp = wgpu.LoadOpLoad, wgpu.StoreOpStore
			if z.ClearDepth != nil {
				a.DepthLoadOp, a.DepthClearValue = wgpu.LoadOpClear, *z.ClearDepth
			}
			if z.View.tex.Desc.Format.HasStencil() {
				a.StencilLoadOp, a.StencilStoreOp = wgpu.LoadOpLoad, wgpu.StoreOpStore
				if z.ClearStencil != nil {
					a.StencilLoadOp, a.StencilClearValue = wgpu.LoadOpClear, *z.ClearStencil
				}
			}
		}
		w.DepthStencilAttachment = a
	}
	if !any {
		return nil, fmt.Errorf("pass %q has no target", desc.Label)
	}
	e.open = entry(desc.Label, "unnamed")
	return &Pass{enc: e, pass: e.enc.BeginRenderPass(w), label: desc.Label, vertex: map[int]uint64{}}, nil
}

func (e *Encoder) target(v *View) error {
	if v == nil {
		return fmt.Errorf("the view is missing")
	}
	if err := v.usable(e.dev, "view"); err != nil {
		return err
	}
	if err := v.tex.usable(e.dev, "texture"); err != nil {
		return err
	}
	if v.tex.Desc.Usage&TextureTarget == 0 {
		return fmt.Errorf("texture %q cannot be drawn into: it has no render-attachment usage", v.tex.label)
	}
	if v.Desc.Mips != 1 || v.Desc.Layers != 1 {
		return fmt.Errorf("texture %q: a target is one mip level of one layer", v.tex.label)
	}
	e.uses[&v.object], e.uses[&v.tex.object] = true, true
	return nil
}

func (p *Pass) fail(format string, args ...any) {
	if p.err == nil {
		p.err = fmt.Errorf("pass %q: "+format, append([]any{p.label}, args...)...)
	}
}

// check reports whether the pass can record, noting the first error.
func (p *Pass) check() bool {
	if p.ended {
		p.fail("it was already ended")
	}
	return p.err == nil
}

// SetPipeline sets the pipeline of the draws that follow.
func (p *Pass) SetPipeline(x *RenderPipeline) {
	p.enc.dev.mu.Lock()
	defer p.enc.dev.mu.Unlock()
	if !p.check() {
		return
	}
	if x == nil {
		p.fail("the pipeline is missing")
		return
	}
	if err := x.usable(p.enc.dev, "render pipeline"); err != nil {
		p.fail("%v", err)
		return
	}
	p.pipeline = true
	p.pass.SetPipeline(x.pipeline)
}

func (e *Encoder) useGroup(g *BindGroup) error {
	if g == nil {
		return fmt.Errorf("a bind group is missing")
	}
	if err := g.usable(e.dev, "bind group"); err != nil {
		return err
	}
	for _, u := range g.uses {
		if u.released {
			return fmt.Errorf("bind group %q uses %q, which was released", g.label, u.label)
		}
		e.uses[u] = true
	}
	return nil
}

// SetBindGroup sets bind group i.
func (p *Pass) SetBindGroup(i int, g *BindGroup) {
	p.enc.dev.mu.Lock()
	defer p.enc.dev.mu.Unlock()
	if !p.check() {
		return
	}
	if err := p.enc.useGroup(g); err != nil {
		p.fail("%v", err)
		return
	}
	p.pass.SetBindGroup(uint32(i), g.group, nil)
}

func (p *Pass) useBuffer(b *Buffer, usage BufferUsage, what string, offset, size uint64) (uint64, bool) {
	if !p.check() {
		return 0, false
	}
	if b == nil {
		p.fail("the %s buffer is missing", what)
		return 0, false
	}
	if err := b.usable(p.enc.dev, "buffer"); err != nil {
		p.fail("%v", err)
		return 0, false
	}
	if b.usage&usage == 0 {
		p.fail("buffer %q has no %s usage", b.label, what)
		return 0, false
	}
	if offset > b.Size || size > b.Size-offset {
		p.fail("%d bytes at %d are outside buffer %q of %d bytes", size, offset, b.label, b.Size)
		return 0, false
	}
	if size == 0 {
		size = b.Size - offset
	}
	p.enc.uses[&b.object] = true
	return size, true
}

// SetVertexBuffer binds a vertex buffer; size 0 means the rest.
func (p *Pass) SetVertexBuffer(slot int, b *Buffer, offset, size uint64) {
	p.enc.dev.mu.Lock()
	defer p.enc.dev.mu.Unlock()
	if n, ok := p.useBuffer(b, UsageVertex, "vertex", offset, size); ok {
		p.pass.SetVertexBuffer(uint32(slot), b.buf, offset, n)
	}
}

// SetIndexBuffer binds the index buffer; format is "uint16" or "uint32".
func (p *Pass) SetIndexBuffer(b *Buffer, format string, offset, size uint64) {
	p.enc.dev.mu.Lock()
	defer p.enc.dev.mu.Unlock()
	f, width := wgpu.IndexFormatUint32, uint64(4)
	if format == "uint16" {
		f, width = wgpu.IndexFormatUint16, 2
	}
	if n, ok := p.useBuffer(b, UsageIndex, "index", offset, size); ok {
		p.index = n / width
		p.pass.SetIndexBuffer(b.buf, f, offset, n)
	}
}

func (p *Pass) drawable(n ...int) bool {
	if !p.check() {
		return false
	}
	if !p.pipeline {
		p.fail("a draw without a pipeline")
		return false
	}
	for _, x := range n {
		if x < 0 || x > math.MaxUint32 {
			p.fail("a draw with the count %d", x)
			return false
		}
	}
	return true
}

// Draw draws without indices.
func (p *Pass) Draw(vertices, instances, firstVertex, firstInstance int) {
	p.enc.dev.mu.Lock()
	defer p.enc.dev.mu.Unlock()
	if p.drawable(vertices, instances, firstVertex, firstInstance) {
		p.pass.Draw(uint32(vertices), uint32(instances), uint32(firstVertex), uint32(firstInstance))
	}
}

// DrawIndexed draws with indices.
func (p *Pass) DrawIndexed(indices, instances, firstIndex, baseVertex, firstInstance int) {
	p.enc.dev.mu.Lock()
	defer p.enc.dev.mu.Unlock()
	if !p.drawable(indices, instances, firstIndex, firstInstance) {
		return
	}
	if uint64(indices)+uint64(firstIndex) > p.index {
		p.fail("a draw of %d indices from %d, but %d are bound", indices, firstIndex, p.index)
		return
	}
	p.pass.DrawIndexed(uint32(indices), uint32(instances), uint32(firstIndex), int32(baseVertex), uint32(firstInstance))
}

// DrawIndexedIndirect takes the five arguments of DrawIndexed from a buffer.
func (p *Pass) DrawIndexedIndirect(b *Buffer, offset uint64) {
	p.enc.dev.mu.Lock()
	defer p.enc.dev.mu.Unlock()
	if !p.drawable() {
		return
	}
	if _, ok := p.useBuffer(b, UsageIndirect, "indirect", offset, 20); ok {
		p.pass.DrawIndexedIndirect(b.buf, offset)
	}
}

// SetViewport sets the viewport in pixels, depth from near to far.
func (p *Pass) SetViewport(x, y, w, h, near, far float32) {
	p.enc.dev.mu.Lock()
	defer p.enc.dev.mu.Unlock()
	if p.check() {
		p.pass.SetViewport(x, y, w, h, near, far)
	}
}

// SetScissor clips to a rectangle in pixels.
func (p *Pass) SetScissor(x, y, w, h int) {
	p.enc.dev.mu.Lock()
	defer p.enc.dev.mu.Unlock()
	if x < 0 || y < 0 || w < 0 || h < 0 {
		p.fail("the scissor %d,%d %dx%d is negative", x, y, w, h)
	}
	if p.check() {
		p.pass.SetScissorRect(uint32(x), uint32(y), uint32(w), uint32(h))
	}
}

// SetBlendConstant sets the colour of the constant blend factors.
func (p *Pass) SetBlendConstant(c [4]float64) {
	p.enc.dev.mu.Lock()
	defer p.enc.dev.mu.Unlock()
	if p.check() {
		p.pass.SetBlendConstant(&wgpu.Color{R: c[0], G: c[1], B: c[2], A: c[3]})
	}
}

// SetStencilReference sets the reference of the stencil test.
func (p *Pass) SetStencilReference(v uint32) {
	p.enc.dev.mu.Lock()
	defer p.enc.dev.mu.Unlock()
	if p.check() {
		p.pass.SetStencilReference(v)
	}
}

// End ends the pass and reports the first error of anything recorded in it.
func (p *Pass) End() error {
	p.enc.dev.mu.Lock()
	defer p.enc.dev.mu.Unlock()
	if p.ended {
		return fmt.Errorf("pass %q was already ended", p.label)
	}
	p.ended = true
	p.enc.open = ""
	err := p.pass.End()
	p.pass.Release()
	if p.err != nil {
		return p.enc.fail(p.err)
	}
	if err != nil {
		return p.enc.fail(fmt.Errorf("pass %q: %w", p.label, clean(err)))
	}
	return nil
}

// ComputePass records dispatches.
type ComputePass struct {
	enc   *Encoder
	pass  *wgpu.ComputePassEncoder
	label string
	err   error
	ended bool
	set   bool
}

// BeginComputePass begins a compute pass.
func (e *Encoder) BeginComputePass(label string) (*ComputePass, error) {
	e.dev.mu.Lock()
	defer e.dev.mu.Unlock()
	if err := e.ready(); err != nil {
		return nil, err
	}
	e.open = entry(label, "unnamed")
	return &ComputePass{enc: e, pass: e.enc.BeginComputePass(&wgpu.ComputePassDescriptor{Label: cstring(label)}), label: label}, nil
}

// Dispatch runs x*y*z workgroups of pipeline with the given bind groups.
func (p *ComputePass) Dispatch(pipeline *ComputePipeline, groups []*BindGroup, x, y, z int) {
	d := p.enc.dev
	d.mu.Lock()
	defer d.mu.Unlock()
	if p.err != nil || p.ended {
		return
	}
	if pipeline == nil {
		p.err = fmt.Errorf("compute pass %q: the pipeline is missing", p.label)
		return
	}
	if p.err = pipeline.usable(d, "compute pipeline"); p.err != nil {
		return
	}
	if x < 1 || y < 1 || z < 1 || x > 65535 || y > 65535 || z > 65535 {
		p.err = fmt.Errorf("compute pass %q: %d×%d×%d workgroups are not within 1…65535", p.label, x, y, z)
		return
	}
	p.pass.SetPipeline(pipeline.pipeline)
	for i, g := range groups {
		if p.err = p.enc.useGroup(g); p.err != nil {
			return
		}
		p.pass.SetBindGroup(uint32(i), g.group, nil)
	}
	p.pass.DispatchWorkgroups(uint32(x), uint32(y), uint32(z))
}

// End ends the pass and reports its first error.
func (p *ComputePass) End() error {
	p.enc.dev.mu.Lock()
	defer p.enc.dev.mu.Unlock()
	if p.ended {
		return fmt.Errorf("compute pass %q was already ended", p.label)
	}
	p.ended, p.enc.open = true, ""
	err := p.pass.End()
	p.pass.Release()
	if p.err != nil {
		return p.enc.fail(p.err)
	}
	if err != nil {
		return p.enc.fail(fmt.Errorf("compute pass %q: %w", p.label, clean(err)))
	}
	return nil
}

// CopyTexture copies every mip level and layer of from to to, which must have
// the same size and format.
func (e *Encoder) CopyTexture(from, to *Texture) error {
	e.dev.mu.Lock()
	defer e.dev.mu.Unlock()
	if err := e.ready(); err != nil {
		return err
	}
	for _, t := range []*Texture{from, to} {
		if t == nil {
			return fmt.Errorf("copy: a texture is missing")
		}
		if err := t.usable(e.dev, "texture"); err != nil {
			return err
		}
		e.uses[&t.object] = true
	}
	a, b := from.Desc, to.Desc
	if from == to || a.Width != b.Width || a.Height != b.Height || a.Layers != b.Layers || a.Format != b.Format || a.Samples != b.Samples {
		return fmt.Errorf("copy: textures %q and %q differ in size, layers, samples or format, or are one", from.label, to.label)
	}
	for mip := range min(a.Mips, b.Mips) {
		err := e.enc.CopyTextureToTexture(
			&wgpu.ImageCopyTexture{Texture: from.tex, MipLevel: uint32(mip)}, &wgpu.ImageCopyTexture{Texture: to.tex, MipLevel: uint32(mip)},
			&wgpu.Extent3D{Width: uint32(max(1, a.Width>>mip)), Height: uint32(max(1, a.Height>>mip)), DepthOrArrayLayers: uint32(a.Layers)})
		if err != nil {
			return e.fail(fmt.Errorf("copy of %q: %w", from.label, clean(err)))
		}
	}
	return nil
}

// CopyBuffer copies size bytes; offsets and size are multiples of 4.
func (e *Encoder) CopyBuffer(from *Buffer, fromOffset uint64, to *Buffer, toOffset, size uint64) error {
	e.dev.mu.Lock()
	defer e.dev.mu.Unlock()
	if err := e.ready(); err != nil {
		return err
	}
	for _, b := range []*Buffer{from, to} {
		if b == nil {
			return fmt.Errorf("copy: a buffer is missing")
		}
		if err := b.usable(e.dev, "buffer"); err != nil {
			return err
		}
		e.uses[&b.object] = true
	}
	if (fromOffset|toOffset|size)%4 != 0 || fromOffset > from.Size || size > from.Size-fromOffset || toOffset > to.Size || size > to.Size-toOffset {
		return fmt.Errorf("copy: %d bytes from %d of %q to %d of %q do not fit or are not aligned to 4", size, fromOffset, from.label, toOffset, to.label)
	}
	if err := e.enc.CopyBufferToBuffer(from.buf, fromOffset, to.buf, toOffset, size); err != nil {
		return e.fail(fmt.Errorf("copy of %q: %w", from.label, clean(err)))
	}
	return nil
}

// Submit hands the commands to the device. The encoder is spent. What the
// commands use must be alive: the backend would end the process otherwise.
func (e *Encoder) Submit() error {
	e.dev.mu.Lock()
	defer e.dev.mu.Unlock()
	_, err := e.submit()
	return err
}

func (e *Encoder) submit() (wgpu.SubmissionIndex, error) {
	defer e.object.release()
	if err := e.ready(); err != nil {
		return 0, err
	}
	for u := range e.uses {
		if u.released {
			return 0, fmt.Errorf("encoder %q uses %q, which was released", e.label, u.label)
		}
	}
	e.submitted = true
	cb, err := e.enc.Finish(nil)
	if err != nil {
		return 0, fmt.Errorf("encoder %q: %w", e.label, clean(err))
	}
	index := e.dev.queue.Submit(cb)
	cb.Release()
	return index, nil
}
