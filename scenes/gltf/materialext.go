package gltf

import (
	"encoding/json"
	"strings"

	"github.com/qmuntal/gltf"

	"darkroom/material/pbr"
)

// materialExtensions reads the KHR_materials_* extensions of a material. What
// they leave out has the defaults of their specifications.
func (l *loader) materialExtensions(m *pbr.Material, i int, o string) error {
	g := l.doc.Materials[i]
	var err error
	if m.Unlit, err = extension(g.Extensions, "KHR_materials_unlit", o, &struct{}{}); err != nil {
		return err
	}
	e := &emission{factor: m.Emissive, strength: 1, material: m}
	if err := e.read(g.Extensions, o); err != nil {
		return err
	}
	if !l.dry {
		if l.emissions == nil {
			l.emissions = map[int]*emission{}
		}
		l.emissions[i] = e
	}
	for _, p := range l.materialParts() {
		if p.path != "" {
			if err := l.readPart(&p, m, i, o); err != nil {
				return err
			}
		}
		l.ranges(&p, m, o)
	}
	for _, x := range m.Emissive {
		l.range1(o, "a component of the emission", x, 0, inf)
	}
	return nil
}

// materialParts is the table of [materialParts], made once a load.
func (l *loader) materialParts() []part {
	if l.parts == nil {
		l.parts = materialParts()
	}
	return l.parts
}

// readPart reads an extension of material i into m, where the file has it.
func (l *loader) readPart(p *part, m *pbr.Material, i int, o string) error {
	name := strings.TrimSuffix(strings.TrimPrefix(p.path, "extensions/"), "/")
	var raw map[string]json.RawMessage
	ok, err := extension(l.doc.Materials[i].Extensions, name, o, &raw)
	if err != nil || !ok {
		return err
	}
	if name == "KHR_materials_transmission" && !l.moves(i, p.path) {
		// A material that lets nothing through is an opaque one.
		var x struct {
			TransmissionFactor float64 `json:"transmissionFactor"`
		}
		if _, err := extension(l.doc.Materials[i].Extensions, name, o, &x); err != nil || x.TransmissionFactor == 0 {
			return err
		}
	}
	if p.make != nil {
		p.make(m)
	}
	for _, n := range p.numbers {
		fields := n.at(m)
		values, err := n.read(raw, name, o, len(fields))
		if err != nil {
			return err
		}
		for k, f := range fields {
			if values == nil {
				*f = n.def
				continue
			}
			*f = values[k]
			if n.store != nil {
				*f = n.store(values[k])
			}
		}
	}
	if name == "KHR_materials_ior" && m.IOR < 1 {
		return bad(o, "KHR_materials_ior.ior is %g, want 0, or 1 or more", m.IOR)
	}
	for _, s := range p.textures {
		text := raw[s.name]
		if text == nil {
			continue
		}
		t := new(textureInfo)
		if len(text) == 0 || text[0] != '{' {
			return bad(o, "extension %s: %s is %s, want an object", name, s.name, jsonKind(text))
		}
		if err := decode(text, t); err != nil {
			return bad(o, "extension %s: %s.%s", name, s.name, jsonText(err, nil))
		}
		if *s.at(m), err = l.channel(o, s.name, t, s.srgb); err != nil {
			return err
		}
	}
	return nil
}

// read reads a number, or a list of n of them, from an extension's object; nil:
// it is not there.
func (n *number) read(raw map[string]json.RawMessage, name, o string, count int) ([]float64, error) {
	text := raw[n.name]
	if object, property, ok := strings.Cut(n.name, "/"); ok {
		var inner map[string]json.RawMessage
		if raw[object] == nil || json.Unmarshal(raw[object], &inner) != nil {
			return nil, nil // who reads the object says what is wrong with it
		}
		text = inner[property]
	}
	if text == nil || string(text) == "null" {
		return nil, nil
	}
	if count == 1 {
		values := make([]float64, 1)
		if err := json.Unmarshal(text, &values[0]); err != nil {
			return nil, bad(o, "extension %s: %s is %s, want a number", name, n.name, jsonKind(text))
		}
		return values, nil
	}
	var values []float64
	if err := json.Unmarshal(text, &values); err != nil {
		return nil, bad(o, "extension %s: %s is no list of numbers", name, n.name)
	}
	return values, length(o, n.name, &values, count)
}

// ranges warns of what the specifications do not allow. It is used as it is.
func (l *loader) ranges(p *part, m *pbr.Material, o string) {
	if !p.has(m) {
		return
	}
	for _, n := range p.numbers {
		if n.store != nil {
			continue // the field does not hold what the file says
		}
		fields := n.at(m)
		name := n.name[strings.LastIndexByte(n.name, '/')+1:]
		if len(fields) > 1 {
			name = "a component of " + name
		}
		for _, f := range fields {
			l.range1(o, name, *f, n.lo, n.hi)
		}
	}
}

func (l *loader) range1(o, name string, x, lo, hi float64) {
	switch {
	case x >= lo && x <= hi:
	case hi == inf:
		l.warn("%s: %s is %g, want %g or more", o, name, x, lo)
	default:
		l.warn("%s: %s is %g, want %g to %g", o, name, x, lo, hi)
	}
}

// factor is a number with a default.
func factor(x *float64, def float64) float64 {
	if x == nil {
		return def
	}
	return *x
}

// emission is what a material emits: the core's factor times the strength of
// KHR_materials_emissive_strength.
type emission struct {
	factor   [3]float64
	strength float64
	material *pbr.Material
}

func (e *emission) set() {
	for i, x := range e.factor {
		e.material.Emissive[i] = x * e.strength
	}
}

func (e *emission) read(x gltf.Extensions, o string) error {
	var s struct {
		EmissiveStrength *float64 `json:"emissiveStrength"`
	}
	if _, err := extension(x, "KHR_materials_emissive_strength", o, &s); err != nil {
		return err
	}
	e.strength = factor(s.EmissiveStrength, 1)
	e.set()
	return nil
}
