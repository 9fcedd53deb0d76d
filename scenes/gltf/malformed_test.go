package gltf

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
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

// objects begin an error, after the file's name: what of the file is at fault.
var objects = regexp.MustCompile(`^(JSON|GLB|GLB header|GLB chunk \d+|asset|file|extensions|extensionsUsed|extensionsRequired|` +
	`(accessor|bufferView|buffer|camera|image|light|material|mesh|node|sampler|scene|skin|texture|animation|variant|XMP packet)( \d+)?|` +
	`(accessors|bufferViews|buffers|cameras|images|materials|meshes|nodes|samplers|scenes|skins|textures|animations|extras))\b`)

// TestMalformed loads every broken file there is, pictures and panoramas
// through a model that wears them: none may panic, take 256 MiB or two seconds
// of the processor, each error names the object at fault, and what the
// validator accepts must load.
func TestMalformed(t *testing.T) {
	dir := shared(t, "malformed")
	var loaded, refused int
	var slowest time.Duration
	var most uint64
	err := filepath.WalkDir(dir, func(p string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		name, _ := filepath.Rel(dir, p)
		name = filepath.ToSlash(name)
		var load func() (*Asset, error)
		switch ext := filepath.Ext(p); {
		case ext == ".gltf" || ext == ".glb":
			load = func() (*Asset, error) { return Load(p, Options{}) }
		case ext == ".json" || ext == ".bin" || ext == ".txt" || ext == ".md":
			return nil // what belongs to a model, or is said of one
		default:
			load = func() (*Asset, error) {
				return LoadBytes(wearing(filepath.Base(p)), Options{Name: filepath.Base(p), FS: os.DirFS(filepath.Dir(p))})
			}
		}
		runtime.GC()
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		start := processorTime()
		a, err := load()
		took := processorTime() - start
		runtime.ReadMemStats(&after)
		n := after.TotalAlloc - before.TotalAlloc
		slowest, most = max(slowest, took), max(most, n)
		if n > 256<<20 {
			t.Errorf("%s: %d MiB were allocated", name, n>>20)
		}
		if took > 2*time.Second {
			t.Errorf("%s: it took %v of the processor", name, took)
		}
		ok, known, codes := accepts(t, p)
		base := filepath.Base(p)
		if strings.HasPrefix(name, "gltf-generated/") && (err == nil) != sound[base] {
			t.Errorf("%s: got %v", name, err)
		}
		if strings.HasPrefix(name, "gltf-legacy-1.1/") && !errors.Is(err, ErrVersion) {
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
			if text, found := strings.CutPrefix(err.Error(), "glTF "+base+": "); !found || !objects.MatchString(text) {
				t.Errorf("%s: the error does not name the object at fault: %v", name, err)
			}
			t.Logf("R %s: %v", name, err)
			return nil
		}
		loaded++
		if known && !ok {
			t.Logf("L %s: loads, the validator refuses it: %v; warnings %v", name, codes, a.Warnings)
		} else if !known {
			t.Logf("L %s: loads; warnings %v", name, a.Warnings)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d load, %d are refused; at most %v of the processor and %d MiB allocated", loaded, refused, slowest, most>>20)
	if loaded+refused < 1000 {
		t.Errorf("only %d files were tried; is %s whole?", loaded+refused, dir)
	}
}

// wearing is a model whose base colour is the picture called name.
func wearing(name string) []byte {
	corners := le([]float32{0, 0, 0, 1, 0, 0, 0, 1, 0}, []float32{0, 0, 1, 0, 0, 1})
	return fmt.Appendf(nil, `{"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],"nodes":[{"mesh":0}],
"meshes":[{"primitives":[{"attributes":{"POSITION":0,"TEXCOORD_0":1},"material":0}]}],"materials":[{"pbrMetallicRoughness":{"baseColorTexture":{"index":0}}}],
"textures":[{"source":0}],"images":[{"uri":%q}],"buffers":[{"byteLength":60,"uri":"data:;base64,%s"}],
"bufferViews":[{"buffer":0,"byteLength":36},{"buffer":0,"byteOffset":36,"byteLength":24}],
"accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3","min":[0,0,0],"max":[1,1,0]},{"bufferView":1,"componentType":5126,"count":3,"type":"VEC2"}]}`,
		url.PathEscape(name), base64.StdEncoding.EncodeToString(corners))
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
