package gpu

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Limits of a shader's text. The compiler, naga 0.19, recurses over expressions,
// blocks and declarations without a limit of its own, and the end of its stack
// is the end of the process: with an 8 MiB stack that was seen at 3,000 nested
// brackets, 10,000 operators in one expression, 10,000 links of an if-else chain
// and 30,000 constants that each name the next.
const (
	maxNesting   = 256
	maxOperators = 1000
	maxElse      = 1000
	maxConstants = 4000
)

// checkWGSL says why the text must not be handed to the compiler, if so.
func checkWGSL(s string) error {
	switch {
	case strings.TrimSpace(s) == "":
		return fmt.Errorf("the source is empty")
	case !utf8.ValidString(s):
		return fmt.Errorf("the source is not UTF-8 text")
	case strings.IndexByte(s, 0) >= 0:
		return fmt.Errorf("the source has a NUL byte")
	case strings.Count(s, "else") > maxElse:
		return fmt.Errorf("it has more than %d else branches", maxElse)
	case strings.Count(s, "const ") > maxConstants:
		return fmt.Errorf("it has more than %d constants", maxConstants)
	}
	depth, operators, line := 0, 0, 1
	for i := 0; i < len(s); i++ {
		switch c := s[i]; c {
		case '\n':
			line++
		case '/':
			if n := comment(s[i:]); n > 0 {
				line += strings.Count(s[i:i+n], "\n")
				i += n - 1
				continue
			}
			operators++
		case '(', '[':
			depth++
			operators++
		case ')', ']':
			depth--
		case '{':
			depth++
			operators = 0
		case '}':
			depth--
			operators = 0
		case ';', ',':
			operators = 0
		case '+', '-', '*', '%', '&', '|', '^', '!', '~', '<', '>', '=', '.':
			operators++
		}
		switch {
		case depth > maxNesting:
			return fmt.Errorf("line %d: brackets nest deeper than %d", line, maxNesting)
		case operators > maxOperators:
			return fmt.Errorf("line %d: an expression of more than %d operators", line, maxOperators)
		}
	}
	return nil
}

// comment is the length of the comment that s begins with, 0 if there is none.
// Block comments nest.
func comment(s string) int {
	switch {
	case strings.HasPrefix(s, "//"):
		if n := strings.IndexByte(s, '\n'); n >= 0 {
			return n
		}
		return len(s)
	case strings.HasPrefix(s, "/*"):
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
	return 0
}
