package renderer

import (
	"fmt"
	"math"
	"testing"

	"darkroom/composer"
	"darkroom/material/shader"
	"darkroom/scenes"
)

// blended is what a blend component makes of two colours, by the formulas of
// the WebGPU specification, "Blend State": factors of rgb, and of alpha.
func blended(c composer.BlendComponent, src, dst, constant [4]float64, alpha bool) (out [4]float64) {
	c = c.Normalized()
	factor := func(f composer.BlendFactor, i int) float64 {
		sat := math.Min(src[3], 1-dst[3])
		if alpha {
			sat = 1
		}
		return map[composer.BlendFactor]float64{
			composer.FactorZero: 0, composer.FactorOne: 1, composer.FactorSrc: src[i], composer.FactorOneMinusSrc: 1 - src[i],
			composer.FactorSrcAlpha: src[3], composer.FactorOneMinusSrcAlpha: 1 - src[3], composer.FactorDst: dst[i], composer.FactorOneMinusDst: 1 - dst[i],
			composer.FactorDstAlpha: dst[3], composer.FactorOneMinusDstAlpha: 1 - dst[3], composer.FactorSrcAlphaSaturated: sat,
			composer.FactorConstant: constant[i], composer.FactorOneMinusConstant: 1 - constant[i],
		}[f]
	}
	for i := range out {
		s, d := src[i]*factor(c.Src, i), dst[i]*factor(c.Dst, i)
		switch c.Operation {
		case composer.BlendAdd:
			out[i] = s + d
		case composer.BlendSubtract:
			out[i] = s - d
		case composer.BlendReverseSubtract:
			out[i] = d - s
		case composer.BlendMin:
			out[i] = math.Min(src[i], dst[i])
		case composer.BlendMax:
			out[i] = math.Max(src[i], dst[i])
		}
		out[i] = math.Min(1, math.Max(0, out[i]))
	}
	return out
}

// Every operation and factor does what the specification says, colour and
// alpha apart, with a constant for each draw of one pipeline.
func TestShaderBlendStates(t *testing.T) {
	src, dst := [4]float64{0.8, 0.2, 0.4, 0.6}, [4]float64{0.2, 0.6, 1, 0.8}
	factors := []composer.BlendFactor{
		composer.FactorZero, composer.FactorOne, composer.FactorSrc, composer.FactorOneMinusSrc, composer.FactorSrcAlpha, composer.FactorOneMinusSrcAlpha,
		composer.FactorDst, composer.FactorOneMinusDst, composer.FactorDstAlpha, composer.FactorOneMinusDstAlpha, composer.FactorSrcAlphaSaturated,
		composer.FactorConstant, composer.FactorOneMinusConstant,
	}
	var list []composer.BlendComponent
	for _, op := range []composer.BlendOperation{composer.BlendAdd, composer.BlendSubtract, composer.BlendReverseSubtract, composer.BlendMin, composer.BlendMax} {
		for _, f := range factors {
			list = append(list, composer.BlendComponent{Operation: op, Src: f, Dst: composer.FactorOne}, composer.BlendComponent{Operation: op, Src: composer.FactorOne, Dst: f})
		}
	}
	r := open(t)
	s := emptyScene()
	s.Clear = scenes.Color4(dst)
	side := 12 // of the picture: a pixel for each component
	constant := func(i int) [4]float64 { return [4]float64{float64(i%5) / 5, 0.4, 0.6, float64(i%3) / 3} }
	for i, c := range list {
		b := composer.Blend{Color: c, Alpha: list[(i+7)%len(list)]}
		m := flatShader(t, "vec4<f32>(0.8, 0.2, 0.4, 0.6)", "input.value", func(o *shader.Options) {
			o.Blend = &b
			if b.UsesConstant() {
				o.BlendConstant = constant(i)
			}
		})
		x, y, step := float32(i%side)*2/float32(side)-1, 1-float32(i/side)*2/float32(side), 2/float32(side)
		s.Add(scenes.NewMesh(fmt.Sprint("pixel ", i), quad(x, y-step, x+step, y), m))
	}
	f := drawAt(t, newSession(t, r, s, side, side), 0)
	for i, c := range list {
		a := list[(i+7)%len(list)]
		want := blended(c, src, dst, constant(i), false)
		want[3] = blended(a, src, dst, constant(i), true)[3]
		got := f.pixel(i%side, i/side)
		for k := range got {
			if d := math.Abs(float64(got[k]) - 255*want[k]); d > 1.01 {
				t.Errorf("colour %+v, alpha %+v: %v, want %.1f", c, a, got, [4]float64{255 * want[0], 255 * want[1], 255 * want[2], 255 * want[3]})
				break
			}
		}
	}
	if last := f.pixel(side-1, side-1); last != [4]byte{51, 153, 255, 204} {
		t.Errorf("the untouched corner is %v", last)
	}
}
