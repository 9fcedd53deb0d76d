package gltf

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/qmuntal/gltf"
)

// check compares every reference, offset and count of the document with what
// is there, used or not, before any of it is read.
func (d *document) check() error {
	return firstError(d.checkBuffers, d.checkMeshopt, d.checkAccessors, d.checkMeshes, d.checkNodes, d.checkScenes,
		d.checkSkins, d.checkAnimations, d.checkMaterials, d.checkTextures, d.checkCameras)
}

// ref checks an index into one of the document's lists.
func ref(object, property string, i, n int, kind string) error {
	if i < 0 || i >= n {
		return bad(object, "%s is %d, the file has %s", property, i, count(n, kind))
	}
	return nil
}

func optRef(object, property string, i *int, n int, kind string) error {
	if i == nil {
		return nil
	}
	return ref(object, property, *i, n, kind)
}

// count says how many there are: "no nodes", "1 node", "3 nodes", "2 meshes".
func count(n int, kind string) string {
	plural := kind + "s"
	if strings.HasSuffix(kind, "sh") {
		plural = kind + "es"
	}
	switch n {
	case 0:
		return "no " + plural
	case 1:
		return "1 " + kind
	}
	return fmt.Sprintf("%d %s", n, plural)
}

func missing(object, property string) error { return bad(object, "%s is missing", property) }

func (d *document) checkBuffers() error {
	for i, b := range d.Buffers {
		o := named("buffer", i, b.Name)
		switch {
		case d.buffers[i].ByteLength == nil:
			return missing(o, "byteLength")
		case b.ByteLength < 1:
			return bad(o, "byteLength is %d, want at least 1", b.ByteLength)
		}
	}
	for i, v := range d.BufferViews {
		o := named("bufferView", i, v.Name)
		s := d.views[i]
		if s.Buffer == nil {
			return missing(o, "buffer")
		}
		if s.ByteLength == nil {
			return missing(o, "byteLength")
		}
		if err := ref(o, "buffer", v.Buffer, len(d.Buffers), "buffer"); err != nil {
			return err
		}
		total := d.Buffers[v.Buffer].ByteLength
		switch {
		case v.ByteOffset < 0:
			return bad(o, "byteOffset is %d", v.ByteOffset)
		case v.ByteLength < 1:
			return bad(o, "byteLength is %d, want at least 1", v.ByteLength)
		case v.ByteOffset > total || v.ByteLength > total-v.ByteOffset:
			return bad(o, "bytes %d to %d do not lie in buffer %d, which has %d", v.ByteOffset, uint64(v.ByteOffset)+uint64(v.ByteLength), v.Buffer, total)
		case v.ByteStride < 0 || v.ByteStride > 252 || v.ByteStride != 0 && v.ByteStride < 4:
			return bad(o, "byteStride is %d, want 4 to 252", v.ByteStride)
		}
	}
	return nil
}

// componentSize is the size in bytes of a componentType; zero: there is no such type.
func componentSize(t int) int {
	switch t {
	case typeByte, typeUbyte:
		return 1
	case typeShort, typeUshort:
		return 2
	case typeUint, typeFloat:
		return 4
	}
	return 0
}

// The component types of section 3.6.2.2.
const (
	typeByte   = 5120
	typeUbyte  = 5121
	typeShort  = 5122
	typeUshort = 5123
	typeUint   = 5125
	typeFloat  = 5126
)

// shape of an accessor's element: columns of rows components, each column
// starting at a multiple of 4 bytes where there is more than one (section 3.6.2.4).
type element struct {
	columns, rows, size int // size of one component in bytes
}

func (e element) components() int { return e.columns * e.rows }

// column is the distance of two columns in bytes.
func (e element) column() int {
	n := e.rows * e.size
	if e.columns > 1 {
		n = (n + 3) &^ 3
	}
	return n
}

// bytes is the size of an element without padding at its end.
func (e element) bytes() int { return e.column()*(e.columns-1) + e.rows*e.size }

// stride is the distance of two elements where the view gives none.
func (e element) stride() int { return e.column() * e.columns }

func elementOf(t gltf.AccessorType, componentType int) element {
	e := element{columns: 1, rows: t.Components(), size: componentSize(componentType)}
	switch t {
	case gltf.AccessorMat2:
		e.columns, e.rows = 2, 2
	case gltf.AccessorMat3:
		e.columns, e.rows = 3, 3
	case gltf.AccessorMat4:
		e.columns, e.rows = 4, 4
	}
	return e
}

func (d *document) checkAccessors() error {
	for i, a := range d.Accessors {
		o := named("accessor", i, a.Name)
		s := d.accessors[i]
		switch {
		case s.ComponentType == nil:
			return missing(o, "componentType")
		case s.Count == nil:
			return missing(o, "count")
		case a.Count < 1:
			return bad(o, "count is %d, want at least 1", a.Count)
		case s.Type == nil:
			return missing(o, "type")
		case a.ByteOffset < 0:
			return bad(o, "byteOffset is %d", a.ByteOffset)
		}
		if err := optRef(o, "bufferView", a.BufferView, len(d.BufferViews), "bufferView"); err != nil {
			return err
		}
		if d.unusable(i) != nil {
			continue
		}
		e := elementOf(a.Type, *s.ComponentType)
		if a.BufferView != nil {
			if err := d.fits(o, *a.BufferView, a.ByteOffset, a.Count, e, true); err != nil {
				return err
			}
		}
		if a.Sparse == nil {
			continue
		}
		sp := s.Sparse
		switch {
		case sp == nil || sp.Count == nil:
			return missing(o, "sparse.count")
		case a.Sparse.Count < 1 || a.Sparse.Count > a.Count:
			return bad(o, "sparse.count is %d, want 1 to the accessor's count, %d", a.Sparse.Count, a.Count)
		case sp.Indices == nil || sp.Indices.BufferView == nil:
			return missing(o, "sparse.indices.bufferView")
		case sp.Indices.ComponentType == nil:
			return missing(o, "sparse.indices.componentType")
		case sp.Values == nil || sp.Values.BufferView == nil:
			return missing(o, "sparse.values.bufferView")
		}
		switch *sp.Indices.ComponentType {
		case typeUbyte, typeUshort, typeUint:
		default:
			return bad(o, "sparse.indices.componentType is %d, want 5121, 5123 or 5125", *sp.Indices.ComponentType)
		}
		if err := ref(o, "sparse.indices.bufferView", a.Sparse.Indices.BufferView, len(d.BufferViews), "bufferView"); err != nil {
			return err
		}
		if err := ref(o, "sparse.values.bufferView", a.Sparse.Values.BufferView, len(d.BufferViews), "bufferView"); err != nil {
			return err
		}
		index := element{columns: 1, rows: 1, size: componentSize(*sp.Indices.ComponentType)}
		if err := d.fits(o+" sparse.indices", a.Sparse.Indices.BufferView, a.Sparse.Indices.ByteOffset, a.Sparse.Count, index, false); err != nil {
			return err
		}
		if err := d.fits(o+" sparse.values", a.Sparse.Values.BufferView, a.Sparse.Values.ByteOffset, a.Sparse.Count, e, false); err != nil {
			return err
		}
	}
	return nil
}

// fits reports whether n elements from offset on lie in a view.
func (d *document) fits(object string, view, offset, n int, e element, strided bool) error {
	v := d.BufferViews[view]
	stride := e.stride()
	if strided && v.ByteStride != 0 {
		if v.ByteStride < e.bytes() {
			return bad(object, "an element has %d bytes, bufferView %d has a byteStride of %d", e.bytes(), view, v.ByteStride)
		}
		stride = v.ByteStride
	}
	if offset < 0 || offset > v.ByteLength || e.bytes() > v.ByteLength-offset || n-1 > (v.ByteLength-offset-e.bytes())/stride {
		return bad(object, "%s of %d bytes from byte %d on do not lie in bufferView %d, which has %d bytes", count(n, "element"), stride, offset, view, v.ByteLength)
	}
	return nil
}

func (d *document) checkMeshes() error {
	for i, m := range d.Meshes {
		o := named("mesh", i, m.Name)
		if len(m.Primitives) == 0 {
			return missing(o, "primitives")
		}
		for k, p := range m.Primitives {
			o := o + " " + nth("primitive", k)
			if p == nil {
				return bad(o, "it is null, want an object")
			}
			s := d.meshes[i].Primitives[k]
			if s.Attributes == nil || *s.Attributes == nil {
				return missing(o, "attributes")
			}
			if s.Mode != nil && (*s.Mode < 0 || *s.Mode > 6) {
				return bad(o, "mode is %d, want 0 to 6", *s.Mode)
			}
			for _, name := range slices.Sorted(maps.Keys(p.Attributes)) {
				if err := ref(o, "attribute "+name, p.Attributes[name], len(d.Accessors), "accessor"); err != nil {
					return err
				}
			}
			for t, target := range p.Targets {
				for _, name := range slices.Sorted(maps.Keys(target)) {
					if err := ref(o, fmt.Sprintf("target %d attribute %s", t, name), target[name], len(d.Accessors), "accessor"); err != nil {
						return err
					}
				}
			}
			if len(p.Targets) != len(m.Primitives[0].Targets) {
				return bad(o, "it has %s, primitive 0 has %d; all of a mesh must have as many", count(len(p.Targets), "morph target"), len(m.Primitives[0].Targets))
			}
			if err := optRef(o, "indices", p.Indices, len(d.Accessors), "accessor"); err != nil {
				return err
			}
			if err := optRef(o, "material", p.Material, len(d.Materials), "material"); err != nil {
				return err
			}
		}
	}
	return nil
}

func (d *document) checkMaterials() error {
	for i, m := range d.Materials {
		o := named("material", i, m.Name)
		s := d.materials[i]
		if a := s.AlphaMode; a != nil && *a != "OPAQUE" && *a != "MASK" && *a != "BLEND" {
			return bad(o, "alphaMode is %q, want OPAQUE, MASK or BLEND", *a)
		}
		if err := length(o, "emissiveFactor", s.EmissiveFactor, 3); err != nil {
			return err
		}
		type use struct {
			name  string
			shape *indexShape
			coord int
		}
		var uses []use
		if p := m.PBRMetallicRoughness; p != nil && s.PBR != nil {
			if err := length(o, "baseColorFactor", s.PBR.BaseColorFactor, 4); err != nil {
				return err
			}
			if t := p.BaseColorTexture; t != nil {
				uses = append(uses, use{"baseColorTexture", s.PBR.BaseColorTexture, t.TexCoord})
			}
			if t := p.MetallicRoughnessTexture; t != nil {
				uses = append(uses, use{"metallicRoughnessTexture", s.PBR.MetallicRoughnessTexture, t.TexCoord})
			}
		}
		if t := m.NormalTexture; t != nil {
			uses = append(uses, use{"normalTexture", s.NormalTexture, t.TexCoord})
		}
		if t := m.OcclusionTexture; t != nil {
			uses = append(uses, use{"occlusionTexture", s.OcclusionTexture, t.TexCoord})
		}
		if t := m.EmissiveTexture; t != nil {
			uses = append(uses, use{"emissiveTexture", s.EmissiveTexture, t.TexCoord})
		}
		for _, u := range uses {
			if u.shape == nil || u.shape.Index == nil {
				return missing(o, u.name+".index")
			}
			if err := d.checkTexture(o, u.name, *u.shape.Index, u.coord); err != nil {
				return err
			}
		}
	}
	return nil
}

// checkTexture checks a reference to a texture.
func (d *document) checkTexture(object, property string, index, coord int) error {
	if coord < 0 {
		return bad(object, "%s.texCoord is %d", property, coord)
	}
	return ref(object, property, index, len(d.Textures), "texture")
}

func (d *document) checkTextures() error {
	for i, t := range d.Textures {
		o := named("texture", i, t.Name)
		if err := optRef(o, "sampler", t.Sampler, len(d.Samplers), "sampler"); err != nil {
			return err
		}
		if err := optRef(o, "source", t.Source, len(d.Images), "image"); err != nil {
			return err
		}
	}
	for i, m := range d.Images {
		o := named("image", i, m.Name)
		if err := optRef(o, "bufferView", m.BufferView, len(d.BufferViews), "bufferView"); err != nil {
			return err
		}
		if m.BufferView != nil && m.URI != "" {
			return bad(o, "it has both a uri and a bufferView, want one")
		}
	}
	for i, s := range d.samplers {
		o := named("sampler", i, d.Samplers[i].Name)
		for _, p := range []struct {
			name  string
			value *int
			want  []int
		}{
			{"magFilter", s.MagFilter, []int{9728, 9729}},
			{"minFilter", s.MinFilter, []int{9728, 9729, 9984, 9985, 9986, 9987}},
			{"wrapS", s.WrapS, []int{33071, 33648, 10497}},
			{"wrapT", s.WrapT, []int{33071, 33648, 10497}},
		} {
			if p.value == nil {
				continue
			}
			known := false
			for _, w := range p.want {
				known = known || *p.value == w
			}
			if !known {
				return bad(o, "%s is %d, want one of %v", p.name, *p.value, p.want)
			}
		}
	}
	return nil
}
