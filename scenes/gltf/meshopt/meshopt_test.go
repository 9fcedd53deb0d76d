package meshopt

import (
	"bytes"
	"errors"
	"hash/crc32"
	"os"
	"path/filepath"
	"testing"
)

// witnesses are streams that the encoder of meshoptimizer 1.3 made, and the
// CRC-32 of what its decoder makes of them.
var witnesses = []struct {
	file          string
	count, stride int
	mode          Mode
	filter        Filter
	crc           uint32
}{
	{"v1_l0_16_8", 16, 8, Attributes, None, 0xd4c36d4f},
	{"v1_l3_17_48", 17, 48, Attributes, None, 0x2f359ce9},
	{"v0_l0_100_12", 100, 12, Attributes, None, 0x5d5c35a3},
	{"v1_l2_100_16", 100, 16, Attributes, None, 0x84b80d78},
	{"v1_l3_100_64", 100, 64, Attributes, None, 0x8feec51a},
	{"v1_l1_257_8", 257, 8, Attributes, None, 0x353a0538},
	{"v0_l0_257_20", 257, 20, Attributes, None, 0xe2bf1a44},
	{"oct4_6", 500, 4, Attributes, Octahedral, 0x81a51cc9},
	{"oct8_10", 500, 8, Attributes, Octahedral, 0x714e2e92},
	{"quat_16", 500, 8, Attributes, Quaternion, 0x0d02a409},
	{"exp_15_SharedVector", 500, 12, Attributes, Exponential, 0xab08da3c},
	{"col_4_8", 500, 4, Attributes, Color, 0x738275a7},
	{"tri_grid_2", 2400, 2, Triangles, "", 0xf405796e},
	{"seq_grid_2", 2400, 2, Indices, "", 0x9432d249},
	{"tri_soup_4", 900, 4, Triangles, "", 0x8780e2f0},
	{"tri_local_2", 900, 2, Triangles, "", 0xebc2cd04},
	{"seq_local_4", 900, 4, Indices, "", 0xe6a7b98b},
	{"tri_two_4", 15, 4, Triangles, "", 0x1ab61a22},
}

func testdata(tb testing.TB, name string) []byte {
	tb.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name+".bin"))
	if err != nil {
		tb.Fatal(err)
	}
	return data
}

func TestDecodeAsReference(t *testing.T) {
	for _, w := range witnesses {
		t.Run(w.file, func(t *testing.T) {
			got, err := Decode(testdata(t, w.file), w.count, w.stride, w.mode, w.filter)
			if err != nil {
				t.Fatal(err)
			}
			if len(got) != w.count*w.stride {
				t.Fatalf("%d bytes, want %d × %d", len(got), w.count, w.stride)
			}
			if crc := crc32.ChecksumIEEE(got); crc != w.crc {
				t.Errorf("CRC %#x, want %#x", crc, w.crc)
			}
		})
	}
}

// The example of the extension's text: 16 differences of four bits, two of which
// are stored as bytes.
func TestSentinels(t *testing.T) {
	d := attributeDecoder{stride: 4, data: []byte{2, 0x17, 0x5f, 0xf0, 0xbc, 0x77, 0xa9, 0x21, 0x00, 0x34, 0xb5}}
	var got [16]byte
	if err := d.groups(got[:], 16, &widths[0]); err != nil {
		t.Fatal(err)
	}
	for i, want := range []int8{-1, -4, -3, 26, -91, 0, -6, 6, -4, -4, 5, -5, 1, -1, 0, 0} {
		if v := got[i]; int8(v>>1^-(v&1)) != want {
			t.Errorf("difference %d is %d, want %d", i, int8(v>>1^-(v&1)), want)
		}
	}
	if len(d.data) != 0 {
		t.Errorf("%d bytes are left", len(d.data))
	}
}

func TestDecodeErrors(t *testing.T) {
	data := testdata(t, "v0_l0_100_12")
	tri := testdata(t, "tri_two_4")
	seq := testdata(t, "seq_local_4")
	for name, err := range map[string]error{
		"count":          second(Decode(data, -1, 12, Attributes, None)),
		"more elements":  second(Decode(data, 129, 12, Attributes, None)),
		"fewer elements": second(Decode(data, 80, 12, Attributes, None)),
		"huge count":     second(Decode(data, 1<<30, 12, Attributes, None)),
		"stride":         second(Decode(data, 100, 10, Attributes, None)),
		"stride 0":       second(Decode(data, 100, 0, Attributes, None)),
		"stride 260":     second(Decode(data, 100, 260, Attributes, None)),
		"filter":         second(Decode(data, 100, 12, Attributes, "WAVELET")),
		"filter stride":  second(Decode(data, 100, 12, Attributes, Octahedral)),
		"quaternion":     second(Decode(data, 100, 4, Attributes, Quaternion)),
		"mode":           second(Decode(data, 100, 12, "POINTS", None)),
		"header":         second(Decode(data, 100, 4, Indices, None)),
		"triangle count": second(Decode(tri, 14, 4, Triangles, None)),
		"triangle more":  second(Decode(tri, 18, 4, Triangles, None)),
		"filtered index": second(Decode(tri, 15, 4, Triangles, Exponential)),
		"indices more":   second(Decode(seq, 901, 4, Indices, None)),
		"indices fewer":  second(Decode(seq, 899, 4, Indices, None)),
		"nothing":        second(Decode(nil, 0, 4, Attributes, None)),
	} {
		if err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	for _, w := range witnesses {
		data := testdata(t, w.file)
		for n := range len(data) {
			if _, err := Decode(data[:n], w.count, w.stride, w.mode, w.filter); err == nil {
				t.Errorf("%s cut to %d of %d bytes was decoded", w.file, n, len(data))
			}
		}
	}
	bad := bytes.Clone(tri)
	bad[1] = 0x10 // an edge before there is any
	if _, err := Decode(bad, 15, 4, Triangles, None); !errors.Is(err, ErrBroken) {
		t.Errorf("an edge that was not written: %v", err)
	}
}

func second(_ []byte, err error) error { return err }

func FuzzDecode(f *testing.F) {
	kinds := []struct {
		mode   Mode
		filter Filter
	}{{Attributes, None}, {Attributes, Octahedral}, {Attributes, Quaternion}, {Attributes, Exponential}, {Attributes, Color}, {Triangles, None}, {Indices, None}}
	for _, w := range witnesses {
		for i, k := range kinds {
			if k.mode == w.mode && (k.filter == w.filter || w.filter == "") {
				f.Add(testdata(f, w.file), w.count, byte(w.stride/2), byte(i))
			}
		}
	}
	f.Fuzz(func(t *testing.T, data []byte, count int, stride, kind byte) {
		k := kinds[int(kind)%len(kinds)]
		got, err := Decode(data, count, int(stride)*2, k.mode, k.filter)
		if err == nil && len(got) != count*int(stride)*2 {
			t.Errorf("%d bytes for %d × %d", len(got), count, int(stride)*2)
		}
	})
}

func BenchmarkAttributes(b *testing.B) {
	data := testdata(b, "v0_l0_257_20")
	b.SetBytes(257 * 20)
	for b.Loop() {
		if _, err := Decode(data, 257, 20, Attributes, None); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkTriangles(b *testing.B) {
	data := testdata(b, "tri_grid_2")
	b.SetBytes(2400 * 2)
	for b.Loop() {
		if _, err := Decode(data, 2400, 2, Triangles, None); err != nil {
			b.Fatal(err)
		}
	}
}
