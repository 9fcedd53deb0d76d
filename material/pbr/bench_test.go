package pbr

import (
	"fmt"
	"testing"

	"darkroom/composer"
	"darkroom/material"
	"darkroom/material/morph"
	"darkroom/material/skin"
	"darkroom/material/texture"
)

// largest is a skinned and morphed material with every feature of the family
// on; with textures, each has every texture that it can have.
func largest(tb testing.TB, textures bool) (*composer.Template, []*composer.Fragment) {
	white := texture.Solid("white", 1, 1, 1, 1)
	var ch *Channel
	if textures {
		ch = &Channel{Texture: white}
	}
	m := New("everything")
	base := &Channel{Texture: white}
	m.BaseColorTexture, m.MetallicRoughnessTexture, m.NormalTexture, m.OcclusionTexture, m.EmissiveTexture = base, base, base, base, base
	for _, f := range features {
		if f.name != "normal map" {
			f.set(m, ch)
		}
	}
	c := &material.Context{
		Streams: map[string]composer.VertexFormat{
			"position": "float32x3", "normal": "float32x3", "tangent": "float32x4", "uv": "float32x2", "uv2": "float32x2",
			"color": "float32x4", "joints": "uint32x4", "weights": "float32x4",
		},
		Lights: 4, Fog: true, ImageProcessing: material.ImageProcessing{Exposure: 1, Contrast: 1},
		Environment: &material.Environment{Specular: white, BRDF: white}, SceneColor: white,
	}
	t, list, err := m.Shader(c)
	if err != nil {
		tb.Fatal(err)
	}
	targets, err := morph.New(3, make([]morph.Target, 8), nil)
	if err != nil {
		tb.Fatal(err)
	}
	list = append(list, targets.Fragments(c)...)
	return t, append(list, skin.New("skin", 32).Fragments(c)...)
}

// BenchmarkComposeLargest composes the largest shaders that the family has:
// with the base's textures alone, which every device can bind, and with the
// textures of all features, for which it takes a device with twice WebGPU's
// guaranteed number.
func BenchmarkComposeLargest(b *testing.B) {
	for _, textures := range []bool{false, true} {
		t, list := largest(b, textures)
		o := composer.Options{}
		if textures {
			o.Limits.SampledTextures, o.Limits.Samplers = 32, 32
		}
		sh, err := composer.Compose(t, list, o)
		if err != nil {
			b.Fatal(err)
		}
		name := fmt.Sprintf("%dfragments-%dKB", len(sh.Fragments), (len(sh.VertexWGSL)+len(sh.FragmentWGSL))>>10)
		b.Run("compose/"+name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := composer.Compose(t, list, o); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run("hit/"+name, func(b *testing.B) {
			var cache composer.Cache
			b.ReportAllocs()
			for b.Loop() {
				if _, err := cache.Compose(t, list, o); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
