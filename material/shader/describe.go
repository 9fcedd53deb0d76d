package shader

import (
	"encoding/binary"
	"math"
	"slices"

	"darkroom/material"
)

// Options are those that make the material again as it is now: what New was
// given, with the values of its uniforms for their defaults. What is bound
// (textures, externals, buffers, the alpha cutoff) is not among them. ok is
// false for a view whose fixed-function state is its own, which is code.
func (m *Material) Options() (o Options, ok bool) {
	o = m.decl.Options
	o.Name = m.name
	o.Uniforms = slices.Clone(o.Uniforms)
	for i, u := range o.Uniforms {
		for _, f := range m.values.layout.Fields {
			if f.Name == u.Name {
				o.Uniforms[i].Default = decode(f.Type, m.values.writer.Bytes()[f.Offset:f.Offset+f.Size])
			}
		}
	}
	return o, m.change == nil
}

// Buffer is what is bound to a declared storage buffer, nil for nothing.
func (m *Material) Buffer(name string) *material.Buffer { return m.slots.buffers[name] }

// AlphaCutoff is the value of the system uniform of that name.
func (m *Material) AlphaCutoff() float64 { return m.slots.alphaCutoff }

// decode reads a value of a uniform's WGSL type as Set takes it.
func decode(typ string, b []byte) any {
	switch typ {
	case "i32":
		return int32(binary.LittleEndian.Uint32(b))
	case "u32":
		return binary.LittleEndian.Uint32(b)
	}
	// Everything else is floats without gaps.
	out := make([]float64, len(b)/4)
	for i := range out {
		out[i] = float64(math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:])))
	}
	if len(out) == 1 {
		return out[0]
	}
	return out
}
