package gpu

import (
	"fmt"
	"sync"

	"darkroom/composer"
	"github.com/cogentcore/webgpu/wgpu"
)

// Options choose an adapter.
type Options struct {
	Adapter string // index, or part of a name or driver, or a backend
	Backend string
}

// Device is an open adapter.
type Device struct {
	Info AdapterInfo

	mu       sync.Mutex
	adapter  *wgpu.Adapter
	dev      *wgpu.Device
	queue    *wgpu.Queue
	enums    enums
	features map[string]bool
	limits   limits
	live     map[handle]string // every object not yet released
	closed   bool
}

type limits struct {
	texture2D, texture3D, layers int
	buffer, storage, uniform     uint64
}

// handle is anything of the binding that must be released.
type handle interface{ Release() }

// Open opens the adapter that o asks for.
func Open(o Options) (*Device, error) {
	a, info, err := choose(o)
	if err != nil {
		return nil, err
	}
	have := a.GetLimits().Limits
	want := wgpu.DefaultLimits()
	// Only fields that are read reliably are raised; handing the adapter's
	// limits back whole would pass on uninitialised memory.
	want.MaxTextureDimension2D = min(have.MaxTextureDimension2D, 16384)
	want.MaxTextureDimension3D = min(have.MaxTextureDimension3D, 2048)
	want.MaxTextureArrayLayers = min(have.MaxTextureArrayLayers, 2048)
	want.MaxBufferSize = min(have.MaxBufferSize, 4<<30)
	want.MaxStorageBufferBindingSize = min(have.MaxStorageBufferBindingSize, 1<<30)
	want.MaxSampledTexturesPerShaderStage = min(have.MaxSampledTexturesPerShaderStage, 48)
	want.MaxSamplersPerShaderStage = min(have.MaxSamplersPerShaderStage, 48)
	want.MaxVertexAttributes = min(have.MaxVertexAttributes, 30)
	want.MaxVertexBuffers = min(have.MaxVertexBuffers, 16)
	want.MaxInterStageShaderComponents = min(have.MaxInterStageShaderComponents, 120)
	desc := &wgpu.DeviceDescriptor{Label: "darkroom", RequiredLimits: &wgpu.RequiredLimits{Limits: want}}
	d := &Device{Info: info, adapter: a, enums: newEnums(), features: map[string]bool{}, live: map[handle]string{}}
	for name, f := range d.enums.feature {
		switch f {
		case wgpu.FeatureNameShaderF16: // naga 0.19 cannot parse it
			continue
		}
		if a.HasFeature(f) {
			desc.RequiredFeatures = append(desc.RequiredFeatures, f)
			d.features[name] = true
		}
	}
	if d.dev, err = a.RequestDevice(desc); err != nil {
		a.Release()
		return nil, fmt.Errorf("adapter %s: its device cannot be opened: %w", info.Name, err)
	}
	d.queue = d.dev.GetQueue()
	d.limits = limits{
		texture2D: int(want.MaxTextureDimension2D), texture3D: int(want.MaxTextureDimension3D), layers: int(want.MaxTextureArrayLayers),
		buffer: want.MaxBufferSize, storage: want.MaxStorageBufferBindingSize, uniform: 65536,
	}
	d.limits.buffer = max(d.limits.buffer, 256<<20)
	return d, nil
}

// Has reports whether the device has a feature, by its WebGPU name.
func (d *Device) Has(feature string) bool { return d.features[feature] }

// Limits are what a composed shader must stay within.
func (d *Device) Limits() composer.Limits {
	return composer.Limits{SampledTextures: 48, Samplers: 48, VertexAttributes: 16, VertexBuffers: 16}
}

// MaxTextureSize is the largest width and height of a 2D texture.
func (d *Device) MaxTextureSize() int { return d.limits.texture2D }

// MaxBufferSize is the largest size of a buffer in bytes.
func (d *Device) MaxBufferSize() uint64 { return d.limits.buffer }

// Live counts the objects that were not released, by kind.
func (d *Device) Live() map[string]int {
	d.mu.Lock()
	defer d.mu.Unlock()
	out := map[string]int{}
	for _, kind := range d.live {
		out[kind]++
	}
	return out
}

// Close releases everything that is still alive, in the order that the
// backend needs: what refers to other objects goes first.
func (d *Device) Close() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed {
		return
	}
	d.dev.Poll(true, nil)
	for _, kind := range []string{"command encoder", "view", "texture", "buffer", "bind group", "render pipeline", "compute pipeline", "pipeline layout", "bind group layout", "sampler", "shader module"} {
		for h, k := range d.live {
			if k == kind {
				delete(d.live, h)
				h.Release()
			}
		}
	}
	d.closed = true
	d.queue.Release()
	d.dev.Release()
	d.adapter.Release()
}

var errClosed = fmt.Errorf("the device is closed")

// object is the part that every wrapped object has.
type object struct {
	dev      *Device
	handle   handle
	label    string
	released bool
}

// Release gives the object back. A second call does nothing.
func (o *object) Release() {
	if o == nil || o.dev == nil {
		return
	}
	o.dev.mu.Lock()
	defer o.dev.mu.Unlock()
	o.release()
}

func (o *object) release() {
	if o.released {
		return
	}
	o.released = true
	if _, ok := o.dev.live[o.handle]; ok {
		delete(o.dev.live, o.handle)
		o.handle.Release()
	}
}

func (d *Device) track(h handle, kind, label string) object {
	d.live[h] = kind
	return object{dev: d, handle: h, label: label}
}

// usable says why o must not be used, if so.
func (o *object) usable(d *Device, kind string) error {
	switch {
	case o == nil || o.dev == nil:
		return fmt.Errorf("a %s is missing", kind)
	case o.released || o.dev.closed:
		return fmt.Errorf("%s %q was released", kind, o.label)
	case o.dev != d:
		return fmt.Errorf("%s %q belongs to another device", kind, o.label)
	}
	return nil
}

// Sync waits until the device has done all that was submitted.
func (d *Device) Sync() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.closed {
		d.dev.Poll(true, nil)
	}
}
