package renderer

import (
	"context"
	"fmt"
	"math"
	"os"
	"testing"

	"darkroom/material/instances"
	"darkroom/material/standard"
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

// BenchmarkInstances draws n thin instances in one call, all of them or those
// that are in view alone.
func BenchmarkInstances(b *testing.B) {
	b.Run("all", func(b *testing.B) { benchmarkInstances(b, false) })
	b.Run("culled", func(b *testing.B) { benchmarkInstances(b, true) })
}

func benchmarkInstances(b *testing.B, cull bool) {
	r := open(b)
	box, err := mesh.CreateBox(mesh.BoxOptions{Size: 0.2})
	if err != nil {
		b.Fatal(err)
	}
	for _, n := range []int{1, 10, 100, 1000, 10000, 100000, 1000000} {
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
			node.Instanced(thin)
			if cull {
				node.CullInstances(0)
			}
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
	// The first frame makes what the others draw.
	if _, err := x.Draw(context.Background(), 0); err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := x.Draw(context.Background(), 0); err != nil {
			b.Fatal(err)
		}
	}
	// On a driver of the CPU the resident set holds the device's memory, too.
	b.ReportMetric(float64(liveHeap())/(1<<20), "MiB-heap")
	b.ReportMetric(float64(residentSet(b))/(1<<20), "MiB-resident")
}
