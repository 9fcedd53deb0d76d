package catalogue

import (
	"fmt"
	"math"
	"os"

	"darkroom/composer"
	"darkroom/material/instances"
	"darkroom/material/shader"
	"darkroom/material/texture"
	"darkroom/scenes"
	"darkroom/scenes/linalg"
	"darkroom/scenes/mesh"
	"darkroom/scenes/picture"
)

const shaderMaterialSource = "scenes/catalogue/shadermaterial.go"

// The stages that the reference suite's shader materials have in common.
const (
	positionVertex = `struct VertexOutput {
    @builtin(position) position: vec4<f32>,
};
@vertex
fn mainVertex(input: VertexInput) -> VertexOutput {
    var out: VertexOutput;
    out.position = shaderSystem.worldViewProjection * vec4<f32>(input.position, 1.0);
    return out;
}`
	uvStruct = `struct VertexOutput {
    @builtin(position) position: vec4<f32>,
    @location(0) uv: vec2<f32>,
};
`
	uvVertex = uvStruct + `@vertex
fn mainVertex(input: VertexInput) -> VertexOutput {
    var out: VertexOutput;
    out.position = shaderSystem.worldViewProjection * vec4<f32>(input.position, 1.0);
    out.uv = input.uv;
    return out;
}`
)

// shaderScene is one mesh with a shader material before the suite's blue.
func shaderScene(name string, beta, radius float64, g *mesh.Geometry, o shader.Options) (*scenes.Scene, *shader.Material, error) {
	s := scenes.New(name)
	s.Clear = scenes.Color4{51.0 / 255, 51.0 / 255, 76.0 / 255, 1}
	s.Camera = scenes.NewArcRotate("camera", -math.Pi/2, beta, radius, linalg.Vec3{}).Clip(0.1, 100)
	o.Name = name
	if o.Vertex == "" {
		o.Vertex, o.Attributes = positionVertex, []string{"position"}
	}
	o.System = append(o.System, shader.WorldViewProjection)
	m, err := shader.New(o)
	if err != nil {
		return nil, nil, err
	}
	s.Add(scenes.NewMesh("mesh", g, m))
	return s, m, nil
}

func shaderBasic() *Entry {
	const name = "scene159-shader-material-basic"
	return &Entry{
		Name: name, Description: "a sphere of one colour from the simplest shader material",
		Tags: []string{"reference", "shader"}, MaxMAD: 0.02, NoiseMAD: 0.0498, Source: shaderMaterialSource,
		Build: func(Assets) (*scenes.Scene, error) {
			g, err := mesh.CreateSphere(mesh.SphereOptions{Segments: 32, Diameter: 2})
			if err != nil {
				return nil, err
			}
			s, _, err := shaderScene(name, math.Pi/2.25, 4.2, g, shader.Options{
				Fragment: "@fragment\nfn mainFragment() -> @location(0) vec4<f32> {\n    return vec4<f32>(25.0 / 255.0, 0.7, 1.0, 1.0);\n}",
			})
			return s, err
		},
	}
}

func shaderTexture() *Entry {
	const name = "scene160-shader-material-texture"
	const path = "textures/nme/ebf71b300f43563f.png"
	return &Entry{
		Name: name, Description: "a plane with a texture sampled nearest by a shader material",
		Tags: []string{"reference", "shader"}, MaxMAD: 0.02, Assets: []string{path}, Source: shaderMaterialSource,
		Build: func(a Assets) (*scenes.Scene, error) {
			file, err := a.Path(path)
			if err != nil {
				return nil, err
			}
			data, err := os.ReadFile(file)
			if err != nil {
				return nil, err
			}
			p, err := picture.Decode(data, picture.Options{})
			if err != nil {
				return nil, fmt.Errorf("%s: %w", path, err)
			}
			t := p.Texture("picture", false, true)
			t.Mips = false
			t.Sampler = texture.Sampler{Mag: composer.FilterNearest, Min: composer.FilterNearest, NoMips: true}
			g, err := mesh.CreatePlane(mesh.PlaneOptions{Width: 3, Height: 3})
			if err != nil {
				return nil, err
			}
			s, m, err := shaderScene(name, math.Pi/2, 4, g, shader.Options{
				Vertex: uvVertex, Attributes: []string{"position", "uv"}, Samplers: []shader.Sampler{{Name: "textureSampler"}}, TwoSided: true,
				Fragment: uvStruct + "@fragment\nfn mainFragment(input: VertexOutput) -> @location(0) vec4<f32> {\n    return textureSample(textureSampler, textureSamplerSampler, input.uv);\n}",
			})
			if err != nil {
				return nil, err
			}
			return s, m.SetTexture("textureSampler", t)
		},
	}
}

func shaderUniform() *Entry {
	const name = "scene161-shader-material-uniform"
	return &Entry{
		Name: name, Description: "a sphere tinted by uniforms of a shader material",
		Tags: []string{"reference", "shader"}, MaxMAD: 0.02, NoiseMAD: 0.0004, Source: shaderMaterialSource,
		Build: func(Assets) (*scenes.Scene, error) {
			g, err := mesh.CreateSphere(mesh.SphereOptions{Segments: 32, Diameter: 2})
			if err != nil {
				return nil, err
			}
			s, m, err := shaderScene(name, math.Pi/2.25, 4.2, g, shader.Options{
				Uniforms: []shader.Uniform{{Name: "tint", Type: "vec3<f32>", Default: [3]float64{1, 1, 1}}, {Name: "intensity", Type: "f32", Default: 1.0}},
				Fragment: "@fragment\nfn mainFragment() -> @location(0) vec4<f32> {\n    return vec4<f32>(shaderUniforms.tint * shaderUniforms.intensity, 1.0);\n}",
			})
			if err != nil {
				return nil, err
			}
			if err := m.SetVec3("tint", [3]float64{1, 0.35, 0.1}); err != nil {
				return nil, err
			}
			return s, m.SetFloat("intensity", 0.85)
		},
	}
}

func shaderDefines() *Entry {
	const name = "scene162-shader-material-defines"
	return &Entry{
		Name: name, Description: "a torus whose colour a define chooses",
		Tags: []string{"reference", "shader"}, MaxMAD: 0.02, NoiseMAD: 0.0271, Source: shaderMaterialSource,
		Build: func(Assets) (*scenes.Scene, error) {
			g, err := mesh.CreateTorus(mesh.TorusOptions{Diameter: 2, Thickness: 0.45, Tessellation: 64})
			if err != nil {
				return nil, err
			}
			s, _, err := shaderScene(name, math.Pi/2.25, 4.2, g, shader.Options{
				Defines: map[string]any{"USE_BLUE": true},
				Fragment: `@fragment
fn mainFragment() -> @location(0) vec4<f32> {
    if (USE_BLUE) {
        return vec4<f32>(25.0 / 255.0, 0.28, 1.0, 1.0);
    }
    return vec4<f32>(1.0, 25.0 / 255.0, 25.0 / 255.0, 1.0);
}`,
			})
			return s, err
		},
	}
}

func shaderAlpha() *Entry {
	const name = "scene163-shader-material-alpha"
	return &Entry{
		Name: name, Description: "a transparent plane with a hole that its shader discards",
		Tags: []string{"reference", "shader"}, MaxMAD: 0.02, Source: shaderMaterialSource,
		Build: func(Assets) (*scenes.Scene, error) {
			g, err := mesh.CreatePlane(mesh.PlaneOptions{Width: 3, Height: 3})
			if err != nil {
				return nil, err
			}
			s, _, err := shaderScene(name, math.Pi/2, 4, g, shader.Options{
				Vertex: uvVertex, Attributes: []string{"position", "uv"}, AlphaBlending: true, AlphaTesting: true, TwoSided: true,
				Fragment: uvStruct + `@fragment
fn mainFragment(input: VertexOutput) -> @location(0) vec4<f32> {
    if (distance(input.uv, vec2<f32>(0.5, 0.5)) < 0.18) {
        discard;
    }
    return vec4<f32>(1.0, 0.25, 0.05, 0.55);
}`,
			})
			return s, err
		},
	}
}

const instancedStruct = `struct VertexOutput {
    @builtin(position) position: vec4<f32>,
    @location(0) color: vec4<f32>,
};
`

// shaderInstances is the scene as it stands or with its instances culled on the
// device, which the picture must not show.
func shaderInstances(culled bool) *Entry {
	const capture = "scene165-shader-material-thin-instances"
	name, variant, how := capture, "", ""
	if culled {
		name, variant, how = capture+"-culled", capture, ", culled on the device"
	}
	return &Entry{
		Name: name, Description: "512 coloured cubes in one draw of a shader material" + how, VariantOf: variant,
		Tags: []string{"reference", "shader", "instances"}, MaxMAD: 0.01, NoiseMAD: 0.2752, CPUMAD: 0.0188, Source: shaderMaterialSource,
		Build: func(Assets) (*scenes.Scene, error) {
			s := scenes.New(name)
			s.Camera = scenes.NewArcRotate("camera", -math.Pi/5, math.Pi/3, 40, linalg.Vec3{}).Clip(1, 10000)
			g, err := mesh.CreateBox(mesh.BoxOptions{Size: 1})
			if err != nil {
				return nil, err
			}
			m, err := shader.New(shader.Options{
				Name: name, Attributes: []string{"position"}, System: []shader.System{shader.ViewProjection, shader.World},
				InstanceWorld: true, FinalColor: true,
				Vertex: instancedStruct + `@vertex
fn mainVertex(input: VertexInput) -> VertexOutput {
    var out: VertexOutput;
    out.position = shaderSystem.viewProjection * getFinalWorld(input) * vec4<f32>(input.position, 1.0);
    out.color = getFinalColor(input);
    return out;
}`,
				Fragment: instancedStruct + "@fragment\nfn mainFragment(input: VertexOutput) -> @location(0) vec4<f32> {\n    return input.color;\n}",
			})
			if err != nil {
				return nil, err
			}
			thin := instances.New(colorGrid(8, 14))
			n := s.Add(scenes.NewMesh("box", g, m)).Instanced(thin)
			if culled {
				n.CullInstances(0)
			}
			return s, nil
		},
	}
}

// colorGrid are side³ places within a cube of the given size, and colours
// counted up from black to white.
func colorGrid(side int, size float64) (matrices [][16]float64, colors [][4]float64) {
	ramp := 0.0
	at := func(i int) float64 { return -size/2 + size/float64(side-1)*float64(i) }
	for x := range side {
		for y := range side {
			for z := range side {
				matrices = append(matrices, linalg.Translation(linalg.Vec3{at(x), at(y), at(z)}))
				c := int(ramp)
				colors = append(colors, [4]float64{float64(c>>16&255) / 255, float64(c>>8&255) / 255, float64(c&255) / 255, 1})
				ramp += 0xffffff / float64(side*side*side)
			}
		}
	}
	return matrices, colors
}
