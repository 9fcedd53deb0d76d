package shader

import (
	"fmt"
	"strings"
)

// checkSource refuses, by the line, what a stage's WGSL must not declare: bind
// groups, which the material declares, the names of the prelude, and what is
// not WGSL at all. The rest is the compiler's business.
func checkSource(src, entry, stage string, names map[string]string) error {
	if strings.TrimSpace(src) == "" {
		return fmt.Errorf("there is no WGSL")
	}
	s := scanner{src: src, line: 1}
	found, attributed := false, false
	for {
		d, ok := s.declaration()
		if !ok {
			break
		}
		switch {
		case d.kind == "#":
			return fmt.Errorf("line %d: WGSL has no preprocessor, so %q means nothing; use Defines and if", d.line, d.name)
		case d.group == "0":
			return fmt.Errorf("line %d: %q is in @group(0), which is the scene's; read scene.… and lights.…", d.line, d.name)
		case d.group != "":
			return fmt.Errorf("line %d: %q is in @group(%s), whose bindings the material declares; list it in Samplers, Externals, Buffers or Uniforms", d.line, d.name, d.group)
		case d.kind == "fn" && d.name == entry:
			found = true
			attributed = attributed || d.stage == stage
		}
		if what, ok := names[d.name]; ok {
			return fmt.Errorf("line %d: %s %q has the name of %s in the prelude; rename it or leave it out", d.line, d.kind, d.name, what)
		}
	}
	switch {
	case !found && strings.Contains(src, "void main"):
		return fmt.Errorf("this is GLSL; only WGSL is read")
	case !found:
		return fmt.Errorf("the entry point %s is not declared; write @%s fn %s(…)", entry, stage, entry)
	case !attributed:
		return fmt.Errorf("%s is no entry point; write @%s before it", entry, stage)
	}
	return nil
}

// scanner finds the declarations at module scope. It is no parser: what is in
// braces is skipped, and what it does not know is left to the compiler.
type scanner struct {
	src  string
	at   int
	line int
}

// declared is one declaration, or a line of a preprocessor as kind "#".
type declared struct {
	kind, name   string
	line         int
	group, stage string
}

func (s *scanner) next(n int) {
	s.line += strings.Count(s.src[s.at:s.at+n], "\n")
	s.at += n
}

// declaration returns the next one; false at the end.
func (s *scanner) declaration() (declared, bool) {
	var d declared
	depth := 0
	for s.at < len(s.src) {
		rest := s.src[s.at:]
		switch c := rest[0]; {
		case strings.HasPrefix(rest, "//"):
			n := strings.IndexByte(rest, '\n')
			if n < 0 {
				n = len(rest)
			}
			s.next(n)
		case strings.HasPrefix(rest, "/*"):
			s.next(blockComment(rest))
		case c == '{':
			depth++
			s.next(1)
		case c == '}':
			depth = max(depth-1, 0)
			s.next(1)
			d = declared{}
		case depth > 0:
			s.next(1)
		case c == ';':
			s.next(1)
			d = declared{}
		case c == '#':
			n := strings.IndexByte(rest, '\n')
			if n < 0 {
				n = len(rest)
			}
			d = declared{kind: "#", name: strings.TrimSpace(rest[:n]), line: s.line}
			s.next(n)
			return d, true
		case c == '@':
			n := 1 + word(rest[1:])
			name, arg := rest[1:n], ""
			if at := n + blanks(rest[n:]); at < len(rest) && rest[at] == '(' {
				if end := strings.IndexByte(rest[at:], ')'); end > 0 {
					arg, n = strings.Trim(rest[at+1:at+end], " \t\r\n,"), at+end+1
				}
			}
			switch name {
			case "group":
				d.group = strings.TrimRight(arg, "iu")
			case "vertex", "fragment", "compute":
				d.stage = name
			}
			s.next(n)
		case word(rest) > 0:
			n := word(rest)
			kind := rest[:n]
			s.next(n)
			switch kind {
			case "fn", "struct", "alias", "const", "let", "override", "var", "type":
				rest = s.src[s.at:]
				n = blanks(rest)
				if kind == "var" && n < len(rest) && rest[n] == '<' {
					if end := strings.IndexByte(rest[n:], '>'); end > 0 {
						n += end + 1
						n += blanks(rest[n:])
					}
				}
				s.next(n)
				rest = s.src[s.at:]
				d.kind, d.name, d.line = kind, rest[:word(rest)], s.line
				s.next(len(d.name))
				if d.name == "" {
					d = declared{}
					continue
				}
				return d, true
			}
		default:
			s.next(1)
		}
	}
	return d, false
}

// word is the length of the name, keyword or number at the start of s.
func word(s string) int {
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c != '_' && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (c < '0' || c > '9') && c < 0x80 {
			return i
		}
	}
	return len(s)
}

func blanks(s string) int {
	return len(s) - len(strings.TrimLeft(s, " \t\r\n"))
}

// blockComment is the length of the comment at the start of s; they nest.
func blockComment(s string) int {
	depth := 0
	for i := 0; i+1 < len(s); i++ {
		switch s[i : i+2] {
		case "/*":
			depth++
			i++
		case "*/":
			i++
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return len(s)
}
