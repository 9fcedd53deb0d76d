package gpu

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"darkroom/composer"
	"github.com/cogentcore/webgpu/wgpu"
)

// Options choose an adapter and say how long to wait for it.
type Options struct {
	// Adapter is an index ("0" or "#0"), a part of the name or driver in any
	// case, a type, or a backend; empty means the best there is: discrete,
	// integrated, virtual, then CPU.
	Adapter string
	// Backend is vulkan, gl, metal or dx12; empty means any native one.
	Backend string
	// Require are features, as Has names them, that the device must have.
	Require []string
	// Timeout is how long the device may work on what was submitted; zero means ten minutes.
	Timeout time.Duration
}

// Device is an open adapter. It and all that it made belong to one goroutine.
type Device struct {
	Info AdapterInfo

	mu       sync.Mutex
	raw      *wgpu.Device
	queue    *wgpu.Queue
	native   native
	limits   wgpu.Limits
	features map[string]bool
	timeout  time.Duration
	live     map[*object]struct{}
	encoders uint64 // made so far
	written  uint64 // bytes written since the last submission
	freed    uint64 // bytes released since the device last looked for what it may free
	scratch  *wgpu.Buffer
	scratchN uint64
	closed   bool
	dead     error // why the device refuses all work
}

// Open opens the adapter that o asks for. Without an adapter that fits, the
// error is an ErrNoAdapter that lists those that there are.
func Open(o Options) (*Device, error) {
	f, err := choose(o)
	if err != nil {
		return nil, err
	}
	defer f.raw.Release()
	d := &Device{Info: f.info, features: map[string]bool{}, live: map[*object]struct{}{}, timeout: o.Timeout}
	if d.timeout == 0 {
		d.timeout = 10 * time.Minute
	}
	desc := &wgpu.DeviceDescriptor{Label: "darkroom", RequiredLimits: &wgpu.RequiredLimits{Limits: wanted(f.raw.GetLimits().Limits)}}
	for name, feature := range features() {
		if f.raw.HasFeature(feature) {
			desc.RequiredFeatures = append(desc.RequiredFeatures, feature)
			d.features[name] = true
		}
	}
	withRuntimeDir(func() {
		if d.raw, err = f.raw.RequestDevice(desc); err != nil {
			// The binding drops the reason. What is asked for beyond the
			// defaults is the likeliest, and Has and Limits tell what there is.
			d.features = map[string]bool{}
			d.raw, err = f.raw.RequestDevice(&wgpu.DeviceDescriptor{Label: "darkroom"})
		}
	})
	if err != nil {
		return nil, fmt.Errorf("adapter %v: its driver gives no device; see whether another process holds it, or ask for another adapter", f.info)
	}
	if missing := d.lacks(o.Require); len(missing) > 0 {
		d.raw.Release()
		return nil, fmt.Errorf("%w with %s: %v has %s; ask for another adapter", ErrNoAdapter, strings.Join(missing, ", "), f.info, strings.Join(slices.Sorted(maps.Keys(d.features)), ", "))
	}
	d.limits = d.raw.GetLimits().Limits
	if err := d.native.init(d.raw); err != nil {
		d.raw.Release()
		return nil, err
	}
	d.queue = d.raw.GetQueue()
	if err := d.probe(); err != nil {
		d.queue.Release()
		d.raw.Release()
		return nil, err
	}
	return d, nil
}

// lacks are those of the features that the device does not have.
func (d *Device) lacks(features []string) (missing []string) {
	for _, f := range features {
		if !d.features[f] {
			missing = append(missing, f)
		}
	}
	return missing
}

// probe makes sure that the device can be given work. wgpu-core 0.19 numbers
// devices and queues apart and takes a queue for the device of its number. If an
// earlier device of the process leaked in the backend, the numbers differ from
// then on, and a submission ends the process; writing a texel only fails.
func (d *Device) probe() error {
	t, err := d.raw.CreateTexture(&wgpu.TextureDescriptor{
		Label: "probe", Usage: wgpu.TextureUsageCopyDst, Dimension: wgpu.TextureDimension2D, Format: wgpu.TextureFormatRGBA8Unorm,
		Size: wgpu.Extent3D{Width: 1, Height: 1, DepthOrArrayLayers: 1}, MipLevelCount: 1, SampleCount: 1,
	})
	if err == nil {
		err = d.queue.WriteTexture(&wgpu.ImageCopyTexture{Texture: t}, make([]byte, 4), &wgpu.TextureDataLayout{BytesPerRow: 4, RowsPerImage: 1}, &wgpu.Extent3D{Width: 1, Height: 1, DepthOrArrayLayers: 1})
		t.Release()
	}
	if err != nil {
		return fmt.Errorf("adapter %v: a device of this process leaked in the backend, and no other can be opened after it; start a new process (%w)", d.Info, clean(err))
	}
	d.queue.Submit()
	return nil
}

// wanted are the limits to ask for: the defaults of WebGPU, raised where the
// adapter allows more. Of the adapter's limits only fields that are filled in
// may be used: MaxPushConstantSize is uninitialised memory and three are 0.
func wanted(have wgpu.Limits) wgpu.Limits {
	l := wgpu.DefaultLimits()
	raise := func(field *uint32, have, least, most uint32) {
		if v := min(have, most); v > least {
			*field = v
		}
	}
	raise(&l.MaxTextureDimension1D, have.MaxTextureDimension1D, 8192, 16384)
	raise(&l.MaxTextureDimension2D, have.MaxTextureDimension2D, 8192, 16384)
	raise(&l.MaxTextureArrayLayers, have.MaxTextureArrayLayers, 256, 2048)
	raise(&l.MaxSampledTexturesPerShaderStage, have.MaxSampledTexturesPerShaderStage, 16, 48)
	raise(&l.MaxSamplersPerShaderStage, have.MaxSamplersPerShaderStage, 16, 48)
	raise(&l.MaxStorageBuffersPerShaderStage, have.MaxStorageBuffersPerShaderStage, 8, 16)
	raise(&l.MaxVertexBuffers, have.MaxVertexBuffers, 8, maxVertexBuffers)
	raise(&l.MaxVertexAttributes, have.MaxVertexAttributes, 16, 30)
	raise(&l.MaxInterStageShaderComponents, have.MaxInterStageShaderComponents, 60, 124)
	raise(&l.MaxComputeWorkgroupStorageSize, have.MaxComputeWorkgroupStorageSize, 16384, 32768)
	raise(&l.MaxComputeInvocationsPerWorkgroup, have.MaxComputeInvocationsPerWorkgroup, 256, 1024)
	raise(&l.MaxComputeWorkgroupSizeX, have.MaxComputeWorkgroupSizeX, 256, 1024)
	raise(&l.MaxComputeWorkgroupSizeY, have.MaxComputeWorkgroupSizeY, 256, 1024)
	if v := min(have.MaxBufferSize, 4<<30); v > 256<<20 {
		l.MaxBufferSize = v
	}
	if v := min(have.MaxStorageBufferBindingSize, 1<<31-4); v > 128<<20 {
		l.MaxStorageBufferBindingSize = v // the backend keeps 32 bits of it
	}
	return l
}

// Fixed sizes of wgpu-core's own tables.
const (
	maxVertexBuffers    = 16
	maxColorAttachments = 8
	maxBindGroups       = 8
)

// Has reports whether the device has a feature, by its name in the WebGPU
// specification, e.g. "texture-compression-bc".
func (d *Device) Has(feature string) bool { return d.features[feature] }

// Limits are what a composed shader must stay within.
func (d *Device) Limits() composer.Limits {
	l := &d.limits
	return composer.Limits{
		VertexAttributes: int(l.MaxVertexAttributes),
		VertexBuffers:    int(l.MaxVertexBuffers),
		VertexStride:     int(l.MaxVertexBufferArrayStride),
		// The backend counts components, four to a varying, and reports no number of varyings.
		Varyings:            max(16, int(l.MaxInterStageShaderComponents)/4),
		VaryingComponents:   int(l.MaxInterStageShaderComponents),
		ColorAttachments:    maxColorAttachments,
		ColorBytesPerSample: 32,
		SampledTextures:     int(l.MaxSampledTexturesPerShaderStage),
		Samplers:            int(l.MaxSamplersPerShaderStage),
		StorageBuffers:      int(l.MaxStorageBuffersPerShaderStage),
		StorageTextures:     int(l.MaxStorageTexturesPerShaderStage),
		UniformBuffers:      int(l.MaxUniformBuffersPerShaderStage),
		UniformSize:         int(l.MaxUniformBufferBindingSize),
	}
}

// MaxTextureSize is the largest width and height of a 2D texture in texels.
func (d *Device) MaxTextureSize() int { return int(d.limits.MaxTextureDimension2D) }

// MaxBufferSize is the largest size of a buffer in bytes.
func (d *Device) MaxBufferSize() uint64 { return d.limits.MaxBufferSize }

// UniformAlignment is what offsets of uniform buffers are multiples of, in bytes.
func (d *Device) UniformAlignment() int { return int(d.limits.MinUniformBufferOffsetAlignment) }

// Live counts the objects that were not released, by kind. It is empty when
// there are none.
func (d *Device) Live() map[string]int {
	d.mu.Lock()
	defer d.mu.Unlock()
	out := map[string]int{}
	for o := range d.live {
		out[o.kind]++
	}
	return out
}

// Sync waits until the device has done all that was submitted.
func (d *Device) Sync() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.ok(); err != nil {
		return err
	}
	return d.idle()
}

// Close waits for the device, then releases everything that is still alive in
// the order that the backend needs, and the device last: what outlives its
// device leaks. A device that timed out is abandoned instead, for releasing what
// it works on would end the process. A second call does nothing.
func (d *Device) Close() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.closed {
		return
	}
	if d.dead == nil {
		// Writes that were never submitted refer to the device that holds them:
		// it would leak, and no other could be opened (see probe).
		d.queue.Submit()
		_ = d.idle() // sets dead
	}
	d.closed = true
	if d.dead != nil {
		for o := range d.live {
			o.gone = true
		}
		clear(d.live)
		return
	}
	for _, kind := range kinds {
		for o := range d.live {
			if o.kind == kind {
				o.drop()
			}
		}
	}
	if d.scratch != nil {
		d.scratch.Release()
	}
	for range 3 { // what is freed may be the last that kept another
		d.raw.Poll(false, nil)
	}
	d.queue.Release()
	d.raw.Release()
}

// released notes that n bytes were given back. The backend frees memory only
// when it is polled or given work.
func (d *Device) released(n uint64) {
	const most = 256 << 20
	if d.freed += n; d.freed > most && !d.closed {
		d.freed = 0
		d.raw.Poll(false, nil)
	}
}

// wrote notes that n bytes are on their way. The backend keeps a copy of each
// until the next submission, so a large upload is submitted in parts.
func (d *Device) wrote(n uint64) {
	const most = 128 << 20
	if d.written += n; d.written > most {
		d.written = 0
		d.queue.Submit()
	}
}
