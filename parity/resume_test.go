package parity

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"darkroom/parity/journal"
	"darkroom/parity/verdict"
	"darkroom/scenes/catalogue"
)

// A resumed run is one document: results of other scenes, another size, another
// commit or another adapter must not stand in it as if they were of this one.
func TestResumeOfAnotherRun(t *testing.T) {
	scenes := catalogue.Catalogue{{Name: "a"}, {Name: "b"}}
	base := Options{Catalogue: scenes, Judging: Judging{Goldens: "g"}, Shard: "1/2", Commit: "c1", Resume: true, Workers: 1, Worker: []string{"false"}}
	for name, c := range map[string]struct {
		change func(o *Options)
		says   string
	}{
		"scenes":  {func(o *Options) { o.Catalogue = scenes[:1] }, "scenes"},
		"size":    {func(o *Options) { o.Width, o.Height = 64, 64 }, "size 64x64"},
		"goldens": {func(o *Options) { o.Goldens = "h" }, "goldens h"},
		"shard":   {func(o *Options) { o.Shard = "2/2" }, "2/2"},
		"commit":  {func(o *Options) { o.Commit = "c2" }, "c2"},
	} {
		t.Run(name, func(t *testing.T) {
			o := base
			o.Journal = filepath.Join(t.TempDir(), "journal.jsonl")
			head := &verdict.Run{Schema: verdict.Schema, Shard: o.Shard, Commit: o.Commit, Settings: o.settings()}
			j, err := journal.Create(o.Journal, head, []string{"a", "b"})
			if err != nil {
				t.Fatal(err)
			}
			if err := j.Result(&verdict.Result{Scene: "a", Verdict: verdict.Pass}); err != nil {
				t.Fatal(err)
			}
			if err := j.Close(); err != nil {
				t.Fatal(err)
			}
			before, _ := os.ReadFile(o.Journal)
			c.change(&o)
			_, err = Run(context.Background(), o)
			if err == nil || !strings.Contains(err.Error(), c.says) || !strings.Contains(err.Error(), "--resume") {
				t.Errorf("got %v, want one that says %q", err, c.says)
			}
			if after, _ := os.ReadFile(o.Journal); string(after) != string(before) {
				t.Error("the journal was touched")
			}
		})
	}
	o := base
	o.Journal = "j"
	c := &collector{o: &o, run: &verdict.Run{}, before: &verdict.Adapter{Name: "left"}}
	if err := c.begin(verdict.Adapter{Name: "right"}); err == nil || !strings.Contains(err.Error(), "left") {
		t.Errorf("another adapter: %v", err)
	}
}
