package shard

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"darkroom/parity/verdict"
)

func names(n int) []string {
	out := make([]string, n)
	for i := range out {
		out[i] = fmt.Sprintf("scene%03d", i)
	}
	return out
}

func TestParse(t *testing.T) {
	for text, want := range map[string]Shard{"": {1, 1}, "1/1": {1, 1}, "2/5": {2, 5}} {
		if s, err := Parse(text); err != nil || s != want {
			t.Errorf("%q: %v, %v", text, s, err)
		}
	}
	for _, text := range []string{"0/5", "6/5", "1", "1/0", "a/b", "1/", "/2", "-1/2", "1/2/3", "1/99999999", " 1/2"} {
		if s, err := Parse(text); err == nil {
			t.Errorf("%q is %v", text, s)
		}
	}
}

func TestFromEnvironment(t *testing.T) {
	for _, c := range []struct {
		env    string
		want   Shard
		source string
	}{
		{"", Shard{1, 1}, ""},
		{"DARKROOM_SHARD=3/7 CI_NODE_INDEX=1 CI_NODE_TOTAL=2", Shard{3, 7}, "DARKROOM_SHARD"},
		{"JOB_COMPLETION_INDEX=0 JOB_COMPLETIONS=4", Shard{1, 4}, "JOB_COMPLETION_INDEX"},
		{"JOB_COMPLETION_INDEX=3 DARKROOM_SHARD_COUNT=4", Shard{4, 4}, "JOB_COMPLETION_INDEX"},
		{"DARKROOM_JOB_INDEX=0 DARKROOM_JOB_TOTAL=3", Shard{1, 3}, "DARKROOM_JOB_INDEX"},
		{"CI_NODE_INDEX=2 CI_NODE_TOTAL=2", Shard{2, 2}, "CI_NODE_INDEX"},
		{"CI_NODE_TOTAL=1", Shard{1, 1}, ""},
		{"BUILDKITE_PARALLEL_JOB=0 BUILDKITE_PARALLEL_JOB_COUNT=5", Shard{1, 5}, "BUILDKITE_PARALLEL_JOB"},
		{"CIRCLE_NODE_INDEX=2 CIRCLE_NODE_TOTAL=3", Shard{3, 3}, "CIRCLE_NODE_INDEX"},
		{"CIRCLE_NODE_INDEX=0 CIRCLE_NODE_TOTAL=1", Shard{1, 1}, "CIRCLE_NODE_INDEX"},
		{"BUILDKITE_PARALLEL_JOB=0", Shard{}, "error"},
		{"DARKROOM_SHARD=x", Shard{}, "error"},
		{"JOB_COMPLETION_INDEX=0", Shard{}, "error"},
		{"JOB_COMPLETION_INDEX=4 JOB_COMPLETIONS=4", Shard{}, "error"},
		{"DARKROOM_SHARD_COUNT=4", Shard{}, "error"},
		{"DARKROOM_JOB_TOTAL=3", Shard{}, "error"},
		{"CI_NODE_INDEX=0 CI_NODE_TOTAL=2", Shard{}, "error"},
		{"CI_NODE_TOTAL=2", Shard{}, "error"},
	} {
		env := map[string]string{}
		for _, kv := range strings.Fields(c.env) {
			k, v, _ := strings.Cut(kv, "=")
			env[k] = v
		}
		s, source, err := FromEnvironment(func(k string) string { return env[k] })
		if c.source == "error" {
			if err == nil {
				t.Errorf("%s: %v from %s", c.env, s, source)
			}
			continue
		}
		if err != nil || s != c.want || source != c.source {
			t.Errorf("%s: %v from %q, %v", c.env, s, source, err)
		}
	}
}

func TestSplitIsAPartitionOnEveryMachine(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 50 {
		scenes := names(r.IntN(80))
		costs := Costs{"unknown scene": 5}
		for _, n := range scenes {
			if r.IntN(3) > 0 {
				costs[n] = r.Float64() * 100
			}
		}
		if len(scenes) > 2 {
			costs[scenes[0]], costs[scenes[1]] = math.NaN(), math.Inf(1)
		}
		count := 1 + r.IntN(9)
		seen := map[string]int{}
		for i := 1; i <= count; i++ {
			part, err := Split(scenes, costs, Shard{i, count})
			if err != nil {
				t.Fatal(err)
			}
			again, _ := Split(scenes, costs, Shard{i, count})
			if !slices.Equal(part, again) {
				t.Fatal("the same question has two answers")
			}
			// The order of the catalogue does not move a scene to another shard.
			shuffled := slices.Clone(scenes)
			r.Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
			other, _ := Split(shuffled, costs, Shard{i, count})
			slices.Sort(other)
			if !slices.Equal(slices.Sorted(slices.Values(part)), other) {
				t.Fatal("the order of the catalogue counts")
			}
			if !slices.IsSorted(part) {
				t.Fatal("the order of the catalogue is lost")
			}
			for _, n := range part {
				seen[n]++
			}
		}
		for _, n := range scenes {
			if seen[n] != 1 {
				t.Fatalf("%s is in %d shards", n, seen[n])
			}
		}
	}
}

func TestSplitIsBalanced(t *testing.T) {
	scenes, costs := names(40), Costs{}
	total, longest := 0.0, 0.0
	for i, n := range scenes {
		costs[n] = math.Pow(1.15, float64(i))
		total += costs[n]
		longest = max(longest, costs[n])
	}
	for count := 2; count <= 8; count++ {
		slowest := 0.0
		for i := 1; i <= count; i++ {
			part, err := Split(scenes, costs, Shard{i, count})
			if err != nil {
				t.Fatal(err)
			}
			load := 0.0
			for _, n := range part {
				load += costs[n]
			}
			slowest = max(slowest, load)
		}
		if least := max(total/float64(count), longest); slowest > 4./3*least {
			t.Errorf("%d shards: the slowest takes %.0f, %.0f would do", count, slowest, least)
		}
	}
	if _, err := Split([]string{"a", "a"}, nil, Shard{1, 2}); err == nil {
		t.Error("a scene twice")
	}
	if _, err := Split(scenes, nil, Shard{3, 2}); err == nil {
		t.Error("shard 3/2")
	}
	if all, err := Split(scenes, nil, Shard{}); err != nil || len(all) != 40 {
		t.Errorf("the whole: %d, %v", len(all), err)
	}
}

func runs(t *testing.T, scenes []string, count int) []*verdict.Run {
	t.Helper()
	var out []*verdict.Run
	for i := 1; i <= count; i++ {
		s := Shard{i, count}
		part, err := Split(scenes, nil, s)
		if err != nil {
			t.Fatal(err)
		}
		r := &verdict.Run{Schema: 1, Commit: "abc", Adapter: verdict.Adapter{Name: "llvmpipe"}, Shard: s.String(), Catalogue: CatalogueDigest(scenes), MS: float64(10 * i)}
		for _, n := range part {
			r.Results = append(r.Results, verdict.Result{Scene: n, Verdict: verdict.Pass})
		}
		out = append(out, r)
	}
	return out
}

func TestTwoShardsMergedAreOneRun(t *testing.T) {
	scenes := names(11)
	merged, err := Merge(scenes, runs(t, scenes, 2))
	if err != nil {
		t.Fatal(err)
	}
	one, err := Merge(scenes, runs(t, scenes, 1))
	if err != nil {
		t.Fatal(err)
	}
	for i := range merged.Results {
		merged.Results[i].Shard, one.Results[i].Shard = 0, 0
	}
	merged.MS, one.MS = 0, 0
	a, _ := json.Marshal(merged)
	b, _ := json.Marshal(one)
	if string(a) != string(b) {
		t.Errorf("merged %s\none    %s", a, b)
	}
}

func TestMergeProvesCoverage(t *testing.T) {
	scenes := names(9)
	drop := func(k int) func(rs []*verdict.Run) []*verdict.Run {
		return func(rs []*verdict.Run) []*verdict.Run { return slices.Delete(rs, k, k+1) }
	}
	for _, c := range []struct {
		name string
		harm func(rs []*verdict.Run) []*verdict.Run
		want string
	}{
		{"a shard is missing", drop(1), "scenes are in no shard"},
		{"none", func([]*verdict.Run) []*verdict.Run { return nil }, "no shards"},
		{"one twice", func(rs []*verdict.Run) []*verdict.Run { rs[1] = rs[0]; return rs }, "twice"},
		{"a scene lost", func(rs []*verdict.Run) []*verdict.Run { rs[0].Results = rs[0].Results[1:]; return rs }, "1 scenes are in no shard: scene"},
		{"a scene twice", func(rs []*verdict.Run) []*verdict.Run {
			rs[0].Results = append(rs[0].Results, rs[1].Results[0])
			return rs
		}, "is in shard 1 and in shard 2"},
		{"a stranger", func(rs []*verdict.Run) []*verdict.Run {
			rs[0].Results = append(rs[0].Results, verdict.Result{Scene: "stranger"})
			return rs
		}, "not in the catalogue: stranger"},
		{"another commit", func(rs []*verdict.Run) []*verdict.Run { rs[2].Commit = "def"; return rs }, "commit def"},
		{"another adapter", func(rs []*verdict.Run) []*verdict.Run { rs[2].Adapter.Driver = "9"; return rs }, "ran on"},
		{"another catalogue", func(rs []*verdict.Run) []*verdict.Run { rs[2].Catalogue = "x"; return rs }, "another catalogue"},
		{"no shard", func(rs []*verdict.Run) []*verdict.Run { rs[2].Shard = ""; return rs }, "1/1"},
		{"a bad shard", func(rs []*verdict.Run) []*verdict.Run { rs[2].Shard = "9/3"; return rs }, "9/3"},
	} {
		if _, err := Merge(scenes, c.harm(runs(t, scenes, 3))); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		} else if c.want != "9/3" && !errors.Is(err, ErrCoverage) {
			t.Errorf("%s: %v is no ErrCoverage", c.name, err)
		}
	}
	if _, err := Merge(nil, runs(t, scenes, 3)); !errors.Is(err, ErrCoverage) {
		t.Errorf("empty catalogue: %v", err)
	}
	rs := runs(t, scenes, 3)
	rs[1].Incomplete = "killed"
	m, err := Merge(scenes, rs)
	if err != nil || m.Incomplete != "shard 2/3: killed" || m.ExitCode(verdict.Policy{}) != 2 {
		t.Errorf("%+v, %v", m, err)
	}
}
