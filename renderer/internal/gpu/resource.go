package gpu

import (
	"fmt"
	"math/bits"

	"darkroom/composer"
	"github.com/cogentcore/webgpu/wgpu"
)

// BufferUsage is a set of buffer uses.
type BufferUsage uint32

// Buffer uses.
const (
	UsageCopySrc  = BufferUsage(wgpu.BufferUsageCopySrc)
	UsageCopyDst  = BufferUsage(wgpu.BufferUsageCopyDst)
	UsageIndex    = BufferUsage(wgpu.BufferUsageIndex)
	UsageVertex   = BufferUsage(wgpu.BufferUsageVertex)
	UsageUniform  = BufferUsage(wgpu.BufferUsageUniform)
	UsageStorage  = BufferUsage(wgpu.BufferUsageStorage)
	UsageIndirect = BufferUsage(wgpu.BufferUsageIndirect)
)

// BufferDesc describes a buffer. Size is in bytes and rounded up to 4.
type BufferDesc struct {
	Label string
	Size  uint64
	Usage BufferUsage
}

// Buffer is memory on the device.
type Buffer struct {
	object
	buf   *wgpu.Buffer
	Size  uint64
	usage BufferUsage
}

// CreateBuffer makes a buffer filled with zeros.
func (d *Device) CreateBuffer(desc BufferDesc) (*Buffer, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	size := (desc.Size + 3) &^ 3
	switch {
	case d.closed:
		return nil, errClosed
	case size == 0:
		return nil, fmt.Errorf("buffer %q: its size is 0", desc.Label)
	case size > d.limits.buffer:
		return nil, fmt.Errorf("buffer %q: %d bytes are more than %s allows (%d)", desc.Label, desc.Size, d.Info.Name, d.limits.buffer)
	case desc.Usage == 0:
		return nil, fmt.Errorf("buffer %q: no usage", desc.Label)
	}
	b, err := d.dev.CreateBuffer(&wgpu.BufferDescriptor{Label: desc.Label, Size: size, Usage: wgpu.BufferUsage(desc.Usage)})
	if err != nil {
		return nil, fmt.Errorf("buffer %q: %w", desc.Label, clean(err))
	}
	return &Buffer{object: d.track(b, "buffer", desc.Label), buf: b, Size: size, usage: desc.Usage}, nil
}

// WriteBuffer uploads data at offset, a multiple of 4. A tail that is no
// multiple of 4 is padded with zeros.
func (d *Device) WriteBuffer(b *Buffer, offset uint64, data []byte) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if b == nil {
		return fmt.Errorf("write: a buffer is missing")
	}
	if err := b.usable(d, "buffer"); err != nil {
		return err
	}
	if len(data) == 0 {
		return nil
	}
	n := uint64(len(data)+3) &^ 3
	if offset%4 != 0 || offset > b.Size || n > b.Size-offset {
		return fmt.Errorf("buffer %q: writing %d bytes at %d does not fit its %d bytes or is not aligned to 4", b.label, len(data), offset, b.Size)
	}
	if b.usage&UsageCopyDst == 0 {
		return fmt.Errorf("buffer %q: it has no copy-dst usage", b.label)
	}
	if pad := int(n) - len(data); pad > 0 {
		whole := len(data) &^ 3
		if whole > 0 {
			if err := d.queue.WriteBuffer(b.buf, offset, data[:whole]); err != nil {
				return clean(err)
			}
		}
		var tail [4]byte
		copy(tail[:], data[whole:])
		return clean(d.queue.WriteBuffer(b.buf, offset+uint64(whole), tail[:]))
	}
	return clean(d.queue.WriteBuffer(b.buf, offset, data))
}

// TextureUsage is a set of texture uses.
type TextureUsage uint32

// Texture uses.
const (
	TextureCopySrc = TextureUsage(wgpu.TextureUsageCopySrc)
	TextureCopyDst = TextureUsage(wgpu.TextureUsageCopyDst)
	TextureSampled = TextureUsage(wgpu.TextureUsageTextureBinding)
	TextureStorage = TextureUsage(wgpu.TextureUsageStorageBinding)
	TextureTarget  = TextureUsage(wgpu.TextureUsageRenderAttachment)
)

// TextureDesc describes a texture; zero Layers, Depth, Mips and Samples mean 1.
type TextureDesc struct {
	Label         string
	Width, Height int
	Layers        int
	Depth         int // of a 3d texture
	Mips, Samples int
	Format        composer.TextureFormat
	Dimension     string // "2d" (also when empty) or "3d"
	Usage         TextureUsage
}

// Texture is a texture on the device.
type Texture struct {
	object
	tex  *wgpu.Texture
	Desc TextureDesc
}

// CreateTexture makes a texture filled with zeros.
func (d *Device) CreateTexture(desc TextureDesc) (*Texture, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed {
		return nil, errClosed
	}
	desc.Layers, desc.Depth, desc.Mips, desc.Samples = max(1, desc.Layers), max(1, desc.Depth), max(1, desc.Mips), max(1, desc.Samples)
	f, err := d.format(desc.Format)
	if err != nil {
		return nil, fmt.Errorf("texture %q: %w", desc.Label, err)
	}
	td := &wgpu.TextureDescriptor{Label: desc.Label, Usage: wgpu.TextureUsage(desc.Usage), Dimension: wgpu.TextureDimension2D, Format: f, MipLevelCount: uint32(desc.Mips), SampleCount: uint32(desc.Samples)}
	limit, depth := d.limits.texture2D, desc.Layers
	if desc.Dimension == "3d" {
		td.Dimension, limit, depth = wgpu.TextureDimension3D, d.limits.texture3D, desc.Depth
	} else if depth > d.limits.layers {
		return nil, fmt.Errorf("texture %q: %d layers, %s allows %d", desc.Label, depth, d.Info.Name, d.limits.layers)
	}
	switch {
	case desc.Width < 1 || desc.Height < 1 || desc.Width > limit || desc.Height > limit || desc.Dimension == "3d" && depth > limit:
		return nil, fmt.Errorf("texture %q: %dx%dx%d is not within 1…%d, the limit of %s", desc.Label, desc.Width, desc.Height, depth, limit, d.Info.Name)
	case desc.Samples != 1 && desc.Samples != 4:
		return nil, fmt.Errorf("texture %q: %d samples, want 1 or 4", desc.Label, desc.Samples)
	case desc.Mips > bits.Len(uint(max(desc.Width, desc.Height))):
		return nil, fmt.Errorf("texture %q: %d mip levels are too many for %dx%d", desc.Label, desc.Mips, desc.Width, desc.Height)
	case desc.Usage == 0:
		return nil, fmt.Errorf("texture %q: no usage", desc.Label)
	}
	td.Size = wgpu.Extent3D{Width: uint32(desc.Width), Height: uint32(desc.Height), DepthOrArrayLayers: uint32(depth)}
	t, err := d.dev.CreateTexture(td)
	if err != nil {
		return nil, fmt.Errorf("texture %q: %w", desc.Label, clean(err))
	}
	return &Texture{object: d.track(t, "texture", desc.Label), tex: t, Desc: desc}, nil
}

// WriteTexture uploads one mip level of one layer (or one slice of a 3d
// texture). bytesPerRow is that of a row of texels, or of blocks in a
// compressed format.
func (d *Device) WriteTexture(t *Texture, mip, layer int, data []byte, bytesPerRow, w, h int) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if t == nil {
		return fmt.Errorf("write: a texture is missing")
	}
	if err := t.usable(d, "texture"); err != nil {
		return err
	}
	layers := max(t.Desc.Layers, t.Desc.Depth)
	if mip < 0 || mip >= t.Desc.Mips || layer < 0 || layer >= layers || w < 1 || h < 1 || w > max(1, t.Desc.Width>>mip) || h > max(1, t.Desc.Height>>mip) {
		return fmt.Errorf("texture %q: writing %dx%d to mip %d, layer %d is outside its %dx%d, %d mips, %d layers", t.label, w, h, mip, layer, t.Desc.Width, t.Desc.Height, t.Desc.Mips, layers)
	}
	bw, bh, bytes := t.Desc.Format.Block()
	rows := (h + bh - 1) / bh
	if need := (w + bw - 1) / bw * bytes; bytesPerRow < need || len(data) < bytesPerRow*(rows-1)+need {
		return fmt.Errorf("texture %q: %d bytes in rows of %d are too few for %dx%d %s", t.label, len(data), bytesPerRow, w, h, t.Desc.Format)
	}
	// A compressed level is written in whole blocks.
	pw, ph := (w+bw-1)/bw*bw, (h+bh-1)/bh*bh
	err := d.queue.WriteTexture(
		&wgpu.ImageCopyTexture{Texture: t.tex, MipLevel: uint32(mip), Origin: wgpu.Origin3D{Z: uint32(layer)}, Aspect: wgpu.TextureAspectAll},
		data, &wgpu.TextureDataLayout{BytesPerRow: uint32(bytesPerRow), RowsPerImage: uint32(rows)},
		&wgpu.Extent3D{Width: uint32(pw), Height: uint32(ph), DepthOrArrayLayers: 1})
	if err != nil {
		return fmt.Errorf("texture %q: %w", t.label, clean(err))
	}
	return nil
}

// ViewDesc selects a part of a texture; zero Mips and Layers mean the rest.
type ViewDesc struct {
	BaseMip, Mips     int
	BaseLayer, Layers int
	Dimension         composer.ViewDimension // empty: 2d, 2d-array or 3d as the texture
	Aspect            string                 // "", "depth-only" or "stencil-only"
}

// View is a view of a texture.
type View struct {
	object
	view *wgpu.TextureView
	tex  *Texture
	Desc ViewDesc
}

// CreateView makes a view of t.
func (d *Device) CreateView(t *Texture, v ViewDesc) (*View, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if t == nil {
		return nil, fmt.Errorf("view: a texture is missing")
	}
	if err := t.usable(d, "texture"); err != nil {
		return nil, err
	}
	if v.Dimension == "" {
		switch {
		case t.Desc.Dimension == "3d":
			v.Dimension = composer.View3D
		case t.Desc.Layers > 1:
			v.Dimension = composer.View2DArray
		default:
			v.Dimension = composer.View2D
		}
	}
	if v.Mips == 0 {
		v.Mips = t.Desc.Mips - v.BaseMip
	}
	if v.Layers == 0 {
		v.Layers = t.Desc.Layers - v.BaseLayer
	}
	if v.BaseMip < 0 || v.Mips < 1 || v.BaseMip+v.Mips > t.Desc.Mips || v.BaseLayer < 0 || v.Layers < 1 || v.BaseLayer+v.Layers > t.Desc.Layers {
		return nil, fmt.Errorf("texture %q: a view of mips %d+%d, layers %d+%d is outside its %d mips and %d layers", t.label, v.BaseMip, v.Mips, v.BaseLayer, v.Layers, t.Desc.Mips, t.Desc.Layers)
	}
	dim, err := pick(d.enums.dimension, v.Dimension, "", "view dimension")
	if err != nil {
		return nil, err
	}
	f, err := d.format(t.Desc.Format)
	if err != nil {
		return nil, err
	}
	aspect := wgpu.TextureAspectAll
	switch v.Aspect {
	case "depth-only":
		aspect = wgpu.TextureAspectDepthOnly
	case "stencil-only":
		aspect = wgpu.TextureAspectStencilOnly
	}
	if aspect != wgpu.TextureAspectAll && !t.Desc.Format.IsDepth() {
		return nil, fmt.Errorf("texture %q: format %s has no aspect %s", t.label, t.Desc.Format, v.Aspect)
	}
	w, err := t.tex.CreateView(&wgpu.TextureViewDescriptor{Label: t.label, Format: f, Dimension: dim, BaseMipLevel: uint32(v.BaseMip), MipLevelCount: uint32(v.Mips), BaseArrayLayer: uint32(v.BaseLayer), ArrayLayerCount: uint32(v.Layers), Aspect: aspect})
	if err != nil {
		return nil, fmt.Errorf("texture %q: view: %w", t.label, clean(err))
	}
	return &View{object: d.track(w, "view", t.label), view: w, tex: t, Desc: v}, nil
}

// SamplerDesc describes a sampler: empty modes repeat, empty filters are linear.
type SamplerDesc struct {
	AddressU, AddressV, AddressW composer.AddressMode
	Mag, Min, Mip                composer.FilterMode
	Anisotropy                   int
	Compare                      composer.CompareFunction
	LodMin, LodMax               float32 // LodMax 0 means no clamp
}

// Sampler is a sampler on the device.
type Sampler struct {
	object
	sampler *wgpu.Sampler
}

// CreateSampler makes a sampler.
func (d *Device) CreateSampler(s SamplerDesc) (*Sampler, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed {
		return nil, errClosed
	}
	wd := &wgpu.SamplerDescriptor{Label: "sampler", LodMinClamp: s.LodMin, LodMaxClamp: s.LodMax, MaxAnisotropy: uint16(min(max(1, s.Anisotropy), 16))}
	if s.LodMax == 0 {
		wd.LodMaxClamp = 32
	}
	var err [7]error
	wd.AddressModeU, err[0] = pick(d.enums.address, s.AddressU, composer.AddressRepeat, "address mode")
	wd.AddressModeV, err[1] = pick(d.enums.address, s.AddressV, composer.AddressRepeat, "address mode")
	wd.AddressModeW, err[2] = pick(d.enums.address, s.AddressW, composer.AddressRepeat, "address mode")
	wd.MagFilter, err[3] = pick(d.enums.filter, s.Mag, composer.FilterLinear, "filter")
	wd.MinFilter, err[4] = pick(d.enums.filter, s.Min, composer.FilterLinear, "filter")
	wd.MipmapFilter, err[5] = pick(d.enums.mipmap, s.Mip, composer.FilterLinear, "filter")
	if s.Compare != "" {
		wd.Compare, err[6] = pick(d.enums.compare, s.Compare, "", "comparison")
	}
	for _, e := range err {
		if e != nil {
			return nil, fmt.Errorf("sampler: %w", e)
		}
	}
	w, e := d.dev.CreateSampler(wd)
	if e != nil {
		return nil, fmt.Errorf("sampler: %w", clean(e))
	}
	return &Sampler{object: d.track(w, "sampler", "sampler"), sampler: w}, nil
}
