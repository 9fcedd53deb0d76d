package instances

import (
	_ "embed"
	"encoding/binary"
	"fmt"
	"math"
	"strings"

	"darkroom/composer"
	"darkroom/material"
	"darkroom/material/surface"
)

// Cull is a sphere about the mesh in its own space. An instance whose sphere
// lies outside of the view is not drawn; the order of the others stays, so
// that the picture is the same to the bit. A skin, a morph target or a shader
// that moves vertices wants a larger radius.
type Cull struct {
	Center [3]float64
	Radius float64
}

// groupSize is the number of instances of one workgroup.
const groupSize = 256

// maxCulled is the number of instances that one dispatch reaches: WebGPU
// guarantees 65,535 workgroups in a row.
const maxCulled = 65535 * groupSize

// scratch is what one draw of a pass needs on the device.
type scratch struct {
	count                    int
	marks, starts, arguments *material.Buffer
	// Of the visible instances.
	matrices, colors *material.Buffer
	previous         *material.Buffer // matrices of the frame before, where velocity is stored
	values           []*material.Buffer
}

func newScratch(n int, colors, velocity bool, values int) *scratch {
	groups := (n + groupSize - 1) / groupSize
	zeros := func(name string, size int) *material.Buffer { return &material.Buffer{Name: name, Zeros: size} }
	s := &scratch{count: n, marks: zeros("instance marks", groups*groupSize/8), starts: zeros("instance sums", groups*4), arguments: zeros("draw arguments", 20), matrices: zeros("visible matrices", n*64)}
	if colors {
		s.colors = zeros("visible colours", n*16)
	}
	if velocity {
		s.previous = zeros("visible matrices of the frame before", n*64)
	}
	for range values {
		s.values = append(s.values, zeros("visible values", n*16))
	}
	return s
}

// Prepare implements material.Indirect.
func (t *Thin) Prepare(c *material.Context, elements, use int) ([]material.Compute, *material.Buffer, error) {
	t.visible = nil
	if t.Cull == nil {
		return nil, nil, nil
	}
	k := t.Cull
	for _, x := range append(k.Center[:], k.Radius) {
		if math.IsNaN(x) || math.IsInf(x, 0) || k.Radius < 0 {
			return nil, nil, fmt.Errorf("instances: the sphere with the centre %v and the radius %g cannot be culled; give finite numbers", k.Center, k.Radius)
		}
	}
	if t.Count < 1 || t.Count > maxCulled || len(t.Matrices.Data) < t.Count*64 || t.Colors != nil && len(t.Colors.Data) < t.Count*16 {
		return nil, nil, fmt.Errorf("instances: %d cannot be culled; want 1 to %d with a matrix each, and a colour where there are any", t.Count, maxCulled)
	}
	for _, v := range t.Values {
		if v.Buffer == nil || len(v.Buffer.Data) < t.Count*16 {
			return nil, nil, fmt.Errorf("instances: there are fewer values %s than the %d instances", v.Name, t.Count)
		}
	}
	for len(t.scratch) <= use {
		t.scratch = append(t.scratch, nil)
	}
	s, velocity := t.scratch[use], surface.StoresVelocity(c)
	if s == nil || s.count != t.Count || (s.colors != nil) != (t.Colors != nil) || (s.previous != nil) != velocity || len(s.values) != len(t.Values) {
		s = newScratch(t.Count, t.Colors != nil, velocity, len(t.Values))
		t.scratch[use] = s
	}
	t.visible = s
	groups := (t.Count + groupSize - 1) / groupSize
	params := &material.Buffer{Name: "cull", Data: k.params(&c.System, t.Count, elements, groups)}
	read := func(name, typ string, b *material.Buffer) bound {
		return bound{composer.Binding{Name: name, Kind: composer.BindStorage, Type: typ, Access: composer.AccessRead}, b, false}
	}
	write := func(name, typ string, b *material.Buffer) bound {
		return bound{composer.Binding{Name: name, Kind: composer.BindStorage, Type: typ, Access: composer.AccessReadWrite}, b, false}
	}
	const mat, words, vec = "array<mat4x4<f32>>", "array<u32>", "array<vec4<f32>>"
	gatherFrom := func(values bound, kept *material.Buffer) *kernel {
		typ := values.binding.Type
		return newKernel("gather", strings.ReplaceAll(gatherWGSL, "array<VALUE>", typ), groups, params, read("marks", words, s.marks), read("starts", words, s.starts), values, write("kept", typ, kept))
	}
	gather := func(values, kept *material.Buffer, typ string) *kernel {
		return gatherFrom(read("values", typ, values), kept)
	}
	list := []material.Compute{
		newKernel("mark", markWGSL, groups, params, read("matrices", mat, t.Matrices), write("marks", words, s.marks), write("starts", words, s.starts)),
		newKernel("sum", sumWGSL, 1, params, write("starts", words, s.starts), write("arguments", words, s.arguments)),
		gather(t.Matrices, s.matrices, mat),
	}
	if velocity {
		before := read("values", mat, t.Matrices)
		before.before = true
		list = append(list, gatherFrom(before, s.previous))
	}
	if t.Colors != nil {
		list = append(list, gather(t.Colors, s.colors, vec))
	}
	for i, v := range t.Values {
		list = append(list, gather(v.Buffer, s.values[i], vec))
	}
	return list, s.arguments, nil
}

// params packs the struct Cull of cull.wgsl.
func (k *Cull) params(s *material.System, count, elements, groups int) []byte {
	out := make([]byte, 0, 192)
	for _, p := range planes(s.ViewProjection) {
		out = pack(out, p[:])
	}
	out = pack(out, s.World[:])
	out = pack(out, append(k.Center[:], k.Radius))
	for _, n := range []int{count, elements, groups, 0} {
		out = binary.LittleEndian.AppendUint32(out, uint32(n))
	}
	return out
}

// planes are the sides of the view, inwards (Gribb and Hartmann, "Fast
// extraction of viewing frustum planes", 2001): clip space is -w ≤ x, y ≤ w and
// 0 ≤ z ≤ w, whichever way depth runs. A side that is infinitely far is zero.
func planes(m [16]float64) (out [6][4]float64) {
	row := func(i int) [4]float64 { return [4]float64{m[i], m[i+4], m[i+8], m[i+12]} }
	x, y, z, w := row(0), row(1), row(2), row(3)
	for i, p := range [6]struct {
		a [4]float64
		s float64
	}{{x, 1}, {x, -1}, {y, 1}, {y, -1}, {z, -1}, {z, 0}} {
		for k := range 4 {
			if out[i][k] = w[k] + p.s*p.a[k]; p.s == 0 {
				out[i][k] = p.a[k]
			}
		}
		n := math.Sqrt(out[i][0]*out[i][0] + out[i][1]*out[i][1] + out[i][2]*out[i][2])
		if n < 1e-12 {
			out[i] = [4]float64{}
			continue
		}
		for k := range 4 {
			out[i][k] /= n
		}
	}
	return out
}

var (
	//go:embed cull.wgsl
	cullWGSL string
	//go:embed mark.wgsl
	markWGSL string
	//go:embed sum.wgsl
	sumWGSL string
	//go:embed gather.wgsl
	gatherWGSL string
)

type bound struct {
	binding composer.Binding
	buffer  *material.Buffer
	before  bool // what the buffer held in the frame before
}

// kernel is a material.Compute over rows of workgroups.
type kernel struct {
	name, wgsl string
	groups     int
	bound      []bound
}

func newKernel(name, wgsl string, groups int, params *material.Buffer, list ...bound) *kernel {
	cull := bound{composer.Binding{Name: "cull", Kind: composer.BindUniform, Type: "Cull"}, params, false}
	return &kernel{name, cullWGSL + wgsl, groups, append([]bound{cull}, list...)}
}

// Label implements material.Compute.
func (k *kernel) Label() string { return "instances: " + k.name }

// Source implements material.Compute.
func (k *kernel) Source() (string, []composer.Binding) {
	list := make([]composer.Binding, len(k.bound))
	for i, b := range k.bound {
		list[i] = b.binding
	}
	return k.wgsl, list
}

// Resources implements material.Compute.
func (k *kernel) Resources(r material.Resources) error {
	for _, b := range k.bound {
		if b.before {
			r.BufferBefore(b.binding.Name, b.buffer)
		} else {
			r.Buffer(b.binding.Name, b.buffer)
		}
	}
	return nil
}

// Workgroups implements material.Compute.
func (k *kernel) Workgroups() [3]int { return [3]int{k.groups, 1, 1} }
