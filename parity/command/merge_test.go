package command

import (
	"os"
	"path/filepath"
	"testing"

	"darkroom/parity/verdict"
)

// A merge on another machine shows the pictures of the shards, which lie beside
// their documents and not where they were drawn.
func TestPicturesOfShardsAreFound(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	for _, f := range []string{"shards/1/pictures/a.png", "goldens/a/nvidia.png"} {
		if err := os.MkdirAll(filepath.Dir(f), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(f, nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	r := &verdict.Run{Results: []verdict.Result{{Files: verdict.Files{
		Actual: "/home/runner/report/pictures/a.png", Diff: "/home/runner/report/pictures/a.diff.png", Golden: "/home/runner/goldens/a/nvidia.png",
	}}}}
	relocate(r, "shards/1")
	f := r.Results[0].Files
	if f.Actual != filepath.Join("shards", "1", "pictures", "a.png") || f.Golden != filepath.Join("goldens", "a", "nvidia.png") {
		t.Errorf("%+v", f)
	}
	if f.Diff != "/home/runner/report/pictures/a.diff.png" {
		t.Errorf("a picture that is nowhere became %s", f.Diff)
	}
}
