// Package meshopt decompresses what EXT_meshopt_compression and
// KHR_meshopt_compression hold: attributes (versions 0 and 1), triangles and
// indices, and the filters that turn attributes into their final form. It
// follows the appendices of the two extensions.
package meshopt

import (
	"errors"
	"fmt"
)

// Mode is the kind of data, as the extension's mode property names it.
type Mode string

// Modes.
const (
	Attributes Mode = "ATTRIBUTES"
	Triangles  Mode = "TRIANGLES"
	Indices    Mode = "INDICES"
)

// Filter is applied to decompressed attributes, as the extension's filter
// property names it; empty means none.
type Filter string

// Filters.
const (
	None        Filter = "NONE"
	Octahedral  Filter = "OCTAHEDRAL"
	Quaternion  Filter = "QUATERNION"
	Exponential Filter = "EXPONENTIAL"
	Color       Filter = "COLOR" // KHR_meshopt_compression only
)

// ErrBroken is wrapped by the errors of data that no encoder writes.
var ErrBroken = errors.New("the data is broken")

var errShort = fmt.Errorf("the data ends too early: %w", ErrBroken)

// Decode decompresses count elements of stride bytes. Parameters that the
// extensions do not allow, and data that does not hold just that many, are
// errors.
func Decode(data []byte, count, stride int, mode Mode, filter Filter) ([]byte, error) {
	out, err := decode(data, count, stride, mode, filter)
	if err != nil {
		return nil, fmt.Errorf("meshopt: %d × %d bytes of %s: %w", count, stride, mode, err)
	}
	return out, nil
}

func decode(data []byte, count, stride int, mode Mode, filter Filter) ([]byte, error) {
	if count < 0 || count > 1<<30 {
		return nil, fmt.Errorf("a count of %d is not allowed", count)
	}
	if filter == "" {
		filter = None
	}
	switch mode {
	case Attributes:
		if stride < 4 || stride > 256 || stride%4 != 0 {
			return nil, fmt.Errorf("a stride of %d is not allowed; it has to be a multiple of 4 up to 256", stride)
		}
	case Triangles, Indices:
		if stride != 2 && stride != 4 {
			return nil, fmt.Errorf("a stride of %d is not allowed; it has to be 2 or 4", stride)
		}
		if mode == Triangles && count%3 != 0 {
			return nil, errors.New("the count is not one of whole triangles")
		}
		if filter != None {
			return nil, fmt.Errorf("filter %q is not allowed here", filter)
		}
	default:
		return nil, fmt.Errorf("mode %q is not known", mode)
	}
	switch ok := true; filter {
	case Octahedral, Color:
		ok = stride == 4 || stride == 8
		fallthrough
	case Quaternion:
		if !ok || filter == Quaternion && stride != 8 {
			return nil, fmt.Errorf("a stride of %d is not allowed with filter %q", stride, filter)
		}
	case None, Exponential:
	default:
		return nil, fmt.Errorf("filter %q is not known", filter)
	}
	switch mode {
	case Triangles:
		return triangles(data, count, stride)
	case Indices:
		return indices(data, count, stride)
	}
	out, err := attributes(data, count, stride)
	if err == nil {
		apply(out, stride, filter)
	}
	return out, err
}
