package shader

import (
	"bytes"
	"fmt"

	"darkroom/composer"
	"darkroom/material"
)

// values are the material's uniforms, packed as the GPU reads them. What is
// set goes into its place at once; the bytes that changed since the buffer was
// last asked for are one range, which is all that is uploaded.
type values struct {
	layout   composer.UBO            `hash:"-"`
	writer   *composer.UniformWriter `hash:"-"`
	buffer   *material.Buffer
	places   map[string]place `hash:"-"`
	from, to int              `hash:"-"` // changed since the last version; to 0: nothing
	version  uint64           `hash:"-"`
}

// place is where a uniform lies in the buffer.
type place struct{ from, to int }

func newValues(d *declaration) (*values, error) {
	u, err := composer.Layout(d.uniforms, nil)
	if err != nil {
		return nil, err
	}
	v := &values{layout: u, writer: composer.NewUniformWriter(&u), places: make(map[string]place, len(u.Fields))}
	for _, f := range u.Fields {
		v.places[f.Name] = place{f.Offset, f.Offset + f.Size}
	}
	v.buffer = &material.Buffer{Name: "uniforms of " + d.Name, Data: v.writer.Bytes()}
	for _, x := range d.Uniforms {
		if x.Default == nil {
			continue
		}
		if err := v.writer.Set(x.Name, x.Default); err != nil {
			return nil, fmt.Errorf("uniform %q: the default does not fit: %w", x.Name, err)
		}
	}
	return v, nil
}

// copyTo makes c the same with a buffer of its own; nil makes a new one.
func (v *values) copyTo(c *values) *values {
	if c == nil {
		c = &values{layout: v.layout, writer: composer.NewUniformWriter(&v.layout), places: v.places}
		c.buffer = &material.Buffer{Name: v.buffer.Name, Data: c.writer.Bytes()}
	}
	copy(c.writer.Bytes(), v.writer.Bytes())
	c.from, c.to, c.version = 0, len(c.writer.Bytes()), max(c.version, v.version)
	return c
}

// write stores a value by way of set and widens the range that changed.
func (v *values) write(name string, set func(w *composer.UniformWriter) error) error {
	p, ok := v.places[name]
	if !ok {
		return ErrUndeclared
	}
	var before [64]byte // the largest type is a matrix
	old := append(before[:0], v.writer.Bytes()[p.from:p.to]...)
	if err := set(v.writer); err != nil {
		return fmt.Errorf("%w: %w", ErrValue, err)
	}
	if bytes.Equal(old, v.writer.Bytes()[p.from:p.to]) {
		return nil
	}
	if v.to == 0 {
		v.from, v.to = p.from, p.to
	} else {
		v.from, v.to = min(v.from, p.from), max(v.to, p.to)
	}
	v.version++
	return nil
}

// current is the buffer with everything that was set in it.
func (v *values) current() *material.Buffer {
	if v.to > 0 {
		v.buffer.Version++
		v.buffer.DirtyFrom, v.buffer.DirtyTo = v.from, v.to
		v.from, v.to = 0, 0
	}
	return v.buffer
}

// Set stores a uniform of the material's own, or alphaCutoff. The value must
// be of the declared type and number of components: float32 or float64 for
// f32, int and int32 for i32, int and uint32 for u32, slices or arrays of
// those for vectors and, column by column, matrices.
func (m *Material) Set(name string, v any) error {
	switch x := v.(type) {
	case float64:
		return m.SetFloat(name, x)
	case float32:
		return m.SetFloat(name, float64(x))
	}
	return m.write(name, func(w *composer.UniformWriter) error { return w.Set(name, v) })
}

// SetFloat stores an f32 uniform. It does not allocate.
func (m *Material) SetFloat(name string, x float64) error {
	if name == string(AlphaCutoff) && m.decl.has(AlphaCutoff) {
		m.slots.alphaCutoff = x
		return nil
	}
	return m.write(name, func(w *composer.UniformWriter) error { return w.SetFloat64s(name, x) })
}

// SetVec2 stores a vec2<f32> uniform.
func (m *Material) SetVec2(name string, x, y float64) error {
	return m.write(name, func(w *composer.UniformWriter) error { return w.SetFloat64s(name, x, y) })
}

// SetVec3 stores a vec3<f32> uniform.
func (m *Material) SetVec3(name string, v [3]float64) error {
	return m.write(name, func(w *composer.UniformWriter) error { return w.SetFloat64s(name, v[:]...) })
}

// SetVec4 stores a vec4<f32> uniform.
func (m *Material) SetVec4(name string, v [4]float64) error {
	return m.write(name, func(w *composer.UniformWriter) error { return w.SetFloat64s(name, v[:]...) })
}

// SetMatrix stores a mat4x4<f32> uniform, column by column.
func (m *Material) SetMatrix(name string, v [16]float64) error {
	return m.write(name, func(w *composer.UniformWriter) error { return w.SetFloat64s(name, v[:]...) })
}

func (m *Material) write(name string, set func(w *composer.UniformWriter) error) error {
	err := ErrUndeclared
	if m.values != nil {
		v := m.values
		if _, ok := v.places[name]; ok && m.source != nil && !m.private {
			m.spare = v.copyTo(m.spare)
			v = m.spare
		}
		if err = v.write(name, set); err == nil && v != m.values {
			m.values, m.private = v, true
		}
	}
	switch {
	case err == nil:
		return nil
	case err == ErrUndeclared && System(name).wgsl() != "":
		return fmt.Errorf("%s: uniform %q: %w: it is the renderer's to set", m.Label(), name, err)
	case err == ErrUndeclared:
		return fmt.Errorf("%s: uniform %q: %w; the material has %s", m.Label(), name, err, m.decl.uniformNames())
	}
	return fmt.Errorf("%s: uniform %q: %w", m.Label(), name, err)
}

// UniformVersion counts the changes of uniforms so far; setting what is there
// already is none.
func (m *Material) UniformVersion() uint64 {
	if m.values == nil {
		return 0
	}
	return m.values.version
}

func (d *declaration) has(s System) bool {
	for _, x := range d.System {
		if x == s {
			return true
		}
	}
	return false
}

func (d *declaration) uniformNames() string {
	list := make([]string, len(d.Uniforms))
	for i, u := range d.Uniforms {
		list[i] = u.Name
	}
	return listed(list)
}
