package gpu

import (
	"errors"
	"strings"
)

// Errors that callers branch on.
var (
	// ErrNoAdapter is returned where no adapter fits the request.
	ErrNoAdapter = errors.New("no adapter")
	// ErrReleased is returned where an object is used after its release, or after its device was closed.
	ErrReleased = errors.New("was released")
	// ErrOutOfMemory is returned where the device has no memory left for an object.
	ErrOutOfMemory = errors.New("the device is out of memory")
	// ErrLost is returned where the driver has given the device up; it refuses all work from then on.
	ErrLost = errors.New("the device is lost")
	// ErrTimeout is returned where the device does not answer; it refuses all work from then on.
	ErrTimeout = errors.New("timeout")
)

// clean turns an error of the binding into its message alone: without the Go
// method, the C function and the notes that repeat a label the caller adds.
func clean(err error) error {
	if err == nil {
		return nil
	}
	text := message(err)
	// The backend reports these two as mistakes of the caller, by their texts.
	switch {
	case errors.Is(err, ErrOutOfMemory) || strings.Contains(text, "Not enough memory left"):
		return ErrOutOfMemory
	case strings.Contains(text, "Parent device is lost"):
		return ErrLost
	}
	var parts []string
	for _, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "In wgpu") || strings.HasPrefix(line, "note: label = ") || strings.HasPrefix(line, "note: encoder = ") {
			continue
		}
		parts = append(parts, line)
	}
	if len(parts) == 0 {
		return errors.New("the backend refused without a reason")
	}
	return errors.New(strings.Join(parts, "; "))
}

// message strips what stands before every message of the binding.
func message(err error) string {
	s := err.Error()
	if strings.HasPrefix(s, "wgpu.(*") {
		if _, rest, ok := strings.Cut(s, "(): "); ok {
			s = rest
		}
	}
	s = strings.TrimPrefix(s, "Validation Error\n\nCaused by:\n")
	return strings.TrimRight(s, "\n ")
}

// text makes s safe to hand to C, where a NUL ends it.
func text(s string) string { return strings.ReplaceAll(s, "\x00", "") }
