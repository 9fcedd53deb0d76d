package composer

import (
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"unicode"
)

// The kinds of error that a composition can end with; match them with errors.Is.
var (
	// ErrDuplicate is two fragments with one id.
	ErrDuplicate = errors.New("duplicate fragment id")
	// ErrDependency is a dependency that is not in the list, or not ahead where the order is the caller's.
	ErrDependency = errors.New("missing dependency")
	// ErrCycle is fragments that need each other.
	ErrCycle = errors.New("dependency cycle")
	// ErrConflict is one name declared in two ways.
	ErrConflict = errors.New("conflicting declarations")
	// ErrSlot is code or a declaration for a place that the template lacks.
	ErrSlot = errors.New("slot missing in template")
	// ErrName is a name that WGSL does not allow.
	ErrName = errors.New("invalid name")
	// ErrType is a type, format or value that does not fit its use.
	ErrType = errors.New("invalid type")
	// ErrLimit is a shader or state that is beyond the device's limits.
	ErrLimit = errors.New("limit exceeded")
	// ErrState is fixed-function state that contradicts itself or the shader.
	ErrState = errors.New("invalid state")
)

// Error is a refused composition, layout or state. It unwraps to one of the
// kinds above; its text is a whole sentence and does not repeat the kind.
type Error struct {
	Kind error
	Text string
}

func (e *Error) Error() string { return "composer: " + e.Text }

// Unwrap returns the kind.
func (e *Error) Unwrap() error { return e.Kind }

func errorf(kind error, format string, args ...any) error {
	for i, a := range args {
		if v := reflect.ValueOf(a); v.Kind() == reflect.String {
			args[i] = shorten(v.String())
		}
	}
	return &Error{kind, visible(fmt.Sprintf(format, args...))}
}

// quote writes a name in an error.
func quote(s string) string { return strconv.Quote(shorten(s)) }

// shorten cuts the middle out of what is too long for an error of one line.
func shorten(s string) string {
	const head, tail = 160, 40
	if len(s) <= head+tail {
		return s
	}
	return strings.ToValidUTF8(s[:head], "") + "…" + strings.ToValidUTF8(s[len(s)-tail:], "")
}

// visible escapes what would break an error's line.
func visible(s string) string {
	if !strings.ContainsFunc(s, invisible) {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		if invisible(r) {
			b.WriteString(strings.Trim(strconv.QuoteRune(r), "'"))
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// invisible reports control characters and Unicode's line and paragraph separators.
func invisible(r rune) bool { return unicode.IsControl(r) || r == '\u2028' || r == '\u2029' }

// within puts the template or part in front of an error's text.
func within(where string, err error) error {
	var e *Error
	if errors.As(err, &e) {
		return &Error{e.Kind, visible(where) + ": " + e.Text}
	}
	return fmt.Errorf("composer: %s: %w", where, err)
}
