package draco

// table is a corner table (Rossignac 2001, "3D Compression Made Simple"): the
// corners of a triangle are 3·f, 3·f+1 and 3·f+2; each has a vertex and the
// corner across the edge that faces it. -1 stands for none.
type table struct {
	vert []int32 // of each corner
	opp  []int32 // opposite of each corner
	left []int32 // a corner of each vertex, the one with nothing to its left
	// seam and base are those of an attribute's table: the edges at which the
	// attribute is discontinuous have no opposite corners, and the vertices of base
	// that lie on such edges are marked.
	seam []bool
	base *table
}

func next(c int32) int32 {
	if c < 0 {
		return c
	}
	if c%3 == 2 {
		return c - 2
	}
	return c + 1
}

func prev(c int32) int32 {
	if c < 0 {
		return c
	}
	if c%3 == 0 {
		return c + 2
	}
	return c - 1
}

// opposite is the corner across, -1 for that of none.
func (t *table) opposite(c int32) int32 {
	if c < 0 {
		return -1
	}
	return t.opp[c]
}

// swingLeft and swingRight go to the next corner about a vertex. Since
// opposites are mutual, they come back to where they began or to an end.
func (t *table) swingLeft(c int32) int32  { return next(t.opposite(next(c))) }
func (t *table) swingRight(c int32) int32 { return prev(t.opposite(prev(c))) }

// join makes two corners opposites, if they are free and not the same.
func (t *table) join(a, b int32) bool {
	if a == b || a < 0 || b < 0 || t.opp[a] >= 0 || t.opp[b] >= 0 {
		return false
	}
	t.opp[a], t.opp[b] = b, a
	return true
}

// onBoundary reports whether a vertex lies on the border, or on a seam.
func (t *table) onBoundary(v int32) bool {
	c := t.left[v]
	if c < 0 {
		return true
	}
	if t.base != nil {
		return t.seam[t.base.vert[c]]
	}
	return t.swingLeft(c) < 0
}

// split makes the table of an attribute: seamEdge marks the corners that face
// edges at which it is discontinuous.
func (t *table) split(seamEdge []bool) (*table, error) {
	a := &table{vert: make([]int32, len(t.vert)), opp: make([]int32, len(t.opp)), seam: make([]bool, len(t.left)), base: t}
	copy(a.opp, t.opp)
	for c := range a.vert {
		a.vert[c] = -1
		if seamEdge[c] {
			a.opp[c] = -1
			a.seam[t.vert[next(int32(c))]] = true
			a.seam[t.vert[prev(int32(c))]] = true
		}
	}
	for v, c := range t.left {
		if c < 0 {
			continue
		}
		first := c
		if a.seam[v] {
			for at := a.swingLeft(first); at >= 0; at = a.swingLeft(at) {
				if at == c {
					return nil, ErrBroken
				}
				first = at
			}
		}
		a.vert[first] = int32(len(a.left))
		a.left = append(a.left, first)
		for at := t.swingRight(first); at >= 0 && at != first; at = t.swingRight(at) {
			if seamEdge[next(at)] {
				a.left = append(a.left, at)
			}
			a.vert[at] = int32(len(a.left) - 1)
		}
	}
	for _, v := range a.vert {
		if v < 0 {
			return nil, ErrBroken
		}
	}
	return a, nil
}
