package bisect

import (
	"math"
	"math/bits"
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

// weights counts for each commit how many suspects are at or before it. Those
// that dead says cannot be tested do not count: they cannot be told apart from
// what comes after them, and would only pull the halves out of balance. Along a
// line each commit has one more than its parent; only merges are counted afresh.
func (g *graph) weights(dead func(hash string) bool) []int {
	alive := make([]int, len(g.list))
	w := make([]int, len(g.list))
	for i, c := range g.list {
		if !dead(c.hash) {
			alive[i] = 1
		}
		inside, parent := 0, 0
		for _, p := range c.parents {
			if j, ok := g.at[p]; ok {
				inside, parent = inside+1, j
			}
		}
		switch inside {
		case 0:
			w[i] = alive[i]
		case 1:
			w[i] = w[parent] + alive[i]
		default:
			for j, s := range g.ancestors(i) {
				if s {
					w[i] += alive[j]
				}
			}
		}
	}
	return w
}

// asked is what a search knows about the commits that it asked for.
type asked struct {
	known map[string]bool // those with any verdict
	dead  map[string]bool // those that cannot be tested
	// inRow is how many in a row could not be.
	inRow int
}

func newAsked(known ...string) *asked {
	a := &asked{known: map[string]bool{}, dead: map[string]bool{}}
	for _, k := range known {
		a.known[k] = true
	}
	return a
}

// skip notes a commit that cannot be tested, tell one that was.
func (a *asked) skip(hash string) { a.known[hash], a.dead[hash], a.inRow = true, true, a.inRow+1 }
func (a *asked) tell(hash string) { a.known[hash], a.inRow = true, 0 }

// outcomes is how many answers a search can still have: one for each suspect
// that can be told apart, and "none of them" where the last, the bad end, has
// not been drawn.
func (g *graph) outcomes(a *asked) int {
	n := 0
	for i, c := range g.list {
		if !a.dead[c.hash] {
			n++
		}
		if i == len(g.list)-1 && !a.known[c.hash] {
			n++
		}
	}
	return n
}

// next is the commit whose verdict halves the outcomes best, of those without
// one; empty where there is none. Where revisions in the middle cannot be tested
// it moves away from them step by step, for they tend to stand together.
func (g *graph) next(a *asked) string {
	w, all := g.weights(func(h string) bool { return a.dead[h] }), g.outcomes(a)
	type candidate struct{ i, gain int }
	var list []candidate
	for i, c := range g.list {
		if !a.known[c.hash] {
			list = append(list, candidate{i, min(w[i], all-w[i])})
		}
	}
	if len(list) == 0 {
		return ""
	}
	slices.SortStableFunc(list, func(a, b candidate) int { return b.gain - a.gain })
	k := 0
	if a.inRow > 2 {
		// Golden-ratio steps spread over the list; the power leans to its better end.
		_, f := math.Modf(float64(a.inRow) * (math.Sqrt(5) - 1) / 2)
		k = int(float64(len(list)) * f * math.Sqrt(f))
	}
	return g.list[list[k].i].hash
}

// steps is how many verdicts are needed to tell n outcomes apart, at least.
func steps(n int) int {
	if n < 2 {
		return 0
	}
	return bits.Len(uint(n - 1))
}
