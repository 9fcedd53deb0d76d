package gltf

import (
	"github.com/qmuntal/gltf"

	"darkroom/scenes/gltf/meshopt"
)

// meshoptView is EXT_meshopt_compression or KHR_meshopt_compression of a bufferView.
type meshoptView struct {
	name       string
	Buffer     *int    `json:"buffer"`
	ByteOffset int     `json:"byteOffset"`
	ByteLength *int    `json:"byteLength"`
	ByteStride *int    `json:"byteStride"`
	Count      *int    `json:"count"`
	Mode       *string `json:"mode"`
	Filter     string  `json:"filter"`
}

// meshoptOf reads and checks the compression of a bufferView; nil: it is plain.
func (d *document) meshoptOf(i int, e gltf.Extensions) (*meshoptView, error) {
	o := named("bufferView", i, d.BufferViews[i].Name)
	x := &meshoptView{Filter: "NONE"}
	for _, x.name = range []string{"EXT_meshopt_compression", "KHR_meshopt_compression"} {
		ok, err := extension(e, x.name, o, x)
		if err != nil {
			return nil, err
		}
		if ok {
			return x, d.checkMeshoptView(o+" "+x.name, i, x)
		}
	}
	return nil, nil
}

func (d *document) checkMeshoptView(o string, i int, x *meshoptView) error {
	switch {
	case x.Buffer == nil:
		return missing(o, "buffer")
	case x.ByteLength == nil:
		return missing(o, "byteLength")
	case x.ByteStride == nil:
		return missing(o, "byteStride")
	case x.Count == nil:
		return missing(o, "count")
	case x.Mode == nil:
		return missing(o, "mode")
	}
	if err := ref(o, "buffer", *x.Buffer, len(d.Buffers), "buffer"); err != nil {
		return err
	}
	total := d.Buffers[*x.Buffer].ByteLength
	if x.ByteOffset < 0 || *x.ByteLength < 1 || x.ByteOffset > total || *x.ByteLength > total-x.ByteOffset {
		return bad(o, "%d bytes from byte %d on do not lie in buffer %d, which has %d", *x.ByteLength, x.ByteOffset, *x.Buffer, total)
	}
	if n, s := *x.Count, *x.ByteStride; n < 1 || s < 1 || s > 256 || d.BufferViews[i].ByteLength/s != n || d.BufferViews[i].ByteLength%s != 0 {
		return bad(o, "count is %d and byteStride %d, want a product of %d, the bufferView's byteLength", n, s, d.BufferViews[i].ByteLength)
	}
	return nil
}

// checkMeshopt checks the compression of all bufferViews.
func (d *document) checkMeshopt() error {
	d.packed = make([]*meshoptView, len(d.BufferViews))
	for i, v := range d.BufferViews {
		var err error
		if d.packed[i], err = d.meshoptOf(i, v.Extensions); err != nil {
			return err
		}
	}
	return nil
}

// meshopt decompresses a bufferView that is packed. It reports whether it is.
func (l *loader) meshopt(i int) ([]byte, bool, error) {
	x := l.doc.packed[i]
	if x == nil {
		return nil, false, nil
	}
	o := named("bufferView", i, l.doc.BufferViews[i].Name)
	b, err := l.buffer(*x.Buffer)
	if err != nil {
		return nil, true, because(err, o, "its compressed data are not to be had")
	}
	if err := l.spend(o, int64(*x.Count)*int64(*x.ByteStride)); err != nil {
		return nil, true, err
	}
	data, err := meshopt.Decode(b[x.ByteOffset:x.ByteOffset+*x.ByteLength], *x.Count, *x.ByteStride, meshopt.Mode(*x.Mode), meshopt.Filter(x.Filter))
	if err != nil {
		return nil, true, bad(o, "%s: %v", x.name, err)
	}
	return data, true, nil
}
