package composer

import (
	"hash/maphash"
	"maps"
	"slices"
	"sync"
)

// Cache remembers compositions, so that asking again for what is drawn each
// frame costs a look-up and no allocation. It belongs to whoever owns the
// pipelines, one for a device. The zero value is ready to use, and all of its
// methods are safe for concurrent use.
//
// A composition is known again by the identity of its template and fragments:
// the same pointers, in the same order, with equal options. What has been
// given to a cache must not be changed any more, and a fragment that is built
// anew for each call is composed anew. Two lists that compose to the same
// bytes give the same *Shader while the cache remembers both.
type Cache struct {
	// Limit bounds how many compositions are remembered; 0 means 4096. Those
	// used least recently go first, roughly. Set it before first use.
	Limit int

	mu   sync.RWMutex
	seed maphash.Seed
	// Entries used since the last turn are in recent, the others in older,
	// which the next turn drops. Both map a hash to a chain.
	recent, older map[uint64]*cacheEntry
	used          int // entries in recent
	byKey         map[Key]*Shader
}

// cacheEntry is one composition: what it was asked for and what came out.
type cacheEntry struct {
	template  *Template
	fragments []*Fragment
	options   Options
	next      *cacheEntry

	once   sync.Once
	shader *Shader
	err    error
}

// Compose is the function Compose, remembered. Errors are remembered too:
// they follow from the input alone. The shader is shared and must not be
// changed. Calls for one composition at one time compose it once.
func (c *Cache) Compose(t *Template, fragments []*Fragment, o Options) (*Shader, error) {
	c.mu.RLock()
	var e *cacheEntry
	if c.recent != nil {
		e = find(c.recent[c.hash(t, fragments, o)], t, fragments, o)
	}
	c.mu.RUnlock()
	if e == nil {
		e = c.enter(t, fragments, o)
	}
	e.once.Do(func() { c.fill(e) })
	return e.shader, e.err
}

// Len is the number of compositions that the cache remembers.
func (c *Cache) Len() int {
	c.mu.RLock()
	defer c.mu.RUnlock()
	n := c.used
	for _, e := range c.older {
		for ; e != nil; e = e.next {
			n++
		}
	}
	return n
}

// enter returns the entry of a composition that is not in recent, making it if need be.
func (c *Cache) enter(t *Template, fragments []*Fragment, o Options) *cacheEntry {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.recent == nil {
		c.seed = maphash.MakeSeed()
		c.recent = make(map[uint64]*cacheEntry)
	}
	h := c.hash(t, fragments, o)
	if e := find(c.recent[h], t, fragments, o); e != nil {
		return e
	}
	e := c.takeOlder(h, t, fragments, o)
	if e == nil {
		// The caller may reuse its slices and its map.
		o.OutputLocations = maps.Clone(o.OutputLocations)
		o.Rounding = slices.Clone(o.Rounding)
		e = &cacheEntry{template: t, fragments: slices.Clone(fragments), options: o}
	}
	limit := c.Limit
	if limit <= 0 {
		limit = 4096
	}
	if c.used >= max(limit/2, 1) {
		c.older, c.recent, c.used = c.recent, make(map[uint64]*cacheEntry), 0
		c.byKey = nil
		for _, e := range c.older {
			for ; e != nil; e = e.next {
				c.share(e)
			}
		}
		c.share(e)
	}
	e.next = c.recent[h]
	c.recent[h] = e
	c.used++
	return e
}

// takeOlder removes and returns the entry of a composition from older, if it is there.
func (c *Cache) takeOlder(h uint64, t *Template, fragments []*Fragment, o Options) *cacheEntry {
	e := find(c.older[h], t, fragments, o)
	if e == nil {
		return nil
	}
	if c.older[h] == e {
		if e.next == nil {
			delete(c.older, h)
		} else {
			c.older[h] = e.next
		}
	} else {
		before := c.older[h]
		for before.next != e {
			before = before.next
		}
		before.next = e.next
	}
	return e
}

// fill composes an entry.
func (c *Cache) fill(e *cacheEntry) {
	shader, err := Compose(e.template, e.fragments, e.options)
	c.mu.Lock()
	defer c.mu.Unlock()
	e.shader, e.err = shader, err
	if same, ok := c.byKey[e.key()]; ok && shader != nil {
		e.shader = same
	}
	c.share(e)
}

func (e *cacheEntry) key() Key {
	if e.shader == nil {
		return Key{}
	}
	return e.shader.Key
}

// share makes an entry's shader the one that others of its key get.
func (c *Cache) share(e *cacheEntry) {
	if e.shader == nil {
		return
	}
	if c.byKey == nil {
		c.byKey = make(map[Key]*Shader)
	}
	c.byKey[e.shader.Key] = e.shader
}

// hash is a hash of identities. The output locations enter in any order.
func (c *Cache) hash(t *Template, fragments []*Fragment, o Options) uint64 {
	h := maphash.Comparable(c.seed, t)
	for len(fragments) >= 8 { // eight cost little more than one
		h = mix(h ^ maphash.Comparable(c.seed, [8]*Fragment(fragments)))
		fragments = fragments[8:]
	}
	for _, f := range fragments {
		h = mix(h ^ maphash.Comparable(c.seed, f))
	}
	for name, loc := range o.OutputLocations {
		h += maphash.String(c.seed, name) * uint64(2*loc+1)
	}
	for _, r := range o.Rounding {
		h = h*31 ^ uint64(r.Steps)
	}
	if o.VertexOnly {
		h ^= 0xd6e8feb86659fd93
	}
	return h
}

// find walks a chain.
func find(e *cacheEntry, t *Template, fragments []*Fragment, o Options) *cacheEntry {
	for ; e != nil; e = e.next {
		if e.template == t && slices.Equal(e.fragments, fragments) && sameOptions(e.options, o) {
			return e
		}
	}
	return nil
}

func sameOptions(a, b Options) bool {
	return a.Limits == b.Limits && a.VertexOnly == b.VertexOnly && slices.Equal(a.Rounding, b.Rounding) &&
		(a.OutputLocations == nil) == (b.OutputLocations == nil) && maps.Equal(a.OutputLocations, b.OutputLocations)
}
