package standard

import (
	"math"
	"testing"

	"darkroom/composer"
	"darkroom/material"
	"darkroom/material/texture"
)

// fields is a material.Writer that keeps what is written.
type fields map[string][]float64

func (f fields) Has(string) bool                  { return true }
func (f fields) Set(string, any)                  {}
func (f fields) Floats(name string, v ...float64) { f[name] = v }

// A texture is scaled, turned about its scaled middle, and then moved.
func TestTextureMatrix(t *testing.T) {
	for _, c := range []struct {
		name string
		ch   Channel
		u, v float64 // where the coordinates 0.5, 0.5 go
		x, y float64 // and 1, 0
	}{
		{"as it is", Channel{}, 0.5, 0.5, 1, 0},
		{"scaled", Channel{UScale: 2, VScale: 3}, 1, 1.5, 2, 0},
		{"moved", Channel{UOffset: 0.25, VOffset: -0.5}, 0.75, 0, 1.25, -0.5},
		{"turned", Channel{Angle: math.Pi / 2}, 0.5, 0.5, 1, 1},
		{"scaled and turned", Channel{UScale: 2, Angle: math.Pi / 2}, 1, 0.5, 1.5, 1.5},
		{"all", Channel{UScale: 2, UOffset: 0.1, VOffset: 0.2, Angle: math.Pi / 2}, 1.1, 0.7, 1.6, 1.7},
	} {
		f := fields{}
		role{Channel: &c.ch, name: "t"}.uniforms(f)
		at := func(u, v float64) (float64, float64) {
			a, b := f["tU"], f["tV"]
			return a[0]*u + a[1]*v + a[2], b[0]*u + b[1]*v + b[2]
		}
		if u, v := at(0.5, 0.5); math.Hypot(u-c.u, v-c.v) > 1e-12 {
			t.Errorf("%s: the middle goes to %g, %g, want %g, %g", c.name, u, v, c.u, c.v)
		}
		if x, y := at(1, 0); math.Hypot(x-c.x, y-c.y) > 1e-12 {
			t.Errorf("%s: the corner goes to %g, %g, want %g, %g", c.name, x, y, c.x, c.y)
		}
	}
}

// Every field that the material's fragments declare must be written: one that
// is not would be read as zero.
func TestEveryFieldIsWritten(t *testing.T) {
	white := &Channel{Texture: texture.Solid("white", 1, 1, 1, 1)}
	m := New("everything")
	m.DiffuseTexture, m.EmissiveTexture, m.SpecularTexture, m.AmbientTexture = white, white, white, white
	m.OpacityTexture, m.LightmapTexture, m.BumpTexture = white, white, white
	m.ReflectionTexture = &Reflection{Texture: white.Texture, Mapping: Spherical}
	m.AlphaCutoff = 0.4
	c := &material.Context{
		Streams: map[string]composer.VertexFormat{"position": "float32x3", "normal": "float32x3", "uv": "float32x2", "color": "float32x4"},
		Fog:     true,
	}
	template, fragments, err := m.Shader(c)
	if err != nil {
		t.Fatal(err)
	}
	f := fields{}
	if err := m.Uniforms(c, f); err != nil {
		t.Fatal(err)
	}
	declared := template.MaterialFields
	for _, fr := range fragments {
		declared = append(declared, fr.Fields...)
	}
	if len(declared) < 20 {
		t.Errorf("only %d fields are declared", len(declared))
	}
	for _, d := range declared {
		if _, ok := f[d.Name]; !ok {
			t.Errorf("field %s is never written", d.Name)
		}
	}
	if _, err := composer.Compose(template, fragments, composer.Options{}); err != nil {
		t.Error(err)
	}
}
