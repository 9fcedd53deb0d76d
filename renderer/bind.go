package renderer

import (
	"fmt"

	"darkroom/composer"
	"darkroom/material"
	"darkroom/material/texture"
	"darkroom/renderer/internal/gpu"
)

// writer fills the uniform blocks of one draw by field name.
type writer struct {
	mesh, material *composer.UniformWriter // material is nil where there is no such block
	err            error
}

func (w *writer) Has(field string) bool {
	return w.mesh.Has(field) || w.material != nil && w.material.Has(field)
}

func (w *writer) Set(field string, v any) {
	if w.err != nil {
		return
	}
	if w.mesh.Has(field) {
		w.err = w.mesh.Set(field, v)
	} else if w.material != nil && w.material.Has(field) {
		w.err = w.material.Set(field, v)
	}
}

func (w *writer) Floats(field string, v ...float64) { w.Set(field, v) }

// writer returns the shader's writer, all zeros.
func (x *Session) writer(sh *composer.Shader) *writer {
	w := x.writers[sh]
	if w == nil {
		w = &writer{mesh: composer.NewUniformWriter(&sh.MeshUBO)}
		if sh.MaterialUBO.Size > 0 {
			w.material = composer.NewUniformWriter(&sh.MaterialUBO)
		}
		x.writers[sh] = w
		return w
	}
	w.mesh.Reset()
	if w.material != nil {
		w.material.Reset()
	}
	w.err = nil
	return w
}

// resources gathers what materials and features bind, by name.
type resources struct {
	textures map[string]boundTexture
	buffers  map[string]*material.Buffer
	vertex   map[string]*material.Buffer
	motion   *motion
}

type boundTexture struct {
	tex  *texture.Texture
	view material.View
}

func newResources(m *motion) *resources {
	return &resources{map[string]boundTexture{}, map[string]*material.Buffer{}, map[string]*material.Buffer{}, m}
}

func (r *resources) reset() {
	clear(r.textures)
	clear(r.buffers)
	clear(r.vertex)
}

func (r *resources) Texture(name string, t *texture.Texture) {
	r.textures[name] = boundTexture{tex: t}
}
func (r *resources) View(name string, t *texture.Texture, v material.View) {
	r.textures[name] = boundTexture{t, v}
}
func (r *resources) Buffer(name string, b *material.Buffer) { r.buffers[name] = b }
func (r *resources) BufferBefore(name string, b *material.Buffer) {
	r.buffers[name] = r.motion.buffer(b)
}
func (r *resources) VertexBuffer(name string, b *material.Buffer) { r.vertex[name] = b }

// bind makes the bind group of entries from uniform blocks and resources.
func (x *Session) bind(layout *gpu.BindGroupLayout, entries []composer.BindGroupEntry, blocks map[string]gpu.BindEntry, res *resources) (*gpu.BindGroup, error) {
	out := make([]gpu.BindEntry, 0, len(entries))
	for _, e := range entries {
		b, err := x.bindEntry(e, blocks, res)
		if err != nil {
			return nil, fmt.Errorf("binding %s: %w", e.Decl.Name, err)
		}
		b.Binding = e.Binding
		out = append(out, b)
	}
	g, err := x.r.dev.CreateBindGroup(layout, out)
	if err != nil {
		return nil, err
	}
	x.garbage = append(x.garbage, g)
	return g, nil
}

func (x *Session) bindEntry(e composer.BindGroupEntry, blocks map[string]gpu.BindEntry, res *resources) (gpu.BindEntry, error) {
	name := e.Decl.Name
	switch e.Decl.Kind {
	case composer.BindUniform, composer.BindStorage:
		if b, ok := blocks[name]; ok {
			return b, nil
		}
		b, ok := res.buffers[name]
		if !ok {
			return gpu.BindEntry{}, fmt.Errorf("no buffer is bound to it")
		}
		if e.Decl.Kind == composer.BindUniform {
			buf, off, err := x.arena.add(b.Data)
			return gpu.BindEntry{Buffer: buf, Offset: off, Size: uint64(len(b.Data))}, err
		}
		buf, err := x.buffer(b)
		if err != nil {
			return gpu.BindEntry{}, err
		}
		return gpu.BindEntry{Buffer: buf, Size: buf.Size}, nil
	case composer.BindTexture, composer.BindStorageTexture:
		t, ok := res.textures[name]
		if !ok || t.tex == nil {
			return gpu.BindEntry{}, fmt.Errorf("no texture is bound to it")
		}
		if e.Decl.Kind == composer.BindStorageTexture {
			x.flow.written[t.tex] = true
		} else if err := x.flow.read(t.tex); err != nil {
			return gpu.BindEntry{}, err
		}
		g, err := x.texture(t.tex)
		if err != nil {
			return gpu.BindEntry{}, err
		}
		d := gpu.ViewDesc{BaseMip: t.view.BaseMip, Mips: t.view.Mips, BaseLayer: t.view.BaseLayer, Layers: t.view.Layers, Dimension: e.Dimension}
		if t.view.DepthOnly || e.Decl.Sample == composer.SampleDepth && t.tex.GPUFormat().HasStencil() {
			d.Aspect = "depth-only"
		}
		v, err := g.view(x.r.dev, d)
		return gpu.BindEntry{View: v}, err
	case composer.BindSampler:
		if t, ok := res.textures[name]; ok && t.tex != nil {
			s, err := x.sampler(samplerFor(e.Decl, t.tex.Sampler))
			return gpu.BindEntry{Sampler: s}, err
		}
		const suffix = "Sampler"
		if n := len(name) - len(suffix); n > 0 && name[n:] == suffix {
			if t, ok := res.textures[name[:n]]; ok && t.tex != nil {
				s, err := x.sampler(samplerFor(e.Decl, t.tex.Sampler))
				return gpu.BindEntry{Sampler: s}, err
			}
		}
		return gpu.BindEntry{}, fmt.Errorf("no texture gives the sampler")
	}
	return gpu.BindEntry{}, fmt.Errorf("it has no kind")
}

// samplerFor is a texture's sampler as a binding takes it: what a shader reads
// without filtering (depths, 32-bit floats) is sampled at the nearest texel,
// however the texture is to be filtered elsewhere.
func samplerFor(b composer.Binding, s texture.Sampler) texture.Sampler {
	if b.Sampler == composer.SamplerNonFiltering {
		s.Mag, s.Min, s.Mip, s.Anisotropy = composer.FilterNearest, composer.FilterNearest, composer.FilterNearest, 0
	}
	return s
}
