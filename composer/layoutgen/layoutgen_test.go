package layoutgen

import (
	"encoding/binary"
	"reflect"
	"strings"
	"testing"

	"darkroom/composer"
)

func TestRandomIsValidAndRepeats(t *testing.T) {
	var kinds struct{ arrays, structs, matrices, nested int }
	for _, space := range []Space{Uniform, Storage} {
		for seed := range uint64(2000) {
			fields, structs := Random(seed, space)
			again, _ := Random(seed, space)
			if !reflect.DeepEqual(fields, again) {
				t.Fatalf("seed %d gives two layouts", seed)
			}
			e, err := NewEcho(fields, structs, space)
			if err != nil {
				t.Fatalf("space %d seed %d: %v\n%v\n%v", space, seed, err, fields, structs)
			}
			if e.Words == 0 || e.Words > maxWords || e.Layout.Size%16 != 0 {
				t.Fatalf("space %d seed %d: %d words in %d bytes", space, seed, e.Words, e.Layout.Size)
			}
			checkOverlap(t, e)
			for _, f := range fields {
				kinds.arrays += strings.Count(f.Type, "array")
				kinds.structs += strings.Count(f.Type, "S")
				kinds.matrices += strings.Count(f.Type, "mat")
				if strings.Count(f.Type, "array") > 1 {
					kinds.nested++
				}
			}
		}
	}
	if kinds.arrays < 500 || kinds.structs < 500 || kinds.matrices < 500 || kinds.nested < 50 {
		t.Errorf("the layouts are too tame: %+v", kinds)
	}
}

// The 300 layouts that a device is asked about hold every type of scalar,
// vector and matrix that it can share with the host, in either address space.
func TestRandomHoldsEveryType(t *testing.T) {
	want := []string{"f32", "i32", "u32"}
	for _, n := range []string{"2", "3", "4"} {
		for _, scalar := range []string{"f32", "i32", "u32"} {
			want = append(want, "vec"+n+"<"+scalar+">")
		}
		for _, rows := range []string{"2", "3", "4"} {
			want = append(want, "mat"+n+"x"+rows+"<f32>")
		}
	}
	for _, space := range []Space{Uniform, Storage} {
		seen := make(map[string]bool)
		for seed := range uint64(150) {
			fields, structs := Random(seed, space)
			e, err := NewEcho(fields, structs, space)
			if err != nil {
				t.Fatal(err)
			}
			for _, leaf := range e.Layout.Leaves() {
				seen[leaf.Type] = true
			}
		}
		for _, typ := range want {
			if !seen[typ] {
				t.Errorf("space %d: no layout has a %s", space, typ)
			}
		}
	}
}

// checkOverlap sees to it that no two scalars share a word and all lie in the buffer.
func checkOverlap(t *testing.T, e *Echo) {
	t.Helper()
	taken := make(map[int]string)
	for i, at := range e.offsets {
		if at%4 != 0 || at < 0 || at+4 > e.Layout.Size {
			t.Fatalf("%s lies at %d of %d bytes", e.paths[i], at, e.Layout.Size)
		}
		if other, ok := taken[at]; ok {
			t.Fatalf("%s and %s both lie at %d", other, e.paths[i], at)
		}
		taken[at] = e.paths[i]
	}
}

func TestEcho(t *testing.T) {
	fields := []composer.Field{{Name: "a", Type: "f32"}, {Name: "b", Type: "vec3<f32>"}, {Name: "c", Type: "mat2x3f"}, {Name: "s", Type: "array<S, 2>"}}
	structs := []composer.Struct{{Name: "S", Fields: []composer.Field{{Name: "x", Type: "u32"}}}}
	e, err := NewEcho(fields, structs, Uniform)
	if err != nil {
		t.Fatal(err)
	}
	want := []int{0, 16, 20, 24, 32, 36, 40, 48, 52, 56, 64, 80}
	if !reflect.DeepEqual(e.offsets, want) || e.Layout.Size != 96 {
		t.Errorf("offsets %v of %d bytes, want %v of 96", e.offsets, e.Layout.Size, want)
	}
	for _, line := range []string{
		"  @align(16) x: u32,", "  copied[1] = bitcast<u32>(source.b.x);", "  copied[9] = bitcast<u32>(source.c[1].z);",
		"  copied[11] = bitcast<u32>(source.s[1].x);",
	} {
		if !strings.Contains(e.WGSL, line+"\n") {
			t.Errorf("no line %q in\n%s", line, e.WGSL)
		}
	}

	// What a faithful device writes passes; one word read from elsewhere does not.
	in := e.Input()
	var out []byte
	for _, at := range e.offsets {
		out = append(out, in[at:at+4]...)
	}
	if err := e.Check(out); err != nil {
		t.Error(err)
	}
	copy(out[4:8], in[4:8])
	if err := e.Check(out); err == nil || !strings.Contains(err.Error(), "b.x should lie at offset 16 but was read from offset 4") {
		t.Errorf("got %v", err)
	}
	binary.LittleEndian.PutUint32(out[4:], 7)
	if err := e.Check(out); err == nil || !strings.Contains(err.Error(), "b.x") {
		t.Errorf("got %v", err)
	}
	if err := e.Check(out[:8]); err == nil {
		t.Error("a short answer passed")
	}
}
