package gpu

import (
	"errors"
	"fmt"
	"math"

	"darkroom/composer"
	"github.com/cogentcore/webgpu/wgpu"
)

// SamplerDesc describes a sampler: empty address modes repeat, empty filters
// are linear.
type SamplerDesc struct {
	Label                        string
	AddressU, AddressV, AddressW composer.AddressMode
	Mag, Min, Mip                composer.FilterMode
	Anisotropy                   int                      // 0 and 1: none; above 16 counts as 16
	Compare                      composer.CompareFunction // empty: no comparison sampler
	LodMin, LodMax               float32                  // LodMax 0: no clamp
}

// Sampler is a sampler on the device.
type Sampler struct {
	object
	raw *wgpu.Sampler
}

func (s *Sampler) base() *object {
	if s == nil {
		return nil
	}
	return &s.object
}

// Release gives the sampler back. A second call does nothing.
func (s *Sampler) Release() { s.base().release() }

// CreateSampler makes a sampler.
func (d *Device) CreateSampler(desc SamplerDesc) (*Sampler, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.ok(); err != nil {
		return nil, err
	}
	bad := func(err error) (*Sampler, error) { return nil, fmt.Errorf("sampler %q: %w", desc.Label, err) }
	w := &wgpu.SamplerDescriptor{Label: text(desc.Label), LodMinClamp: desc.LodMin, LodMaxClamp: desc.LodMax, MaxAnisotropy: 1}
	var err, failed error
	keep := func() { failed = errors.Join(failed, err) }
	w.AddressModeU, err = addressOf(desc.AddressU)
	keep()
	w.AddressModeV, err = addressOf(desc.AddressV)
	keep()
	w.AddressModeW, err = addressOf(desc.AddressW)
	keep()
	w.MagFilter, err = filterOf(desc.Mag)
	keep()
	w.MinFilter, err = filterOf(desc.Min)
	keep()
	mip, err := filterOf(desc.Mip)
	failed = errors.Join(failed, err)
	w.MipmapFilter = wgpu.MipmapFilterModeNearest
	if mip == wgpu.FilterModeLinear {
		w.MipmapFilter = wgpu.MipmapFilterModeLinear
	}
	if desc.Compare != "" {
		w.Compare, err = compareOf(desc.Compare)
		failed = errors.Join(failed, err)
	}
	if failed != nil {
		return bad(clean(failed))
	}
	if desc.LodMax == 0 {
		w.LodMaxClamp = 32 // the default of WebGPU
	}
	lo, hi := float64(w.LodMinClamp), float64(w.LodMaxClamp)
	if !(lo >= 0 && lo <= hi) || math.IsInf(hi, 0) {
		return bad(fmt.Errorf("levels of detail %g…%g are no range from 0 up", lo, hi))
	}
	if desc.Anisotropy > 1 {
		if w.MagFilter != wgpu.FilterModeLinear || w.MinFilter != wgpu.FilterModeLinear || mip != wgpu.FilterModeLinear {
			return bad(fmt.Errorf("anisotropy %d needs linear filters", desc.Anisotropy))
		}
		// llvmpipe's anisotropic filter is off: scene257 was at MAD 0.083 from a
		// GPU's picture with it and is at 0.016 without (Mesa 22.3.6).
		if d.Info.Driver != "llvmpipe" {
			w.MaxAnisotropy = uint16(min(desc.Anisotropy, 16))
		}
	}
	if desc.Anisotropy < 0 {
		return bad(fmt.Errorf("anisotropy %d is negative", desc.Anisotropy))
	}
	raw, err := d.raw.CreateSampler(w)
	if err = d.result(err); err != nil {
		if raw != nil {
			raw.Release()
		}
		return bad(err)
	}
	s := &Sampler{object: d.track(kindSampler, desc.Label, raw.Release), raw: raw}
	d.add(&s.object)
	return s, nil
}
