package composer

import (
	"math/bits"
	"strings"
)

// declaredName is a name as its place in the source.
type declaredName struct {
	start int32
	scope int32 // twice its id; one more for a function
	slot  int32 // in the table
}

func (n declaredName) function() bool { return n.scope&1 != 0 }

// checkName refuses what WGSL reserves. An empty name is the compiler's to report.
func (l *linter) checkName(start, end int) error {
	if name := l.src[start:end]; reserved(name) {
		return errorf(ErrName, "%s declares %q, which is a reserved word of WGSL; rename it", l.at(start), name)
	}
	return nil
}

// add declares the name from start to end in a scope; scope 0 is the module's.
func (l *linter) add(start, end int, scope int32, function bool) error {
	if start == end {
		return nil
	}
	name := l.src[start:end]
	h := hashName(name)
	if reservedWords.has(name, h) {
		return l.checkName(start, end)
	}
	if scope == 0 && predeclaredHash(name, h) {
		return errorf(ErrName, "%s declares %q, which hides WGSL's own from every fragment; rename it", l.at(start), name)
	}
	if 2*len(l.names) >= len(l.table) {
		l.grow()
	}
	slot := l.find(name, h, scope)
	if i := l.table[slot]; i != 0 {
		return l.duplicate(l.names[i-1], start, function)
	}
	f := int32(0)
	if function {
		f = 1
	}
	l.names = append(l.names, declaredName{int32(start), scope<<1 | f, int32(slot)})
	l.table[slot] = int32(len(l.names))
	return nil
}

// hashName hashes a name, eight bytes at a time. Most names are short, and
// hashing them is a good part of what a scan costs.
func hashName(s string) uint64 {
	n := len(s)
	h := uint64(n)
	if n < 8 {
		for i := range n {
			h = h<<8 | uint64(s[i])
		}
		return mix(h)
	}
	last := load64(s[n-8:])
	for ; len(s) > 8; s = s[8:] {
		h = mix(h ^ load64(s))
	}
	return mix(h ^ last)
}

// mix spreads 64 bits by a wide multiplication.
func mix(x uint64) uint64 {
	hi, lo := bits.Mul64(x^0xa0761d6478bd642f, 0xe7037ed1a0b428db)
	return hi ^ lo
}

// find returns the table slot of a name of hash h, or the free one it would take.
func (l *linter) find(name string, h uint64, scope int32) int {
	h ^= uint64(scope) * 0x9e3779b97f4a7c15
	mask := len(l.table) - 1
	for slot := int(h>>32) & mask; ; slot = (slot + 1) & mask {
		i := l.table[slot]
		if i == 0 || l.names[i-1].scope>>1 == scope && l.isNamed(l.names[i-1], name) {
			return slot
		}
	}
}

func (l *linter) name(n declaredName) string { return l.src[n.start:l.wordEnd(int(n.start))] }

func (l *linter) isNamed(n declaredName, name string) bool {
	rest := l.src[n.start:]
	return strings.HasPrefix(rest, name) && (len(rest) == len(name) || !wordBytes[rest[len(name)]])
}

func (l *linter) grow() {
	l.table = make([]int32, 2*len(l.table))
	for i := range l.names {
		n := &l.names[i]
		name := l.name(*n)
		n.slot = int32(l.find(name, hashName(name), n.scope>>1))
		l.table[n.slot] = int32(i + 1)
	}
}

func (l *linter) hasEntry(name string) bool {
	i := l.table[l.find(name, hashName(name), 0)]
	return i != 0 && l.names[i-1].function()
}

func (l *linter) duplicate(first declaredName, second int, function bool) error {
	what, cure := "name", "rename one"
	switch {
	case first.function() && function:
		what, cure = "function", "rename one, or move it to a fragment that both list in Requires"
	case first.scope>>1 != 0:
		cure = "rename one, or put each in braces of its own"
	}
	return errorf(ErrConflict, "%s %q is declared twice in one scope: at %s and at %s; %s",
		what, l.name(first), l.at(int(first.start)), l.at(second), cure)
}
