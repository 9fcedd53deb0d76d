package composer

import (
	"encoding/binary"
	"math"
	"reflect"
	"strconv"
	"strings"
)

// UniformWriter fills a buffer by the names of its fields. A value must have
// the field's scalar type and number of components: a vec3<f32> takes three
// floats, a mat3x3<f32> nine in column-major order, an array<vec4<f32>, 4>
// sixteen. Padding is the writer's business. A writer is not for use by
// several goroutines at once.
type UniformWriter struct {
	root *wgslType
	buf  []byte
	top  map[string]*member // of the root, where it has many
}

// NewUniformWriter returns a writer for one buffer of the layout, all zero.
func NewUniformWriter(u *UBO) *UniformWriter {
	w := &UniformWriter{root: u.root, buf: make([]byte, u.Size)}
	if w.root == nil && len(u.Fields) > 0 {
		// A layout that was put together by hand: its offsets are as given.
		w.root = &wgslType{kind: kindStruct}
		ts := &types{}
		for _, f := range u.Fields {
			t, err := ts.resolve(f.Type)
			if err == nil && f.Offset >= 0 && f.Offset+t.size <= u.Size {
				w.root.members = append(w.root.members, member{name: f.Name, typ: t, offset: f.Offset})
			}
		}
	}
	if w.root != nil && len(w.root.members) > shortList {
		w.top = make(map[string]*member, len(w.root.members))
		for i := range w.root.members {
			w.top[w.root.members[i].name] = &w.root.members[i]
		}
	}
	return w
}

// Bytes is the buffer itself, little-endian as the GPU reads it. It changes
// with later writes.
func (w *UniformWriter) Bytes() []byte { return w.buf }

// Reset sets every byte to zero.
func (w *UniformWriter) Reset() { clear(w.buf) }

// Has reports whether the layout has the field. The name may be a path.
func (w *UniformWriter) Has(name string) bool {
	_, _, why := w.find(name)
	return why == ""
}

// Set writes a field. The name may lead into structs and arrays, as in
// "fog.color" or "lights[3].color". f32 fields take float32 and float64,
// i32 signed integers, u32 unsigned integers and bool; an int, the type of an
// untyped constant, fits both integer types. Vectors, matrices and arrays
// take slices and arrays of those, nested or flat, of any named type.
func (w *UniformWriter) Set(name string, v any) error {
	switch x := v.(type) {
	case float32:
		return w.SetFloats(name, x)
	case float64:
		return w.SetFloat64s(name, x)
	case []float32:
		return w.SetFloats(name, x...)
	case []float64:
		return w.SetFloat64s(name, x...)
	case int32:
		return w.SetInts(name, x)
	case []int32:
		return w.SetInts(name, x...)
	case uint32:
		return w.SetUints(name, x)
	case []uint32:
		return w.SetUints(name, x...)
	case bool:
		if x {
			return w.SetUints(name, 1)
		}
		return w.SetUints(name, 0)
	}
	return w.setReflect(name, reflect.ValueOf(v))
}

// SetFloats writes an f32 field of len(v) components. It does not allocate.
func (w *UniformWriter) SetFloats(name string, v ...float32) error {
	t, off, err := w.open(name, 'f', len(v), "float32")
	if err != nil {
		return err
	}
	for i, x := range v {
		w.put(off+t.componentOffset(i), math.Float32bits(x))
	}
	return nil
}

// SetFloat64s is SetFloats for float64, rounded to f32.
func (w *UniformWriter) SetFloat64s(name string, v ...float64) error {
	t, off, err := w.open(name, 'f', len(v), "float64")
	if err != nil {
		return err
	}
	for _, x := range v {
		if overflows(x) {
			return errorf(ErrType, "uniform field %q: %v is out of range of f32", name, x)
		}
	}
	for i, x := range v {
		w.put(off+t.componentOffset(i), math.Float32bits(float32(x)))
	}
	return nil
}

// SetInts writes an i32 field of len(v) components. It does not allocate.
func (w *UniformWriter) SetInts(name string, v ...int32) error {
	t, off, err := w.open(name, 'i', len(v), "int32")
	if err != nil {
		return err
	}
	for i, x := range v {
		w.put(off+t.componentOffset(i), uint32(x))
	}
	return nil
}

// SetUints writes a u32 field of len(v) components. It does not allocate.
func (w *UniformWriter) SetUints(name string, v ...uint32) error {
	t, off, err := w.open(name, 'u', len(v), "uint32")
	if err != nil {
		return err
	}
	for i, x := range v {
		w.put(off+t.componentOffset(i), x)
	}
	return nil
}

func (w *UniformWriter) put(off int, bits uint32) { binary.LittleEndian.PutUint32(w.buf[off:], bits) }

// overflows reports a finite number that would become infinite as an f32.
func overflows(x float64) bool {
	return math.IsInf(float64(float32(x)), 0) && !math.IsInf(x, 0)
}

// open finds a field and checks that n values of a kind fit it.
func (w *UniformWriter) open(name string, scalar byte, n int, goType string) (*wgslType, int, error) {
	t, off, why := w.find(name)
	if why != "" {
		return nil, 0, errorf(ErrName, "uniform field %q: %s", name, why)
	}
	want := t.components()
	if want == 0 {
		return nil, 0, errorf(ErrType, "uniform field %q is %s; set its fields by path", name, t.text)
	}
	if t.scalar != scalar || want != n {
		return nil, 0, errorf(ErrType, "uniform field %q is %s and takes %d of %s, not %d of %s",
			name, t.text, want, goNames(t.scalar), n, goType)
	}
	return t, off, nil
}

func goNames(scalar byte) string {
	switch scalar {
	case 'f':
		return "float32 or float64"
	case 'i':
		return "int32"
	}
	return "uint32"
}

// componentOffset is the byte offset of scalar i of a tightly packed value.
func (t *wgslType) componentOffset(i int) int {
	off := 0
	for t.kind == kindArray {
		n := t.elem.components()
		off += i / n * t.stride
		i, t = i%n, t.elem
	}
	if t.kind == kindMatrix {
		return off + i/t.rows*t.stride + i%t.rows*4
	}
	return off + i*4
}

// find follows a path; why says what is wrong with it.
func (w *UniformWriter) find(path string) (t *wgslType, off int, why string) {
	if w.root == nil {
		return nil, 0, "the layout has no fields"
	}
	t = w.root
	for rest := path; ; {
		n := strings.IndexAny(rest, ".[")
		name := rest
		if n >= 0 {
			name = rest[:n]
		}
		var m *member
		if t == w.root && w.top != nil {
			m = w.top[name]
		} else {
			m = t.member(name)
		}
		if m == nil {
			if t == w.root {
				return nil, 0, "the layout has no such field"
			}
			return nil, 0, "struct " + t.text + " has no field " + quote(name)
		}
		t, off = m.typ, off+m.offset
		if n < 0 {
			return t, off, ""
		}
		for rest = rest[n:]; strings.HasPrefix(rest, "["); {
			end := strings.IndexByte(rest, ']')
			i := -1
			if end > 1 {
				if v, err := strconv.ParseUint(rest[1:end], 10, 31); err == nil {
					i = int(v)
				}
			}
			if i < 0 {
				return nil, 0, "the index is not a number in brackets"
			}
			if t.kind != kindArray {
				return nil, 0, t.text + " has no elements to index"
			}
			if i >= t.count {
				return nil, 0, "index " + strconv.Itoa(i) + " is outside " + t.text
			}
			off += i * t.stride
			t, rest = t.elem, rest[end+1:]
		}
		if rest == "" {
			return t, off, ""
		}
		if rest[0] != '.' {
			return nil, 0, "want a dot or a bracket before " + quote(rest)
		}
		if t.kind != kindStruct {
			return nil, 0, t.text + " has no fields"
		}
		rest = rest[1:]
	}
}

// member finds a field of a struct.
func (t *wgslType) member(name string) *member {
	for i := range t.members {
		if t.members[i].name == name {
			return &t.members[i]
		}
	}
	return nil
}

// setReflect writes named types, arrays and nested arrays.
func (w *UniformWriter) setReflect(name string, v reflect.Value) error {
	if !v.IsValid() {
		return errorf(ErrType, "uniform field %q: there is no value", name)
	}
	n, leaf := flatten(v)
	if leaf == reflect.Invalid {
		return errorf(ErrType, "uniform field %q: a %s cannot be written; use numbers or arrays of numbers", name, v.Type())
	}
	scalar := byte(0)
	if t, _, why := w.find(name); why == "" && fits(leaf, t.scalar) {
		scalar = t.scalar
	}
	t, off, err := w.open(name, scalar, n, v.Type().String())
	if err != nil {
		return err
	}
	if bad, ok := check(v, scalar); !ok {
		return errorf(ErrType, "uniform field %q: %v is out of range of %s", name, bad, scalarName(scalar))
	}
	i := 0
	w.putReflect(t, off, &i, v)
	return nil
}

// flatten counts the scalars of a value and names their kind, which is
// Invalid where they differ in number or are no numbers.
func flatten(v reflect.Value) (int, reflect.Kind) {
	switch v.Kind() {
	case reflect.Slice, reflect.Array:
		n, leaf := 0, reflect.Invalid
		for i := range v.Len() {
			m, k := flatten(v.Index(i))
			if k == reflect.Invalid || leaf != reflect.Invalid && k != leaf {
				return 0, reflect.Invalid
			}
			n, leaf = n+m, k
		}
		if v.Len() == 0 {
			leaf = elemKind(v.Type())
		}
		return n, leaf
	}
	if fits(v.Kind(), 'f') || fits(v.Kind(), 'i') || fits(v.Kind(), 'u') {
		return 1, v.Kind()
	}
	return 0, reflect.Invalid
}

// elemKind is the kind of the scalars of an empty slice.
func elemKind(t reflect.Type) reflect.Kind {
	for t.Kind() == reflect.Slice || t.Kind() == reflect.Array {
		t = t.Elem()
	}
	if k := t.Kind(); fits(k, 'f') || fits(k, 'i') || fits(k, 'u') {
		return k
	}
	return reflect.Invalid
}

// fits reports whether a kind of Go value can become a WGSL scalar.
func fits(k reflect.Kind, scalar byte) bool {
	switch k {
	case reflect.Float32, reflect.Float64:
		return scalar == 'f'
	case reflect.Int:
		return scalar == 'i' || scalar == 'u'
	case reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return scalar == 'i'
	case reflect.Bool, reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return scalar == 'u'
	}
	return false
}

// check finds a scalar that is out of the range of its WGSL type.
func check(v reflect.Value, scalar byte) (bad any, ok bool) {
	switch v.Kind() {
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			if bad, ok := check(v.Index(i), scalar); !ok {
				return bad, false
			}
		}
		return nil, true
	case reflect.Float32, reflect.Float64:
		return v.Float(), !overflows(v.Float())
	case reflect.Bool:
		return nil, true
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return v.Uint(), v.Uint() <= math.MaxUint32
	}
	if scalar == 'u' {
		return v.Int(), v.Int() >= 0 && v.Int() <= math.MaxUint32
	}
	return v.Int(), v.Int() >= math.MinInt32 && v.Int() <= math.MaxInt32
}

// putReflect writes the scalars of v from component *i on.
func (w *UniformWriter) putReflect(t *wgslType, off int, i *int, v reflect.Value) {
	var bits uint32
	switch v.Kind() {
	case reflect.Slice, reflect.Array:
		for n := range v.Len() {
			w.putReflect(t, off, i, v.Index(n))
		}
		return
	case reflect.Float32, reflect.Float64:
		bits = math.Float32bits(float32(v.Float()))
	case reflect.Bool:
		if v.Bool() {
			bits = 1
		}
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		bits = uint32(v.Uint())
	default:
		bits = uint32(v.Int())
	}
	w.put(off+t.componentOffset(*i), bits)
	*i++
}
