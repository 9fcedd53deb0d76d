package shader

import (
	"fmt"
	"slices"
	"strings"

	"darkroom/composer"
	"darkroom/material"
	"darkroom/material/texture"
)

// slots hold what is bound. A material and its views share them.
type slots struct {
	alphaCutoff float64
	textures    map[string]*texture.Texture
	externals   map[string]*External
	buffers     map[string]*material.Buffer
	white       *material.Buffer // the colour of meshes without, where getFinalColor multiplies by it
	version     uint64
}

func newSlots(d *declaration) *slots {
	s := &slots{alphaCutoff: 0.4, textures: map[string]*texture.Texture{}, externals: map[string]*External{}, buffers: map[string]*material.Buffer{}}
	if d.FinalColor {
		s.white = &material.Buffer{Name: "white", Data: []byte{0, 0, 0x80, 0x3f, 0, 0, 0x80, 0x3f, 0, 0, 0x80, 0x3f, 0, 0, 0x80, 0x3f}}
	}
	return s
}

// SetTexture binds t to a declared sampler; nil takes the binding away. The
// texture must be two-dimensional and, for a depth sampler, of a depth format.
func (m *Material) SetTexture(name string, t *texture.Texture) error {
	i := slices.IndexFunc(m.decl.Samplers, func(s Sampler) bool { return s.Name == name })
	if i < 0 {
		return fmt.Errorf("%s: sampler %q: %w; the material has %s", m.Label(), name, ErrUndeclared, m.decl.samplerNames())
	}
	if t != nil {
		if err := checkTexture(m.decl.Samplers[i].Sample, t); err != nil {
			return fmt.Errorf("%s: sampler %q: %w: texture %s %w", m.Label(), name, ErrValue, t.Name, err)
		}
	}
	if m.slots.textures[name] != t {
		m.slots.textures[name] = t
		m.slots.version++
	}
	return nil
}

// Texture is what is bound to a sampler, nil for nothing.
func (m *Material) Texture(name string) *texture.Texture { return m.slots.textures[name] }

// checkTexture completes the sentence "texture t …".
func checkTexture(s composer.SampleType, t *texture.Texture) error {
	f := t.GPUFormat()
	switch x := t.Source.(type) {
	case *texture.Pixels:
		if x.Dimension != "" && x.Dimension != composer.View2D || x.Dimension == "" && x.Layers > 1 {
			return fmt.Errorf("is not two-dimensional")
		}
	case *texture.Target:
		if x.Dimension != "" && x.Dimension != composer.View2D || x.Dimension == "" && x.Layers > 1 {
			return fmt.Errorf("is not two-dimensional")
		}
	case nil:
		return fmt.Errorf("has no source")
	}
	nearest := t.Sampler.Mag == composer.FilterNearest && t.Sampler.Min == composer.FilterNearest && t.Sampler.Anisotropy <= 1 &&
		(t.Sampler.Mip == composer.FilterNearest || t.Sampler.NoMips)
	switch {
	case t.Sampler.Compare != "":
		return fmt.Errorf("has a comparison sampler; leave its Compare empty")
	case s == composer.SampleDepth && !f.IsDepth():
		return fmt.Errorf("has the format %s and the sampler takes depth", f)
	case s != composer.SampleDepth && f.IsDepth():
		return fmt.Errorf("has the depth format %s; declare the sampler with the sample type depth", f)
	case s == composer.SampleDepth && !nearest:
		return fmt.Errorf("is a depth texture and cannot be filtered; make its Sampler's Mag, Min and Mip nearest")
	case s == composer.SampleUnfilterableFloat && !nearest:
		return fmt.Errorf("is bound to an unfilterable sampler; make its Sampler's Mag, Min and Mip nearest")
	case s == composer.SampleUnfilterableFloat && f.Sample() != composer.SampleUnfilterableFloat && f.Sample() != composer.SampleFloat,
		(s == "" || s == composer.SampleFloat) && f.Sample() != composer.SampleFloat && !f.IsDepth():
		return fmt.Errorf("has the format %s, which is sampled as %s", f, f.Sample())
	}
	return nil
}

// SetBuffer binds b to a declared storage buffer; nil takes the binding away.
func (m *Material) SetBuffer(name string, b *material.Buffer) error {
	if !slices.ContainsFunc(m.decl.Buffers, func(d Buffer) bool { return d.Name == name }) {
		return fmt.Errorf("%s: buffer %q: %w", m.Label(), name, ErrUndeclared)
	}
	if b != nil && len(b.Data) == 0 {
		return fmt.Errorf("%s: buffer %q: %w: it is empty", m.Label(), name, ErrValue)
	}
	if m.slots.buffers[name] != b {
		m.slots.buffers[name] = b
		m.slots.version++
	}
	return nil
}

// SetExternal binds x to a declared external texture; nil takes the binding
// away. A view binds to its source.
func (m *Material) SetExternal(name string, x *External) error {
	if !slices.Contains(m.decl.Externals, name) {
		return fmt.Errorf("%s: external texture %q: %w; the material has %s", m.Label(), name, ErrUndeclared, listed(m.decl.Externals))
	}
	if m.slots.externals[name] != x {
		m.slots.externals[name] = x
		m.slots.version++
	}
	return nil
}

// External is what is bound to an external texture, nil for nothing.
func (m *Material) External(name string) *External { return m.slots.externals[name] }

// ResourceVersion counts the changes of textures and buffers so far; binding
// what is bound already is none. Views have their source's.
func (m *Material) ResourceVersion() uint64 { return m.slots.version }

// Check implements material.Checked: everything that is declared is bound.
func (m *Material) Check() error {
	d, s := m.decl, m.slots
	for _, x := range d.Samplers {
		if s.textures[x.Name] == nil {
			return fmt.Errorf("sampler %q has no texture; call SetTexture", x.Name)
		}
	}
	for _, name := range d.Externals {
		if s.externals[name] == nil {
			return fmt.Errorf("external texture %q has no frames; call SetExternal", name)
		}
	}
	for _, b := range d.Buffers {
		if s.buffers[b.Name] == nil {
			return fmt.Errorf("buffer %q is not bound; call SetBuffer", b.Name)
		}
	}
	return nil
}

// Resources implements material.Material.
func (m *Material) Resources(_ *material.Context, r material.Resources) error {
	if err := m.Check(); err != nil {
		return err
	}
	d, s := m.decl, m.slots
	if m.values != nil {
		r.Buffer(uniformsVar, m.values.current())
	}
	for _, x := range d.Samplers {
		r.View(x.Name, s.textures[x.Name], material.View{DepthOnly: x.Sample == composer.SampleDepth})
	}
	for _, name := range d.Externals {
		r.Texture(name, s.externals[name].texture)
	}
	for _, b := range d.Buffers {
		r.Buffer(b.Name, s.buffers[b.Name])
	}
	if s.white != nil {
		r.VertexBuffer("color", s.white)
	}
	return nil
}

func (d *declaration) samplerNames() string {
	list := make([]string, len(d.Samplers))
	for i, s := range d.Samplers {
		list[i] = s.Name
	}
	return listed(list)
}

// listed names what there is.
func listed(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, ", ")
}
