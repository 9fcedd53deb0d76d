package catalogue

import (
	"fmt"
	"math"

	"darkroom/composer"
	"darkroom/material"
	"darkroom/material/shader"
	"darkroom/scenes"
	"darkroom/scenes/linalg"
	"darkroom/scenes/mesh"
)

func ownShaderStencil() *Entry {
	return ownShader("own_shader_stencil.go", "own-shader-stencil", "a star cut out of one sphere's picture by the stencil and kept of another's", func(b *bench) {
		b.Camera = scenes.NewArcRotate("camera", -math.Pi/2, 1.3, 4.2, linalg.Vec3{}).Clip(0.1, 100)
		mask := b.shader(shader.Options{
			Name: "mask", Vertex: clipVertex, Attributes: []string{"position", "uv"}, TwoSided: true, Write: composer.WriteAlpha, DepthCompare: composer.CompareAlways,
			DepthWrite: new(bool), AlphaTesting: true, Stencil: stencil(composer.CompareAlways, composer.StencilReplace, 1),
			Fragment: uvStruct + `@fragment
fn mainFragment(input: VertexOutput) -> @location(0) vec4<f32> {
    let p = (input.uv - 0.5) * vec2<f32>(3.56, 2.0);
    if (length(p) > 0.55 + 0.2 * cos(5.0 * atan2(p.x, p.y))) {
        discard;
    }
    return vec4<f32>(1.0);
}`,
		})
		b.put("mask", mask, 0, 0, 0)(clipQuad(-1, -1, 1, 1), nil)
		for _, x := range []struct {
			name    string
			compare composer.CompareFunction
			size    float64
		}{{"inside", composer.CompareEqual, 2.2}, {"outside", composer.CompareNotEqual, 3.2}} {
			o := lit(x.name)
			o.Stencil = stencil(x.compare, "", 1)
			n := b.ball(x.name, b.shader(o), 0, 0, 0)
			n.Scaling = linalg.Vec3{x.size / 1.8, x.size / 1.8, x.size / 1.8}
			if x.name == "outside" {
				n.Rotation = linalg.Vec3{0, 0, 1.2}
			}
		}
	})
}

// stencil is the same test on both faces.
func stencil(compare composer.CompareFunction, pass composer.StencilOperation, reference uint32) *material.Stencil {
	f := composer.StencilFace{Compare: compare, Pass: pass}
	return &material.Stencil{Front: f, Back: f, ReadMask: 255, WriteMask: 255, Reference: reference}
}

// stencilSteps are what happens in each cell: one shape after the other, each
// somewhat smaller and further to the right than the last.
func stencilSteps() [][]*material.Stencil {
	set := func(v uint32) *material.Stencil { return stencil(composer.CompareAlways, composer.StencilReplace, v) }
	do := func(op composer.StencilOperation) *material.Stencil { return stencil(composer.CompareAlways, op, 0) }
	low := do(composer.StencilInvert)
	low.WriteMask = 0x0f
	odd := stencil(composer.CompareEqual, composer.StencilReplace, 3)
	odd.ReadMask, odd.Front.Fail, odd.Back.Fail = 1, composer.StencilInvert, composer.StencilInvert
	return [][]*material.Stencil{
		{set(3), set(5), set(7)},
		{set(3), do(composer.StencilZero), set(1)},
		{do(composer.StencilInvert), low, do(composer.StencilKeep)},
		{set(254), do(composer.StencilIncrementClamp), do(composer.StencilIncrementClamp)},
		{set(254), do(composer.StencilIncrementWrap), do(composer.StencilIncrementWrap)},
		{set(1), do(composer.StencilDecrementClamp), do(composer.StencilDecrementClamp)},
		{set(1), do(composer.StencilDecrementWrap), do(composer.StencilDecrementWrap)},
		{set(2), stencil(composer.CompareGreater, composer.StencilReplace, 4), stencil(composer.CompareLess, composer.StencilReplace, 1)},
		{set(2), set(1), odd},
	}
}

// ownShaderStencilOperations draws into the stencil alone, cell by cell, and
// then shows it: every value has a colour of its own. The last cell counts a
// torus's front faces, and where a ball hides it.
func ownShaderStencilOperations() *Entry {
	return ownShader("own_shader_stencil.go", "own-shader-stencil-operations", "every stencil operation with masks, failing tests and both faces, shown as colours", func(b *bench) {
		b.Camera = scenes.NewArcRotate("camera", -math.Pi/2, 1.3, 7, linalg.Vec3{}).Clip(0.1, 100)
		order := 0
		put := func(name string, g *mesh.Geometry, err error, o shader.Options) *scenes.Node {
			o.Name, order = name, order+1
			n := b.put(name, b.shader(o), 0, 0, 0)(g, err)
			n.Mesh.RenderingGroup = order
			return n
		}
		flat := func(s *material.Stencil) shader.Options {
			return shader.Options{
				Vertex: clipVertex, Attributes: []string{"position", "uv"}, TwoSided: true, Write: composer.WriteAlpha, DepthCompare: composer.CompareAlways, DepthWrite: new(bool), Stencil: s,
				Fragment: uvStruct + "@fragment\nfn mainFragment(input: VertexOutput) -> @location(0) vec4<f32> {\n    return vec4<f32>(input.uv, 0.0, 1.0);\n}",
			}
		}
		for i, steps := range stencilSteps() {
			x, y := -1+0.4*float64(i%5), -float64(i/5)
			for k, s := range steps {
				d := 0.05 * float64(k)
				put(fmt.Sprintf("cell %d step %d", i, k), clipQuad(x+0.03+d, y+0.1+2*d, x+0.25+d, y+0.9-d), nil, flat(s))
			}
		}
		solid := lit("ball")
		ball, err := mesh.CreateSphere(mesh.SphereOptions{Diameter: 1, Segments: 24})
		put("ball", ball, err, solid).Position = linalg.Vec3{4.15, -1.45, 0}
		faces := lit("faces")
		faces.TwoSided, faces.Write, faces.DepthWrite = true, composer.WriteAlpha, new(bool)
		faces.Stencil = stencil(composer.CompareAlways, composer.StencilIncrementClamp, 0)
		faces.Stencil.Front.DepthFail, faces.Stencil.Back = composer.StencilInvert, composer.StencilFace{Compare: composer.CompareAlways}
		torus, err := mesh.CreateTorus(mesh.TorusOptions{Diameter: 1.4, Thickness: 0.45, Tessellation: 48})
		n := put("torus", torus, err, faces)
		n.Position, n.Rotation = linalg.Vec3{4.15, -1.45, 0}, linalg.Vec3{0.9, 0, 0.4}
		for i, v := range []uint32{0, 1, 2, 3, 4, 5, 6, 7, 15, 240, 252, 253, 254, 255} {
			o := flat(stencil(composer.CompareEqual, "", v))
			// Hues are a golden angle apart, so that no two neighbours look alike.
			hue, light := 2.39996*float64(i), 0.5+0.4*float64(i%2)
			if v == 0 {
				light = 0.2
			}
			o.Write, o.Defines = 0, map[string]any{"HUE": hue, "LIGHT": light}
			o.Fragment = uvStruct + `@fragment
fn mainFragment(input: VertexOutput) -> @location(0) vec4<f32> {
    let color = 0.5 + 0.5 * cos(vec3<f32>(0.0, 2.0944, 4.18879) + HUE);
    return vec4<f32>(color * LIGHT + 0.0 * input.uv.x, 1.0);
}`
			put(fmt.Sprint("value ", v), clipQuad(-1, -1, 1, 1), nil, o)
		}
	})
}
