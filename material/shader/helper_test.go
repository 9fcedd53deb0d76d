package shader

import (
	"strings"
	"testing"

	"darkroom/composer"
	"darkroom/material"
	"darkroom/material/instances"
	"darkroom/material/texture"
)

// compose does what the renderer does with a material and the mesh's features.
func compose(m *Material, c *material.Context, features ...material.Feature) (*composer.Shader, error) {
	for _, f := range features {
		if s, ok := f.(material.StreamProvider); ok {
			for k, v := range s.Streams() {
				c.Streams[k] = v
			}
		}
	}
	t, list, err := m.Shader(c)
	if err != nil {
		return nil, err
	}
	for _, f := range features {
		list = append(list, f.Fragments(c)...)
	}
	return composer.Compose(t, list, composer.Options{OutputLocations: c.Outputs})
}

func streams(names ...string) *material.Context {
	c := &material.Context{Streams: map[string]composer.VertexFormat{}}
	for _, n := range names {
		c.Streams[n] = usual(n)
	}
	return c
}

// inOrder fails unless each text follows the one before.
func inOrder(t *testing.T, wgsl string, want ...string) {
	t.Helper()
	at := 0
	for _, w := range want {
		i := strings.Index(wgsl[at:], w)
		if i < 0 {
			t.Fatalf("%q does not follow in\n%s", w, wgsl)
		}
		at += i
	}
}

// full uses everything that the prelude can declare.
func full() Options {
	o := base()
	o.Attributes = []string{"position", "uv", "color"}
	o.System = []System{World, ViewProjection, CameraPosition, ScreenSize, AlphaCutoff}
	o.Uniforms = []Uniform{{Name: "time", Type: "f32"}, {Name: "tint", Type: "vec3<f32>"}}
	o.Samplers = []Sampler{{Name: "grain"}, {Name: "depth", Sample: composer.SampleDepth}}
	o.Externals = []string{"video"}
	o.Buffers = []Buffer{{Name: "points", Type: "array<vec4<f32>>"}}
	o.Defines = map[string]any{"ZOOM": 2.0, "BLUE": true, "COUNT": 3, "MASK": uint32(7)}
	o.InstanceWorld, o.FinalColor = true, true
	return o
}

func thin(colors bool) *instances.Thin {
	if colors {
		return instances.New(make([][16]float64, 2), make([][4]float64, 2))
	}
	return instances.New(make([][16]float64, 2), nil)
}

const (
	testVertex = `struct VertexOutput {
    @builtin(position) position: vec4<f32>,
};
@vertex
fn mainVertex(input: VertexInput) -> VertexOutput {
    var out: VertexOutput;
    out.position = vec4<f32>(input.position, 1.0);
    return out;
}`
	testFragment = `@fragment
fn mainFragment() -> @location(0) vec4<f32> {
    return vec4<f32>(1.0);
}`
)

// base are options that New takes.
func base() Options {
	return Options{Name: "wobble", Vertex: testVertex, Fragment: testFragment, Attributes: []string{"position"}}
}

func mustNew(t testing.TB, o Options) *Material {
	t.Helper()
	m, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// bound remembers what a material binds.
type bound struct {
	textures map[string]*texture.Texture
	buffers  map[string]*material.Buffer
	vertex   map[string]*material.Buffer
}

func newBound() *bound {
	return &bound{map[string]*texture.Texture{}, map[string]*material.Buffer{}, map[string]*material.Buffer{}}
}

func (b *bound) Texture(name string, t *texture.Texture) { b.textures[name] = t }

func (b *bound) View(name string, t *texture.Texture, _ material.View) { b.textures[name] = t }

func (b *bound) Buffer(name string, x *material.Buffer) { b.buffers[name] = x }

func (b *bound) BufferBefore(name string, x *material.Buffer) { b.buffers[name] = x }

func (b *bound) VertexBuffer(name string, x *material.Buffer) { b.vertex[name] = x }
