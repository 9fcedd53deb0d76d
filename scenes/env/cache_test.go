package env

import (
	"bytes"
	"context"
	"errors"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"reflect"
	"testing"
	"time"

	"darkroom/composer"
	"darkroom/scenes"
)

// broken is a device that fails; a result that is kept needs none.
type broken struct{ calls *int }

func (b broken) Picture(context.Context, *scenes.Scene, int, int, composer.TextureFormat) ([]byte, error) {
	*b.calls++
	return nil, errors.New("no device")
}
func (broken) Name() string { return "broken" }

func smallPanorama(t *testing.T, shade uint8) []byte {
	t.Helper()
	m := image.NewNRGBA(image.Rect(0, 0, 8, 4))
	for i := range 32 {
		m.SetNRGBA(i%8, i/8, color.NRGBA{uint8(i * 8), shade, 30, 255})
	}
	var b bytes.Buffer
	if err := png.Encode(&b, m); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// A panorama is filtered once; other content, other options and a damaged file
// are filtered anew.
func TestKeptByContent(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "kept")
	data := smallPanorama(t, 90)
	load := func(data []byte, o Options) *Map {
		t.Helper()
		o.Cache = dir
		e, err := ParseWith(context.Background(), data, o)
		if err != nil {
			t.Fatal(err)
		}
		m, ok := kept{dir}.get(kept{}.key(data, o))
		if !ok {
			t.Fatal("nothing was kept")
		}
		if m.Environment().SH != e.SH || !reflect.DeepEqual(m.Environment().Specular.Source, e.Specular.Source) || e.LodScale != m.LodScale {
			t.Error("what was kept is not what was made")
		}
		return m
	}
	count := func() int {
		t.Helper()
		l, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		return len(l)
	}
	first := load(data, Options{Size: 4})
	load(data, Options{Size: 4})
	if n := count(); n != 1 {
		t.Fatalf("%d files after the same panorama twice, want 1", n)
	}
	load(smallPanorama(t, 91), Options{Size: 4})
	load(data, Options{Size: 8})
	load(data, Options{Size: 4, Samples: 16})
	if n := count(); n != 4 {
		t.Fatalf("%d files after three more, want 4", n)
	}
	var calls int
	if _, err := ParseWith(context.Background(), data, Options{Size: 4, Cache: dir, Device: broken{&calls}}); err == nil || calls == 0 {
		t.Error("another device was served by the processor's result")
	}
	path := filepath.Join(dir, kept{}.key(data, Options{Size: 4}))
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, damage := range [][]byte{nil, raw[:40], raw[:len(raw)-1], append(append([]byte(nil), raw[:100]...), raw[101:]...)} {
		if err := os.WriteFile(path, damage, 0o644); err != nil {
			t.Fatal(err)
		}
		if m := load(data, Options{Size: 4}); !reflect.DeepEqual(m, first) {
			t.Errorf("a file of %d bytes was not made anew", len(damage))
		}
	}
	// A folder that cannot be made does not hinder.
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := ParseWith(context.Background(), data, Options{Size: 4, Cache: file}); err != nil {
		t.Error(err)
	}
}

func TestPruneKeepsTheLastUsed(t *testing.T) {
	dir := t.TempDir()
	for i, name := range []string{"a.cube", "b.cube", "c.cube", "other"} {
		p := filepath.Join(dir, name)
		if err := os.WriteFile(p, make([]byte, 100), 0o644); err != nil {
			t.Fatal(err)
		}
		at := time.Now().Add(time.Duration(i-10) * time.Hour)
		if err := os.Chtimes(p, at, at); err != nil {
			t.Fatal(err)
		}
	}
	if err := (kept{dir}).prune(150); err != nil {
		t.Fatal(err)
	}
	left, _ := filepath.Glob(filepath.Join(dir, "*"))
	if want := []string{filepath.Join(dir, "c.cube"), filepath.Join(dir, "other")}; !reflect.DeepEqual(left, want) {
		t.Errorf("left %v, want %v", left, want)
	}
}
