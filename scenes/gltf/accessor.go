package gltf

import (
	"encoding/binary"
	"math"
	"slices"

	"github.com/qmuntal/gltf"
)

// buffer returns the bytes of a buffer, of which there are at least byteLength.
func (l *loader) buffer(i int) ([]byte, error) {
	if l.buffers[i] != nil {
		return l.buffers[i], nil
	}
	b := l.doc.Buffers[i]
	o := named("buffer", i, b.Name)
	var data []byte
	switch uri := l.doc.buffers[i].URI; {
	case uri != nil:
		var err error
		if data, err = l.resource(o, *uri, int64(b.ByteLength)); err != nil {
			return nil, err
		}
	case i == 0 && l.doc.hasBin:
		data = l.doc.bin
	case i == 0 && l.doc.glb:
		return nil, because(errAbsent, o, "it has no uri, and the file has no BIN chunk")
	default:
		return nil, because(errNoURI, o, "it has no uri")
	}
	if len(data) < b.ByteLength {
		return nil, because(ErrResource, o, "byteLength is %d, there are %d bytes", b.ByteLength, len(data))
	}
	l.buffers[i] = data[:b.ByteLength:b.ByteLength]
	return l.buffers[i], nil
}

// view returns the bytes of a bufferView, decompressed.
func (l *loader) view(i int) ([]byte, error) {
	if l.views[i] != nil {
		return l.views[i], nil
	}
	v := l.doc.BufferViews[i]
	data, packed, err := l.meshopt(i)
	if err != nil {
		return nil, err
	}
	if !packed {
		b, err := l.buffer(v.Buffer)
		if err != nil {
			return nil, because(err, nth("bufferView", i), "its data are not to be had")
		}
		data = b[v.ByteOffset : v.ByteOffset+v.ByteLength : v.ByteOffset+v.ByteLength]
	}
	l.views[i] = data
	return data, nil
}

// source is where an accessor's elements are.
type source struct {
	data   []byte // nil: all are zero
	offset int
	stride int
	elem   element
	count  int
	typ    int // component type
	norm   bool
	sparse *sparse
}

// sparse are the elements of an accessor that deviate.
type sparse struct {
	indices []uint32
	values  source
}

// source finds an accessor's bytes and checks that they are all there.
func (l *loader) source(i int) (source, error) {
	if err := l.doc.unusable(i); err != nil {
		return source{}, err
	}
	a := l.doc.Accessors[i]
	typ := *l.doc.accessors[i].ComponentType
	o := named("accessor", i, a.Name)
	s := source{elem: elementOf(a.Type, typ), count: a.Count, typ: typ, norm: a.Normalized}
	s.stride = s.elem.stride()
	if a.BufferView != nil {
		data, err := l.view(*a.BufferView)
		if err != nil {
			return s, because(err, o, "its data are not to be had")
		}
		v := l.doc.BufferViews[*a.BufferView]
		if v.ByteStride != 0 {
			s.stride = v.ByteStride
		}
		s.data, s.offset = data, a.ByteOffset
		if need := s.offset + (s.count-1)*s.stride + s.elem.bytes(); need > len(data) {
			return s, bad(o, "it needs %d bytes of bufferView %d, there are %d", need, *a.BufferView, len(data))
		}
	} else if limit := l.zeros(); a.Count > limit {
		return s, because(ErrTooLarge, o, "%d elements without a bufferView; the file's other accessors hold %d at most", a.Count, limit)
	}
	if a.Sparse == nil {
		return s, nil
	}
	sp := a.Sparse
	it := *l.doc.accessors[i].Sparse.Indices.ComponentType
	idx, err := l.view(sp.Indices.BufferView)
	if err != nil {
		return s, because(err, o, "its sparse indices are not to be had")
	}
	val, err := l.view(sp.Values.BufferView)
	if err != nil {
		return s, because(err, o, "its sparse values are not to be had")
	}
	ie := element{columns: 1, rows: 1, size: componentSize(it)}
	x := &sparse{values: source{data: val, offset: sp.Values.ByteOffset, stride: s.elem.stride(), elem: s.elem, count: sp.Count, typ: typ, norm: s.norm}}
	ix := source{data: idx, offset: sp.Indices.ByteOffset, stride: ie.stride(), elem: ie, count: sp.Count, typ: it}
	if len(idx) < ix.offset+sp.Count*ie.size || len(val) < x.values.offset+(sp.Count-1)*x.values.stride+s.elem.bytes() {
		return s, bad(o, "its %d sparse elements are not all there", sp.Count)
	}
	if err := l.spend(o, int64(sp.Count)*4); err != nil {
		return s, err
	}
	x.indices = make([]uint32, sp.Count)
	ix.uints(x.indices)
	for k, v := range x.indices {
		if int64(v) >= int64(a.Count) {
			return s, bad(o, "sparse index %d is %d, the accessor has %s", k, v, count(a.Count, "element"))
		}
		if k > 0 && v <= x.indices[k-1] {
			return s, bad(o, "sparse index %d is %d after %d, they must ascend", k, v, x.indices[k-1])
		}
	}
	s.sparse = x
	return s, nil
}

// zeros is the largest count of an accessor without data: that of the largest
// with data, since these two meet in one primitive.
func (l *loader) zeros() int {
	n := 1 << 16
	for _, a := range l.doc.Accessors {
		if a.BufferView != nil {
			n = max(n, a.Count)
		}
	}
	for _, m := range l.dracoMeshes {
		n = max(n, m.Points) // a compressed primitive's accessors have no views either
	}
	return n
}

// component reads the component at byte p as a number, normalised where the
// accessor says so (section 3.6.2.2).
func (s *source) component(p int) float32 {
	d := s.data
	switch s.typ {
	case typeFloat:
		return math.Float32frombits(binary.LittleEndian.Uint32(d[p:]))
	case typeUbyte:
		if s.norm {
			return float32(float64(d[p]) / 255)
		}
		return float32(d[p])
	case typeByte:
		if s.norm {
			return float32(math.Max(float64(int8(d[p]))/127, -1))
		}
		return float32(int8(d[p]))
	case typeUshort:
		v := binary.LittleEndian.Uint16(d[p:])
		if s.norm {
			return float32(float64(v) / 65535)
		}
		return float32(v)
	case typeShort:
		v := int16(binary.LittleEndian.Uint16(d[p:]))
		if s.norm {
			return float32(math.Max(float64(v)/32767, -1))
		}
		return float32(v)
	}
	v := binary.LittleEndian.Uint32(d[p:])
	if s.norm {
		return float32(float64(v) / 4294967295)
	}
	return float32(v)
}

// element reads element i into out, which takes all its components.
func (s *source) element(i int, out []float32) {
	p := s.offset + i*s.stride
	col := s.elem.column()
	for c := range s.elem.columns {
		for r := range s.elem.rows {
			out[c*s.elem.rows+r] = s.component(p + c*col + r*s.elem.size)
		}
	}
}

// floats reads all elements, count × components numbers.
func (s *source) floats(out []float32) {
	n := s.elem.components()
	switch {
	case s.data == nil:
	case s.typ == typeFloat && s.elem.columns == 1 && s.stride == n*4:
		for i := range out {
			out[i] = math.Float32frombits(binary.LittleEndian.Uint32(s.data[s.offset+i*4:]))
		}
	default:
		for i := range s.count {
			s.element(i, out[i*n:i*n+n])
		}
	}
	if s.sparse != nil {
		for k, i := range s.sparse.indices {
			s.sparse.values.element(k, out[int(i)*n:int(i)*n+n])
		}
	}
}

// uints reads all elements of an unsigned integer type.
func (s *source) uints(out []uint32) {
	n := s.elem.components()
	read := func(s *source, i int, out []uint32) {
		p := s.offset + i*s.stride
		for k := range out {
			switch s.typ {
			case typeUbyte:
				out[k] = uint32(s.data[p+k])
			case typeUshort:
				out[k] = uint32(binary.LittleEndian.Uint16(s.data[p+k*2:]))
			default:
				out[k] = binary.LittleEndian.Uint32(s.data[p+k*4:])
			}
		}
	}
	if s.data != nil {
		for i := range s.count {
			read(s, i, out[i*n:i*n+n])
		}
	}
	if s.sparse != nil {
		for k, i := range s.sparse.indices {
			read(&s.sparse.values, k, out[int(i)*n:int(i)*n+n])
		}
	}
}

// floats reads an accessor of one of the given types as numbers. All are
// finite. The result is shared: callers must not change it.
func (l *loader) floats(object string, i int, types ...gltf.AccessorType) ([]float32, int, error) {
	a := l.doc.Accessors[i]
	if err := l.doc.unusable(i); err != nil {
		return nil, 0, err
	}
	if !slices.Contains(types, a.Type) {
		return nil, 0, bad(object, "accessor %d is of type %s, want %s", i, a.Type, typeList(types))
	}
	n := elementOf(a.Type, *l.doc.accessors[i].ComponentType).components()
	if f := l.floatCache[i]; f != nil {
		return f, n, nil
	}
	s, err := l.source(i)
	if err != nil {
		return nil, 0, err
	}
	if err := l.spend(named("accessor", i, a.Name), int64(s.count)*int64(n)*4); err != nil {
		return nil, 0, err
	}
	out := make([]float32, s.count*n)
	s.floats(out)
	for k, v := range out {
		if notFinite(v) {
			return nil, 0, bad(named("accessor", i, a.Name), "component %d of element %d is %v", k%n, k/n, v)
		}
	}
	l.floatCache[i] = out
	return out, n, nil
}

// ints reads an accessor of unsigned integers.
func (l *loader) ints(object string, i int, want gltf.AccessorType) ([]uint32, error) {
	a := l.doc.Accessors[i]
	if err := l.doc.unusable(i); err != nil {
		return nil, err
	}
	typ := *l.doc.accessors[i].ComponentType
	if a.Type != want {
		return nil, bad(object, "accessor %d is of type %s, want %s", i, a.Type, want)
	}
	if typ != typeUbyte && typ != typeUshort && typ != typeUint {
		return nil, bad(object, "accessor %d has components of type %d, want unsigned integers (5121, 5123 or 5125)", i, typ)
	}
	if u := l.intCache[i]; u != nil {
		return u, nil
	}
	s, err := l.source(i)
	if err != nil {
		return nil, err
	}
	n := s.elem.components()
	if err := l.spend(named("accessor", i, a.Name), int64(s.count)*int64(n)*4); err != nil {
		return nil, err
	}
	out := make([]uint32, s.count*n)
	s.uints(out)
	l.intCache[i] = out
	return out, nil
}

func typeList(types []gltf.AccessorType) string {
	s := ""
	for i, t := range types {
		if i > 0 {
			s += " or "
		}
		s += t.String()
	}
	return s
}

func notFinite(v float32) bool { return math.Float32bits(v)&0x7F800000 == 0x7F800000 }
