package gpu

import (
	"fmt"

	"darkroom/composer"
	"github.com/cogentcore/webgpu/wgpu"
)

// ViewDesc selects a part of a texture. It can be a map key.
type ViewDesc struct {
	BaseMip, Mips     int // zero Mips: the rest
	BaseLayer, Layers int // zero Layers: the rest, or what Dimension asks for
	// Dimension is empty for that of the texture: 2d-array where it has layers.
	Dimension composer.ViewDimension
	Aspect    Aspect
}

// View is a view of a texture. Desc is what it was made from, with zeros filled in.
type View struct {
	object
	Texture *Texture
	Desc    ViewDesc
	raw     *wgpu.TextureView
}

func (v *View) base() *object {
	if v == nil {
		return nil
	}
	return &v.object
}

// Release gives the view back. A second call does nothing.
func (v *View) Release() { v.base().release() }

// CreateView makes a view of t.
func (d *Device) CreateView(t *Texture, v ViewDesc) (*View, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.ok(); err != nil {
		return nil, err
	}
	if err := d.check("texture", t); err != nil {
		return nil, fmt.Errorf("view: %w", err)
	}
	bad := func(err error) (*View, error) { return nil, fmt.Errorf("texture %q: view: %w", t.label, err) }
	if err := v.fill(t); err != nil {
		return bad(err)
	}
	aspect, err := v.Aspect.of(t.Desc.Format)
	if err != nil {
		return bad(err)
	}
	dimension, err := viewDimensionOf(v.Dimension)
	if err != nil {
		return bad(err)
	}
	raw, err := t.raw.CreateView(&wgpu.TextureViewDescriptor{
		Label: text(t.label), Format: wgpu.TextureFormatUndefined, // the texture's
		Dimension: dimension, Aspect: aspect, BaseMipLevel: uint32(v.BaseMip), MipLevelCount: uint32(v.Mips),
		BaseArrayLayer: uint32(v.BaseLayer), ArrayLayerCount: uint32(v.Layers),
	})
	if err = d.result(err); err != nil {
		if raw != nil {
			raw.Release()
		}
		return bad(err)
	}
	w := &View{Texture: t, Desc: v, raw: raw}
	w.object = d.track(kindView, t.label, raw.Release)
	w.parent = &t.object
	d.add(&w.object)
	return w, nil
}

// fill replaces the zeros and checks the ranges.
func (v *ViewDesc) fill(t *Texture) error {
	d := &t.Desc
	if v.Dimension == "" {
		v.Dimension = d.Dimension
		if d.Dimension == composer.View2D && (d.Layers > 1 && v.Layers != 1) {
			v.Dimension = composer.View2DArray
		}
	}
	if v.Mips == 0 {
		v.Mips = d.Mips - v.BaseMip
	}
	layers := d.Layers
	fixed := 0
	switch v.Dimension {
	case composer.View1D, composer.View2D, composer.View3D:
		fixed = 1
	case composer.ViewCube:
		fixed = 6
	}
	if v.Layers == 0 {
		if v.Layers = layers - v.BaseLayer; fixed > 0 {
			v.Layers = fixed
		}
	}
	flat := d.Dimension == composer.View2D
	switch v.Dimension {
	case composer.View1D, composer.View3D:
		if v.Dimension != d.Dimension {
			return fmt.Errorf("a %s texture has no %s view", d.Dimension, v.Dimension)
		}
	default:
		if !flat {
			return fmt.Errorf("a %s texture has no %s view", d.Dimension, v.Dimension)
		}
	}
	switch {
	case v.BaseMip < 0 || v.Mips < 1 || v.BaseMip > d.Mips || v.Mips > d.Mips-v.BaseMip:
		return fmt.Errorf("mip levels %d+%d are outside its %d", v.BaseMip, v.Mips, d.Mips)
	case v.BaseLayer < 0 || v.Layers < 1 || v.BaseLayer > layers || v.Layers > layers-v.BaseLayer:
		return fmt.Errorf("layers %d+%d are outside its %d", v.BaseLayer, v.Layers, layers)
	case fixed > 0 && v.Layers != fixed:
		return fmt.Errorf("a %s view has %d layers, not %d", v.Dimension, fixed, v.Layers)
	case v.Dimension == composer.ViewCubeArray && v.Layers%6 != 0:
		return fmt.Errorf("a cube-array view has a multiple of 6 layers, not %d", v.Layers)
	case (v.Dimension == composer.ViewCube || v.Dimension == composer.ViewCubeArray) && d.Width != d.Height:
		return fmt.Errorf("a cube's faces are square, not %dx%d", d.Width, d.Height)
	case d.Samples > 1 && v.Dimension != composer.View2D:
		return fmt.Errorf("a multisampled texture has 2d views only")
	}
	return nil
}
