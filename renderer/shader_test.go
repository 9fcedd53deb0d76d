package renderer

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"darkroom/composer"
	"darkroom/material"
	"darkroom/material/instances"
	"darkroom/material/morph"
	"darkroom/material/shader"
	"darkroom/material/texture"
	"darkroom/scenes"
	"darkroom/scenes/linalg"
	"darkroom/scenes/mesh"
)

// flat is the vertex stage of tests that look at the colours of whole pixels:
// the mesh's x and y are clip coordinates.
const flat = `struct VertexOutput {
    @builtin(position) position: vec4<f32>,
    @location(0) value: vec4<f32>,
    @location(1) uv: vec2<f32>,
};
@vertex
fn mainVertex(input: VertexInput) -> VertexOutput {
    var out: VertexOutput;
    out.position = vec4<f32>(input.position.xy, 0.5, 1.0);
    out.uv = vec2<f32>(0.5, 0.5) + 0.5 * input.position.xy * vec2<f32>(1.0, -1.0);
    out.value = VALUE;
    return out;
}`

const flatFragment = `struct VertexOutput {
    @builtin(position) position: vec4<f32>,
    @location(0) value: vec4<f32>,
    @location(1) uv: vec2<f32>,
};
@fragment
fn mainFragment(input: VertexOutput) -> @location(0) vec4<f32> {
    return COLOR;
}`

// flatShader is a material whose colour is an expression of the fragment stage,
// which has input.value from an expression of the vertex stage.
func flatShader(t testing.TB, value, color string, change func(*shader.Options)) *shader.Material {
	t.Helper()
	o := shader.Options{
		Name: "flat", Attributes: []string{"position"}, TwoSided: true,
		Vertex: strings.Replace(flat, "VALUE", value, 1), Fragment: strings.Replace(flatFragment, "COLOR", color, 1),
	}
	if change != nil {
		change(&o)
	}
	m, err := shader.New(o)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// quad covers the clip rectangle.
func quad(x0, y0, x1, y1 float32) *mesh.Geometry {
	return &mesh.Geometry{Name: "quad", Positions: []float32{x0, y0, 0, x1, y0, 0, x1, y1, 0, x0, y1, 0}, Indices: []uint32{0, 1, 2, 0, 2, 3}}
}

func emptyScene() *scenes.Scene {
	s := scenes.New("flat")
	s.Clear = scenes.Color4{0, 0, 0, 1}
	s.Camera = scenes.NewFree("camera", linalg.Vec3{0, 0, -10})
	return s
}

func newSession(t testing.TB, r *Renderer, s *scenes.Scene, w, h int) *Session {
	t.Helper()
	x, err := r.Session(s, Settings{Width: w, Height: h, Samples: 1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(x.Close)
	return x
}

func drawAt(t testing.TB, x *Session, at float64) *Frame {
	t.Helper()
	f, err := x.Draw(context.Background(), at)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// pixel is the colour at x, y.
func (f *Frame) pixel(x, y int) [4]byte { return [4]byte(f.Pix[(y*f.Width+x)*4:]) }

// A thousand materials that are alike make one pipeline and keep their values.
func TestShaderMaterialsShareOnePipeline(t *testing.T) {
	r := open(t)
	s := emptyScene()
	const side, n = 32, 1000
	for i := range n {
		m := flatShader(t, "vec4<f32>(0.0)", "vec4<f32>(shaderUniforms.tint, 1.0)", func(o *shader.Options) {
			o.Name = fmt.Sprint("flat ", i)
			o.Uniforms = []shader.Uniform{{Name: "tint", Type: "vec3<f32>"}}
		})
		if err := m.SetVec3("tint", [3]float64{float64(i%256) / 255, float64(i/256) / 255, 1}); err != nil {
			t.Fatal(err)
		}
		x, y := float32(i%side)*2/side-1, 1-float32(i/side)*2/side
		s.Add(scenes.NewMesh(fmt.Sprint("quad ", i), quad(x, y-2.0/side, x+2.0/side, y), m))
	}
	f := drawAt(t, newSession(t, r, s, side, side), 0)
	if got := r.Pipelines(); got != 1 {
		t.Errorf("%d pipelines, want 1", got)
	}
	for i := range n {
		if got, want := f.pixel(i%side, i/side), [4]byte{byte(i % 256), byte(i / 256), 255, 255}; got != want {
			t.Fatalf("material %d drew %v, want %v", i, got, want)
		}
	}
	// Other code is another pipeline, other state too, other values are none.
	s.Add(scenes.NewMesh("other", quad(0, 0, 1, 1), flatShader(t, "vec4<f32>(1.0)", "vec4<f32>(1.0)", nil)))
	s.Add(scenes.NewMesh("blended", quad(0, 0, 1, 1), flatShader(t, "vec4<f32>(1.0)", "vec4<f32>(1.0)", func(o *shader.Options) { o.AlphaBlending = true })))
	drawAt(t, newSession(t, r, s, side, side), 0)
	if got := r.Pipelines(); got != 3 {
		t.Errorf("%d pipelines, want 3", got)
	}
}

// Of the uniforms, what changed is uploaded, and nothing else.
func TestShaderUniformUploads(t *testing.T) {
	r := open(t)
	s := emptyScene()
	m := flatShader(t, "vec4<f32>(0.0)", "vec4<f32>(shaderUniforms.red, shaderUniforms.green, 0.0, 1.0)", func(o *shader.Options) {
		o.System = []shader.System{shader.World, shader.ViewProjection}
		for i := range 60 {
			o.Uniforms = append(o.Uniforms, shader.Uniform{Name: fmt.Sprint("m", i), Type: "mat4x4<f32>"})
		}
		o.Uniforms = append(o.Uniforms, shader.Uniform{Name: "red", Type: "f32"}, shader.Uniform{Name: "green", Type: "f32"})
	})
	node := s.Add(scenes.NewMesh("quad", quad(-1, -1, 1, 1), m))
	x := newSession(t, r, s, 4, 4)
	sent := func() uint64 { drawAt(t, x, 0); n := x.Uploads().Buffers; return n }
	set := func(name string, v float64) {
		if err := m.SetFloat(name, v); err != nil {
			t.Fatal(err)
		}
	}
	before := sent()
	if before != 60*64+16 {
		t.Errorf("at first %d bytes were sent, want all %d", before, 60*64+16)
	}
	step := func(what string, want uint64, change func()) {
		t.Helper()
		change()
		now := sent()
		if now-before != want {
			t.Errorf("%s: %d bytes, want %d", what, now-before, want)
		}
		before = now
	}
	step("nothing", 0, func() {})
	step("the mesh moved", 0, func() { node.Position[0] = 1 })
	step("one float", 4, func() { set("red", 1) })
	step("the same again", 0, func() { set("red", 1) })
	step("a float many times", 4, func() {
		for i := range 100 {
			set("green", float64(i))
		}
	})
	step("two neighbours", 8, func() { set("red", 0); set("green", 1) })
	if got := drawAt(t, x, 0).pixel(1, 1); got != [4]byte{0, 255, 0, 255} {
		t.Errorf("the colour is %v", got)
	}
	// A second session starts with all of it, and neither disturbs the other.
	y := newSession(t, r, s, 4, 4)
	drawAt(t, y, 0)
	if n := y.Uploads().Buffers; n != 60*64+16 {
		t.Errorf("a second session: %d bytes", n)
	}
	set("red", 1)
	for i, x := range []*Session{x, y, x} {
		if got := drawAt(t, x, 0).pixel(1, 1); got != [4]byte{255, 255, 0, 255} {
			t.Errorf("draw %d: the colour is %v", i, got)
		}
	}
}

// The compiler's error is told by the user's own line.
func TestShaderCompileErrorLine(t *testing.T) {
	r := open(t)
	for _, x := range []struct{ stage, vertex, fragment, want string }{
		{"fragment", "vec4<f32>(1.0)", "vec3<f32>(1.0)", `fragment "flat", FRAGMENT line 8`},
		{"vertex", "vec3<f32>(1.0)", "vec4<f32>(1.0)", `fragment "flat", VERTEX line 11`},
	} {
		s := emptyScene()
		s.Add(scenes.NewMesh("quad", quad(-1, -1, 1, 1), flatShader(t, x.vertex, x.fragment, func(o *shader.Options) {
			o.System = []shader.System{shader.World}
			o.Defines = map[string]any{"SOME": true}
		})))
		_, err := newSession(t, r, s, 4, 4).Draw(context.Background(), 0)
		if err == nil || !errors.Is(err, composer.ErrCompile) || !strings.Contains(err.Error(), x.want) || !strings.Contains(err.Error(), "shader material flat") {
			t.Errorf("%s stage: %v, want it to say %q and the material's name", x.stage, err, x.want)
		}
	}
}

// What the material is refused for is known without a GPU call.
func TestShaderMisuseBeforeGPU(t *testing.T) {
	r := open(t)
	s := emptyScene()
	m := flatShader(t, "vec4<f32>(0.0)", "textureSample(grain, grainSampler, input.uv)", func(o *shader.Options) { o.Samplers = []shader.Sampler{{Name: "grain"}} })
	s.Add(scenes.NewMesh("quad", quad(-1, -1, 1, 1), m))
	x := newSession(t, r, s, 4, 4)
	if _, err := x.Draw(context.Background(), 0); err == nil || !strings.Contains(err.Error(), `shader material flat: sampler "grain" has no texture`) {
		t.Fatal(err)
	}
	// Once it is bound, and bound to another, the picture follows.
	for _, want := range [][4]byte{{255, 0, 0, 255}, {0, 255, 0, 255}} {
		if err := m.SetTexture("grain", texture.Solid("solid", float64(want[0]), float64(want[1]), 0, 1)); err != nil {
			t.Fatal(err)
		}
		if got := drawAt(t, x, 0).pixel(2, 2); got != want {
			t.Errorf("%v, want %v", got, want)
		}
	}
}

// A mesh without the streams that the shader reads: zeros, and white for a
// colour that is multiplied.
func TestShaderMissingStreamsAreZero(t *testing.T) {
	r := open(t)
	for _, x := range []struct {
		value string
		final bool
		want  [4]byte
	}{
		{"vec4<f32>(input.color.rgb + input.tangent.rgb, 1.0)", false, [4]byte{0, 0, 0, 255}},
		{"vec4<f32>(0.5 + f32(input.joints.w), input.uv2, 1.0)", false, [4]byte{128, 0, 0, 255}},
		{"getFinalColor(input)", true, [4]byte{255, 255, 255, 255}},
		{"input.color * getFinalColor(input)", true, [4]byte{255, 255, 255, 255}},
	} {
		s := emptyScene()
		s.Add(scenes.NewMesh("quad", quad(-1, -1, 1, 1), flatShader(t, x.value, "input.value", func(o *shader.Options) {
			o.Attributes, o.FinalColor = []string{"position", "color", "tangent", "joints", "uv2"}, x.final
		})))
		if got := drawAt(t, newSession(t, r, s, 4, 4), 0).pixel(1, 1); got != x.want {
			t.Errorf("%s: %v, want %v", x.value, got, x.want)
		}
	}
}

// Instances are drawn with their matrices and colours, times the mesh's.
func TestShaderInstances(t *testing.T) {
	r := open(t)
	s := emptyScene()
	m, err := shader.New(shader.Options{
		Name: "instanced", Attributes: []string{"position", "color"}, System: []shader.System{shader.World}, InstanceWorld: true, FinalColor: true, TwoSided: true,
		Vertex: `struct VertexOutput { @builtin(position) position: vec4<f32>, @location(0) color: vec4<f32> };
@vertex fn mainVertex(input: VertexInput) -> VertexOutput {
    var out: VertexOutput;
    out.position = vec4<f32>((getFinalWorld(input) * vec4<f32>(input.position, 1.0)).xy, 0.5, 1.0);
    out.color = getFinalColor(input);
    return out;
}`,
		Fragment: "struct VertexOutput { @builtin(position) position: vec4<f32>, @location(0) color: vec4<f32> };\n@fragment fn mainFragment(input: VertexOutput) -> @location(0) vec4<f32> { return input.color; }",
	})
	if err != nil {
		t.Fatal(err)
	}
	g := quad(-1, -1, 0, 1)
	g.Colors = []float32{1, 0.5, 1, 1, 1, 0.5, 1, 1, 1, 0.5, 1, 1, 1, 0.5, 1, 1}
	thin := instances.New([][16]float64{linalg.Identity(), linalg.Translation(linalg.Vec3{1, 0, 0})}, [][4]float64{{1, 0, 0, 1}, {0, 1, 1, 1}})
	n := s.Add(scenes.NewMesh("quads", g, m))
	n.Mesh.Features, n.Mesh.Instances = []material.Feature{thin}, 2
	f := drawAt(t, newSession(t, r, s, 4, 4), 0)
	if a, b := f.pixel(0, 1), f.pixel(3, 1); a != [4]byte{255, 0, 0, 255} || b != [4]byte{0, 128, 255, 255} {
		t.Errorf("instances are %v and %v", a, b)
	}
	// The same material draws a mesh without instances.
	n.Mesh.Features, n.Mesh.Instances = nil, 0
	f = drawAt(t, newSession(t, r, s, 4, 4), 0)
	if a, b := f.pixel(0, 1), f.pixel(3, 1); a != [4]byte{255, 128, 255, 255} || b != [4]byte{0, 0, 0, 255} {
		t.Errorf("without instances %v and %v", a, b)
	}
}

// Morph targets move positions and normals where the user's code asks for them,
// and are an error where it does not.
func TestShaderMorph(t *testing.T) {
	r := open(t)
	s := emptyScene()
	build := func(vertex string, final bool) *shader.Material {
		m, err := shader.New(shader.Options{
			Name: "soft", Attributes: []string{"position", "normal"}, System: []shader.System{shader.World}, InstanceWorld: true, FinalInput: final, TwoSided: true,
			Vertex: `struct VertexOutput { @builtin(position) position: vec4<f32>, @location(0) normal: vec3<f32> };
@vertex fn mainVertex(input: VertexInput) -> VertexOutput {
    let soft = ` + vertex + `;
    var out: VertexOutput;
    out.position = vec4<f32>((getFinalWorld(input) * vec4<f32>(soft.position, 1.0)).xy, 0.5, 1.0);
    out.normal = soft.normal;
    return out;
}`,
			Fragment: "struct VertexOutput { @builtin(position) position: vec4<f32>, @location(0) normal: vec3<f32> };\n@fragment fn mainFragment(input: VertexOutput) -> @location(0) vec4<f32> { return vec4<f32>(input.normal, 1.0); }",
		})
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	g := quad(-1, -1, 0, 1)
	g.Normals = []float32{1, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0}
	right := []float32{1, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0}
	turn := []float32{-1, 1, 0, -1, 1, 0, -1, 1, 0, -1, 1, 0}
	shape, err := morph.New(4, []morph.Target{{Name: "right", Positions: right}, {Name: "turn", Normals: turn}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	n := s.Add(scenes.NewMesh("quad", g, build("getFinalInput(input)", true)))
	n.Mesh.Features = []material.Feature{shape}
	x := newSession(t, r, s, 4, 4)
	none := [4]byte{0, 0, 0, 255}
	for i, want := range []struct {
		weights     []float64
		left, right [4]byte
	}{{[]float64{0, 0}, [4]byte{255, 0, 0, 255}, none}, {[]float64{1, 0}, none, [4]byte{255, 0, 0, 255}}, {[]float64{1, 1}, none, [4]byte{0, 255, 0, 255}}, {[]float64{0, 0.6}, [4]byte{102, 153, 0, 255}, none}} {
		shape.Weights = want.weights
		f := drawAt(t, x, 0)
		if a, b := f.pixel(0, 1), f.pixel(3, 1); a != want.left || b != want.right {
			t.Errorf("weights %v (%d): %v and %v", want.weights, i, a, b)
		}
	}
	// The same material draws a mesh without targets.
	n.Mesh.Features = nil
	if a := drawAt(t, newSession(t, r, s, 4, 4), 0).pixel(0, 1); a != [4]byte{255, 0, 0, 255} {
		t.Errorf("without targets: %v", a)
	}
	n.Mesh.Features, n.Mesh.Material = []material.Feature{shape}, build("input", false)
	if _, err := newSession(t, r, s, 4, 4).Draw(context.Background(), 0); err == nil || !strings.Contains(err.Error(), "shader material soft") || !strings.Contains(err.Error(), "morph-2") || !strings.Contains(err.Error(), "set FinalInput") {
		t.Errorf("without FinalInput: %v", err)
	}
}

// Frames are uploaded for the scene's time, once for each, and sampled nearest,
// level 0, clamped to the edge.
func TestShaderExternalTexture(t *testing.T) {
	r := open(t)
	s := emptyScene()
	m := flatShader(t, "vec4<f32>(0.0)", "textureSampleBaseClampToEdge(video, videoSampler, input.uv * 3.0 - 1.0)", func(o *shader.Options) { o.Externals = []string{"video"} })
	calls := 0
	film, err := shader.NewExternal("film", shader.FrameFunc{Width: 2, Height: 1, Func: func(at float64) ([]byte, error) {
		calls++
		if at > 3 {
			return nil, errors.New("the film is over")
		}
		return []byte{byte(at), 0, 0, 255, 0, byte(at), 0, 255}, nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	if err := m.SetExternal("video", film); err != nil {
		t.Fatal(err)
	}
	for i := range 3 {
		s.Add(scenes.NewMesh(fmt.Sprint("screen ", i), quad(-1, -1, 1, 1), m))
	}
	x := newSession(t, r, s, 6, 1)
	for i, at := range []float64{0, 1, 2, 2, 0} {
		f := drawAt(t, x, at)
		for px := range 6 {
			want := [4]byte{byte(at), 0, 0, 255}
			if px >= 3 {
				want = [4]byte{0, byte(at), 0, 255}
			}
			if got := f.pixel(px, 0); got != want {
				t.Errorf("draw %d at %g s, pixel %d: %v, want %v", i, at, px, got, want)
			}
		}
	}
	if calls != 4 {
		t.Errorf("%d frames were asked for, want 4: the times 0, 1, 2 and 0", calls)
	}
	if _, err := x.Draw(context.Background(), 5); err == nil || !strings.Contains(err.Error(), "film") || !strings.Contains(err.Error(), "over") {
		t.Errorf("after its end: %v", err)
	}
	if film.Ready(5) || !film.Ready(1) {
		t.Error("Ready does not follow the source")
	}
}

// Under a floating origin everything is relative to the eye, at full precision.
func TestShaderFloatingOrigin(t *testing.T) {
	r := open(t)
	far := linalg.Vec3{1e8, 0, 0}
	build := func(large bool) *scenes.Scene {
		s := emptyScene()
		s.LargeWorld = large
		s.Camera = scenes.NewFree("camera", far)
		// Red: the world's offset. Green: the camera's position. Blue: where the
		// centre of the mesh is in view.
		m := flatShader(t, "vec4<f32>(shaderSystem.world[3].x, shaderSystem.cameraPosition.x, shaderSystem.worldView[3].x, 1.0)", "input.value", func(o *shader.Options) {
			o.System = []shader.System{shader.World, shader.WorldView, shader.CameraPosition}
		})
		s.Add(scenes.NewMesh("quad", quad(-1, -1, 1, 1), m).At(far[0]+0.5, 0, 0))
		return s
	}
	if got := drawAt(t, newSession(t, r, build(true), 4, 4), 0).pixel(1, 1); got != [4]byte{128, 0, 128, 255} {
		t.Errorf("floating: %v, want 0.5, 0 and 0.5", got)
	}
	if got := drawAt(t, newSession(t, r, build(false), 4, 4), 0).pixel(1, 1); got != [4]byte{255, 255, 0, 255} {
		t.Errorf("absolute: %v; half a unit is lost there", got)
	}
}

// A pass chooses the locations of named outputs.
func TestShaderNamedOutputs(t *testing.T) {
	r := open(t)
	s := emptyScene()
	m := flatShader(t, "vec4<f32>(0.0)", "", func(o *shader.Options) {
		o.Outputs = []composer.Output{{Name: "color", Type: "vec4<f32>"}, {Name: "normal", Type: "vec4<f32>"}, {Name: "glow", Type: "vec4<f32>"}}
		o.Fragment = `struct VertexOutput {
    @builtin(position) position: vec4<f32>,
    @location(0) value: vec4<f32>,
    @location(1) uv: vec2<f32>,
};
@fragment
fn mainFragment(input: VertexOutput) -> FragmentOutput {
    outputs.color = vec4<f32>(1.0, 0.0, 0.0, 1.0);
    outputs.normal = vec4<f32>(0.0, 1.0, 0.0, 1.0);
    outputs.glow = vec4<f32>(0.0, 0.0, 1.0, 1.0);
    return fragmentOutputs();
}`
	})
	s.Add(scenes.NewMesh("quad", quad(-1, -1, 1, 1), m))
	for _, samples := range []int{1, 4} {
		testNamedOutputs(t, r, s, samples)
	}
}

// testNamedOutputs draws to two targets, which are apart also where they are multisampled.
func testNamedOutputs(t *testing.T, r *Renderer, s *scenes.Scene, samples int) {
	t.Helper()
	target := func(name string) *texture.Texture {
		return &texture.Texture{Name: name, Source: &texture.Target{Width: 4, Height: 4, Samples: samples}, Sampler: texture.Sampler{NoMips: true}}
	}
	first, second := target("first"), target("second")
	s.Graph = []scenes.Task{&scenes.ScenePass{Name: "many", Attachments: scenes.Attachments{Color: []*texture.Texture{first, second}, Samples: samples, Outputs: map[string]int{"glow": 0, "color": 1}}}}
	got := map[string][4]byte{}
	x, err := r.Session(s, Settings{Width: 4, Height: 4, Samples: 1, Capture: func(c Captured) error { got[c.Target] = c.Frame.pixel(2, 2); return nil }})
	if err != nil {
		t.Fatal(err)
	}
	defer x.Close()
	drawAt(t, x, 0)
	if got["first"] != [4]byte{0, 0, 255, 255} || got["second"] != [4]byte{255, 0, 0, 255} {
		t.Errorf("%d samples: %v", samples, got)
	}
}

// Views draw with state and values of their own.
func TestShaderViews(t *testing.T) {
	r := open(t)
	s := emptyScene()
	m := flatShader(t, "vec4<f32>(0.0)", "vec4<f32>(shaderUniforms.red, 1.0, 1.0, 1.0)", func(o *shader.Options) {
		o.Uniforms = []shader.Uniform{{Name: "red", Type: "f32", Default: 1.0}}
	})
	view := m.View("red only", func(s *material.State) { s.Write = composer.WriteRed })
	left := s.Add(scenes.NewMesh("left", quad(-1, -1, 0, 1), m))
	s.Add(scenes.NewMesh("right", quad(0, -1, 1, 1), view))
	x := newSession(t, r, s, 4, 4)
	check := func(what string, a, b [4]byte) {
		t.Helper()
		f := drawAt(t, x, 0)
		if f.pixel(0, 0) != a || f.pixel(3, 0) != b {
			t.Errorf("%s: %v and %v, want %v and %v", what, f.pixel(0, 0), f.pixel(3, 0), a, b)
		}
	}
	check("borrowed", [4]byte{255, 255, 255, 255}, [4]byte{255, 0, 0, 255})
	if err := m.SetFloat("red", 0.2); err != nil {
		t.Fatal(err)
	}
	check("changed through the source", [4]byte{51, 255, 255, 255}, [4]byte{51, 0, 0, 255})
	if err := view.SetFloat("red", 1); err != nil {
		t.Fatal(err)
	}
	check("changed through the view", [4]byte{51, 255, 255, 255}, [4]byte{255, 0, 0, 255})
	left.Hidden = true
	view.ReleaseUniforms()
	check("released", [4]byte{0, 0, 0, 255}, [4]byte{51, 0, 0, 255})
}

// A storage buffer is read and a depth texture sampled.
func TestShaderStorageBuffer(t *testing.T) {
	r := open(t)
	s := emptyScene()
	b := &material.Buffer{Name: "points"}
	for _, x := range []float32{0, 0, 0, 0, 1, 0.2, 0, 1} {
		b.Data = binary.LittleEndian.AppendUint32(b.Data, math.Float32bits(x))
	}
	m := flatShader(t, "points[1]", "input.value", func(o *shader.Options) { o.Buffers = []shader.Buffer{{Name: "points", Type: "array<vec4<f32>>"}} })
	if err := m.SetBuffer("points", b); err != nil {
		t.Fatal(err)
	}
	s.Add(scenes.NewMesh("quad", quad(-1, -1, 1, 1), m))
	if got := drawAt(t, newSession(t, r, s, 4, 4), 0).pixel(1, 1); got != [4]byte{255, 51, 0, 255} {
		t.Errorf("%v", got)
	}
}

// BenchmarkShaderUniforms changes 10,000 uniforms a frame: ten of each of a
// thousand materials, and one large block in 10,000 places.
func BenchmarkShaderUniforms(b *testing.B) {
	r := open(b)
	for _, n := range []int{1, 1000} {
		b.Run(fmt.Sprintf("materials=%d", n), func(b *testing.B) {
			s := emptyScene()
			g := quad(-1, -1, 1, 1)
			fields := 10000 / n
			if n == 1 {
				fields = 4000 // of vec4, nearly the 64 KiB that a uniform buffer may have
			}
			list := make([]*shader.Material, n)
			names := make([]string, fields)
			for i := range names {
				names[i] = fmt.Sprint("v", i)
			}
			for i := range list {
				list[i] = flatShader(b, "vec4<f32>(0.0)", "shaderUniforms.v0", func(o *shader.Options) {
					for _, name := range names {
						o.Uniforms = append(o.Uniforms, shader.Uniform{Name: name, Type: "vec4<f32>"})
					}
				})
				s.Add(scenes.NewMesh("quad", g, list[i]))
			}
			x := newSession(b, r, s, 16, 16)
			drawAt(b, x, 0)
			before, frame := x.Uploads().Buffers, 0
			b.ReportAllocs()
			for b.Loop() {
				frame++
				for k := range 10000 {
					if err := list[k%n].SetVec4(names[k/n%fields], [4]float64{float64(frame), float64(k), 0, 1}); err != nil {
						b.Fatal(err)
					}
				}
				drawAt(b, x, 0)
			}
			b.ReportMetric(float64(x.Uploads().Buffers-before)/float64(frame), "uploaded-B/frame")
		})
	}
}
