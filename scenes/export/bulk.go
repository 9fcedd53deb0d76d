package export

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"reflect"
)

func (d *decoder) slice(v reflect.Value, j any, at string) error {
	switch p := v.Addr().Interface().(type) {
	case *[]byte:
		b, err := d.blob(j, "u8", 1, at)
		*p = b
		return err
	case *[]uint32:
		b, err := d.blob(j, "u32", 4, at)
		*p = unpack(b, func(x uint32) uint32 { return x })
		return err
	case *[]float32:
		b, err := d.blob(j, "f32", 4, at)
		*p = unpack(b, math.Float32frombits)
		for i, x := range *p {
			if f := float64(x); math.IsNaN(f) || math.IsInf(f, 0) {
				return bad(fmt.Sprintf("%s[%d]", at, i), "%g is not a finite number", f)
			}
		}
		return err
	}
	l, ok := j.([]any)
	if !ok {
		return bad(at, "it is %v, want a list", brief(j))
	}
	v.Set(reflect.MakeSlice(v.Type(), len(l), len(l)))
	for i, x := range l {
		if err := d.item(v.Index(i), x, fmt.Sprintf("%s[%d]", at, i)); err != nil {
			return err
		}
	}
	return nil
}

func unpack[T any](b []byte, of func(uint32) T) []T {
	out := make([]T, len(b)/4)
	for i := range out {
		out[i] = of(binary.LittleEndian.Uint32(b[i*4:]))
	}
	return out
}

// blob is a copy of a part of a file.
func (d *decoder) blob(j any, kind string, size int64, at string) ([]byte, error) {
	var b struct {
		File          string
		Offset, Count int64
		Elements      string
	}
	if err := d.value(reflect.ValueOf(&b).Elem(), j, at); err != nil {
		return nil, err
	}
	f, ok := d.files[b.File]
	switch {
	case b.Elements != kind:
		return nil, bad(at, "its elements are %q, want %q", b.Elements, kind)
	case !ok:
		return nil, bad(at, "the file %q is not in the list of files", b.File)
	case b.Offset < 0 || b.Count < 0 || b.Offset > int64(len(f)) || b.Count > (int64(len(f))-b.Offset)/size:
		return nil, bad(at, "%d elements of %d bytes from byte %d do not fit into %s, which has %d bytes", b.Count, size, b.Offset, b.File, len(f))
	}
	return bytes.Clone(f[b.Offset : b.Offset+b.Count*size]), nil
}
