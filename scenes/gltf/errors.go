package gltf

import (
	"errors"
	"fmt"
)

// Errors that callers branch on.
var (
	// ErrFormat is what a file is that is not glTF at all.
	ErrFormat = errors.New("not a glTF file")
	// ErrVersion is a version of glTF that is not 2.x.
	ErrVersion = errors.New("glTF version not supported")
	// ErrExtension is an extension that a file requires and that is not here.
	ErrExtension = errors.New("required extension not supported")
	// ErrResource is a buffer or image that cannot be had.
	ErrResource = errors.New("resource not available")
	// ErrTooLarge is a file whose content needs more memory than allowed.
	ErrTooLarge = errors.New("content too large")
)

// errNotUsable is an accessor of a type that glTF 2.0 does not have. The file
// may hold it as long as nothing needs it.
var errNotUsable = errors.New("unknown kind of accessor")

// errNoURI is a buffer that the file mentions without saying where its bytes
// are, which glTF allows (section 3.6.1.1).
var errNoURI = fmt.Errorf("%w: none is named", ErrResource)

// errAbsent is a resource that is named well and is not there.
var errAbsent = fmt.Errorf("%w: it is not there", ErrResource)

// fault is an error about one object of a file.
type fault struct {
	object string // "accessor 3"
	text   string
	cause  error // a sentinel, or nil
}

func (f *fault) Error() string {
	if f.cause != nil {
		return f.object + ": " + f.text + ": " + f.cause.Error()
	}
	return f.object + ": " + f.text
}

func (f *fault) Unwrap() error { return f.cause }

// bad returns an error about an object.
func bad(object, format string, args ...any) error {
	return &fault{object: object, text: fmt.Sprintf(format, args...)}
}

// because is bad with a sentinel.
func because(cause error, object, format string, args ...any) error {
	return &fault{object: object, text: fmt.Sprintf(format, args...), cause: cause}
}

// nth names an element of a list, as in "accessor 3".
func nth(kind string, i int) string { return fmt.Sprintf("%s %d", kind, i) }

// named adds an object's own name, as in `node 12 "arm"`.
func named(kind string, i int, name string) string {
	if name == "" {
		return nth(kind, i)
	}
	if len(name) > 80 {
		name = name[:80] + "…"
	}
	return fmt.Sprintf("%s %d %q", kind, i, name)
}
