package composer

import "slices"

// owner says who declared something: an index into the composed fragments,
// or the template.
type owner int

const ownTemplate owner = -1

// decls is a list of declarations of one kind, unique by name.
type decls[T any] struct {
	list []decl[T]
	// table is an index by name, once the list is longer than shortList, and
	// empty until then: open addressing, with places in the list plus one. It
	// is at most half full.
	table []int32
}

type decl[T any] struct {
	name string
	v    T
	own  owner
}

// shortList is the length up to which a list is searched from end to end.
const shortList = 12

func (d *decls[T]) find(name string) *decl[T] {
	if len(d.table) > 0 {
		if i := d.table[d.slot(name)]; i != 0 {
			return &d.list[i-1]
		}
		return nil
	}
	for i := range d.list {
		if d.list[i].name == name {
			return &d.list[i]
		}
	}
	return nil
}

// slot returns the table slot of a name, or the free one it would take.
func (d *decls[T]) slot(name string) int {
	mask := len(d.table) - 1
	for slot := int(hashName(name)>>32) & mask; ; slot = (slot + 1) & mask {
		if i := d.table[slot]; i == 0 || d.list[i-1].name == name {
			return slot
		}
	}
}

// reserve makes room for n declarations in an empty list.
func (d *decls[T]) reserve(n int) { d.list = slices.Grow(d.list, n) }

// reset empties the list. Its room serves again.
func (d *decls[T]) reset() {
	d.list, d.table = emptied(d.list), d.table[:0]
}

func (d *decls[T]) append(name string, v T, own owner) {
	if d.list == nil {
		d.reserve(8)
	}
	d.list = append(d.list, decl[T]{name, v, own})
	switch n := len(d.list); {
	case n <= shortList:
	case 2*n <= len(d.table):
		d.table[d.slot(name)] = int32(n)
	default:
		d.table = zeroed(d.table, powerOfTwo(2*cap(d.list)))
		for i := range d.list {
			d.table[d.slot(d.list[i].name)] = int32(i + 1)
		}
	}
}

// zeroed is a slice of n zeros, in the room of s if that is enough.
func zeroed(s []int32, n int) []int32 {
	if cap(s) < n {
		return make([]int32, n)
	}
	s = s[:n]
	clear(s)
	return s
}

// powerOfTwo is the smallest power of two that is not below n.
func powerOfTwo(n int) int {
	p := 1
	for p < n {
		p *= 2
	}
	return p
}
