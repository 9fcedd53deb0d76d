package composer

// owner says who declared something: an index into the composed fragments,
// or the template.
type owner int

const ownTemplate owner = -1

// decls is a list of declarations of one kind, unique by name.
type decls[T any] struct {
	list   []decl[T]
	byName map[string]int // once the list is longer than shortList
}

type decl[T any] struct {
	name string
	v    T
	own  owner
}

// shortList is the length up to which a list is faster to search than a map is to build.
const shortList = 12

func (d *decls[T]) find(name string) *decl[T] {
	if d.byName != nil {
		if i, ok := d.byName[name]; ok {
			return &d.list[i]
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

// reserve makes room for n declarations in an empty list.
func (d *decls[T]) reserve(n int) {
	if d.list == nil && n > 0 {
		d.list = make([]decl[T], 0, n)
	}
}

func (d *decls[T]) append(name string, v T, own owner) {
	if d.list == nil {
		d.reserve(8)
	}
	d.list = append(d.list, decl[T]{name, v, own})
	switch n := len(d.list); {
	case d.byName != nil:
		d.byName[name] = n - 1
	case n > shortList:
		d.byName = make(map[string]int, 4*n)
		for i := range d.list {
			d.byName[d.list[i].name] = i
		}
	}
}
