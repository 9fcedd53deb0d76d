package bisect

import (
	"fmt"
	"math/rand"
	"testing"
)

// history makes n commits; every commit has the one before as a parent or, by
// chance, one or two from further back. All of them are ancestors of the last.
func history(rng *rand.Rand, n int, merges bool) []commit {
	list := make([]commit, n)
	child := make([]bool, n)
	for i := range list {
		list[i].hash = fmt.Sprint("c", i)
		if i == 0 {
			continue
		}
		p := i - 1
		if merges && rng.Intn(3) == 0 {
			p = rng.Intn(i)
		}
		list[i].parents, child[p] = []string{fmt.Sprint("c", p)}, true
	}
	for i := range n - 1 {
		if !child[i] { // a branch that is merged into the next commit
			list[i+1].parents = append(list[i+1].parents, list[i].hash)
			child[i] = true
		}
	}
	return list
}

func hunt(list []commit, fault int, broken map[string]bool) (found []string, tests int) {
	isBad := make([]bool, len(list))
	whole := newGraph(list)
	for i := range list {
		isBad[i] = whole.ancestors(i)[fault]
	}
	g, skipped := whole, 0
	asked := map[string]bool{list[len(list)-1].hash: true}
	for {
		h := g.next(func(h string) bool { return asked[h] }, skipped)
		if h == "" {
			break
		}
		asked[h] = true
		if broken[h] {
			skipped++
			continue
		}
		tests, skipped = tests+1, 0
		if isBad[whole.at[h]] {
			g = g.bad(h)
		} else {
			g = g.good(h)
		}
	}
	for _, c := range g.list {
		found = append(found, c.hash)
	}
	return found, tests
}

func TestALineNeedsTheLogarithm(t *testing.T) {
	for _, n := range []int{1, 2, 3, 7, 63, 64, 65, 100} {
		list := history(nil, n, false)
		for fault := range n {
			found, tests := hunt(list, fault, nil)
			if len(found) != 1 || found[0] != list[fault].hash {
				t.Fatalf("%d commits, fault in %d: found %v", n, fault, found)
			}
			if tests > steps(n) {
				t.Errorf("%d commits, fault in %d: %d tests, want at most %d", n, fault, tests, steps(n))
			}
		}
	}
}

func TestMergesAreSearched(t *testing.T) {
	rng := rand.New(rand.NewSource(1))
	for range 30 {
		n := 2 + rng.Intn(80)
		list := history(rng, n, true)
		g := newGraph(list)
		for i, w := range g.weights() {
			want := 0
			for _, s := range g.ancestors(i) {
				if s {
					want++
				}
			}
			if w != want {
				t.Fatalf("weight of %d is %d, want %d", i, w, want)
			}
		}
		for fault := range n {
			found, tests := hunt(list, fault, nil)
			if len(found) != 1 || found[0] != list[fault].hash {
				t.Fatalf("%d commits, fault in %d: found %v", n, fault, found)
			}
			if tests > 2*steps(n)+2 {
				t.Errorf("%d commits, fault in %d: %d tests", n, fault, tests)
			}
		}
	}
}

func TestSkippedRevisions(t *testing.T) {
	list := history(nil, 64, false)
	for fault := range 64 {
		broken := map[string]bool{"c31": true, "c32": true}
		found, tests := hunt(list, fault, broken)
		want := 1
		if fault >= 31 && fault <= 33 {
			want = 3 // the fault and the broken ones before it cannot be told apart
		}
		ok := false
		for _, f := range found {
			ok = ok || f == list[fault].hash
		}
		if !ok || len(found) > want {
			t.Errorf("fault in %d: found %v", fault, found)
		}
		if tests > 7 {
			t.Errorf("fault in %d: %d tests", fault, tests)
		}
	}
	// A long stretch that does not build is left quickly.
	broken := map[string]bool{}
	for i := 100; i < 400; i++ {
		broken[fmt.Sprint("c", i)] = true
	}
	list = history(nil, 512, false)
	asked := 0
	count := map[string]bool{}
	g, skipped := newGraph(list), 0
	for {
		h := g.next(func(h string) bool { return count[h] || h == "c511" }, skipped)
		if h == "" || !broken[h] {
			break
		}
		count[h] = true
		skipped++
		asked++
	}
	if asked > 12 {
		t.Errorf("%d broken revisions were asked before a whole one", asked)
	}
}
