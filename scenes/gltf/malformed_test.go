package gltf

import (
	"encoding/json"
	"os"
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

func TestMalformed(t *testing.T) {
	dir := shared(t, "malformed")
	var loaded, refused int
	for _, sub := range []string{"gltf-generated", "gltf-validator", "gltf-legacy-1.1", "tinygltf"} {
		for _, p := range files(t, filepath.Join(dir, sub)) {
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
			if err != nil {
				refused++
				if known && ok && stricter[filepath.Base(p)] == "" {
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
