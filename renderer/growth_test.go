package renderer

import (
	"context"
	"fmt"
	"maps"
	"os"
	"runtime"
	"testing"

	"darkroom/scenes"
	"darkroom/scenes/gltf"
	"darkroom/scenes/gltf/sample"
)

// A model in memory is drawn again and again, by one session and by one after
// another, and neither the device nor the process grows.
func TestDrawingDoesNotGrow(t *testing.T) {
	r := open(t)
	data, err := sample.Column()
	if err != nil {
		t.Fatal(err)
	}
	a, err := gltf.LoadBytes(data, gltf.Options{Name: "column"})
	if err != nil {
		t.Fatal(err)
	}
	s := scenes.New("column")
	a.AddTo(s)
	s.Camera = gltf.AutoFrame(a.Bounds)
	set := Settings{Width: 128, Height: 128}
	one, err := r.Session(s, set)
	if err != nil {
		t.Fatal(err)
	}
	defer one.Close()
	for _, c := range []struct {
		name string
		draw func(at float64) (*Frame, error)
	}{
		{"one session", func(at float64) (*Frame, error) { return one.Draw(context.Background(), at) }},
		{"a session each", func(at float64) (*Frame, error) {
			set.Time = at
			return r.Render(context.Background(), s, set)
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var live map[string]int
			var heap, resident uint64
			for i := range 110 {
				if _, err := c.draw(float64(i) / 50); err != nil {
					t.Fatal(err)
				}
				if i == 9 { // what is made once is made
					live, heap, resident = r.Live(), liveHeap(), residentSet(t)
				}
			}
			if now := r.Live(); !maps.Equal(now, live) {
				t.Errorf("GPU objects after 100 more pictures: %v, before: %v", now, live)
			}
			if now := liveHeap(); now > heap+1<<20 {
				t.Errorf("the heap grew from %d to %d KiB", heap>>10, now>>10)
			}
			// A picture of this size with its targets takes over 300 KiB; 100 that stay would be 30 MiB.
			if now := residentSet(t); now > resident+16<<20 {
				t.Errorf("the process grew from %d to %d MiB", resident>>20, now>>20)
			}
		})
	}
}

func liveHeap() uint64 {
	runtime.GC()
	runtime.GC() // finalizers of the first are collected by the second
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// residentSet is the memory that the process holds, in bytes; 0 where that is not known.
func residentSet(t testing.TB) uint64 {
	b, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return 0
	}
	var size, pages uint64
	if _, err := fmt.Sscan(string(b), &size, &pages); err != nil {
		t.Fatal(err)
	}
	return pages * uint64(os.Getpagesize())
}
