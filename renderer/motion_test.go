package renderer

import (
	"math"
	"testing"

	"darkroom/composer"
	"darkroom/material"
	"darkroom/material/instances"
	"darkroom/material/morph"
	"darkroom/material/shader"
	"darkroom/material/standard"
	"darkroom/material/texture"
	"darkroom/scenes"
	"darkroom/scenes/linalg"
	"darkroom/scenes/surfaces"
)

// A buffer is remembered for one frame; what is new in it stands still.
func TestBufferOfTheFrameBefore(t *testing.T) {
	var m motion
	b := &material.Buffer{Name: "b"}
	for i, c := range []struct{ now, before string }{
		{"aaaa", "aaaa"}, {"bbbb", "aaaa"}, {"bbbb", "bbbb"}, {"ccccdddd", "bbbbdddd"}, {"eeee", "ccccdddd"}, {"eeee", "eeee"}, {"ffff", "eeee"},
	} {
		m.begin(float64(i))
		if string(b.Data) != c.now {
			b.Data = []byte(c.now)
			b.Version++
		}
		for range 2 { // passes of one frame see the same
			got := m.buffer(b)
			if string(got.Data) != c.before {
				t.Errorf("frame %d: %q, want %q", i, got.Data, c.before)
			}
			if (got == b) != (c.now == c.before) {
				t.Errorf("frame %d: what stands still is kept twice, or what moves once", i)
			}
		}
	}
	// Content that is changed in place is remembered, too.
	m.begin(7)
	copy(b.Data, "gggg")
	if got := m.buffer(b); string(got.Data) != "ffff" {
		t.Errorf("%q, want ffff", got.Data)
	}
	if device := (&material.Buffer{Zeros: 16}); m.buffer(device) != device || m.buffer(nil) != nil {
		t.Error("what the device writes is remembered")
	}
}

// Morph targets stand still, as in the reference engine.
func TestVelocityLeavesMorphTargets(t *testing.T) {
	r := open(t)
	s := emptyScene()
	s.Camera = scenes.NewFree("camera", linalg.Vec3{0, 0, -3}).Clip(0.1, 10)
	g := quad(-1, -1, 1, 1)
	g.Normals = []float32{0, 0, -1, 0, 0, -1, 0, 0, -1, 0, 0, -1}
	up := []float32{0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0}
	shape, err := morph.New(4, []morph.Target{{Name: "up", Positions: up}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	white := standard.New("white")
	white.TwoSided = true
	n := s.Add(scenes.NewMesh("quad", g, white))
	n.Mesh.Features = []material.Feature{shape}
	s.Frames, s.Step = 2, 0.1
	s.Animate = func(_ *scenes.Scene, t float64) error {
		shape.Weights[0], n.Position = 3*t, linalg.Vec3{t, 0, 0}
		return nil
	}
	got := storedFloats(t, r, s, 9, 9, 0.1, surfaces.LocalPosition, surfaces.Velocity)
	local, v := got[surfaces.LocalPosition][(4*9+4)*4:][:4], got[surfaces.Velocity][(4*9+4)*4:][:4]
	if local[3] != 1 || local[1] == 0 || v[0] >= 0 || math.Abs(v[1]) > 2e-5 {
		t.Errorf("at %v the velocity is %v, want a way to the left and none upwards", local, v)
	}
}

// Shaders of a user's own draw instances in a pass that stores velocities.
func TestShaderStoresVelocity(t *testing.T) {
	r := open(t)
	s := emptyScene()
	const varyings = "struct VertexOutput { @builtin(position) position: vec4<f32>, @location(0) value: vec2<f32> };\n"
	for _, world := range []bool{true, false} {
		where := "vec4<f32>(input.position, 1.0)"
		if world {
			where = "getFinalWorld(input) * " + where
		}
		m, err := shader.New(shader.Options{
			Name: "moving", Attributes: []string{"position"}, System: []shader.System{shader.World}, InstanceWorld: world, TwoSided: true,
			Outputs: []composer.Output{{Name: "velocity", Type: "vec4<f32>"}},
			Vertex: varyings + `@vertex fn mainVertex(input: VertexInput) -> VertexOutput {
    return VertexOutput(vec4<f32>((` + where + `).xy, 0.5, 1.0), vec2<f32>(0.25, 0.75));
}`,
			Fragment: varyings + `@fragment fn mainFragment(input: VertexOutput) -> FragmentOutput {
    outputs.velocity = vec4<f32>(input.value, 0.0, 1.0);
    return fragmentOutputs();
}`,
		})
		if err != nil {
			t.Fatal(err)
		}
		s.Roots = nil
		s.Add(scenes.NewMesh("quads", quad(-1, -1, 1, 1), m)).Instanced(instances.New([][16]float64{linalg.Identity()}, nil))
		target := &texture.Texture{Name: "velocity", Source: &texture.Target{Width: 4, Height: 4}, Sampler: texture.Sampler{NoMips: true}}
		s.Graph = []scenes.Task{&scenes.ScenePass{Name: "pass", Attachments: scenes.Attachments{Color: []*texture.Texture{target}, Outputs: map[string]int{"velocity": 0}}}}
		var got [4]byte
		x, err := r.Session(s, Settings{Width: 4, Height: 4, Samples: 1, Capture: func(c Captured) error { got = c.Frame.pixel(2, 2); return nil }})
		if err != nil {
			t.Fatal(err)
		}
		drawAt(t, x, 0)
		x.Close()
		if got != [4]byte{64, 191, 0, 255} {
			t.Errorf("with the world %t: %v", world, got)
		}
	}
}
