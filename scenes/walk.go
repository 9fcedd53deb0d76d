package scenes

import (
	"fmt"
	"math"
	"strings"

	"darkroom/scenes/linalg"
)

// Walk visits every node that is not hidden, parents first, with its world
// matrix computed in the scene's precision. It stops at the first error and
// reports a cycle or a non-finite transform with the node's path.
func (s *Scene) Walk(visit func(n *Node, world linalg.Mat4) error) error {
	return s.walk(false, nil, visit)
}

// Nodes lists the scene's nodes, the hidden ones too: parents first, each once,
// wherever else it hangs. Nil children are passed over.
func (s *Scene) Nodes() []*Node {
	var out []*Node
	seen := map[*Node]bool{}
	var left []*Node // the next one last
	push := func(list []*Node) {
		for i := len(list) - 1; i >= 0; i-- {
			left = append(left, list[i])
		}
	}
	for push(s.Roots); len(left) > 0; {
		n := left[len(left)-1]
		left = left[:len(left)-1]
		if n != nil && !seen[n] {
			seen[n] = true
			out = append(out, n)
			push(n.Children)
		}
	}
	return out
}

// step is a node on the way from a root to the node that is visited.
type step struct {
	node  *Node
	world linalg.Mat4
	next  int // the child to go to next
}

// walk is Walk, on demand with the hidden nodes and with what is known of the
// matrices from earlier walks. A hierarchy may be tens of
// thousands of nodes deep, so it is no recursion.
func (s *Scene) walk(hidden bool, known *Worlds, visit func(n *Node, world linalg.Mat4) error) error {
	open := map[*Node]bool{}
	var way []step
	enter := func(n *Node) error {
		if n == nil {
			return fmt.Errorf("scene %s: %s: a child is nil; remove it", s.Name, path(way, nil))
		}
		if open[n] {
			return fmt.Errorf("scene %s: node %s: the hierarchy has a cycle; a node cannot be its own ancestor", s.Name, path(way, n))
		}
		if n.Hidden && !hidden {
			return nil
		}
		var world linalg.Mat4
		if known != nil {
			var parent *Node
			if len(way) > 0 {
				parent = way[len(way)-1].node
			}
			world = known.place(s, n, parent)
		} else {
			world = s.place(n, way)
		}
		for _, x := range world {
			if math.IsNaN(x) || math.IsInf(x, 0) {
				return fmt.Errorf("scene %s: node %s: its transform is not finite (position %v, scaling %v); give finite numbers", s.Name, path(way, n), n.Position, n.Scaling)
			}
		}
		if err := visit(n, world); err != nil {
			return err
		}
		open[n] = true
		way = append(way, step{node: n, world: world})
		return nil
	}
	for _, root := range s.Roots {
		if err := enter(root); err != nil {
			return err
		}
		for len(way) > 0 {
			top := &way[len(way)-1]
			if top.next == len(top.node.Children) {
				delete(open, top.node)
				way = way[:len(way)-1]
				continue
			}
			child := top.node.Children[top.next]
			top.next++
			if err := enter(child); err != nil {
				return err
			}
		}
	}
	return nil
}

// place computes the world matrix of a node below the last one of way.
func (s *Scene) place(n *Node, way []step) linalg.Mat4 {
	if len(way) == 0 {
		return s.under(nil, n.Local())
	}
	return s.under(&way[len(way)-1].world, n.Local())
}

// under is a local matrix below a parent's world matrix, in the scene's precision.
func (s *Scene) under(parent *linalg.Mat4, local linalg.Mat4) linalg.Mat4 {
	if !s.LargeWorld {
		local = local.Round32()
	}
	if parent == nil || *parent == linalg.Identity() {
		return local
	}
	world := parent.Mul(local)
	if !s.LargeWorld {
		world = world.Round32()
	}
	return world
}

// path names a node by its ancestors, the first and last few of a long way.
func path(way []step, n *Node) string {
	var names []string
	for _, s := range way {
		names = append(names, s.node.Name)
	}
	if n != nil {
		names = append(names, n.Name)
	}
	if len(names) == 0 {
		return "root"
	}
	if len(names) > 16 {
		names = append(append(names[:8:8], "…"), names[len(names)-8:]...)
	}
	return "/" + strings.Join(names, "/")
}
