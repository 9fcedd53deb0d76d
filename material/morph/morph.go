// Package morph deforms a mesh by weighted targets.
package morph

import (
	"encoding/binary"
	"fmt"
	"math"

	"darkroom/composer"
	"darkroom/material"
)

// Target is one shape: differences from the mesh, three values a vertex; nil
// slices change nothing.
type Target struct {
	Name                         string
	Positions, Normals, Tangents []float32
}

// Morph is a material.Feature that adds targets to a mesh. Weights may change
// between frames; the targets may not.
type Morph struct {
	Weights []float64

	targets  int
	vertices int
	normals  bool
	tangents bool
	data     *material.Buffer
}

// MaxTargets is the number of targets that one mesh can have.
const MaxTargets = 256

// New packs targets of a mesh with the given number of vertices. The weights
// start as given; missing ones are 0.
func New(vertices int, targets []Target, weights []float64) (*Morph, error) {
	if len(targets) == 0 || len(targets) > MaxTargets {
		return nil, fmt.Errorf("morph: %d targets, want 1 to %d", len(targets), MaxTargets)
	}
	m := &Morph{Weights: append(append([]float64(nil), weights...), make([]float64, max(0, len(targets)-len(weights)))...)[:len(targets)], targets: len(targets), vertices: vertices}
	for _, t := range targets {
		for _, s := range []struct {
			name string
			v    []float32
		}{{"positions", t.Positions}, {"normals", t.Normals}, {"tangents", t.Tangents}} {
			if s.v != nil && len(s.v) != vertices*3 {
				return nil, fmt.Errorf("morph target %s: %d %s values for %d vertices, want %d", t.Name, len(s.v), s.name, vertices, vertices*3)
			}
		}
		m.normals = m.normals || t.Normals != nil
		m.tangents = m.tangents || t.Tangents != nil
	}
	stride := m.stride()
	data := make([]byte, len(targets)*vertices*stride*4)
	put := func(target, vertex, at int, v []float32) {
		if v == nil {
			return
		}
		o := ((target*vertices+vertex)*stride + at) * 4
		for i := range 3 {
			binary.LittleEndian.PutUint32(data[o+i*4:], math.Float32bits(v[vertex*3+i]))
		}
	}
	for i, t := range targets {
		for v := range vertices {
			put(i, v, 0, t.Positions)
			if m.normals {
				put(i, v, 3, t.Normals)
			}
			if m.tangents {
				put(i, v, stride-3, t.Tangents)
			}
		}
	}
	m.data = &material.Buffer{Name: "morph targets", Data: data}
	return m, nil
}

// stride is the number of floats of one vertex of one target.
func (m *Morph) stride() int {
	n := 3
	if m.normals {
		n += 3
	}
	if m.tangents {
		n += 3
	}
	return n
}

// Fragments implements material.Feature.
func (m *Morph) Fragments(c *material.Context) []*composer.Fragment {
	rows := (m.targets + 3) / 4
	stride := m.stride()
	code := fmt.Sprintf("for (var morphTarget = 0u; morphTarget < %du; morphTarget++) {\n    let morphWeight = %s[morphTarget / 4u][morphTarget %% 4u];\n    let morphAt = (morphTarget * %du + vertexIndex) * %du;\n", m.targets, c.MeshField("morphWeights"), m.vertices, stride)
	code += "    positionLocal += morphWeight * morphDelta(morphAt);\n"
	if m.normals && c.Has("normal") {
		code += "    normalLocal += morphWeight * morphDelta(morphAt + 3u);\n"
	}
	if m.tangents && c.Has("tangent") {
		code += fmt.Sprintf("    tangentLocal = vec4<f32>(tangentLocal.xyz + morphWeight * morphDelta(morphAt + %du), tangentLocal.w);\n", stride-3)
	}
	return []*composer.Fragment{{
		ID:             fmt.Sprintf("morph-%d", m.targets),
		VertexBuiltins: []composer.Builtin{{Name: "vertexIndex", Builtin: "vertex_index", Type: "u32"}},
		VertexBindings: []composer.Binding{{Name: "morphTargets", Kind: composer.BindStorage, Type: "array<f32>", Access: composer.AccessRead, Visibility: composer.StageVertex}},
		VertexHelpers:  "fn morphDelta(at: u32) -> vec3<f32> {\n    return vec3<f32>(morphTargets[at], morphTargets[at + 1u], morphTargets[at + 2u]);\n}",
		MeshFields:     []composer.Field{{Name: "morphWeights", Type: fmt.Sprintf("array<vec4<f32>, %d>", rows)}},
		Slots:          map[composer.Slot]string{composer.SlotVertexBefore: code + "}"},
	}}
}

// Uniforms implements material.Feature.
func (m *Morph) Uniforms(c *material.Context, w material.Writer) error {
	w.Set("morphWeights", append(append([]float64(nil), m.Weights...), make([]float64, (4-m.targets%4)%4)...))
	return nil
}

// Resources implements material.Feature.
func (m *Morph) Resources(c *material.Context, r material.Resources) error {
	r.Buffer("morphTargets", m.data)
	return nil
}

// With returns a feature that shares m's targets and has weights of its own,
// for another mesh of the same geometry.
func (m *Morph) With(weights []float64) *Morph {
	c := *m
	c.Weights = make([]float64, m.targets)
	copy(c.Weights, weights)
	return &c
}

// Targets is the number of targets.
func (m *Morph) Targets() int { return m.targets }

// Vertices is the number of vertices of the mesh.
func (m *Morph) Vertices() int { return m.vertices }

// Shapes returns the targets as New takes them. Streams that no target had are nil.
func (m *Morph) Shapes() []Target {
	out := make([]Target, m.targets)
	stride := m.stride()
	get := func(target, at int) []float32 {
		v := make([]float32, 0, m.vertices*3)
		for i := range m.vertices {
			o := ((target*m.vertices+i)*stride + at) * 4
			for k := range 3 {
				v = append(v, math.Float32frombits(binary.LittleEndian.Uint32(m.data.Data[o+k*4:])))
			}
		}
		return v
	}
	for i := range out {
		out[i].Positions = get(i, 0)
		if m.normals {
			out[i].Normals = get(i, 3)
		}
		if m.tangents {
			out[i].Tangents = get(i, stride-3)
		}
	}
	return out
}
