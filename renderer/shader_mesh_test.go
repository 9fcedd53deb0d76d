package renderer

import (
	"bytes"
	"context"
	"encoding/binary"
	"math"
	"strings"
	"testing"

	"darkroom/material"
	"darkroom/material/instances"
	"darkroom/material/morph"
	"darkroom/material/shader"
	"darkroom/material/skin"
	"darkroom/material/texture"
	"darkroom/scenes"
	"darkroom/scenes/linalg"
)

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
		{"vec4<f32>(0.6 + f32(input.joints.w), input.uv2, 1.0)", false, [4]byte{153, 0, 0, 255}},
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
	g.Colors = []float32{1, 0.6, 1, 1, 1, 0.6, 1, 1, 1, 0.6, 1, 1, 1, 0.6, 1, 1}
	thin := instances.New([][16]float64{linalg.Identity(), linalg.Translation(linalg.Vec3{1, 0, 0})}, [][4]float64{{1, 0, 0, 1}, {0, 1, 1, 1}})
	n := s.Add(scenes.NewMesh("quads", g, m))
	n.Mesh.Features, n.Mesh.Instances = []material.Feature{thin}, 2
	f := drawAt(t, newSession(t, r, s, 4, 4), 0)
	if a, b := f.pixel(0, 1), f.pixel(3, 1); a != [4]byte{255, 0, 0, 255} || b != [4]byte{0, 153, 255, 255} {
		t.Errorf("instances are %v and %v", a, b)
	}
	// The same material draws a mesh without instances.
	n.Mesh.Features, n.Mesh.Instances = nil, 0
	f = drawAt(t, newSession(t, r, s, 4, 4), 0)
	if a, b := f.pixel(0, 1), f.pixel(3, 1); a != [4]byte{255, 153, 255, 255} || b != [4]byte{0, 0, 0, 255} {
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
		s.Add(scenes.NewMesh("quad", quad(-1, -1, 1, 1), m).At(far[0]+0.6, 0, 0))
		return s
	}
	if got := drawAt(t, newSession(t, r, build(true), 4, 4), 0).pixel(1, 1); got != [4]byte{153, 0, 153, 255} {
		t.Errorf("floating: %v, want 0.6, 0 and 0.6", got)
	}
	if got := drawAt(t, newSession(t, r, build(false), 4, 4), 0).pixel(1, 1); got != [4]byte{255, 255, 0, 255} {
		t.Errorf("absolute: %v; six tenths of a unit are lost there", got)
	}
}

// Instances outside of the view are left out on the device, and the picture is
// the same; a caster without their colours shares the visible material's matrices.
func TestShaderCulledInstances(t *testing.T) {
	r := open(t)
	build := func(noColors bool) *shader.Material {
		use := "input.instanceColor"
		if noColors {
			use = "vec4<f32>(1.0)"
		}
		m, err := shader.New(shader.Options{
			Name: "many", Attributes: []string{"position"}, System: []shader.System{shader.World, shader.ViewProjection}, InstanceWorld: true, NoInstanceColors: noColors, TwoSided: true,
			Vertex: `struct VertexOutput { @builtin(position) position: vec4<f32>, @location(0) color: vec4<f32> };
@vertex fn mainVertex(input: VertexInput) -> VertexOutput {
    return VertexOutput(shaderSystem.viewProjection * getFinalWorld(input) * vec4<f32>(input.position, 1.0), ` + use + `);
}`,
			Fragment: "struct VertexOutput { @builtin(position) position: vec4<f32>, @location(0) color: vec4<f32> };\n@fragment fn mainFragment(input: VertexOutput) -> @location(0) vec4<f32> { return input.color; }",
		})
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	const n = 400
	for _, noColors := range []bool{false, true} {
		var pictures [2]*Frame
		for i := range pictures {
			s := emptyScene()
			matrices, colors := make([][16]float64, n), make([][4]float64, n)
			for k := range matrices {
				a := float64(k)
				matrices[k] = linalg.Translation(linalg.Vec3{30 * math.Sin(a*1.7), 30 * math.Sin(a*2.3), 20 * math.Sin(a)})
				colors[k] = [4]float64{a / n, 1 - a/n, 0.5, 1}
			}
			thin := instances.New(matrices, colors)
			node := s.Add(scenes.NewMesh("many", quad(-1, -1, 1, 1), build(noColors))).Instanced(thin)
			if i == 1 {
				node.CullInstances(0)
			}
			x := newSession(t, r, s, 64, 64)
			pictures[i] = drawAt(t, x, 0)
			if i == 1 {
				_, arguments, err := thin.Prepare(&material.Context{}, 0, 0)
				if err != nil {
					t.Fatal(err)
				}
				buffer, err := x.buffer(arguments)
				if err != nil {
					t.Fatal(err)
				}
				data, err := r.dev.ReadBuffer(buffer, 0, 8)
				if err != nil {
					t.Fatal(err)
				}
				if got := binary.LittleEndian.Uint32(data[4:]); data[0] != 6 || got >= n || got == 0 {
					t.Errorf("%d of %d instances with %d indices are drawn", got, n, data[0])
				}
			}
		}
		if !bytes.Equal(pictures[0].Pix, pictures[1].Pix) {
			t.Errorf("colours left out %t: the pictures differ", noColors)
		}
	}
	// The pass of the casters draws another material over the same matrices.
	s := emptyScene()
	thin := instances.New([][16]float64{linalg.Translation(linalg.Vec3{0.5, 0, 0})}, [][4]float64{{1, 0, 0, 1}})
	node := s.Add(scenes.NewMesh("one", quad(-9, -9, 9, 9), build(false))).Instanced(thin)
	node.Mesh.Caster = build(true)
	shadow := &texture.Texture{Name: "shadow", Source: &texture.Target{Width: 4, Height: 4}}
	s.Graph = []scenes.Task{
		&scenes.ScenePass{Name: "casters", Casters: true, Attachments: scenes.Attachments{Color: []*texture.Texture{shadow}}},
		&scenes.ScenePass{Name: "main"},
	}
	got := map[string][4]byte{}
	x, err := r.Session(s, Settings{Width: 4, Height: 4, Samples: 1, Capture: func(c Captured) error { got[c.Task] = c.Frame.pixel(2, 2); return nil }})
	if err != nil {
		t.Fatal(err)
	}
	defer x.Close()
	drawAt(t, x, 0)
	if got["casters"] != [4]byte{255, 255, 255, 255} || got["main"] != [4]byte{255, 0, 0, 255} {
		t.Errorf("%v", got)
	}
	if n := x.Uploads().Buffers; n != 64+16 {
		t.Errorf("%d bytes of instances were sent, want one matrix and one colour", n)
	}
}

// A user's own shader draws a mesh that plays a baked clip as a whole, with the
// values of the clip in its own block.
func TestShaderBakedClip(t *testing.T) {
	r := open(t)
	s, k, g, clips := flag(t, false)
	m, err := shader.New(shader.Options{
		Name: "cloth", Attributes: []string{"position"}, System: []shader.System{shader.World, shader.ViewProjection}, InstanceWorld: true, TwoSided: true,
		Vertex: `@vertex fn mainVertex(input: VertexInput) -> @builtin(position) vec4<f32> {
    return shaderSystem.viewProjection * getFinalWorld(input) * vec4<f32>(input.position, 1.0);
}`,
		Fragment: "@fragment fn mainFragment() -> @location(0) vec4<f32> { return vec4<f32>(1.0); }",
	})
	if err != nil {
		t.Fatal(err)
	}
	n := s.Add(scenes.NewMesh("flag", g, m)).Add(k.Joints...)
	k.Mesh, s.Skeletons = n, []*scenes.Skeleton{k}
	baked, err := s.BakeSkeleton(k, 20, clips...)
	if err != nil {
		t.Fatal(err)
	}
	s.Skeletons = nil
	n.Mesh.Features = []material.Feature{&skin.Player{Baked: baked, Play: skin.Play{Clip: baked.Clips[clips[0].Name]}}}
	x := newSession(t, r, s, 96, 64)
	first, later := drawAt(t, x, 1e-4), drawAt(t, x, 0.2501)
	if mad, _ := apart(first, later); mad == 0 {
		t.Error("nothing moves")
	}
}
