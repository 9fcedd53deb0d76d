package gltf

import (
	"slices"

	"github.com/qmuntal/gltf"

	"darkroom/scenes/gltf/draco"
)

const dracoName = "KHR_draco_mesh_compression"

// unpacked is what KHR_draco_mesh_compression held of a primitive.
type unpacked struct {
	mesh       *draco.Mesh
	indices    []uint32
	attributes map[string]uint32 // ids by the name in the file
	view       int
}

// draco decodes a primitive's compressed mesh; nil: it has none.
func (l *loader) draco(o string, p *gltf.Primitive, mode int) (*unpacked, error) {
	var x struct {
		BufferView *int              `json:"bufferView"`
		Attributes map[string]uint32 `json:"attributes"`
	}
	ok, err := extension(p.Extensions, dracoName, o, &x)
	if err != nil || !ok {
		return nil, err
	}
	if x.BufferView == nil {
		return nil, missing(o, dracoName+".bufferView")
	}
	if err := ref(o, dracoName+".bufferView", *x.BufferView, len(l.doc.BufferViews), "bufferView"); err != nil {
		return nil, err
	}
	if mode != modeTriangles && mode != modeTriangleStrip {
		return nil, bad(o, "%s holds triangles, mode is %d", dracoName, mode)
	}
	m := l.dracoMeshes[*x.BufferView]
	if m == nil {
		data, err := l.view(*x.BufferView)
		if err != nil {
			return nil, because(err, o, "its compressed mesh is not to be had")
		}
		// A face needs 12 bytes here, a point at least as many.
		limit := int(min(l.left/12, 1<<24))
		if limit < 1 {
			return nil, because(ErrTooLarge, o, "nothing is left of the limit of %d bytes", l.o.limit())
		}
		if m, err = draco.Decode(data, draco.Options{MaxFaces: limit, MaxPoints: limit}); err != nil {
			return nil, bad(o, "%s: %v", dracoName, err)
		}
		size := int64(len(m.Indices)) * 4
		for _, a := range m.Attributes {
			size += int64(len(a.Data))
		}
		if err := l.spend(o, size); err != nil {
			return nil, err
		}
		if l.dracoMeshes == nil {
			l.dracoMeshes = map[int]*draco.Mesh{}
		}
		l.dracoMeshes[*x.BufferView] = m
	}
	u := &unpacked{mesh: m, indices: m.Indices, attributes: x.Attributes, view: *x.BufferView}
	for name, id := range x.Attributes {
		if m.Attribute(id) == nil {
			return nil, bad(o, "%s: attribute %s has the id %d, which the compressed mesh lacks", dracoName, quote(name), id)
		}
	}
	for i, v := range u.indices {
		if int(v) >= m.Points {
			return nil, bad(o, "%s: index %d is %d, there are %s", dracoName, i, v, count(m.Points, "point"))
		}
	}
	return u, nil
}

// attribute finds an attribute and checks it against its accessor; nil: it is
// not in the compressed mesh.
func (u *unpacked) attribute(l *loader, object, name string, accessor int) (*draco.Attribute, *gltf.Accessor, error) {
	id, ok := u.attributes[name]
	if !ok {
		return nil, nil, nil
	}
	if err := l.doc.unusable(accessor); err != nil {
		return nil, nil, err
	}
	a, acc := u.mesh.Attribute(id), l.doc.Accessors[accessor]
	if n := acc.Type.Components(); a.Components != n {
		return nil, nil, bad(object, "%s: attribute %s has %s, accessor %d has %d", dracoName, quote(name), count(a.Components, "component"), accessor, n)
	}
	return a, acc, nil
}

// floats reads an attribute as numbers; ok is false where it is not in the compressed mesh.
func (u *unpacked) floats(l *loader, object, name string, accessor int, types []gltf.AccessorType) (f []float32, n int, ok bool, err error) {
	a, acc, err := u.attribute(l, object, name, accessor)
	if a == nil || err != nil {
		return nil, 0, false, err
	}
	if !slices.Contains(types, acc.Type) {
		return nil, 0, false, bad(object, "attribute %s: accessor %d is of type %s, want %s", name, accessor, acc.Type, typeList(types))
	}
	if err := l.spend(object, int64(u.mesh.Points)*int64(a.Components)*4); err != nil {
		return nil, 0, false, err
	}
	f = a.Floats()
	for i, v := range f {
		if notFinite(v) {
			return nil, 0, false, bad(object, "%s: attribute %s: component %d of point %d is %v", dracoName, name, i%a.Components, i/a.Components, v)
		}
	}
	if acc.Normalized {
		normalize(f, a.Type)
	}
	return f, a.Components, true, nil
}

// normalize scales integers as section 3.6.2.2 says.
func normalize(f []float32, t draco.Type) {
	var most float64
	switch t {
	case draco.Int8:
		most = 127
	case draco.Uint8:
		most = 255
	case draco.Int16:
		most = 32767
	case draco.Uint16:
		most = 65535
	default:
		return
	}
	for i, v := range f {
		f[i] = float32(max(float64(v)/most, -1))
	}
}

// ints reads an attribute of unsigned integers.
func (u *unpacked) ints(l *loader, object, name string, accessor int) (out []uint32, ok bool, err error) {
	a, acc, err := u.attribute(l, object, name, accessor)
	if a == nil || err != nil {
		return nil, false, err
	}
	if acc.Type != gltf.AccessorVec4 {
		return nil, false, bad(object, "attribute %s: accessor %d is of type %s, want VEC4", name, accessor, acc.Type)
	}
	if err := l.spend(object, int64(u.mesh.Points)*16); err != nil {
		return nil, false, err
	}
	for i, v := range a.Floats() {
		// Joints beyond 2^24 would not survive as floats, and no skin has as many.
		if !(v >= 0 && v < 1<<24) {
			return nil, false, bad(object, "%s: attribute %s: value %d is %v, want an index", dracoName, name, i, v)
		}
		out = append(out, uint32(v))
	}
	return out, true, nil
}
