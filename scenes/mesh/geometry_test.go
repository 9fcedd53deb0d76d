package mesh

import (
	"math"
	"reflect"
	"strings"
	"testing"

	"darkroom/composer"
	"darkroom/scenes/linalg"
)

// quad is a rectangle in the XY plane facing -Z with every stream.
func quad() *Geometry {
	return &Geometry{
		Name:      "quad",
		Positions: []float32{-1, -1, 0, 1, -1, 0, 1, 1, 0, -1, 1, 0},
		Normals:   []float32{0, 0, -1, 0, 0, -1, 0, 0, -1, 0, 0, -1},
		Tangents:  []float32{1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1},
		UVs:       [MaxUVs][]float32{{0, 0, 1, 0, 1, 1, 0, 1}, {0, 0, 2, 0, 2, 2, 0, 2}},
		Colors:    []float32{1, 0, 0, 1, 0, 1, 0, 1, 0, 0, 1, 1, 1, 1, 1, 1},
		Joints:    [2][]uint32{{0, 1, 0, 0, 1, 2, 0, 0, 2, 3, 0, 0, 3, 0, 0, 0}},
		Weights:   [2][]float32{{1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0}},
		Indices:   []uint32{0, 1, 2, 0, 2, 3},
		Streams:   map[string]Stream{"heat": {"unorm8x2", []byte{0, 1, 2, 3, 4, 5, 6, 7}}},
	}
}

func TestValidate(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(-1))
	for _, c := range []struct {
		name string
		edit func(g *Geometry)
		want []string // parts of the error; none: valid
	}{
		{"all streams", func(g *Geometry) {}, nil},
		{"no indices", func(g *Geometry) { *g = *g.Pick([]uint32{0, 1, 2}) }, nil},
		{"empty", func(g *Geometry) { *g = Geometry{Name: "quad"} }, []string{"positions", "none"}},
		{"cut positions", func(g *Geometry) { g.Positions = g.Positions[:11] }, []string{"positions", "11"}},
		{"NaN", func(g *Geometry) { g.Positions[7] = nan }, []string{"positions", "component 1", "vertex 2", "NaN"}},
		{"infinite", func(g *Geometry) { g.Colors[15] = inf }, []string{"colors", "component 3", "vertex 3", "-Inf"}},
		{"short normals", func(g *Geometry) { g.Normals = g.Normals[3:] }, []string{"normals", "9", "want 12"}},
		{"long tangents", func(g *Geometry) { g.Tangents = append(g.Tangents, 1) }, []string{"tangents", "17", "want 16"}},
		{"empty stream", func(g *Geometry) { g.UVs[3] = []float32{} }, []string{"uvs[3]", "want 8"}},
		{"joints alone", func(g *Geometry) { g.Weights[0] = nil }, []string{"joints[0]", "weights[0]"}},
		{"weights alone", func(g *Geometry) { g.Weights[1] = g.Weights[0] }, []string{"joints[1]", "weights[1]"}},
		{"short joints", func(g *Geometry) { g.Joints[0] = g.Joints[0][1:] }, []string{"joints[0]", "15"}},
		{"NaN weight", func(g *Geometry) { g.Weights[0][4] = nan }, []string{"weights[0]", "vertex 1"}},
		{"index", func(g *Geometry) { g.Indices[4] = 4 }, []string{"index 4 is 4", "4 vertices"}},
		{"restart in a list", func(g *Geometry) { g.Indices[0] = restart }, []string{"index 0"}},
		{"part of a triangle", func(g *Geometry) { g.Indices = g.Indices[:5] }, []string{"5", "triangles"}},
		{"part of a line", func(g *Geometry) { g.Topology = composer.LineList; g.Indices = g.Indices[:5] }, []string{"5", "lines"}},
		{"points", func(g *Geometry) { g.Topology = composer.PointList; g.Indices = g.Indices[:5] }, nil},
		{"strip", func(g *Geometry) {
			g.Topology, g.Indices = composer.TriangleStrip, []uint32{0, 1, 3, 2, restart, 0, 1, 2}
		}, nil},
		{"index of a strip", func(g *Geometry) { g.Topology = composer.LineStrip; g.Indices[0] = 9 }, []string{"index 0 is 9"}},
		{"topology", func(g *Geometry) { g.Topology = "fan" }, []string{`"fan"`}},
		{"stream format", func(g *Geometry) { g.Streams["heat"] = Stream{"unorm8x3", nil} }, []string{`"heat"`, `"unorm8x3"`}},
		{"stream length", func(g *Geometry) { g.Streams["heat"] = Stream{"unorm8x4", make([]byte, 8)} }, []string{`"heat"`, "8 bytes", "want 16"}},
		{"stream NaN", func(g *Geometry) {
			data := make([]byte, 32)
			data[14], data[15] = 0xC0, 0x7F
			g.Streams["heat"] = Stream{"float32x2", data}
		}, []string{`"heat"`, "component 1", "vertex 1", "NaN"}},
	} {
		g := quad()
		c.edit(g)
		err := g.Validate()
		if (err == nil) != (c.want == nil) {
			t.Errorf("%s: got %v, want parts %q", c.name, err, c.want)
			continue
		}
		for _, part := range append(c.want, `"quad"`) {
			if err != nil && !strings.Contains(err.Error(), part) {
				t.Errorf("%s: %q does not say %q", c.name, err, part)
			}
		}
	}
}

func TestBounds(t *testing.T) {
	g := &Geometry{Positions: []float32{1, -2, 3, 0.1, 5, 3, -1, 0, 4}, Indices: []uint32{0, 0, 0}}
	want := linalg.AABB{Min: linalg.Vec3{-1, -2, 3}, Max: linalg.Vec3{1, 5, 4}}
	if got := g.Bounds(); got != want {
		t.Errorf("got %v, want %v", got, want)
	}
	if !new(Geometry).Bounds().Empty() {
		t.Error("without vertices the box is not empty")
	}
}

func TestClone(t *testing.T) {
	g := quad()
	c := g.Clone()
	if !reflect.DeepEqual(c, g) {
		t.Fatal("the copy differs")
	}
	c.Positions[0], c.UVs[1][2], c.Joints[0][0], c.Indices[0] = 9, 9, 9, 3
	c.Streams["heat"].Data[0] = 9
	c.Streams["more"] = Stream{}
	if !reflect.DeepEqual(g, quad()) {
		t.Error("changing the copy changed the original")
	}
}

func TestComputeNormals(t *testing.T) {
	// A roof of a wide and a narrow slope: the ridge lies half way between
	// their unit normals, whatever their areas.
	g := &Geometry{
		Positions: []float32{0, 0, 0, 0, 0, 1, 1, -1, 0, 5, 0, 0.5, -9, 0, 0},
		Indices:   []uint32{0, 1, 4, 1, 0, 2},
	}
	if err := g.ComputeNormals(); err != nil {
		t.Fatal(err)
	}
	s := float32(math.Sqrt(0.5))
	ridge := linalg.Vec3{0, 1, 0}.Add(linalg.Vec3{math.Sqrt(0.5), math.Sqrt(0.5), 0}).Normalize().Float32()
	want := []float32{ridge[0], ridge[1], 0, ridge[0], ridge[1], 0, s, s, 0, 0, 0, 0, 0, 1, 0}
	for i := range want {
		if math.Abs(float64(g.Normals[i]-want[i])) > 1e-6 {
			t.Fatalf("got %v, want %v", g.Normals, want)
		}
	}
	g.Topology, g.Indices = composer.LineList, g.Indices[:2]
	if g.ComputeNormals() == nil {
		t.Error("lines got normals")
	}
	g.Positions[0] = float32(math.NaN())
	if g.ComputeNormals() == nil {
		t.Error("NaN got normals")
	}
}

func TestStripNormalsAgreeWithList(t *testing.T) {
	list, strip := quad(), quad()
	strip.Topology, strip.Indices = composer.TriangleStrip, []uint32{3, 0, 2, 1, restart, 0, 1, 2}
	list.Normals, strip.Normals = nil, nil
	for _, g := range []*Geometry{list, strip} {
		if err := g.ComputeNormals(); err != nil {
			t.Fatal(err)
		}
	}
	if !reflect.DeepEqual(list.Normals, strip.Normals) {
		t.Errorf("strip %v, list %v", strip.Normals, list.Normals)
	}
	flat, err := strip.Flat()
	if err != nil {
		t.Fatal(err)
	}
	if flat.Topology != composer.TriangleList || flat.VertexCount() != 9 || !reflect.DeepEqual(flat.Normals[:3], list.Normals[:3]) {
		t.Errorf("Flat made %d vertices of a %s with normals %v", flat.VertexCount(), flat.Topology, flat.Normals)
	}
}

func TestUnindex(t *testing.T) {
	g, err := quad().Unindex()
	if err != nil {
		t.Fatal(err)
	}
	if err := g.Validate(); err != nil {
		t.Fatal(err)
	}
	if g.Indices != nil || g.VertexCount() != 6 {
		t.Fatalf("%d vertices, indices %v", g.VertexCount(), g.Indices)
	}
	if got, want := g.Positions[15:], []float32{-1, 1, 0}; !reflect.DeepEqual(got, want) {
		t.Errorf("the last position is %v, want %v", got, want)
	}
	if got, want := g.Joints[0][8:12], []uint32{2, 3, 0, 0}; !reflect.DeepEqual(got, want) {
		t.Errorf("the joints of vertex 2 are %v, want %v", got, want)
	}
	if got, want := g.Streams["heat"].Data, []byte{0, 1, 2, 3, 4, 5, 0, 1, 4, 5, 6, 7}; !reflect.DeepEqual(got, want) {
		t.Errorf("the stream is %v, want %v", got, want)
	}
	strip := quad()
	strip.Topology, strip.Indices = composer.TriangleStrip, []uint32{0, 1, 2, restart, 1, 2, 3}
	if _, err := strip.Unindex(); err == nil || !strings.Contains(err.Error(), "index 3") {
		t.Errorf("a strip with a restart gave %v", err)
	}
}

func TestFlat(t *testing.T) {
	g := &Geometry{Positions: []float32{0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1}, Indices: []uint32{0, 1, 2, 0, 3, 1}}
	flat, err := g.Flat()
	if err != nil {
		t.Fatal(err)
	}
	want := []float32{0, 0, -1, 0, 0, -1, 0, 0, -1, 0, -1, 0, 0, -1, 0, 0, -1, 0}
	if !reflect.DeepEqual(flat.Normals, want) {
		t.Errorf("got %v, want %v", flat.Normals, want)
	}
	g.Topology = composer.PointList
	if _, err := g.Flat(); err == nil {
		t.Error("points got flat normals")
	}
	g.Topology, g.Indices = composer.TriangleStrip, []uint32{0, 1}
	if _, err := g.Flat(); err == nil {
		t.Error("a strip without triangles got flat normals")
	}
}

func TestTransform(t *testing.T) {
	m := linalg.Compose(linalg.Vec3{2, 3, 5}, linalg.QuatFromEuler(linalg.Vec3{0, math.Pi / 2, 0}), linalg.Vec3{1, 2, 3})
	g, err := quad().Transform(m)
	if err != nil {
		t.Fatal(err)
	}
	near := func(what string, got []float32, want ...float64) {
		t.Helper()
		for i := range want {
			if math.Abs(float64(got[i])-want[i]) > 1e-6 {
				t.Errorf("%s is %v, want %v", what, got[:len(want)], want)
				return
			}
		}
	}
	near("position", g.Positions, 1, -1, 5)
	near("normal", g.Normals, -1, 0, 0)
	near("tangent", g.Tangents, 0, 0, -1, 1)
	if !reflect.DeepEqual(g.Indices, quad().Indices) {
		t.Errorf("indices are %v", g.Indices)
	}

	// A slope under uneven scale: its normal stays at right angles.
	slope := &Geometry{Positions: []float32{0, 0, 0, 1, 1, 0, 0, 0, 1}}
	if err := slope.ComputeNormals(); err != nil {
		t.Fatal(err)
	}
	steep, err := slope.Transform(linalg.Scaling(linalg.Vec3{1, 4, 1}))
	if err != nil {
		t.Fatal(err)
	}
	near("steep normal", []float32{steep.Normals[0] + 4*steep.Normals[1]}, 0)

	// A mirror turns winding and bitangents, with indices and without.
	mirror := linalg.Scaling(linalg.Vec3{-1, 1, 1})
	g, err = quad().Transform(mirror)
	if err != nil {
		t.Fatal(err)
	}
	near("mirrored tangent", g.Tangents, -1, 0, 0, -1)
	if !reflect.DeepEqual(g.Indices, []uint32{0, 2, 1, 0, 3, 2}) {
		t.Errorf("mirrored indices are %v", g.Indices)
	}
	steep, err = slope.Transform(mirror)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(steep.Indices, []uint32{0, 2, 1}) {
		t.Errorf("mirrored indices are %v", steep.Indices)
	}
	strip := quad()
	strip.Topology = composer.TriangleStrip
	if _, err := strip.Transform(mirror); err == nil {
		t.Error("a strip was mirrored")
	}
	if _, err := quad().Transform(linalg.Scaling(linalg.Vec3{1e39, 1, 1})); err == nil {
		t.Error("a scale past float32 passed")
	}
}

func TestMerge(t *testing.T) {
	a, b := quad(), quad()
	b.Name = "other"
	moved, err := b.Transform(linalg.Translation(linalg.Vec3{5, 0, 0}))
	if err != nil {
		t.Fatal(err)
	}
	g, err := Merge(a, moved)
	if err != nil {
		t.Fatal(err)
	}
	if err := g.Validate(); err != nil {
		t.Fatal(err)
	}
	if g.Name != "quad" || g.VertexCount() != 8 {
		t.Errorf("%q has %d vertices", g.Name, g.VertexCount())
	}
	if want := []uint32{0, 1, 2, 0, 2, 3, 4, 5, 6, 4, 6, 7}; !reflect.DeepEqual(g.Indices, want) {
		t.Errorf("indices %v, want %v", g.Indices, want)
	}
	if g.Positions[12] != 4 || len(g.Streams["heat"].Data) != 16 {
		t.Errorf("positions %v, stream %v", g.Positions, g.Streams["heat"])
	}
	if !reflect.DeepEqual(a, quad()) {
		t.Error("Merge changed its argument")
	}

	// With and without indices.
	loose, err := quad().Unindex()
	if err != nil {
		t.Fatal(err)
	}
	g, err = Merge(loose, a)
	if err != nil {
		t.Fatal(err)
	}
	if want := []uint32{0, 1, 2, 3, 4, 5, 6, 7, 8, 6, 8, 9}; !reflect.DeepEqual(g.Indices, want) {
		t.Errorf("indices %v, want %v", g.Indices, want)
	}

	for _, c := range []struct {
		name string
		edit func(g *Geometry)
		want string
	}{
		{"normals", func(g *Geometry) { g.Normals = nil }, "normals"},
		{"tangents", func(g *Geometry) { g.Tangents = nil }, "tangents"},
		{"colors", func(g *Geometry) { g.Colors = nil }, "colors"},
		{"uvs", func(g *Geometry) { g.UVs[1] = nil }, "uvs[1]"},
		{"joints", func(g *Geometry) { g.Joints[0], g.Weights[0] = nil, nil }, "joints[0]"},
		{"a stream less", func(g *Geometry) { g.Streams = nil }, "heat"},
		{"a stream more", func(g *Geometry) { g.Streams["cold"] = g.Streams["heat"] }, "cold"},
		{"stream format", func(g *Geometry) { g.Streams["heat"] = Stream{"snorm8x2", make([]byte, 8)} }, "heat"},
		{"topology", func(g *Geometry) { g.Topology = composer.PointList }, "topology"},
		{"invalid", func(g *Geometry) { g.Indices[0] = 7 }, "index 0"},
	} {
		b := quad()
		c.edit(b)
		if _, err := Merge(quad(), b); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %q", c.name, err, c.want)
		}
	}
	strip := quad()
	strip.Topology = composer.TriangleStrip
	if _, err := Merge(strip); err == nil {
		t.Error("a strip was merged")
	}
	if _, err := Merge(); err == nil {
		t.Error("nothing was merged")
	}
}
