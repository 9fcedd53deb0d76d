package composer

import (
	"errors"
	"strings"
	"testing"
)

// TestBugsOfOthers holds what other composers of shader text get wrong, one
// subtest each, named after the bug.
func TestBugsOfOthers(t *testing.T) {
	slot := func(id, code string) *Fragment {
		return &Fragment{ID: id, Slots: map[Slot]string{SlotAmbient: code}}
	}
	refused := func(t *testing.T, kind error, names []string, fs ...*Fragment) {
		t.Helper()
		_, err := Compose(litTemplate(), fs, Options{})
		wantError(t, err, kind, names...)
	}

	// Babylon Lite.
	t.Run("only the first of a marker is replaced", func(t *testing.T) {
		tm := bareTemplate(SlotAmbient, SlotAmbient)
		tm.SceneUniforms = "const scene = 1;"
		tm.Vertex, tm.Fragment = "/*SU*/\n"+tm.Vertex, "/*SU*/\n"+tm.Fragment
		sh := mustCompose(t, tm, slot("a", "{ }"))
		if strings.Count(sh.FragmentWGSL, "{ }") != 2 || strings.Contains(sh.FragmentWGSL, "/*") || !strings.HasPrefix(sh.VertexWGSL, "const scene") {
			t.Errorf("got\n%s", sh.FragmentWGSL)
		}
	})
	t.Run("replacement patterns in the text are expanded", func(t *testing.T) {
		const text = "// $& $$ $1 $` $' ${a} \\1 /*SU*/"
		tm := bareTemplate(SlotAmbient)
		tm.SceneUniforms = text
		tm.Fragment = "/*SU*/\n" + tm.Fragment
		if sh := mustCompose(t, tm, slot("a", text)); strings.Count(sh.FragmentWGSL, text) != 2 {
			t.Errorf("got\n%s", sh.FragmentWGSL)
		}
	})
	t.Run("code for a slot that the template lacks vanishes", func(t *testing.T) {
		refused(t, ErrSlot, []string{`"a"`, "XX", `"lit"`}, &Fragment{ID: "a", Slots: map[Slot]string{"XX": "{ }"}})
	})
	t.Run("a field of two types in a uniform buffer", func(t *testing.T) {
		refused(t, ErrConflict, []string{`"a"`, `"b"`, `"x"`, "f32", "vec4f"}, &Fragment{ID: "a", Fields: []Field{{"x", "f32"}}}, &Fragment{ID: "b", Fields: []Field{{"x", "vec4f"}}})
	})
	t.Run("no mat3x3 and no arrays in uniform buffers", func(t *testing.T) {
		sh := mustCompose(t, bareTemplate(), &Fragment{ID: "a", Fields: []Field{{"m", "mat3x3<f32>"}, {"v", "array<vec4f,3>"}, {"h", "mat2x4<f32>"}, {"i", "vec3<i32>"}}})
		if u := &sh.MeshUBO; offset(u, "v") != 48 || offset(u, "h") != 96 || offset(u, "i") != 128 || u.Size != 144 {
			t.Errorf("layout %+v", sh.MeshUBO.Fields)
		}
	})
	t.Run("errors without names", func(t *testing.T) {
		dep := func(id string, ids ...string) *Fragment { return &Fragment{ID: id, Dependencies: ids} }
		refused(t, ErrCycle, []string{"a → b → c → a"}, dep("a", "b"), dep("b", "c"), dep("c", "a"))
		refused(t, ErrDependency, []string{`"a"`, `"nowhere"`}, dep("a", "nowhere"))
		refused(t, ErrDuplicate, []string{`"a"`}, dep("a"), dep("a"))
	})
	t.Run("attributes and varyings of one name: the first wins", func(t *testing.T) {
		at := func(id string, f VertexFormat) *Fragment {
			return &Fragment{ID: id, Attributes: []Attribute{{Name: "c", Type: "vec4f", Format: f}}}
		}
		refused(t, ErrConflict, []string{`"a"`, `"b"`, "float32x4", "unorm8x4"}, at("a", Float32x4), at("b", Unorm8x4))
		refused(t, ErrConflict, []string{`"a"`, `"b"`, "linear"}, &Fragment{ID: "a", Varyings: []Varying{{"v", "f32", ""}}}, &Fragment{ID: "b", Varyings: []Varying{{"v", "f32", "linear"}}})
	})
	t.Run("a key of ids: other code under the same ids", func(t *testing.T) {
		if mustCompose(t, bareTemplate(SlotAmbient), slot("a", "{ }")).Key == mustCompose(t, bareTemplate(SlotAmbient), slot("a", "{ ; }")).Key {
			t.Error("two shaders share a key")
		}
	})

	// PixiJS.
	t.Run("a key of sorted ids: two orders share a program", func(t *testing.T) {
		tm := bareTemplate(SlotAmbient)
		tm.KeepOrder = true
		a, b := slot("a", "{ }"), slot("b", "{ ; }")
		ab, ba := mustCompose(t, tm, a, b), mustCompose(t, tm, b, a)
		if ab.Key == ba.Key || ab.FragmentWGSL == ba.FragmentWGSL {
			t.Error("[a, b] and [b, a] are one shader")
		}
		var cache Cache
		x, err1 := cache.Compose(tm, []*Fragment{a, b}, Options{})
		y, err2 := cache.Compose(tm, []*Fragment{b, a}, Options{})
		if err1 != nil || err2 != nil || x == y || x.Key != ab.Key || y.Key != ba.Key {
			t.Error("the cache takes one for the other")
		}
	})
	t.Run("structs of one name: the first wins", func(t *testing.T) {
		refused(t, ErrConflict, []string{`"a"`, `"b"`, `"S"`}, &Fragment{ID: "a", Structs: []Struct{{"S", []Field{{"x", "f32"}}}}}, &Fragment{ID: "b", Structs: []Struct{{"S", []Field{{"x", "u32"}}}}})
	})
	t.Run("a required piece cannot bring textures or fields", func(t *testing.T) {
		lib := &Fragment{ID: "lib", Fields: []Field{{"x", "f32"}}, Textures: []string{"noise"}}
		sh := mustCompose(t, litTemplate(), &Fragment{ID: "a", Requires: []*Fragment{lib}})
		if _, ok := sh.MaterialUBO.Offset("x"); !ok || !strings.Contains(sh.FragmentWGSL, "fn sampleNoise(") {
			t.Errorf("got\n%s", sh.FragmentWGSL)
		}
	})

	// Both.
	t.Run("no check of limits", func(t *testing.T) {
		varyings, bindings, attributes := &Fragment{ID: "a"}, &Fragment{ID: "a"}, &Fragment{ID: "a"}
		for i := range 17 {
			varyings.Varyings = append(varyings.Varyings, Varying{Name: "v" + itoa(i), Type: "f32"})
			bindings.Bindings = append(bindings.Bindings, Binding{Name: "t" + itoa(i), Kind: BindTexture, Type: "texture_2d<f32>"})
			attributes.Attributes = append(attributes.Attributes, Attribute{Name: "a" + itoa(i), Type: "f32", Buffer: "all", Offset: 4 * i})
		}
		for _, f := range []*Fragment{varyings, bindings, attributes} {
			refused(t, ErrLimit, []string{`"a"`, "16"}, f)
		}
	})

	// naga_oil.
	t.Run("a helper that two fragments define shadows the other", func(t *testing.T) {
		refused(t, ErrConflict, []string{`"a"`, `"b"`, `"noise"`, "HF line 2"},
			&Fragment{ID: "a", FragmentHelpers: "// one\nfn noise() -> f32 { return 0.0; }"}, &Fragment{ID: "b", FragmentHelpers: "// two\nfn noise() -> f32 { return 1.0; }"})
	})
	t.Run("an error says the wrong thing is missing", func(t *testing.T) {
		_, err := Compose(litTemplate(), []*Fragment{{ID: "a", Fields: []Field{{"x", "Lamp"}}}}, Options{})
		if !errors.Is(err, ErrType) || !strings.Contains(err.Error(), `"Lamp" is no host-shareable type and no declared struct`) {
			t.Error(err)
		}
	})
}

// TestLayoutRules are the rules of WGSL that layouts of uniform buffers are
// known to break, with the numbers of the specification's examples.
func TestLayoutRules(t *testing.T) {
	for _, c := range []struct {
		rule   string
		fields []Field
		want   []int // offsets, then the size
	}{
		{"vec3 is aligned to 16", []Field{{"a", "f32"}, {"b", "vec3f"}}, []int{0, 16, 32}},
		{"vec3 has a size of 12, so that a scalar follows at once", []Field{{"a", "vec3f"}, {"b", "f32"}}, []int{0, 12, 16}},
		{"the size is rounded up to 16", []Field{{"a", "f32"}}, []int{0, 16}},
		{"an array's stride is a multiple of 16", []Field{{"a", "array<vec3f, 2>"}, {"b", "f32"}}, []int{0, 32, 48}},
		{"mat3x3 has 48 bytes", []Field{{"a", "mat3x3f"}, {"b", "f32"}}, []int{0, 48, 64}},
		{"mat2x3 has 32 bytes", []Field{{"a", "mat2x3f"}, {"b", "f32"}}, []int{0, 32, 48}},
		{"mat3x2 has 24 bytes and is aligned to 8", []Field{{"a", "f32"}, {"b", "mat3x2f"}, {"c", "f32"}}, []int{0, 8, 32, 48}},
		{"vec2 is aligned to 8", []Field{{"a", "f32"}, {"b", "vec2u"}, {"c", "i32"}}, []int{0, 8, 16, 32}},
	} {
		u, err := Layout(c.fields, nil)
		if err != nil {
			t.Errorf("%s: %v", c.rule, err)
			continue
		}
		for i, f := range u.Fields {
			if f.Offset != c.want[i] {
				t.Errorf("%s: %s lies at %d, want %d", c.rule, f.Name, f.Offset, c.want[i])
			}
		}
		if want := c.want[len(c.want)-1]; u.Size != want {
			t.Errorf("%s: %d bytes, want %d", c.rule, u.Size, want)
		}
	}
}
