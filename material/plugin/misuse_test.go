package plugin

import (
	"errors"
	"strings"
	"testing"

	"darkroom/composer"
	"darkroom/material"
	"darkroom/material/grid"
	"darkroom/material/pbr"
	"darkroom/material/shader"
)

func TestRefused(t *testing.T) {
	tests := []struct {
		name   string
		change func(*Plugin)
		want   string
	}{
		{"no name", func(p *Plugin) { p.Name = "" }, "no name"},
		{"unknown point", func(p *Plugin) { p.Code = map[Point]string{"CUSTOM_FRAGMENT_MAIN_END": ""} }, "CUSTOM_FRAGMENT_MAIN_END"},
		{"define", func(p *Plugin) { p.Defines["ON"] = "yes" }, `"ON"`},
		{"uniform type", func(p *Plugin) { p.Uniforms[0].Type = "vec3z" }, "vec3z"},
		{"uniform visibility", func(p *Plugin) { p.Uniforms[0].Visibility = "compute" }, "compute"},
		{"uniform twice", func(p *Plugin) { p.Uniforms[1].Name = "wind" }, `"wind"`},
		{"varying type", func(p *Plugin) { p.Varyings[0].Type = "mat4x4f" }, "mat4x4f"},
		{"sampler without texture", func(p *Plugin) { delete(p.Textures, "noise") }, "noise"},
		{"texture without sampler", func(p *Plugin) { p.Samplers = p.Samplers[1:] }, "noise"},
		{"depth texture for colour", func(p *Plugin) { p.Textures["noise"] = pix(composer.Depth32Float, true) }, "Depth"},
		{"colour texture for depth", func(p *Plugin) { p.Textures["depths"] = pix("", true) }, "Depth"},
		{"filtered depth", func(p *Plugin) { p.Textures["depths"] = pix(composer.Depth32Float, false) }, "nearest"},
		{"filtered texture of a sampler that is not", func(p *Plugin) { p.Samplers[0].NonFiltering = true }, "nearest"},
		{"sampler visibility", func(p *Plugin) { p.Samplers[0].Visibility = "all" }, "all"},
		{"value that is not declared", func(p *Plugin) {
			p.Values = func(_ material.System, w material.Writer) error { w.Floats("gust", 1); return nil }
		}, "gust"},
		{"value of another type", func(p *Plugin) {
			p.Values = func(_ material.System, w material.Writer) error { w.Floats("wind", 1); return nil }
		}, "wind"},
	}
	for _, x := range tests {
		t.Run(x.name, func(t *testing.T) {
			p := rich()
			x.change(p)
			_, err := Wrap(pbr.New("marble"), p)
			if err == nil || !strings.Contains(err.Error(), x.want) || !strings.HasPrefix(err.Error(), "pbr material marble: ") || p.Name != "" && !strings.Contains(err.Error(), p.Name) {
				t.Errorf("%v, want it to say %q, the plugin's and the material's name", err, x.want)
			}
		})
	}
	if _, err := Wrap(nil); err == nil {
		t.Error("no material")
	}
	if _, err := Wrap(pbr.New("p"), nil...); err != nil {
		t.Error(err)
	}
	if _, err := Wrap(pbr.New("p"), &Plugin{Name: "a"}, nil); err == nil {
		t.Error("a plugin that is nil")
	}
	if _, err := Wrap(pbr.New("p"), &Plugin{Name: "a"}, &Plugin{Name: "a"}); err == nil || !strings.Contains(err.Error(), `"a"`) {
		t.Errorf("two of one name: %v", err)
	}
}

// What only composition shows is an error that names both sides.
func TestConflicts(t *testing.T) {
	uniform := func(name, field string) *Plugin {
		return &Plugin{Name: name, Uniforms: []Uniform{{Name: field, Type: "f32"}}}
	}
	m := wrap(t, pbr.New("p"), uniform("mine", "baseColor"))
	if _, err := compose(m, context()); err == nil || !strings.Contains(err.Error(), `"mine"`) || !strings.Contains(err.Error(), `"baseColor"`) {
		t.Errorf("the host's uniform: %v", err)
	}
	if _, err := Wrap(pbr.New("p"), uniform("a", "x"), uniform("b", "x")); err == nil || !strings.Contains(err.Error(), `"a" and "b"`) {
		t.Errorf("two plugins' uniform: %v", err)
	}
	code := func(name string) *Plugin {
		return &Plugin{Name: name, Code: map[Point]string{FragmentMainBegin: "let luma = 1.0;"}}
	}
	if _, err := compose(wrap(t, pbr.New("p"), code("a"), code("b")), context()); !errors.Is(err, composer.ErrConflict) || !strings.Contains(err.Error(), "plugin a") || !strings.Contains(err.Error(), "plugin b") {
		t.Errorf("two variables: %v", err)
	}
	o := shader.Options{Name: "s", Attributes: []string{"position"},
		Vertex:   "@vertex fn mainVertex(input: VertexInput) -> @builtin(position) vec4<f32> { return vec4<f32>(input.position, 1.0); }",
		Fragment: "@fragment fn mainFragment() -> @location(0) vec4<f32> { return vec4<f32>(1.0); }"}
	own, err := shader.New(o)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := compose(wrap(t, own, code("a")), context()); !errors.Is(err, composer.ErrSlot) || !strings.Contains(err.Error(), "plugin a") {
		t.Errorf("a family without points: %v", err)
	}
	// The grid has the vertex points and no other.
	if _, err := compose(wrap(t, grid.New("g"), &Plugin{Name: "a", Code: map[Point]string{VertexMainEnd: "// end"}}), context()); err != nil {
		t.Errorf("the grid: %v", err)
	}
}
