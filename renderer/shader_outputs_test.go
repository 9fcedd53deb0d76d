package renderer

import (
	"testing"

	"darkroom/composer"
	"darkroom/material/shader"
	"darkroom/material/texture"
	"darkroom/scenes"
)

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
