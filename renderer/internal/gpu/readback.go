package gpu

import (
	"fmt"
	"runtime/debug"

	"darkroom/composer"
	"github.com/cogentcore/webgpu/wgpu"
)

// rowAlignment is that of the rows in a buffer that a texture is copied to.
const rowAlignment = wgpu.CopyBytesPerRowAlignment

// Ticket is a copy under way from the device.
type Ticket struct {
	dev         *Device
	buf         *Buffer
	index       wgpu.SubmissionIndex
	row, padded int
	rows        int
	done        bool
}

// readable says how one texel of a texture comes back: depth-stencil formats
// give their depth aspect.
func readable(f composer.TextureFormat) (bytes int, aspect wgpu.TextureAspect, err error) {
	switch f {
	case composer.Depth16Unorm:
		return 2, wgpu.TextureAspectDepthOnly, nil
	case composer.Depth32Float, composer.Depth32FloatStencil8:
		return 4, wgpu.TextureAspectDepthOnly, nil
	case composer.Depth24Plus, composer.Depth24PlusStencil8:
		return 0, 0, fmt.Errorf("format %s cannot be copied; use depth32float", f)
	}
	if w, _, _ := f.Block(); w > 1 {
		return 0, 0, fmt.Errorf("format %s is compressed and not read back", f)
	}
	return f.BytesPerTexel(), wgpu.TextureAspectAll, nil
}

// StartRead begins to copy one mip level of one layer to memory.
func (d *Device) StartRead(t *Texture, mip, layer int) (*Ticket, error) {
	if t == nil {
		return nil, fmt.Errorf("read: a texture is missing")
	}
	texel, aspect, err := readable(t.Desc.Format)
	if err != nil {
		return nil, fmt.Errorf("texture %q: %w", t.label, err)
	}
	if t.Desc.Samples > 1 {
		return nil, fmt.Errorf("texture %q is multisampled; resolve it first", t.label)
	}
	if mip < 0 || mip >= t.Desc.Mips || layer < 0 || layer >= max(t.Desc.Layers, t.Desc.Depth) {
		return nil, fmt.Errorf("texture %q has no mip %d, layer %d", t.label, mip, layer)
	}
	w, h := max(1, t.Desc.Width>>mip), max(1, t.Desc.Height>>mip)
	k := &Ticket{dev: d, row: w * texel, rows: h}
	k.padded = (k.row + rowAlignment - 1) / rowAlignment * rowAlignment
	if k.buf, err = d.staging(uint64(k.padded) * uint64(h)); err != nil {
		return nil, err
	}
	enc, err := d.NewEncoder("read " + t.label)
	if err != nil {
		k.buf.Release()
		return nil, err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if err = t.usable(d, "texture"); err == nil {
		err = clean(enc.enc.CopyTextureToBuffer(
			&wgpu.ImageCopyTexture{Texture: t.tex, MipLevel: uint32(mip), Origin: wgpu.Origin3D{Z: uint32(layer)}, Aspect: aspect},
			&wgpu.ImageCopyBuffer{Buffer: k.buf.buf, Layout: wgpu.TextureDataLayout{BytesPerRow: uint32(k.padded), RowsPerImage: uint32(h)}},
			&wgpu.Extent3D{Width: uint32(w), Height: uint32(h), DepthOrArrayLayers: 1}))
	}
	if err == nil {
		k.index, err = enc.submit()
	} else {
		enc.object.release()
	}
	if err != nil {
		k.buf.object.release()
		return nil, fmt.Errorf("texture %q: reading it back: %w", t.label, err)
	}
	return k, nil
}

func (d *Device) staging(size uint64) (*Buffer, error) {
	return d.CreateBuffer(BufferDesc{Label: "staging", Size: size, Usage: UsageCopyDst | BufferUsage(wgpu.BufferUsageMapRead)})
}

// Wait returns the texels, rows tight, top row first. It may be called once.
func (k *Ticket) Wait() ([]byte, error) {
	d := k.dev
	d.mu.Lock()
	defer d.mu.Unlock()
	if k.done {
		return nil, fmt.Errorf("the picture was already read")
	}
	k.done = true
	defer k.buf.object.release()
	out := make([]byte, k.row*k.rows)
	err := d.mapped(k.buf, k.index, func(p []byte) {
		for y := range k.rows {
			copy(out[y*k.row:(y+1)*k.row], p[y*k.padded:])
		}
	})
	return out, err
}

// Cancel gives up the copy.
func (k *Ticket) Cancel() {
	if !k.done {
		k.done = true
		k.buf.Release()
	}
}

// mapped waits for the submission, maps b and calls use with its bytes.
//
// The binding hands C a pointer to a garbage-collected word as the callback's
// handle (buffer.go of v0.23.0), so the map must not outlive a collection: it
// is asked for only when the device is done, polled at once, and no collection
// starts in between.
func (d *Device) mapped(b *Buffer, index wgpu.SubmissionIndex, use func([]byte)) error {
	if d.closed {
		return errClosed
	}
	d.dev.Poll(true, &wgpu.WrappedSubmissionIndex{Queue: d.queue, SubmissionIndex: index})
	status, called := wgpu.BufferMapAsyncStatusUnknown, false
	percent := debug.SetGCPercent(-1)
	err := b.buf.MapAsync(wgpu.MapModeRead, 0, b.Size, func(s wgpu.BufferMapAsyncStatus) { status, called = s, true })
	for i := 0; err == nil && !called && i < 1000; i++ {
		d.dev.Poll(true, nil)
	}
	debug.SetGCPercent(percent)
	if err != nil {
		return fmt.Errorf("mapping: %w", clean(err))
	}
	if !called || status != wgpu.BufferMapAsyncStatusSuccess {
		return fmt.Errorf("mapping ended with status %s", status)
	}
	use(b.buf.GetMappedRange(0, uint(b.Size)))
	return clean(b.buf.Unmap())
}

// ReadTexture copies one mip level of one layer to memory: rows tight, top row first.
func (d *Device) ReadTexture(t *Texture, mip, layer int) ([]byte, error) {
	k, err := d.StartRead(t, mip, layer)
	if err != nil {
		return nil, err
	}
	return k.Wait()
}

// ReadBuffer copies size bytes at offset to memory; both are multiples of 4,
// and b must have copy-src usage.
func (d *Device) ReadBuffer(b *Buffer, offset, size uint64) ([]byte, error) {
	stage, err := d.staging(size)
	if err != nil {
		return nil, err
	}
	defer stage.Release()
	enc, err := d.NewEncoder("read buffer")
	if err != nil {
		return nil, err
	}
	if err := enc.CopyBuffer(b, offset, stage, 0, size); err != nil {
		enc.Release()
		return nil, err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	index, err := enc.submit()
	if err != nil {
		return nil, err
	}
	out := make([]byte, size)
	return out, d.mapped(stage, index, func(p []byte) { copy(out, p) })
}
