package renderer

import (
	"os"
	"path/filepath"
	"testing"

	"darkroom/renderer/internal/gpu"
)

// naga takes the composer's golden texts, among them one that declares every
// kind of binding. Tint gets the same files from make wgsl-check.
func TestComposedTextsOnDevice(t *testing.T) {
	dev, err := gpu.Open(gpu.Options{Adapter: os.Getenv("DARKROOM_ADAPTER")})
	if err != nil {
		t.Fatal(err) // no adapter is a failure, never a skip
	}
	defer dev.Close()
	files, err := filepath.Glob("../composer/testdata/golden/*.wgsl")
	if err != nil || len(files) < 20 {
		t.Fatalf("%d golden texts, %v", len(files), err)
	}
	for _, f := range files {
		wgsl, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		module, err := dev.CreateShader(filepath.Base(f), string(wgsl))
		if err != nil {
			t.Errorf("%s: %v", f, err)
			continue
		}
		module.Release()
	}
}
