// Package skin moves vertices with joints: linear blend skinning with four or
// eight joints for each vertex.
package skin

import (
	"encoding/binary"
	"math"
	"slices"

	"darkroom/composer"
	"darkroom/material"
	"darkroom/material/surface"
)

// Skin is a set of joint matrices, a material.Feature of the meshes that
// follow them. A mesh needs the streams joints and weights (four of each), and
// joints1 and weights1 for four more.
type Skin struct {
	Name string
	// Matrices are the joints' matrices as column-major float32, 64 bytes each.
	Matrices *material.Buffer
}

// New returns a skin of n joints that moves nothing.
func New(name string, n int) *Skin {
	s := &Skin{Name: name, Matrices: &material.Buffer{Name: "skin " + name, Data: make([]byte, 64*n)}}
	for i := range n {
		for k := range 4 {
			binary.LittleEndian.PutUint32(s.Matrices.Data[i*64+k*20:], math.Float32bits(1))
		}
	}
	return s
}

// Set replaces the matrices, column-major: from the mesh's space in the bind
// pose to its space in the pose. It keeps the version where nothing changes.
func (s *Skin) Set(matrices [][16]float64) {
	data := make([]byte, 0, len(matrices)*64)
	for i := range matrices {
		for _, x := range matrices[i] {
			data = binary.LittleEndian.AppendUint32(data, math.Float32bits(float32(x)))
		}
	}
	if string(data) == string(s.Matrices.Data) {
		return
	}
	s.Matrices.Data = data
	s.Matrices.Version++
}

// Joints returns the number of joints.
func (s *Skin) Joints() int { return len(s.Matrices.Data) / 64 }

// Matrix returns joint i's matrix as the GPU sees it.
func (s *Skin) Matrix(i int) (m [16]float64) {
	for k := range m {
		m[k] = float64(math.Float32frombits(binary.LittleEndian.Uint32(s.Matrices.Data[i*64+k*4:])))
	}
	return m
}

// Fragments implements material.Feature.
func (s *Skin) Fragments(c *material.Context) []*composer.Fragment {
	if !c.Has("joints") || !c.Has("weights") {
		return nil
	}
	f := &composer.Fragment{
		ID:             "skin",
		VertexBindings: []composer.Binding{{Name: "jointMatrices", Kind: composer.BindStorage, Type: "array<mat4x4<f32>>", Visibility: composer.StageVertex}},
	}
	code := blend(c, f, "influence", func(joint string) string { return "jointMatrices[" + joint + "]" })
	code += pose("influence")
	if surface.StoresVelocity(c) {
		f.VertexBindings = append(f.VertexBindings, composer.Binding{Name: previousJoints, Kind: composer.BindStorage, Type: "array<mat4x4<f32>>", Visibility: composer.StageVertex})
		code += "\n" + blend(c, f, "previousInfluence", func(joint string) string { return previousJoints + "[" + joint + "]" }) + previously("previousInfluence")
	}
	f.Slots = map[composer.Slot]string{surface.SlotPose: code}
	return []*composer.Fragment{f}
}

// previousJoints are the joints' matrices of the frame before.
const previousJoints = "previousJointMatrices"

// previously applies a matrix of joints of the frame before.
func previously(matrix string) string { return "\npreviousWorld = previousWorld * " + matrix + ";" }

// pose applies a matrix of joints.
func pose(matrix string) string {
	return "\nfinalWorld = finalWorld * " + matrix + ";\nnormalWorld3 = normalWorld3 * mat3x3<f32>(" + matrix + "[0].xyz, " + matrix + "[1].xyz, " + matrix + "[2].xyz);"
}

// blend declares what f reads of the joints and returns the code of a variable
// with the weighted sum of their matrices: joint by joint, then set by set, as
// the reference engine sums them.
func blend(c *material.Context, f *composer.Fragment, variable string, matrix func(joint string) string) string {
	code := ""
	for _, set := range []string{"", "1"} {
		j, w := "joints"+set, "weights"+set
		if !c.Has(j) || !c.Has(w) {
			continue
		}
		if !slices.ContainsFunc(f.Attributes, func(a composer.Attribute) bool { return a.Name == j }) {
			f.Attributes = append(f.Attributes,
				composer.Attribute{Name: j, Type: "vec4<u32>", Format: "uint32x4"},
				composer.Attribute{Name: w, Type: "vec4<f32>", Format: "float32x4"})
		}
		for i, k := range []string{"x", "y", "z", "w"} {
			term := matrix("input."+j+"."+k) + " * input." + w + "." + k
			if set == "" && i == 0 {
				code = "var " + variable + " = " + term + ";"
			} else {
				code += "\n" + variable + " += " + term + ";"
			}
		}
	}
	return code
}

// Uniforms implements material.Feature.
func (s *Skin) Uniforms(*material.Context, material.Writer) error { return nil }

// Resources implements material.Feature.
func (s *Skin) Resources(c *material.Context, r material.Resources) error {
	r.Buffer("jointMatrices", s.Matrices)
	if surface.StoresVelocity(c) {
		r.BufferBefore(previousJoints, s.Matrices)
	}
	return nil
}
