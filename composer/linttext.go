package composer

import (
	"math/bits"
	"strings"
	"unicode/utf8"
)

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

// load64 is the first eight bytes of s, which must be there.
func load64(s string) uint64 {
	_ = s[7]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}
