package renderer

import (
	"fmt"
	"strings"
	"testing"

	"darkroom/composer"
	"darkroom/material"
	"darkroom/material/instances"
	"darkroom/material/shader"
	"darkroom/material/texture"
	"darkroom/scenes"
	"darkroom/scenes/linalg"
)

// Whatever of the fixed state, the targets or the mesh's layout differs makes a
// pipeline of its own, and what is equal none.
func TestShaderPipelineKey(t *testing.T) {
	r := open(t)
	off := false
	pre, add := composer.BlendPremultipliedState(), composer.BlendAdditiveState()
	stencil := func(op composer.StencilOperation, ref uint32) *material.Stencil {
		f := composer.StencilFace{Compare: composer.CompareAlways, Pass: op}
		return &material.Stencil{Front: f, Back: f, ReadMask: 255, WriteMask: 255, Reference: ref}
	}
	want := 0
	for _, x := range []struct {
		name   string
		change func(*shader.Options)
		more   int
	}{
		{"the first", func(*shader.Options) {}, 1},
		{"another name", func(o *shader.Options) { o.Name = "other" }, 0},
		{"blend", func(o *shader.Options) { o.Blend = &pre }, 1},
		{"an equal blend", func(o *shader.Options) { b := pre; o.Blend = &b }, 0},
		{"another blend", func(o *shader.Options) { o.Blend = &add }, 1},
		{"a blend constant", func(o *shader.Options) {
			o.Blend = &composer.Blend{Color: composer.BlendComponent{Src: composer.FactorConstant}}
		}, 1},
		{"another constant", func(o *shader.Options) {
			o.Blend, o.BlendConstant = &composer.Blend{Color: composer.BlendComponent{Src: composer.FactorConstant}}, [4]float64{1}
		}, 0},
		{"depth write", func(o *shader.Options) { o.DepthWrite = &off }, 1},
		{"depth compare", func(o *shader.Options) { o.DepthCompare = composer.CompareAlways }, 1},
		{"depth bias", func(o *shader.Options) { o.DepthBias = 1 }, 1},
		{"slope", func(o *shader.Options) { o.DepthBiasSlope = 1 }, 1},
		{"culling", func(o *shader.Options) { o.TwoSided = false }, 1},
		{"topology", func(o *shader.Options) { o.Topology = composer.PointList }, 1},
		{"stencil", func(o *shader.Options) { o.Stencil = stencil(composer.StencilReplace, 1) }, 1},
		{"another reference", func(o *shader.Options) { o.Stencil = stencil(composer.StencilReplace, 2) }, 0},
		{"another operation", func(o *shader.Options) { o.Stencil = stencil(composer.StencilInvert, 2) }, 1},
		{"write mask", func(o *shader.Options) { o.Write = composer.WriteRed }, 1},
		{"code", func(o *shader.Options) { o.Fragment += "\n// other" }, 1},
		{"a define", func(o *shader.Options) { o.Defines = map[string]any{"ON": true} }, 1},
	} {
		s := emptyScene()
		for range 2 {
			s.Add(scenes.NewMesh("quad", quad(-1, -1, 1, 1), flatShader(t, "vec4<f32>(0.0)", "vec4<f32>(1.0)", x.change)))
		}
		drawAt(t, newSession(t, r, s, 4, 4), 0)
		if want += x.more; r.Pipelines() != want {
			t.Errorf("%s: %d pipelines, want %d", x.name, r.Pipelines(), want)
			want = r.Pipelines()
		}
	}
	// The target and the samples.
	for i, a := range []scenes.Attachments{
		{Color: []*texture.Texture{{Name: "half", Format: composer.RGBA16Float, Source: &texture.Target{Width: 4, Height: 4}}}},
		{Samples: 4}, {Samples: 4, NoDepth: true},
	} {
		s := emptyScene()
		s.Add(scenes.NewMesh("quad", quad(-1, -1, 1, 1), flatShader(t, "vec4<f32>(0.0)", "vec4<f32>(1.0)", nil)))
		s.Graph = []scenes.Task{&scenes.ScenePass{Name: fmt.Sprint("pass ", i), Attachments: a}}
		drawAt(t, newSession(t, r, s, 4, 4), 0)
		if want++; r.Pipelines() != want {
			t.Errorf("target %d: %d pipelines, want %d", i, r.Pipelines(), want)
		}
	}
}

// triple is a scene with many equal materials on plain meshes, instances and
// coloured instances.
func triple(t testing.TB, n int) *scenes.Scene {
	t.Helper()
	s := emptyScene()
	for i := range n {
		for k, thin := range []*instances.Thin{nil, instances.New([][16]float64{linalg.Identity()}, nil), instances.New([][16]float64{linalg.Identity()}, [][4]float64{{1, 0, 0, 1}})} {
			m, err := shader.New(shader.Options{
				Name: fmt.Sprint("m", i, k), Attributes: []string{"position"}, System: []shader.System{shader.World}, InstanceWorld: true, FinalColor: true, TwoSided: true,
				Vertex:   "@vertex fn mainVertex(input: VertexInput) -> @builtin(position) vec4<f32> {\n    return getFinalWorld(input) * vec4<f32>(input.position, 1.0) + 0.0 * getFinalColor(input);\n}",
				Fragment: "@fragment fn mainFragment() -> @location(0) vec4<f32> { return vec4<f32>(1.0); }",
			})
			if err != nil {
				t.Fatal(err)
			}
			node := s.Add(scenes.NewMesh("quad", quad(-1, -1, 1, 1), m))
			if thin != nil {
				node.Instanced(thin)
			}
		}
	}
	return s
}

// Pipelines can be made ahead of the first picture, once for equal materials of
// each kind of instances, and the picture makes no more.
func TestShaderPrepare(t *testing.T) {
	r := open(t)
	x := newSession(t, r, triple(t, 5), 4, 4)
	if err := x.Prepare(0); err != nil {
		t.Fatal(err)
	}
	if n := r.Pipelines(); n != 3 {
		t.Errorf("%d pipelines, want 3", n)
	}
	if u := x.Uploads(); u != (Uploads{}) {
		t.Errorf("%+v was sent", u)
	}
	modules := r.Live()["shader"]
	drawAt(t, x, 0)
	// A session that comes later joins.
	drawAt(t, newSession(t, r, triple(t, 2), 4, 4), 0)
	if n := r.Pipelines(); n != 3 || r.Live()["shader"] != modules {
		t.Errorf("after drawing %d pipelines and %d modules, want 3 and %d", n, r.Live()["shader"], modules)
	}
	s := emptyScene()
	s.Add(scenes.NewMesh("quad", quad(-1, -1, 1, 1), flatShader(t, "vec4<f32>(0.0)", "vec3<f32>(1.0)", nil)))
	if err := newSession(t, r, s, 4, 4).Prepare(0); err == nil || !strings.Contains(err.Error(), "shader material flat") || !strings.Contains(err.Error(), "line 8") {
		t.Errorf("an error of the compiler: %v", err)
	}
}

// After the pipelines are dropped a session goes on, source materials and views
// alike, and nothing of the old ones stays.
func TestShaderClearPipelines(t *testing.T) {
	r := open(t)
	s := emptyScene()
	m := flatShader(t, "vec4<f32>(0.0)", "vec4<f32>(1.0)", nil)
	s.Add(scenes.NewMesh("left", quad(-1, -1, 0, 1), m))
	s.Add(scenes.NewMesh("right", quad(0, -1, 1, 1), m.View("red", func(s *material.State) { s.Write = composer.WriteRed })))
	x := newSession(t, r, s, 4, 4)
	var live map[string]int
	for i := range 3 {
		f := drawAt(t, x, 0)
		if a, b := f.pixel(0, 1), f.pixel(3, 1); a != [4]byte{255, 255, 255, 255} || b != [4]byte{255, 0, 0, 255} {
			t.Errorf("draw %d: %v and %v", i, a, b)
		}
		if n := r.Pipelines(); n != 2 {
			t.Errorf("draw %d: %d pipelines", i, n)
		}
		if i == 0 {
			live = r.Live()
		} else if now := r.Live(); fmt.Sprint(now) != fmt.Sprint(live) {
			t.Errorf("draw %d: %v live, at first %v", i, now, live)
		}
		r.ClearPipelines()
		if n := r.Pipelines(); n != 0 {
			t.Errorf("%d pipelines after they were dropped", n)
		}
	}
}

// One material is drawn on two devices, each with pipelines of its own.
func TestShaderTwoDevices(t *testing.T) {
	s := emptyScene()
	m := flatShader(t, "vec4<f32>(0.0)", "vec4<f32>(shaderUniforms.red, 0.0, 0.0, 1.0)", func(o *shader.Options) { o.Uniforms = []shader.Uniform{{Name: "red", Type: "f32", Default: 1.0}} })
	s.Add(scenes.NewMesh("quad", quad(-1, -1, 1, 1), m))
	a, b := open(t), open(t)
	x, y := newSession(t, a, s, 4, 4), newSession(t, b, s, 4, 4)
	for i, v := range []float64{1, 0.2, 0.4} {
		if err := m.SetFloat("red", v); err != nil {
			t.Fatal(err)
		}
		for k, session := range []*Session{x, y} {
			if got := drawAt(t, session, 0).pixel(1, 1); got != [4]byte{byte(v*255 + 0.5), 0, 0, 255} {
				t.Errorf("draw %d on device %d: %v", i, k, got)
			}
		}
	}
	if a.Pipelines() != 1 || b.Pipelines() != 1 {
		t.Errorf("%d and %d pipelines", a.Pipelines(), b.Pipelines())
	}
	x.Close()
	a.Close()
	if got := drawAt(t, y, 0).pixel(1, 1); got[0] != 102 {
		t.Errorf("after the other device is gone: %v", got)
	}
}
