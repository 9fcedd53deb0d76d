package pbr

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"darkroom/composer"
	"darkroom/material"
	"darkroom/material/texture"
)

// features switch on one feature of a material each.
var features = []struct {
	name string
	set  func(m *Material, ch *Channel)
}{
	{"normal map", func(m *Material, ch *Channel) { m.NormalTexture = ch }},
	{"specular", func(m *Material, ch *Channel) {
		m.Specular = &Specular{Factor: 1, Color: [3]float64{1, 1, 1}, Texture: ch, ColorTexture: ch}
	}},
	{"clear coat", func(m *Material, ch *Channel) {
		m.Clearcoat = &Clearcoat{Factor: 1, Texture: ch, RoughnessTexture: ch, NormalTexture: ch, Tint: &[3]float64{1, 0, 0.5}, RemapBase: true}
	}},
	{"sheen", func(m *Material, ch *Channel) { m.Sheen = &Sheen{ColorTexture: ch, RoughnessTexture: ch} }},
	{"anisotropy", func(m *Material, ch *Channel) { m.Anisotropy = &Anisotropy{Strength: 1, Texture: ch} }},
	{"iridescence", func(m *Material, ch *Channel) {
		m.Iridescence = &Iridescence{Factor: 1, Texture: ch, ThicknessTexture: ch}
	}},
	{"transmission", func(m *Material, ch *Channel) { m.Transmission = &Transmission{Factor: 1, Texture: ch} }},
	{"volume", func(m *Material, ch *Channel) {
		m.Volume = &Volume{Thickness: 1, AttenuationDistance: 2, ThicknessTexture: ch}
		m.Dispersion = 1
	}},
	{"diffuse transmission", func(m *Material, ch *Channel) {
		m.DiffuseTransmission = &DiffuseTransmission{Factor: 1, Texture: ch, ColorTexture: ch}
	}},
	{"mode", func(m *Material, ch *Channel) { m.TwoSided, m.AlphaMode, m.SpecularAA = true, Blend, true }},
}

// contexts are what a material may meet.
func contexts() map[string]*material.Context {
	picture := texture.Solid("white", 1, 1, 1, 1)
	streams := func(names ...string) map[string]composer.VertexFormat {
		out := map[string]composer.VertexFormat{"position": "float32x3"}
		for _, n := range names {
			out[n] = map[string]composer.VertexFormat{"normal": "float32x3", "tangent": "float32x4", "uv": "float32x2", "uv2": "float32x2"}[n]
		}
		return out
	}
	light := &material.Environment{Specular: picture, BRDF: picture}
	return map[string]*material.Context{
		"all":            {Streams: streams("normal", "tangent", "uv", "uv2"), Environment: light, SceneColor: picture, Fog: true},
		"no tangents":    {Streams: streams("normal", "uv", "uv2"), Environment: light, SceneColor: picture},
		"first uv alone": {Streams: streams("normal", "uv"), Environment: light},
		"positions":      {Streams: streams(), Environment: light, SceneColor: picture},
		"no environment": {Streams: streams("normal", "uv", "uv2"), SceneColor: picture, Linear: true},
		"nothing":        {Streams: streams()},
		"depth":          {Streams: streams("normal", "uv"), DepthOnly: true},
	}
}

// fields remembers what Uniforms writes.
type fields map[string]bool

func (f fields) Has(string) bool         { return true }
func (f fields) Set(field string, _ any) { f[field] = true }
func (f fields) Floats(field string, v ...float64) {
	f[field] = true
	for _, x := range v {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			f["not finite: "+field] = true
		}
	}
}

// resources remembers what Resources binds.
type resources map[string]bool

func (r resources) Texture(name string, _ *texture.Texture)               { r[name], r[name+"Sampler"] = true, true }
func (r resources) View(name string, _ *texture.Texture, _ material.View) { r[name] = true }
func (r resources) Buffer(name string, _ *material.Buffer)                { r[name] = true }
func (r resources) BufferBefore(name string, _ *material.Buffer)          { r[name] = true }
func (r resources) VertexBuffer(name string, _ *material.Buffer)          { r[name] = true }

// TestEveryCombination composes every set of features in every context: what
// the shader declares must be filled, and what it reads must be declared.
func TestEveryCombination(t *testing.T) {
	picture := texture.Solid("white", 1, 1, 1, 1)
	room := composer.DefaultLimits()
	room.SampledTextures, room.Samplers = 32, 32 // every texture of every feature
	channels := []*Channel{nil, {Texture: picture}, {Texture: picture, UV: 1}}
	for where, c := range contexts() {
		for set := range 1 << len(features) {
			m := New("m")
			ch := channels[set%len(channels)]
			for i, f := range features {
				if set&(1<<i) != 0 {
					f.set(m, ch)
				}
			}
			template, fragments, err := m.Shader(c)
			if err != nil {
				t.Fatalf("%s: %v", describe(where, set), err)
			}
			s, err := composer.Compose(template, fragments, composer.Options{Limits: room})
			if err != nil {
				t.Fatalf("%s: %v", describe(where, set), err)
			}
			f, r := fields{}, resources{}
			if err := m.Uniforms(c, f); err != nil {
				t.Fatal(err)
			}
			if err := m.Resources(c, r); err != nil {
				t.Fatal(err)
			}
			for _, u := range s.MaterialUBO.Fields {
				if !f[u.Name] {
					t.Fatalf("%s: uniform %s is never written", describe(where, set), u.Name)
				}
			}
			for name := range f {
				if strings.HasPrefix(name, "not finite") {
					t.Fatalf("%s: %s", describe(where, set), name)
				}
			}
			for _, e := range s.Mesh {
				if n := e.Decl.Name; n != "mesh" && n != "material" && !r[n] {
					t.Fatalf("%s: binding %s is never bound", describe(where, set), n)
				}
			}
			for _, v := range []string{"vUV", "vUV2", "vTangentW", "vNormalW"} {
				reads := strings.Contains(s.FragmentWGSL, "input."+v+",") || strings.Contains(s.FragmentWGSL, "input."+v+")")
				if reads && !strings.Contains(s.FragmentWGSL, " "+v+": ") {
					t.Fatalf("%s: the fragment stage reads %s, which no stream gives", describe(where, set), v)
				}
			}
		}
	}
}

func describe(where string, set int) string {
	out := where
	for i, f := range features {
		if set&(1<<i) != 0 {
			out += " + " + f.name
		}
	}
	return fmt.Sprintf("%s (%d)", out, set)
}

func TestReadsScene(t *testing.T) {
	for _, x := range []struct {
		name string
		m    Material
		want bool
	}{
		{"plain", Material{}, false},
		{"glass", Material{Transmission: &Transmission{Factor: 0.5}}, true},
		{"glass switched off", Material{Transmission: &Transmission{}}, false},
		{"unlit glass", Material{Transmission: &Transmission{Factor: 1}, Unlit: true}, false},
		{"leaf", Material{DiffuseTransmission: &DiffuseTransmission{Factor: 1}}, true},
	} {
		if got := x.m.ReadsScene(); got != x.want {
			t.Errorf("%s: reads the scene: %v, want %v", x.name, got, x.want)
		}
	}
}
