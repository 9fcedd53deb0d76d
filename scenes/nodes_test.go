package scenes

import "testing"

func TestNodes(t *testing.T) {
	a, b, c, d := NewNode("a"), NewNode("b"), NewNode("c"), NewNode("d")
	a.Children = []*Node{b, nil, c}
	b.Children = []*Node{d}
	c.Children = []*Node{d, a} // a second place, and a cycle
	c.Hidden = true
	s := New("nodes")
	s.Roots = []*Node{a, c}
	names := ""
	for _, n := range s.Nodes() {
		names += n.Name
	}
	if names != "abdc" {
		t.Errorf("nodes in the order %q, want abdc", names)
	}
}
