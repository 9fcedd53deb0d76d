package catalogue

import (
	"fmt"

	"darkroom/composer"
	"darkroom/material/effect"
	"darkroom/material/shader"
	"darkroom/material/texture"
	"darkroom/scenes"
)

// blendCell is one field of the picture of blend modes.
type blendCell struct {
	blend         *composer.Blend
	mode          shader.BlendMode
	premultiplied bool
	write         composer.WriteMask
}

// blendCells are the 40 fields, row by row in rows of ten: no blend, the
// material's modes alpha and additive, premultiplied and plain addition, the
// four other operations; colour and alpha with a state of their own; then every
// factor of the source without the target, every factor of the target without
// the source, and masks of channels.
func blendCells() []blendCell {
	one := func(op composer.BlendOperation, src, dst composer.BlendFactor) composer.BlendComponent {
		return composer.BlendComponent{Operation: op, Src: src, Dst: dst}
	}
	both := func(c composer.BlendComponent) blendCell {
		return blendCell{blend: &composer.Blend{Color: c, Alpha: c}}
	}
	pre, add := composer.BlendPremultipliedState(), composer.BlendAdditiveState()
	list := []blendCell{{}, {mode: shader.Alpha}, {mode: shader.Additive}, {blend: &pre, premultiplied: true}, {blend: &add}}
	for _, op := range []composer.BlendOperation{composer.BlendSubtract, composer.BlendReverseSubtract, composer.BlendMin, composer.BlendMax} {
		list = append(list, both(one(op, composer.FactorOne, composer.FactorOne)))
	}
	list = append(list, blendCell{blend: &composer.Blend{
		Color: one(composer.BlendMax, "", ""), Alpha: one(composer.BlendReverseSubtract, composer.FactorSrcAlpha, composer.FactorOne),
	}})
	factors := []composer.BlendFactor{
		composer.FactorZero, composer.FactorOne, composer.FactorSrc, composer.FactorOneMinusSrc, composer.FactorSrcAlpha, composer.FactorOneMinusSrcAlpha,
		composer.FactorDst, composer.FactorOneMinusDst, composer.FactorDstAlpha, composer.FactorOneMinusDstAlpha, composer.FactorSrcAlphaSaturated,
		composer.FactorConstant, composer.FactorOneMinusConstant,
	}
	for _, f := range factors {
		list = append(list, both(one(composer.BlendAdd, f, composer.FactorZero)))
	}
	for _, f := range factors {
		list = append(list, both(one(composer.BlendAdd, composer.FactorZero, f)))
	}
	for _, mask := range []composer.WriteMask{composer.WriteRed, composer.WriteGreen | composer.WriteBlue, composer.WriteAlpha, composer.WriteAll &^ composer.WriteGreen} {
		list = append(list, blendCell{write: mask})
	}
	return list
}

// ownShaderBlendModes draws all cells over one backdrop and shows colour in the
// upper half of the picture and alpha, as grey, in the lower one.
func ownShaderBlendModes() *Entry {
	return ownShader("own_shader_blend.go", "own-shader-blend-modes", "every blend mode, operation, factor and write mask over one backdrop: colour above, alpha below", func(b *bench) {
		target := &texture.Texture{Name: "cells", Source: &texture.Target{Width: 640, Height: 180, Samples: 1}, Sampler: texture.Sampler{Mag: composer.FilterNearest, Min: composer.FilterNearest, NoMips: true}}
		draw := func(name string, g func(int) [4]float64, o shader.Options, cells ...int) {
			o.Name, o.Vertex, o.Attributes, o.TwoSided = name, clipVertex, []string{"position", "uv"}, true
			m := b.shader(o)
			for _, i := range cells {
				r := g(i)
				b.put(name, m, 0, 0, 0)(clipQuad(r[0], r[1], r[2], r[3]), nil).Mesh.Order = i
			}
		}
		// rect is cell i, or what is left of it within a margin, in clip coordinates.
		rect := func(i int, margin float64) [4]float64 {
			x, y := -1+0.2*float64(i%10), 1-0.5*float64(i/10)
			return [4]float64{x + margin/2, y - 0.5 + margin, x + 0.2 - margin/2, y - margin}
		}
		draw("backdrop", func(int) [4]float64 { return [4]float64{-1, -1, 1, 1} }, shader.Options{Fragment: uvStruct + `@fragment
fn mainFragment(input: VertexOutput) -> @location(0) vec4<f32> {
    let cell = fract(input.uv * vec2<f32>(10.0, 4.0));
    let light = select(0.25, 0.75, (cell.y > 0.5) != (cell.x > 0.5));
    return vec4<f32>(light, 0.5, 1.0 - light, cell.x);
}`}, 0)
		const source = uvStruct + `@fragment
fn mainFragment(input: VertexOutput) -> @location(0) vec4<f32> {
    let color = vec4<f32>(0.9, 0.9 * input.uv.x, 0.2, 0.1 + 0.8 * input.uv.y);
    return vec4<f32>(color.rgb * select(1.0, color.a, PREMULTIPLIED), color.a);
}`
		for i, c := range blendCells() {
			o := shader.Options{Fragment: source, Blend: c.blend, Write: c.write, Defines: map[string]any{"PREMULTIPLIED": c.premultiplied}}
			o.AlphaBlending, o.BlendMode = c.mode != "", c.mode
			if c.blend != nil && c.blend.UsesConstant() {
				o.BlendConstant = [4]float64{0.2, 0.6, 1, 0.4}
			}
			draw(fmt.Sprint("cell ", i), func(i int) [4]float64 { return rect(i, 0.06) }, o, i)
		}
		b.Graph = []scenes.Task{
			&scenes.ScenePass{Name: "cells", Attachments: scenes.Attachments{Color: []*texture.Texture{target}, Samples: 1, Clear: &[4]float64{}}},
			&scenes.EffectPass{Name: "show", Material: &effect.Effect{
				Name: "colour and alpha", Textures: map[string]effect.Input{"cells": {Texture: target}},
				Body: `let cell = textureSample(cells, cellsSampler, vec2<f32>(st.x, fract(st.y * 2.0)));
color = vec4<f32>(select(cell.rgb, vec3<f32>(cell.a), st.y >= 0.5), 1.0);`,
			}},
		}
	})
}
