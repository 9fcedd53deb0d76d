package renderer

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"darkroom/composer"
	"darkroom/material/shader"
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

// Transparent meshes are drawn far to near by their own centres, after the
// opaque ones, whatever their order in the scene.
func TestShaderSortsTransparent(t *testing.T) {
	r := open(t)
	glass := func(color string) *shader.Material {
		return flatShader(t, "vec4<f32>(0.0)", color, func(o *shader.Options) { o.AlphaBlending = true })
	}
	near := scenes.NewMesh("near", quad(-1, -1, 1, 1), glass("vec4<f32>(1.0, 0.0, 0.0, 0.5)")).At(0, 0, 1)
	far := scenes.NewMesh("far", quad(-1, -1, 1, 1), glass("vec4<f32>(0.0, 1.0, 0.0, 0.5)")).At(0, 0, 5)
	solid := scenes.NewMesh("solid", quad(-1, -1, 1, 1), flatShader(t, "vec4<f32>(0.0)", "vec4<f32>(0.0, 0.0, 1.0, 1.0)", nil))
	for _, order := range [][]*scenes.Node{{near, far, solid}, {solid, far, near}, {far, solid, near}} {
		s := emptyScene()
		s.Add(order...)
		if got := drawAt(t, newSession(t, r, s, 4, 4), 0).pixel(1, 1); got[0] < 127 || got[0] > 128 || got[1] < 63 || got[1] > 64 || got[2] < 63 || got[2] > 64 { // red over green over blue
			t.Errorf("%s, %s, %s: %v", order[0].Name, order[1].Name, order[2].Name, got)
		}
	}
}
