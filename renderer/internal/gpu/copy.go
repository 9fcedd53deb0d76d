package gpu

import (
	"fmt"

	"darkroom/composer"
	"github.com/cogentcore/webgpu/wgpu"
)

// copyAlignment is that of rows in a buffer that texels are copied to or from.
const copyAlignment = wgpu.CopyBytesPerRowAlignment

// copyCheck begins a copy: the lock is held.
func (e *Encoder) copyCheck(from, to handle) error {
	if err := e.ready(); err != nil {
		return err
	}
	if err := e.dev.check("source", from); err != nil {
		return err
	}
	return e.dev.check("destination", to)
}

// copied ends a copy.
func (e *Encoder) copied(from, to handle, err error) error {
	if err = e.dev.result(err); err != nil {
		return err
	}
	e.note(from.base())
	e.note(to.base())
	return nil
}

// wrap names the copy in an error and keeps it.
func (e *Encoder) wrap(what string, from, to handle, err error) error {
	if err == nil {
		return nil
	}
	name := func(h handle) string {
		if o := h.base(); o != nil && o.dev != nil {
			return o.String()
		}
		return "nothing"
	}
	return e.fail(fmt.Errorf("encoder %q: %s from %s to %s: %w", e.label, what, name(from), name(to), err))
}

// CopyBuffer copies size bytes. Both offsets and the size are multiples of 4.
func (e *Encoder) CopyBuffer(from *Buffer, fromOffset uint64, to *Buffer, toOffset, size uint64) error {
	e.dev.mu.Lock()
	defer e.dev.mu.Unlock()
	return e.wrap("copy", from, to, func() error {
		if err := e.copyCheck(from, to); err != nil {
			return err
		}
		switch {
		case from == to:
			return fmt.Errorf("a buffer cannot be copied to itself")
		case from.usage&UsageCopySrc == 0 || to.usage&UsageCopyDst == 0:
			return fmt.Errorf("the source needs UsageCopySrc, the destination UsageCopyDst")
		case (fromOffset|toOffset|size)%4 != 0:
			return fmt.Errorf("the offsets %d and %d and the size %d are not all multiples of 4", fromOffset, toOffset, size)
		case fromOffset > from.room() || size > from.room()-fromOffset:
			return fmt.Errorf("%d bytes at %d are beyond the source's %d", size, fromOffset, from.Size)
		case toOffset > to.room() || size > to.room()-toOffset:
			return fmt.Errorf("%d bytes at %d are beyond the destination's %d", size, toOffset, to.Size)
		case size == 0:
			return nil
		}
		return e.copied(from, to, e.raw.CopyBufferToBuffer(from.raw, fromOffset, to.raw, toOffset, size))
	}())
}

// CopyTexture copies every mip level and layer of from to to, which has the
// same size, layers, samples and format.
func (e *Encoder) CopyTexture(from, to *Texture) error {
	e.dev.mu.Lock()
	defer e.dev.mu.Unlock()
	return e.wrap("copy", from, to, func() error {
		if err := e.copyCheck(from, to); err != nil {
			return err
		}
		a, b := from.Desc, to.Desc
		if a.Width != b.Width || a.Height != b.Height || a.Layers != b.Layers || a.Depth != b.Depth || a.Mips != b.Mips || a.Samples != b.Samples || a.Format != b.Format || a.Dimension != b.Dimension {
			return fmt.Errorf("they differ: %s and %s", a.shape(), b.shape())
		}
		for mip := range a.Mips {
			w, h, n := from.size(mip)
			if err := e.copyTexture(from, mip, [3]int{}, to, mip, [3]int{}, [3]int{w, h, n}); err != nil {
				return err
			}
		}
		return nil
	}())
}

// TexturePlace is a place in a texture: a mip level, and a texel in it. Z is the
// layer, or the slice of a 3D texture.
type TexturePlace struct {
	Texture *Texture
	Mip     int
	X, Y, Z int
}

// CopyTextureRegion copies w × h texels of n layers (slices of a 3D texture)
// between textures of one format.
func (e *Encoder) CopyTextureRegion(from, to TexturePlace, w, h, n int) error {
	e.dev.mu.Lock()
	defer e.dev.mu.Unlock()
	return e.wrap("copy", from.Texture, to.Texture, func() error {
		if err := e.copyCheck(from.Texture, to.Texture); err != nil {
			return err
		}
		return e.copyTexture(from.Texture, from.Mip, [3]int{from.X, from.Y, from.Z}, to.Texture, to.Mip, [3]int{to.X, to.Y, to.Z}, [3]int{w, h, n})
	}())
}

func (e *Encoder) copyTexture(from *Texture, fromMip int, fromAt [3]int, to *Texture, toMip int, toAt, size [3]int) error {
	switch {
	case from == to:
		return fmt.Errorf("a texture cannot be copied to itself")
	case from.Desc.Usage&TextureCopySrc == 0 || to.Desc.Usage&TextureCopyDst == 0:
		return fmt.Errorf("the source needs TextureCopySrc, the destination TextureCopyDst")
	case from.Desc.Format != to.Desc.Format || from.Desc.Samples != to.Desc.Samples:
		return fmt.Errorf("they differ: %s and %s", from.Desc.shape(), to.Desc.shape())
	}
	if err := from.region(fromMip, fromAt, size); err != nil {
		return err
	}
	if err := to.region(toMip, toAt, size); err != nil {
		return err
	}
	bw, bh, _ := from.Desc.Format.Block()
	src := wgpu.ImageCopyTexture{Texture: from.raw, MipLevel: uint32(fromMip), Origin: origin(fromAt), Aspect: wgpu.TextureAspectAll}
	dst := wgpu.ImageCopyTexture{Texture: to.raw, MipLevel: uint32(toMip), Origin: origin(toAt), Aspect: wgpu.TextureAspectAll}
	return e.copied(from, to, e.raw.CopyTextureToTexture(&src, &dst, &wgpu.Extent3D{
		Width: uint32((size[0] + bw - 1) / bw * bw), Height: uint32((size[1] + bh - 1) / bh * bh), DepthOrArrayLayers: uint32(size[2]),
	}))
}

func origin(at [3]int) wgpu.Origin3D {
	return wgpu.Origin3D{X: uint32(at[0]), Y: uint32(at[1]), Z: uint32(at[2])}
}

// region says why size texels from at on are not a region of the level, if so.
func (t *Texture) region(mip int, at, size [3]int) error {
	if err := t.level(mip, 0); err != nil {
		return err
	}
	w, h, n := t.size(mip)
	most := [3]int{w, h, n}
	for i := range most {
		if at[i] < 0 || size[i] < 1 || at[i] > most[i] || size[i] > most[i]-at[i] {
			return fmt.Errorf("%v texels at %v are beyond level %d of %v, which has %v", size, at, mip, t, most)
		}
	}
	bw, bh, _ := t.Desc.Format.Block()
	if at[0]%bw != 0 || at[1]%bh != 0 || size[0]%bw != 0 && at[0]+size[0] != w || size[1]%bh != 0 && at[1]+size[1] != h {
		return fmt.Errorf("%v texels at %v are no whole blocks of %dx%d", size, at, bw, bh)
	}
	if (t.Desc.Format.IsDepth() || t.Desc.Format.HasStencil() || t.Desc.Samples > 1) && (at[0] != 0 || at[1] != 0 || size[0] != w || size[1] != h) {
		return fmt.Errorf("a level of a depth, stencil or multisampled texture is copied whole, not %v of %v", size, most)
	}
	return nil
}

// shape is the size and format in words.
func (t *TextureDesc) shape() string {
	n := t.Layers
	if t.Dimension == composer.View3D {
		n = t.Depth
	}
	return fmt.Sprintf("%s %dx%dx%d with %d levels, %d samples, %s", t.Dimension, t.Width, t.Height, n, t.Mips, t.Samples, t.Format)
}

// CopyTextureToBuffer copies w × h texels of one layer to b at offset, in rows
// of bytesPerRow, a multiple of 256. Of a depth-stencil texture it copies aspect.
func (e *Encoder) CopyTextureToBuffer(from TexturePlace, aspect Aspect, b *Buffer, offset uint64, bytesPerRow, w, h int) error {
	e.dev.mu.Lock()
	defer e.dev.mu.Unlock()
	return e.wrap("copy", from.Texture, b, func() error {
		if err := e.copyCheck(from.Texture, b); err != nil {
			return err
		}
		if b.usage&UsageCopyDst == 0 {
			return fmt.Errorf("the buffer was made without UsageCopyDst")
		}
		if err := from.check(aspect, b.room(), offset, bytesPerRow, w, h, false); err != nil {
			return err
		}
		return e.copied(from.Texture, b, e.copyOut(from, aspect, b.raw, offset, bytesPerRow, w, h))
	}())
}

// copyOut copies to a buffer of the binding, unchecked.
func (e *Encoder) copyOut(from TexturePlace, aspect Aspect, b *wgpu.Buffer, offset uint64, bytesPerRow, w, h int) error {
	a, err := aspect.of(from.Texture.Desc.Format)
	if err != nil {
		return err
	}
	bw, bh, _ := from.Texture.Desc.Format.Block()
	rows := (h + bh - 1) / bh
	return e.raw.CopyTextureToBuffer(
		&wgpu.ImageCopyTexture{Texture: from.Texture.raw, MipLevel: uint32(from.Mip), Origin: origin([3]int{from.X, from.Y, from.Z}), Aspect: a},
		&wgpu.ImageCopyBuffer{Buffer: b, Layout: wgpu.TextureDataLayout{Offset: offset, BytesPerRow: uint32(bytesPerRow), RowsPerImage: uint32(rows)}},
		&wgpu.Extent3D{Width: uint32((w + bw - 1) / bw * bw), Height: uint32(rows * bh), DepthOrArrayLayers: 1})
}

// CopyBufferToTexture copies w × h texels from b at offset, in rows of
// bytesPerRow, a multiple of 256, to one layer.
func (e *Encoder) CopyBufferToTexture(b *Buffer, offset uint64, bytesPerRow int, to TexturePlace, w, h int) error {
	e.dev.mu.Lock()
	defer e.dev.mu.Unlock()
	return e.wrap("copy", b, to.Texture, func() error {
		if err := e.copyCheck(b, to.Texture); err != nil {
			return err
		}
		if b.usage&UsageCopySrc == 0 {
			return fmt.Errorf("the buffer was made without UsageCopySrc")
		}
		if err := to.check("", b.room(), offset, bytesPerRow, w, h, true); err != nil {
			return err
		}
		bw, bh, _ := to.Texture.Desc.Format.Block()
		rows := (h + bh - 1) / bh
		return e.copied(b, to.Texture, e.raw.CopyBufferToTexture(
			&wgpu.ImageCopyBuffer{Buffer: b.raw, Layout: wgpu.TextureDataLayout{Offset: offset, BytesPerRow: uint32(bytesPerRow), RowsPerImage: uint32(rows)}},
			&wgpu.ImageCopyTexture{Texture: to.Texture.raw, MipLevel: uint32(to.Mip), Origin: origin([3]int{to.X, to.Y, to.Z}), Aspect: wgpu.TextureAspectAll},
			&wgpu.Extent3D{Width: uint32((w + bw - 1) / bw * bw), Height: uint32(rows * bh), DepthOrArrayLayers: 1}))
	}())
}

// check says why texels cannot be copied between the place and a buffer, if so.
func (p *TexturePlace) check(aspect Aspect, room, offset uint64, bytesPerRow, w, h int, write bool) error {
	t := p.Texture
	f := t.Desc.Format
	size := texel(f, aspect, write)
	usage, name := TextureCopySrc, "TextureCopySrc"
	if write {
		usage, name = TextureCopyDst, "TextureCopyDst"
	}
	switch {
	case t.Desc.Usage&usage == 0:
		return fmt.Errorf("the texture was made without %s", name)
	case t.Desc.Samples != 1:
		return fmt.Errorf("the texture is multisampled; resolve it first")
	case size == 0 || aspect == "" && f.IsDepth() && f.HasStencil():
		return fmt.Errorf("the backend copies no %s of format %s", or(aspect, "texels"), f)
	}
	if err := t.region(p.Mip, [3]int{p.X, p.Y, p.Z}, [3]int{w, h, 1}); err != nil {
		return err
	}
	bw, bh, _ := f.Block()
	cols, rows := (w+bw-1)/bw, (h+bh-1)/bh
	// WebGPU asks for a multiple of 4 for depth and stencil alone; the backend
	// ends the process when it has to clear memory from any other place on.
	align := uint64(max(4, size))
	switch {
	case bytesPerRow < cols*size || bytesPerRow%copyAlignment != 0 || int64(bytesPerRow) > 1<<31:
		return fmt.Errorf("rows of %d bytes: want a multiple of %d, at least %d", bytesPerRow, copyAlignment, cols*size)
	case offset%align != 0:
		return fmt.Errorf("the offset %d is no multiple of %d", offset, align)
	}
	need := uint64(bytesPerRow)*uint64(rows-1) + uint64(cols*size)
	if offset > room || need > room-offset {
		return fmt.Errorf("%d bytes at %d are beyond the buffer's %d", need, offset, room)
	}
	return nil
}
