package gpu

import (
	"fmt"

	"github.com/cogentcore/webgpu/wgpu"
)

// plan is how an aspect of a mip level comes back.
type plan struct {
	from      TexturePlace
	aspect    Aspect
	w, h      int // texels
	rows, row int // rows of texels or blocks, and the bytes of one
	stride    int // row, padded as a copy needs
}

// plan says how to read one layer of a level: of a depth-stencil texture, where
// aspect is empty, its depth.
func (t *Texture) plan(mip, layer int, aspect Aspect) (plan, error) {
	f := t.Desc.Format
	if aspect == "" && f.IsDepth() && f.HasStencil() {
		aspect = DepthOnly
	}
	if _, err := aspect.of(f); err != nil {
		return plan{}, err
	}
	size := texel(f, aspect, false)
	switch {
	case t.Desc.Usage&TextureCopySrc == 0:
		return plan{}, fmt.Errorf("it was made without TextureCopySrc")
	case t.Desc.Samples != 1:
		return plan{}, fmt.Errorf("it is multisampled; resolve it first")
	case size == 0:
		return plan{}, fmt.Errorf("the backend copies no depth of format %s; use depth32float", f)
	}
	if err := t.level(mip, layer); err != nil {
		return plan{}, err
	}
	w, h, _ := t.size(mip)
	bw, bh, _ := f.Block()
	p := plan{from: TexturePlace{Texture: t, Mip: mip, Z: layer}, aspect: aspect, w: w, h: h, rows: (h + bh - 1) / bh, row: (w + bw - 1) / bw * size}
	p.stride = (p.row + copyAlignment - 1) / copyAlignment * copyAlignment
	return p, nil
}

// whole reports that the level cannot be copied in parts.
func (p *plan) whole() bool {
	f := p.from.Texture.Desc.Format
	return f.IsDepth() || f.HasStencil()
}

// unpack appends rows of a mapped buffer without their padding. Mapped memory
// may be uncached, so it is read once, row by row, with copy.
func (p *plan) unpack(dst, mapped []byte, rows int) []byte {
	if p.row == p.stride {
		return append(dst, mapped[:rows*p.row]...)
	}
	for y := range rows {
		dst = append(dst, mapped[y*p.stride:y*p.stride+p.row]...)
	}
	return dst
}

// bandBytes is how much ReadTexture copies at a time.
const bandBytes = 64 << 20

// ReadTexture waits for the device and returns one layer of a mip level: rows
// from the top without padding, blocks in a compressed format. Of a
// depth-stencil texture it returns the depth.
func (d *Device) ReadTexture(t *Texture, mip, layer int) ([]byte, error) {
	return d.ReadAspect(t, mip, layer, "")
}

// ReadAspect is ReadTexture for one aspect of a depth-stencil texture.
func (d *Device) ReadAspect(t *Texture, mip, layer int, aspect Aspect) ([]byte, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.ok(); err != nil {
		return nil, err
	}
	if err := d.check("texture", t); err != nil {
		return nil, fmt.Errorf("read: %w", err)
	}
	bad := func(err error) ([]byte, error) { return nil, fmt.Errorf("texture %q: read: %w", t.label, err) }
	p, err := t.plan(mip, layer, aspect)
	if err != nil {
		return bad(err)
	}
	_, bh, _ := t.Desc.Format.Block()
	band := max(1, min(p.rows, bandBytes/p.stride))
	if p.whole() {
		band = p.rows
	}
	out := make([]byte, 0, p.rows*p.row)
	for y := 0; y < p.rows; y += band {
		n := min(band, p.rows-y)
		if err := d.stage(uint64(n) * uint64(p.stride)); err != nil {
			return bad(err)
		}
		q := p
		q.from.Y, q.h = y*bh, min(n*bh, p.h-y*bh)
		if err := d.start(&q, d.scratch); err != nil {
			return bad(err)
		}
		if out, err = d.finish(&q, d.scratch, n, out); err != nil {
			return bad(err)
		}
	}
	return out, nil
}

// stage makes sure that the device's own staging buffer holds n bytes.
func (d *Device) stage(n uint64) error {
	if n <= d.scratchN {
		return nil
	}
	if d.scratch != nil {
		d.scratch.Release()
		d.scratch, d.scratchN = nil, 0
	}
	raw, err := d.staging(n)
	if err != nil {
		return err
	}
	d.scratch, d.scratchN = raw, n
	return nil
}

func (d *Device) staging(n uint64) (*wgpu.Buffer, error) {
	if n > d.limits.MaxBufferSize {
		return nil, fmt.Errorf("%d bytes to read at once are more than %d, the limit of %s", n, d.limits.MaxBufferSize, d.Info.Name)
	}
	return d.newBuffer("staging", n, wgpu.BufferUsageMapRead|wgpu.BufferUsageCopyDst)
}

// start submits the copy to b.
func (d *Device) start(p *plan, b *wgpu.Buffer) error {
	e, err := d.newEncoder("read " + p.from.Texture.label)
	if err != nil {
		return err
	}
	if err := d.result(e.copyOut(p.from, p.aspect, b, 0, p.stride, p.w, p.h)); err != nil {
		e.drop()
		return err
	}
	e.note(&p.from.Texture.object)
	return e.submit()
}

// finish waits for the copy and appends n rows to dst.
func (d *Device) finish(p *plan, b *wgpu.Buffer, n int, dst []byte) ([]byte, error) {
	return dst, d.mapped(b, uint64(n)*uint64(p.stride), func(m []byte) { dst = p.unpack(dst, m, n) })
}

// mapped calls use with the first size bytes of b once the device has written them.
func (d *Device) mapped(b *wgpu.Buffer, size uint64, use func([]byte)) error {
	if err := d.mapRead(b, size); err != nil {
		return err
	}
	use(b.GetMappedRange(0, uint(size)))
	return d.result(b.Unmap())
}

// ReadBuffer waits for the device and returns size bytes of b at offset; both
// are multiples of 4, or reach to the end. Size 0 means the rest.
func (d *Device) ReadBuffer(b *Buffer, offset, size uint64) ([]byte, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.ok(); err != nil {
		return nil, err
	}
	if err := d.check("buffer", b); err != nil {
		return nil, fmt.Errorf("read: %w", err)
	}
	bad := func(err error) ([]byte, error) { return nil, fmt.Errorf("buffer %q: read: %w", b.label, err) }
	if offset > b.Size || size > b.Size-offset {
		return bad(fmt.Errorf("%d bytes at %d are beyond its %d", size, offset, b.Size))
	}
	if size == 0 {
		size = b.Size - offset
	}
	switch {
	case b.usage&UsageCopySrc == 0:
		return bad(fmt.Errorf("it was made without UsageCopySrc"))
	case offset%4 != 0 || size%4 != 0 && offset+size != b.Size:
		return bad(fmt.Errorf("%d bytes at %d are not aligned to 4", size, offset))
	case size == 0:
		return nil, nil
	}
	out := make([]byte, 0, size)
	for at := uint64(0); at < size; at += bandBytes {
		n := min(bandBytes, size-at)
		padded := (n + 3) &^ 3
		if err := d.stage(padded); err != nil {
			return bad(err)
		}
		e, err := d.newEncoder("read " + b.label)
		if err != nil {
			return bad(err)
		}
		if err := d.result(e.raw.CopyBufferToBuffer(b.raw, offset+at, d.scratch, 0, padded)); err != nil {
			e.drop()
			return bad(err)
		}
		if err := e.submit(); err != nil {
			return bad(err)
		}
		if err := d.mapped(d.scratch, padded, func(m []byte) { out = append(out, m[:n]...) }); err != nil {
			return bad(err)
		}
	}
	return out, nil
}

// Readback is a ring of staging buffers: copies are submitted one after the
// other, and waited for while the device goes on with the next picture. A
// buffer is mapped only when its picture is asked for, so that no map is ever
// pending between calls.
type Readback struct {
	object
	slots []readSlot
	next  int
}

type readSlot struct {
	raw    *wgpu.Buffer
	size   uint64
	ticket *Ticket // whose copy is in the buffer; nil: none
}

func (r *Readback) base() *object {
	if r == nil {
		return nil
	}
	return &r.object
}

// NewReadback makes a ring of n slots; 2 or 3 keep a GPU busy.
func (d *Device) NewReadback(n int) (*Readback, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.ok(); err != nil {
		return nil, err
	}
	if n < 1 || n > 64 {
		return nil, fmt.Errorf("a read-back ring of %d slots: want 1…64", n)
	}
	r := &Readback{slots: make([]readSlot, n)}
	r.object = d.track(kindReadback, fmt.Sprintf("ring of %d", n), r.freeSlots)
	d.add(&r.object)
	return r, nil
}

// Release gives the ring back; pictures not waited for are lost. A second call does nothing.
func (r *Readback) Release() { r.base().release() }

func (r *Readback) freeSlots() {
	for i := range r.slots {
		if r.slots[i].raw != nil {
			r.slots[i].raw.Release()
		}
		r.slots[i] = readSlot{}
	}
}

// Ticket is a picture on its way.
type Ticket struct {
	ring *Readback
	slot int
	plan plan
	done bool
	pix  []byte
	err  error
}

// Start submits a copy of level 0, layer 0 of t as it is after everything
// submitted so far. If all slots are taken, it waits for the oldest picture,
// which its ticket then keeps.
func (r *Readback) Start(t *Texture) (*Ticket, error) { return r.StartLayer(t, 0, 0) }

// StartLayer is Start for one layer of a mip level.
func (r *Readback) StartLayer(t *Texture, mip, layer int) (*Ticket, error) {
	if r == nil || r.dev == nil {
		return nil, fmt.Errorf("read: the ring is missing")
	}
	d := r.dev
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.ok(); err != nil {
		return nil, err
	}
	if err := r.alive(); err != nil {
		return nil, err
	}
	if err := d.check("texture", t); err != nil {
		return nil, fmt.Errorf("read: %w", err)
	}
	bad := func(err error) (*Ticket, error) { return nil, fmt.Errorf("texture %q: read: %w", t.label, err) }
	p, err := t.plan(mip, layer, "")
	if err != nil {
		return bad(err)
	}
	s := &r.slots[r.next]
	if s.ticket != nil {
		s.ticket.wait(nil)
	}
	if need := uint64(p.rows) * uint64(p.stride); need > s.size {
		if s.raw != nil {
			s.raw.Release()
			s.raw, s.size = nil, 0
		}
		if s.raw, err = d.staging(need); err != nil {
			s.raw = nil
			return bad(err)
		}
		s.size = need
	}
	if err := d.start(&p, s.raw); err != nil {
		return bad(err)
	}
	k := &Ticket{ring: r, slot: r.next, plan: p}
	s.ticket = k
	r.next = (r.next + 1) % len(r.slots)
	return k, nil
}

// Wait waits for the picture and returns it as ReadTexture does. Later calls
// return it again.
func (k *Ticket) Wait() ([]byte, error) { return k.WaitInto(nil) }

// WaitInto is Wait that puts the picture into buf where it is large enough and
// the picture was not fetched before.
func (k *Ticket) WaitInto(buf []byte) ([]byte, error) {
	if k == nil || k.ring == nil {
		return nil, fmt.Errorf("read: the ticket is missing")
	}
	k.ring.dev.mu.Lock()
	defer k.ring.dev.mu.Unlock()
	k.wait(buf)
	return k.pix, k.err
}

// wait fetches the picture once.
func (k *Ticket) wait(buf []byte) {
	if k.done {
		return
	}
	k.done = true
	d := k.ring.dev
	if k.err = d.ok(); k.err == nil {
		k.err = k.ring.alive()
	}
	if k.err != nil {
		return
	}
	s := &k.ring.slots[k.slot]
	s.ticket = nil
	if n := k.plan.rows * k.plan.row; cap(buf) < n {
		buf = make([]byte, 0, n)
	}
	if k.pix, k.err = d.finish(&k.plan, s.raw, k.plan.rows, buf[:0]); k.err != nil {
		k.pix, k.err = nil, fmt.Errorf("texture %q: read: %w", k.plan.from.Texture.label, k.err)
	}
}
