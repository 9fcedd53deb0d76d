package catalogue

import (
	"math"

	"darkroom/material/shader"
	"darkroom/scenes"
	"darkroom/scenes/linalg"
	"darkroom/scenes/mesh"
)

// ownShader is a scene of the project's own for one part of the shader material, which file builds.
func ownShader(file, name, description string, build func(b *bench)) *Entry {
	return &Entry{
		Name: name, Description: description, Tags: []string{"own", "shader"}, Width: 640, Height: 360,
		MaxMAD: 0.05, Source: "scenes/catalogue/" + file,
		Build: func(Assets) (*scenes.Scene, error) {
			b := &bench{Scene: scenes.New(name)}
			b.Camera = scenes.NewArcRotate("camera", -math.Pi/2, 1.3, 7, linalg.Vec3{}).Clip(0.1, 100)
			build(b)
			return b.Scene, b.err
		},
	}
}

// shader makes a material, remembering the first error.
func (b *bench) shader(o shader.Options) *shader.Material {
	m, err := shader.New(o)
	if err != nil && b.err == nil {
		b.err = err
	}
	return m
}

// clipVertex takes x and y of a mesh for clip coordinates.
const clipVertex = uvStruct + `@vertex
fn mainVertex(input: VertexInput) -> VertexOutput {
    var out: VertexOutput;
    out.position = vec4<f32>(input.position.xy, 0.5, 1.0);
    out.uv = input.uv;
    return out;
}`

// clipQuad covers a rectangle of clip coordinates.
func clipQuad(x0, y0, x1, y1 float64) *mesh.Geometry {
	g := &mesh.Geometry{Name: "quad", Indices: []uint32{0, 1, 2, 0, 2, 3}}
	for _, p := range [][2]float64{{0, 0}, {1, 0}, {1, 1}, {0, 1}} {
		g.Positions = append(g.Positions, float32(x0+(x1-x0)*p[0]), float32(y0+(y1-y0)*p[1]), 0)
		g.UVs[0] = append(g.UVs[0], float32(p[0]), float32(p[1]))
	}
	return g
}

const litStruct = `struct VertexOutput {
    @builtin(position) position: vec4<f32>,
    @location(0) normal: vec3<f32>,
    @location(1) uv: vec2<f32>,
};
`

const litVertex = litStruct + `@vertex
fn mainVertex(input: VertexInput) -> VertexOutput {
    var out: VertexOutput;
    out.position = shaderSystem.worldViewProjection * vec4<f32>(input.position, 1.0);
    out.normal = (shaderSystem.world * vec4<f32>(input.normal, 0.0)).xyz;
    out.uv = input.uv;
    return out;
}`

// lit are options of a material that shows normals.
func lit(name string) shader.Options {
	return shader.Options{
		Name: name, Attributes: []string{"position", "normal", "uv"}, System: []shader.System{shader.WorldViewProjection, shader.World}, Vertex: litVertex,
		Fragment: litStruct + `@fragment
fn mainFragment(input: VertexOutput) -> @location(0) vec4<f32> {
    let stripe = step(0.5, fract(input.uv.x * 8.0));
    return vec4<f32>((normalize(input.normal) * 0.5 + 0.5) * mix(0.6, 1.0, stripe), 1.0);
}`,
	}
}
