package catalogue

import (
	"encoding/binary"
	"math"

	"darkroom/composer"
	"darkroom/material/morph"
	"darkroom/material/shader"
	"darkroom/material/texture"
	"darkroom/scenes"
	"darkroom/scenes/gltf"
	"darkroom/scenes/gltf/sample"
	"darkroom/scenes/linalg"
	"darkroom/scenes/mesh"
	"darkroom/scenes/plugins"
)

// toon is a shader for any model: skins, instances and morph targets are in the
// generated helpers.
func toon() shader.Options {
	return shader.Options{
		Name: "toon", Attributes: []string{"position", "normal"}, System: []shader.System{shader.World, shader.ViewProjection, shader.CameraPosition},
		InstanceWorld: true, FinalInput: true, TwoSided: true, Defines: map[string]any{"BANDS": 4.0},
		Uniforms: []shader.Uniform{{Name: "tint", Type: "vec3<f32>", Default: []float64{0.95, 0.75, 0.3}}},
		Vertex: toonStruct + `@vertex
fn mainVertex(input: VertexInput) -> VertexOutput {
    let final_ = getFinalInput(input);
    let world = getFinalWorld(input);
    let at = world * vec4<f32>(final_.position, 1.0);
    var out: VertexOutput;
    out.position = shaderSystem.viewProjection * at;
    out.normal = (world * vec4<f32>(final_.normal, 0.0)).xyz;
    out.toEye = shaderSystem.cameraPosition - at.xyz;
    return out;
}`,
		Fragment: toonStruct + `@fragment
fn mainFragment(input: VertexOutput) -> @location(0) vec4<f32> {
    let n = normalize(input.normal);
    let light = dot(n, normalize(vec3<f32>(-0.4, 0.8, -0.5))) * 0.5 + 0.5;
    let rim = step(0.3, abs(dot(n, normalize(input.toEye))));
    return vec4<f32>(shaderUniforms.tint * (ceil(light * BANDS) / BANDS) * rim, 1.0);
}`,
	}
}

const toonStruct = `struct VertexOutput {
    @builtin(position) position: vec4<f32>,
    @location(0) normal: vec3<f32>,
    @location(1) toEye: vec3<f32>,
};
`

// spikes is a sphere with two morph targets: every ring of it drawn out, and all
// of it flattened.
func spikes() (*mesh.Geometry, *morph.Morph, error) {
	g, err := mesh.CreateSphere(mesh.SphereOptions{Diameter: 1.6, Segments: 24})
	if err != nil {
		return nil, nil, err
	}
	n := len(g.Positions) / 3
	out, flat := make([]float32, 3*n), make([]float32, 3*n)
	for i := range n {
		y := float64(g.Positions[3*i+1])
		by := float32(0.45 * math.Max(0, math.Cos(9*y)))
		for k := range 3 {
			out[3*i+k] = by * g.Normals[3*i+k]
		}
		flat[3*i+1] = -0.6 * g.Positions[3*i+1]
	}
	m, err := morph.New(n, []morph.Target{{Name: "rings", Positions: out}, {Name: "flat", Positions: flat}}, []float64{0.8, 0.3})
	return g, m, err
}

// ownShaderModel puts one shader material on a skinned, animated glTF model, on
// a sphere with morph targets and on a plain one.
func ownShaderModel() *Entry {
	e := ownShader("own_shader_model.go", "own-shader-model", "one toon shader on a skinned, animated glTF model, a morphed sphere and a plain one, at 0.9 s", func(b *bench) {
		b.Camera = scenes.NewArcRotate("camera", -math.Pi/2, 1.35, 6.4, linalg.Vec3{0, 1.4, 0}).Clip(0.1, 100)
		data, err := sample.Column()
		if err != nil {
			b.err = err
			return
		}
		asset, err := gltf.LoadBytes(data, gltf.Options{Name: "column.glb"})
		if err != nil {
			b.err = err
			return
		}
		m := b.shader(toon())
		asset.AddTo(b.Scene)
		if err := plugins.Apply(b.Scene, &plugins.Effect{Shader: &shader.File{Material: m}}); err != nil {
			b.err = err
			return
		}
		g, shape, err := spikes()
		soft := b.put("soft", m, -1.7, 1.1, 0)(g, err)
		soft.Mesh.Features = append(soft.Mesh.Features, shape)
		b.ball("plain", m, 1.7, 1.1, 0)
	})
	e.Time = 0.9
	return e
}

// ownShaderSampleTypes shows what the three kinds of sampler read: a picture,
// filtered; numbers that cannot be filtered; the depth of a pass before.
func ownShaderSampleTypes() *Entry {
	return ownShader("own_shader_model.go", "own-shader-sample-types", "a filtered picture, unfilterable numbers and a depth texture, each with the sampler it needs", func(b *bench) {
		b.Camera = scenes.NewArcRotate("camera", -math.Pi/2, 1.3, 5, linalg.Vec3{}).Clip(1, 12)
		clamp := texture.Sampler{AddressU: composer.AddressClamp, AddressV: composer.AddressClamp, NoMips: true}
		nearest := clamp
		nearest.Mag, nearest.Min, nearest.Mip = composer.FilterNearest, composer.FilterNearest, composer.FilterNearest
		picture := texels("picture", 4, func(x, y int) [4]float64 {
			return [4]float64{float64(x) / 3, float64(y) / 3, float64((x + y) % 2), 1}
		})
		picture.Mips, picture.Sampler = false, clamp
		numbers := &texture.Texture{Name: "numbers", Format: composer.R32Float, Source: floats(6, func(x, y int) float64 { return math.Pow(10, float64(x-y)) }), Sampler: nearest}
		depths := &texture.Texture{Name: "depths", Format: composer.Depth32Float, Source: &texture.Target{Width: 214, Height: 360}, Sampler: nearest}
		var seen []*scenes.Node
		for i := range 5 {
			n := b.ball("ball", b.shader(lit("ball")), 0.6*float64(i-2), 0.5*float64(i%2)-0.2*float64(i-2), 2*float64(i)-3)
			n.Mesh.Layer = 2
			seen = append(seen, n)
		}
		m := b.shader(shader.Options{
			Name: "samples", Vertex: clipVertex, Attributes: []string{"position", "uv"}, TwoSided: true,
			Samplers: []shader.Sampler{{Name: "picture"}, {Name: "numbers", Sample: composer.SampleUnfilterableFloat}, {Name: "depths", Sample: composer.SampleDepth}},
			Fragment: uvStruct + `@fragment
fn mainFragment(input: VertexOutput) -> @location(0) vec4<f32> {
    let third = floor(input.uv.x * 3.0);
    let at = vec2<f32>(fract(input.uv.x * 3.0), 1.0 - input.uv.y);
    let a = textureSample(picture, pictureSampler, at).rgb;
    let b = log2(textureSample(numbers, numbersSampler, at).r) / 33.2193 + 0.5;
    let c = textureSample(depths, depthsSampler, at) * 2.5;
    return vec4<f32>(select(select(vec3<f32>(c, c * c, 1.0 - c), vec3<f32>(b, 0.5, 1.0 - b), third == 1.0), a, third == 0.0), 1.0);
}`,
		})
		if b.err != nil {
			return
		}
		for name, t := range map[string]*texture.Texture{"picture": picture, "numbers": numbers, "depths": depths} {
			if err := m.SetTexture(name, t); err != nil {
				b.err = err
				return
			}
		}
		screen := b.put("screen", m, 0, 0, 0)(clipQuad(-1, -1, 1, 1), nil)
		b.Graph = []scenes.Task{
			&scenes.ScenePass{Name: "depths", Only: seen, Attachments: scenes.Attachments{Color: []*texture.Texture{}, Depth: depths}},
			&scenes.ScenePass{Name: "main", Only: []*scenes.Node{screen}},
		}
	})
}

// floats are n by n texels of one 32-bit float.
func floats(n int, at func(x, y int) float64) *texture.Pixels {
	var data []byte
	for i := range n * n {
		data = binary.LittleEndian.AppendUint32(data, math.Float32bits(float32(at(i%n, i/n))))
	}
	return &texture.Pixels{Width: n, Height: n, Levels: [][]byte{data}}
}
