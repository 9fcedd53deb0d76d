package composer

import (
	"errors"
	"strconv"
	"strings"
	"unicode/utf8"
)

// ErrSource is composed text that is no WGSL: an open brace or comment, a
// missing entry point, a directive that the backend lacks.
var ErrSource = errors.New("invalid WGSL")

// lintWGSL looks through a composed module for what compilers report badly or
// not at all, and names the fragments at fault: a name declared twice in one
// scope (functions, structs and their members, parameters and locals), names
// that WGSL reserves, module-scope names that would hide a builtin, constructs
// that naga 0.19 lacks, and braces or comments left open. The module must
// declare the function entry. It is a scanner and no parser: what it does not
// know, it leaves to the compiler.
//
// WGSL draft, sections 3.3 (comments), 3.7 (identifiers) and 4.2 (scope).
func lintWGSL(src string, m SourceMap, entry string) error {
	l := linter{src: src, origins: m}
	if err := l.checkText(); err != nil {
		return err
	}
	// Shaders declare a name every 60 bytes or so; the table stays under half full.
	size := 64
	for size < len(src)/24 {
		size *= 2
	}
	l.table = make([]int32, size)
	l.names = make([]declaredName, 0, 16+len(src)/56)
	l.scopes = append(make([]openScope, 0, 16), openScope{})
	if err := l.scan(); err != nil {
		return err
	}
	if entry != "" && !l.hasEntry(entry) {
		return errorf(ErrSource, "the entry point %q is not declared; add it to the template or set its name there", entry)
	}
	return nil
}

// linter is the state of one scan.
type linter struct {
	src     string
	origins SourceMap

	pos, line int // line counts from 0
	parens    int
	scopes    []openScope
	lastScope int32
	head      headKind
	headScope int32 // of the function or struct whose head is being read
	// members says that words followed by a colon are parameters or struct
	// members, where memberParens parentheses are open.
	members      bool
	memberParens int

	names []declaredName
	table []int32 // open addressing: index into names plus one, by hash
}

// headKind is the declaration between its keyword and its opening brace.
type headKind uint8

const (
	headNone headKind = iota
	headFunction
	headStruct
)

type openScope struct {
	id   int32
	line int
}

// declaredName is a name as its place in the source.
type declaredName struct {
	start, end int32
	scope      int32
	line       int32
	function   bool
}

// byteClass sorts bytes by what the scanner does at them.
type byteClass uint8

const (
	classSkip byteClass = iota
	classWord
	classNewline
	classSlash
	classOpen
	classClose
	classParenOpen
	classParenClose
	classAt
	classDot
)

// byteClasses is read only.
var byteClasses = func() (t [256]byteClass) {
	for c := range t {
		if c >= utf8.RuneSelf || isNameByte(byte(c)) {
			t[c] = classWord
		}
	}
	t['\n'] = classNewline
	t['/'] = classSlash
	t['{'], t['}'] = classOpen, classClose
	t['('], t[')'] = classParenOpen, classParenClose
	t['@'] = classAt
	t['.'] = classDot
	return t
}()

// declarator reports the words that keyword acts on.
func declarator(word string) bool {
	switch len(word) {
	case 2:
		return word == "fn"
	case 3:
		return word == "let" || word == "var"
	case 5:
		return word == "const" || word == "alias"
	case 6:
		return word == "struct" || word == "enable"
	case 8:
		return word == "override" || word == "requires"
	case 10:
		return word == "diagnostic"
	case 12:
		return word == "const_assert"
	}
	return false
}

// checkText refuses text that cannot be handed to a compiler as a C string of UTF-8.
func (l *linter) checkText() error {
	if i := strings.IndexByte(l.src, 0); i >= 0 {
		return errorf(ErrSource, "%s has a zero byte; remove it", l.at(strings.Count(l.src[:i], "\n")))
	}
	if utf8.ValidString(l.src) {
		return nil
	}
	for line, text := range strings.Split(l.src, "\n") {
		if !utf8.ValidString(text) {
			return errorf(ErrSource, "%s is not valid UTF-8; save the WGSL as UTF-8", l.at(line))
		}
	}
	return nil
}

func (l *linter) scan() error {
	src := l.src
	i := 0
	for i < len(src) {
		switch byteClasses[src[i]] {
		case classSkip:
			for i++; i < len(src) && byteClasses[src[i]] == classSkip; i++ {
			}
		case classNewline:
			l.line++
			i++
		case classWord:
			start := i
			i++
			for i < len(src) && byteClasses[src[i]] == classWord {
				i++
			}
			if declarator(src[start:i]) {
				l.pos = i
				if err := l.keyword(src[start:i]); err != nil {
					return err
				}
				i = l.pos
			} else if l.members && l.parens == l.memberParens {
				if err := l.member(start, i); err != nil {
					return err
				}
			}
		case classDot:
			// A member, which may be spelt like a keyword's start: nothing is declared here.
			i++
			for i < len(src) && byteClasses[src[i]] == classWord {
				i++
			}
		case classAt:
			end := l.attribute(i)
			if src[i+1:end] == "diagnostic" {
				return errorf(ErrSource, "%s: naga 0.19 has no diagnostic filters; remove @diagnostic", l.at(l.line))
			}
			i = end
		case classSlash:
			if i+1 < len(src) && src[i+1] == '/' {
				n := strings.IndexByte(src[i:], '\n')
				if n < 0 {
					n = len(src) - i
				}
				i += n
			} else if i+1 < len(src) && src[i+1] == '*' {
				l.pos = i
				if err := l.blockComment(); err != nil {
					return err
				}
				i = l.pos
			} else {
				i++
			}
		case classParenOpen:
			l.parens++
			i++
		case classParenClose:
			if l.parens--; l.parens < 0 {
				return errorf(ErrSource, "%s closes a parenthesis that is not open", l.at(l.line))
			}
			i++
		case classOpen:
			if l.parens != 0 {
				return errorf(ErrSource, "%s opens a brace inside parentheses; close the parenthesis first", l.at(l.line))
			}
			l.open()
			i++
		case classClose:
			if len(l.scopes) == 1 {
				return errorf(ErrSource, "%s closes a brace that is not open", l.at(l.line))
			}
			if l.parens != 0 {
				return errorf(ErrSource, "%s closes a brace inside parentheses; close the parenthesis first", l.at(l.line))
			}
			l.scopes = l.scopes[:len(l.scopes)-1]
			l.members = false
			i++
		}
	}
	if n := len(l.scopes); n > 1 {
		return errorf(ErrSource, "%s opens a brace that is never closed", l.at(l.scopes[n-1].line))
	}
	if l.parens != 0 {
		return errorf(ErrSource, "a parenthesis is never closed in the module that ends at %s", l.at(l.line))
	}
	return nil
}

// open enters a block. The body of a function shares the scope of its
// parameters; a struct is the scope of its members.
func (l *linter) open() {
	s := openScope{line: l.line}
	if l.head == headNone {
		l.lastScope++
		s.id = l.lastScope
	} else {
		s.id = l.headScope
		l.members, l.memberParens = l.head == headStruct, 0
		l.head = headNone
	}
	l.scopes = append(l.scopes, s)
}

// attribute returns the end of the attribute's name at i.
func (l *linter) attribute(i int) int {
	for i++; i < len(l.src) && byteClasses[l.src[i]] == classWord; i++ {
	}
	return i
}

func (l *linter) blockComment() error {
	line := l.line
	depth := 0
	for i := l.pos; i < len(l.src); i++ {
		switch c := l.src[i]; {
		case c == '\n':
			l.line++
		case c == '/' && i+1 < len(l.src) && l.src[i+1] == '*':
			depth++
			i++
		case c == '*' && i+1 < len(l.src) && l.src[i+1] == '/':
			i++
			if depth--; depth == 0 {
				l.pos = i + 1
				return nil
			}
		}
	}
	return errorf(ErrSource, "%s opens a comment that is never closed", l.at(line))
}

// keyword handles the word that ends at l.pos.
func (l *linter) keyword(word string) error {
	module := len(l.scopes) == 1
	switch word {
	case "fn":
		err := l.declare(l.next(), true)
		l.head, l.members, l.memberParens = headFunction, true, 1
		l.lastScope++
		l.headScope = l.lastScope
		return err
	case "struct":
		err := l.declare(l.next(), false)
		l.head = headStruct
		l.lastScope++
		l.headScope = l.lastScope
		return err
	case "let", "var", "const", "alias":
		if word == "var" {
			l.skipTemplate()
		}
		start := l.next()
		if l.parens > 0 {
			// A for loop's own variable, whose scope is the loop.
			return l.checkName(l.src[start:l.pos])
		}
		return l.declare(start, false)
	case "override":
		if module {
			return errorf(ErrSource, "%s: naga 0.19 has no pipeline overrides; declare a Constant instead of override", l.at(l.line))
		}
	case "enable", "requires", "diagnostic":
		if module {
			return errorf(ErrSource, "%s: naga 0.19 has no directive %s; remove it", l.at(l.line), word)
		}
	case "const_assert":
		return errorf(ErrSource, "%s: naga 0.19 has no const_assert; remove it", l.at(l.line))
	}
	return nil
}

// member handles a word in a parameter list or struct body: it declares a
// name if a colon follows.
func (l *linter) member(start, end int) error {
	i := end
	for i < len(l.src) && (l.src[i] == ' ' || l.src[i] == '\t') {
		i++
	}
	if i >= len(l.src) || l.src[i] != ':' {
		return nil
	}
	scope := l.headScope
	if l.head != headFunction {
		scope = l.scopes[len(l.scopes)-1].id
	}
	return l.add(start, end, scope, false)
}

// next moves past the identifier after l.pos and returns its start, which is
// l.pos if there is none.
func (l *linter) next() int {
	i := l.pos
	for i < len(l.src) {
		switch c := l.src[i]; {
		case c == ' ' || c == '\t' || c == '\r':
			i++
			continue
		case c == '\n':
			l.line++
			i++
			continue
		case byteClasses[c] == classWord:
			start := i
			for i < len(l.src) && byteClasses[l.src[i]] == classWord {
				i++
			}
			l.pos = i
			return start
		}
		break
	}
	l.pos = i
	return i
}

// skipTemplate skips the address space of "var<private>".
func (l *linter) skipTemplate() {
	i := l.pos
	for i < len(l.src) && (l.src[i] == ' ' || l.src[i] == '\t') {
		i++
	}
	if i >= len(l.src) || l.src[i] != '<' {
		return
	}
	end := strings.IndexByte(l.src[i:], '>')
	if end < 0 {
		return
	}
	l.line += strings.Count(l.src[i:i+end], "\n")
	l.pos = i + end + 1
}

// declare adds the name from start to l.pos to the innermost scope.
func (l *linter) declare(start int, function bool) error {
	return l.add(start, l.pos, l.scopes[len(l.scopes)-1].id, function)
}

// checkName refuses what WGSL reserves. An empty name is the compiler's to report.
func (l *linter) checkName(name string) error {
	if name != "" && reserved(name) {
		return errorf(ErrName, "%s declares %q, which is a reserved word of WGSL; rename it", l.at(l.line), name)
	}
	return nil
}

func (l *linter) add(start, end int, scope int32, function bool) error {
	if start == end {
		return nil // the compiler will say what stands there
	}
	name := l.src[start:end]
	if err := l.checkName(name); err != nil {
		return err
	}
	if scope == 0 && predeclared(name) {
		return errorf(ErrName, "%s declares %q, which hides WGSL's own from every fragment; rename it", l.at(l.line), name)
	}
	if 2*len(l.names) >= len(l.table) {
		l.grow()
	}
	slot := l.find(name, scope)
	if i := l.table[slot]; i != 0 {
		return l.duplicate(l.names[i-1], function)
	}
	l.names = append(l.names, declaredName{int32(start), int32(end), scope, int32(l.line), function})
	l.table[slot] = int32(len(l.names))
	return nil
}

// find returns the table slot of a name, or the free one it would take.
func (l *linter) find(name string, scope int32) uint32 {
	h := uint32(2166136261) ^ uint32(scope)*0x9e3779b1
	for i := 0; i < len(name); i++ { // FNV-1a
		h = (h ^ uint32(name[i])) * 16777619
	}
	h ^= h >> 15
	mask := uint32(len(l.table) - 1)
	for slot := h & mask; ; slot = (slot + 1) & mask {
		i := l.table[slot]
		if i == 0 || l.names[i-1].scope == scope && l.name(l.names[i-1]) == name {
			return slot
		}
	}
}

func (l *linter) name(n declaredName) string { return l.src[n.start:n.end] }

func (l *linter) grow() {
	l.table = make([]int32, 2*len(l.table))
	for i, n := range l.names {
		l.table[l.find(l.name(n), n.scope)] = int32(i + 1)
	}
}

func (l *linter) hasEntry(name string) bool {
	i := l.table[l.find(name, 0)]
	return i != 0 && l.names[i-1].function
}

func (l *linter) duplicate(first declaredName, function bool) error {
	what, cure := "name", "rename one"
	switch {
	case first.function && function:
		what, cure = "function", "rename one, or move it to a fragment that both list in Requires"
	case first.scope != 0:
		cure = "rename one, or put each in braces of its own"
	}
	return errorf(ErrConflict, "%s %q is declared twice in one scope: at %s and at %s; %s",
		what, l.name(first), l.at(int(first.line)), l.at(l.line), cure)
}

// at names the origin of a line, counted from 0.
func (l *linter) at(line int) string {
	if line >= len(l.origins) {
		return "line " + strconv.Itoa(line+1)
	}
	return l.origins[line].String()
}
