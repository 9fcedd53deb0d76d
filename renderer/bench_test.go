package renderer

import (
	"context"
	"fmt"
	"math"
	"os"
	"testing"

	"darkroom/composer"
	"darkroom/material"
	"darkroom/material/instances"
	"darkroom/material/pbr"
	"darkroom/material/standard"
	"darkroom/material/texture"
	"darkroom/scenes"
	"darkroom/scenes/linalg"
	"darkroom/scenes/mesh"
)

func open(b testing.TB) *Renderer {
	b.Helper()
	r, err := Open(Options{Adapter: os.Getenv("DARKROOM_ADAPTER")})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(r.Close)
	return r
}

// BenchmarkMeshes draws n boxes with materials of their own.
func BenchmarkMeshes(b *testing.B) {
	r := open(b)
	box, err := mesh.CreateBox(mesh.BoxOptions{})
	if err != nil {
		b.Fatal(err)
	}
	for _, n := range []int{1, 10, 100, 1000, 10000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			s := scenes.New("meshes")
			s.Camera = scenes.NewArcRotate("camera", -math.Pi/2, math.Pi/3, 200, linalg.Vec3{})
			s.AddLight(scenes.Hemispheric("sky", linalg.Vec3{0, 1, 0}))
			for i := range n {
				s.Add(scenes.NewMesh("box", box, standard.Colored("box", 1, float64(i%7)/7, 0)).At(float64(i%100)-50, 0, float64(i/100)-50))
			}
			drawLoop(b, r, s)
			b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/float64(n), "µs/mesh")
		})
	}
}

// BenchmarkInstances draws n thin instances in one call.
func BenchmarkInstances(b *testing.B) {
	r := open(b)
	box, err := mesh.CreateBox(mesh.BoxOptions{Size: 0.2})
	if err != nil {
		b.Fatal(err)
	}
	for _, n := range []int{1, 1000, 100000, 1000000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			s := scenes.New("instances")
			s.Camera = scenes.NewArcRotate("camera", -math.Pi/2, math.Pi/3, 200, linalg.Vec3{})
			s.AddLight(scenes.Hemispheric("sky", linalg.Vec3{0, 1, 0}))
			matrices := make([][16]float64, n)
			for i := range matrices {
				matrices[i] = linalg.Translation(linalg.Vec3{float64(i%100) - 50, float64(i/100%100) - 50, float64(i/10000) - 50})
			}
			thin := instances.New(matrices, nil)
			node := s.Add(scenes.NewMesh("boxes", box, standard.New("white")))
			node.Mesh.Features, node.Mesh.Instances = append(node.Mesh.Features, thin), n
			drawLoop(b, r, s)
		})
	}
}

func drawLoop(b *testing.B, r *Renderer, s *scenes.Scene) {
	x, err := r.Session(s, Settings{Width: 320, Height: 180, Samples: 1})
	if err != nil {
		b.Fatal(err)
	}
	defer x.Close()
	b.ReportAllocs()
	for b.Loop() {
		if _, err := x.Draw(context.Background(), 0); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkComposeLargestPBR composes a material with every feature in use.
func BenchmarkComposeLargestPBR(b *testing.B) {
	white := texture.Solid("white", 1, 1, 1, 1)
	ch := func() *pbr.Channel { return &pbr.Channel{Texture: white} }
	m := pbr.New("everything")
	m.BaseColorTexture, m.MetallicRoughnessTexture, m.NormalTexture, m.OcclusionTexture, m.EmissiveTexture = ch(), ch(), ch(), ch(), ch()
	m.Specular = &pbr.Specular{Factor: 1, Color: [3]float64{1, 1, 1}, Texture: ch(), ColorTexture: ch()}
	m.Iridescence = &pbr.Iridescence{Factor: 1, Texture: ch(), ThicknessTexture: ch()}
	m.AlphaMode = pbr.Blend
	m.TwoSided = true
	c := &material.Context{
		Streams: map[string]composer.VertexFormat{"position": "float32x3", "normal": "float32x3", "uv": "float32x2", "tangent": "float32x4", "color": "float32x4"},
		Lights:  4, Fog: true, Environment: &material.Environment{},
	}
	t, f, err := m.Shader(c)
	if err != nil {
		b.Fatal(err)
	}
	sh, err := composer.Compose(t, f, composer.Options{})
	if err != nil {
		b.Fatal(err)
	}
	b.Run("compose", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := composer.Compose(t, f, composer.Options{}); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(float64(len(sh.VertexWGSL)+len(sh.FragmentWGSL)), "bytes")
	})
	b.Run("hit", func(b *testing.B) {
		var cache composer.Cache
		b.ReportAllocs()
		for b.Loop() {
			if _, err := cache.Compose(t, f, composer.Options{}); err != nil {
				b.Fatal(err)
			}
		}
	})
}
