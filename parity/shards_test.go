package parity

import (
	"context"
	"encoding/json"
	"path/filepath"
	"testing"

	"darkroom/parity/shard"
	"darkroom/parity/testdata/hostile"
	"darkroom/parity/verdict"
	"darkroom/scenes/catalogue"
)

// Two shards, drawn and judged apart and merged, are the document of one run
// but for the times and the number of the shard.
func TestTwoShardsAreOneRun(t *testing.T) {
	dir := prepare(t)
	var list catalogue.Catalogue
	var names []string
	for _, c := range hostile.Cases() {
		switch c.Want {
		case verdict.Pass, verdict.Mismatch, verdict.Blank, verdict.NonFinite, verdict.MissingGolden, verdict.StaleGolden, verdict.Size, verdict.RenderError, verdict.NotRun:
			if !c.Flaky {
				list, names = append(list, c.Entry), append(names, c.Name)
			}
		}
	}
	run := func(list catalogue.Catalogue, s shard.Shard) *verdict.Run {
		o := options(dir, list, 1)
		o.Journal = filepath.Join(t.TempDir(), "journal.jsonl")
		o.Shard, o.CatalogueDigest, o.Noise = s.String(), shard.CatalogueDigest(names), -1
		r, err := Run(context.Background(), o)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	whole := run(list, shard.Shard{Index: 1, Count: 1})
	var parts []*verdict.Run
	for i := range 2 {
		s := shard.Shard{Index: i + 1, Count: 2}
		mine, err := shard.Split(names, shard.CostsOf(whole), s)
		if err != nil {
			t.Fatal(err)
		}
		part, err := list.Select(mine...)
		if err != nil {
			t.Fatal(err)
		}
		if len(part) == 0 || len(part) == len(list) {
			t.Errorf("shard %s has %d of %d scenes", s, len(part), len(list))
		}
		parts = append(parts, run(part, s))
	}
	merged, err := shard.Merge(names, parts)
	if err != nil {
		t.Fatal(err)
	}
	whole.Sort()
	if got, want := results(t, merged), results(t, whole); got != want {
		t.Errorf("merged:\n%s\nwhole:\n%s", got, want)
	}
	if merged.ExitCode(verdict.Policy{}) != whole.ExitCode(verdict.Policy{}) {
		t.Error("the exit codes differ")
	}
	if _, err := shard.Merge(names, parts[:1]); err == nil {
		t.Error("one shard of two was taken for the whole")
	}
}

// results is what must be equal in two documents of the same scenes.
func results(t *testing.T, r *verdict.Run) string {
	t.Helper()
	var list []verdict.Result
	for _, x := range r.Results {
		x.MS, x.Shard = 0, 0
		list = append(list, x)
	}
	b, err := json.MarshalIndent(list, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}
