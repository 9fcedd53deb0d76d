package gltf

import (
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"runtime/metrics"
	"slices"
	"sort"
	"strings"
	"testing"
	"time"

	"darkroom/scenes"
	"darkroom/scenes/linalg"
)

// shared finds a folder of third-party files: in DARKROOM_ASSETS, or in the
// folder "shared" beside the checkout. Without it the test is skipped, on a CI
// machine it fails.
func shared(t testing.TB, name string) string {
	t.Helper()
	var tried []string
	look := func(dir string) string {
		p := filepath.Join(dir, filepath.FromSlash(name))
		if st, err := os.Stat(p); err == nil && st.IsDir() {
			return p
		}
		tried = append(tried, p)
		return ""
	}
	for _, dir := range filepath.SplitList(os.Getenv("DARKROOM_ASSETS")) {
		if p := look(dir); p != "" {
			return p
		}
	}
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if p := look(filepath.Join(dir, "shared", "assets")); p != "" {
			return p
		}
		up := filepath.Dir(dir)
		if up == dir {
			break
		}
		dir = up
	}
	text := "no folder " + name + " in DARKROOM_ASSETS or in a folder shared/assets above this package"
	if os.Getenv("CI") != "" {
		t.Fatal(text)
	}
	t.Skip(text)
	return ""
}

// sources lists the glTF files below a folder.
func sources(t testing.TB, dir string) []string {
	t.Helper()
	var out []string
	err := filepath.WalkDir(dir, func(p string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() && (strings.HasSuffix(p, ".gltf") || strings.HasSuffix(p, ".glb")) {
			out = append(out, p)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	sort.Strings(out)
	return out
}

// refused are the models that must not load, and what the error says.
var refused = map[string]string{
	"asset-generator/Compatibility/Compatibility_04.gltf":   "minVersion is 2.1",
	"asset-generator/Compatibility/Compatibility_05.gltf":   `"FAKE_materials_quantumRendering": required extension`,
	"draco-testdata/CubeScaledInstances/glTF/cube_att.gltf": "node 5: it has two parents",
	"draco-testdata/UnusedTexCoords/TexCoord2.gltf":         "attribute TEXCOORD_2 is 6, the file has 6 accessors",
	"gltf-transform/cli/ACMEBox.gltf":                       `"ACME_gizmo": required extension`,
}

// TestModels loads every model: all but the ones listed above must.
func TestModels(t *testing.T) {
	dir := shared(t, "models")
	list := sources(t, dir)
	loaded := 0
	for _, p := range list {
		name, _ := filepath.Rel(dir, p)
		name = filepath.ToSlash(name)
		a, err := Load(p, Options{})
		want, bad := refused[name]
		switch {
		case err == nil && bad:
			t.Errorf("%s loads, want an error with %q", name, want)
		case err != nil && !bad:
			t.Error(err)
		case err != nil && !strings.Contains(err.Error(), want):
			t.Errorf("%s: got %v, want an error with %q", name, err, want)
		}
		if err != nil {
			continue
		}
		loaded++
		for _, w := range a.Warnings {
			t.Logf("%s: %s", name, w)
		}
		s := scenes.New(name)
		a.AddTo(s)
		if err := s.Seek(0.5); err != nil {
			t.Error(err)
		}
		err = s.Walk(func(n *scenes.Node, _ linalg.Mat4) error {
			if n.Mesh != nil {
				return n.Mesh.Geometry.Validate()
			}
			return nil
		})
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	t.Logf("%d of %d files load", loaded, len(list))
	if loaded+len(refused) != len(list) {
		t.Errorf("%d files load and %d are to be refused, there are %d", loaded, len(refused), len(list))
	}
}

// BenchmarkLoad loads the ten largest models, with what they name. A folder
// holds one model with small changes, so each folder's largest file stands for
// it. peak-MB is the most that the heap held while a file was loaded, what is
// garbage and not yet collected among it.
func BenchmarkLoad(b *testing.B) {
	dir := shared(b, "models")
	list := sources(b, dir)
	size := map[string]int64{}
	for _, p := range list {
		size[p] = weight(p)
	}
	sort.SliceStable(list, func(i, k int) bool { return size[list[i]] > size[list[k]] })
	folders := map[string]bool{}
	list = slices.DeleteFunc(list, func(p string) bool {
		d := filepath.Dir(p)
		seen := folders[d]
		folders[d] = true
		return seen
	})
	for _, p := range list[:min(10, len(list))] {
		name, _ := filepath.Rel(dir, p)
		b.Run(filepath.ToSlash(name), func(b *testing.B) {
			b.SetBytes(size[p])
			b.ReportAllocs()
			var peak uint64
			for b.Loop() {
				runtime.GC()
				most := watchHeap()
				a, err := Load(p, Options{})
				if err != nil {
					b.Fatal(err)
				}
				peak = max(peak, most())
				runtime.KeepAlive(a)
			}
			b.ReportMetric(float64(peak)/1e6, "peak-MB")
		})
	}
}

// watchHeap looks at the heap every half millisecond until the function that it
// returns is called, which gives the most that was seen.
func watchHeap() func() uint64 {
	heap := func() uint64 {
		s := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
		metrics.Read(s)
		return s[0].Value.Uint64()
	}
	stop, most := make(chan struct{}), make(chan uint64)
	go func() {
		tick := time.NewTicker(500 * time.Microsecond)
		defer tick.Stop()
		peak := heap()
		for {
			select {
			case <-tick.C:
				peak = max(peak, heap())
			case <-stop:
				most <- max(peak, heap())
				return
			}
		}
	}()
	return func() uint64 { close(stop); return <-most }
}

// weight is the size of a model in bytes, with the files that it names.
func weight(p string) int64 {
	st, err := os.Stat(p)
	if err != nil {
		return 0
	}
	n := st.Size()
	a, err := Load(p, Options{})
	if err != nil {
		return n
	}
	for _, b := range a.Document.Buffers {
		if st, err := os.Stat(filepath.Join(filepath.Dir(p), b.URI)); err == nil && b.URI != "" {
			n += st.Size()
		}
	}
	for _, m := range a.Document.Images {
		if st, err := os.Stat(filepath.Join(filepath.Dir(p), m.URI)); err == nil && m.URI != "" {
			n += st.Size()
		}
	}
	return n
}
