// Package instances draws a mesh many times in one call: a matrix, and
// optionally a colour, per instance.
package instances

import (
	"encoding/binary"
	"fmt"
	"math"

	"darkroom/composer"
	"darkroom/material"
	"darkroom/material/surface"
)

// Thin are the instances of a mesh, a material.Feature. Set Mesh.Instances to
// Count.
type Thin struct {
	Count    int
	Matrices *material.Buffer // 64 bytes each, column-major float32
	Colors   *material.Buffer // 16 bytes each, RGBA float32; nil for none
	// Values are further numbers for each instance, which features and shaders read.
	Values []Values
	// Cull, where set, leaves out what lies outside of the view, on the device.
	Cull *Cull

	scratch []*scratch
	visible *scratch // of the draw being prepared; nil: all are drawn
}

// Values are four numbers for each instance, a vec4<f32> that shaders read as
// the attribute Name, at the instances' rate.
type Values struct {
	Name   string
	Buffer *material.Buffer // 16 bytes each, float32
}

// NewValues packs four numbers for each instance.
func NewValues(name string, list [][4]float64) Values {
	b := &material.Buffer{Name: "instances' " + name, Data: make([]byte, 0, len(list)*16)}
	for i := range list {
		b.Data = pack(b.Data, list[i][:])
	}
	return Values{name, b}
}

// New packs matrices (16 values each) and colours (4 each, or none).
func New(matrices [][16]float64, colors [][4]float64) *Thin {
	t := &Thin{Count: len(matrices), Matrices: &material.Buffer{Name: "instance matrices", Data: make([]byte, 0, len(matrices)*64)}}
	for i := range matrices {
		t.Matrices.Data = pack(t.Matrices.Data, matrices[i][:])
	}
	if len(colors) > 0 {
		t.Colors = &material.Buffer{Name: "instance colours", Data: make([]byte, 0, len(colors)*16)}
		for i := range colors {
			t.Colors.Data = pack(t.Colors.Data, colors[i][:])
		}
	}
	return t
}

// Set replaces the matrices; there must be as many as there are instances. It
// keeps the version where nothing changes.
func (t *Thin) Set(matrices [][16]float64) error {
	if len(matrices) != t.Count {
		return fmt.Errorf("instances: %d matrices are set for %d instances; give each one", len(matrices), t.Count)
	}
	data := make([]byte, 0, len(matrices)*64)
	for i := range matrices {
		data = pack(data, matrices[i][:])
	}
	if string(data) != string(t.Matrices.Data) {
		t.Matrices.Data = data
		t.Matrices.Version++
	}
	return nil
}

func pack(dst []byte, v []float64) []byte {
	for _, x := range v {
		dst = binary.LittleEndian.AppendUint32(dst, math.Float32bits(float32(x)))
	}
	return dst
}

// Matrix returns instance i's matrix as the GPU sees it.
func (t *Thin) Matrix(i int) (m [16]float64) {
	for k := range m {
		m[k] = float64(math.Float32frombits(binary.LittleEndian.Uint32(t.Matrices.Data[i*64+k*4:])))
	}
	return m
}

// Streams implements material.StreamProvider.
func (t *Thin) Streams() map[string]composer.VertexFormat {
	s := map[string]composer.VertexFormat{"world0": "float32x4", "world1": "float32x4", "world2": "float32x4", "world3": "float32x4"}
	if t.Colors != nil {
		s["instanceColor"] = "float32x4"
	}
	for _, v := range t.Values {
		s[v.Name] = "float32x4"
	}
	return s
}

// previousInstances are the matrices of the frame before.
const previousInstances = "previousInstanceMatrices"

// Fragments implements material.Feature.
func (t *Thin) Fragments(c *material.Context) []*composer.Fragment {
	code := "finalWorld = finalWorld * mat4x4<f32>(input.world0, input.world1, input.world2, input.world3);"
	f := &composer.Fragment{ID: "thin-instances"}
	if surface.StoresVelocity(c) {
		// Attributes would be too many beside joints.
		f.VertexBuiltins = []composer.Builtin{{Name: "instanceIndex", Builtin: "instance_index", Type: "u32"}}
		f.VertexBindings = []composer.Binding{{Name: previousInstances, Kind: composer.BindStorage, Type: "array<mat4x4<f32>>", Visibility: composer.StageVertex}}
		code += "\npreviousWorld = previousWorld * " + previousInstances + "[instanceIndex];"
	}
	f.Slots = map[composer.Slot]string{composer.SlotVertexWorld: code}
	for i, n := range []string{"world0", "world1", "world2", "world3"} {
		f.Attributes = append(f.Attributes, composer.Attribute{Name: n, Type: "vec4<f32>", Format: "float32x4", Step: composer.StepInstance, Buffer: "instances", Offset: i * 16, Stride: 64})
	}
	return []*composer.Fragment{f}
}

// Uniforms implements material.Feature.
func (t *Thin) Uniforms(*material.Context, material.Writer) error { return nil }

// Resources implements material.Feature.
func (t *Thin) Resources(c *material.Context, r material.Resources) error {
	matrices, colors := t.Matrices, t.Colors
	if t.visible != nil {
		matrices, colors = t.visible.matrices, t.visible.colors
	}
	for i, v := range t.Values {
		if t.visible != nil {
			r.VertexBuffer(v.Name, t.visible.values[i])
		} else {
			r.VertexBuffer(v.Name, v.Buffer)
		}
	}
	r.VertexBuffer("instances", matrices)
	switch {
	case !surface.StoresVelocity(c):
	case t.visible != nil:
		r.Buffer(previousInstances, t.visible.previous)
	default:
		r.BufferBefore(previousInstances, t.Matrices)
	}
	if colors != nil {
		r.VertexBuffer("instanceColor", colors)
	}
	return nil
}
