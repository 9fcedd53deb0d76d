// Package streams gives a mesh vertex streams that lie, packed and interleaved
// as they please, in a buffer of the user's own, which a compute shader may fill.
package streams

import (
	"fmt"
	"slices"

	"darkroom/composer"
	"darkroom/material"
)

// Stream is a vertex attribute within an element of a buffer.
type Stream struct {
	Name   string
	Format composer.VertexFormat
	Offset int // bytes from the element's start
}

// Packed are streams of one buffer, a material.Feature of the meshes that read
// them. They replace the mesh's own streams of the same names. Materials with
// the same attributes share a pipeline where Stride, offsets and formats are
// the same, whichever the buffer.
type Packed struct {
	Buffer *material.Buffer
	// Stride is the size of an element in bytes.
	Stride int
	// First is the element of the mesh's first vertex; several meshes may lie in
	// one buffer.
	First int
	// List are the streams.
	List []Stream
}

// buffer is the name of the vertex buffer in the shader's layout: that of the
// first stream and a sign that no stream has.
func (p *Packed) buffer() string { return p.List[0].Name + "…" }

// New checks the packing of vertices elements of a buffer from first on.
func New(b *material.Buffer, stride, first, vertices int, list ...Stream) (*Packed, error) {
	if b == nil {
		return nil, fmt.Errorf("packed streams: there is no buffer")
	}
	bad := func(format string, args ...any) (*Packed, error) {
		return nil, fmt.Errorf("packed streams of buffer %s: %s", b.Name, fmt.Sprintf(format, args...))
	}
	switch {
	case len(list) == 0:
		return bad("there are none")
	case stride <= 0 || stride%4 != 0:
		return bad("the stride %d is no positive multiple of 4", stride)
	case first < 0 || vertices < 0 || (first+vertices)*stride > len(b.Data):
		return bad("%d elements of %d bytes from element %d on end beyond the buffer's %d bytes", vertices, stride, first, len(b.Data))
	}
	for i, s := range list {
		size := s.Format.Size()
		switch {
		case slices.ContainsFunc(list[:i], func(o Stream) bool { return o.Name == s.Name }):
			return bad("stream %q is there twice", s.Name)
		case size == 0:
			return bad("stream %q: %q is no vertex format", s.Name, s.Format)
		case s.Offset < 0 || s.Offset%min(4, size) != 0:
			return bad("stream %q: the offset %d is no multiple of %d", s.Name, s.Offset, min(4, size))
		case s.Offset+size > stride:
			return bad("stream %q: %s at %d ends beyond the stride of %d", s.Name, s.Format, s.Offset, stride)
		}
	}
	return &Packed{Buffer: b, Stride: stride, First: first, List: slices.Clone(list)}, nil
}

// Streams implements material.StreamProvider.
func (p *Packed) Streams() map[string]composer.VertexFormat {
	m := make(map[string]composer.VertexFormat, len(p.List))
	for _, s := range p.List {
		m[s.Name] = s.Format
	}
	return m
}

// Layouts implements material.LayoutProvider.
func (p *Packed) Layouts() map[string]material.StreamLayout {
	m := make(map[string]material.StreamLayout, len(p.List))
	for _, s := range p.List {
		m[s.Name] = material.StreamLayout{Buffer: p.buffer(), Offset: s.Offset, Stride: p.Stride, First: p.First}
	}
	return m
}

// Fragments implements material.Feature; there are none.
func (p *Packed) Fragments(*material.Context) []*composer.Fragment { return nil }

// Uniforms implements material.Feature.
func (p *Packed) Uniforms(*material.Context, material.Writer) error { return nil }

// Resources implements material.Feature.
func (p *Packed) Resources(_ *material.Context, r material.Resources) error {
	r.VertexBuffer(p.buffer(), p.Buffer)
	return nil
}
