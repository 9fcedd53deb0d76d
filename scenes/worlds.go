package scenes

import "darkroom/scenes/linalg"

// Worlds keeps the world matrices of a scene's nodes from one walk to the next.
// Each has a version; a node is placed anew only where something that its
// matrix is made of, or its parent's version, is not what it was. Nodes are
// plain data that anyone may write to, so that is found by looking, not told.
// The zero value is ready. One goroutine at a time may use it.
type Worlds struct {
	known map[*Node]*placed
	walk  uint64 // number of the walk under way
	moved uint64 // matrices computed so far
}

// placed is a node's place and what it was computed from.
type placed struct {
	position, rotation, scaling linalg.Vec3
	quaternion                  linalg.Quat
	matrix                      linalg.Mat4
	turned, given, large        bool // a quaternion, a matrix is set; float64

	parent  *Node
	above   uint64 // version of the parent
	world   linalg.Mat4
	version uint64
	walk    uint64 // the last that met the node
}

// Walk is s.Walk.
func (w *Worlds) Walk(s *Scene, visit func(n *Node, world linalg.Mat4) error) error {
	if w.known == nil {
		w.known = map[*Node]*placed{}
	}
	w.walk++
	met := 0
	err := s.walk(false, w, func(n *Node, world linalg.Mat4) error { met++; return visit(n, world) })
	if err == nil && len(w.known) > 2*met+64 {
		for n, p := range w.known {
			if p.walk != w.walk {
				delete(w.known, n) // it has left the scene
			}
		}
	}
	return err
}

// Version counts how often n was placed; 0 where it never was.
func (w *Worlds) Version(n *Node) uint64 {
	if p := w.known[n]; p != nil {
		return p.version
	}
	return 0
}

// Moved counts the matrices that all walks have computed.
func (w *Worlds) Moved() uint64 { return w.moved }

// place returns n's world matrix below parent, whose own was placed in this walk.
func (w *Worlds) place(s *Scene, n, parent *Node) linalg.Mat4 {
	p := w.known[n]
	if p == nil {
		p = &placed{}
		w.known[n] = p
	}
	p.walk = w.walk
	var above *placed
	if parent != nil {
		above = w.known[parent]
	}
	if p.version > 0 && p.same(n) && p.large == s.LargeWorld && p.parent == parent && (above == nil || p.above == above.version) {
		return p.world
	}
	p.position, p.rotation, p.scaling, p.large, p.parent = n.Position, n.Rotation, n.Scaling, s.LargeWorld, parent
	if p.turned = n.Quaternion != nil; p.turned {
		p.quaternion = *n.Quaternion
	}
	if p.given = n.Matrix != nil; p.given {
		p.matrix = *n.Matrix
	}
	if above == nil {
		p.world = s.under(nil, n.Local())
	} else {
		p.world, p.above = s.under(&above.world, n.Local()), above.version
	}
	p.version++
	w.moved++
	return p.world
}

// same reports whether n has what p was computed from. NaN is never the same.
func (p *placed) same(n *Node) bool {
	switch {
	case p.given != (n.Matrix != nil) || p.turned != (n.Quaternion != nil):
		return false
	case p.given:
		return p.matrix == *n.Matrix
	case p.position != n.Position || p.scaling != n.Scaling:
		return false
	case p.turned:
		return p.quaternion == *n.Quaternion
	}
	return p.rotation == n.Rotation
}
