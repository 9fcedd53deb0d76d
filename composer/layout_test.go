package composer

import (
	"math/rand/v2"
	"strings"
	"testing"
)

func TestTypeLayout(t *testing.T) {
	// Alignment and size of WGSL's table "Alignment and size for host-shareable types".
	for _, c := range []struct {
		text, canonical string
		align, size     int
	}{
		{"f32", "f32", 4, 4}, {"i32", "i32", 4, 4}, {"u32", "u32", 4, 4},
		{"vec2<f32>", "vec2<f32>", 8, 8}, {"vec3<i32>", "vec3<i32>", 16, 12}, {"vec4<u32>", "vec4<u32>", 16, 16},
		{"vec2f", "vec2<f32>", 8, 8}, {"vec3i", "vec3<i32>", 16, 12}, {"vec4u", "vec4<u32>", 16, 16},
		{"mat2x2<f32>", "mat2x2<f32>", 8, 16}, {"mat3x2<f32>", "mat3x2<f32>", 8, 24}, {"mat4x2f", "mat4x2<f32>", 8, 32},
		{"mat2x3<f32>", "mat2x3<f32>", 16, 32}, {"mat3x3<f32>", "mat3x3<f32>", 16, 48}, {"mat4x3f", "mat4x3<f32>", 16, 64},
		{"mat2x4<f32>", "mat2x4<f32>", 16, 32}, {"mat3x4<f32>", "mat3x4<f32>", 16, 48}, {"mat4x4f", "mat4x4<f32>", 16, 64},
		{"array<f32,3>", "array<f32, 3>", 4, 12}, {"array<vec3<f32>, 2>", "array<vec3<f32>, 2>", 16, 32},
		{" array < vec4 < u32 > ,\n4 , > ", "array<vec4<u32>, 4>", 16, 64}, {"array<vec4<u32>,4>", "array<vec4<u32>, 4>", 16, 64},
		{"array<array<vec3f,2>,3u>", "array<array<vec3<f32>, 2>, 3>", 16, 96}, {"array<f32, 0x10>", "array<f32, 16>", 4, 64},
		{"array<mat2x2f, N>", "array<mat2x2<f32>, N>", 8, 80}, {"atomic<u32>", "atomic<u32>", 4, 4},
		{"array<f32>", "array<f32>", 4, 4}, {"array<f32,>", "array<f32>", 4, 4}, {"array<mat4x4<f32>>", "array<mat4x4<f32>>", 16, 64},
		{"S", "S", 16, 32}, {"array<S, 2>", "array<S, 2>", 16, 64}, {"T", "T", 16, 48},
	} {
		ts, err := newTypes([]Struct{
			{"T", []Field{{"s", "S"}, {"a", "u32"}}},
			{"S", []Field{{"a", "vec3<f32>"}, {"b", "f32"}, {"c", "f32"}}},
		})
		if err != nil {
			t.Fatal(err)
		}
		ts.consts = map[string]int64{"N": 5}
		typ, err := ts.resolve(c.text)
		if err != nil {
			t.Errorf("%s: %v", c.text, err)
			continue
		}
		if typ.text != c.canonical || typ.align != c.align || typ.size != c.size {
			t.Errorf("%s: %s, align %d, size %d; want %s, %d, %d", c.text, typ.text, typ.align, typ.size, c.canonical, c.align, c.size)
		}
	}
}

func TestTypeErrors(t *testing.T) {
	for _, text := range []string{
		"", " ", "f64", "bool", "f16", "vec3h", "vec5<f32>", "vec3", "vec3<", "vec3<f32", "vec3<f32>>", "vec3<vec3<f32>>", "vec3<bool>",
		"mat4x4", "mat4x4<i32>", "mat4x4u", "mat1x4<f32>", "mat4x4<f32>x", "array", "array<", "array<>", "array<f32", "array<f32,", "array<f32,0>",
		"array<f32,-1>", "array<f32,01>", "array<f32,1.5>", "array<f32,1_0>", "array<f32,4uu>", "array<f32,4x>", "array<f32,0x>", "array<f32, M>",
		"array<array<f32>,2>", "array<f32,99999999999999999999>", "array<vec4f,1073741824>", "atomic<f32>", "atomic<vec2u>", "S", "f32 f32", "f32;", "ptr<function,f32>",
		strings.Repeat("array<", 40) + "f32" + strings.Repeat(",1>", 40),
	} {
		ts, _ := newTypes(nil)
		typ, err := ts.resolve(text)
		if err == nil {
			t.Errorf("%q is %+v", text, typ)
			continue
		}
		wantError(t, err, ErrType)
	}
}

func TestLayout(t *testing.T) {
	u, err := Layout([]Field{
		{"a", "f32"}, {"b", "vec3<f32>"}, {"c", "f32"}, {"d", "vec2f"}, {"e", "mat3x3<f32>"}, {"f", "array<vec4<u32>,2>"}, {"g", "Inner"}, {"h", "f32"},
	}, []Struct{{"Inner", []Field{{"x", "f32"}}}})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]int{"a": 0, "b": 16, "c": 28, "d": 32, "e": 48, "f": 96, "g": 128, "h": 144}
	for _, f := range u.Fields {
		if f.Offset != want[f.Name] || offset(&u, f.Name) != f.Offset {
			t.Errorf("%s at %d (%d), want %d", f.Name, f.Offset, offset(&u, f.Name), want[f.Name])
		}
	}
	if u.Size != 160 || len(u.Fields) != 8 || u.Fields[6].Size != 16 {
		t.Errorf("layout %+v", u)
	}
	if want := "  a: f32,\n  b: vec3<f32>,\n  c: f32,\n  d: vec2<f32>,\n  e: mat3x3<f32>,\n  f: array<vec4<u32>, 2>,\n  @align(16) g: Inner,\n  h: f32,\n"; u.Body() != want {
		t.Errorf("body\n%s", u.Body())
	}
	if u, err := Layout([]Field{{"a", "f32"}}, nil); err != nil || u.Size != 16 {
		t.Errorf("one float: %+v, %v", u, err)
	}
	// The uniform space wants every array at a multiple of 16, whatever it holds.
	if u, err := Layout([]Field{{"a", "vec2f"}, {"m", "array<mat2x2f, 2>"}, {"b", "f32"}}, nil); err != nil || offset(&u, "m") != 16 || offset(&u, "b") != 48 ||
		u.Body() != "  a: vec2<f32>,\n  @align(16) m: array<mat2x2<f32>, 2>,\n  b: f32,\n" {
		t.Errorf("array of narrow matrices: %+v, %v", u, err)
	}
	if u, err := Layout(nil, nil); err != nil || u.Size != 0 || u.Body() != "" {
		t.Errorf("no fields: %+v, %v", u, err)
	}
	if u, err := StorageLayout([]Field{{"a", "f32"}, {"w", "array<f32, 4>"}}, nil); err != nil || u.Size != 32 || offset(&u, "w") != 4 || !strings.HasPrefix(u.Body(), "  @align(16) a: f32,\n") {
		t.Errorf("storage: %+v, %v", u, err)
	}
	if s, err := StructWGSL([]Field{{"x", "array<A, 2>"}}, []Struct{{"A", []Field{{"b", "B"}}}, {"B", []Field{{"v", "vec2f"}}}, {"C", []Field{{"v", "vec2f"}}}}); err != nil ||
		s != "struct A {\n  @align(16) b: B,\n}\nstruct B {\n  @align(16) v: vec2<f32>,\n}\nstruct C {\n  v: vec2<f32>,\n}\n" {
		t.Errorf("structs %q, %v", s, err)
	}
}

func TestLayoutErrors(t *testing.T) {
	for _, c := range []struct {
		name    string
		fields  []Field
		structs []Struct
		kind    error
		say     []string
	}{
		{"narrow array", []Field{{"w", "array<f32, 4>"}}, nil, ErrType, []string{`"w"`, "stride of 4", "vec4<f32>"}},
		{"wide array of narrow arrays", []Field{{"w", "array<array<vec2u, 2>, 4>"}}, nil, ErrType, []string{"array<vec2<u32>, 2>"}},
		{"narrow inner array", []Field{{"w", "array<array<vec2u, 1>, 4>"}}, nil, ErrType, []string{"vec4<u32>"}},
		{"narrow array in a struct", []Field{{"s", "S"}}, []Struct{{"S", []Field{{"w", "array<i32, 2>"}}}}, ErrType, []string{`"S"`, `"w"`, "vec4<i32>"}},
		{"matrices in nested arrays", []Field{{"m", "array<array<mat3x3f, 2>, 2>"}}, nil, ErrType, []string{`"m"`, "in a struct"}},
		{"atomic", []Field{{"n", "atomic<u32>"}}, nil, ErrType, []string{`"n"`, "storage"}},
		{"runtime size", []Field{{"w", "array<vec4f>"}}, nil, ErrType, []string{`"w"`}},
		{"twice", []Field{{"a", "f32"}, {"a", "f32"}}, nil, ErrConflict, []string{`"a"`}},
		{"struct twice", []Field{{"a", "f32"}}, []Struct{{"S", []Field{{"a", "f32"}}}, {"S", []Field{{"a", "f32"}}}}, ErrConflict, []string{`"S"`}},
		{"empty struct", []Field{{"s", "S"}}, []Struct{{"S", nil}}, ErrType, []string{`"S"`}},
		{"recursion", []Field{{"s", "A"}}, []Struct{{"A", []Field{{"b", "array<B, 2>"}}}, {"B", []Field{{"a", "A"}}}}, ErrType, []string{"contains itself"}},
		{"unknown", []Field{{"s", "Missing"}}, nil, ErrType, []string{"Missing", `"s"`}},
		{"name", []Field{{"for", "f32"}}, nil, ErrName, []string{`"for"`}},
		{"size", []Field{{"a", "array<vec4f, 60000000>"}, {"b", "array<vec4f, 60000000>"}}, nil, ErrType, []string{`"b"`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Layout(c.fields, c.structs)
			wantError(t, err, c.kind, c.say...)
		})
	}
	_, err := StorageLayout([]Field{{"a", "array<f32>"}}, nil)
	wantError(t, err, ErrType, `"a"`)
	_, err = StructWGSL(nil, []Struct{{"S", []Field{{"a", "array<u32>"}, {"b", "u32"}}}})
	wantError(t, err, ErrType, `"S"`, "last field")
}

// TestLayoutAgainstRules checks random layouts against the rules read the
// other way round: nothing overlaps, all is aligned, and nothing is further
// off than alignment asks.
func TestLayoutAgainstRules(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	kinds := []struct {
		text        string
		align, size int
	}{
		{"f32", 4, 4}, {"u32", 4, 4}, {"vec2<f32>", 8, 8}, {"vec3<f32>", 16, 12}, {"vec4<i32>", 16, 16}, {"mat2x2<f32>", 8, 16},
		{"mat4x2<f32>", 8, 32}, {"mat3x3<f32>", 16, 48}, {"array<vec3<f32>, 3>", 16, 48}, {"array<mat2x2<f32>, 2>", 16, 32}, {"S", 16, 16}, {"array<S, 2>", 16, 32},
	}
	structs := []Struct{{"S", []Field{{"a", "f32"}, {"b", "f32"}}}}
	for range 500 {
		var fields []Field
		var picked []int
		for i := range 1 + rng.IntN(12) {
			k := rng.IntN(len(kinds))
			picked = append(picked, k)
			fields = append(fields, Field{"f" + itoa(i), kinds[k].text})
		}
		u, err := Layout(fields, structs)
		if err != nil {
			t.Fatal(err)
		}
		end := 0
		for i, f := range u.Fields {
			k := kinds[picked[i]]
			if f.Offset%k.align != 0 || f.Offset < end || f.Offset-end >= k.align || f.Size != k.size {
				t.Fatalf("%v: %s at %d, size %d, after %d", fields, f.Name, f.Offset, f.Size, end)
			}
			end = f.Offset + f.Size
		}
		if u.Size%16 != 0 || u.Size < end || u.Size-end >= 16 {
			t.Fatalf("%v: size %d, end %d", fields, u.Size, end)
		}
	}
}
