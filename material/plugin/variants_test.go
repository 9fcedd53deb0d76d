package plugin

import (
	"maps"
	"strings"
	"testing"

	"darkroom/composer"
	"darkroom/material"
	"darkroom/material/instances"
	"darkroom/material/morph"
	"darkroom/material/skin"
)

// Whatever a mesh or a pass adds to the host goes on working with a plugin at
// every point, in a shader of its own, and without the plugin it is the host's.
func TestVariants(t *testing.T) {
	shape, err := morph.New(3, []morph.Target{{Name: "a", Positions: make([]float32, 9)}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	code := map[Point]string{}
	for _, p := range Points() {
		code[p] = "// at " + string(p)
	}
	for name, host := range families() {
		p := rich()
		p.Code = code
		m := wrap(t, host, p)
		seen := map[composer.Key]string{}
		for _, x := range []struct {
			name     string
			streams  []string
			feature  material.Feature
			change   func(*material.Context)
			vertex   string
			fragment bool
		}{
			{"plain", nil, nil, nil, "", true},
			{"vertex colours", []string{"color"}, nil, nil, "input.color", true},
			{"four bones", []string{"joints", "weights"}, skin.New("s", 2), nil, "jointMatrices[input.joints.w]", true},
			{"eight bones", []string{"joints", "weights", "joints1", "weights1"}, skin.New("s", 2), nil, "jointMatrices[input.joints1.w]", true},
			{"morph targets", nil, shape, nil, "morphDelta", true},
			{"instances", nil, instances.New(make([][16]float64, 2), nil), nil, "input.world0", true},
			{"coloured instances", nil, instances.New(make([][16]float64, 2), make([][4]float64, 2)), nil, "input.instanceColor", true},
			{"fog", nil, nil, func(c *material.Context) { c.Fog = true }, "", true},
			{"three lights", nil, nil, func(c *material.Context) { c.Lights = 3 }, "", true},
			{"a pass that stores depth", nil, nil, func(c *material.Context) { c.DepthOnly = true }, "", false},
			{"a pass that stores surfaces", nil, nil, func(c *material.Context) { c.Outputs = map[string]int{"normal": 0, "albedo": 1, "color": 2} }, "", true},
		} {
			draw := func(m material.Material) (*composer.Shader, error) {
				c := context()
				for _, s := range x.streams {
					c.Streams[s] = map[string]composer.VertexFormat{"color": "float32x4", "joints": "uint32x4", "weights": "float32x4", "joints1": "uint32x4", "weights1": "float32x4"}[s]
				}
				if s, ok := x.feature.(material.StreamProvider); ok {
					maps.Copy(c.Streams, s.Streams())
				}
				if x.change != nil {
					x.change(c)
				}
				tpl, list, err := m.Shader(c)
				if err != nil {
					return nil, err
				}
				if x.feature != nil {
					list = append(list, x.feature.Fragments(c)...)
				}
				return composer.Compose(tpl, list, composer.Options{OutputLocations: c.Outputs})
			}
			with, err := draw(m)
			if err != nil {
				t.Errorf("%s, %s: %v", name, x.name, err)
				continue
			}
			without, err := draw(host)
			if err != nil {
				t.Fatalf("%s, %s: %v", name, x.name, err)
			}
			bare, err := draw(wrap(t, host))
			if err != nil || bare.Key != without.Key {
				t.Errorf("%s, %s: without plugins the shader is not the host's: %v", name, x.name, err)
			}
			for _, p := range Points() {
				text, want := with.FragmentWGSL, x.fragment
				if p.stage() == composer.StageVertex {
					text, want = with.VertexWGSL, true
				}
				if strings.Contains(text, code[p]) != want {
					t.Errorf("%s, %s: the code at %s is there: %t", name, x.name, p, !want)
				}
			}
			if !strings.Contains(with.VertexWGSL, x.vertex) {
				t.Errorf("%s, %s: the vertex stage lacks %q", name, x.name, x.vertex)
			}
			for _, sh := range []*composer.Shader{with, without} {
				if other, ok := seen[sh.Key]; ok && x.name != "three lights" {
					t.Errorf("%s: %s has the shader of %s", name, x.name, other)
				}
				seen[sh.Key] = x.name
			}
		}
	}
}
