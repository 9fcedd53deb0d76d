package gpu

import (
	"math"
)

// bytes are words of small numbers, so that indirect draws and indices made of
// them are small too.
func (m *machine) bytes(n int) []byte {
	b := make([]byte, n)
	for i := 0; i < n; i += 4 {
		b[i] = byte(m.next() % 4)
	}
	return b
}

func (m *machine) write() {
	if m.next()%2 == 0 {
		b := pick(m, m.buffers, m.foreign.buffer)
		n := of(m, 0, 1, 4, 16, 64, 17, 5000)
		if b != nil && m.next()%2 == 0 {
			n = int(b.Size)
		}
		m.note("write buffer", m.d.WriteBuffer(b, m.offset(), m.bytes(n)))
		return
	}
	t := pick(m, m.textures, m.foreign.texture)
	mip, layer, w, h := 0, 0, 1, 1
	if t != nil {
		w, h = t.Desc.Width, t.Desc.Height
		if m.odd() {
			mip = m.number()
			w, h = max(1, w>>min(max(0, mip), 31)), max(1, h>>min(max(0, mip), 31))
		}
	}
	if m.odd() {
		layer, w, h = m.number(), m.number(), m.number()
	}
	m.note("write texture", m.d.WriteTexture(t, mip, layer, m.bytes(of(m, 1<<15, 0, 1, 1<<10)), of(m, 0, 0, 0, 256, 1024, 1, -1, math.MaxInt), w, h))
}

func (m *machine) read() {
	switch m.next() % 3 {
	case 0:
		b := pick(m, m.buffers, m.foreign.buffer)
		_, err := m.d.ReadBuffer(b, m.offset(), of(m, uint64(0), 4, 16, 3, math.MaxUint64))
		m.note("read buffer", err)
	case 1:
		_, err := m.d.ReadAspect(pick(m, m.textures, m.foreign.texture), 0, 0, of(m, Aspect(""), DepthOnly, StencilOnly, "all"))
		m.note("read aspect", err)
	default:
		mip, layer := 0, 0
		if m.odd() {
			mip, layer = m.number(), m.number()
		}
		_, err := m.d.ReadTexture(pick(m, m.textures, m.foreign.texture), mip, layer)
		m.note("read texture", err)
	}
}

func (m *machine) pass() {
	e := m.encoder()
	if e == nil {
		return
	}
	defer m.fresh(e)
	var desc RenderPassDesc
	targets := 1
	if m.odd() {
		targets = of(m, 0, 2, 3, 9)
	}
	for range targets {
		c := ColorAttachment{View: m.views[0], Discard: m.odd()}
		if m.next()%4 == 0 {
			c.View, c.Resolve = m.views[3], m.views[0]
		}
		if m.next()%8 == 0 {
			c.View = pick(m, m.views, m.foreign.view)
		}
		if m.odd() {
			c.Resolve = pick(m, m.views, m.foreign.view)
		}
		if m.next()%2 == 0 {
			c.Clear = &[4]float64{1, math.NaN(), math.Inf(1), -1}
		}
		desc.Color = append(desc.Color, c)
	}
	if m.next()%8 == 0 {
		z := &DepthAttachment{View: m.views[2], DepthReadOnly: m.odd(), Discard: m.odd()}
		if m.odd() {
			z.View = pick(m, m.views, m.foreign.view)
		}
		if m.next()%2 == 0 {
			clear := of(m, float32(0), 1, 2, float32(math.NaN()))
			z.ClearDepth = &clear
		}
		if m.odd() {
			clear := uint32(m.next())
			z.ClearStencil = &clear
		}
		desc.Depth = z
	}
	p, err := e.BeginRenderPass(desc)
	keep(m, "render pass", &m.passes, p, err)
	if err != nil {
		return
	}
	if m.next()%4 != 0 {
		i := m.next() % 3
		samples := 0 // the second of a pair of pipelines draws 4 samples
		if v := desc.Color; len(v) > 0 && v[0].View != nil && v[0].View.Texture.Desc.Samples == 4 {
			samples = 1
		}
		p.SetPipeline(m.pipelines[2*i+samples])
		p.SetBindGroup(0, m.groups[i])
		p.SetVertexBuffer(0, m.buffers[0], 0, 0)
		p.SetIndexBuffer(m.buffers[0], "uint16", 0, 0)
	}
	for range m.next() % 6 {
		m.passCall(p)
	}
	if !m.odd() {
		m.note("end", p.End())
	}
}

func (m *machine) passCall(p *Pass) {
	count := func() int {
		if m.odd() {
			return of(m, -1, math.MinInt, math.MaxInt, math.MaxUint32+1)
		}
		return of(m, 3, 3, 6, 1, 0, 100)
	}
	switch m.next() % 16 {
	case 0, 1, 2:
		p.SetPipeline(pick(m, m.pipelines, nil))
	case 3, 4:
		var offsets []uint32
		if m.odd() {
			offsets = append(offsets, of(m, uint32(0), 256, 4, math.MaxUint32))
		}
		i := of(m, 0, 0, 0, 1)
		if m.odd() {
			i = m.number()
		}
		p.SetBindGroup(i, pick(m, m.groups, nil), offsets...)
	case 5, 6:
		p.SetVertexBuffer(m.number(), pick(m, m.buffers, m.foreign.buffer), m.offset(), of(m, 0, 0, 0, m.offset()))
	case 7:
		p.SetIndexBuffer(pick(m, m.buffers, m.foreign.buffer), of(m, "uint16", "uint32", "", "uint8"), m.offset(), of(m, 0, 0, 0, m.offset()))
	case 8, 9:
		p.Draw(count(), of(m, 1, 1, 0, 2, -1), of(m, 0, 0, 1, m.number()), of(m, 0, 0, 1, m.number()))
	case 10, 11:
		p.DrawIndexed(count(), of(m, 1, 1, 0, 2, -1), of(m, 0, 0, m.number()), of(m, 0, 0, m.number()), of(m, 0, 0, m.number()))
	case 12:
		p.DrawIndirect(pick(m, m.buffers, m.foreign.buffer), m.offset())
	case 13:
		p.DrawIndexedIndirect(pick(m, m.buffers, m.foreign.buffer), m.offset())
	case 14:
		f := func() float32 {
			return of(m, float32(0), 0, 1, 1, 4, 16, -1, float32(math.NaN()), float32(math.Inf(1)), 1e-30, 1e30)
		}
		p.SetViewport(f(), f(), f(), f(), f(), f())
	default:
		p.SetScissor(m.number(), m.number(), m.number(), m.number())
		p.SetBlendConstant([4]float64{math.NaN(), math.Inf(-1), 1e308, 0})
		p.SetStencilReference(uint32(m.number()))
	}
}

func (m *machine) computePass() {
	e := m.encoder()
	if e == nil {
		return
	}
	defer m.fresh(e)
	p, err := e.BeginComputePass("c")
	keep(m, "compute pass", &m.cpasses, p, err)
	if err != nil {
		return
	}
	if m.next()%4 != 0 {
		i := m.next() % 2
		p.Dispatch(m.computes[i], []*BindGroup{m.groups[3+i]}, 4, 1, 1)
	}
	for range m.next() % 4 {
		m.computeCall(p)
	}
	if !m.odd() {
		m.note("end compute", p.End())
	}
}

func (m *machine) computeCall(p *ComputePass) {
	x, y, z := of(m, 1, 0, 4, 100), of(m, 1, 0, 2, 3), of(m, 1, 0, 2)
	if m.odd() {
		x, y, z = of(m, -1, math.MinInt, 65536, math.MaxInt), 1, 1
	}
	switch m.next() % 4 {
	case 0:
		p.SetPipeline(pick(m, m.computes, nil))
	case 1:
		p.SetBindGroup(of(m, 0, 0, 0, 1, m.number()), pick(m, m.groups, nil))
	case 2:
		p.Dispatch(pick(m, m.computes, nil), []*BindGroup{pick(m, m.groups, nil)}, x, y, z)
	default:
		p.DispatchWorkgroups(x, y, z)
	}
}

// target is a buffer to copy texels to: no indirect one, for a color is a large number.
func (m *machine) target() *Buffer {
	b := pick(m, m.buffers, m.foreign.buffer)
	if b != nil && b.usage&(UsageIndirect|UsageIndex|UsageCopySrc) != 0 {
		return m.buffers[2] // CopyDst alone
	}
	return b
}

func (m *machine) copy() {
	e := m.encoder()
	if e == nil {
		return
	}
	defer m.fresh(e)
	place := func() (p TexturePlace) {
		p.Texture = pick(m, m.textures, m.foreign.texture)
		if m.odd() {
			p.Mip, p.X, p.Y, p.Z = m.number(), m.number(), m.number(), m.number()
		}
		return p
	}
	w, h, n := of(m, 16, 8, 4, 1), of(m, 16, 8, 4, 1), 1
	if m.odd() {
		w, h, n = m.number(), m.number(), m.number()
	}
	row := of(m, 256, 256, 512, 0, 400, -256, math.MaxInt)
	switch m.next() % 5 {
	case 0:
		m.note("copy buffer", e.CopyBuffer(pick(m, m.buffers, m.foreign.buffer), m.offset(), pick(m, m.buffers, m.foreign.buffer), m.offset(), m.offset()))
	case 1:
		m.note("copy texture", e.CopyTexture(pick(m, m.textures, m.foreign.texture), pick(m, m.textures, m.foreign.texture)))
	case 2:
		m.note("copy region", e.CopyTextureRegion(place(), place(), w, h, n))
	case 3:
		m.note("copy out", e.CopyTextureToBuffer(place(), of(m, Aspect(""), "", DepthOnly, StencilOnly), m.target(), m.offset(), row, w, h))
	default:
		m.note("copy in", e.CopyBufferToTexture(pick(m, m.buffers, m.foreign.buffer), m.offset(), row, place(), w, h))
	}
}

func (m *machine) ring() {
	switch m.next() % 4 {
	case 0:
		r, err := m.d.NewReadback(of(m, 2, 1, 3, 0, -1, 65))
		keep(m, "ring", &m.rings, r, err)
	case 1, 2:
		k, err := pick(m, m.rings, nil).Start(pick(m, m.textures, m.foreign.texture))
		keep(m, "ring start", &m.tickets, k, err)
	default:
		_, err := pick(m, m.tickets, nil).Wait()
		m.note("ring wait", err)
	}
}

// straggler uses a pass that may have ended, or whose encoder is gone.
func (m *machine) straggler() {
	switch m.next() % 4 {
	case 0:
		if p := pick(m, m.passes, nil); p != nil {
			m.passCall(p)
		}
	case 1:
		m.note("end late", pick(m, m.passes, nil).End())
	case 2:
		if p := pick(m, m.cpasses, nil); p != nil {
			m.computeCall(p)
		}
	default:
		m.note("end compute late", pick(m, m.cpasses, nil).End())
	}
}

func (m *machine) releaseOne() {
	switch m.next() % 12 {
	case 0:
		pick(m, m.buffers, nil).Release()
	case 1:
		pick(m, m.textures, nil).Release()
	case 2:
		pick(m, m.views, nil).Release()
	case 3:
		pick(m, m.samplers, nil).Release()
	case 4:
		pick(m, m.shaders, nil).Release()
	case 5:
		pick(m, m.layouts, nil).Release()
	case 6:
		pick(m, m.groups, nil).Release()
	case 7:
		pick(m, m.pipelays, nil).Release()
	case 8:
		pick(m, m.pipelines, nil).Release()
	case 9:
		pick(m, m.computes, nil).Release()
	case 10:
		pick(m, m.encoders, nil).Release()
	default:
		pick(m, m.rings, nil).Release()
	}
}
