package reports

import (
	"fmt"
	"slices"
	"strings"

	"darkroom/parity/verdict"
)

// Cause says why a scene misses its limit on an adapter.
type Cause struct {
	Scene string
	// Adapter is a part of the adapter's line in the table, or "all".
	Adapter string
	Text    string
}

// ParseCauses reads lines of three fields apart by tabs: scene, adapter, cause.
// Empty lines and those that begin with # say nothing.
func ParseCauses(data string) ([]Cause, error) {
	var out []Cause
	for i, line := range strings.Split(data, "\n") {
		if line = strings.TrimSpace(line); line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		f := strings.Split(line, "\t")
		if len(f) != 3 || slices.Contains(f, "") {
			return nil, fmt.Errorf("line %d: %d fields; want scene, adapter and cause, apart by tabs", i+1, len(f))
		}
		out = append(out, Cause{f[0], f[1], f[2]})
	}
	return out, nil
}

// Misses lists what missed its limit in the runs, with the cause of each. A
// miss without a cause is an error, and so is a cause without a miss: what has
// passed again must not stay excused.
func Misses(runs []*verdict.Run, causes []Cause) (string, error) {
	used := make([]bool, len(causes))
	var lines, without []string
	for _, run := range runs {
		adapter := run.Adapter.String()
		for i := range run.Results {
			r := &run.Results[i]
			if r.Passed() || r.MAD == nil {
				continue
			}
			k := slices.IndexFunc(causes, func(c Cause) bool {
				return c.Scene == r.Scene && (c.Adapter == "all" || strings.Contains(adapter, c.Adapter))
			})
			if k < 0 {
				without = append(without, r.Scene+" on "+run.Adapter.Name)
				continue
			}
			used[k] = true
			lines = append(lines, fmt.Sprintf("- %s on %s (%s): %s\n", r.Scene, md(run.Adapter.Name), cell(r), md(causes[k].Text)))
		}
	}
	var stale []string
	for i, c := range causes {
		if !used[i] {
			stale = append(stale, c.Scene+" on "+c.Adapter)
		}
	}
	switch {
	case len(without) > 0:
		return "", fmt.Errorf("no cause is given for %s; find it and add a line", strings.Join(without, ", "))
	case len(stale) > 0:
		return "", fmt.Errorf("a cause is given for what does not miss: %s; take the line out", strings.Join(stale, ", "))
	case len(lines) == 0:
		return "No scene misses its limit.\n", nil
	}
	return "Misses and their causes:\n\n" + strings.Join(lines, ""), nil
}

// Reduced is what Table and Misses need of a run, without what depends on the
// place where it was made.
func Reduced(run *verdict.Run) *verdict.Run {
	out := &verdict.Run{Schema: run.Schema, Tool: run.Tool, Commit: run.Commit, Started: run.Started, Adapter: run.Adapter, Binding: run.Binding}
	for i := range run.Results {
		r := &run.Results[i]
		if r.MAD == nil {
			continue
		}
		k := verdict.Result{Scene: r.Scene, Verdict: r.Verdict, MAD: r.MAD, Limit: r.Limit, Kind: r.Kind}
		for _, g := range r.Gates {
			if !g.OK {
				k.Gates = append(k.Gates, g)
			}
		}
		out.Results = append(out.Results, k)
	}
	return out
}
