package renderer

import (
	"fmt"
	"math"
	"math/bits"

	"darkroom/composer"
	"darkroom/material/texture"
	"darkroom/renderer/internal/gpu"
)

// gpuTexture is a texture on the device with the views that were asked for.
type gpuTexture struct {
	tex           *gpu.Texture
	width, height int
	layers, mips  int
	dimension     composer.ViewDimension
	format        composer.TextureFormat
	version       uint64
	time          float64 // of the frame a *Frames source was uploaded for
	views         map[gpu.ViewDesc]*gpu.View
	used          int // number of the draw that used it last
}

func (g *gpuTexture) release() {
	for _, v := range g.views {
		v.Release()
	}
	g.tex.Release()
}

func (g *gpuTexture) view(dev *gpu.Device, d gpu.ViewDesc) (*gpu.View, error) {
	if d.Dimension == "" {
		d.Dimension = g.dimension
	}
	if d.Mips == 0 {
		d.Mips = g.mips - d.BaseMip
	}
	if d.Layers == 0 {
		d.Layers = g.layers - d.BaseLayer
		if d.Dimension == composer.View2D || d.Dimension == composer.View3D {
			d.Layers = 1
		}
	}
	if v := g.views[d]; v != nil {
		return v, nil
	}
	v, err := dev.CreateView(g.tex, d)
	if err != nil {
		return nil, err
	}
	g.views[d] = v
	return v, nil
}

// texture returns the GPU texture of t, making or refreshing it.
func (x *Session) texture(t *texture.Texture) (*gpuTexture, error) {
	if t == nil || t.Source == nil {
		name := "nil"
		if t != nil {
			name = t.Name
		}
		return nil, fmt.Errorf("texture %s has no source; give it pixels, frames or a render target", name)
	}
	g := x.textures[t]
	if g != nil && (g.version != t.Version || x.resized(t, g)) {
		g.release()
		delete(x.textures, t)
		g = nil
	}
	if g == nil {
		var err error
		if g, err = x.makeTexture(t); err != nil {
			return nil, fmt.Errorf("texture %s: %w", t.Name, err)
		}
		x.textures[t] = g
	}
	g.used = x.drawn
	if f, ok := t.Source.(*texture.Frames); ok && g.time != x.time {
		pix, err := f.At(x.time)
		if err != nil {
			return nil, fmt.Errorf("texture %s at %g s: %w", t.Name, x.time, err)
		}
		if len(pix) != f.Width*f.Height*4 {
			return nil, fmt.Errorf("texture %s at %g s: %d bytes for a frame of %dx%d, want %d", t.Name, x.time, len(pix), f.Width, f.Height, f.Width*f.Height*4)
		}
		if err := x.r.dev.WriteTexture(g.tex, 0, 0, pix, f.Width*4, f.Width, f.Height); err != nil {
			return nil, fmt.Errorf("texture %s: %w", t.Name, err)
		}
		g.time = x.time
		x.uploads.Textures += uint64(len(pix))
	}
	return g, nil
}

// idleDraws is how many draws a texture may go unused before it is let go.
const idleDraws = 8

// forget lets textures go that nothing draws any more. What was drawn into is
// kept: its content is not the scene's to give again.
func (x *Session) forget() {
	for t, g := range x.textures {
		if _, target := t.Source.(*texture.Target); !target && x.drawn-g.used >= idleDraws {
			g.release()
			delete(x.textures, t)
		}
	}
	x.drawn++
}

func (x *Session) targetSize(t *texture.Target) (w, h int) {
	s := t.Scale
	if s == 0 {
		s = 1
	}
	w, h = t.Width, t.Height
	if w == 0 {
		w = max(1, int(float64(x.set.Width)*s))
	}
	if h == 0 {
		h = max(1, int(float64(x.set.Height)*s))
	}
	return w, h
}

func (x *Session) resized(t *texture.Texture, g *gpuTexture) bool {
	tgt, ok := t.Source.(*texture.Target)
	if !ok {
		return false
	}
	w, h := x.targetSize(tgt)
	return w != g.width || h != g.height
}

func (x *Session) makeTexture(t *texture.Texture) (*gpuTexture, error) {
	g := &gpuTexture{layers: 1, mips: 1, format: t.GPUFormat(), version: t.Version, dimension: composer.View2D, time: math.NaN(), views: map[gpu.ViewDesc]*gpu.View{}}
	d := gpu.TextureDesc{Label: t.Name, Format: g.format, Usage: gpu.TextureSampled | gpu.TextureCopySrc}
	var px *texture.Pixels
	switch s := t.Source.(type) {
	case *texture.Pixels:
		px = s
		g.width, g.height, g.layers = s.Width, s.Height, max(1, s.Layers)
		if s.Dimension != "" {
			g.dimension = s.Dimension
		} else if g.layers > 1 {
			g.dimension = composer.View2DArray
		}
		d.Usage |= gpu.TextureCopyDst
		g.mips = max(1, len(s.Levels))
		if t.Mips && len(s.Levels) == 1 {
			if g.mips = bits.Len(uint(max(g.width, g.height))); g.mips > 1 {
				d.Usage |= gpu.TextureTarget
			}
		}
		if err := checkPixels(s, g); err != nil {
			return nil, err
		}
	case *texture.Target:
		g.width, g.height = x.targetSize(s)
		g.layers, g.mips = max(1, s.Layers), max(1, s.Mips)
		if s.Dimension != "" {
			g.dimension = s.Dimension
		} else if g.layers > 1 {
			g.dimension = composer.View2DArray
		}
		d.Usage |= gpu.TextureTarget | gpu.TextureCopyDst
	case *texture.Frames:
		g.width, g.height = s.Width, s.Height
		d.Usage |= gpu.TextureCopyDst
	default:
		return nil, fmt.Errorf("the renderer does not know texture sources of type %T", t.Source)
	}
	if m := x.r.MaxSize(); g.width < 1 || g.height < 1 || g.width > m || g.height > m {
		return nil, fmt.Errorf("%dx%d is not between 1x1 and %dx%d, the limit of %s", g.width, g.height, m, m, x.r.dev.Info.Name)
	}
	d.Width, d.Height, d.Layers, d.Mips, d.Dimension = g.width, g.height, g.layers, g.mips, "2d"
	if g.dimension == composer.View3D {
		d.Dimension, d.Depth, d.Layers = "3d", g.layers, 1
	}
	tex, err := x.r.dev.CreateTexture(d)
	if err != nil {
		return nil, err
	}
	g.tex = tex
	if px != nil {
		if err := x.upload(t, px, g); err != nil {
			g.release()
			return nil, err
		}
	}
	return g, nil
}

func checkPixels(s *texture.Pixels, g *gpuTexture) error {
	if len(s.Levels) == 0 {
		return fmt.Errorf("it has no pixels")
	}
	for i, l := range s.Levels {
		want := levelSize(g, i) * g.layers
		if g.dimension == composer.View3D {
			want = levelSize(g, i) * max(1, g.layers>>i)
		}
		if len(l) != want {
			return fmt.Errorf("level %d has %d bytes, want %d for %dx%d %s with %d layers", i, len(l), want, max(1, s.Width>>i), max(1, s.Height>>i), g.format, g.layers)
		}
	}
	return nil
}

// levelSize is the number of bytes of one layer of a mip level.
func levelSize(g *gpuTexture, mip int) int {
	w, h := max(1, g.width>>mip), max(1, g.height>>mip)
	bw, bh, bytes := g.format.Block()
	return ((w + bw - 1) / bw) * ((h + bh - 1) / bh) * bytes
}

func (x *Session) upload(t *texture.Texture, s *texture.Pixels, g *gpuTexture) error {
	for mip, data := range s.Levels {
		w, h := max(1, g.width>>mip), max(1, g.height>>mip)
		size := levelSize(g, mip)
		_, bh, _ := g.format.Block()
		rows := (h + bh - 1) / bh
		layers := len(data) / size
		for layer := range layers {
			x.uploads.Textures += uint64(size)
			if err := x.r.dev.WriteTexture(g.tex, mip, layer, data[layer*size:(layer+1)*size], size/rows, w, h); err != nil {
				return err
			}
		}
	}
	if len(s.Levels) == 1 && g.mips > 1 {
		return x.makeMips(g)
	}
	return nil
}

// sampler returns the GPU sampler for s.
func (x *Session) sampler(s texture.Sampler) (*gpu.Sampler, error) {
	if g := x.samplers[s]; g != nil {
		return g, nil
	}
	d := gpu.SamplerDesc{
		AddressU: s.AddressU, AddressV: s.AddressV, AddressW: s.AddressW,
		Mag: s.Mag, Min: s.Min, Mip: s.Mip, Anisotropy: s.Anisotropy, Compare: s.Compare,
	}
	if s.NoMips {
		// A clamp just above 0 keeps the choice between mag and min filter.
		d.Mip, d.LodMax = composer.FilterNearest, 0.25
	}
	if d.Anisotropy > 1 && (d.Mag == composer.FilterNearest || d.Min == composer.FilterNearest || d.Mip == composer.FilterNearest) {
		d.Anisotropy = 1 // WebGPU allows anisotropy with linear filters only
	}
	g, err := x.r.dev.CreateSampler(d)
	if err != nil {
		return nil, err
	}
	x.samplers[s] = g
	return g, nil
}
