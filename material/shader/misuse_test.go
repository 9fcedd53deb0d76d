package shader

import (
	"strings"
	"testing"

	"darkroom/composer"
)

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
		{"blend constant", func(o *Options) { o.BlendConstant[0] = 1 }, []string{"BlendConstant", "constant"}},
		{"second source", func(o *Options) {
			o.Blend = &composer.Blend{Color: composer.BlendComponent{Dst: composer.FactorOneMinusSrc1}}
		}, []string{"second source", "dual-source-blending"}},
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
