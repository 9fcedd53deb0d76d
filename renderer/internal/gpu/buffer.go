package gpu

import (
	"fmt"

	"github.com/cogentcore/webgpu/wgpu"
)

// BufferUsage is a set of buffer uses.
type BufferUsage uint32

// The buffer uses.
const (
	UsageVertex BufferUsage = 1 << iota
	UsageIndex
	UsageUniform
	UsageStorage
	UsageIndirect
	UsageCopySrc
	UsageCopyDst
	usageAll = 1<<iota - 1
)

func (u BufferUsage) of() (w wgpu.BufferUsage) {
	for _, p := range [...]struct {
		from BufferUsage
		to   wgpu.BufferUsage
	}{
		{UsageVertex, wgpu.BufferUsageVertex}, {UsageIndex, wgpu.BufferUsageIndex}, {UsageUniform, wgpu.BufferUsageUniform},
		{UsageStorage, wgpu.BufferUsageStorage}, {UsageIndirect, wgpu.BufferUsageIndirect},
		{UsageCopySrc, wgpu.BufferUsageCopySrc}, {UsageCopyDst, wgpu.BufferUsageCopyDst},
	} {
		if u&p.from != 0 {
			w |= p.to
		}
	}
	return w
}

// BufferDesc describes a buffer.
type BufferDesc struct {
	Label string
	Size  uint64 // bytes
	Usage BufferUsage
}

// Buffer is memory on the device.
type Buffer struct {
	object
	// Size is the size asked for, in bytes; the memory is rounded up to 4.
	Size  uint64
	usage BufferUsage
	raw   *wgpu.Buffer
}

func (b *Buffer) base() *object {
	if b == nil {
		return nil
	}
	return &b.object
}

// Release gives the buffer back. A second call does nothing.
func (b *Buffer) Release() { b.base().release() }

// room is the size of the memory.
func (b *Buffer) room() uint64 { return (b.Size + 3) &^ 3 }

// CreateBuffer makes a buffer filled with zeros.
func (d *Device) CreateBuffer(desc BufferDesc) (*Buffer, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.ok(); err != nil {
		return nil, err
	}
	bad := func(err error) (*Buffer, error) { return nil, fmt.Errorf("buffer %q: %w", desc.Label, err) }
	switch {
	case desc.Size == 0:
		return bad(fmt.Errorf("its size is 0"))
	case desc.Size > d.limits.MaxBufferSize:
		return bad(fmt.Errorf("%d bytes are more than %d, the limit of %s", desc.Size, d.limits.MaxBufferSize, d.Info.Name))
	case desc.Usage == 0 || desc.Usage&^usageAll != 0:
		return bad(fmt.Errorf("usage %#x is not a set of buffer uses", uint32(desc.Usage)))
	}
	b := &Buffer{Size: desc.Size, usage: desc.Usage}
	raw, err := d.newBuffer(desc.Label, b.room(), desc.Usage.of())
	if err != nil {
		return bad(err)
	}
	b.raw = raw
	b.object = d.track(kindBuffer, desc.Label, func() { raw.Release(); d.released(b.room()) })
	d.add(&b.object)
	return b, nil
}

// newBuffer makes a buffer of the binding.
func (d *Device) newBuffer(label string, size uint64, usage wgpu.BufferUsage) (*wgpu.Buffer, error) {
	raw, err := d.raw.CreateBuffer(&wgpu.BufferDescriptor{Label: text(label), Size: size, Usage: usage})
	if err = d.result(err); err != nil && raw != nil {
		raw.Release()
	}
	return raw, err
}

// result joins what a call of the binding returned with what it did not: a lack
// of memory reaches only the scope underneath.
func (d *Device) result(err error) error {
	if caught := d.native.caught(); caught != nil {
		err = caught
	}
	if err = clean(err); err == ErrLost {
		d.lost(err)
	}
	return err
}

// WriteBuffer uploads data to b at offset, a multiple of 4. The length of data
// is a multiple of 4 too, unless data reaches the end of b: the backend writes
// whole words, and padding would overwrite what follows.
func (d *Device) WriteBuffer(b *Buffer, offset uint64, data []byte) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.ok(); err != nil {
		return err
	}
	if err := d.check("buffer", b); err != nil {
		return fmt.Errorf("write: %w", err)
	}
	bad := func(err error) error { return fmt.Errorf("buffer %q: write: %w", b.label, err) }
	n := uint64(len(data))
	switch {
	case b.usage&UsageCopyDst == 0:
		return bad(fmt.Errorf("it was made without UsageCopyDst"))
	case offset > b.Size || n > b.Size-offset:
		return bad(fmt.Errorf("%d bytes at %d are beyond its %d", n, offset, b.Size))
	case offset%4 != 0:
		return bad(fmt.Errorf("the offset %d is no multiple of 4", offset))
	case n%4 != 0 && offset+n != b.Size:
		return bad(fmt.Errorf("%d bytes are no multiple of 4 and end before the buffer does", n))
	case n == 0:
		return nil
	}
	whole := n &^ 3
	if whole > 0 {
		if err := d.result(d.queue.WriteBuffer(b.raw, offset, data[:whole])); err != nil {
			return bad(err)
		}
	}
	if whole < n {
		var tail [4]byte
		copy(tail[:], data[whole:])
		if err := d.result(d.queue.WriteBuffer(b.raw, offset+whole, tail[:])); err != nil {
			return bad(err)
		}
	}
	d.wrote(n)
	return nil
}
