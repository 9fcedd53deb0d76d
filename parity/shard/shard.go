// Package shard splits a catalogue over machines and proves that what they bring back is the catalogue, each scene exactly once.
package shard

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"

	"darkroom/parity/verdict"
)

// Shard is one of Count parts; Index counts from 1. The zero value is the whole.
type Shard struct{ Index, Count int }

// Whole reports whether there is nothing to split.
func (s Shard) Whole() bool { return s.Count <= 1 }

// String is "2/5", or "" for the whole.
func (s Shard) String() string {
	if s.Whole() {
		return ""
	}
	return fmt.Sprintf("%d/%d", s.Index, s.Count)
}

// maxCount guards against a pipeline's counter where a number of shards was meant.
const maxCount = 10000

func (s Shard) check() error {
	if s.Count < 1 || s.Count > maxCount || s.Index < 1 || s.Index > s.Count {
		return fmt.Errorf("shard %d/%d does not exist; the first is 1/N, the last N/N", s.Index, s.Count)
	}
	return nil
}

// Parse reads "i/n", i from 1 to n. The empty string is the whole.
func Parse(text string) (Shard, error) {
	if text == "" {
		return Shard{1, 1}, nil
	}
	a, b, ok := strings.Cut(text, "/")
	i, err1 := strconv.Atoi(a)
	n, err2 := strconv.Atoi(b)
	if !ok || err1 != nil || err2 != nil {
		return Shard{}, fmt.Errorf("shard %q is not of the form i/n, such as 2/5", text)
	}
	s := Shard{i, n}
	return s, s.check()
}

// FromEnvironment finds the shard in the variables of the system that runs the job, and says which they were. In this order:
//
//	DARKROOM_SHARD                       i/n
//	JOB_COMPLETION_INDEX                 Kubernetes Indexed Job, from 0; it has no variable for the number, so DARKROOM_SHARD_COUNT or
//	                                     JOB_COMPLETIONS must be set to spec.completions
//	DARKROOM_JOB_INDEX, _JOB_TOTAL       GitHub: set from strategy.job-index (from 0) and strategy.job-total, which are no variables
//	CI_NODE_INDEX, CI_NODE_TOTAL         GitLab "parallel", from 1
//	BUILDKITE_PARALLEL_JOB, _JOB_COUNT   Buildkite "parallelism", from 0
//	CIRCLE_NODE_INDEX, CIRCLE_NODE_TOTAL CircleCI "parallelism", from 0
//
// Half of a pair is an error: a job that runs everything because a variable was misspelt looks like a pass.
func FromEnvironment(getenv func(string) string) (s Shard, source string, err error) {
	if getenv == nil {
		getenv = os.Getenv
	}
	if v := getenv("DARKROOM_SHARD"); v != "" {
		s, err := Parse(v)
		if err != nil {
			return Shard{}, "", fmt.Errorf("DARKROOM_SHARD: %w", err)
		}
		return s, "DARKROOM_SHARD", nil
	}
	for _, p := range []struct {
		index string
		total []string
		first int
	}{
		{"JOB_COMPLETION_INDEX", []string{"DARKROOM_SHARD_COUNT", "JOB_COMPLETIONS"}, 0},
		{"DARKROOM_JOB_INDEX", []string{"DARKROOM_JOB_TOTAL"}, 0},
		{"CI_NODE_INDEX", []string{"CI_NODE_TOTAL"}, 1},
		{"BUILDKITE_PARALLEL_JOB", []string{"BUILDKITE_PARALLEL_JOB_COUNT"}, 0},
		{"CIRCLE_NODE_INDEX", []string{"CIRCLE_NODE_TOTAL"}, 0},
	} {
		index, total, name := getenv(p.index), "", strings.Join(p.total, " or ")
		for _, t := range p.total {
			if total = getenv(t); total != "" {
				name = t
				break
			}
		}
		if index == "" && total == "" {
			continue
		}
		if index == "" && p.index == "CI_NODE_INDEX" && total == "1" {
			continue // GitLab sets the total to 1 in jobs that are not parallel
		}
		if index == "" && name == "DARKROOM_SHARD_COUNT" {
			return Shard{}, "", fmt.Errorf("%s is set and %s is not: set both or neither", name, p.index)
		}
		i, err1 := strconv.Atoi(index)
		n, err2 := strconv.Atoi(total)
		if err1 != nil || err2 != nil {
			return Shard{}, "", fmt.Errorf("%s is %q and %s is %q: both must be whole numbers", p.index, index, name, total)
		}
		s := Shard{i - p.first + 1, n}
		if err := s.check(); err != nil {
			return Shard{}, "", fmt.Errorf("%s, %s: %w", p.index, name, err)
		}
		return s, p.index, nil
	}
	return Shard{1, 1}, "", nil
}

// Costs are the recorded seconds of scenes; any unit does, as only proportions count.
type Costs map[string]float64

// CostsOf takes the costs from an earlier run.
func CostsOf(r *verdict.Run) Costs {
	c := Costs{}
	for i := range r.Results {
		if x := &r.Results[i]; x.MS > 0 {
			c[x.Scene] = max(c[x.Scene], x.MS)
		}
	}
	return c
}

// Split gives the scenes of one shard, in the order of the catalogue. Longest first, each to the shard with the least to do: the slowest shard has
// at most 4/3 of the least possible time (Graham 1969). A scene without a cost counts as the median. The same catalogue, costs and count give the
// same parts on every machine; machines with different costs may disagree, which Merge finds.
func Split(scenes []string, costs Costs, s Shard) ([]string, error) {
	if s == (Shard{}) {
		s = Shard{1, 1}
	}
	if err := s.check(); err != nil {
		return nil, err
	}
	if err := unique(scenes); err != nil {
		return nil, err
	}
	known := finite(costs)
	median := 1.0
	if all := slices.Sorted(maps.Values(known)); len(all) > 0 {
		median = all[len(all)/2]
	}
	weights := make(map[string]float64, len(scenes))
	for _, n := range scenes {
		weights[n] = median
		if c, ok := known[n]; ok {
			weights[n] = c
		}
	}
	order := slices.Clone(scenes)
	slices.SortFunc(order, func(a, b string) int {
		return cmp.Or(cmp.Compare(weights[b], weights[a]), strings.Compare(a, b))
	})
	load := make([]float64, s.Count)
	mine := map[string]bool{}
	for _, n := range order {
		least := 0
		for i := range load {
			if load[i] < load[least] {
				least = i
			}
		}
		load[least] += weights[n]
		if least == s.Index-1 {
			mine[n] = true
		}
	}
	return slices.DeleteFunc(slices.Clone(scenes), func(n string) bool { return !mine[n] }), nil
}

func unique(scenes []string) error {
	seen := map[string]bool{}
	for _, n := range scenes {
		if seen[n] {
			return fmt.Errorf("scene %s is in the catalogue twice", n)
		}
		seen[n] = true
	}
	return nil
}

// CatalogueDigest identifies the set of scenes that a run was asked for, whatever their order.
func CatalogueDigest(scenes []string) string {
	sorted := slices.Sorted(slices.Values(scenes))
	sum := sha256.Sum256([]byte(strings.Join(sorted, "\n")))
	return hex.EncodeToString(sum[:])
}

// ErrCoverage is wrapped by the error for shards that are not the catalogue exactly once.
var ErrCoverage = errors.New("shards are not the catalogue exactly once")

// Merge joins the runs of all shards into one. It fails, naming the scenes, unless every scene of the catalogue is in exactly one of them and
// nothing else is; unless every shard 1…n is there once; and unless all had one catalogue, one commit and one adapter. A shard that ended before
// its time makes the whole incomplete, which is not an error: what it judged is known, and the exit code will say the rest.
func Merge(catalogue []string, runs []*verdict.Run) (*verdict.Run, error) {
	if err := unique(catalogue); err != nil {
		return nil, err
	}
	if len(runs) == 0 {
		return nil, fmt.Errorf("%w: there are no shards to merge", ErrCoverage)
	}
	if len(catalogue) == 0 {
		return nil, fmt.Errorf("%w: the catalogue is empty", ErrCoverage)
	}
	digest := CatalogueDigest(catalogue)
	out := *runs[0]
	out.Shard, out.Catalogue, out.Results, out.MS = "", digest, nil, 0
	seenShard := map[int]bool{}
	where := map[string]int{} // scene -> shard
	var problems, incomplete []string
	for k, r := range runs {
		s, err := Parse(r.Shard)
		if err != nil {
			return nil, err
		}
		switch {
		case s.Count != len(runs):
			problems = append(problems, fmt.Sprintf("document %d is shard %d/%d, but there are %d documents", k+1, s.Index, s.Count, len(runs)))
		case seenShard[s.Index]:
			problems = append(problems, fmt.Sprintf("shard %d/%d is there twice", s.Index, s.Count))
		case r.Catalogue != "" && r.Catalogue != digest:
			problems = append(problems, fmt.Sprintf("shard %d/%d was made for another catalogue", s.Index, s.Count))
		case r.Commit != out.Commit:
			problems = append(problems, fmt.Sprintf("shard %d/%d is of commit %s, the first of %s", s.Index, s.Count, r.Commit, out.Commit))
		case r.Adapter != out.Adapter:
			problems = append(problems, fmt.Sprintf("shard %d/%d ran on %s, the first on %s", s.Index, s.Count, r.Adapter, out.Adapter))
		case r.Schema != out.Schema:
			problems = append(problems, fmt.Sprintf("shard %d/%d has schema %d, the first %d", s.Index, s.Count, r.Schema, out.Schema))
		}
		seenShard[s.Index] = true
		if r.Incomplete != "" {
			incomplete = append(incomplete, fmt.Sprintf("shard %d/%d: %s", s.Index, s.Count, r.Incomplete))
		}
		if r.Canary != nil && (out.Canary == nil || out.Canary.OK && !r.Canary.OK) {
			out.Canary = r.Canary
		}
		if !r.Started.IsZero() && (out.Started.IsZero() || r.Started.Before(out.Started)) {
			out.Started = r.Started
		}
		out.MS = max(out.MS, r.MS) // shards run side by side
		for i := range r.Results {
			x := r.Results[i]
			x.Shard = s.Index
			if other, ok := where[x.Scene]; ok {
				problems = append(problems, fmt.Sprintf("scene %s is in shard %d and in shard %d", x.Scene, other, s.Index))
			}
			where[x.Scene] = s.Index
			out.Results = append(out.Results, x)
		}
	}
	known := map[string]bool{}
	var missing []string
	for _, n := range catalogue {
		known[n] = true
		if _, ok := where[n]; !ok {
			missing = append(missing, n)
		}
	}
	if len(missing) > 0 {
		problems = append(problems, fmt.Sprintf("%d scenes are in no shard: %s", len(missing), few(missing)))
	}
	var extra []string
	for _, n := range slices.Sorted(maps.Keys(where)) {
		if !known[n] {
			extra = append(extra, n)
		}
	}
	if len(extra) > 0 {
		problems = append(problems, fmt.Sprintf("%d scenes are not in the catalogue: %s", len(extra), few(extra)))
	}
	if len(problems) > 0 {
		return nil, fmt.Errorf("%w: %s", ErrCoverage, strings.Join(problems, "; "))
	}
	out.Incomplete = strings.Join(incomplete, "; ")
	out.Sort()
	return &out, nil
}

// few names at most five.
func few(names []string) string {
	if len(names) <= 5 {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:5], ", "), len(names)-5)
}

// finite leaves out costs that are not positive numbers.
func finite(c Costs) map[string]float64 {
	out := make(map[string]float64, len(c))
	for n, v := range c {
		if v > 0 && v < 1e18 {
			out[n] = v
		}
	}
	return out
}
