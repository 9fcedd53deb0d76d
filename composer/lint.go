package composer

import (
	"errors"
	"strconv"
	"strings"
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
	l.reset(src, m, checked)
	if err := l.checkText(); err != nil {
		return err
	}
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
func (l *linter) reset(src string, m SourceMap, checked []body) {
	l.src, l.origins, l.checked = src, m, checked
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

// at names the origin of a place.
func (l *linter) at(place int) string {
	line := strings.Count(l.src[:place], "\n")
	if line >= l.origins.Len() {
		return "line " + strconv.Itoa(line+1)
	}
	return l.origins.At(line + 1).String()
}
