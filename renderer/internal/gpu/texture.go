package gpu

import (
	"fmt"
	"math"
	"math/bits"

	"darkroom/composer"
	"github.com/cogentcore/webgpu/wgpu"
)

// TextureUsage is a set of texture uses.
type TextureUsage uint32

// The texture uses.
const (
	TextureSampled TextureUsage = 1 << iota // read by shaders
	TextureTarget                           // drawn into
	TextureStorage
	TextureCopySrc
	TextureCopyDst
	textureAll = 1<<iota - 1
)

func (u TextureUsage) of() (w wgpu.TextureUsage) {
	for _, p := range [...]struct {
		from TextureUsage
		to   wgpu.TextureUsage
	}{
		{TextureSampled, wgpu.TextureUsageTextureBinding}, {TextureTarget, wgpu.TextureUsageRenderAttachment},
		{TextureStorage, wgpu.TextureUsageStorageBinding}, {TextureCopySrc, wgpu.TextureUsageCopySrc},
		{TextureCopyDst, wgpu.TextureUsageCopyDst},
	} {
		if u&p.from != 0 {
			w |= p.to
		}
	}
	return w
}

// TextureDesc describes a texture. Zero Layers, Depth, Mips and Samples mean 1.
type TextureDesc struct {
	Label         string
	Width, Height int // texels
	Layers        int // of an array or cube; a cube has 6
	Depth         int // of a 3D texture
	Mips          int
	Samples       int // 1 or 4
	Format        composer.TextureFormat
	// Dimension is View1D, View2D or View3D; empty means View2D.
	Dimension composer.ViewDimension
	Usage     TextureUsage
}

// Texture is a texture on the device. Desc is what it was made from, with zeros
// filled in.
type Texture struct {
	object
	Desc TextureDesc
	raw  *wgpu.Texture
}

func (t *Texture) base() *object {
	if t == nil {
		return nil
	}
	return &t.object
}

// Release gives the texture back, and with it its views can no longer be used.
// A second call does nothing.
func (t *Texture) Release() { t.base().release() }

// size is the width, height and layers or depth of a mip level.
func (t *Texture) size(mip int) (w, h, layers int) {
	d := &t.Desc
	w, h, layers = max(1, d.Width>>mip), max(1, d.Height>>mip), d.Layers
	if d.Dimension == composer.View3D {
		layers = max(1, d.Depth>>mip)
	}
	return w, h, layers
}

// level says why there is no such mip level or layer, if so.
func (t *Texture) level(mip, layer int) error {
	if mip < 0 || mip >= t.Desc.Mips {
		return fmt.Errorf("%v has %d mip levels, there is no level %d", t, t.Desc.Mips, mip)
	}
	if _, _, n := t.size(mip); layer < 0 || layer >= n {
		return fmt.Errorf("%v has %d layers at level %d, there is no layer %d", t, n, mip, layer)
	}
	return nil
}

// CreateTexture makes a texture filled with zeros.
func (d *Device) CreateTexture(desc TextureDesc) (*Texture, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.ok(); err != nil {
		return nil, err
	}
	for _, p := range []*int{&desc.Layers, &desc.Depth, &desc.Mips, &desc.Samples} {
		if *p == 0 {
			*p = 1
		}
	}
	desc.Dimension = or(desc.Dimension, composer.View2D)
	bad := func(err error) (*Texture, error) { return nil, fmt.Errorf("texture %q: %w", desc.Label, err) }
	format, err := formatOf(desc.Format)
	if err != nil {
		return bad(err)
	}
	if err := d.checkTexture(&desc); err != nil {
		return bad(err)
	}
	w := &wgpu.TextureDescriptor{
		Label: text(desc.Label), Usage: desc.Usage.of(), Format: format, MipLevelCount: uint32(desc.Mips), SampleCount: uint32(desc.Samples),
		Dimension: wgpu.TextureDimension2D,
		Size:      wgpu.Extent3D{Width: uint32(desc.Width), Height: uint32(desc.Height), DepthOrArrayLayers: uint32(desc.Layers)},
	}
	switch desc.Dimension {
	case composer.View1D:
		w.Dimension = wgpu.TextureDimension1D
	case composer.View3D:
		w.Dimension, w.Size.DepthOrArrayLayers = wgpu.TextureDimension3D, uint32(desc.Depth)
	}
	raw, err := d.raw.CreateTexture(w)
	if err = d.result(err); err != nil {
		if raw != nil {
			raw.Release()
		}
		return bad(err)
	}
	t := &Texture{Desc: desc, raw: raw}
	bytes := desc.bytes()
	t.object = d.track(kindTexture, desc.Label, func() { raw.Release(); d.released(bytes) })
	d.add(&t.object)
	return t, nil
}

// bytes is about the memory that the texture takes.
func (t *TextureDesc) bytes() uint64 {
	w, h, size := t.Format.Block()
	if w == 0 {
		return 0
	}
	blocks := uint64((t.Width+w-1)/w) * uint64((t.Height+h-1)/h)
	n := blocks * uint64(size) * uint64(t.Layers) * uint64(t.Depth) * uint64(t.Samples)
	if t.Mips > 1 {
		n += n / 3
	}
	return n
}

func (d *Device) checkTexture(t *TextureDesc) error {
	limit := int(d.limits.MaxTextureDimension2D)
	switch t.Dimension {
	case composer.View1D:
		limit = int(d.limits.MaxTextureDimension1D)
		if t.Height != 1 || t.Layers != 1 || t.Mips != 1 {
			return fmt.Errorf("a 1d texture has height, layers and mips 1")
		}
	case composer.View2D:
	case composer.View3D:
		limit = int(d.limits.MaxTextureDimension3D)
		if t.Layers != 1 {
			return fmt.Errorf("a 3d texture has a Depth, not Layers")
		}
	default:
		return fmt.Errorf("dimension %q is none of 1d, 2d and 3d; arrays and cubes are 2d with Layers", t.Dimension)
	}
	if t.Width < 1 || t.Height < 1 || t.Width > limit || t.Height > limit {
		return fmt.Errorf("%dx%d is not between 1x1 and %dx%d, the limit of %s", t.Width, t.Height, limit, limit, d.Info.Name)
	}
	if t.Depth < 1 || t.Depth > 1 && (t.Dimension != composer.View3D || t.Depth > limit) {
		return fmt.Errorf("depth %d: a 3d texture has 1…%d, others 1", t.Depth, limit)
	}
	if m := int(d.limits.MaxTextureArrayLayers); t.Layers < 1 || t.Layers > m {
		return fmt.Errorf("%d layers are not within 1…%d, the limit of %s", t.Layers, m, d.Info.Name)
	}
	longest := max(t.Width, t.Height)
	if t.Dimension == composer.View3D {
		longest = max(longest, t.Depth)
	}
	if m := bits.Len(uint(longest)); t.Mips < 1 || t.Mips > m {
		return fmt.Errorf("%d mip levels are not within 1…%d, what its size gives", t.Mips, m)
	}
	if t.Usage == 0 || t.Usage&^textureAll != 0 {
		return fmt.Errorf("usage %#x is not a set of texture uses", uint32(t.Usage))
	}
	switch t.Samples {
	case 1:
	case 4:
		if t.Mips != 1 || t.Layers != 1 || t.Dimension != composer.View2D || t.Usage&TextureTarget == 0 {
			return fmt.Errorf("a multisampled texture is a 2d target with one mip level and one layer")
		}
	default:
		return fmt.Errorf("%d samples per texel: want 1 or 4", t.Samples)
	}
	bw, bh, _ := t.Format.Block()
	if t.Width%bw != 0 || t.Height%bh != 0 {
		return fmt.Errorf("%dx%d is not made of whole blocks of %dx%d, as %s needs", t.Width, t.Height, bw, bh, t.Format)
	}
	need := ""
	switch t.Format {
	case composer.Depth32FloatStencil8:
		need = "depth32float-stencil8"
	case composer.RG11B10UFloat:
		if t.Usage&TextureTarget != 0 {
			need = "rg11b10ufloat-renderable"
		}
	case composer.BGRA8Unorm:
		if t.Usage&TextureStorage != 0 {
			need = "bgra8unorm-storage"
		}
	}
	if bw > 1 {
		need = "texture-compression-bc"
	}
	if need != "" && !d.Has(need) {
		return fmt.Errorf("format %s needs the feature %s, which %s lacks", t.Format, need, d.Info.Name)
	}
	return nil
}

// texel is the bytes of a texel, or block, of an aspect in a copy; 0 where the
// backend copies none, to or from the texture.
func texel(f composer.TextureFormat, a Aspect, write bool) int {
	switch {
	case a == StencilOnly || f == composer.Stencil8:
		return 1
	case f == composer.Depth16Unorm:
		return 2
	case f == composer.Depth32Float || f == composer.Depth32FloatStencil8:
		if write {
			return 0
		}
		return 4
	case f.IsDepth():
		return 0
	}
	_, _, n := f.Block()
	return n
}

// WriteTexture uploads data to the upper left w × h texels of one mip level of
// one layer (of a 3D texture: one slice). bytesPerRow is that of a row of
// texels, of blocks in a compressed format; 0 means tight. A compressed level
// is written in whole blocks, even where it is smaller than one.
func (d *Device) WriteTexture(t *Texture, mip, layer int, data []byte, bytesPerRow, w, h int) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.ok(); err != nil {
		return err
	}
	if err := d.check("texture", t); err != nil {
		return fmt.Errorf("write: %w", err)
	}
	if err := t.level(mip, layer); err != nil {
		return fmt.Errorf("write: %w", err)
	}
	bad := func(err error) error { return fmt.Errorf("texture %q: write: %w", t.label, err) }
	f := t.Desc.Format
	bw, bh, _ := f.Block()
	size := texel(f, "", true)
	mw, mh, _ := t.size(mip)
	switch {
	case t.Desc.Usage&TextureCopyDst == 0:
		return bad(fmt.Errorf("it was made without TextureCopyDst"))
	case t.Desc.Samples != 1:
		return bad(fmt.Errorf("it is multisampled"))
	case size == 0 || f.IsDepth() && f.HasStencil():
		return bad(fmt.Errorf("format %s cannot be written to", f))
	case w < 1 || h < 1 || w > mw || h > mh:
		return bad(fmt.Errorf("%dx%d is not within 1x1…%dx%d, the size of level %d", w, h, mw, mh, mip))
	case (w%bw != 0 && w != mw) || (h%bh != 0 && h != mh):
		return bad(fmt.Errorf("%dx%d is not made of whole blocks of %dx%d", w, h, bw, bh))
	case (f.IsDepth() || f.HasStencil()) && (w != mw || h != mh):
		return bad(fmt.Errorf("a depth texture is written whole, not %dx%d of %dx%d", w, h, mw, mh))
	}
	cols, rows := (w+bw-1)/bw, (h+bh-1)/bh
	row := cols * size
	if bytesPerRow == 0 {
		bytesPerRow = row
	}
	need := uint64(bytesPerRow)*uint64(rows-1) + uint64(row)
	if bytesPerRow < row || bytesPerRow > math.MaxInt32 || uint64(len(data)) < need {
		return bad(fmt.Errorf("%d bytes in rows of %d are too few for %dx%d %s, which takes %d rows of %d", len(data), bytesPerRow, w, h, f, rows, row))
	}
	whole := bytesPerRow * rows
	if len(data) < whole {
		// The backend reads the last row to its end, padding and all.
		data = append(make([]byte, 0, whole), data...)[:whole]
	}
	err := d.queue.WriteTexture(
		&wgpu.ImageCopyTexture{Texture: t.raw, MipLevel: uint32(mip), Origin: wgpu.Origin3D{Z: uint32(layer)}, Aspect: wgpu.TextureAspectAll},
		data[:whole],
		&wgpu.TextureDataLayout{BytesPerRow: uint32(bytesPerRow), RowsPerImage: uint32(rows)},
		&wgpu.Extent3D{Width: uint32(cols * bw), Height: uint32(rows * bh), DepthOrArrayLayers: 1})
	if err = d.result(err); err != nil {
		return bad(err)
	}
	d.wrote(need)
	return nil
}
