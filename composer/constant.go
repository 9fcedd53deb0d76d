package composer

import (
	"math"
	"strconv"
)

// literal is the constant's value as WGSL text of its type. It is always
// typed, since naga 0.19 does not convert abstract numbers in declarations.
func (c Constant) literal() (string, error) {
	bad := func() (string, error) {
		return "", errorf(ErrType, "constant %q is %s and cannot have the value %v (%T)", c.Name, c.Type, c.Value, c.Value)
	}
	switch c.Type {
	case "bool":
		v, ok := c.Value.(bool)
		if !ok {
			return bad()
		}
		return strconv.FormatBool(v), nil
	case "i32":
		v, ok := integer(c.Value)
		if !ok || v < math.MinInt32 || v > math.MaxInt32 {
			return bad()
		}
		if v == math.MinInt32 {
			// A literal has no sign, and 2147483648i is out of range.
			return "-2147483647i - 1i", nil
		}
		return strconv.FormatInt(v, 10) + "i", nil
	case "u32":
		v, ok := integer(c.Value)
		if !ok || v < 0 || v > math.MaxUint32 {
			return bad()
		}
		return strconv.FormatInt(v, 10) + "u", nil
	case "f32":
		var v float64
		switch x := c.Value.(type) {
		case float64:
			v = x
		case float32:
			v = float64(x)
		default:
			n, ok := integer(c.Value)
			if !ok {
				return bad()
			}
			v = float64(n)
		}
		f := float32(v)
		if math.IsNaN(v) || math.IsInf(float64(f), 0) {
			return bad()
		}
		return FloatLiteral(float64(f)), nil
	}
	return "", errorf(ErrType, "constant %q has the type %q; use f32, i32, u32 or bool", c.Name, c.Type)
}

// FloatLiteral is a finite value as a WGSL literal of type f32.
func FloatLiteral(v float64) string { return strconv.FormatFloat(v, 'g', -1, 32) + "f" }

// integer reads any of Go's integer types that fits an int64.
func integer(v any) (int64, bool) {
	switch x := v.(type) {
	case int:
		return int64(x), true
	case int8:
		return int64(x), true
	case int16:
		return int64(x), true
	case int32:
		return int64(x), true
	case int64:
		return x, true
	case uint:
		return int64(x), x <= math.MaxInt64
	case uint8:
		return int64(x), true
	case uint16:
		return int64(x), true
	case uint32:
		return int64(x), true
	case uint64:
		return int64(x), x <= math.MaxInt64
	}
	return 0, false
}

// sameConstant compares by the WGSL that the constants become.
func sameConstant(a, b Constant) bool {
	if a.Name != b.Name || a.Type != b.Type {
		return false
	}
	x, err := a.literal()
	if err != nil {
		return false
	}
	y, err := b.literal()
	return err == nil && x == y
}
