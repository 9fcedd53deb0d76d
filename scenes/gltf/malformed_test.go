package gltf

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// accepts reports whether the Khronos validator found no error in the file;
// known is false where it was not asked.
func accepts(t *testing.T, path string) (ok, known bool, codes []string) {
	data, err := os.ReadFile(path + ".report.json")
	if err != nil {
		return false, false, nil
	}
	var r struct {
		Issues struct {
			NumErrors int
			Messages  []struct {
				Code     string
				Severity int
			}
		}
	}
	if err := json.Unmarshal(data, &r); err != nil {
		t.Fatal(err)
	}
	for _, m := range r.Issues.Messages {
		if m.Severity == 0 {
			codes = append(codes, m.Code)
		}
	}
	return r.Issues.NumErrors == 0, true, codes
}

// stricter are files that the validator accepts and this loader does not.
var stricter = map[string]string{
	"min_version_valid.gltf": "it asks for glTF 2.1, which has no specification yet",
}

// sound are the files of gltf-generated that load in spite of their names: what
// is odd in them harms nothing, or only a warning.
var sound = map[string]bool{
	"glb_1000_unknown_chunks.glb": true, "glb_ok_empty.glb": true, "image_is_not_an_image.gltf": true, "json_utf8_bom.gltf": true,
	"node_chain_20000_deep.gltf": true, "node_matrix_singular_zero.gltf": true, "node_quaternion_zero.gltf": true,
	"node_scale_1e38.gltf": true, "ok_baseline.gltf": true, "texcoord_set_999.gltf": true,
}

// TestMalformed loads every broken file: none may panic, take 256 MiB or two
// seconds, and what the validator accepts must load.
func TestMalformed(t *testing.T) {
	dir := shared(t, "malformed")
	var loaded, refused int
	for _, sub := range []string{"gltf-generated", "gltf-validator", "gltf-legacy-1.1", "tinygltf"} {
		for _, p := range sources(t, filepath.Join(dir, sub)) {
			name, _ := filepath.Rel(dir, p)
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			start := time.Now()
			a, err := Load(p, Options{})
			took := time.Since(start)
			runtime.ReadMemStats(&after)
			if n := after.TotalAlloc - before.TotalAlloc; n > 256<<20 {
				t.Errorf("%s: %d MiB were allocated", name, n>>20)
			}
			if took > 2*time.Second {
				t.Errorf("%s: it took %v", name, took)
			}
			ok, known, codes := accepts(t, p)
			base := filepath.Base(p)
			if sub == "gltf-generated" && (err == nil) != sound[base] {
				t.Errorf("%s: got %v", name, err)
			}
			if sub == "gltf-legacy-1.1" && !errors.Is(err, ErrVersion) {
				t.Errorf("%s: got %v, want %v", name, err, ErrVersion)
			}
			if err != nil {
				refused++
				if known && ok && stricter[base] == "" {
					t.Errorf("%s: the validator accepts it, we say: %v", name, err)
				}
				if strings.Count(err.Error(), "\n") > 0 {
					t.Errorf("%s: the error has several lines: %v", name, err)
				}
				t.Logf("R %s: %v", name, err)
				continue
			}
			loaded++
			if known && !ok {
				t.Logf("L %s: loads, the validator refuses it: %v; warnings %v", name, codes, a.Warnings)
			} else if !known {
				t.Logf("L %s: loads; warnings %v", name, a.Warnings)
			}
		}
	}
	t.Logf("%d load, %d are refused", loaded, refused)
}

// What a path names may have no end or no writer; Load must say so and not wait.
func TestSpecialFiles(t *testing.T) {
	dir := t.TempDir()
	pipe := filepath.Join(dir, "pipe")
	if err := exec.Command("mkfifo", pipe).Run(); err != nil {
		t.Skip("no mkfifo: ", err)
	}
	model := filepath.Join(dir, "a.gltf")
	text := `{"asset":{"version":"2.0"},"buffers":[{"uri":"pipe","byteLength":36}],"bufferViews":[{"buffer":0,"byteLength":36}],
"accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3","min":[0,0,0],"max":[1,1,1]}],
"meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],"nodes":[{"mesh":0}],"scenes":[{"nodes":[0]}],"scene":0}`
	if err := os.WriteFile(model, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{pipe, "/dev/zero", dir, model} {
		done := make(chan error, 1)
		go func() {
			_, err := Load(path, Options{})
			done <- err
		}()
		select {
		case err := <-done:
			if err == nil {
				t.Errorf("%s: no error", path)
			}
		case <-time.After(20 * time.Second):
			t.Fatalf("%s: Load does not come back", path)
		}
	}
}
