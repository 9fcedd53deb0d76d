package gltf

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/qmuntal/gltf"
)

// le packs numbers little-endian, each in its own type.
func le(values ...any) []byte {
	var b []byte
	for _, v := range values {
		switch v := v.(type) {
		case []float32:
			for _, x := range v {
				b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
			}
		case []uint32:
			for _, x := range v {
				b = binary.LittleEndian.AppendUint32(b, x)
			}
		case []uint16:
			for _, x := range v {
				b = binary.LittleEndian.AppendUint16(b, x)
			}
		case []byte:
			b = append(b, v...)
		default:
			panic(fmt.Sprintf("le: %T", v))
		}
	}
	return b
}

// uri is a data URI of b.
func uri(b []byte) string {
	return "data:application/octet-stream;base64," + base64.StdEncoding.EncodeToString(b)
}

// file is a glTF file with one buffer; fields are added to its JSON.
func file(buffer []byte, fields map[string]any) []byte {
	doc := map[string]any{"asset": map[string]any{"version": "2.0"}}
	if buffer != nil {
		doc["buffers"] = []any{map[string]any{"byteLength": len(buffer), "uri": uri(buffer)}}
	}
	for k, v := range fields {
		doc[k] = v
	}
	b, err := json.Marshal(doc)
	if err != nil {
		panic(err)
	}
	return b
}

type obj = map[string]any
type arr = []any

// opened is a loader over a file that was checked and not built.
func opened(t *testing.T, data []byte) *loader {
	t.Helper()
	d, err := parse(container{json: data})
	if err != nil {
		t.Fatal(err)
	}
	if err := d.check(); err != nil {
		t.Fatal(err)
	}
	return &loader{doc: d, asset: &Asset{}, left: 1 << 20, buffers: make([][]byte, len(d.Buffers)), views: make([][]byte, len(d.BufferViews)),
		floatCache: map[int][]float32{}, intCache: map[int][]uint32{}}
}

func TestAccessorFloats(t *testing.T) {
	for _, c := range []struct {
		name   string
		buffer []byte
		view   obj
		acc    obj
		want   []float32
	}{
		{"floats", le([]float32{1, 2, 3, 4, 5, 6}), obj{}, obj{"type": "VEC3", "componentType": 5126, "count": 2}, []float32{1, 2, 3, 4, 5, 6}},
		{"floats at an offset", le([]float32{9, 1, 2}), obj{}, obj{"type": "VEC2", "componentType": 5126, "count": 1, "byteOffset": 4}, []float32{1, 2}},
		{"strided", le([]float32{1, 2, 9, 3, 4, 9}), obj{"byteStride": 12}, obj{"type": "VEC2", "componentType": 5126, "count": 2}, []float32{1, 2, 3, 4}},
		{"the last element needs no padding", le([]float32{1, 2, 9, 3, 4}), obj{"byteStride": 12}, obj{"type": "VEC2", "componentType": 5126, "count": 2}, []float32{1, 2, 3, 4}},
		{"unsigned bytes", []byte{0, 128, 255, 0}, obj{}, obj{"type": "SCALAR", "componentType": 5121, "count": 3}, []float32{0, 128, 255}},
		{"unsigned bytes, normalised", []byte{0, 51, 255, 0}, obj{}, obj{"type": "SCALAR", "componentType": 5121, "count": 3, "normalized": true}, []float32{0, 0.2, 1}},
		{"signed bytes, normalised", []byte{0, 127, 0x81, 0x80}, obj{}, obj{"type": "VEC4", "componentType": 5120, "count": 1, "normalized": true}, []float32{0, 1, -1, -1}},
		{"unsigned shorts, normalised", le([]uint16{0, 65535, 13107}), obj{}, obj{"type": "SCALAR", "componentType": 5123, "count": 3, "normalized": true}, []float32{0, 1, 0.2}},
		{"signed shorts, normalised", le([]uint16{32767, 0x8000, 0x8001}), obj{}, obj{"type": "VEC3", "componentType": 5122, "count": 1, "normalized": true}, []float32{1, -1, -1}},
		{"signed shorts", le([]uint16{32767, 0x8000, 0xFFFF}), obj{}, obj{"type": "VEC3", "componentType": 5122, "count": 1}, []float32{32767, -32768, -1}},
		{"columns of a matrix of bytes start at multiples of 4", []byte{1, 2, 0, 0, 3, 4, 0, 0}, obj{}, obj{"type": "MAT2", "componentType": 5121, "count": 1}, []float32{1, 2, 3, 4}},
		{"columns of a matrix of shorts start at multiples of 4", le([]uint16{1, 2, 3, 0, 4, 5, 6, 0, 7, 8, 9}), obj{}, obj{"type": "MAT3", "componentType": 5123, "count": 1}, []float32{1, 2, 3, 4, 5, 6, 7, 8, 9}},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.view["buffer"], c.view["byteLength"] = 0, len(c.buffer)
			c.acc["bufferView"] = 0
			l := opened(t, file(c.buffer, obj{"bufferViews": arr{c.view}, "accessors": arr{c.acc}}))
			got, _, err := l.floats("test", 0, l.doc.Accessors[0].Type)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("got %v, want %v", got, c.want)
			}
		})
	}
}

func TestAccessorSparse(t *testing.T) {
	buffer := le([]uint16{1, 3}, []float32{10, 30}, []float32{0, 1, 2, 3})
	views := arr{
		obj{"buffer": 0, "byteLength": 4}, obj{"buffer": 0, "byteOffset": 4, "byteLength": 8}, obj{"buffer": 0, "byteOffset": 12, "byteLength": 16},
	}
	sparse := obj{"count": 2, "indices": obj{"bufferView": 0, "componentType": 5123}, "values": obj{"bufferView": 1}}
	l := opened(t, file(buffer, obj{"bufferViews": views, "accessors": arr{
		obj{"type": "SCALAR", "componentType": 5126, "count": 4, "bufferView": 2, "sparse": sparse},
		obj{"type": "SCALAR", "componentType": 5126, "count": 4, "sparse": sparse},
		obj{"type": "SCALAR", "componentType": 5126, "count": 3},
	}}))
	for i, want := range [][]float32{{0, 10, 2, 30}, {0, 10, 0, 30}, {0, 0, 0}} {
		got, _, err := l.floats("test", i, gltf.AccessorScalar)
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("accessor %d: got %v, %v, want %v", i, got, err, want)
		}
	}
}

func TestAccessorInts(t *testing.T) {
	buffer := le([]byte{1, 2, 3, 255}, []uint16{4, 65535}, []uint32{6, 4294967295})
	views := arr{obj{"buffer": 0, "byteLength": 4}, obj{"buffer": 0, "byteOffset": 4, "byteLength": 4}, obj{"buffer": 0, "byteOffset": 8, "byteLength": 8}}
	l := opened(t, file(buffer, obj{"bufferViews": views, "accessors": arr{
		obj{"type": "SCALAR", "componentType": 5121, "count": 4, "bufferView": 0},
		obj{"type": "SCALAR", "componentType": 5123, "count": 2, "bufferView": 1},
		obj{"type": "SCALAR", "componentType": 5125, "count": 2, "bufferView": 2},
		obj{"type": "SCALAR", "componentType": 5120, "count": 4, "bufferView": 0},
	}}))
	for i, want := range [][]uint32{{1, 2, 3, 255}, {4, 65535}, {6, 4294967295}} {
		got, err := l.ints("test", i, gltf.AccessorScalar)
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("accessor %d: got %v, %v, want %v", i, got, err, want)
		}
	}
	if _, err := l.ints("test", 3, gltf.AccessorScalar); err == nil || !strings.Contains(err.Error(), "unsigned integers") {
		t.Errorf("signed indices: got %v", err)
	}
}

func TestAccessorsThatDoNotFit(t *testing.T) {
	buffer := le([]float32{1, 2, 3})
	for _, c := range []struct {
		name, want string
		view, acc  obj
	}{
		{"count", "accessor 0: 2 elements of 12 bytes from byte 0 on do not lie in bufferView 0", obj{"byteLength": 12}, obj{"count": 2}},
		{"huge count", "accessor 0: 9007199254740991 elements", obj{"byteLength": 12}, obj{"count": 9007199254740991}},
		{"offset", "accessor 0: 1 element of 12 bytes from byte 4 on", obj{"byteLength": 12}, obj{"count": 1, "byteOffset": 4}},
		{"offset that overflows", "accessor 0: 1 element", obj{"byteLength": 12}, obj{"count": 1, "byteOffset": math.MaxInt64}},
		{"negative offset", "accessor 0: byteOffset is -4", obj{"byteLength": 12}, obj{"count": 1, "byteOffset": -4}},
		{"zero count", "accessor 0: count is 0", obj{"byteLength": 12}, obj{"count": 0}},
		{"stride below the element", "accessor 0: an element has 12 bytes, bufferView 0 has a byteStride of 8", obj{"byteLength": 12, "byteStride": 8}, obj{"count": 1}},
		{"view longer than the buffer", "bufferView 0: bytes 0 to 16 do not lie in buffer 0, which has 12", obj{"byteLength": 16}, obj{"count": 1}},
		{"view whose end overflows", "bufferView 0: bytes 9223372036854775807 to", obj{"byteLength": 12, "byteOffset": math.MaxInt64}, obj{"count": 1}},
		{"view of no buffer", "bufferView 0: buffer is 7, the file has 1 buffer", obj{"byteLength": 12, "buffer": 7}, obj{"count": 1}},
		{"no such view", "accessor 0: bufferView is 3, the file has 1 bufferView", obj{"byteLength": 12}, obj{"count": 1, "bufferView": 3}},
		{"sparse without indices", "accessor 0: sparse.indices.bufferView is missing", obj{"byteLength": 12}, obj{"count": 1, "sparse": obj{"count": 1}}},
		{"sparse beyond the count", "accessor 0: sparse.count is 2", obj{"byteLength": 12}, obj{"count": 1, "sparse": obj{"count": 2}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			acc := obj{"type": "VEC3", "componentType": 5126, "bufferView": 0}
			for k, v := range c.acc {
				acc[k] = v
			}
			if c.view["buffer"] == nil {
				c.view["buffer"] = 0
			}
			_, err := LoadBytes(file(buffer, obj{"bufferViews": arr{c.view}, "accessors": arr{acc}}), Options{})
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want an error with %q", err, c.want)
			}
		})
	}
}

func TestZerosAreLimited(t *testing.T) {
	_, err := LoadBytes(file(nil, obj{
		"scenes": arr{obj{"nodes": arr{0}}}, "nodes": arr{obj{"mesh": 0}}, "meshes": arr{obj{"primitives": arr{obj{"attributes": obj{"POSITION": 0}}}}},
		"accessors": arr{obj{"type": "VEC3", "componentType": 5126, "count": 2_000_000_000}},
	}), Options{})
	if err == nil || !strings.Contains(err.Error(), "accessor 0: 2000000000 elements without a bufferView") {
		t.Errorf("got %v", err)
	}
}
