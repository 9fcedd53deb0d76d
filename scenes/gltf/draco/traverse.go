package draco

// sequence is the order in which the values of a group of attributes are coded.
type sequence struct {
	t      *table
	corner []int32 // of each value; nil for meshes without a table
	value  []int32 // of each vertex, -1 for none
	point  []int32 // a point of each value
	// of maps points to values; nil means that they are the same.
	of []int32
}

// walker visits all triangles of a table and numbers the vertices as it comes
// upon them.
type walker struct {
	*sequence
	face   []bool
	stacks [3][]int32
	degree []int32
	best   int
}

func (w *walker) seen(c int32) bool { return c < 0 || w.face[c/3] }

func (w *walker) visit(c int32) bool {
	v := w.t.vert[c]
	if w.value[v] >= 0 {
		return false
	}
	w.value[v] = int32(len(w.corner))
	w.corner = append(w.corner, c)
	return true
}

// newSequence walks over all triangles, depth first or by the number of known
// neighbours.
func newSequence(t *table, byDegree bool) (*sequence, error) {
	s := &sequence{t: t, value: make([]int32, len(t.left))}
	for i := range s.value {
		s.value[i] = -1
	}
	w := &walker{sequence: s, face: make([]bool, len(t.vert)/3)}
	if byDegree {
		w.degree = make([]int32, len(t.left))
	}
	for f := range w.face {
		if byDegree {
			w.byDegree(int32(3 * f))
		} else if err := w.depthFirst(int32(3 * f)); err != nil {
			return nil, err
		}
	}
	return s, nil
}

func (w *walker) depthFirst(c int32) error {
	if w.seen(c) {
		return nil
	}
	t := w.t
	stack := append(w.stacks[0][:0], c)
	w.visit(next(c))
	w.visit(prev(c))
	for len(stack) > 0 {
		c := stack[len(stack)-1]
		if w.seen(c) {
			stack = stack[:len(stack)-1]
			continue
		}
		for {
			w.face[c/3] = true
			if w.visit(c) && !t.onBoundary(t.vert[c]) {
				if c = t.opposite(next(c)); c < 0 {
					return ErrBroken
				}
				continue
			}
			right, left := t.opposite(next(c)), t.opposite(prev(c))
			if w.seen(right) {
				if w.seen(left) {
					stack = stack[:len(stack)-1]
					break
				}
				c = left
			} else if w.seen(left) {
				c = right
			} else {
				stack[len(stack)-1] = left
				stack = append(stack, right)
				break
			}
		}
	}
	w.stacks[0] = stack
	return nil
}

func (w *walker) byDegree(c int32) {
	t := w.t
	w.stacks[0] = append(w.stacks[0], c)
	w.best = 0
	w.visit(next(c))
	w.visit(prev(c))
	w.visit(c)
	for {
		c, ok := w.pop()
		if !ok {
			return
		}
		if w.seen(c) {
			continue
		}
		for {
			w.face[c/3] = true
			w.visit(c)
			right, left := t.opposite(next(c)), t.opposite(prev(c))
			rightSeen := w.seen(right)
			if !w.seen(left) {
				p := w.priority(left)
				if rightSeen && p <= w.best {
					c = left
					continue
				}
				w.push(left, p)
			}
			if !rightSeen {
				p := w.priority(right)
				if p <= w.best {
					c = right
					continue
				}
				w.push(right, p)
			}
			break
		}
	}
}

func (w *walker) priority(c int32) int {
	v := w.t.vert[c]
	if w.value[v] >= 0 {
		return 0
	}
	if w.degree[v]++; w.degree[v] > 1 {
		return 1
	}
	return 2
}

func (w *walker) push(c int32, p int) {
	w.stacks[p] = append(w.stacks[p], c)
	w.best = min(w.best, p)
}

func (w *walker) pop() (int32, bool) {
	for i := w.best; i < len(w.stacks); i++ {
		if n := len(w.stacks[i]); n > 0 {
			c := w.stacks[i][n-1]
			w.stacks[i] = w.stacks[i][:n-1]
			w.best = i
			return c, true
		}
	}
	return 0, false
}

// attach connects the values with the points of the mesh.
func (s *sequence) attach(points []int32, count int) error {
	s.point = make([]int32, len(s.corner))
	for i, c := range s.corner {
		s.point[i] = points[c]
	}
	s.of = make([]int32, count)
	for i := range s.of {
		s.of[i] = -1
	}
	for c, p := range points {
		v := s.value[s.t.vert[c]]
		if v < 0 || p < 0 || int(p) >= count {
			return ErrBroken
		}
		s.of[p] = v
	}
	for _, v := range s.of {
		if v < 0 {
			return ErrBroken
		}
	}
	return nil
}
