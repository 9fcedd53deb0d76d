package renderer

import (
	"bytes"
	"maps"
	"testing"

	"darkroom/scenes"
	"darkroom/scenes/catalogue"
)

// Two canvases of one device show what each would show alone, frame by frame
// in turn; meshes that both scenes contain are on the device once, and closing
// one canvas leaves the other as it is.
func TestSeveralCanvases(t *testing.T) {
	for _, c := range []struct {
		name   string
		build  func() ([2]*scenes.Scene, error)
		shared int // meshes that both scenes have
	}{{"same scene", catalogue.SharedCanvases, 2}, {"different scenes", catalogue.SeparateCanvases, 0}} {
		t.Run(c.name, func(t *testing.T) {
			both, err := c.build()
			if err != nil {
				t.Fatal(err)
			}
			var alone [2]*Frame
			var meshes, pipelines [2]int
			for i, s := range both {
				r := open(t)
				alone[i] = drawAt(t, newSession(t, r, s, 160, 180), 0)
				meshes[i], pipelines[i] = len(r.geometries), r.Pipelines()
				r.Close()
			}
			r := open(t)
			before := r.Live()
			var canvas [2]*Session
			for i, s := range both {
				if canvas[i], err = r.Session(s, Settings{Width: 160, Height: 180, Samples: 1}); err != nil {
					t.Fatal(err)
				}
			}
			for frame := range 3 {
				for i := range canvas {
					if got := drawAt(t, canvas[i], 0); !bytes.Equal(got.Pix, alone[i].Pix) {
						t.Errorf("frame %d of canvas %d is another picture than alone", frame, i)
					}
				}
			}
			if n := len(r.geometries); n != meshes[0]+meshes[1]-c.shared {
				t.Errorf("%d meshes on the device, want %d + %d - %d", n, meshes[0], meshes[1], c.shared)
			}
			if c.shared > 0 && r.Pipelines() != max(pipelines[0], pipelines[1]) {
				t.Errorf("%d pipelines, want those of one canvas: %v", r.Pipelines(), pipelines)
			}
			canvas[0].Close()
			canvas[0].Close()
			if got := drawAt(t, canvas[1], 0); !bytes.Equal(got.Pix, alone[1].Pix) {
				t.Error("closing the first canvas changed the second")
			}
			canvas[1].Close()
			if len(r.geometries) != 0 {
				t.Errorf("%d meshes are left on the device", len(r.geometries))
			}
			after := r.Live()
			if after["buffer"] != before["buffer"] || after["texture"] != before["texture"] {
				t.Errorf("objects on the device: %v before, %v after", maps.Clone(before), after)
			}
		})
	}
}
