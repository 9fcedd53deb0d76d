package shader

import (
	"errors"
	"strings"
	"testing"

	"darkroom/composer"
	"darkroom/material"
	"darkroom/material/texture"
)

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

// Everything that the reference engine's documentation forbids is an error of
// one line that names the material, when it is made.
func TestRefused(t *testing.T) {
	prepend := func(s string) string { return s + "\n" + testFragment }
	tests := []struct {
		name   string
		change func(*Options)
		want   []string
	}{
		{"no vertex source", func(o *Options) { o.Vertex = " " }, []string{"vertex stage", "no WGSL"}},
		{"no fragment source", func(o *Options) { o.Fragment = "" }, []string{"fragment stage", "no WGSL"}},
		{"GLSL", func(o *Options) { o.Fragment = "void main(void) { gl_FragColor = vec4(1.0); }" }, []string{"fragment stage", "GLSL"}},
		{"preprocessor", func(o *Options) { o.Fragment = prepend("\n#define BLUE") }, []string{"line 2", "no preprocessor", "Defines"}},
		{"no entry point", func(o *Options) { o.Fragment = "fn other() {}" }, []string{"mainFragment", "not declared"}},
		{"entry point without stage", func(o *Options) { o.Fragment = "fn mainFragment() {}" }, []string{"@fragment"}},
		{"entry point of the other stage", func(o *Options) { o.Fragment = "@vertex fn mainFragment() {}" }, []string{"@fragment"}},
		{"unknown attribute", func(o *Options) { o.Attributes = append(o.Attributes, "velocity") }, []string{`"velocity"`, "Formats"}},
		{"attribute twice", func(o *Options) { o.Attributes = append(o.Attributes, "uv", "uv") }, []string{`"uv"`, "twice"}},
		{"no position", func(o *Options) { o.Attributes = []string{"uv"} }, []string{"position", "required"}},
		{"unknown format", func(o *Options) { o.Formats = map[string]composer.VertexFormat{"position": "float33"} }, []string{"float33"}},
		{"format without attribute", func(o *Options) { o.Formats = map[string]composer.VertexFormat{"uv": composer.Float32x2} }, []string{`"uv"`, "not among"}},
		{"unknown system uniform", func(o *Options) { o.System = []System{"time"} }, []string{`"time"`, "Uniforms"}},
		{"system uniform twice", func(o *Options) { o.System = []System{World, World} }, []string{`"world"`, "twice"}},
		{"uniform without type", func(o *Options) { o.Uniforms = []Uniform{{Name: "time"}} }, []string{`"time"`, "no type"}},
		{"uniform of a type", func(o *Options) { o.Uniforms = []Uniform{{Name: "m", Type: "mat3x3<f32>"}} }, []string{"mat3x3<f32>"}},
		{"uniform called like the system's", func(o *Options) { o.Uniforms = []Uniform{{Name: "world", Type: "f32"}} }, []string{`"world"`, "System"}},
		{"uniform twice", func(o *Options) { o.Uniforms = []Uniform{{Name: "a", Type: "f32"}, {Name: "a", Type: "f32"}} }, []string{`"a"`, "twice"}},
		{"uniform with a reserved name", func(o *Options) { o.Uniforms = []Uniform{{Name: "target", Type: "f32"}} }, []string{`"target"`}},
		{"uniform that is no name", func(o *Options) { o.Uniforms = []Uniform{{Name: "a b", Type: "f32"}} }, []string{`"a b"`}},
		{"default of the wrong count", func(o *Options) { o.Uniforms = []Uniform{{Name: "a", Type: "vec3<f32>", Default: []float64{1}}} }, []string{`"a"`, "default"}},
		{"sampler twice", func(o *Options) { o.Samplers = []Sampler{{Name: "t"}, {Name: "t"}} }, []string{`"t"`}},
		{"sampler called like another's sampler", func(o *Options) { o.Samplers = []Sampler{{Name: "t"}, {Name: "tSampler"}} }, []string{`"tSampler"`}},
		{"sample type", func(o *Options) { o.Samplers = []Sampler{{Name: "t", Sample: "sint"}} }, []string{`"sint"`}},
		{"sampler and external", func(o *Options) { o.Samplers = []Sampler{{Name: "t"}}; o.Externals = []string{"t"} }, []string{`external texture "t"`}},
		{"define like a sampler", func(o *Options) { o.Samplers = []Sampler{{Name: "t"}}; o.Defines = map[string]any{"t": true} }, []string{`define "t"`}},
		{"define of text", func(o *Options) { o.Defines = map[string]any{"T": "vec3"} }, []string{`"T"`, "text"}},
		{"define that is no number", func(o *Options) { o.Defines = map[string]any{"T": []int{1}} }, []string{`"T"`}},
		{"binding of group 0", func(o *Options) { o.Fragment = prepend("@group(0) @binding(2) var<uniform> x: vec4<f32>;") }, []string{"line 1", `"x"`, "@group(0)"}},
		{"binding of group 1", func(o *Options) {
			o.Fragment = prepend("// one\n@binding(7) @group(1)\nvar x: texture_2d<f32>;")
		}, []string{"line 3", `"x"`, "@group(1)", "Samplers"}},
		{"VertexInput", func(o *Options) { o.Vertex = "struct VertexInput { a: f32 };\n" + testVertex }, []string{"line 1", "VertexInput"}},
		{"name of the scene", func(o *Options) { o.Fragment = prepend("var<private> scene: f32;") }, []string{"line 1", `"scene"`}},
		{"name of a sampler", func(o *Options) {
			o.Samplers = []Sampler{{Name: "t"}}
			o.Fragment = prepend("/* a /* b */ c\n*/ const tSampler = 1;")
		}, []string{"line 2", `"tSampler"`}},
		{"name of a define", func(o *Options) {
			o.Defines = map[string]any{"BLUE": true}
			o.Fragment = prepend("const BLUE: bool = false;")
		}, []string{"line 1", `"BLUE"`}},
		{"name of the helper", func(o *Options) {
			o.FinalColor = true
			o.Vertex = "fn getFinalColor() {}\n" + testVertex
		}, []string{"line 1", "getFinalColor"}},
		{"function twice", func(o *Options) { o.Fragment = prepend("fn f() {}\nfn f() {}") }, []string{`"f"`, "line 1", "line 2"}},
		{"open brace", func(o *Options) { o.Fragment += "\nfn f() {" }, []string{"line 5", "never closed"}},
		{"InstanceWorld without world", func(o *Options) { o.InstanceWorld = true }, []string{"InstanceWorld", "world"}},
		{"FinalInput with another format", func(o *Options) {
			o.FinalInput, o.Formats = true, map[string]composer.VertexFormat{"position": composer.Float32x4}
		}, []string{"FinalInput", "float32x4"}},
		{"strip", func(o *Options) { o.Topology = composer.TriangleStrip }, []string{"triangle-strip", "list"}},
		{"topology", func(o *Options) { o.Topology = "fan" }, []string{"fan"}},
		{"blend mode", func(o *Options) { o.BlendMode = "multiply" }, []string{"multiply", "Blend"}},
		{"Opaque without Blend", func(o *Options) { o.Opaque = true }, []string{"Opaque"}},
		{"blend factor", func(o *Options) { o.Blend = &composer.Blend{Color: composer.BlendComponent{Src: "half"}} }, []string{"half"}},
		{"compare", func(o *Options) { o.DepthCompare = "nearer" }, []string{"nearer"}},
		{"bias of lines", func(o *Options) { o.Topology, o.DepthBias = composer.LineList, 1 }, []string{"depth bias"}},
		{"output of a matrix", func(o *Options) { o.Outputs = []composer.Output{{Name: "a", Type: "mat4x4<f32>"}} }, []string{`"a"`}},
	}
	for _, x := range tests {
		t.Run(x.name, func(t *testing.T) {
			o := base()
			x.change(&o)
			_, err := New(o)
			if err == nil {
				t.Fatal("it was taken")
			}
			for _, w := range append(x.want, "shader material wobble: ") {
				if !strings.Contains(err.Error(), w) {
					t.Errorf("%q does not say %q", err, w)
				}
			}
			if strings.Contains(err.Error(), "\n") {
				t.Errorf("%q has more than one line", err)
			}
		})
	}
}

// Names that look forbidden and are not.
func TestTaken(t *testing.T) {
	for _, src := range []string{
		"// @group(0) var x: f32;\n",
		"/* struct VertexInput {} */\n",
		"fn f() { let scene = 1.0; let lights = 2; }\n",
		"struct S { scene: f32, VertexInput: f32 };\n",
		"const getFinalWorld = 1.0;\n",
	} {
		o := base()
		o.Fragment = src + testFragment
		if _, err := New(o); err != nil {
			t.Errorf("%q: %v", src, err)
		}
	}
}

func pixels(f composer.TextureFormat, layers int) *texture.Texture {
	return &texture.Texture{Name: "grain", Format: f, Source: &texture.Pixels{Width: 1, Height: 1, Layers: layers}}
}

func nearest(x *texture.Texture) *texture.Texture {
	x.Sampler = texture.Sampler{Mag: composer.FilterNearest, Min: composer.FilterNearest, Mip: composer.FilterNearest}
	return x
}

func TestSetters(t *testing.T) {
	o := base()
	o.System = []System{World, AlphaCutoff}
	o.Uniforms = []Uniform{{Name: "time", Type: "f32"}, {Name: "count", Type: "i32"}, {Name: "bits", Type: "u32"}, {Name: "tint", Type: "vec3<f32>"}, {Name: "bend", Type: "mat4x4<f32>"}}
	o.Samplers = []Sampler{{Name: "grain"}, {Name: "depth", Sample: composer.SampleDepth}, {Name: "raw", Sample: composer.SampleUnfilterableFloat}}
	o.Externals = []string{"video"}
	o.Buffers = []Buffer{{Name: "points", Type: "array<vec4<f32>>"}}
	m := mustNew(t, o)
	film, err := NewExternal("film", FrameFunc{2, 2, func(float64) ([]byte, error) { return make([]byte, 16), nil }})
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name string
		set  func() error
		want error // nil: taken
		says string
	}{
		{"float", func() error { return m.Set("time", 1.5) }, nil, ""},
		{"float32", func() error { return m.Set("time", float32(1.5)) }, nil, ""},
		{"int", func() error { return m.Set("count", -3) }, nil, ""},
		{"uint", func() error { return m.Set("bits", uint32(3)) }, nil, ""},
		{"vector", func() error { return m.Set("tint", []float32{1, 2, 3}) }, nil, ""},
		{"matrix", func() error { return m.SetMatrix("bend", [16]float64{}) }, nil, ""},
		{"alphaCutoff", func() error { return m.Set("alphaCutoff", 0.5) }, nil, ""},
		{"unknown", func() error { return m.Set("tine", 1.5) }, ErrUndeclared, "time, count"},
		{"system", func() error { return m.SetMatrix("world", [16]float64{}) }, ErrUndeclared, "renderer"},
		{"count of values", func() error { return m.Set("tint", []float64{1, 2}) }, ErrValue, "vec3<f32>"},
		{"count of values, fixed", func() error { return m.SetVec4("tint", [4]float64{}) }, ErrValue, "vec3<f32>"},
		{"wrong type", func() error { return m.Set("count", 1.5) }, ErrValue, "i32"},
		{"negative", func() error { return m.Set("bits", -1) }, ErrValue, "-1"},
		{"no number", func() error { return m.Set("time", "now") }, ErrValue, "string"},
		{"nothing", func() error { return m.Set("time", nil) }, ErrValue, ""},
		{"out of range", func() error { return m.Set("time", 1e300) }, ErrValue, "range"},

		{"texture", func() error { return m.SetTexture("grain", pixels("", 0)) }, nil, ""},
		{"no texture", func() error { return m.SetTexture("grain", nil) }, nil, ""},
		{"unknown sampler", func() error { return m.SetTexture("grin", pixels("", 0)) }, ErrUndeclared, "grain, depth"},
		{"cube", func() error { return m.SetTexture("grain", pixels("", 6)) }, ErrValue, "two-dimensional"},
		{"no source", func() error { return m.SetTexture("grain", &texture.Texture{}) }, ErrValue, "no source"},
		{"depth for colour", func() error { return m.SetTexture("grain", nearest(pixels(composer.Depth32Float, 0))) }, ErrValue, "depth"},
		{"colour for depth", func() error { return m.SetTexture("depth", nearest(pixels("", 0))) }, ErrValue, "takes depth"},
		{"depth", func() error { return m.SetTexture("depth", nearest(pixels(composer.Depth32Float, 0))) }, nil, ""},
		{"filtered depth", func() error { return m.SetTexture("depth", pixels(composer.Depth32Float, 0)) }, ErrValue, "nearest"},
		{"filtered raw", func() error { return m.SetTexture("raw", pixels(composer.R32Float, 0)) }, ErrValue, "nearest"},
		{"raw", func() error { return m.SetTexture("raw", nearest(pixels(composer.R32Float, 0))) }, nil, ""},
		{"unfilterable for float", func() error { return m.SetTexture("grain", pixels(composer.R32Float, 0)) }, ErrValue, "unfilterable-float"},

		{"buffer", func() error { return m.SetBuffer("points", &material.Buffer{Data: make([]byte, 16)}) }, nil, ""},
		{"empty buffer", func() error { return m.SetBuffer("points", &material.Buffer{}) }, ErrValue, "empty"},
		{"unknown buffer", func() error { return m.SetBuffer("lines", &material.Buffer{Data: make([]byte, 16)}) }, ErrUndeclared, ""},
		{"external", func() error { return m.SetExternal("video", film) }, nil, ""},
		{"unknown external", func() error { return m.SetExternal("grain", film) }, ErrUndeclared, "video"},
	}
	for _, x := range tests {
		t.Run(x.name, func(t *testing.T) {
			switch err := x.set(); {
			case x.want == nil && err != nil:
				t.Fatal(err)
			case x.want != nil && !errors.Is(err, x.want):
				t.Fatalf("%v, want %v", err, x.want)
			case err != nil && (!strings.Contains(err.Error(), x.says) || !strings.HasPrefix(err.Error(), "shader material wobble: ")):
				t.Errorf("%q does not say %q and the material's name", err, x.says)
			}
		})
	}
}

// What is not bound is an error before anything is drawn.
func TestUnbound(t *testing.T) {
	for _, x := range []struct {
		change func(*Options)
		want   string
	}{
		{func(o *Options) { o.Samplers = []Sampler{{Name: "grain"}} }, `sampler "grain" has no texture`},
		{func(o *Options) { o.Externals = []string{"video"} }, `external texture "video" has no frames`},
		{func(o *Options) { o.Buffers = []Buffer{{Name: "points", Type: "array<f32>"}} }, `buffer "points" is not bound`},
	} {
		o := base()
		x.change(&o)
		err := mustNew(t, o).Resources(&material.Context{}, newBound())
		if err == nil || !strings.Contains(err.Error(), x.want) {
			t.Errorf("%v, want %q", err, x.want)
		}
	}
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

func (b *bound) Texture(name string, t *texture.Texture)               { b.textures[name] = t }
func (b *bound) View(name string, t *texture.Texture, _ material.View) { b.textures[name] = t }
func (b *bound) Buffer(name string, x *material.Buffer)                { b.buffers[name] = x }
func (b *bound) VertexBuffer(name string, x *material.Buffer)          { b.vertex[name] = x }
