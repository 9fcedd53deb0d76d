package gpu

import (
	"fmt"
	"slices"
	"strings"

	"darkroom/composer"
	"github.com/cogentcore/webgpu/wgpu"
)

// BindGroupLayout is the layout of a bind group.
type BindGroupLayout struct {
	object
	raw     *wgpu.BindGroupLayout
	entries map[int]composer.BindGroupEntry
	dynamic []int // bindings with a dynamic offset, in ascending order
}

func (l *BindGroupLayout) base() *object {
	if l == nil {
		return nil
	}
	return &l.object
}

// Release gives the layout back; what was made from it stays. A second call does nothing.
func (l *BindGroupLayout) Release() { l.base().release() }

// CreateBindGroupLayout makes a layout from composed entries. The bindings
// named in dynamic are buffers that SetBindGroup gives an offset to.
//
// What an entry leaves out follows from its WGSL type: "texture_2d_array<f32>"
// has the dimension 2d-array and is sampled as float.
func (d *Device) CreateBindGroupLayout(label string, entries []composer.BindGroupEntry, dynamic ...int) (*BindGroupLayout, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.ok(); err != nil {
		return nil, err
	}
	bad := func(err error) (*BindGroupLayout, error) {
		return nil, fmt.Errorf("bind group layout %q: %w", label, err)
	}
	l := &BindGroupLayout{entries: map[int]composer.BindGroupEntry{}}
	w := &wgpu.BindGroupLayoutDescriptor{Label: text(label)}
	for _, e := range entries {
		x, err := d.layoutEntry(e)
		if err == nil {
			if _, twice := l.entries[e.Binding]; twice {
				err = fmt.Errorf("it is there twice")
			}
		}
		if slices.Contains(dynamic, e.Binding) {
			if x.Buffer.HasDynamicOffset = x.Buffer.Type != wgpu.BufferBindingTypeUndefined; !x.Buffer.HasDynamicOffset && err == nil {
				err = fmt.Errorf("only buffers have a dynamic offset")
			}
			l.dynamic = append(l.dynamic, e.Binding)
		}
		if err != nil {
			return bad(fmt.Errorf("binding %d (%s): %w", e.Binding, e.Decl.Name, err))
		}
		l.entries[e.Binding] = e
		w.Entries = append(w.Entries, x)
	}
	slices.Sort(l.dynamic)
	for _, b := range dynamic {
		if _, ok := l.entries[b]; !ok {
			return bad(fmt.Errorf("binding %d is to have a dynamic offset, but there is no such binding", b))
		}
	}
	raw, err := d.raw.CreateBindGroupLayout(w)
	if err = d.result(err); err != nil {
		if raw != nil {
			raw.Release()
		}
		return bad(err)
	}
	l.raw = raw
	l.object = d.track(kindBindGroupLayout, label, raw.Release)
	d.add(&l.object)
	return l, nil
}

func (d *Device) layoutEntry(e composer.BindGroupEntry) (w wgpu.BindGroupLayoutEntry, err error) {
	const all = composer.StageVertex | composer.StageFragment | composer.StageCompute
	if e.Binding < 0 || e.Binding >= int(d.limits.MaxBindingsPerBindGroup) {
		return w, fmt.Errorf("bindings are 0…%d", d.limits.MaxBindingsPerBindGroup-1)
	}
	if e.Decl.Visibility == 0 || e.Decl.Visibility&^all != 0 {
		return w, fmt.Errorf("no stage sees it (visibility %d)", e.Decl.Visibility)
	}
	if e.MinSize < 0 {
		return w, fmt.Errorf("its minimal size %d is negative", e.MinSize)
	}
	w.Binding = uint32(e.Binding)
	for _, s := range [...]struct {
		from composer.Stage
		to   wgpu.ShaderStage
	}{{composer.StageVertex, wgpu.ShaderStageVertex}, {composer.StageFragment, wgpu.ShaderStageFragment}, {composer.StageCompute, wgpu.ShaderStageCompute}} {
		if e.Decl.Visibility&s.from != 0 {
			w.Visibility |= s.to
		}
	}
	dimension, multisampled, sample := textureType(e.Decl.Type)
	dimension = or(e.Dimension, dimension)
	multisampled = multisampled || e.Multisampled
	switch e.Decl.Kind {
	case composer.BindUniform:
		w.Buffer = wgpu.BufferBindingLayout{Type: wgpu.BufferBindingTypeUniform, MinBindingSize: uint64(e.MinSize)}
	case composer.BindStorage:
		w.Buffer = wgpu.BufferBindingLayout{Type: wgpu.BufferBindingTypeReadOnlyStorage, MinBindingSize: uint64(e.MinSize)}
		switch e.Decl.Access {
		case "", composer.AccessRead:
		case composer.AccessReadWrite, composer.AccessWrite:
			w.Buffer.Type = wgpu.BufferBindingTypeStorage
		default:
			err = fmt.Errorf("access %q is none of read, write and read_write", e.Decl.Access)
		}
	case composer.BindTexture:
		w.Texture.Multisampled = multisampled
		if sample = or(e.Decl.Sample, sample); sample == composer.SampleFloat && multisampled {
			sample = composer.SampleUnfilterableFloat // WebGPU: a multisampled texture is not filtered
		}
		if w.Texture.ViewDimension, err = viewDimensionOf(dimension); err == nil {
			w.Texture.SampleType, err = lookup("sample type", sample, wgpu.TextureSampleTypeUint)
		}
	case composer.BindSampler:
		w.Sampler.Type, err = lookup("sampler kind", or(e.Decl.Sampler, composer.SamplerFiltering), wgpu.SamplerBindingTypeComparison)
	case composer.BindStorageTexture:
		switch e.Decl.Access {
		case "", composer.AccessWrite:
			w.StorageTexture.Access = wgpu.StorageTextureAccessWriteOnly
		case composer.AccessRead:
			w.StorageTexture.Access = wgpu.StorageTextureAccessReadOnly
		case composer.AccessReadWrite:
			w.StorageTexture.Access = wgpu.StorageTextureAccessReadWrite
		default:
			err = fmt.Errorf("access %q is none of read, write and read_write", e.Decl.Access)
		}
		if err == nil {
			if w.StorageTexture.Format, err = formatOf(e.Decl.Format); err == nil {
				w.StorageTexture.ViewDimension, err = viewDimensionOf(dimension)
			}
		}
	default:
		err = fmt.Errorf("it is of no kind")
	}
	return w, err
}

// textureType reads what a WGSL texture type says; without one, that of texture_2d<f32>.
func textureType(t string) (d composer.ViewDimension, multisampled bool, s composer.SampleType) {
	t = strings.ReplaceAll(t, " ", "")
	name, arg, _ := strings.Cut(t, "<")
	s = composer.SampleFloat
	switch strings.TrimSuffix(arg, ">") {
	case "i32":
		s = composer.SampleSint
	case "u32":
		s = composer.SampleUint
	}
	name = strings.TrimPrefix(name, "texture_")
	if rest, ok := strings.CutPrefix(name, "depth_"); ok {
		name, s = rest, composer.SampleDepth
	}
	name, multisampled = strings.CutPrefix(name, "multisampled_")
	switch name = strings.TrimPrefix(name, "storage_"); name {
	case "1d":
		d = composer.View1D
	case "2d_array":
		d = composer.View2DArray
	case "cube":
		d = composer.ViewCube
	case "cube_array":
		d = composer.ViewCubeArray
	case "3d":
		d = composer.View3D
	default:
		d = composer.View2D
	}
	return d, multisampled, s
}

// BindEntry is one resource of a bind group: a range of a buffer, a view or a sampler.
type BindEntry struct {
	Binding      int
	Buffer       *Buffer
	Offset, Size uint64 // bytes; Size 0 means the rest of the buffer
	View         *View
	Sampler      *Sampler
}

// BindGroup is a set of resources. It does not keep them alive.
type BindGroup struct {
	object
	raw    *wgpu.BindGroup
	layout *BindGroupLayout
	uses   []*object
}

func (g *BindGroup) base() *object {
	if g == nil {
		return nil
	}
	return &g.object
}

// Release gives the group back. A second call does nothing.
func (g *BindGroup) Release() { g.base().release() }

// CreateBindGroup makes a bind group. Its label is that of the layout.
func (d *Device) CreateBindGroup(layout *BindGroupLayout, entries []BindEntry) (*BindGroup, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.ok(); err != nil {
		return nil, err
	}
	if err := d.check("layout", layout); err != nil {
		return nil, fmt.Errorf("bind group: %w", err)
	}
	bad := func(err error) (*BindGroup, error) {
		return nil, fmt.Errorf("bind group %q: %w", layout.label, err)
	}
	g := &BindGroup{layout: layout}
	w := &wgpu.BindGroupDescriptor{Label: text(layout.label), Layout: layout.raw}
	for _, e := range entries {
		decl, ok := layout.entries[e.Binding]
		if !ok {
			return bad(fmt.Errorf("the layout has no binding %d", e.Binding))
		}
		x, err := d.bindEntry(g, e, decl)
		if err != nil {
			return bad(fmt.Errorf("binding %d (%s): %w", e.Binding, decl.Decl.Name, err))
		}
		w.Entries = append(w.Entries, x)
	}
	if len(entries) < len(layout.entries) {
		for b, e := range layout.entries {
			if !slices.ContainsFunc(entries, func(x BindEntry) bool { return x.Binding == b }) {
				return bad(fmt.Errorf("binding %d (%s) has no resource", b, e.Decl.Name))
			}
		}
	}
	raw, err := d.raw.CreateBindGroup(w)
	if err = d.result(err); err != nil {
		if raw != nil {
			raw.Release()
		}
		return bad(err)
	}
	g.raw = raw
	g.object = d.track(kindBindGroup, layout.label, raw.Release)
	d.add(&g.object)
	return g, nil
}

func (d *Device) bindEntry(g *BindGroup, e BindEntry, decl composer.BindGroupEntry) (w wgpu.BindGroupEntry, err error) {
	w.Binding = uint32(e.Binding)
	switch decl.Decl.Kind {
	case composer.BindUniform, composer.BindStorage:
		b := e.Buffer
		if err := d.check("buffer", b); err != nil {
			return w, err
		}
		usage, align, most, name := UsageUniform, uint64(d.limits.MinUniformBufferOffsetAlignment), d.limits.MaxUniformBufferBindingSize, "UsageUniform"
		if decl.Decl.Kind == composer.BindStorage {
			usage, align, most, name = UsageStorage, uint64(d.limits.MinStorageBufferOffsetAlignment), d.limits.MaxStorageBufferBindingSize, "UsageStorage"
		}
		if e.Offset > b.Size || e.Size > b.Size-e.Offset {
			return w, fmt.Errorf("%d bytes at %d are beyond %v of %d", e.Size, e.Offset, b, b.Size)
		}
		size := e.Size
		if size == 0 {
			size = b.Size - e.Offset
		}
		switch {
		case b.usage&usage == 0:
			return w, fmt.Errorf("%v was made without %s", b, name)
		case size == 0:
			return w, fmt.Errorf("nothing is left of %v at %d", b, e.Offset)
		case e.Offset%align != 0:
			return w, fmt.Errorf("the offset %d is no multiple of %d", e.Offset, align)
		case size < uint64(decl.MinSize):
			return w, fmt.Errorf("%d bytes of %v are fewer than the %d that the shader reads", size, b, decl.MinSize)
		case size > most:
			if e.Size != 0 {
				return w, fmt.Errorf("%d bytes are more than %d, the limit of %s", size, most, d.Info.Name)
			}
			size = most
		}
		w.Buffer, w.Offset, w.Size = b.raw, e.Offset, size
		if decl.Decl.Kind == composer.BindStorage {
			w.Size = (size + 3) &^ 3 // a storage binding is of whole words; the memory is too
		}
		g.uses = append(g.uses, &b.object)
	case composer.BindTexture, composer.BindStorageTexture:
		if err := d.check("view", e.View); err != nil {
			return w, err
		}
		usage, name := TextureSampled, "TextureSampled"
		if decl.Decl.Kind == composer.BindStorageTexture {
			usage, name = TextureStorage, "TextureStorage"
		}
		if e.View.Texture.Desc.Usage&usage == 0 {
			return w, fmt.Errorf("%v was made without %s", e.View.Texture, name)
		}
		w.TextureView = e.View.raw
		g.uses = append(g.uses, &e.View.object)
	case composer.BindSampler:
		if err := d.check("sampler", e.Sampler); err != nil {
			return w, err
		}
		w.Sampler = e.Sampler.raw
		g.uses = append(g.uses, &e.Sampler.object)
	}
	return w, nil
}
