package composer

import (
	"encoding/binary"
	"encoding/hex"
	"math"
	"sync"

	"github.com/zeebo/blake3"
)

// String is the key in hexadecimal.
func (k Key) String() string { return hex.EncodeToString(k[:]) }

// keyText is a sequence of values, each preceded by its length or of a fixed
// form, so that no two sequences give the same bytes.
type keyText []byte

// keyTexts are those that serve again: each is as long as a shader.
var keyTexts = sync.Pool{New: func() any { return new(keyText) }}

func newKeyText() *keyText {
	k := keyTexts.Get().(*keyText)
	*k = (*k)[:0]
	return k
}

// sum is the BLAKE3 hash of the text: as safe from two texts of one hash as
// SHA-256, in half its time.
func (k *keyText) sum() Key { return blake3.Sum256(*k) }

func (k *keyText) num(n int) { *k = binary.AppendVarint(*k, int64(n)) }

func (k *keyText) str(s string) {
	k.num(len(s))
	*k = append(*k, s...)
}

func (k *keyText) flag(v bool) {
	if v {
		k.num(1)
	} else {
		k.num(0)
	}
}

// key hashes everything that a pipeline takes from the shader: the WGSL, the
// entry points and the layouts. Names of fragments and origins are no part of it.
func (sh *Shader) key() Key {
	k := newKeyText()
	defer keyTexts.Put(k)
	k.str(sh.VertexWGSL)
	k.str(sh.FragmentWGSL)
	k.str(sh.VertexEntry)
	k.str(sh.FragmentEntry)
	for _, group := range [][]BindGroupEntry{sh.Mesh, sh.Shadow} {
		k.num(len(group))
		for i := range group {
			e := &group[i]
			k.num(e.Binding)
			k.num(int(e.Decl.Kind))
			k.num(int(e.Decl.Visibility))
			k.str(e.Decl.Name)
			k.str(e.Decl.Type)
			k.str(string(e.Decl.Sample))
			k.str(string(e.Decl.Sampler))
			k.str(string(e.Decl.Access))
			k.str(string(e.Decl.Format))
			k.str(string(e.Dimension))
			k.flag(e.Multisampled)
			k.num(e.MinSize)
		}
	}
	for _, u := range []*UBO{&sh.MeshUBO, &sh.MaterialUBO, &sh.InstanceUBO} {
		k.num(u.Size)
		k.num(len(u.Fields))
		for i := range u.Fields {
			k.str(u.Fields[i].Name)
			k.str(u.Fields[i].Type)
			k.num(u.Fields[i].Offset)
			k.num(u.Fields[i].Size)
		}
	}
	k.num(len(sh.Buffers))
	for i := range sh.Buffers {
		v := &sh.Buffers[i]
		k.str(v.Name)
		k.num(v.Stride)
		k.str(string(v.Step))
		k.num(len(v.Attributes))
		for i := range v.Attributes {
			a := &v.Attributes[i]
			k.str(a.Name)
			k.str(a.Type)
			k.str(string(a.Format))
			k.num(a.Offset)
			k.num(a.Location)
		}
	}
	k.num(len(sh.Outputs))
	for _, o := range sh.Outputs {
		k.str(o.Name)
		k.str(o.Type)
	}
	return k.sum()
}

// With is the key of the shader together with a pipeline's state: what a
// pipeline cache needs. States that mean the same share it, however they are
// spelled.
func (k Key) With(s State) Key {
	h := newKeyText()
	defer keyTexts.Put(h)
	h.str(string(k[:]))
	or := func(s, def string) {
		if s == "" {
			s = def
		}
		h.str(s)
	}
	h.num(len(s.Targets))
	for _, t := range s.Targets {
		h.str(string(t.Format))
		h.num(int(t.Mask()))
		h.flag(t.Blend != nil)
		if t.Blend == nil {
			continue
		}
		n := t.Blend.Normalized()
		for _, c := range []BlendComponent{n.Color, n.Alpha} {
			h.str(string(c.Operation))
			h.str(string(c.Src))
			h.str(string(c.Dst))
		}
	}
	h.flag(s.DepthStencil != nil)
	if d := s.DepthStencil; d != nil {
		h.str(string(d.Format))
		or(string(d.Compare), string(CompareAlways))
		h.flag(d.Write)
		for _, f := range []StencilFace{d.Front, d.Back} {
			or(string(f.Compare), string(CompareAlways))
			or(string(f.Fail), string(StencilKeep))
			or(string(f.DepthFail), string(StencilKeep))
			or(string(f.Pass), string(StencilKeep))
		}
		h.num(int(d.ReadMask))
		h.num(int(d.WriteMask))
		h.num(int(d.Bias))
		h.num(int(math.Float32bits(d.BiasSlope)))
		h.num(int(math.Float32bits(d.BiasClamp)))
	}
	or(string(s.Topology), string(TriangleList))
	or(string(s.Cull), string(CullNone))
	or(string(s.FrontFace), string(FrontCCW))
	h.num(max(s.Samples, 1))
	h.flag(s.AlphaToCoverage)
	return h.sum()
}
