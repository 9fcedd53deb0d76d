package draco

import "fmt"

// The symbols of EdgeBreaker: where the next triangle is joined to the mesh.
const (
	topologyC = 0 // closes a fan about a vertex
	topologyS = 1 // joins two boundaries
	topologyL = 3
	topologyR = 5
	topologyE = 7 // begins a new piece
)

// splitEvent is a symbol S that comes later (by the decoder's order) and takes
// up an edge of an earlier triangle.
type splitEvent struct {
	source, split int
	right         bool
}

// edgeBreaker decodes the connectivity of a mesh.
type edgeBreaker struct {
	t       *table
	symbols int
	hole    []bool // vertices on a boundary
	// seams hold, per set of attributes, the corners that face a seam.
	seams  [][]bool
	points []int32 // of each corner
	count  int     // of points
	events []splitEvent
	start  *bitCoder
	// Of the standard traversal, the bits of the symbols.
	bits *bitReader
	// Of the valence traversal, the symbols by the valence of the next vertex.
	contexts [6][]int32
	valence  []int32
	context  int
}

// symbolOf maps the numbers of the valence traversal.
var symbolOf = [5]int{topologyC, topologyS, topologyL, topologyR, topologyE}

func (d *decoder) edgeBreaker() (*edgeBreaker, error) {
	r := &d.reader
	kind := r.u8()
	vertices, faces := r.count(), r.count()
	sets := int(r.u8())
	symbols, splits := r.count(), r.count()
	if r.err != nil {
		return nil, r.err
	}
	if kind != 0 && kind != 2 {
		return nil, fmt.Errorf("an EdgeBreaker traversal of kind %d is not read", kind)
	}
	if err := d.check(faces, vertices); err != nil {
		return nil, err
	}
	if vertices > 3*faces || symbols > faces || faces > symbols+symbols/3 || splits > symbols {
		return nil, fmt.Errorf("%d faces, %d vertices, %d symbols and %d splits do not go together: %w", faces, vertices, symbols, splits, ErrBroken)
	}
	e := &edgeBreaker{symbols: symbols, context: -1}
	if err := e.readEvents(r, faces); err != nil {
		return nil, err
	}
	if kind == 0 {
		b := r.bytes(r.varint())
		if r.err == nil && symbols > 8*len(b) {
			return nil, errShort
		}
		e.bits = &bitReader{data: b}
	}
	var err error
	if e.start, err = r.bitCoder(); err != nil {
		return nil, err
	}
	coders := make([]*bitCoder, sets)
	for i := range coders {
		if coders[i], err = r.bitCoder(); err != nil {
			return nil, err
		}
	}
	if kind == 2 {
		for i := range e.contexts {
			n := r.count()
			if n > faces {
				return nil, ErrBroken
			}
			if e.contexts[i], err = d.symbols(n, 1); err != nil {
				return nil, err
			}
		}
		e.valence = make([]int32, vertices+splits)
	}
	if r.err != nil {
		return nil, r.err
	}
	corners := make([]int32, 6*faces)
	for i := range corners {
		corners[i] = -1
	}
	e.t = &table{vert: corners[:3*faces], opp: corners[3*faces:]}
	e.hole = make([]bool, vertices+splits)
	for i := range e.hole {
		e.hole[i] = true
	}
	if err := e.connect(sets == 0); err != nil {
		return nil, err
	}
	for _, v := range e.t.vert {
		if v < 0 || e.t.left[v] < 0 {
			return nil, ErrBroken
		}
	}
	e.readSeams(coders)
	return e, nil
}

func (e *edgeBreaker) readEvents(r *reader, faces int) error {
	n := r.count()
	if n > faces || n > len(r.data) {
		return ErrBroken
	}
	e.events = make([]splitEvent, n)
	last := 0
	for i := range e.events {
		source := last + r.count()
		delta := r.count()
		if delta > source || source > 1<<31 {
			return ErrBroken
		}
		e.events[i] = splitEvent{source: source, split: source - delta}
		last = source
	}
	b := bitReader{data: r.data}
	for i := range e.events {
		e.events[i].right = b.bits(1) == 1
	}
	r.bytes(b.used())
	if b.cut {
		return errShort
	}
	return r.err
}

// symbol reads the next one, -1 for none.
func (e *edgeBreaker) symbol() int {
	if e.bits != nil {
		s := int(e.bits.bits(1))
		if s != topologyC {
			s |= int(e.bits.bits(2)) << 1
		}
		if e.bits.cut {
			return -1
		}
		return s
	}
	if e.context < 0 {
		return topologyE
	}
	c := e.contexts[e.context]
	if len(c) == 0 {
		return -1
	}
	s := c[len(c)-1]
	e.contexts[e.context] = c[:len(c)-1]
	if s < 0 || s > 4 {
		return -1
	}
	return symbolOf[s]
}

// weigh counts the new triangle in the valences of its vertices, from which the
// context of the next symbol follows.
func (e *edgeBreaker) weigh(symbol int, c int32) {
	if e.valence == nil {
		return
	}
	tip, n, p := &e.valence[e.t.vert[c]], &e.valence[e.t.vert[next(c)]], &e.valence[e.t.vert[prev(c)]]
	switch symbol {
	case topologyC, topologyS:
		*n++
		*p++
	case topologyR:
		*tip++
		*n++
		*p += 2
	case topologyL:
		*tip++
		*n += 2
		*p++
	case topologyE:
		*tip += 2
		*n += 2
		*p += 2
	}
	e.context = int(min(max(*n, 2), 7) - 2)
}

// vertex adds one whose leftmost corner is c.
func (e *edgeBreaker) vertex(c int32) bool {
	if len(e.t.left) >= len(e.hole) {
		return false
	}
	e.t.vert[c] = int32(len(e.t.left))
	e.t.left = append(e.t.left, c)
	return true
}

// connect rebuilds the triangles, the last encoded first. Each active corner
// faces an edge of the boundary at which the next triangle may be joined.
// Vertices that are merged away leave gaps, which compact asks to be filled.
func (e *edgeBreaker) connect(compact bool) error {
	t := e.t
	var active, gone []int32
	parked := map[int]int32{}
	total := int32(len(t.vert) / 3)
	face := int32(0)
	for id := range e.symbols {
		c := 3 * face
		face++
		symbol := e.symbol()
		if len(active) == 0 && symbol != topologyE {
			return ErrBroken
		}
		var a int32
		if len(active) > 0 {
			a = active[len(active)-1]
		}
		ok := true
		switch symbol {
		case topologyC:
			x := t.vert[next(a)]
			if t.left[x] < 0 {
				return ErrBroken
			}
			b := next(t.left[x])
			before, after := t.vert[prev(a)], t.vert[next(b)]
			if a == b || x == before || x == after || !t.join(a, c+1) || !t.join(b, c+2) {
				return ErrBroken
			}
			t.vert[c], t.vert[c+1], t.vert[c+2] = x, after, before
			t.left[before] = c + 2
			e.hole[x] = false
		case topologyR, topologyL:
			tip, l, r := c+2, c+1, c
			if symbol == topologyL {
				tip, l, r = c+1, c, c+2
			}
			ok = t.join(tip, a) && e.vertex(tip)
			t.vert[r], t.vert[l] = t.vert[prev(a)], t.vert[next(a)]
			t.left[t.vert[r]] = r
		case topologyS:
			b := a
			active = active[:len(active)-1]
			if p, found := parked[id]; found {
				active = append(active, p)
			}
			if len(active) == 0 {
				return ErrBroken
			}
			a = active[len(active)-1]
			if a == b || !t.join(a, c+2) || !t.join(b, c+1) {
				return ErrBroken
			}
			p, n := t.vert[prev(a)], t.vert[next(b)]
			t.vert[c], t.vert[c+1], t.vert[c+2] = p, t.vert[next(a)], t.vert[prev(b)]
			t.left[t.vert[c+2]] = c + 2
			if e.valence != nil {
				e.valence[p] += e.valence[n]
			}
			t.left[p] = t.left[n]
			first := next(b)
			for at := first; at >= 0; {
				t.vert[at] = p
				if at = t.swingLeft(at); at == first {
					return ErrBroken
				}
			}
			t.left[n] = -1
			if compact {
				gone = append(gone, n)
			}
		case topologyE:
			ok = e.vertex(c) && e.vertex(c+1) && e.vertex(c+2)
			active = append(active, c)
		default:
			ok = false
		}
		if !ok {
			return ErrBroken
		}
		active[len(active)-1] = c
		e.weigh(symbol, c)
		if symbol != topologyR && symbol != topologyL && symbol != topologyE {
			continue
		}
		for len(e.events) > 0 {
			last := e.events[len(e.events)-1]
			if last.source > e.symbols-id-1 {
				return ErrBroken
			}
			if last.source != e.symbols-id-1 {
				break
			}
			e.events = e.events[:len(e.events)-1]
			edge := prev(c)
			if last.right {
				edge = next(c)
			}
			parked[e.symbols-last.split-1] = edge
		}
	}
	for len(active) > 0 {
		a := active[len(active)-1]
		active = active[:len(active)-1]
		if !e.start.bit() {
			continue
		}
		// A last triangle closes the mesh.
		if face >= total {
			return ErrBroken
		}
		n := t.vert[next(a)]
		if t.left[n] < 0 {
			return ErrBroken
		}
		b := next(t.left[n])
		x := t.vert[next(b)]
		if t.left[x] < 0 {
			return ErrBroken
		}
		third := next(t.left[x])
		p := t.vert[next(third)]
		c := 3 * face
		face++
		if a == b || a == third || b == third || !t.join(c, a) || !t.join(c+1, b) || !t.join(c+2, third) {
			return ErrBroken
		}
		t.vert[c], t.vert[c+1], t.vert[c+2] = x, p, n
		e.hole[x], e.hole[p], e.hole[n] = false, false, false
	}
	if face != total {
		return fmt.Errorf("%d of %d faces are there: %w", face, total, ErrBroken)
	}
	return e.fill(gone)
}

// fill moves the last vertices into the places of those that were merged away.
func (e *edgeBreaker) fill(gone []int32) error {
	t := e.t
	n := int32(len(t.left))
	for _, v := range gone {
		for n > 0 && t.left[n-1] < 0 {
			n--
		}
		last := n - 1
		if last < v {
			continue
		}
		first := t.left[last]
		c := first
		for ; c >= 0; c = t.swingLeft(c) {
			t.vert[c] = v
			if t.swingLeft(c) == first {
				break
			}
		}
		if c < 0 {
			for c = t.swingRight(first); c >= 0; c = t.swingRight(c) {
				t.vert[c] = v
			}
		}
		t.left[v], t.left[last] = first, -1
		e.hole[v], e.hole[last] = e.hole[last], false
		n--
	}
	e.count = int(n)
	return nil
}

// readSeams reads, for each inner edge and set of attributes, whether the
// attributes are discontinuous there. At a boundary they are.
func (e *edgeBreaker) readSeams(coders []*bitCoder) {
	e.seams = make([][]bool, len(coders))
	for i := range e.seams {
		e.seams[i] = make([]bool, len(e.t.vert))
	}
	for c, o := range e.t.opp {
		for i, coder := range coders {
			if o < 0 {
				e.seams[i][c] = true
			} else if o/3 >= int32(c)/3 && coder.bit() {
				e.seams[i][c], e.seams[i][o] = true, true
			}
		}
	}
}

// assignPoints numbers the points: corners of a vertex between which no
// attribute is discontinuous share one.
func (e *edgeBreaker) assignPoints(sets []*table) error {
	t := e.t
	if len(sets) == 0 {
		e.points = t.vert
		return nil
	}
	e.points = make([]int32, len(t.vert))
	for i := range e.points {
		e.points[i] = -1
	}
	n := int32(0)
	for v, c := range t.left {
		if c < 0 {
			continue
		}
		first := c
		if !e.hole[v] {
			// Begin at a seam, if there is one.
		sets:
			for _, s := range sets {
				if !s.seam[v] {
					continue
				}
				for at := t.swingRight(c); at != c; at = t.swingRight(at) {
					if at < 0 {
						return ErrBroken
					}
					if s.vert[at] != s.vert[c] {
						first = at
						break sets
					}
				}
			}
		}
		e.points[first] = n
		n++
		last := first
		for at := t.swingRight(first); at >= 0 && at != first; at = t.swingRight(at) {
			e.points[at] = e.points[last]
			for _, s := range sets {
				if s.vert[at] != s.vert[last] {
					e.points[at] = n
					n++
					break
				}
			}
			last = at
		}
	}
	e.count = int(n)
	for _, p := range e.points {
		if p < 0 {
			return ErrBroken
		}
	}
	return nil
}
