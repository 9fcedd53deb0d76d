package shader

import "darkroom/material"

// View returns a material that draws m with fixed-function state of its own:
// change gets m's state and alters it. A view shares m's shader, textures and
// external textures, whichever of the two they are bound through, and borrows
// its uniforms until one is set through the view, which then has values of its
// own, starting from m's.
func (m *Material) View(name string, change func(*material.State)) *Material {
	source := m
	if m.source != nil {
		source = m.source
	}
	v := &Material{name: name, decl: m.decl, slots: m.slots, values: m.values, source: source, change: change}
	if outer := m.change; outer != nil {
		v.change = func(s *material.State) {
			outer(s)
			if change != nil {
				change(s)
			}
		}
	}
	return v
}

// Source is the material that m is a view of, nil for none.
func (m *Material) Source() *Material { return m.source }

// ReleaseUniforms drops the values that were set through the view, which
// borrows its source's again. On a material that has none of its own, or is no
// view, it does nothing, nor does a second call.
func (m *Material) ReleaseUniforms() {
	if m.private {
		m.values, m.private = m.source.values, false
	}
}
