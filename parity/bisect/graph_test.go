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

// hunt searches for a fault; a fault at len(list) is in none of them. Pictures
// are drawn once for each class, where class is not nil; the bad end's is there
// unless it is believed. tests counts the pictures drawn.
func hunt(list []commit, fault int, broken map[string]bool, class func(i int) int, believe bool) (found []string, tests int) {
	isBad := make([]bool, len(list))
	whole := newGraph(list)
	for i := range list {
		isBad[i] = fault < len(list) && whole.ancestors(i)[fault]
	}
	last := len(list) - 1
	g, a, drawn := whole, newAsked(), map[int]bool{}
	if !believe {
		a.tell(list[last].hash)
	}
	if class == nil {
		class = func(i int) int { return i }
	}
	drawn[class(-1)] = true // the good end's
	if !believe {
		drawn[class(last)] = true
	}
	for {
		h := g.next(a)
		if h == "" {
			break
		}
		if broken[h] {
			a.skip(h)
			continue
		}
		a.tell(h)
		if c := class(whole.at[h]); !drawn[c] {
			drawn[c] = true
			tests++
		}
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
			found, tests := hunt(list, fault, nil, nil, false)
			if len(found) != 1 || found[0] != list[fault].hash {
				t.Fatalf("%d commits, fault in %d: found %v", n, fault, found)
			}
			if tests > steps(n) {
				t.Errorf("%d commits, fault in %d: %d tests, want at most %d", n, fault, tests, steps(n))
			}
		}
	}
}

// 64 commits, the good end included: 63 suspects. With both ends proved that is
// at most 8 pictures, with the bad end believed 7, and 7 as well where every
// other commit leaves the program as it is. Two that cannot be built, wherever
// they are, cost nothing.
func TestSevenPicturesFor64Commits(t *testing.T) {
	list := history(nil, 63, false)
	pairs := func(i int) int { return (i + 1) / 2 } // the second of a pair changes documents
	for at := -1; at < 61; at++ {
		broken := map[string]bool{}
		if at >= 0 {
			broken[fmt.Sprint("c", at)], broken[fmt.Sprint("c", at+1)] = true, true
		}
		for fault := range 64 {
			for _, c := range []struct {
				name    string
				class   func(int) int
				believe bool
				ends    int
				most    int
			}{{"both proved", nil, false, 2, 8}, {"bad end believed", nil, true, 1, 7}, {"pairs", pairs, false, 2, 7}} {
				if fault == 63 && !c.believe {
					continue // the bad end was proved to be bad
				}
				if c.class != nil && fault%2 == 0 {
					continue // it changes nothing of the program
				}
				found, tests := hunt(list, fault, broken, c.class, c.believe)
				ok := fault == 63 && len(found) == 0
				for _, f := range found {
					ok = ok || f == fmt.Sprint("c", fault)
				}
				if !ok || len(found) > 3 {
					t.Errorf("%s, fault in %d, broken from %d: found %v", c.name, fault, at, found)
				}
				if tests+c.ends > c.most {
					t.Errorf("%s, fault in %d, broken from %d: %d pictures, want at most %d", c.name, fault, at, tests+c.ends, c.most)
				}
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
		for i, w := range g.weights(func(string) bool { return false }) {
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
			found, tests := hunt(list, fault, nil, nil, false)
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
		found, tests := hunt(list, fault, broken, nil, false)
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
		if tests > steps(62) {
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
	g, a := newGraph(list), newAsked("c511")
	for {
		h := g.next(a)
		if h == "" || !broken[h] {
			break
		}
		a.skip(h)
		asked++
	}
	if asked > 12 {
		t.Errorf("%d broken revisions were asked before a whole one", asked)
	}
}
