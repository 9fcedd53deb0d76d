package post

import (
	"fmt"
	"math"
	"strings"

	"darkroom/material"
	"darkroom/material/effect"
	"darkroom/scenes"
)

// tap is one bilinear sample of a blur: how far from the centre in pixels, and
// how much it weighs.
type tap struct{ offset, weight float64 }

// kernelWidth is the number of texels that a kernel spans: odd, with an even
// half, so that pairs of texels fall together and the centre stays alone;
// Babylon.js, ThinBlurPostProcess.
func kernelWidth(kernel float64) int {
	v := max(1, int(math.Round(kernel)))
	for _, k := range []int{v, v - 1, v + 1, v - 2, v + 2} {
		if k > 0 && k%2 == 1 && k/2%2 == 0 {
			return max(k, 3)
		}
	}
	return max(v, 3)
}

// taps are the samples of a Gaussian whose edge is at three standard
// deviations. Two neighbouring texels are one sample between them, weighted by
// the filter (Rideout 2010, "Efficient Gaussian blur with linear sampling");
// the last tap is the centre.
func taps(kernel float64) []tap {
	n := kernelWidth(kernel)
	weights := make([]float64, n)
	sum := 0.0
	for i := range weights {
		const sigma = 1.0 / 3
		x := float64(i)/float64(n-1)*2 - 1
		weights[i] = math.Exp(-x * x / (2 * sigma * sigma))
		sum += weights[i]
	}
	for i := range weights {
		weights[i] /= sum
	}
	centre := (n - 1) / 2
	var out []tap
	for i := 0; i <= centre; i += 2 {
		at := float64(i - centre)
		if i == centre {
			out = append(out, tap{at, weights[i]})
			continue
		}
		a, b := weights[i], weights[i+1]
		if i+1 == centre {
			b *= 0.5 // the centre is shared by both sides
		}
		offset := at + 1/(1+a/weights[i+1])
		if offset == 0 {
			out = append(out, tap{at, weights[i]}, tap{at + 1, weights[i+1]})
			continue
		}
		out = append(out, tap{offset, a + b}, tap{-offset, a + b})
	}
	return out
}

// Blur is a Gaussian along direction, kernel pixels of the target wide. Two of
// them, across each other, blur both ways.
func Blur(p Pass, direction [2]float64, kernel float64) *scenes.EffectPass {
	var b strings.Builder
	b.WriteString("color = vec4<f32>(0.0);\n")
	for _, t := range taps(kernel) {
		fmt.Fprintf(&b, "color += textureSampleLevel(picture, pictureSampler, st + mesh.delta * %.8f, 0.0) * %.8f;\n", t.offset, t.weight)
	}
	settings := map[string][]float64{"direction": direction[:], "kernel": {kernel}}
	return p.effect("blur", settings, &effect.Effect{Values: []effect.Uniform{delta(direction)}, Body: b.String()})
}

// delta is a step of one pixel of the target along direction.
func delta(direction [2]float64) effect.Uniform {
	return effect.Uniform{Name: "delta", Type: "vec2<f32>", Func: func(s material.System) any {
		return []float64{direction[0] / s.Screen[0], -direction[1] / s.Screen[1]}
	}}
}
