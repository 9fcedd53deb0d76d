package bisect

import (
	"math"
	"slices"
)

// commit is a node of the history.
type commit struct {
	hash    string
	parents []string
}

// graph is the part of the history that is still suspect: commits that are
// ancestors of a bad one and of no good one, parents before children.
type graph struct {
	list []commit
	at   map[string]int
}

func newGraph(list []commit) *graph {
	g := &graph{list: list, at: make(map[string]int, len(list))}
	for i, c := range list {
		g.at[c.hash] = i
	}
	return g
}

// ancestors marks c and its suspect ancestors.
func (g *graph) ancestors(c int) []bool {
	seen := make([]bool, len(g.list))
	seen[c] = true
	// Parents come first in the list, so one sweep down reaches all.
	for i := c; i >= 0; i-- {
		if !seen[i] {
			continue
		}
		for _, p := range g.list[i].parents {
			if j, ok := g.at[p]; ok {
				seen[j] = true
			}
		}
	}
	return seen
}

// bad leaves what is at or before c; good what is not.
func (g *graph) bad(hash string) *graph  { return g.keep(hash, true) }
func (g *graph) good(hash string) *graph { return g.keep(hash, false) }

func (g *graph) keep(hash string, before bool) *graph {
	i, ok := g.at[hash]
	if !ok {
		return g
	}
	seen := g.ancestors(i)
	var out []commit
	for j, c := range g.list {
		if seen[j] == before {
			out = append(out, c)
		}
	}
	return newGraph(out)
}

// weights counts for each commit how many suspects are at or before it. Along a
// line each has one more than its parent; only merges are counted afresh.
func (g *graph) weights() []int {
	w := make([]int, len(g.list))
	for i, c := range g.list {
		inside, parent := 0, 0
		for _, p := range c.parents {
			if j, ok := g.at[p]; ok {
				inside, parent = inside+1, j
			}
		}
		switch inside {
		case 0:
			w[i] = 1
		case 1:
			w[i] = w[parent] + 1
		default:
			for _, s := range g.ancestors(i) {
				if s {
					w[i]++
				}
			}
		}
	}
	return w
}

// next is the commit whose verdict halves the suspects best, of those that
// known says nothing of; empty where there is none. Where revisions in the
// middle cannot be tested it moves away from them step by step, for they tend
// to stand together: skipped is their number.
func (g *graph) next(known func(hash string) bool, skipped int) string {
	w := g.weights()
	type candidate struct{ i, gain int }
	var list []candidate
	for i, c := range g.list {
		if !known(c.hash) {
			list = append(list, candidate{i, min(w[i], len(g.list)-w[i])})
		}
	}
	if len(list) == 0 {
		return ""
	}
	slices.SortStableFunc(list, func(a, b candidate) int { return b.gain - a.gain })
	k := 0
	if skipped > 2 {
		// Golden-ratio steps spread over the list; the power leans to its better end.
		_, f := math.Modf(float64(skipped) * (math.Sqrt(5) - 1) / 2)
		k = int(float64(len(list)) * f * math.Sqrt(f))
	}
	return g.list[list[k].i].hash
}

// steps is how many verdicts n suspects need at least.
func steps(n int) int {
	if n < 2 {
		return 0
	}
	return int(math.Ceil(math.Log2(float64(n))))
}
