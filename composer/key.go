package composer

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"math"
)

// String is the key in hexadecimal.
func (k Key) String() string { return hex.EncodeToString(k[:]) }

// key hashes everything that a pipeline takes from the shader: the WGSL, the
// entry points and the layouts. Names of fragments and origins are no part of
// it. Every string is preceded by its length, so that no two shaders give the
// same bytes.
func (sh *Shader) key() Key {
	b := make([]byte, 0, 512+len(sh.VertexWGSL)+len(sh.FragmentWGSL)+96*(len(sh.Mesh)+len(sh.Shadow)+len(sh.Buffers)))
	num := func(n int) { b = binary.AppendVarint(b, int64(n)) }
	str := func(s string) { num(len(s)); b = append(b, s...) }
	flag := func(v bool) {
		if v {
			b = append(b, 1)
		} else {
			b = append(b, 0)
		}
	}
	str(sh.VertexWGSL)
	str(sh.FragmentWGSL)
	str(sh.VertexEntry)
	str(sh.FragmentEntry)
	for _, group := range [][]BindGroupEntry{sh.Mesh, sh.Shadow} {
		num(len(group))
		for i := range group {
			e := &group[i]
			num(e.Binding)
			num(int(e.Decl.Kind))
			num(int(e.Decl.Visibility))
			str(e.Decl.Name)
			str(e.Decl.Type)
			str(string(e.Decl.Sample))
			str(string(e.Decl.Sampler))
			str(string(e.Decl.Access))
			str(string(e.Decl.Format))
			str(string(e.Dimension))
			flag(e.Multisampled)
			num(e.MinSize)
		}
	}
	for _, u := range []*UBO{&sh.MeshUBO, &sh.MaterialUBO, &sh.InstanceUBO} {
		num(u.Size)
		num(len(u.Fields))
		for i := range u.Fields {
			str(u.Fields[i].Name)
			str(u.Fields[i].Type)
			num(u.Fields[i].Offset)
			num(u.Fields[i].Size)
		}
	}
	num(len(sh.Buffers))
	for i := range sh.Buffers {
		v := &sh.Buffers[i]
		str(v.Name)
		num(v.Stride)
		str(string(v.Step))
		num(len(v.Attributes))
		for _, a := range v.Attributes {
			str(a.Name)
			str(a.Type)
			str(string(a.Format))
			num(a.Offset)
			num(a.Location)
		}
	}
	num(len(sh.Outputs))
	for _, o := range sh.Outputs {
		str(o.Name)
		str(o.Type)
	}
	return sha256.Sum256(b)
}

// With is the key of the shader together with a pipeline's state: what a
// pipeline cache needs. States that mean the same share it, however they are
// spelled.
func (k Key) With(s State) Key {
	b := make([]byte, 0, 256)
	b = append(b, k[:]...)
	num := func(n int64) { b = binary.AppendVarint(b, n) }
	str := func(s string) { num(int64(len(s))); b = append(b, s...) }
	or := func(s, def string) {
		if s == "" {
			s = def
		}
		str(s)
	}
	num(int64(len(s.Targets)))
	for _, t := range s.Targets {
		str(string(t.Format))
		num(int64(t.Mask()))
		if t.Blend == nil {
			num(0)
			continue
		}
		n := t.Blend.Normalized()
		for _, c := range []BlendComponent{n.Color, n.Alpha} {
			str(string(c.Operation))
			str(string(c.Src))
			str(string(c.Dst))
		}
	}
	if d := s.DepthStencil; d == nil {
		num(0)
	} else {
		num(1)
		str(string(d.Format))
		or(string(d.Compare), string(CompareAlways))
		if d.Write {
			num(1)
		} else {
			num(0)
		}
		for _, f := range []StencilFace{d.Front, d.Back} {
			or(string(f.Compare), string(CompareAlways))
			or(string(f.Fail), string(StencilKeep))
			or(string(f.DepthFail), string(StencilKeep))
			or(string(f.Pass), string(StencilKeep))
		}
		num(int64(d.ReadMask))
		num(int64(d.WriteMask))
		num(int64(d.Bias))
		num(int64(math.Float32bits(d.BiasSlope)))
		num(int64(math.Float32bits(d.BiasClamp)))
	}
	or(string(s.Topology), string(TriangleList))
	or(string(s.Cull), string(CullNone))
	or(string(s.FrontFace), string(FrontCCW))
	num(int64(max(s.Samples, 1)))
	if s.AlphaToCoverage {
		num(1)
	} else {
		num(0)
	}
	return sha256.Sum256(b)
}
