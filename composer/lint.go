package composer

import (
	"errors"
	"math/bits"
	"strconv"
	"strings"
	"unicode/utf8"
)

// ErrSource is composed text that is no WGSL: an open brace or comment, a
// missing entry point, a directive that the backend lacks.
var ErrSource = errors.New("invalid WGSL")

// lint looks through a composed module for what compilers report badly or
// not at all, and names the fragments at fault: a name declared twice in one
// scope (functions, structs and their members, parameters and locals), names
// that WGSL reserves, module-scope names that would hide a builtin, constructs
// that naga 0.19 lacks, and braces or comments left open. The module must
// declare the function entry. The struct bodies in checked need no look.
//
// It is a scanner and no parser: it looks at how statements start, skips what
// follows, and leaves what it does not know to the compiler.
//
// WGSL draft, sections 3.3 (comments), 3.7 (identifiers) and 4.2 (scope).
func (l *linter) lint(src string, m SourceMap, entry string, checked []body) error {
	l.src, l.origins, l.checked = src, m, checked
	if err := l.checkText(); err != nil {
		return err
	}
	l.reset()
	if err := l.scan(); err != nil {
		return err
	}
	if entry != "" && !l.hasEntry(entry) {
		return errorf(ErrSource, "the entry point %q is not declared; add it to the template or set its name there", entry)
	}
	return nil
}

// linter is the state of one scan; it can be used for one after the other.
// Places in the source are byte offsets.
type linter struct {
	src     string
	origins SourceMap
	checked []body // those of structs that are yet to come

	scopes    []openScope
	lastScope int32
	body      openScope // of the function whose body comes next; id 0: none

	// The names of the scopes that are open, in order of declaration.
	names []declaredName
	table []int32 // open addressing: index into names plus one, by hash
}

// reset begins a scan. What the last one has grown to serves again.
func (l *linter) reset() {
	if l.table == nil {
		// Room for what a large shader declares; more is made as needed.
		l.table = make([]int32, 512)
		l.names = make([]declaredName, 0, len(l.table)/2)
		l.scopes = make([]openScope, 0, 16)
	} else {
		clear(l.table)
	}
	l.names, l.scopes = l.names[:0], append(l.scopes[:0], openScope{})
	l.lastScope, l.body = 0, openScope{}
}

// openScope is a scope whose end has not come. The module's has the id 0.
type openScope struct {
	id    int32
	names int // how many were declared when it began
	at    int // its brace
}

// declaredName is a name as its place in the source.
type declaredName struct {
	start int32
	scope int32 // twice its id; one more for a function
	slot  int32 // in the table
}

func (n declaredName) function() bool { return n.scope&1 != 0 }

// wordBytes are those that identifiers, keywords and numbers are made of. It is read only.
var wordBytes = func() (t [256]bool) {
	for c := range t {
		t[c] = c >= utf8.RuneSelf || isNameByte(byte(c))
	}
	return t
}()

// checkText refuses text that cannot be handed to a compiler as a C string of
// UTF-8, and what ends a line for WGSL (section 3.2) but not for the source map.
func (l *linter) checkText() error {
	if i := strings.IndexByte(l.src, 0); i >= 0 {
		return errorf(ErrSource, "%s has a zero byte; remove it", l.at(i))
	}
	for _, c := range []byte("\r\v\f") {
		if i := strings.IndexByte(l.src, c); i >= 0 {
			return l.lineBreak(i, rune(c))
		}
	}
	if ascii(l.src) {
		return nil
	}
	for _, r := range "\u0085\u2028\u2029" {
		if i := strings.IndexRune(l.src, r); i >= 0 {
			return l.lineBreak(i, r)
		}
	}
	if i := strings.IndexRune(l.src, '\ufeff'); i >= 0 {
		return errorf(ErrSource, "%s has a byte order mark; save the WGSL without", l.at(i))
	}
	if utf8.ValidString(l.src) {
		return nil
	}
	for i, r := range l.src {
		if r != utf8.RuneError {
			continue
		}
		if _, n := utf8.DecodeRuneInString(l.src[i:]); n == 1 {
			return errorf(ErrSource, "%s is not valid UTF-8; save the WGSL as UTF-8", l.at(i))
		}
	}
	return nil
}

func (l *linter) lineBreak(at int, r rune) error {
	return errorf(ErrSource, "%s has %U, at which compilers end a line and editors do not; use a newline", l.at(at), r)
}

// ascii reports text without bytes beyond ASCII.
func ascii(s string) bool {
	var all uint64
	for ; len(s) >= 32; s = s[32:] {
		all |= load64(s) | load64(s[8:]) | load64(s[16:]) | load64(s[24:])
	}
	for i := range len(s) {
		all |= uint64(s[i])
	}
	return all&0x8080808080808080 == 0
}

// scan goes from the start of one statement to the next: a declaration can
// only stand there.
func (l *linter) scan() error {
	src := l.src
	for i := 0; i < len(src); {
		switch c := src[i]; c {
		case ' ', '\n', '\t', ';':
			i = skipBlank(src, i)
			continue
		case '@':
			end := l.wordEnd(i + 1)
			if src[i+1:end] == "diagnostic" {
				return errorf(ErrSource, "%s: naga 0.19 has no diagnostic filters; remove @diagnostic", l.at(i))
			}
			i = end
			if end < len(src) && src[end] == '(' {
				if n := strings.IndexByte(src[end:], ')'); n >= 0 {
					i += n + 1
				}
			}
			continue
		case '{':
			l.open(i)
			i++
			continue
		case '}':
			if len(l.scopes) == 1 {
				return errorf(ErrSource, "%s closes a brace that is not open", l.at(i))
			}
			l.close()
			i++
			continue
		default:
			if mayDeclare(src, i) {
				end := l.wordEnd(i)
				next, err := l.statement(src[i:end], i, end)
				if err != nil {
					return err
				}
				i = next
			}
		}
		// To the end of the statement, or to a comment.
		i = skipStatement(src, i)
		if i < len(src) && src[i] == '/' {
			end, err := l.comment(i)
			if err != nil {
				return err
			}
			i = end
		}
	}
	if n := len(l.scopes); n > 1 {
		return errorf(ErrSource, "%s opens a brace that is never closed", l.at(l.scopes[n-1].at))
	}
	return nil
}

// mayDeclare reports whether the word at i starts like those that statement
// looks for.
func mayDeclare(s string, i int) bool {
	if len(s)-i < 3 {
		return false
	}
	switch uint32(s[i]) | uint32(s[i+1])<<8 | uint32(s[i+2])<<16 {
	case 'l' | 'e'<<8 | 't'<<16, 'v' | 'a'<<8 | 'r'<<16, 'c' | 'o'<<8 | 'n'<<16, 'a' | 'l'<<8 | 'i'<<16,
		'f' | 'o'<<8 | 'r'<<16, 's' | 't'<<8 | 'r'<<16, 'o' | 'v'<<8 | 'e'<<16, 'e' | 'n'<<8 | 'a'<<16,
		'r' | 'e'<<8 | 'q'<<16, 'd' | 'i'<<8 | 'a'<<16:
		return true
	}
	return s[i] == 'f' && s[i+1] == 'n'
}

// skipBlank skips white space and empty statements.
func skipBlank(s string, i int) int {
	const spaces = 0x2020202020202020
	for i < len(s) {
		switch s[i] {
		case ' ': // mostly several
			if i+8 > len(s) {
				i++
			} else if x := load64(s[i:i+8]) ^ spaces; x != 0 {
				i += bits.TrailingZeros64(x) / 8
			} else {
				i += 8
			}
		case '\n', '\t', ';':
			i++
		default:
			return i
		}
	}
	return i
}

// skipStatement returns the place of the next ';', '{', '}' or '/' from i on,
// eight bytes at a time: a byte of x - 0x01… is negative where x is not only if
// x's byte, or one below it, is zero, so the lowest such byte is a match.
func skipStatement(s string, i int) int {
	const ones, highs = 0x0101010101010101, 0x8080808080808080
	for ; i+8 <= len(s); i += 8 {
		x := load64(s[i : i+8])
		a := x&^(0x40*ones) ^ ';'*ones // ';' and '{' differ in that bit only
		b := x ^ '}'*ones
		c := x ^ '/'*ones
		if m := ((a-ones)&^a | (b-ones)&^b | (c-ones)&^c) & highs; m != 0 {
			return i + bits.TrailingZeros64(m)/8
		}
	}
	for ; i < len(s); i++ {
		switch s[i] {
		case ';', '{', '}', '/':
			return i
		}
	}
	return i
}

// comment skips the comment that starts at i, or the slash that starts none.
func (l *linter) comment(i int) (int, error) {
	rest := l.src[i:]
	if len(rest) < 2 || rest[1] != '/' && rest[1] != '*' {
		return skipStatement(l.src, i+1), nil
	}
	if rest[1] == '/' {
		if n := strings.IndexByte(rest, '\n'); n >= 0 {
			return i + n + 1, nil
		}
		return len(l.src), nil
	}
	for depth, j := 0, i; j+1 < len(l.src); j++ {
		switch l.src[j : j+2] {
		case "/*":
			depth++
			j++
		case "*/":
			j++
			if depth--; depth == 0 {
				return j + 1, nil
			}
		}
	}
	return 0, errorf(ErrSource, "%s opens a comment that is never closed", l.at(i))
}

// open enters a block. The body of a function shares the scope of its parameters.
func (l *linter) open(at int) {
	s := l.body
	if l.body.id = 0; s.id == 0 {
		l.lastScope++
		s = openScope{id: l.lastScope, names: len(l.names)}
	}
	s.at = at
	l.scopes = append(l.scopes, s)
}

// close leaves the innermost block and forgets its names. They were the last
// to enter the table, so nothing that stays was placed around them.
func (l *linter) close() {
	last := len(l.scopes) - 1
	first := l.scopes[last].names
	for _, n := range l.names[first:] {
		l.table[n.slot] = 0
	}
	l.names, l.scopes, l.body.id = l.names[:first], l.scopes[:last], 0
}

// statement handles a statement by its first word and returns where to go on.
func (l *linter) statement(word string, start, end int) (int, error) {
	module := len(l.scopes) == 1
	switch word {
	case "let", "var", "const", "alias":
		i := end
		if word == "var" {
			i = l.skipTemplate(end)
		}
		i = l.space(i)
		end = l.wordEnd(i)
		return end, l.add(i, end, l.scopes[len(l.scopes)-1].id, false)
	case "for":
		// The loop's own variable has the loop for its scope.
		i := l.space(end)
		if i < len(l.src) && l.src[i] == '(' {
			i = l.space(i + 1)
			if e := l.wordEnd(i); l.src[i:e] == "var" || l.src[i:e] == "let" || l.src[i:e] == "const" {
				i = l.space(e)
				end = l.wordEnd(i)
				return end, l.checkName(i, end)
			}
		}
	case "fn":
		i := l.space(end)
		end = l.wordEnd(i)
		if err := l.add(i, end, l.scopes[len(l.scopes)-1].id, true); err != nil {
			return 0, err
		}
		l.lastScope++
		l.body = openScope{id: l.lastScope, names: len(l.names)}
		return l.members(end, '{', l.lastScope)
	case "struct":
		i := l.space(end)
		end = l.wordEnd(i)
		if err := l.add(i, end, l.scopes[len(l.scopes)-1].id, false); err != nil {
			return 0, err
		}
		if i = skipStatement(l.src, end); i < len(l.src) && l.src[i] == '{' {
			l.open(i)
			if len(l.checked) > 0 && l.checked[0].open == i {
				end = l.checked[0].close
				l.checked = l.checked[1:]
				return end, nil
			}
			return l.members(i+1, '}', l.lastScope)
		}
	case "override":
		if module {
			return 0, errorf(ErrSource, "%s: naga 0.19 has no pipeline overrides; declare a Constant instead of override", l.at(start))
		}
	case "enable", "requires", "diagnostic":
		if module {
			return 0, errorf(ErrSource, "%s: naga 0.19 has no directive %s; remove it", l.at(start), word)
		}
	case "const_assert":
		return 0, errorf(ErrSource, "%s: naga 0.19 has no const_assert; remove it", l.at(start))
	}
	return end, nil
}

// members declares the words that a colon follows, a function's parameters
// or a struct's members, up to the byte stop, and returns its place.
func (l *linter) members(i int, stop byte, scope int32) (int, error) {
	src := l.src
	for i < len(src) {
		switch c := src[i]; {
		case c == stop || c == ';' || c == '}' || c == '{':
			return i, nil
		case wordBytes[c]:
			end := l.wordEnd(i)
			if next := l.space(end); next < len(src) && src[next] == ':' {
				if err := l.add(i, end, scope, false); err != nil {
					return 0, err
				}
				end = l.typeEnd(next+1, stop)
			}
			i = end
		case c == '/':
			end, err := l.comment(i)
			if err != nil {
				return 0, err
			}
			i = end
		default:
			i++
		}
	}
	return i, nil
}

// typeEnd skips a member's type, up to a comma or what else may end it. The
// rest of a type with a comma in it looks like no member.
func (l *linter) typeEnd(i int, stop byte) int {
	for i < len(l.src) {
		switch c := l.src[i]; c {
		case ',', ';', '{', '}', '/', stop:
			return i
		}
		i++
	}
	return i
}

// wordEnd returns the end of the word at i.
func (l *linter) wordEnd(i int) int {
	for i < len(l.src) && wordBytes[l.src[i]] {
		i++
	}
	return i
}

// space skips white space.
func (l *linter) space(i int) int {
	for i < len(l.src) {
		switch l.src[i] {
		case ' ', '\n', '\t':
			i++
			continue
		}
		break
	}
	return i
}

// skipTemplate skips the address space of "var<private>".
func (l *linter) skipTemplate(i int) int {
	at := l.space(i)
	if at >= len(l.src) || l.src[at] != '<' {
		return i
	}
	if n := strings.IndexByte(l.src[at:], '>'); n >= 0 {
		return at + n + 1
	}
	return i
}

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

// load64 is the first eight bytes of s, which must be there.
func load64(s string) uint64 {
	_ = s[7]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
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

// at names the origin of a place.
func (l *linter) at(place int) string {
	line := strings.Count(l.src[:place], "\n")
	if line >= l.origins.Len() {
		return "line " + strconv.Itoa(line+1)
	}
	return l.origins.At(line + 1).String()
}
