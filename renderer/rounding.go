package renderer

import (
	_ "embed"
	"fmt"
	"math"

	"darkroom/composer"
	"darkroom/material"
	"darkroom/scenes"
)

//go:embed rounding.wgsl
var roundingWGSL string

// The ramp of the measurement goes over fractions of a step of an 8-bit
// channel around the half, where rounding to nearest turns.
const (
	rampWidth = 512
	rampLow   = 0.4
	rampHigh  = 0.6
	rampSlack = 1.0 / 256
)

// rampSteps are the steps that the four channels start from.
var rampSteps = [4]byte{20, 127, 201, 254}

// roundsToNearest tells whether the device rounds the colours of 8-bit targets
// to nearest. Vulkan only recommends that (Vulkan 1.3, "conversion from
// floating-point to normalized fixed-point"), and NVIDIA's H200 does not: it
// first drops what is below 1/4096 and then takes halves down, so that a value
// of up to n + 0.562 steps becomes n and flat areas come out a step darker than
// elsewhere. Where a device does not, the shaders round.
func (r *Renderer) roundsToNearest() (bool, error) {
	row, err := r.drawRamp()
	if err != nil {
		return false, fmt.Errorf("measuring how %s rounds colours: %w", r.dev.Info.Name, err)
	}
	return turnsAtHalf(row), nil
}

// turnsAtHalf tells whether each channel of a row of the ramp (RGBA, 4 bytes a
// pixel) goes to the next step at the half.
func turnsAtHalf(row []byte) bool {
	for c, n := range rampSteps {
		for x := range rampWidth {
			f := rampLow + (rampHigh-rampLow)*float64(x)/rampWidth
			want := n
			if f > 0.5 {
				want++
			}
			if math.Abs(f-0.5) > rampSlack && row[4*x+c] != want {
				return false
			}
		}
	}
	return true
}

// drawRamp draws the ramp and reads it back.
func (r *Renderer) drawRamp() ([]byte, error) {
	text := fmt.Sprintf("const LOW = %g;\nconst HIGH = %g;\nconst WIDTH = %d.0;\nconst FROM = vec4<f32>(%d.0, %d.0, %d.0, %d.0);\n",
		rampLow, rampHigh, rampWidth, rampSteps[0], rampSteps[1], rampSteps[2], rampSteps[3]) + roundingWGSL
	return r.drawRow("rounding", text, rampWidth, 1, []uint32{0})
}

// rounding is what shaders are to do for a pass's colour targets, by location;
// nil where the device does it. A blend that leaves nothing of what was there
// under an alpha of 1 is rounded ahead only there, other blends not at all.
func (x *Session) rounding(a *scenes.Attachments, st material.State) []composer.Rounding {
	if x.r.nearest || st.Blend != nil && *st.Blend != composer.BlendAlphaState() && *st.Blend != composer.BlendPremultipliedState() {
		return nil
	}
	of := func(f composer.TextureFormat) composer.Rounding {
		return composer.Rounding{Steps: x.r.steps(f), OpaqueOnly: st.Blend != nil || st.Transparent}
	}
	if a.Color == nil {
		return []composer.Rounding{of(x.set.Format)}
	}
	r := make([]composer.Rounding, len(a.Color))
	for i, t := range a.Color {
		if t != nil {
			r[i] = of(t.GPUFormat())
		}
	}
	return r
}

// steps is what a shader rounds the values for a target of a format to; 0: not at all.
func (r *Renderer) steps(f composer.TextureFormat) int {
	if !r.nearest && unorm8(f) {
		return 255
	}
	return 0
}

// unorm8 reports the formats of 8 bits a channel, from 0 to 1 in equal steps.
func unorm8(f composer.TextureFormat) bool {
	switch f {
	case composer.RGBA8Unorm, composer.BGRA8Unorm, composer.R8Unorm, composer.RG8Unorm:
		return true
	}
	return false
}

// roundingText tells lists apart.
func roundingText(r []composer.Rounding) string {
	if r == nil {
		return ""
	}
	return fmt.Sprint(r)
}
