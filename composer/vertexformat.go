package composer

import "strconv"

// VertexFormat is a GPUVertexFormat, e.g. "float32x3".
type VertexFormat string

// The vertex formats of WebGPU. Those of one 8 or 16 bit component and
// unorm8x4-bgra came after wgpu 0.19, which does not know them.
const (
	Uint8           VertexFormat = "uint8"
	Uint8x2         VertexFormat = "uint8x2"
	Uint8x4         VertexFormat = "uint8x4"
	Sint8           VertexFormat = "sint8"
	Sint8x2         VertexFormat = "sint8x2"
	Sint8x4         VertexFormat = "sint8x4"
	Unorm8          VertexFormat = "unorm8"
	Unorm8x2        VertexFormat = "unorm8x2"
	Unorm8x4        VertexFormat = "unorm8x4"
	Snorm8          VertexFormat = "snorm8"
	Snorm8x2        VertexFormat = "snorm8x2"
	Snorm8x4        VertexFormat = "snorm8x4"
	Uint16          VertexFormat = "uint16"
	Uint16x2        VertexFormat = "uint16x2"
	Uint16x4        VertexFormat = "uint16x4"
	Sint16          VertexFormat = "sint16"
	Sint16x2        VertexFormat = "sint16x2"
	Sint16x4        VertexFormat = "sint16x4"
	Unorm16         VertexFormat = "unorm16"
	Unorm16x2       VertexFormat = "unorm16x2"
	Unorm16x4       VertexFormat = "unorm16x4"
	Snorm16         VertexFormat = "snorm16"
	Snorm16x2       VertexFormat = "snorm16x2"
	Snorm16x4       VertexFormat = "snorm16x4"
	Float16         VertexFormat = "float16"
	Float16x2       VertexFormat = "float16x2"
	Float16x4       VertexFormat = "float16x4"
	Float32         VertexFormat = "float32"
	Float32x2       VertexFormat = "float32x2"
	Float32x3       VertexFormat = "float32x3"
	Float32x4       VertexFormat = "float32x4"
	Uint32          VertexFormat = "uint32"
	Uint32x2        VertexFormat = "uint32x2"
	Uint32x3        VertexFormat = "uint32x3"
	Uint32x4        VertexFormat = "uint32x4"
	Sint32          VertexFormat = "sint32"
	Sint32x2        VertexFormat = "sint32x2"
	Sint32x3        VertexFormat = "sint32x3"
	Sint32x4        VertexFormat = "sint32x4"
	Unorm10_10_10_2 VertexFormat = "unorm10-10-10-2"
	Unorm8x4BGRA    VertexFormat = "unorm8x4-bgra"
)

// vertexFormat describes a format: bytes, components, and the scalar that the
// shader sees: 'f' for float, unorm and snorm, 'u', 'i'; all zero if unknown.
type vertexFormat struct {
	size, components int
	scalar           byte
}

func (f VertexFormat) info() vertexFormat {
	switch f {
	case Uint8:
		return vertexFormat{1, 1, 'u'}
	case Uint8x2:
		return vertexFormat{2, 2, 'u'}
	case Uint8x4:
		return vertexFormat{4, 4, 'u'}
	case Sint8:
		return vertexFormat{1, 1, 'i'}
	case Sint8x2:
		return vertexFormat{2, 2, 'i'}
	case Sint8x4:
		return vertexFormat{4, 4, 'i'}
	case Unorm8, Snorm8:
		return vertexFormat{1, 1, 'f'}
	case Unorm8x2, Snorm8x2:
		return vertexFormat{2, 2, 'f'}
	case Unorm8x4, Snorm8x4, Unorm10_10_10_2, Unorm8x4BGRA:
		return vertexFormat{4, 4, 'f'}
	case Uint16:
		return vertexFormat{2, 1, 'u'}
	case Uint16x2:
		return vertexFormat{4, 2, 'u'}
	case Uint16x4:
		return vertexFormat{8, 4, 'u'}
	case Sint16:
		return vertexFormat{2, 1, 'i'}
	case Sint16x2:
		return vertexFormat{4, 2, 'i'}
	case Sint16x4:
		return vertexFormat{8, 4, 'i'}
	case Unorm16, Snorm16, Float16:
		return vertexFormat{2, 1, 'f'}
	case Unorm16x2, Snorm16x2, Float16x2:
		return vertexFormat{4, 2, 'f'}
	case Unorm16x4, Snorm16x4, Float16x4:
		return vertexFormat{8, 4, 'f'}
	case Float32:
		return vertexFormat{4, 1, 'f'}
	case Float32x2:
		return vertexFormat{8, 2, 'f'}
	case Float32x3:
		return vertexFormat{12, 3, 'f'}
	case Float32x4:
		return vertexFormat{16, 4, 'f'}
	case Uint32:
		return vertexFormat{4, 1, 'u'}
	case Uint32x2:
		return vertexFormat{8, 2, 'u'}
	case Uint32x3:
		return vertexFormat{12, 3, 'u'}
	case Uint32x4:
		return vertexFormat{16, 4, 'u'}
	case Sint32:
		return vertexFormat{4, 1, 'i'}
	case Sint32x2:
		return vertexFormat{8, 2, 'i'}
	case Sint32x3:
		return vertexFormat{12, 3, 'i'}
	case Sint32x4:
		return vertexFormat{16, 4, 'i'}
	}
	return vertexFormat{}
}

// Size is the bytes of one attribute, 0 for an unknown format.
func (f VertexFormat) Size() int { return f.info().size }

// Components is how many components the format stores, 0 for an unknown format.
func (f VertexFormat) Components() int { return f.info().components }

// Feeds reports whether the format can feed an attribute of the given WGSL
// type. The scalar must match: float, unorm and snorm formats give f32, uint
// u32 and sint i32. The number of components need not: WebGPU drops what is
// too much and fills up from (0, 0, 0, 1).
func (f VertexFormat) Feeds(typeText string) bool {
	t, err := (&types{}).resolve(typeText)
	return err == nil && f.feeds(t)
}

func (f VertexFormat) feeds(t *wgslType) bool {
	return (t.kind == kindScalar || t.kind == kindVector) && t.scalar != 0 && f.info().scalar == t.scalar
}

// defaultFormat is the 32 bit format of a scalar or vector type.
func defaultFormat(t *wgslType) VertexFormat {
	s := "float32"
	switch t.scalar {
	case 'u':
		s = "uint32"
	case 'i':
		s = "sint32"
	}
	if t.kind == kindVector {
		s += "x" + strconv.Itoa(t.rows)
	}
	return VertexFormat(s)
}
