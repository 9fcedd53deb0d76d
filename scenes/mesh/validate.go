package mesh

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strings"

	"darkroom/composer"
)

// Validate reports the first thing about g that a GPU would read wrongly: a
// stream whose length disagrees with the number of vertices, an index past the
// last vertex, a number that is not finite, joints without weights, an element
// count that does not fill the topology.
func (g *Geometry) Validate() error {
	if err := g.validate(); err != nil {
		return fmt.Errorf("mesh %q: %w", g.Name, err)
	}
	return nil
}

func (g *Geometry) validate() error {
	if len(g.Positions) == 0 {
		return fmt.Errorf("positions: there are none, a mesh needs at least one vertex")
	}
	if len(g.Positions)%3 != 0 {
		return fmt.Errorf("positions: %d numbers are not a multiple of 3", len(g.Positions))
	}
	n := g.VertexCount()
	type stream struct {
		name string
		data []float32
		size int
	}
	streams := []stream{
		{"positions", g.Positions, 3},
		{"normals", g.Normals, 3},
		{"tangents", g.Tangents, 4},
		{"colors", g.Colors, 4},
	}
	for i, uv := range g.UVs {
		streams = append(streams, stream{fmt.Sprintf("uvs[%d]", i), uv, 2})
	}
	for i := range g.Joints {
		if (g.Joints[i] == nil) != (g.Weights[i] == nil) {
			return fmt.Errorf("joints[%d] and weights[%d]: one is given without the other", i, i)
		}
		if j := g.Joints[i]; j != nil && len(j) != 4*n {
			return fmt.Errorf("joints[%d]: %d numbers for %d vertices, want %d", i, len(j), n, 4*n)
		}
		streams = append(streams, stream{fmt.Sprintf("weights[%d]", i), g.Weights[i], 4})
	}
	for _, s := range streams {
		if s.data == nil {
			continue
		}
		if len(s.data) != s.size*n {
			return fmt.Errorf("%s: %d numbers for %d vertices, want %d", s.name, len(s.data), n, s.size*n)
		}
		if i := slices.IndexFunc(s.data, notFinite); i >= 0 {
			return fmt.Errorf("%s: component %d of vertex %d is %v", s.name, i%s.size, i/s.size, s.data[i])
		}
	}
	for name, s := range g.Streams {
		if err := s.validate(n); err != nil {
			return fmt.Errorf("stream %q: %w", name, err)
		}
	}
	return g.validateIndices(n)
}

func (g *Geometry) validateIndices(n int) error {
	strip := false
	switch g.Topology {
	case "", composer.TriangleList:
		if c := g.ElementCount(); c%3 != 0 {
			return fmt.Errorf("%d elements do not make whole triangles", c)
		}
	case composer.LineList:
		if c := g.ElementCount(); c%2 != 0 {
			return fmt.Errorf("%d elements do not make whole lines", c)
		}
	case composer.PointList:
	case composer.LineStrip, composer.TriangleStrip:
		strip = true
	default:
		return fmt.Errorf("topology %q is unknown, see the constants of package composer", g.Topology)
	}
	for i, v := range g.Indices {
		if int64(v) >= int64(n) && !(strip && v == restart) {
			return fmt.Errorf("indices: index %d is %d, there are %d vertices", i, v, n)
		}
	}
	return nil
}

func notFinite(v float32) bool {
	return math.Float32bits(v)&0x7F800000 == 0x7F800000
}

func (s Stream) validate(n int) error {
	size := s.Format.Size()
	if size == 0 {
		return fmt.Errorf("vertex format %q is not one of WebGPU's", s.Format)
	}
	if len(s.Data) != size*n {
		return fmt.Errorf("%d bytes for %d vertices of format %s, want %d", len(s.Data), n, s.Format, size*n)
	}
	if !strings.HasPrefix(string(s.Format), "float32") {
		return nil
	}
	for i := 0; i < len(s.Data); i += 4 {
		if v := math.Float32frombits(binary.LittleEndian.Uint32(s.Data[i:])); notFinite(v) {
			return fmt.Errorf("component %d of vertex %d is %v", i%size/4, i/size, v)
		}
	}
	return nil
}
