package draco

import (
	"encoding/binary"
	"errors"
	"hash/crc32"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// witnesses are files that the reference encoder 1.5 made of small meshes (m:
// 0 sequential, 1 EdgeBreaker; s: speed, on which the predictions depend; q:
// quantised), and the CRC-32 of what the reference decoder makes of them, in the
// layout of dump.
var witnesses = []struct {
	file          string
	points, faces int
	crc           uint32
}{
	{"bigplane_m1_s1_q.drc", 729, 1352, 0x33b6860e},
	{"bigtornholes_m1_s0_q.drc", 2193, 1818, 0x829c056f},
	{"holes_m1_s7_q.drc", 103, 126, 0x8da31a2d},
	{"plane_m1_s3_q.drc", 49, 72, 0xb34724a2},
	{"soup_m0_s0_f.drc", 12, 20, 0x340cf484},
	{"soup_m1_s10_q.drc", 36, 16, 0xf71f4707},
	{"sphere_m1_s0_f.drc", 48, 69, 0xc6d91c4c},
	{"torn_m0_s5_q.drc", 96, 72, 0xe95adafa},
	{"torn_m1_s0_q.drc", 96, 72, 0x94e723a7},
	{"tornholes_m1_s1_q.drc", 162, 110, 0x205986d6},
	{"tornsphere_m1_s3_q.drc", 97, 69, 0xefa2589d},
}

// dump lays a mesh out as the reference's bindings hand it out: indices, then
// the attributes of all points as floats, or as 32-bit integers if they are integers.
func dump(m *Mesh) (out []byte) {
	for _, v := range m.Indices {
		out = binary.LittleEndian.AppendUint32(out, v)
	}
	for i := range m.Attributes {
		a := &m.Attributes[i]
		for _, f := range a.Floats() {
			if a.Type == Float32 {
				out = binary.LittleEndian.AppendUint32(out, math.Float32bits(f))
			} else {
				out = binary.LittleEndian.AppendUint32(out, uint32(int32(f)))
			}
		}
	}
	return out
}

func testdata(tb testing.TB, name string) []byte {
	tb.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		tb.Fatal(err)
	}
	return data
}

func TestDecodeAsReference(t *testing.T) {
	for _, w := range witnesses {
		t.Run(w.file, func(t *testing.T) {
			m, err := Decode(testdata(t, w.file), Options{})
			if err != nil {
				t.Fatal(err)
			}
			if m.Points != w.points || len(m.Indices) != 3*w.faces || len(m.Attributes) != 5 {
				t.Fatalf("%d points, %d faces, %d attributes", m.Points, len(m.Indices)/3, len(m.Attributes))
			}
			if got := crc32.ChecksumIEEE(dump(m)); got != w.crc {
				t.Errorf("CRC %#x, want %#x", got, w.crc)
			}
			position := m.Attribute(0)
			if position == nil || position.Kind != Position || position.Type != Float32 || position.Components != 3 {
				t.Errorf("position %+v", position)
			}
		})
	}
}

// sequential is a mesh with connectivity and attributes as they are: two
// triangles over four points with bytes for generic values.
func sequential() []byte {
	b := []byte("DRACO\x02\x02\x01\x00\x00\x00")
	b = append(b, 2, 4, 1, 0, 1, 2, 0, 2, 3) // faces, points, uncompressed indices
	b = append(b, 1, 3)                      // one decoder of three attributes
	b = append(b, 0, byte(Float32), 1, 0, 7)
	b = append(b, 4, byte(Uint16), 2, 1, 8)
	b = append(b, 4, byte(Int8), 1, 0, 9)
	b = append(b, codedRaw, codedInteger, codedInteger)
	for i := range 4 {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(float32(i)/2))
	}
	b = append(b, 0xfe, 0, 2) // no prediction, not compressed, two bytes each
	b = append(b, 2, 0, 4, 0, 6, 0, 8, 0, 0, 2, 0, 4, 0, 6, 0, 8)
	b = append(b, 0, 1, 0, 1)                                                                   // difference, wrap, not compressed, a byte each
	b = append(b, 2, 2, 2, 1)                                                                   // +1 +1 +1 -1
	return binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(b, 0xffffffff), 3) // of -1 … 3
}

func TestSequential(t *testing.T) {
	m, err := Decode(sequential(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(m.Indices, []uint32{0, 1, 2, 0, 2, 3}) || m.Points != 4 {
		t.Errorf("indices %v of %d points", m.Indices, m.Points)
	}
	for id, want := range map[uint32][]float32{
		7: {0, 0.5, 1, 1.5},
		8: {1, 2, 3, 4, 256, 512, 768, 1024},
		9: {1, 2, 3, 2},
	} {
		if a := m.Attribute(id); a == nil || !slices.Equal(a.Floats(), want) {
			t.Errorf("attribute %d is %v, want %v", id, a, want)
		}
	}
	if a := m.Attribute(8); !a.Normalized || a.Components != 2 {
		t.Errorf("%+v", a)
	}
}

func TestDecodeErrors(t *testing.T) {
	change := func(at int, v byte) []byte {
		b := sequential()
		b[at] = v
		return b
	}
	for name, data := range map[string][]byte{
		"nothing":         nil,
		"text":            []byte("hello, world"),
		"version 2.1":     change(6, 1),
		"point cloud":     change(7, 0),
		"method":          change(8, 2),
		"metadata":        change(10, 0x80),
		"index":           change(14, 4),
		"faces":           change(11, 0x7f),
		"data type":       change(23, 0),
		"no components":   change(24, 0),
		"integers raw":    change(39, codedQuantized),
		"prediction":      change(39+16+2+3+16, 3),
		"too many faces":  append([]byte("DRACO\x02\x02\x01\x01\x00\x00\x00"), 0xff, 0xff, 0xff, 0x3, 0xff, 0xff, 0xff, 0x3, 0, 0xff, 0xff, 0xff, 0x3, 0),
		"too many points": []byte("DRACO\x02\x02\x01\x00\x00\x00\x01\xff\xff\xff\xff\x07\x00"),
	} {
		if m, err := Decode(data, Options{}); err == nil {
			t.Errorf("%s was decoded to %d points", name, m.Points)
		}
	}
	if _, err := Decode(sequential(), Options{MaxFaces: 1}); err == nil {
		t.Error("two faces were taken for one")
	}
	// What is cut off anywhere is an error, and names no index out of range.
	for _, w := range witnesses[2:] {
		data := testdata(t, w.file)
		for n := 0; n < len(data); n += 1 + len(data)/97 {
			if _, err := Decode(data[:n], Options{}); err == nil {
				t.Errorf("%s cut to %d of %d bytes was decoded", w.file, n, len(data))
			} else if n == len(data)/97*40 && !errors.Is(err, ErrBroken) && !errors.Is(err, errShort) {
				t.Logf("%s cut to %d: %v", w.file, n, err)
			}
		}
	}
}

func FuzzDecode(f *testing.F) {
	for _, w := range witnesses {
		data := testdata(f, w.file)
		if len(data) < 4096 {
			f.Add(data)
		}
	}
	f.Add(sequential())
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := Decode(data, Options{MaxFaces: 1 << 14, MaxPoints: 1 << 14})
		if err != nil {
			return
		}
		for _, v := range m.Indices {
			if int64(v) >= int64(m.Points) {
				t.Fatalf("index %d of %d points", v, m.Points)
			}
		}
		for _, a := range m.Attributes {
			if len(a.Data) != m.Points*a.Components*a.Type.Size() {
				t.Fatalf("%d bytes for %d points of %d × %d", len(a.Data), m.Points, a.Components, a.Type.Size())
			}
		}
	})
}

func BenchmarkDecode(b *testing.B) {
	data := testdata(b, "bigtornholes_m1_s0_q.drc")
	faces := 0
	for b.Loop() {
		m, err := Decode(data, Options{})
		if err != nil {
			b.Fatal(err)
		}
		faces = len(m.Indices) / 3
	}
	b.ReportMetric(float64(faces)*float64(b.N)/b.Elapsed().Seconds(), "faces/s")
}
