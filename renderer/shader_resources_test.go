package renderer

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"darkroom/material"
	"darkroom/material/shader"
	"darkroom/material/texture"
	"darkroom/scenes"
)

// Frames are uploaded for the scene's time, once for each, and sampled nearest,
// level 0, clamped to the edge.
func TestShaderExternalTexture(t *testing.T) {
	r := open(t)
	s := emptyScene()
	m := flatShader(t, "vec4<f32>(0.0)", "textureSampleBaseClampToEdge(video, videoSampler, input.uv * 3.0 - 1.0)", func(o *shader.Options) { o.Externals = []string{"video"} })
	calls := 0
	film, err := shader.NewExternal("film", shader.FrameFunc{Width: 2, Height: 1, Func: func(at float64) ([]byte, error) {
		calls++
		if at > 3 {
			return nil, errors.New("the film is over")
		}
		return []byte{byte(at), 0, 0, 255, 0, byte(at), 0, 255}, nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	if err := m.SetExternal("video", film); err != nil {
		t.Fatal(err)
	}
	for i := range 3 {
		s.Add(scenes.NewMesh(fmt.Sprint("screen ", i), quad(-1, -1, 1, 1), m))
	}
	x := newSession(t, r, s, 6, 1)
	for i, at := range []float64{0, 1, 2, 2, 0} {
		f := drawAt(t, x, at)
		for px := range 6 {
			want := [4]byte{byte(at), 0, 0, 255}
			if px >= 3 {
				want = [4]byte{0, byte(at), 0, 255}
			}
			if got := f.pixel(px, 0); got != want {
				t.Errorf("draw %d at %g s, pixel %d: %v, want %v", i, at, px, got, want)
			}
		}
	}
	if calls != 4 {
		t.Errorf("%d frames were asked for, want 4: the times 0, 1, 2 and 0", calls)
	}
	if _, err := x.Draw(context.Background(), 5); err == nil || !strings.Contains(err.Error(), "film") || !strings.Contains(err.Error(), "over") {
		t.Errorf("after its end: %v", err)
	}
	if film.Ready(5) || !film.Ready(1) {
		t.Error("Ready does not follow the source")
	}
}

// A storage buffer is read and a depth texture sampled.
func TestShaderStorageBuffer(t *testing.T) {
	r := open(t)
	s := emptyScene()
	b := &material.Buffer{Name: "points"}
	for _, x := range []float32{0, 0, 0, 0, 1, 0.2, 0, 1} {
		b.Data = binary.LittleEndian.AppendUint32(b.Data, math.Float32bits(x))
	}
	m := flatShader(t, "points[1]", "input.value", func(o *shader.Options) { o.Buffers = []shader.Buffer{{Name: "points", Type: "array<vec4<f32>>"}} })
	if err := m.SetBuffer("points", b); err != nil {
		t.Fatal(err)
	}
	s.Add(scenes.NewMesh("quad", quad(-1, -1, 1, 1), m))
	if got := drawAt(t, newSession(t, r, s, 4, 4), 0).pixel(1, 1); got != [4]byte{255, 51, 0, 255} {
		t.Errorf("%v", got)
	}
}

// A texture that is bound to a material in use is seen by the next frame.
func TestShaderTextureBound(t *testing.T) {
	r := open(t)
	s := emptyScene()
	m := flatShader(t, "vec4<f32>(0.0)", "textureSample(grain, grainSampler, input.uv)", func(o *shader.Options) { o.Samplers = []shader.Sampler{{Name: "grain"}} })
	s.Add(scenes.NewMesh("quad", quad(-1, -1, 1, 1), m))
	x := newSession(t, r, s, 4, 4)
	for _, want := range [][4]byte{{255, 0, 0, 255}, {0, 255, 0, 255}, {255, 255, 0, 255}} {
		if err := m.SetTexture("grain", texture.Solid("solid", float64(want[0])/255, float64(want[1])/255, 0, 1)); err != nil {
			t.Fatal(err)
		}
		if got := drawAt(t, x, 0).pixel(2, 2); got != want {
			t.Errorf("%v, want %v", got, want)
		}
	}
}
