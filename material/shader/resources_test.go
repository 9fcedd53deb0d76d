package shader

import (
	"strings"
	"testing"

	"darkroom/composer"
	"darkroom/material"
	"darkroom/material/texture"
)

func TestResourceVersion(t *testing.T) {
	o := base()
	o.Samplers = []Sampler{{Name: "grain"}}
	m := mustNew(t, o)
	a, b := pixels("", 0), pixels("", 0)
	for i, x := range []struct {
		t    *texture.Texture
		want uint64
	}{{a, 1}, {a, 1}, {b, 2}, {nil, 3}, {nil, 3}} {
		if err := m.SetTexture("grain", x.t); err != nil || m.ResourceVersion() != x.want || m.Texture("grain") != x.t {
			t.Errorf("step %d: version %d, want %d, %v", i, m.ResourceVersion(), x.want, err)
		}
	}
}

func pixels(f composer.TextureFormat, layers int) *texture.Texture {
	return &texture.Texture{Name: "grain", Format: f, Source: &texture.Pixels{Width: 1, Height: 1, Layers: layers}}
}

func nearest(x *texture.Texture) *texture.Texture {
	x.Sampler = texture.Sampler{Mag: composer.FilterNearest, Min: composer.FilterNearest, Mip: composer.FilterNearest}
	return x
}

// What is not bound is an error before anything is drawn.
func TestUnbound(t *testing.T) {
	for _, x := range []struct {
		change func(*Options)
		want   string
	}{
		{func(o *Options) { o.Samplers = []Sampler{{Name: "grain"}} }, `sampler "grain" has no texture`},
		{func(o *Options) { o.Externals = []string{"video"} }, `external texture "video" has no frames`},
		{func(o *Options) { o.Buffers = []Buffer{{Name: "points", Type: "array<f32>"}} }, `buffer "points" is not bound`},
	} {
		o := base()
		x.change(&o)
		err := mustNew(t, o).Resources(&material.Context{}, newBound())
		if err == nil || !strings.Contains(err.Error(), x.want) {
			t.Errorf("%v, want %q", err, x.want)
		}
	}
}
