package reference

import (
	"errors"
	"strings"
	"testing"

	"darkroom/scenes/catalogue"
	"darkroom/scenes/export"
)

// Scenes that the engine cannot draw are known without a browser.
func TestCheck(t *testing.T) {
	for name, want := range map[string]string{"scene2-sphere": "", "own-skin-baked-crowd": "mixes baked clips", "own-shader-outputs": "WGSL of the user's own"} {
		list, err := catalogue.All().Select(name)
		if err != nil {
			t.Fatal(err)
		}
		s, err := list[0].Build(nil)
		if err != nil {
			t.Fatal(err)
		}
		err = Check(&export.Picture{Scene: s})
		if want == "" && err != nil || want != "" && (!errors.Is(err, export.ErrRefused) || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %v, want %q", name, err, want)
		}
	}
}
