// Package instances draws a mesh many times in one call: a matrix, and
// optionally a colour, per instance.
package instances

import (
	"encoding/binary"
	"math"

	"darkroom/composer"
	"darkroom/material"
)

// Thin are the instances of a mesh, a material.Feature. Set Mesh.Instances to
// Count.
type Thin struct {
	Count    int
	Matrices *material.Buffer // 64 bytes each, column-major float32
	Colors   *material.Buffer // 16 bytes each, RGBA float32; nil for none
	// Cull, where set, leaves out what lies outside of the view, on the device.
	Cull *Cull

	scratch []*scratch
	visible *scratch // of the draw being prepared; nil: all are drawn
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

func pack(dst []byte, v []float64) []byte {
	for _, x := range v {
		dst = binary.LittleEndian.AppendUint32(dst, math.Float32bits(float32(x)))
	}
	return dst
}

// Streams implements material.StreamProvider.
func (t *Thin) Streams() map[string]composer.VertexFormat {
	s := map[string]composer.VertexFormat{"world0": "float32x4", "world1": "float32x4", "world2": "float32x4", "world3": "float32x4"}
	if t.Colors != nil {
		s["instanceColor"] = "float32x4"
	}
	return s
}

// Fragments implements material.Feature.
func (t *Thin) Fragments(*material.Context) []*composer.Fragment {
	f := &composer.Fragment{
		ID: "thin-instances",
		Slots: map[composer.Slot]string{
			composer.SlotVertexWorld: "finalWorld = finalWorld * mat4x4<f32>(input.world0, input.world1, input.world2, input.world3);",
		},
	}
	for i, n := range []string{"world0", "world1", "world2", "world3"} {
		f.Attributes = append(f.Attributes, composer.Attribute{Name: n, Type: "vec4<f32>", Format: "float32x4", Step: composer.StepInstance, Buffer: "instances", Offset: i * 16, Stride: 64})
	}
	return []*composer.Fragment{f}
}

// Uniforms implements material.Feature.
func (t *Thin) Uniforms(*material.Context, material.Writer) error { return nil }

// Resources implements material.Feature.
func (t *Thin) Resources(_ *material.Context, r material.Resources) error {
	matrices, colors := t.Matrices, t.Colors
	if t.visible != nil {
		matrices, colors = t.visible.matrices, t.visible.colors
	}
	r.VertexBuffer("instances", matrices)
	if colors != nil {
		r.VertexBuffer("instanceColor", colors)
	}
	return nil
}
