package export_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"darkroom/scenes"
	"darkroom/scenes/catalogue"
	"darkroom/scenes/export"
)

// assets are the folders with third-party files, as the other tests find them.
func assets() catalogue.Assets {
	if v := os.Getenv("DARKROOM_ASSETS"); v != "" {
		return filepath.SplitList(v)
	}
	for dir, _ := os.Getwd(); dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if st, err := os.Stat(filepath.Join(dir, "..", "shared")); err == nil && st.IsDir() {
			return catalogue.Assets{filepath.Join(dir, "..", "shared", "babylon", "assets"), filepath.Join(dir, "..", "shared", "assets")}
		}
	}
	return nil
}

// Every scene of the catalogue comes back as it was, or is refused with a reason.
func TestCatalogue(t *testing.T) {
	check := validator(t)
	for _, e := range catalogue.All() {
		t.Run(e.Name, func(t *testing.T) {
			s, err := e.Build(assets())
			if errors.Is(err, catalogue.ErrNoAsset) && os.Getenv("CI") == "" {
				t.Skip(err)
			}
			if err != nil {
				t.Fatal(err)
			}
			dir := t.TempDir()
			err = export.Write(dir, &export.Picture{Scene: s, Width: e.Width, Height: e.Height, Time: e.Time})
			if errors.Is(err, export.ErrRefused) {
				if !strings.Contains(err.Error(), "WGSL of the user's own") {
					t.Errorf("refused, and not for a user's shader: %v", err)
				}
				if again := export.Check(&export.Picture{Scene: s, Width: e.Width, Height: e.Height, Time: e.Time}); again == nil || again.Error() != err.Error() {
					t.Errorf("Check says %v, Write %v", again, err)
				}
				t.Log(err)
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			text, err := os.ReadFile(filepath.Join(dir, export.SceneFile))
			if err != nil {
				t.Fatal(err)
			}
			if err := check(text); err != nil {
				t.Errorf("the document does not follow the schema: %v", err)
			}
			p, err := export.Read(dir)
			if err != nil {
				t.Fatal(err)
			}
			if got, want := scenes.Hash(p.Scene), scenes.Hash(s); got != want {
				t.Errorf("the scene that came back has hash %s, want %s", got, want)
			}
			if p.Time != e.Time {
				t.Errorf("time %g, want %g", p.Time, e.Time)
			}
		})
	}
}
