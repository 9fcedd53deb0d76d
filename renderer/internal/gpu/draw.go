package gpu

import (
	"fmt"
	"math"

	"github.com/cogentcore/webgpu/wgpu"
)

// SetPipeline sets the pipeline of the draws that follow.
func (p *Pass) SetPipeline(x *RenderPipeline) {
	p.enc.dev.mu.Lock()
	defer p.enc.dev.mu.Unlock()
	if !p.can() {
		return
	}
	if err := p.enc.dev.check("pipeline", x); err != nil {
		p.fail(err)
		return
	}
	if x.targets != p.targets {
		p.fail(fmt.Errorf("%v draws into %s; the pass has %s", x, x.targets, p.targets))
		return
	}
	p.enc.note(&x.object)
	p.pipeline = x
	p.raw.SetPipeline(x.raw)
}

// SetBindGroup sets bind group i; offsets are those of its dynamic bindings, in
// the order of the bindings.
func (p *Pass) SetBindGroup(i int, g *BindGroup, offsets ...uint32) {
	p.enc.dev.mu.Lock()
	defer p.enc.dev.mu.Unlock()
	if p.group(i, g, offsets) {
		p.raw.SetBindGroup(uint32(i), g.raw, offsets)
	}
}

// buffer checks a buffer that is bound or read, and gives the size that 0 stands for.
func (p *Pass) buffer(what string, b *Buffer, usage BufferUsage, offset, size, align uint64) (uint64, bool) {
	if !p.can() {
		return 0, false
	}
	bad := func(err error) (uint64, bool) { p.fail(fmt.Errorf("%s: %w", what, err)); return 0, false }
	if err := p.enc.dev.check("buffer", b); err != nil {
		return bad(err)
	}
	if offset > b.Size || size > b.Size-offset {
		return bad(fmt.Errorf("%d bytes at %d are beyond %v of %d", size, offset, b, b.Size))
	}
	if size == 0 {
		size = b.Size - offset
	}
	switch {
	case size == 0:
		return bad(fmt.Errorf("nothing is left of %v at %d", b, offset))
	case b.usage&usage == 0:
		return bad(fmt.Errorf("%v was made without that usage", b))
	case offset%align != 0:
		return bad(fmt.Errorf("the offset %d is no multiple of %d", offset, align))
	}
	p.enc.note(&b.object)
	return size, true
}

// SetVertexBuffer binds size bytes of b at offset to a slot; size 0 means the rest.
func (p *Pass) SetVertexBuffer(slot int, b *Buffer, offset, size uint64) {
	p.enc.dev.mu.Lock()
	defer p.enc.dev.mu.Unlock()
	if m := int(p.enc.dev.limits.MaxVertexBuffers); p.can() && (slot < 0 || slot >= m) {
		p.fail(fmt.Errorf("vertex buffer %d: slots are 0…%d", slot, m-1))
	}
	if size, ok := p.buffer("vertex buffer", b, UsageVertex, offset, size, 4); ok {
		p.vertex[slot], p.hasVertex[slot] = size, true
		p.raw.SetVertexBuffer(uint32(slot), b.raw, offset, size)
	}
}

// SetIndexBuffer binds size bytes of b at offset, a multiple of 4, as "uint16"
// or "uint32" indices; size 0 means the rest. WebGPU allows uint16 indices at
// multiples of 2, but the backend ends the process when it has to clear memory
// from there on.
func (p *Pass) SetIndexBuffer(b *Buffer, format string, offset, size uint64) {
	p.enc.dev.mu.Lock()
	defer p.enc.dev.mu.Unlock()
	f, bytes, err := indexOf(format)
	if err != nil && p.can() {
		p.fail(err)
	}
	if size, ok := p.buffer("index buffer", b, UsageIndex, offset, size, 4); ok {
		p.indices, p.indexFormat = size/bytes, format
		p.raw.SetIndexBuffer(b.raw, f, offset, size)
	}
}

// draw checks and counts a draw. What the backend would read out of bounds is
// refused here, where the draw is known by its number.
func (p *Pass) draw(indexed bool, check func() error) bool {
	if !p.can() {
		return false
	}
	p.calls++
	err := func() error {
		x := p.pipeline
		if x == nil {
			return fmt.Errorf("no pipeline is set")
		}
		if err := x.alive(); err != nil {
			return err
		}
		if err := p.groups(x.groups); err != nil {
			return fmt.Errorf("%v: %w", x, err)
		}
		for i, s := range x.slots {
			if !p.hasVertex[i] {
				return fmt.Errorf("%v: vertex buffer %d (%s) is not set", x, i, s.name)
			}
		}
		if indexed && p.indexFormat == "" {
			return fmt.Errorf("no index buffer is set")
		}
		if indexed && x.strip != "" && x.strip != p.indexFormat {
			return fmt.Errorf("%v draws strips of %s indices; %s ones are set", x, x.strip, p.indexFormat)
		}
		return check()
	}()
	if err != nil {
		p.fail(fmt.Errorf("draw %d: %w", p.calls, err))
	}
	return err == nil
}

// reads checks that the buffers of one step mode hold elements first…first+n-1.
func (p *Pass) reads(instance bool, first, n int) error {
	if first < 0 || n < 0 || first > math.MaxUint32 || n > math.MaxUint32-first {
		return fmt.Errorf("%d elements from %d on are not within 0…%d", n, first, uint32(math.MaxUint32))
	}
	if n == 0 {
		return nil
	}
	for i, s := range p.pipeline.slots {
		if s.instance != instance || s.last == 0 {
			continue
		}
		if need := uint64(first+n-1)*s.stride + s.last; need > p.vertex[i] {
			of := "vertices"
			if instance {
				of = "instances"
			}
			return fmt.Errorf("vertex buffer %d (%s) of %d bytes is too small for %d %s of %d bytes from %d on", i, s.name, p.vertex[i], n, of, s.stride, first)
		}
	}
	return nil
}

// Draw draws without indices.
func (p *Pass) Draw(vertices, instances, firstVertex, firstInstance int) {
	p.enc.dev.mu.Lock()
	defer p.enc.dev.mu.Unlock()
	ok := p.draw(false, func() error {
		if err := p.reads(false, firstVertex, vertices); err != nil {
			return err
		}
		return p.reads(true, firstInstance, instances)
	})
	if ok && vertices > 0 && instances > 0 {
		p.raw.Draw(uint32(vertices), uint32(instances), uint32(firstVertex), uint32(firstInstance))
	}
}

// DrawIndexed draws with indices. The indices themselves are not looked at:
// the driver keeps what they reach for within the buffers.
func (p *Pass) DrawIndexed(indices, instances, firstIndex, baseVertex, firstInstance int) {
	p.enc.dev.mu.Lock()
	defer p.enc.dev.mu.Unlock()
	ok := p.draw(true, func() error {
		if firstIndex < 0 || indices < 0 || uint64(firstIndex) > p.indices || uint64(indices) > p.indices-uint64(firstIndex) {
			return fmt.Errorf("%d indices from %d on, but %d are bound", indices, firstIndex, p.indices)
		}
		if baseVertex < math.MinInt32 || baseVertex > math.MaxInt32 {
			return fmt.Errorf("base vertex %d is out of range", baseVertex)
		}
		return p.reads(true, firstInstance, instances)
	})
	if ok && indices > 0 && instances > 0 {
		p.raw.DrawIndexed(uint32(indices), uint32(instances), uint32(firstIndex), int32(baseVertex), uint32(firstInstance))
	}
}

// DrawIndirect takes the four arguments of Draw, 32 bits each, from b at offset,
// a multiple of 4. What they say cannot be checked.
func (p *Pass) DrawIndirect(b *Buffer, offset uint64) {
	p.enc.dev.mu.Lock()
	defer p.enc.dev.mu.Unlock()
	if p.draw(false, func() error { return nil }) {
		if _, ok := p.buffer("indirect buffer", b, UsageIndirect, offset, 16, 4); ok {
			p.raw.DrawIndirect(b.raw, offset)
		}
	}
}

// DrawIndexedIndirect takes the five arguments of DrawIndexed, 32 bits each,
// from b at offset, a multiple of 4. What they say cannot be checked.
func (p *Pass) DrawIndexedIndirect(b *Buffer, offset uint64) {
	p.enc.dev.mu.Lock()
	defer p.enc.dev.mu.Unlock()
	if p.draw(true, func() error { return nil }) {
		if _, ok := p.buffer("indirect buffer", b, UsageIndirect, offset, 20, 4); ok {
			p.raw.DrawIndexedIndirect(b.raw, offset)
		}
	}
}

// SetViewport maps clip space to a rectangle of the targets, in pixels from the
// upper left, and depth to near…far within 0…1.
func (p *Pass) SetViewport(x, y, w, h, near, far float32) {
	p.enc.dev.mu.Lock()
	defer p.enc.dev.mu.Unlock()
	if !p.can() {
		return
	}
	// Written so that NaN fails.
	if !(x >= 0 && y >= 0 && w > 0 && h > 0 && x+w <= float32(p.width) && y+h <= float32(p.height)) {
		p.fail(fmt.Errorf("the viewport %gx%g at %g,%g is not within %dx%d", w, h, x, y, p.width, p.height))
		return
	}
	if !(near >= 0 && near <= 1 && far >= 0 && far <= 1) {
		p.fail(fmt.Errorf("the viewport's depth %g…%g is not within 0…1", near, far))
		return
	}
	p.raw.SetViewport(x, y, w, h, near, far)
}

// SetScissor clips to a rectangle of the targets, in pixels from the upper left.
func (p *Pass) SetScissor(x, y, w, h int) {
	p.enc.dev.mu.Lock()
	defer p.enc.dev.mu.Unlock()
	if !p.can() {
		return
	}
	if x < 0 || y < 0 || w < 0 || h < 0 || x > p.width || w > p.width-x || y > p.height || h > p.height-y {
		p.fail(fmt.Errorf("the scissor %dx%d at %d,%d is not within %dx%d", w, h, x, y, p.width, p.height))
		return
	}
	p.raw.SetScissorRect(uint32(x), uint32(y), uint32(w), uint32(h))
}

// SetBlendConstant sets the color of the constant blend factors.
func (p *Pass) SetBlendConstant(c [4]float64) {
	p.enc.dev.mu.Lock()
	defer p.enc.dev.mu.Unlock()
	if p.can() {
		p.raw.SetBlendConstant(&wgpu.Color{R: c[0], G: c[1], B: c[2], A: c[3]})
	}
}

// SetStencilReference sets the value that the stencil test compares with.
func (p *Pass) SetStencilReference(v uint32) {
	p.enc.dev.mu.Lock()
	defer p.enc.dev.mu.Unlock()
	if p.can() {
		p.raw.SetStencilReference(v)
	}
}
