package catalogue

import (
	"math"

	"darkroom/composer"
	"darkroom/material/effect"
	"darkroom/material/texture"
	"darkroom/scenes"
	"darkroom/scenes/linalg"
	"darkroom/scenes/mesh"
)

// ownShaderOutputs draws once into targets of three formats, one attachment
// between them left out and one output of the material not stored.
func ownShaderOutputs() *Entry {
	return ownShader("own_shader_outputs.go", "own-shader-outputs", "colour, normal and texture coordinates of one drawing, in targets of three formats, side by side", func(b *bench) {
		b.Camera = scenes.NewArcRotate("camera", -math.Pi/2, 1.2, 5.6, linalg.Vec3{}).Clip(0.1, 100)
		o := lit("outputs")
		o.Outputs = []composer.Output{{Name: "color", Type: "vec4<f32>"}, {Name: "normal", Type: "vec4<f32>"}, {Name: "coords", Type: "vec2<f32>"}, {Name: "unused", Type: "vec4<f32>"}}
		o.Fragment = litStruct + `@fragment
fn mainFragment(input: VertexOutput) -> FragmentOutput {
    let n = normalize(input.normal);
    outputs.color = vec4<f32>(vec3<f32>(0.9, 0.6, 0.2) * (0.2 + 0.8 * max(0.0, dot(n, normalize(vec3<f32>(-0.4, 0.8, -0.6))))), 1.0);
    outputs.normal = vec4<f32>(n, 1.0);
    outputs.coords = input.uv;
    outputs.unused = vec4<f32>(1.0);
    return fragmentOutputs();
}`
		m := b.shader(o)
		n := b.put("knot", m, 0, 0, 0)(mesh.CreateTorusKnot(mesh.TorusKnotOptions{Radius: 1.2, Tube: 0.42, RadialSegments: 128, TubularSegments: 32}))
		n.Rotation = linalg.Vec3{0.2, 0.5, 1.57}
		target := func(name string, f composer.TextureFormat) *texture.Texture {
			return &texture.Texture{Name: name, Format: f, Source: &texture.Target{Width: 426, Height: 720, Samples: 4}, Sampler: texture.Sampler{AddressU: composer.AddressClamp, AddressV: composer.AddressClamp, NoMips: true}}
		}
		colors, normals, coords := target("colour", composer.RGBA8Unorm), target("normal", composer.RGBA16Float), target("coordinates", composer.RG16Float)
		b.Graph = []scenes.Task{
			&scenes.ScenePass{Name: "geometry", Attachments: scenes.Attachments{
				Color: []*texture.Texture{coords, nil, colors, normals}, Samples: 4, Outputs: map[string]int{"color": 2, "normal": 3, "coords": 0}, Clear: &[4]float64{0.2, 0.2, 0.3, 1},
			}},
			&scenes.EffectPass{Name: "show", Material: &effect.Effect{
				Name:     "side by side",
				Textures: map[string]effect.Input{"colours": {Texture: colors}, "normals": {Texture: normals}, "coords": {Texture: coords}},
				Body: `let third = floor(st.x * 3.0);
let at = vec2<f32>(fract(st.x * 3.0), st.y);
let a = textureSample(colours, coloursSampler, at);
let b = textureSample(normals, normalsSampler, at) * 0.5 + 0.5;
let c = textureSample(coords, coordsSampler, at);
color = vec4<f32>(select(select(c.rgb, b.rgb, third == 1.0), a.rgb, third == 0.0), 1.0);`,
			}},
		}
	})
}
