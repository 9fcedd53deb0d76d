package mikktspace

import (
	"encoding/binary"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// corners reads a file of n unindexed corners: positions, normals, texture
// coordinates and the tangents that the reference implementation gives them.
// The meshes are a wavy grid, a sphere with its poles, a mirrored seam, triangles
// without area in the texture, a soup of few vertices and a closed fan.
func corners(t *testing.T, file string) (*Mesh, [][4]float32) {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	f := make([]float32, len(b)/4)
	for i := range f {
		f[i] = math.Float32frombits(binary.LittleEndian.Uint32(b[i*4:]))
	}
	n := len(f) / 12
	m, want := &Mesh{}, [][4]float32{}
	for i := range n {
		m.Positions = append(m.Positions, [3]float32(f[3*i:]))
		m.Normals = append(m.Normals, [3]float32(f[3*n+3*i:]))
		m.UVs = append(m.UVs, [2]float32(f[6*n+2*i:]))
		want = append(want, [4]float32(f[8*n+4*i:]))
	}
	return m, want
}

func TestTangentsAsReference(t *testing.T) {
	files, err := filepath.Glob("testdata/*.bin")
	if err != nil || len(files) != 6 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, file := range files {
		m, want := corners(t, file)
		got, err := Tangents(m)
		if err != nil {
			t.Fatal(err)
		}
		for i := range want {
			if got[i] != want[i] {
				t.Errorf("%s: corner %d has %v, want %v", file, i, got[i], want[i])
			}
		}
		// Sharing vertices by indices changes nothing.
		type key struct {
			p, n [3]float32
			uv   [2]float32
		}
		indexed, seen := &Mesh{Indices: []uint32{}}, map[key]uint32{}
		for i := range m.Positions {
			k := key{m.Positions[i], m.Normals[i], m.UVs[i]}
			id, ok := seen[k]
			if !ok {
				id = uint32(len(indexed.Positions))
				seen[k] = id
				indexed.Positions, indexed.Normals, indexed.UVs = append(indexed.Positions, k.p), append(indexed.Normals, k.n), append(indexed.UVs, k.uv)
			}
			indexed.Indices = append(indexed.Indices, id)
		}
		if got, err = Tangents(indexed); err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: the tangents of the indexed mesh differ, %v", file, err)
		}
	}
}

func quad() *Mesh {
	return &Mesh{
		Positions: [][3]float32{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}},
		Normals:   [][3]float32{{0, 0, 1}, {0, 0, 1}, {0, 0, 1}, {0, 0, 1}},
		UVs:       [][2]float32{{0, 0}, {0, 1}, {-1, 1}, {-1, 0}},
		Indices:   []uint32{0, 1, 2, 0, 2, 3},
	}
}

func TestTangentsOfQuad(t *testing.T) {
	got, err := Tangents(quad())
	if err != nil {
		t.Fatal(err)
	}
	for i, v := range got {
		// U grows along -Y and V along +X.
		if v != [4]float32{0, -1, 0, 1} {
			t.Errorf("corner %d has %v", i, v)
		}
	}
	split, source, tangent, err := Split(4, quad().Indices, got)
	if err != nil || !slices.Equal(split, quad().Indices) || len(source) != 4 || tangent[3] != got[5] {
		t.Errorf("split to %v of %v, %v", split, source, err)
	}
}

// Two triangles that mirror the texture share an edge: its vertices are split.
func TestSplit(t *testing.T) {
	m := quad()
	m.UVs = [][2]float32{{0, 0}, {1, 0.5}, {0, 1}, {1, 0.5}}
	got, err := Tangents(m)
	if err != nil {
		t.Fatal(err)
	}
	split, source, tangent, err := Split(4, m.Indices, got)
	if err != nil {
		t.Fatal(err)
	}
	if len(source) != 6 || source[4] != 0 || source[5] != 2 {
		t.Fatalf("new vertices come from %v", source)
	}
	for i, v := range split {
		if source[v] != m.Indices[i] || tangent[v] != got[i] {
			t.Errorf("corner %d is vertex %d of %d with %v, want %v", i, v, source[v], tangent[v], got[i])
		}
	}
	if got[0][3] == got[3][3] {
		t.Errorf("both sides of the seam have w %g", got[0][3])
	}
}

func TestErrors(t *testing.T) {
	for name, change := range map[string]func(*Mesh){
		"index":     func(m *Mesh) { m.Indices[3] = 4 },
		"normals":   func(m *Mesh) { m.Normals = m.Normals[:3] },
		"uvs":       func(m *Mesh) { m.UVs = nil },
		"triangles": func(m *Mesh) { m.Indices = m.Indices[:4] },
	} {
		m := quad()
		change(m)
		if _, err := Tangents(m); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if _, _, _, err := Split(1, []uint32{1}, make([][4]float32, 1)); err == nil {
		t.Error("an index out of range was split")
	}
	if got, err := Tangents(&Mesh{}); err != nil || len(got) != 0 {
		t.Errorf("no triangles: %v, %v", got, err)
	}
}

func FuzzTangents(f *testing.F) {
	f.Add([]byte{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 2, 1, 3})
	f.Fuzz(func(t *testing.T, b []byte) {
		// Few vertices with coarse coordinates, so that they meet; some are no numbers.
		m := &Mesh{Indices: []uint32{}}
		at := func(i int) float32 {
			if len(b) == 0 {
				return 0
			}
			switch v := b[i%len(b)]; v {
			case 255:
				return float32(math.NaN())
			case 254:
				return float32(math.Inf(1))
			case 253:
				return 3e38
			default:
				return float32(v%7) / 2
			}
		}
		for i := range 12 {
			m.Positions = append(m.Positions, [3]float32{at(i * 8), at(i*8 + 1), at(i*8 + 2)})
			m.Normals = append(m.Normals, [3]float32{at(i*8 + 3), at(i*8 + 4), at(i*8 + 5)})
			m.UVs = append(m.UVs, [2]float32{at(i*8 + 6), at(i*8 + 7)})
		}
		for _, v := range b[:len(b)/3*3] {
			m.Indices = append(m.Indices, uint32(v)%12)
		}
		got, err := Tangents(m)
		if err != nil {
			t.Fatal(err)
		}
		for i, v := range got {
			if v[3] != 1 && v[3] != -1 {
				t.Errorf("corner %d has %v", i, v)
			}
		}
		if _, _, _, err := Split(12, m.Indices, got); err != nil {
			t.Error(err)
		}
	})
}

// grid is a wavy grid of 2·n² triangles.
func grid(n int) *Mesh {
	m := &Mesh{}
	for y := range n + 1 {
		for x := range n + 1 {
			u, v := float64(x)/float64(n), float64(y)/float64(n)
			m.Positions = append(m.Positions, [3]float32{float32(u), float32(math.Sin(9*u) * 0.1), float32(v)})
			m.Normals = append(m.Normals, [3]float32{0, 1, 0})
			m.UVs = append(m.UVs, [2]float32{float32(u), float32(v)})
		}
	}
	for y := range n {
		for x := range n {
			a := uint32(y*(n+1) + x)
			b := a + uint32(n+1)
			m.Indices = append(m.Indices, a, a+1, b, a+1, b+1, b)
		}
	}
	return m
}

func BenchmarkTangents(b *testing.B) {
	m := grid(224)
	for b.Loop() {
		if _, err := Tangents(m); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(len(m.Indices)/3)*float64(b.N)/b.Elapsed().Seconds(), "triangles/s")
}

// A closed fan of very many triangles about one vertex takes no longer for each.
func BenchmarkFan(b *testing.B) {
	const n = 100_000
	m := &Mesh{Positions: [][3]float32{{}}, Normals: [][3]float32{{0, 1, 0}}, UVs: [][2]float32{{}}}
	for i := range n {
		s, c := math.Sincos(2 * math.Pi * float64(i) / n)
		m.Positions = append(m.Positions, [3]float32{float32(c), 0, float32(s)})
		m.Normals = append(m.Normals, [3]float32{0, 1, 0})
		m.UVs = append(m.UVs, [2]float32{float32(c * c), float32(s)})
		m.Indices = append(m.Indices, 0, uint32(1+i), uint32(1+(i+1)%n))
	}
	for b.Loop() {
		if _, err := Tangents(m); err != nil {
			b.Fatal(err)
		}
	}
}
