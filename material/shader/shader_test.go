package shader

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"darkroom/composer"
	"darkroom/material"
	"darkroom/material/instances"
	"darkroom/material/morph"
	"darkroom/material/skin"
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

func thin(colors bool) *instances.Thin {
	if colors {
		return instances.New(make([][16]float64, 2), make([][4]float64, 2))
	}
	return instances.New(make([][16]float64, 2), nil)
}

func TestInstances(t *testing.T) {
	o := base()
	o.Attributes = []string{"position", "color"}
	o.System = []System{World}
	o.InstanceWorld, o.FinalColor = true, true
	noColors := o
	noColors.NoInstanceColors = true
	plain := base()
	for _, x := range []struct {
		name     string
		o        Options
		feature  *instances.Thin
		want, no []string
	}{
		{"not instanced", o, nil, []string{"var finalWorld = shaderSystem.world;", "return finalWorld;", "return input.color;"}, []string{"world0"}},
		{"matrices", o, thin(false), []string{"@location(2) world0: vec4<f32>,", "@location(5) world3: vec4<f32>,", "finalWorld = finalWorld * mat4x4<f32>(input.world0", "return input.color;"}, []string{"instanceColor"}},
		{"matrices and colours", o, thin(true), []string{"@location(5) world3: vec4<f32>,", "@location(6) instanceColor: vec4<f32>,", "return input.color * input.instanceColor;"}, nil},
		{"colours not wanted", noColors, thin(true), []string{"@location(5) world3: vec4<f32>,", "return input.color;"}, []string{"instanceColor"}},
		{"no helper asked for", plain, thin(true), []string{"@location(1) world0: vec4<f32>,", "@location(5) instanceColor: vec4<f32>,", "fn mainVertex"}, []string{"getFinal"}},
	} {
		t.Run(x.name, func(t *testing.T) {
			var features []material.Feature
			if x.feature != nil {
				features = append(features, x.feature)
			}
			sh, err := compose(mustNew(t, x.o), streams("position", "color"), features...)
			if err != nil {
				t.Fatal(err)
			}
			inOrder(t, sh.VertexWGSL, x.want...)
			for _, no := range x.no {
				if strings.Contains(sh.VertexWGSL, no) {
					t.Errorf("the vertex stage has %q:\n%s", no, sh.VertexWGSL)
				}
			}
		})
	}
}

// The four values of getFinalColor.
func TestFinalColor(t *testing.T) {
	for _, x := range []struct {
		attribute, instance bool
		want                string
	}{
		{false, false, "return vec4<f32>(1.0);"}, {true, false, "return input.color;"},
		{false, true, "return input.instanceColor;"}, {true, true, "return input.color * input.instanceColor;"},
	} {
		o := base()
		o.FinalColor = true
		if x.attribute {
			o.Attributes = append(o.Attributes, "color")
		}
		sh, err := compose(mustNew(t, o), streams("position"), thin(x.instance))
		if err != nil {
			t.Fatal(err)
		}
		inOrder(t, sh.VertexWGSL, x.want)
	}
}

// A skin goes into getFinalWorld too; what the material cannot follow is an
// error that names it.
func TestSkinAndMorph(t *testing.T) {
	o := base()
	o.System, o.InstanceWorld = []System{World}, true
	m := mustNew(t, o)
	sh, err := compose(m, streams("position", "joints", "weights"), skin.New("bones", 2))
	if err != nil {
		t.Fatal(err)
	}
	inOrder(t, sh.VertexWGSL, "fn getFinalWorld", "jointMatrices[input.joints.x]", "fn mainVertex")
	shape, err := morph.New(1, []morph.Target{{Name: "a", Positions: make([]float32, 3)}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err = compose(m, streams("position"), shape); !errors.Is(err, composer.ErrSlot) || !strings.Contains(err.Error(), "morph") || !strings.Contains(err.Error(), "FinalInput") {
		t.Errorf("morph targets without their helper: %v", err)
	}
	o.FinalInput = true
	if sh, err = compose(mustNew(t, o), streams("position"), shape); err != nil {
		t.Fatal(err)
	}
	inOrder(t, sh.VertexWGSL, "@builtin(vertex_index) vertexIndex: u32,", "fn getFinalInput(input: VertexInput) -> VertexInput", "positionLocal += ", "finalInput.position = positionLocal;", "fn mainVertex")
}

// Streams that the mesh lacks read zeros, a colour that is multiplied white.
func TestMissingStreams(t *testing.T) {
	o := base()
	o.Attributes = []string{"position", "uv2", "color", "joints"}
	o.Formats = map[string]composer.VertexFormat{"color": composer.Unorm8x4}
	m := mustNew(t, o)
	sh, err := compose(m, streams("position"))
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range sh.Buffers {
		if constant := b.Name != "position"; (b.Stride == 0) != constant {
			t.Errorf("%s has the stride %d", b.Name, b.Stride)
		}
	}
	if b := newBound(); m.Resources(&material.Context{}, b) != nil || b.vertex["color"] != nil {
		t.Errorf("without getFinalColor the missing colour is %v", b.vertex["color"])
	}
	o.FinalColor = true
	m = mustNew(t, o)
	if sh, err = compose(m, streams("position")); err != nil {
		t.Fatal(err)
	}
	if a := sh.Buffers[2].Attributes[0]; a.Name != "color" || a.Format != composer.Float32x4 {
		t.Errorf("the missing colour is read as %s", a.Format)
	}
	b := newBound()
	if err := m.Resources(&material.Context{}, b); err != nil || len(b.vertex["color"].Data) != 16 || b.vertex["color"].Data[3] != 0x3f {
		t.Errorf("the missing colour is %v, %v", b.vertex["color"], err)
	}
	if _, err := compose(m, streams("normal")); err == nil || !strings.Contains(err.Error(), "position") {
		t.Errorf("without positions: %v", err)
	}
}

// A declared format decides type and stride; a mesh with another is refused.
func TestFormats(t *testing.T) {
	o := base()
	o.Attributes = []string{"position", "color", "flags"}
	o.Formats = map[string]composer.VertexFormat{"color": composer.Unorm8x4, "flags": composer.Uint32}
	m := mustNew(t, o)
	c := streams("position")
	c.Streams["color"], c.Streams["flags"] = composer.Unorm8x4, composer.Uint32
	sh, err := compose(m, c)
	if err != nil {
		t.Fatal(err)
	}
	inOrder(t, sh.VertexWGSL, "@location(1) color: vec4<f32>,", "@location(2) flags: u32,")
	if sh.Buffers[1].Stride != 4 {
		t.Errorf("stride %d, want 4", sh.Buffers[1].Stride)
	}
	o.Formats["color"] = composer.Float32x4 // the caller's map is not the material's
	if sh, err = compose(m, c); err != nil || sh.Buffers[1].Stride != 4 {
		t.Errorf("after the caller changed the map: %v", err)
	}
	c.Streams["color"] = composer.Float32x4
	if _, err = compose(m, c); err == nil || !strings.Contains(err.Error(), "unorm8x4") || !strings.Contains(err.Error(), "float32x4") {
		t.Errorf("another format: %v", err)
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

func TestState(t *testing.T) {
	yes, no := true, false
	blend := composer.BlendPremultipliedState()
	alpha := composer.BlendAlphaState()
	additive := Additive.state()
	if want := (composer.Blend{
		Color: composer.BlendComponent{Operation: composer.BlendAdd, Src: composer.FactorSrcAlpha, Dst: composer.FactorOne},
		Alpha: composer.BlendComponent{Operation: composer.BlendAdd, Src: composer.FactorOne, Dst: composer.FactorOne},
	}); additive != want {
		t.Errorf("additive is %+v", additive)
	}
	for _, x := range []struct {
		name   string
		change func(*Options)
		blend  *composer.Blend
		write  bool
		opaque bool
		cull   composer.CullMode
	}{
		{"plain", func(*Options) {}, nil, true, false, composer.CullBack},
		{"two-sided", func(o *Options) { o.TwoSided = true }, nil, true, false, composer.CullNone},
		{"no depth", func(o *Options) { o.DepthWrite = &no }, nil, false, false, composer.CullBack},
		{"alpha", func(o *Options) { o.AlphaBlending = true }, &alpha, false, false, composer.CullBack},
		{"alpha never writes depth", func(o *Options) { o.AlphaBlending, o.DepthWrite = true, &yes }, &alpha, false, false, composer.CullBack},
		{"additive", func(o *Options) { o.AlphaBlending, o.BlendMode = true, Additive }, &additive, false, false, composer.CullBack},
		{"blend mode alone", func(o *Options) { o.BlendMode = Additive }, nil, true, false, composer.CullBack},
		{"blend", func(o *Options) { o.Blend = &blend }, &blend, false, false, composer.CullBack},
		{"blend over mode", func(o *Options) { o.Blend, o.BlendMode, o.AlphaBlending = &blend, Additive, true }, &blend, false, false, composer.CullBack},
		{"blend that writes depth", func(o *Options) { o.Blend, o.DepthWrite = &blend, &yes }, &blend, true, false, composer.CullBack},
		{"blend among the opaque", func(o *Options) { o.Blend, o.Opaque = &blend, true }, &blend, false, true, composer.CullBack},
	} {
		t.Run(x.name, func(t *testing.T) {
			o := base()
			x.change(&o)
			s := mustNew(t, o).State(nil)
			if (s.Blend == nil) != (x.blend == nil) || s.Blend != nil && *s.Blend != *x.blend {
				t.Errorf("blend %+v, want %+v", s.Blend, x.blend)
			}
			if s.NoDepthWrite == x.write || s.Opaque != x.opaque || s.Cull != x.cull {
				t.Errorf("state %+v", s)
			}
		})
	}
	o := base()
	o.DepthCompare, o.Topology, o.Write = composer.CompareAlways, composer.LineList, composer.WriteRed
	o.Stencil = &material.Stencil{Reference: 3}
	if s := mustNew(t, o).State(nil); s.Compare != o.DepthCompare || s.Topology != o.Topology || s.Write != o.Write || s.Stencil.Reference != 3 {
		t.Errorf("state %+v", s)
	}
}

// system collects what Uniforms writes.
type system map[string][]float64

func (s system) Has(string) bool                   { return true }
func (s system) Set(string, any)                   {}
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

// Of the uniforms only what changed is to be uploaded: one range about all
// changes since the buffer was last asked for.
func TestRangeUpdates(t *testing.T) {
	o := base()
	o.Uniforms = []Uniform{{Name: "a", Type: "mat4x4<f32>"}, {Name: "b", Type: "vec3<f32>", Default: []float64{1, 2, 3}}, {Name: "c", Type: "f32"}, {Name: "d", Type: "vec4<f32>"}}
	m := mustNew(t, o)
	ask := func() *material.Buffer {
		b := newBound()
		if err := m.Resources(&material.Context{}, b); err != nil {
			t.Fatal(err)
		}
		return b.buffers["shaderUniforms"]
	}
	set := func(err error) {
		if err != nil {
			t.Fatal(err)
		}
	}
	b := ask()
	if len(b.Data) != 96 || b.Version != 0 || b.Data[64+3] != 0x3f {
		t.Fatalf("%d bytes of version %d: %v", len(b.Data), b.Version, b.Data[64:76])
	}
	set(m.SetFloat("c", 5))
	if got := ask(); got != b || b.Version != 1 || b.DirtyFrom != 76 || b.DirtyTo != 80 {
		t.Errorf("one float: %d…%d of version %d", b.DirtyFrom, b.DirtyTo, b.Version)
	}
	if ask(); b.Version != 1 {
		t.Errorf("nothing new: version %d", b.Version)
	}
	set(m.SetFloat("c", 5))
	if ask(); b.Version != 1 || m.UniformVersion() != 1 {
		t.Errorf("the same again: version %d, %d", b.Version, m.UniformVersion())
	}
	set(m.SetFloat("c", 6))
	set(m.SetVec4("d", [4]float64{1, 0, 0, 0}))
	if ask(); b.Version != 2 || b.DirtyFrom != 76 || b.DirtyTo != 96 {
		t.Errorf("two neighbours: %d…%d", b.DirtyFrom, b.DirtyTo)
	}
	if err := m.SetVec3("c", [3]float64{}); err == nil {
		t.Error("a vector for a float")
	}
	if ask(); b.Version != 2 {
		t.Error("what was refused is uploaded")
	}
}

func TestSetDoesNotAllocate(t *testing.T) {
	o := base()
	o.Uniforms = []Uniform{{Name: "a", Type: "f32"}}
	m := mustNew(t, o)
	x := 0.0
	if n := testing.AllocsPerRun(100, func() { x++; m.SetFloat("a", x) }); n > 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestResourceVersion(t *testing.T) {
	o := base()
	o.Samplers = []Sampler{{Name: "grain"}}
	m := mustNew(t, o)
	a, b := pixels("", 0), pixels("", 0)
	for i, x := range []struct {
		t    *texture.Texture
		want uint64
	}{{a, 1}, {a, 1}, {b, 2}, {nil, 3}, {nil, 3}} {
		if err := m.SetTexture("grain", x.t); err != nil || m.ResourceVersion() != x.want || m.Texture("grain") != x.t {
			t.Errorf("step %d: version %d, want %d, %v", i, m.ResourceVersion(), x.want, err)
		}
	}
}

func TestViews(t *testing.T) {
	o := base()
	o.Uniforms = []Uniform{{Name: "a", Type: "f32"}}
	o.Externals = []string{"video"}
	m := mustNew(t, o)
	dim := m.View("dim", func(s *material.State) { s.NoWrite = true })
	lines := dim.View("lines", func(s *material.State) { s.Topology = composer.LineList })
	if s := lines.State(nil); !s.NoWrite || s.Topology != composer.LineList || m.State(nil).NoWrite {
		t.Errorf("states %+v of the view and %+v of the source", lines.State(nil), m.State(nil))
	}
	if lines.Source() != m || m.Source() != nil {
		t.Error("the view of a view has another source")
	}
	film, err := NewExternal("film", FrameFunc{1, 1, func(float64) ([]byte, error) { return make([]byte, 4), nil }})
	if err != nil {
		t.Fatal(err)
	}
	if err := lines.SetExternal("video", film); err != nil || m.External("video") != film || dim.ResourceVersion() != 1 {
		t.Errorf("bound through a view, the source has %v at version %d, %v", m.External("video"), dim.ResourceVersion(), err)
	}
	if err := m.SetFloat("a", 1); err != nil || dim.values != m.values {
		t.Errorf("a view does not borrow: %v", err)
	}
	if err := dim.SetFloat("a", 2); err != nil || dim.values == m.values || m.values.writer.Bytes()[3] == dim.values.writer.Bytes()[3] {
		t.Errorf("a view's own value is the source's: %v", err)
	}
	if err := dim.SetFloat("b", 2); !errors.Is(err, ErrUndeclared) {
		t.Error(err)
	}
	dim.ReleaseUniforms()
	dim.ReleaseUniforms()
	lines.ReleaseUniforms()
	m.ReleaseUniforms()
	if dim.values != m.values || m.values == nil {
		t.Error("a released view does not borrow again")
	}
	// Views draw with the source's shader.
	a, err1 := compose(m, streams("position"))
	b, err2 := compose(dim, streams("position"))
	if err1 != nil || err2 != nil || a.Key != b.Key {
		t.Errorf("another shader: %v, %v", err1, err2)
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

// FuzzSource scans anything without failing over.
func FuzzSource(f *testing.F) {
	f.Add(testVertex)
	f.Add("@group(0) @binding(1) var<uniform> a: b; /* /* */ struct")
	f.Add("@group(\n#if\n}")
	f.Fuzz(func(t *testing.T, src string) {
		if err := checkSource(src, "mainVertex", "vertex", map[string]string{"scene": "the scene"}); err != nil && strings.Contains(err.Error(), "\n") {
			t.Errorf("%q has more than one line", err)
		}
	})
}

// Every test that the documentation's table names exists.
func TestTableOfPromises(t *testing.T) {
	checkTable(t, "doc.go", ".", "../../renderer", "../../scenes/catalogue", "../../scenes/video", "../../composer")
}

// checkTable looks the names in the last column of the table up.
func checkTable(t *testing.T, doc string, dirs ...string) {
	t.Helper()
	text, err := os.ReadFile(doc)
	if err != nil {
		t.Fatal(err)
	}
	var sources strings.Builder
	for _, d := range dirs {
		files, _ := filepath.Glob(filepath.Join(d, "*.go"))
		for _, f := range files {
			b, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			sources.Write(b)
		}
	}
	rows := 0
	for line := range strings.SplitSeq(string(text), "\n") {
		cells := strings.Split(line, " | ")
		if !strings.HasPrefix(line, "//\t") || len(cells) != 3 {
			continue
		}
		rows++
		for test := range strings.SplitSeq(cells[2], ", ") {
			if test = strings.TrimSpace(test); !strings.Contains(sources.String(), "func "+test+"(") && !strings.Contains(sources.String(), `"`+test+`"`) {
				t.Errorf("%s: there is no test or scene %q", line, test)
			}
		}
	}
	if rows < 20 {
		t.Errorf("the table has %d rows", rows)
	}
}
