package composer

import (
	"errors"
	"fmt"
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
	return &Error{kind, fmt.Sprintf(format, args...)}
}

// within puts the template or part in front of an error's text.
func within(where string, err error) error {
	var e *Error
	if errors.As(err, &e) {
		return &Error{e.Kind, where + ": " + e.Text}
	}
	return fmt.Errorf("composer: %s: %w", where, err)
}
