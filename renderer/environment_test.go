package renderer

import (
	"context"
	"encoding/binary"
	"math"
	"testing"

	"darkroom/composer"
	"darkroom/material/texel"
	"darkroom/scenes"
	"darkroom/scenes/env"
)

// speckled is a cube of colours without order, of which a few are a hundred
// times as bright.
func speckled(size int) *env.Cube {
	state := uint32(7)
	random := func() float32 {
		state = state*1664525 + 1013904223
		return float32(state>>8) / (1 << 24)
	}
	level := make([]byte, 6*size*size*8)
	for i := 0; i < len(level); i += 8 {
		k := float32(1)
		if random() < 0.02 {
			k = 100
		}
		texel.PutHalf(level[i:], random()*k, random()*k, random()*k, 1)
	}
	return &env.Cube{Size: size, Levels: [][]byte{level}}
}

// The device filters as the processor does: the lobes are the same, and what
// remains is the precision of the device's texture filters.
func TestEnvironmentOnTheDevice(t *testing.T) {
	r := open(t)
	ctx := context.Background()
	const size = 32
	c := speckled(size)
	want, err := c.Prefilter(ctx, 64)
	if err != nil {
		t.Fatal(err)
	}
	got, err := c.PrefilterOn(ctx, r, 64)
	if err != nil {
		t.Fatal(err)
	}
	if len(got.Levels) != len(want.Levels) {
		t.Fatalf("%d levels, want %d", len(got.Levels), len(want.Levels))
	}
	for i := range want.Levels {
		var worst, sum, scale float64
		for o := 0; o < len(want.Levels[i]); o += 2 {
			w := float64(texel.FromHalf(binary.LittleEndian.Uint16(want.Levels[i][o:])))
			g := float64(texel.FromHalf(binary.LittleEndian.Uint16(got.Levels[i][o:])))
			d := math.Abs(w - g)
			sum, scale, worst = sum+d, scale+w, max(worst, d/(1+w))
		}
		t.Logf("level %d: mean relative difference %.5f, worst %.4f", i, sum/scale, worst)
		if !(sum/scale < 0.01) || !(worst < 0.15) {
			t.Errorf("level %d: mean relative difference %.5f, worst %.4f", i, sum/scale, worst)
		}
	}
	sh, err := c.SHOn(ctx, r)
	if err != nil {
		t.Fatal(err)
	}
	for i, w := range c.SH() {
		for k := range w {
			if math.Abs(sh[i][k]-w[k]) > 2e-5*(1+math.Abs(w[0])) {
				t.Errorf("coefficient %d,%d is %g, want %g", i, k, sh[i][k], w[k])
			}
		}
	}
	cancelled, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := c.PrefilterOn(cancelled, r, 64); err == nil {
		t.Error("a cancelled prefilter went on")
	}
	if _, err := c.PrefilterOn(ctx, r, 1<<20); err == nil {
		t.Error("a million samples were taken")
	}
	if _, err := c.PrefilterOn(ctx, short{}, 64); err == nil {
		t.Error("a picture of no bytes was taken for a level")
	}
}

// short is a device that returns too little.
type short struct{}

func (short) Picture(context.Context, *scenes.Scene, int, int, composer.TextureFormat) ([]byte, error) {
	return nil, nil
}
func (short) Name() string { return "short" }
