package gltf

import (
	"os"
	"testing"

	"darkroom/scenes"
)

// FuzzLoad looks for panics, for files that take more memory than allowed and
// for scenes that cannot be walked.
func FuzzLoad(f *testing.F) {
	f.Add(glb(chunkJSON, []byte(`{"asset":{"version":"2.0"},"buffers":[{"byteLength":4}]}`), chunkBIN, []byte{1, 2, 3, 4}))
	f.Add(triangle(nil))
	f.Add(animated())
	for _, dir := range []string{"../../../../shared/assets/malformed/gltf-generated", "../../../shared/assets/malformed/gltf-generated"} {
		entries, err := os.ReadDir(dir)
		if err != nil {
			continue
		}
		for _, e := range entries {
			if st, err := e.Info(); err != nil || st.Size() > 8<<10 {
				continue
			}
			if data, err := os.ReadFile(dir + "/" + e.Name()); err == nil {
				f.Add(data)
			}
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		a, err := LoadBytes(data, Options{MaxBytes: 64 << 20})
		if err != nil {
			return
		}
		s := scenes.New("fuzz")
		a.AddTo(s)
		for _, x := range []float64{0, 0.25, 1000} {
			// Transforms that overflow are an error, not a panic.
			_ = s.Seek(x)
		}
		for _, n := range a.Nodes {
			if n.Mesh != nil {
				if err := n.Mesh.Geometry.Validate(); err != nil {
					t.Errorf("a geometry that the loader made is broken: %v", err)
				}
			}
		}
		AutoFrame(a.Bounds)
	})
}
