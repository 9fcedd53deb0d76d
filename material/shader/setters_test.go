package shader

import (
	"errors"
	"strings"
	"testing"

	"darkroom/composer"
	"darkroom/material"
	"darkroom/material/texture"
)

func TestSetters(t *testing.T) {
	o := base()
	o.System = []System{World, AlphaCutoff}
	o.Uniforms = []Uniform{{Name: "time", Type: "f32"}, {Name: "count", Type: "i32"}, {Name: "bits", Type: "u32"}, {Name: "tint", Type: "vec3<f32>"}, {Name: "bend", Type: "mat4x4<f32>"}}
	o.Samplers = []Sampler{{Name: "grain"}, {Name: "depth", Sample: composer.SampleDepth}, {Name: "raw", Sample: composer.SampleUnfilterableFloat}}
	o.Externals = []string{"video"}
	o.Buffers = []Buffer{{Name: "points", Type: "array<vec4<f32>>"}}
	m := mustNew(t, o)
	film, err := NewExternal("film", FrameFunc{2, 2, func(float64) ([]byte, error) { return make([]byte, 16), nil }})
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name string
		set  func() error
		want error // nil: taken
		says string
	}{
		{"float", func() error { return m.Set("time", 1.5) }, nil, ""},
		{"float32", func() error { return m.Set("time", float32(1.5)) }, nil, ""},
		{"int", func() error { return m.Set("count", -3) }, nil, ""},
		{"uint", func() error { return m.Set("bits", uint32(3)) }, nil, ""},
		{"vector", func() error { return m.Set("tint", []float32{1, 2, 3}) }, nil, ""},
		{"matrix", func() error { return m.SetMatrix("bend", [16]float64{}) }, nil, ""},
		{"alphaCutoff", func() error { return m.Set("alphaCutoff", 0.5) }, nil, ""},
		{"unknown", func() error { return m.Set("tine", 1.5) }, ErrUndeclared, "time, count"},
		{"system", func() error { return m.SetMatrix("world", [16]float64{}) }, ErrUndeclared, "renderer"},
		{"count of values", func() error { return m.Set("tint", []float64{1, 2}) }, ErrValue, "vec3<f32>"},
		{"count of values, fixed", func() error { return m.SetVec4("tint", [4]float64{}) }, ErrValue, "vec3<f32>"},
		{"wrong type", func() error { return m.Set("count", 1.5) }, ErrValue, "i32"},
		{"negative", func() error { return m.Set("bits", -1) }, ErrValue, "-1"},
		{"no number", func() error { return m.Set("time", "now") }, ErrValue, "string"},
		{"nothing", func() error { return m.Set("time", nil) }, ErrValue, ""},
		{"out of range", func() error { return m.Set("time", 1e300) }, ErrValue, "range"},

		{"texture", func() error { return m.SetTexture("grain", pixels("", 0)) }, nil, ""},
		{"no texture", func() error { return m.SetTexture("grain", nil) }, nil, ""},
		{"unknown sampler", func() error { return m.SetTexture("grin", pixels("", 0)) }, ErrUndeclared, "grain, depth"},
		{"cube", func() error { return m.SetTexture("grain", pixels("", 6)) }, ErrValue, "two-dimensional"},
		{"no source", func() error { return m.SetTexture("grain", &texture.Texture{}) }, ErrValue, "no source"},
		{"depth for colour", func() error { return m.SetTexture("grain", nearest(pixels(composer.Depth32Float, 0))) }, ErrValue, "depth"},
		{"colour for depth", func() error { return m.SetTexture("depth", nearest(pixels("", 0))) }, ErrValue, "takes depth"},
		{"depth", func() error { return m.SetTexture("depth", nearest(pixels(composer.Depth32Float, 0))) }, nil, ""},
		{"filtered depth", func() error { return m.SetTexture("depth", pixels(composer.Depth32Float, 0)) }, ErrValue, "nearest"},
		{"filtered raw", func() error { return m.SetTexture("raw", pixels(composer.R32Float, 0)) }, ErrValue, "nearest"},
		{"raw", func() error { return m.SetTexture("raw", nearest(pixels(composer.R32Float, 0))) }, nil, ""},
		{"unfilterable for float", func() error { return m.SetTexture("grain", pixels(composer.R32Float, 0)) }, ErrValue, "unfilterable-float"},

		{"buffer", func() error { return m.SetBuffer("points", &material.Buffer{Data: make([]byte, 16)}) }, nil, ""},
		{"empty buffer", func() error { return m.SetBuffer("points", &material.Buffer{}) }, ErrValue, "empty"},
		{"unknown buffer", func() error { return m.SetBuffer("lines", &material.Buffer{Data: make([]byte, 16)}) }, ErrUndeclared, ""},
		{"external", func() error { return m.SetExternal("video", film) }, nil, ""},
		{"unknown external", func() error { return m.SetExternal("grain", film) }, ErrUndeclared, "video"},
	}
	for _, x := range tests {
		t.Run(x.name, func(t *testing.T) {
			switch err := x.set(); {
			case x.want == nil && err != nil:
				t.Fatal(err)
			case x.want != nil && !errors.Is(err, x.want):
				t.Fatalf("%v, want %v", err, x.want)
			case err != nil && (!strings.Contains(err.Error(), x.says) || !strings.HasPrefix(err.Error(), "shader material wobble: ")):
				t.Errorf("%q does not say %q and the material's name", err, x.says)
			}
		})
	}
}
