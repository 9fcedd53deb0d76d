package scenes

import (
	"math"
	"math/rand"
	"strings"
	"testing"

	"darkroom/scenes/linalg"
)

// forest is a scene of n nodes under each other at random.
func forest(n int) (*Scene, []*Node) {
	r := rand.New(rand.NewSource(2))
	s := New("forest")
	var all []*Node
	for range n {
		c := NewNode("node").At(r.Float64()*4-2, r.Float64()*4-2, r.Float64())
		c.Rotation = linalg.Vec3{r.Float64(), r.Float64(), r.Float64()}
		c.Scaling = linalg.Vec3{1 + r.Float64()/9, 1, -1}
		if len(all) > 0 && r.Intn(5) > 0 {
			all[r.Intn(len(all))].Add(c)
		} else {
			s.Add(c)
		}
		all = append(all, c)
	}
	return s, all
}

// Whatever changes between walks, the matrices that are kept are those that a
// walk without memory computes, and only what must be is computed anew.
func TestWorlds(t *testing.T) {
	s, all := forest(300)
	var w Worlds
	r := rand.New(rand.NewSource(3))
	check := func(what string) {
		t.Helper()
		want := map[*Node]linalg.Mat4{}
		if err := s.Walk(func(n *Node, m linalg.Mat4) error { want[n] = m; return nil }); err != nil {
			t.Fatal(err)
		}
		met := 0
		err := w.Walk(s, func(n *Node, m linalg.Mat4) error {
			met++
			if m != want[n] {
				t.Errorf("%s: a kept matrix is %v, want %v", what, m, want[n])
			}
			return nil
		})
		if err != nil || met != len(want) {
			t.Fatalf("%s: %d nodes of %d: %v", what, met, len(want), err)
		}
	}
	check("first")
	before := w.Moved()
	check("nothing changed")
	if w.Moved() != before || before != 300 {
		t.Errorf("%d matrices, then %d; want 300 and no more", before, w.Moved())
	}
	leaf := all[len(all)-1]
	leaf.Position[1]++
	check("one leaf")
	if w.Moved() != before+1 || w.Version(leaf) != 2 || w.Version(all[0]) != 1 {
		t.Errorf("%d matrices for one leaf; versions %d and %d", w.Moved()-before, w.Version(leaf), w.Version(all[0]))
	}
	for i := range 200 {
		n := all[r.Intn(len(all))]
		switch i % 8 {
		case 0:
			n.Position = linalg.Vec3{r.Float64(), r.Float64(), r.Float64()}
		case 1:
			n.Rotation[r.Intn(3)] = r.Float64()
		case 2:
			q := linalg.QuatFromEuler(linalg.Vec3{r.Float64(), 0, 1})
			n.Quaternion = &q
		case 3:
			if n.Quaternion != nil {
				n.Quaternion[0] = 0.5
			}
		case 4:
			m := linalg.Translation(linalg.Vec3{r.Float64(), 1, 2})
			n.Matrix = &m
		case 5:
			n.Matrix, n.Quaternion = nil, nil
		case 6:
			n.Hidden = !n.Hidden
		case 7:
			// The subtree moves to another parent.
			if len(s.Roots) > 1 {
				last := s.Roots[len(s.Roots)-1]
				s.Roots = s.Roots[:len(s.Roots)-1]
				s.Roots[0].Add(last)
			}
		}
		if i%50 == 49 {
			s.LargeWorld = !s.LargeWorld
		}
		check("a change")
	}
	for _, n := range all {
		n.Hidden = false
	}
	check("all to be seen")
	s.Roots = s.Roots[:0]
	s.Add(NewNode("alone"))
	check("an empty forest")
	if len(w.known) != 1 {
		t.Errorf("%d nodes are remembered of a scene of one", len(w.known))
	}
	s.Roots[0].Position[0] = math.NaN()
	for range 2 {
		if err := w.Walk(s, func(*Node, linalg.Mat4) error { return nil }); err == nil || !strings.Contains(err.Error(), "/alone") {
			t.Errorf("%v, want the node's name", err)
		}
	}
}

func BenchmarkWalk(b *testing.B) {
	s, _ := forest(10000)
	visit := func(*Node, linalg.Mat4) error { return nil }
	b.Run("anew", func(b *testing.B) {
		for b.Loop() {
			if err := s.Walk(visit); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("kept", func(b *testing.B) {
		var w Worlds
		for b.Loop() {
			if err := w.Walk(s, visit); err != nil {
				b.Fatal(err)
			}
		}
	})
}
