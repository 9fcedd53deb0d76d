package composer

import (
	"encoding/binary"
	"math"
	"testing"
)

type (
	vec3 [3]float64
	mat4 [16]float64
	mode uint32
	gain float32
)

func writerUBO(t testing.TB) *UBO {
	t.Helper()
	u, err := Layout([]Field{
		{"scale", "f32"}, {"count", "u32"}, {"shift", "i32"}, {"dir", "vec3<f32>"}, {"on", "u32"},
		{"ids", "vec4<u32>"}, {"normal", "mat3x3<f32>"}, {"world", "mat4x4<f32>"}, {"small", "mat2x2<f32>"},
		{"weights", "array<vec4<f32>, 2>"}, {"points", "array<vec3<f32>, 2>"}, {"lights", "array<Light, 4>"}, {"fog", "Fog"}, {"grid", "array<array<vec4<i32>, 2>, 2>"},
	}, []Struct{
		{"Light", []Field{{"position", "vec3<f32>"}, {"range", "f32"}, {"color", "vec3<f32>"}}},
		{"Fog", []Field{{"density", "f32"}, {"color", "vec3<f32>"}, {"bands", "array<Band, 2>"}}},
		{"Band", []Field{{"near", "f32"}, {"far", "f32"}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	return &u
}

func TestUniformWriter(t *testing.T) {
	u := writerUBO(t)
	seq := func(n int) (f []float32) {
		for i := range n {
			f = append(f, float32(i+1))
		}
		return f
	}
	o := func(name string) int { return offset(u, name) }
	world := mat4{}
	for i := range world {
		world[i] = float64(i + 1)
	}
	for _, c := range []struct {
		name string
		v    any
		at   map[int]float64 // byte offset to value
	}{
		{"scale", 1.5, map[int]float64{o("scale"): 1.5}},
		{"scale", float32(2), map[int]float64{o("scale"): 2}},
		{"scale", gain(3), map[int]float64{o("scale"): 3}},
		{"scale", [1]float64{4}, map[int]float64{o("scale"): 4}},
		{"count", uint32(7), map[int]float64{o("count"): 7}},
		{"count", 8, map[int]float64{o("count"): 8}},
		{"count", mode(9), map[int]float64{o("count"): 9}},
		{"count", uint8(10), map[int]float64{o("count"): 10}},
		{"count", true, map[int]float64{o("count"): 1}},
		{"count", false, map[int]float64{o("count"): 0}},
		{"shift", -3, map[int]float64{o("shift"): -3}},
		{"shift", int32(-4), map[int]float64{o("shift"): -4}},
		{"shift", int64(-5), map[int]float64{o("shift"): -5}},
		{"dir", vec3{1, 2, 3}, map[int]float64{o("dir"): 1, o("dir") + 4: 2, o("dir") + 8: 3}},
		{"dir", []float32{4, 5, 6}, map[int]float64{o("dir"): 4, o("dir") + 8: 6}},
		{"dir", [3]float32{7, 8, 9}, map[int]float64{o("dir"): 7, o("dir") + 8: 9}},
		{"on", [1]bool{true}, map[int]float64{o("on"): 1}},
		{"ids", []uint32{1, 2, 3, 4}, map[int]float64{o("ids"): 1, o("ids") + 12: 4}},
		{"ids", [4]int{5, 6, 7, 8}, map[int]float64{o("ids"): 5, o("ids") + 12: 8}},
		{"normal", seq(9), map[int]float64{o("normal"): 1, o("normal") + 8: 3, o("normal") + 12: 0, o("normal") + 16: 4, o("normal") + 40: 9}},
		{"normal", [3]vec3{{1, 2, 3}, {4, 5, 6}, {7, 8, 9}}, map[int]float64{o("normal"): 1, o("normal") + 16: 4, o("normal") + 40: 9}},
		{"world", world, map[int]float64{o("world"): 1, o("world") + 16: 5, o("world") + 60: 16}},
		{"small", seq(4), map[int]float64{o("small"): 1, o("small") + 8: 3, o("small") + 12: 4}},
		{"weights", seq(8), map[int]float64{o("weights"): 1, o("weights") + 28: 8}},
		{"weights[1]", seq(4), map[int]float64{o("weights") + 16: 1, o("weights") + 28: 4}},
		{"points", []vec3{{1, 2, 3}, {4, 5, 6}}, map[int]float64{o("points"): 1, o("points") + 12: 0, o("points") + 16: 4, o("points") + 24: 6}},
		{"points", seq(6), map[int]float64{o("points"): 1, o("points") + 16: 4, o("points") + 24: 6}},
		{"lights[3].color", vec3{1, 2, 3}, map[int]float64{o("lights") + 3*32 + 16: 1, o("lights") + 3*32 + 24: 3}},
		{"lights[0].range", 12.0, map[int]float64{o("lights") + 12: 12}},
		{"fog.color", vec3{1, 2, 3}, map[int]float64{o("fog") + 16: 1}},
		{"fog.bands[1].far", 3.0, map[int]float64{o("fog") + 32 + 16 + 4: 3}},
		{"grid", [2][2][4]int32{{{1}, {2}}, {{3}, {0, 0, 0, 4}}}, map[int]float64{o("grid"): 1, o("grid") + 16: 2, o("grid") + 32: 3, o("grid") + 60: 4}},
		{"grid[1][0]", []int32{9, 8, 7, 6}, map[int]float64{o("grid") + 32: 9, o("grid") + 44: 6}},
	} {
		w := NewUniformWriter(u)
		if len(w.Bytes()) != u.Size {
			t.Fatalf("%d bytes, want %d", len(w.Bytes()), u.Size)
		}
		if !w.Has(c.name) {
			t.Errorf("has no %s", c.name)
		}
		if err := w.Set(c.name, c.v); err != nil {
			t.Errorf("%s = %v: %v", c.name, c.v, err)
			continue
		}
		typ, _, _ := w.find(c.name)
		for at, want := range c.at {
			bits := binary.LittleEndian.Uint32(w.Bytes()[at:])
			got := float64(math.Float32frombits(bits))
			switch typ.scalar {
			case 'u':
				got = float64(bits)
			case 'i':
				got = float64(int32(bits))
			}
			if got != want {
				t.Errorf("%s = %v: byte %d holds %v, want %v", c.name, c.v, at, got, want)
			}
		}
		w.Reset()
		for i, b := range w.Bytes() {
			if b != 0 {
				t.Errorf("byte %d after Reset", i)
			}
		}
	}
}

func TestUniformWriterRefuses(t *testing.T) {
	u := writerUBO(t)
	for _, c := range []struct {
		name string
		v    any
		kind error
	}{
		{"scale", 1, ErrType}, {"scale", uint32(1), ErrType}, {"scale", true, ErrType}, {"scale", "1", ErrType}, {"scale", nil, ErrType},
		{"scale", []float32{}, ErrType}, {"scale", []float32(nil), ErrType}, {"scale", []float32{1, 2}, ErrType}, {"scale", 1e39, ErrType}, {"scale", []any{1.0}, ErrType},
		{"scale", &vec3{}, ErrType}, {"scale", struct{ X float32 }{1}, ErrType}, {"scale", complex(1, 2), ErrType}, {"scale", gain(1), nil},
		{"count", 1.0, ErrType}, {"count", -1, ErrType}, {"count", int32(1), ErrType}, {"count", 1 << 32, ErrType}, {"count", uint64(1 << 32), ErrType},
		{"shift", uint32(1), ErrType}, {"shift", 1 << 31, ErrType}, {"shift", true, ErrType}, {"shift", int64(math.MinInt32 - 1), ErrType},
		{"dir", []float32{1, 2, 3, 4}, ErrType}, {"dir", [2]float64{}, ErrType}, {"dir", 1.0, ErrType}, {"dir", vec3{math.MaxFloat64}, ErrType}, {"dir", [3]int{}, ErrType},
		{"normal", mat4{}, ErrType}, {"world", [9]float64{}, ErrType}, {"weights", []float32{1, 2, 3, 4}, ErrType},
		{"points", [][]float64{{1, 2, 3}, {4, 5}}, ErrType},
		{"lights", []float32{1}, ErrType}, {"lights[0]", []float32{1}, ErrType}, {"fog", 1.0, ErrType},
		{"missing", 1.0, ErrName}, {"", 1.0, ErrName}, {"lights[4].color", vec3{}, ErrName}, {"lights[-1].color", vec3{}, ErrName}, {"lights[x].color", vec3{}, ErrName},
		{"lights[].color", vec3{}, ErrName}, {"lights[0", vec3{}, ErrName}, {"lights[0]color", vec3{}, ErrName}, {"lights.color", vec3{}, ErrName}, {"lights[0].", vec3{}, ErrName},
		{"lights[0].colour", vec3{}, ErrName}, {"scale[0]", 1.0, ErrName}, {"scale.x", 1.0, ErrName}, {"fog.color.x", 1.0, ErrName}, {".scale", 1.0, ErrName},
		{"lights[99999999999999999999].color", vec3{}, ErrName},
	} {
		w := NewUniformWriter(u)
		err := w.Set(c.name, c.v)
		if c.kind == nil {
			if err != nil {
				t.Error(err)
			}
			continue
		}
		wantError(t, err, c.kind, `"`+c.name+`"`)
		for _, b := range w.Bytes() {
			if b != 0 {
				t.Fatalf("%s = %v failed and wrote", c.name, c.v)
			}
		}
		if c.kind == ErrName && w.Has(c.name) {
			t.Errorf("has %q", c.name)
		}
	}
	var none UBO
	w := NewUniformWriter(&none)
	wantError(t, w.Set("x", 1.0), ErrName, `"x"`)
	if len(w.Bytes()) != 0 || w.Has("x") {
		t.Error("an empty layout has fields")
	}
}

func TestUniformWriterByHand(t *testing.T) {
	u := UBO{Size: 32, Fields: []UBOField{{Field{"a", "vec2f"}, 8, 8}, {Field{"b", "f32"}, 28, 4}, {Field{"outside", "vec4f"}, 24, 16}}}
	w := NewUniformWriter(&u)
	if err := w.SetFloats("a", 1, 2); err != nil {
		t.Fatal(err)
	}
	if err := w.Set("b", 3.0); err != nil {
		t.Fatal(err)
	}
	for at, want := range map[int]float32{8: 1, 12: 2, 28: 3} {
		if got := math.Float32frombits(binary.LittleEndian.Uint32(w.Bytes()[at:])); got != want {
			t.Errorf("byte %d: %v", at, got)
		}
	}
	wantError(t, w.Set("outside", []float32{1, 2, 3, 4}), ErrName)
}

func TestUniformWriterAllocations(t *testing.T) {
	u := writerUBO(t)
	w := NewUniformWriter(u)
	world := mat4{}
	floats := make([]float32, 8)
	n := testing.AllocsPerRun(100, func() {
		err := w.SetFloats("scale", 1)
		if err == nil {
			err = w.SetFloat64s("world", world[:]...)
		}
		if err == nil {
			err = w.SetFloats("weights", floats...)
		}
		if err == nil {
			err = w.SetFloats("lights[2].color", 1, 2, 3)
		}
		if err == nil {
			err = w.SetUints("ids", 1, 2, 3, 4)
		}
		if err == nil {
			err = w.SetInts("shift", -1)
		}
		if err != nil {
			t.Fatal(err)
		}
	})
	if n != 0 {
		t.Errorf("%v allocations", n)
	}
}
