package plugin

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"darkroom/composer"
	"darkroom/material"
	"darkroom/material/pbr"
	"darkroom/material/standard"
	"darkroom/material/texture"
)

func context() *material.Context {
	return &material.Context{Streams: map[string]composer.VertexFormat{"position": composer.Float32x3, "normal": composer.Float32x3, "uv": composer.Float32x2}}
}

func compose(m material.Material, c *material.Context) (*composer.Shader, error) {
	t, f, err := m.Shader(c)
	if err != nil {
		return nil, err
	}
	return composer.Compose(t, f, composer.Options{})
}

func mustCompose(t testing.TB, m material.Material, c *material.Context) *composer.Shader {
	t.Helper()
	sh, err := compose(m, c)
	if err != nil {
		t.Fatal(err)
	}
	return sh
}

func wrap(t testing.TB, host material.Material, plugins ...*Plugin) *Material {
	t.Helper()
	m, err := Wrap(host, plugins...)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// families are those that take plugins.
func families() map[string]material.Material {
	return map[string]material.Material{"standard": standard.New("s"), "pbr": pbr.New("p")}
}

func pix(format composer.TextureFormat, nearest bool) *texture.Texture {
	t := &texture.Texture{Name: "noise", Format: format, Source: &texture.Pixels{Width: 1, Height: 1}}
	if nearest {
		t.Sampler = texture.Sampler{Mag: composer.FilterNearest, Min: composer.FilterNearest, Mip: composer.FilterNearest}
	}
	return t
}

// rich uses all that a plugin can declare.
func rich() *Plugin {
	return &Plugin{
		Name: "rich", Defines: map[string]any{"ON": true, "SCALE": 2.0, "STEPS": 3},
		Uniforms: []Uniform{{Name: "wind", Type: "vec3f", Visibility: VertexFragment}, {Name: "strength", Type: "f32"}},
		Varyings: []Varying{{Name: "vHeight", Type: "f32"}, {Name: "vWind", Type: "vec3"}},
		Samplers: []Sampler{{Texture: "noise", Sampler: "noiseSampler", Visibility: VertexFragment}, {Texture: "depths", Sampler: "depthsKind", Depth: true}},
		Textures: map[string]*texture.Texture{"noise": pix("", false), "depths": pix(composer.Depth32Float, true)},
		Values: func(s material.System, w material.Writer) error {
			w.Floats("wind", 1, 2, 3)
			w.Set("strength", float32(0.5+s.Time))
			return nil
		},
	}
}

// written collects what a material writes and binds.
type written struct {
	fields   map[string]any
	textures map[string]*texture.Texture
	buffers  map[string]*material.Buffer
}

func (w *written) Has(string) bool { return true }

func (w *written) Set(f string, v any) { w.fields[f] = v }

func (w *written) Floats(f string, v ...float64) { w.fields[f] = slices.Clone(v) }

func (w *written) Texture(n string, t *texture.Texture) { w.textures[n] = t }

func (w *written) View(n string, t *texture.Texture, _ material.View) { w.textures[n] = t }

func (w *written) Buffer(n string, b *material.Buffer) { w.buffers[n] = b }

func (w *written) BufferBefore(n string, b *material.Buffer) { w.buffers[n] = b }

func (w *written) VertexBuffer(string, *material.Buffer) {}

func ask(t testing.TB, m *Material, time float64) *written {
	t.Helper()
	w := &written{map[string]any{}, map[string]*texture.Texture{}, map[string]*material.Buffer{}}
	c := context()
	c.System.Time = time
	if err := m.Uniforms(c, w); err != nil {
		t.Fatal(err)
	}
	if err := m.Resources(c, w); err != nil {
		t.Fatal(err)
	}
	return w
}

func write(t testing.TB, dir, name, text string) string {
	t.Helper()
	p := filepath.Join(dir, name)
	if err := os.WriteFile(p, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return p
}
