package composer

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// node is a fragment in the graph of needs.
type node struct {
	f       *Fragment
	listed  bool // in the caller's list, not pulled in by Requires
	done    bool
	missing int // needs that are not yet in order
	users   int // index into graph.edges of the first that needs it; 0: none
}

// edge is one that needs a node.
type edge struct {
	user *node
	next int // index into graph.edges; 0: none
}

// graph is the fragments of a composition and what they need.
type graph struct {
	nodes decls[*node] // in the order of discovery
	slab  []node       // to take nodes from
	edges []edge
	seen  map[*Fragment]bool // those whose requirements are in
	// What sort goes through and returns.
	ready  nodeHeap
	free   []*node
	sorted []*node
	// composed are the fragments in order.
	composed []*Fragment
}

// reset empties the graph. Its room serves again.
func (g *graph) reset() {
	g.nodes.reset()
	g.slab, g.edges, g.composed = emptied(g.slab), emptied(g.edges), emptied(g.composed)
	g.ready, g.free, g.sorted = emptied(g.ready), emptied(g.free), emptied(g.sorted)
	clear(g.seen)
}

// order returns the fragments in composed order: Kahn's algorithm with
// alphabetical ties over the listed fragments (or their own order), and each
// required one just ahead of the first that needs it.
func (g *graph) order(fragments []*Fragment, keep bool) ([]*Fragment, error) {
	g.edges = append(g.edges, edge{}) // none has the index 0
	g.nodes.reserve(len(fragments))
	for _, f := range fragments {
		if f == nil {
			continue
		}
		if err := checkID(f.ID); err != nil {
			return nil, err
		}
		if g.find(f.ID) != nil {
			return nil, errorf(ErrDuplicate, "fragment %q is listed twice", f.ID)
		}
		g.add(f, true)
	}
	listed := len(g.nodes.list)
	if err := g.pull(); err != nil {
		return nil, err
	}
	if err := g.link(); err != nil {
		return nil, err
	}
	if !g.sort() {
		return nil, g.cycle()
	}
	if keep {
		g.sorted = g.sorted[:0]
		for i := range listed {
			g.sorted = append(g.sorted, g.nodes.list[i].v)
		}
	}
	for _, n := range g.sorted {
		if err := g.emit(n); err != nil {
			return nil, err
		}
	}
	return g.composed, nil
}

// checkID keeps ids fit for messages and listings.
func checkID(id string) error {
	if id == "" {
		return errorf(ErrName, "a fragment has no id")
	}
	if plain(id) {
		return nil
	}
	if strings.ContainsFunc(id, invisible) {
		return errorf(ErrName, "fragment id %q has a control character", id)
	}
	if !utf8.ValidString(id) {
		return errorf(ErrName, "fragment id %q is not valid UTF-8", id)
	}
	return nil
}

// plain reports text of printable ASCII alone.
func plain(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return false
		}
	}
	return true
}

func (g *graph) add(f *Fragment, listed bool) *node {
	if len(g.slab) == cap(g.slab) {
		g.slab = make([]node, 0, max(16, 2*cap(g.slab))) // the full one stays where it is
	}
	g.slab = append(g.slab, node{f: f, listed: listed})
	n := &g.slab[len(g.slab)-1]
	g.nodes.append(f.ID, n, 0)
	return n
}

// find is the node of an id, or nil.
func (g *graph) find(id string) *node {
	if d := g.nodes.find(id); d != nil {
		return d.v
	}
	return nil
}

// pull adds what the fragments require, transitively. Equal fragments under
// one id are one, so that a required fragment may be built anew by each of
// its users.
func (g *graph) pull() error {
	if g.seen == nil {
		g.seen = make(map[*Fragment]bool)
	}
	for _, d := range g.nodes.list[:len(g.nodes.list):len(g.nodes.list)] {
		if err := g.require(d.v.f); err != nil {
			return err
		}
	}
	return nil
}

// require adds what f requires, but for what has been seen.
func (g *graph) require(f *Fragment) error {
	for _, r := range f.Requires {
		if r == nil || g.seen[r] {
			continue
		}
		if err := checkID(r.ID); err != nil {
			return within("fragment "+quote(f.ID)+" requires", err)
		}
		if n := g.find(r.ID); n == nil {
			g.add(r, false)
		} else if n.f != r && !sameFragment(n.f, r) {
			return errorf(ErrDuplicate, "fragment %q requires a fragment %q that differs from the other of that id", f.ID, r.ID)
		}
		g.seen[r] = true
		if err := g.require(r); err != nil {
			return err
		}
	}
	return nil
}

// link turns dependencies and requirements into edges.
func (g *graph) link() error {
	for i := range g.nodes.list {
		n := g.nodes.list[i].v
		for _, id := range n.f.Dependencies {
			d := g.find(id)
			if d == nil {
				return errorf(ErrDependency, "fragment %q depends on %q, which is not in the list; add it", n.f.ID, id)
			}
			g.need(d, n)
		}
		for _, r := range n.f.Requires {
			if r == nil {
				continue
			}
			g.need(g.find(r.ID), n)
		}
	}
	return nil
}

// need adds the edge from d to its user n.
func (g *graph) need(d, n *node) {
	n.missing++
	g.edges = append(g.edges, edge{n, d.users})
	d.users = len(g.edges) - 1
}

// sort brings the listed nodes in order, unless there is a cycle. Pulled
// nodes pass through at once: they only hand on what they wait for.
func (g *graph) sort() bool {
	for i := range g.nodes.list {
		n := g.nodes.list[i].v
		if n.missing == 0 {
			if n.listed {
				g.ready.push(n)
			} else {
				g.free = append(g.free, n)
			}
		}
	}
	passed := 0
	for len(g.free)+len(g.ready) > 0 {
		var n *node
		if last := len(g.free) - 1; last >= 0 {
			n, g.free = g.free[last], g.free[:last]
		} else {
			n = g.ready.pop()
			g.sorted = append(g.sorted, n)
		}
		passed++
		for k := n.users; k != 0; k = g.edges[k].next {
			u := g.edges[k].user
			if u.missing--; u.missing > 0 {
				continue
			}
			if u.listed {
				g.ready.push(u)
			} else {
				g.free = append(g.free, u)
			}
		}
	}
	return passed == len(g.nodes.list)
}

// emit composes n after what it needs.
func (g *graph) emit(n *node) error {
	if n.done {
		return nil
	}
	n.done = true
	for _, id := range n.f.Dependencies {
		d := g.find(id)
		if d.listed && !d.done {
			// Sorted lists cannot get here.
			return errorf(ErrDependency, "fragment %q depends on %q, which comes later in the list; put it ahead", n.f.ID, id)
		}
		if err := g.emit(d); err != nil {
			return err
		}
	}
	for _, r := range n.f.Requires {
		if r == nil {
			continue
		}
		if err := g.emit(g.find(r.ID)); err != nil {
			return err
		}
	}
	g.composed = append(g.composed, n.f)
	return nil
}

// cycle names a cycle among the nodes that sort could not reach, starting at
// the alphabetically first id of it.
func (g *graph) cycle() error {
	var start *node
	for i := range g.nodes.list {
		n := g.nodes.list[i].v
		if n.missing > 0 && (start == nil || n.f.ID < start.f.ID) {
			start = n
		}
	}
	// Every node left waits for another that is left, so the walk must meet itself.
	at := make(map[*node]int)
	var path []string
	n := start
	for {
		if i, ok := at[n]; ok {
			path = path[i:]
			break
		}
		at[n] = len(path)
		path = append(path, n.f.ID)
		n = g.waitsFor(n)
	}
	first := 0
	for i := range path {
		if path[i] < path[first] {
			first = i
		}
	}
	path = append(path[first:len(path):len(path)], path[:first]...)
	path = append(path, path[0])
	for i := range path {
		path[i] = shorten(path[i])
	}
	if n := len(path) - 16; n > 0 {
		path = slices.Concat(path[:12], []string{"… " + strconv.Itoa(n) + " more …"}, path[len(path)-4:])
	}
	return &Error{ErrCycle, "fragments need each other in a circle: " + strings.Join(path, " → ")}
}

func (g *graph) waitsFor(n *node) *node {
	for _, id := range n.f.Dependencies {
		if d := g.find(id); d.missing > 0 {
			return d
		}
	}
	for _, r := range n.f.Requires {
		if r != nil && g.find(r.ID).missing > 0 {
			return g.find(r.ID)
		}
	}
	return n
}

// sameFragment compares two fragments by value; what they require, by id.
func sameFragment(a, b *Fragment) bool {
	return a.ID == b.ID &&
		slices.Equal(a.Dependencies, b.Dependencies) &&
		slices.EqualFunc(a.Requires, b.Requires, func(a, b *Fragment) bool {
			return a == b || a != nil && b != nil && a.ID == b.ID
		}) &&
		slices.Equal(a.Attributes, b.Attributes) &&
		slices.Equal(a.Varyings, b.Varyings) &&
		slices.Equal(a.VertexBindings, b.VertexBindings) &&
		slices.Equal(a.VertexBuiltins, b.VertexBuiltins) &&
		a.VertexHelpers == b.VertexHelpers &&
		slices.Equal(a.FragmentBuiltins, b.FragmentBuiltins) &&
		slices.Equal(a.MeshFields, b.MeshFields) &&
		slices.Equal(a.Fields, b.Fields) &&
		slices.Equal(a.InstanceFields, b.InstanceFields) &&
		slices.Equal(a.Bindings, b.Bindings) &&
		a.FragmentHelpers == b.FragmentHelpers &&
		slices.EqualFunc(a.Structs, b.Structs, sameStruct) &&
		slices.Equal(a.Outputs, b.Outputs) &&
		slices.Equal(a.Textures, b.Textures) &&
		slices.EqualFunc(a.Constants, b.Constants, sameConstant) &&
		maps.Equal(a.Slots, b.Slots)
}

func sameStruct(a, b Struct) bool { return a.Name == b.Name && slices.Equal(a.Fields, b.Fields) }

// nodeHeap is a binary heap by id.
type nodeHeap []*node

func (h *nodeHeap) push(n *node) {
	s := append(*h, n)
	for i := len(s) - 1; i > 0; {
		p := (i - 1) / 2
		if s[p].f.ID <= s[i].f.ID {
			break
		}
		s[p], s[i] = s[i], s[p]
		i = p
	}
	*h = s
}

func (h *nodeHeap) pop() *node {
	s := *h
	top := s[0]
	last := len(s) - 1
	s[0] = s[last]
	s[last] = nil
	s = s[:last]
	for i := 0; ; {
		c := 2*i + 1
		if c >= last {
			break
		}
		if c+1 < last && s[c+1].f.ID < s[c].f.ID {
			c++
		}
		if s[i].f.ID <= s[c].f.ID {
			break
		}
		s[i], s[c] = s[c], s[i]
		i = c
	}
	*h = s
	return top
}
