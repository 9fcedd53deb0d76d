package renderer

import (
	"context"
	"encoding/binary"
	"math"
	"os"
	"testing"

	"darkroom/composer"
	"darkroom/material/effect"
	"darkroom/material/texture"
	"darkroom/scenes"
)

// ramp is what a device draws that turns at the given fraction of step n.
func ramp(at func(n byte) float64) []byte {
	row := make([]byte, 4*rampWidth)
	for x := range rampWidth {
		f := rampLow + (rampHigh-rampLow)*float64(x)/rampWidth
		for c, n := range rampSteps {
			row[4*x+c] = n
			if f >= at(n) {
				row[4*x+c]++
			}
		}
	}
	return row
}

func TestTurnsAtHalf(t *testing.T) {
	for _, c := range []struct {
		name string
		at   func(n byte) float64
		want bool
	}{
		{"to nearest", func(byte) float64 { return 0.5 }, true},
		{"to nearest, as far as a float tells", func(byte) float64 { return 0.5005 }, true},
		{"12 bits first", func(n byte) float64 {
			z := (float64(n) + 0.5) * 4096 / 255
			return 0.5 + (math.Floor(z)+1-z)*255/4096
		}, false},
		{"late everywhere", func(byte) float64 { return 0.55 }, false},
		{"early in one channel", func(n byte) float64 {
			if n == 201 {
				return 0.47
			}
			return 0.5
		}, false},
		{"never", func(byte) float64 { return 2 }, false},
	} {
		if got := turnsAtHalf(ramp(c.at)); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

// What an effect writes into an 8-bit target is rounded to nearest on every
// device, at each of the 255 steps. The 32-bit texture is read through the
// sampler that any texture has, which filters.
func TestColoursAreRoundedToNearest(t *testing.T) {
	r, err := Open(Options{Adapter: os.Getenv("DARKROOM_ADAPTER")})
	if err != nil {
		t.Fatal(err) // no adapter is a failure, never a skip
	}
	defer r.Close()
	t.Logf("%v rounds to nearest by itself: %v", r.Adapter(), r.nearest)
	fractions := []float64{0, 0.25, 0.49, 0.51, 0.75}
	const steps = 255
	texels := make([]byte, 0, steps*len(fractions)*16)
	for _, f := range fractions {
		for n := range steps {
			for range 4 {
				texels = binary.LittleEndian.AppendUint32(texels, math.Float32bits(float32((float64(n)+f)/255)))
			}
		}
	}
	values := &texture.Texture{Name: "values", Format: composer.RGBA32Float, Source: &texture.Pixels{Width: steps, Height: len(fractions), Levels: [][]byte{texels}}}
	for _, samples := range []int{1, 4} {
		s := scenes.New("rounding")
		s.Graph = []scenes.Task{&scenes.EffectPass{
			Name: "values", Attachments: scenes.Attachments{Samples: samples},
			Material: &effect.Effect{Name: "values", Textures: map[string]effect.Input{"values": {Texture: values, Unfiltered: true}},
				Body: "color = vec4<f32>(textureSampleLevel(values, valuesSampler, st, 0.0).rgb, 1.0);"},
		}}
		got, err := r.Render(context.Background(), s, Settings{Width: steps, Height: len(fractions)})
		if err != nil {
			t.Fatal(err)
		}
		for y, f := range fractions {
			for n := range steps {
				if v := got.Pix[(y*steps+n)*4]; int(v) != int(math.Round(float64(n)+f)) {
					t.Fatalf("%v, %d samples: %v steps were rounded to %d", r.Adapter(), samples, float64(n)+f, v)
				}
			}
		}
	}
}
