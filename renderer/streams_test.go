package renderer

import (
	"context"
	"encoding/binary"
	"math"
	"strings"
	"testing"

	"darkroom/composer"
	"darkroom/material"
	"darkroom/material/shader"
	"darkroom/material/standard"
	"darkroom/material/streams"
	"darkroom/scenes"
)

// slab interleaves positions of quads and a colour each: 12 bytes and 4.
func slab(quads ...[5]float32) *material.Buffer {
	b := &material.Buffer{Name: "slab"}
	for _, q := range quads {
		for _, p := range [][2]float32{{q[0], q[1]}, {q[2], q[1]}, {q[2], q[3]}, {q[0], q[3]}} {
			for _, x := range []float32{p[0], p[1], 0} {
				b.Data = binary.LittleEndian.AppendUint32(b.Data, math.Float32bits(x))
			}
			b.Data = append(b.Data, byte(q[4]*255), 0, 255, 255)
		}
	}
	return b
}

func packed(t testing.TB, b *material.Buffer, first int) *streams.Packed {
	t.Helper()
	p, err := streams.New(b, 16, first, 4, streams.Stream{Name: "position", Format: composer.Float32x3}, streams.Stream{Name: "color", Format: composer.Unorm8x4, Offset: 12})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// Two meshes lie in one buffer, with the packing of their own and declared
// formats; one material draws them and meshes of the usual packing besides.
func TestShaderPackedStreams(t *testing.T) {
	r := open(t)
	s := emptyScene()
	m := flatShader(t, "input.color", "input.value", func(o *shader.Options) {
		o.Attributes, o.Formats = []string{"position", "color"}, map[string]composer.VertexFormat{"color": composer.Unorm8x4}
	})
	b := slab([5]float32{-1, -1, 0, 1, 1}, [5]float32{0, 0, 1, 1, 0.2})
	for i := range 2 {
		n := s.Add(scenes.NewMesh("packed", quad(0, 0, 0, 0), m))
		n.Mesh.Features = []material.Feature{packed(t, b, 4*i)}
	}
	s.Add(scenes.NewMesh("tight", quad(0, -1, 1, 0), m)) // has no colour: zeros
	x := newSession(t, r, s, 4, 4)
	f := drawAt(t, x, 0)
	if a, b, c := f.pixel(0, 0), f.pixel(3, 0), f.pixel(3, 3); a != [4]byte{255, 0, 255, 255} || b != [4]byte{51, 0, 255, 255} || c != [4]byte{} {
		t.Errorf("%v, %v and %v", a, b, c)
	}
	if n := r.Pipelines(); n != 2 {
		t.Errorf("%d pipelines, want one for each packing", n)
	}
	// What changes of the buffer is seen.
	b.Data[4*16+12], b.Version, b.DirtyFrom, b.DirtyTo = 255, b.Version+1, 4*16+12, 4*16+13
	before := x.Uploads().Buffers
	if got := drawAt(t, x, 0).pixel(2, 1); got[0] <= 51 {
		t.Errorf("after the change %v", got)
	}
	if n := x.Uploads().Buffers - before; n != 4 {
		t.Errorf("%d bytes were uploaded for one that changed", n)
	}
	// Other families read packed streams of their own formats, and refuse others.
	s = emptyScene()
	white := standard.New("white")
	white.DisableLighting, white.Emissive = true, [3]float64{1, 1, 1}
	only, err := streams.New(b, 16, 0, 4, streams.Stream{Name: "position", Format: composer.Float32x3})
	if err != nil {
		t.Fatal(err)
	}
	n := s.Add(scenes.NewMesh("packed", quad(0, 0, 0, 0), white).At(0, 0, -8))
	n.Mesh.Features = []material.Feature{only}
	if got := drawAt(t, newSession(t, r, s, 4, 4), 0).pixel(1, 2); got != [4]byte{255, 255, 255, 255} {
		t.Errorf("the standard material: %v", got)
	}
	n.Mesh.Features = []material.Feature{packed(t, b, 0)}
	if _, err := newSession(t, r, s, 4, 4).Draw(context.Background(), 0); err == nil || !strings.Contains(err.Error(), "unorm8x4") || !strings.Contains(err.Error(), "standard material white") {
		t.Errorf("another format: %v", err)
	}
	// So does a shader material whose declared format is another.
	s = emptyScene()
	n = s.Add(scenes.NewMesh("packed", quad(0, 0, 0, 0), flatShader(t, "input.color", "input.value", func(o *shader.Options) { o.Attributes = []string{"position", "color"} })))
	n.Mesh.Features = []material.Feature{packed(t, b, 0)}
	if _, err := newSession(t, r, s, 4, 4).Draw(context.Background(), 0); err == nil || !strings.Contains(err.Error(), `attribute "color" is declared as float32x4`) {
		t.Errorf("another declared format: %v", err)
	}
}

// filler writes the colours of a packed buffer.
type filler struct{ b *material.Buffer }

func (f *filler) Label() string { return "filler" }
func (f *filler) Source() (string, []composer.Binding) {
	return `@group(0) @binding(0) var<storage, read_write> words: array<u32>;
@compute @workgroup_size(1)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    words[id.x * 4u + 3u] = 0xff00ff00u;
}`, []composer.Binding{{Name: "words", Kind: composer.BindStorage, Type: "array<u32>", Access: composer.AccessReadWrite}}
}
func (f *filler) Resources(r material.Resources) error { r.Buffer("words", f.b); return nil }
func (f *filler) Workgroups() [3]int                   { return [3]int{4, 1, 1} }

// A compute shader fills a buffer that a mesh's streams lie in.
func TestShaderComputedStreams(t *testing.T) {
	r := open(t)
	s := emptyScene()
	b := slab([5]float32{-1, -1, 1, 1, 1})
	m := flatShader(t, "input.color", "input.value", func(o *shader.Options) {
		o.Attributes, o.Formats = []string{"position", "color"}, map[string]composer.VertexFormat{"color": composer.Unorm8x4}
	})
	n := s.Add(scenes.NewMesh("packed", quad(0, 0, 0, 0), m))
	n.Mesh.Features = []material.Feature{packed(t, b, 0)}
	s.Before = []scenes.Task{&scenes.ComputePass{Name: "fill", Compute: &filler{b}}}
	if got := drawAt(t, newSession(t, r, s, 4, 4), 0).pixel(1, 1); got != [4]byte{0, 255, 0, 255} {
		t.Errorf("%v", got)
	}
}
