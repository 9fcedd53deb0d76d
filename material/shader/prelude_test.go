package shader

import (
	"strings"
	"testing"

	"darkroom/composer"
	"darkroom/material"
)

func TestPreludeOrder(t *testing.T) {
	sh, err := compose(mustNew(t, full()), streams("position", "uv", "color"))
	if err != nil {
		t.Fatal(err)
	}
	bindings := []string{
		"@group(0) @binding(0) var<uniform> scene: SceneUniforms;",
		"struct ShaderSystemUniforms {", "world: mat4x4<f32>,", "viewProjection: mat4x4<f32>,", "cameraPosition: vec3<f32>,", "screenSize: vec2<f32>,", "alphaCutoff: f32,",
		"struct ShaderUniforms {", "time: f32,", "tint: vec3<f32>,",
		"@group(1) @binding(0) var<uniform> shaderSystem: ShaderSystemUniforms;",
		"@group(1) @binding(1) var<uniform> shaderUniforms: ShaderUniforms;",
		"@group(1) @binding(2) var grain: texture_2d<f32>;", "@group(1) @binding(3) var grainSampler: sampler;",
		"@group(1) @binding(4) var depth: texture_depth_2d;", "@group(1) @binding(5) var depthSampler: sampler;",
		"@group(1) @binding(6) var video: texture_2d<f32>;", "@group(1) @binding(7) var videoSampler: sampler;",
		"@group(1) @binding(8) var<storage, read> points: array<vec4<f32>>;",
		"const BLUE: bool = true;", "const COUNT: i32 = 3i;", "const MASK: u32 = 7u;", "const ZOOM: f32 = 2f;",
	}
	inOrder(t, sh.VertexWGSL, append(bindings, "struct VertexInput {", "@location(0) position: vec3<f32>,", "@location(1) uv: vec2<f32>,", "@location(2) color: vec4<f32>,",
		"fn getFinalWorld(input: VertexInput)", "fn getFinalColor(input: VertexInput)", "fn textureSampleBaseClampToEdge(", "fn mainVertex(")...)
	inOrder(t, sh.FragmentWGSL, append(bindings, "fn textureSampleBaseClampToEdge(", "fn mainFragment(")...)
	for _, e := range sh.Mesh {
		if e.Decl.Name == "depthSampler" && e.Decl.Sampler != composer.SamplerNonFiltering {
			t.Errorf("the depth texture's sampler is %s", e.Decl.Sampler)
		}
		if e.Decl.Visibility != composer.StageVertex|composer.StageFragment {
			t.Errorf("%s is visible to the %s stage only", e.Decl.Name, e.Decl.Visibility)
		}
	}
}

// The plainest material has nothing in its prelude that it did not ask for.
func TestPlainPrelude(t *testing.T) {
	sh, err := compose(mustNew(t, base()), streams("position", "normal", "uv"))
	if err != nil {
		t.Fatal(err)
	}
	for _, no := range []string{"getFinal", "shaderUniforms", "textureSampleBase", "const ", "@group(1) @binding(1)"} {
		if strings.Contains(sh.VertexWGSL, no) || strings.Contains(sh.FragmentWGSL, no) {
			t.Errorf("the prelude has %q:\n%s", no, sh.VertexWGSL)
		}
	}
	inOrder(t, sh.VertexWGSL, "@group(1) @binding(0) var<uniform> shaderSystem: ShaderSystemUniforms;")
	if len(sh.Buffers) != 1 || sh.Buffers[0].Name != "position" {
		t.Errorf("vertex buffers %v, want position alone", sh.Buffers)
	}
	if len(sh.Outputs) != 1 || sh.Outputs[0].Name != "color" {
		t.Errorf("outputs %v", sh.Outputs)
	}
}

// Passes that store depth alone run the fragment stage only where it discards.
func TestDepthOnly(t *testing.T) {
	c := streams("position")
	c.DepthOnly = true
	sh, err := compose(mustNew(t, full()), c)
	if err != nil || sh.FragmentWGSL != "" {
		t.Errorf("%v, fragment stage %q", err, sh.FragmentWGSL)
	}
	o := full()
	o.AlphaTesting = true
	if sh, err = compose(mustNew(t, o), c); err != nil || sh.FragmentWGSL == "" {
		t.Errorf("alpha tested: %v", err)
	}
}

const namedFragment = `@fragment
fn mainFragment() -> FragmentOutput {
    outputs.color = vec4<f32>(1.0);
    outputs.normal = vec4<f32>(0.5);
    return fragmentOutputs();
}`

func TestNamedOutputs(t *testing.T) {
	o := base()
	o.Outputs = []composer.Output{{Name: "color", Type: "vec4<f32>"}, {Name: "normal", Type: "vec4<f32>"}}
	o.Fragment = namedFragment
	m := mustNew(t, o)
	for _, x := range []struct {
		locations map[string]int
		want      string
	}{
		{nil, "return FragmentOutput(outputs.color, outputs.normal);"},
		{map[string]int{"normal": 0}, "return FragmentOutput(outputs.normal);"},
		{map[string]int{"normal": 0, "color": 2}, "return FragmentOutput(outputs.normal, outputs.color);"},
	} {
		c := streams("position")
		c.Outputs = x.locations
		sh, err := compose(m, c)
		if err != nil {
			t.Fatal(err)
		}
		inOrder(t, sh.FragmentWGSL, "struct FragmentOutput {", x.want, "fn mainFragment")
	}
	c := streams("position")
	c.Outputs = map[string]int{"velocity": 0}
	if _, err := compose(m, c); err == nil || !strings.Contains(err.Error(), "color, normal") {
		t.Errorf("a pass that takes none: %v", err)
	}
}

// system collects what Uniforms writes.
type system map[string][]float64

func (s system) Has(string) bool { return true }

func (s system) Set(string, any) {}

func (s system) Floats(field string, v ...float64) { s[field] = append([]float64(nil), v...) }

func (s system) is(name string, want ...float64) bool {
	for i := range want {
		if len(s[name]) != len(want) || s[name][i] != want[i] {
			return false
		}
	}
	return true
}

func TestSystemUniforms(t *testing.T) {
	o := base()
	o.System = []System{World, View, Projection, ViewProjection, WorldView, WorldViewProjection, CameraPosition, ScreenSize, AlphaCutoff}
	m := mustNew(t, o)
	move := func(x float64) [16]float64 { return [16]float64{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, 0, 0, 1} }
	scale := [16]float64{2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 1}
	c := &material.Context{System: material.System{World: move(1), View: move(10), Projection: scale, Eye: [3]float64{1, 2, 3}, Screen: [2]float64{640, 360}}}
	c.System.ViewProjection = product(&scale, &c.System.View)
	w := system{}
	if err := m.Uniforms(c, w); err != nil {
		t.Fatal(err)
	}
	wv, wvp := move(11), [16]float64{2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 2, 0, 22, 0, 0, 1}
	if !w.is("worldView", wv[:]...) || !w.is("worldViewProjection", wvp[:]...) || !w.is("cameraPosition", 1, 2, 3) || !w.is("screenSize", 640, 360) || !w.is("alphaCutoff", 0.4) {
		t.Errorf("%v", w)
	}
	if err := m.SetFloat("alphaCutoff", 0.75); err != nil {
		t.Fatal(err)
	}
	if m.Uniforms(c, w); !w.is("alphaCutoff", 0.75) {
		t.Errorf("alphaCutoff %v", w["alphaCutoff"])
	}
}

// Equivalent materials compose to one key, whatever they are called and
// whatever their values; all that makes code or layout differ makes keys differ.
func TestKeys(t *testing.T) {
	key := func(change func(*Options)) composer.Key {
		o := full()
		change(&o)
		sh, err := compose(mustNew(t, o), streams("position", "uv", "color"))
		if err != nil {
			t.Fatal(err)
		}
		return sh.Key
	}
	want := key(func(*Options) {})
	for name, change := range map[string]func(*Options){
		"name":        func(o *Options) { o.Name = "other" },
		"default":     func(o *Options) { o.Uniforms[0].Default = 3.0 },
		"spelt out":   func(o *Options) { o.VertexEntry = "mainVertex"; o.Samplers[0].Sample = composer.SampleFloat },
		"fixed state": func(o *Options) { o.TwoSided = true },
	} {
		if key(change) != want {
			t.Errorf("%s: another key", name)
		}
	}
	seen := map[composer.Key]string{want: "the first"}
	for name, change := range map[string]func(*Options){
		"code":           func(o *Options) { o.Fragment += "\n// other" },
		"define":         func(o *Options) { o.Defines = map[string]any{"ZOOM": 3.0, "BLUE": true, "COUNT": 3, "MASK": uint32(7)} },
		"uniform":        func(o *Options) { o.Uniforms = o.Uniforms[:1] },
		"uniform type":   func(o *Options) { o.Uniforms[0].Type = "i32" },
		"sampler":        func(o *Options) { o.Samplers[0].Sample = composer.SampleUnfilterableFloat },
		"external":       func(o *Options) { o.Externals = []string{"film"} },
		"buffer":         func(o *Options) { o.Buffers[0].Type = "array<u32>" },
		"attributes":     func(o *Options) { o.Attributes = []string{"position", "color", "uv"} },
		"helper":         func(o *Options) { o.FinalColor = false },
		"system uniform": func(o *Options) { o.System = o.System[:2] },
	} {
		k := key(change)
		if other, ok := seen[k]; ok {
			t.Errorf("%s has the key of %s", name, other)
		}
		seen[k] = name
	}
}
