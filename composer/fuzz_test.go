package composer

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
)

// choices turns fuzz data into decisions; at its end every decision is 0.
type choices struct{ data []byte }

func (c *choices) n(n int) int {
	if len(c.data) == 0 {
		return 0
	}
	v := int(c.data[0]) % n
	c.data = c.data[1:]
	return v
}

func one[T any](c *choices, of ...T) T { return of[c.n(len(of))] }

// some is an empty slice three times in four.
func some[T any](c *choices, make func() T) []T {
	var out []T
	for range max(0, c.n(8)-5) {
		out = append(out, make())
	}
	return out
}

// fragments builds a random list: graphs with and without cycles, colliding
// and invalid names, declarations that agree and that do not.
func (c *choices) fragments() []*Fragment {
	ids := []string{"a", "b", "c", "d", "e", "f", "g", ""}
	name := func() string { return one(c, "x", "y", "z", "mesh", "for", "mix", "1", "position", "worldPosition") }
	typ := func() string {
		return one(c, "f32", "vec2f", "vec3<f32>", "vec4<u32>", "i32", "mat4x4<f32>", "array<vec4f, 2>", "array<f32,2>", "S", "bool", "array<", "N")
	}
	code := func() string {
		return one(c, "", "{ }", "{\n}\n", "\n\n{ }\r\n{ }", "/*AI*/", "}", "$&", "  \n", "let x = 1;")
	}
	all := make([]*Fragment, 6)
	for i := range all {
		all[i] = &Fragment{}
	}
	for i, f := range all {
		f.ID = ids[i]
		if c.n(32) == 31 {
			f.ID = one(c, ids...)
		}
		f.Dependencies = some(c, func() string { return one(c, ids...) })
		f.Requires = some(c, func() *Fragment { return one(c, append(all, nil)...) })
		f.Attributes = some(c, func() Attribute {
			return Attribute{name(), typ(), one(c, "", Float32x3, Unorm8x4, Uint32, "x"), one(c, "", StepInstance), one(c, "", "p"), 4 * c.n(4), 4 * c.n(8), c.n(4) == 3}
		})
		f.Varyings = some(c, func() Varying { return Varying{name(), typ(), one(c, "", "flat", "linear, sample", "x")} })
		f.VertexBindings = some(c, func() Binding { return c.binding(name()) })
		f.Bindings = some(c, func() Binding { return c.binding(name()) })
		f.VertexBuiltins = some(c, func() Builtin { return Builtin{name(), one(c, "vertex_index", "instance_index", "x"), "u32"} })
		f.FragmentBuiltins = some(c, func() Builtin { return Builtin{name(), one(c, "sample_index", "sample_mask", "x"), "u32"} })
		f.MeshFields = some(c, func() Field { return Field{name(), typ()} })
		f.Fields = some(c, func() Field { return Field{name(), typ()} })
		f.InstanceFields = some(c, func() Field { return Field{name(), typ()} })
		f.Structs = some(c, func() Struct {
			return Struct{one(c, "S", "T", "x"), some(c, func() Field { return Field{name(), typ()} })}
		})
		f.Outputs = some(c, func() Output { return Output{name(), typ()} })
		f.Textures = some(c, name)
		f.Constants = some(c, func() Constant {
			return Constant{one(c, "N", "x", "y"), one(c, "u32", "f32", "bool", "x"), one(c, any(2), any(1.5), any(true), any(nil), any([]int{}))}
		})
		f.VertexHelpers, f.FragmentHelpers = code(), code()
		f.Slots = map[Slot]string{}
		for range c.n(3) {
			f.Slots[one(c, SlotAmbient, SlotVertexAfter, SlotHelpers, "IN", "QQ")] = code()
		}
	}
	var list []*Fragment
	for range c.n(8) {
		list = append(list, one(c, append(all, nil)...))
	}
	return list
}

func (c *choices) binding(name string) Binding {
	return Binding{
		Name: name, Kind: BindingKind(c.n(7)), Group: Group(c.n(3)), Visibility: Stage(c.n(5)),
		Type:   one(c, "", "texture_2d<f32>", "texture_depth_cube", "sampler", "texture_storage_2d<r32uint, read>", "array<vec4f, N>", "S", "<", "texture_2d<"),
		Access: one(c, "", AccessRead, AccessReadWrite), Sampler: one(c, "", SamplerComparison), Sample: one(c, "", SampleDepth), Format: one(c, "", R32Uint),
	}
}

// FuzzCompose checks that any graph of fragments is composed or refused with
// an *Error, and that what is composed does not depend on the order of the
// list and knows where each of its lines came from.
func FuzzCompose(f *testing.F) {
	f.Add([]byte{})
	f.Add([]byte{0, 7, 1, 7, 2, 7, 3})
	for seed := range 40 {
		var b []byte
		for i := range 400 {
			// Mostly small choices: few declarations, valid names.
			v := (seed*131 + i*i*7 + i*(seed+3)) % 251
			b = append(b, byte(v%(2+seed%9)))
		}
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		c := &choices{data}
		tm := litTemplate()
		tm.KeepOrder = c.n(4) == 3
		o := Options{VertexOnly: c.n(8) == 7}
		if c.n(4) == 3 {
			o.OutputLocations = map[string]int{"color": c.n(3), "x": c.n(3) - 1}
		}
		list := c.fragments()
		sh, err := Compose(tm, list, o)
		if err != nil {
			var e *Error
			if !errors.As(err, &e) || e.Kind == nil || strings.Contains(err.Error(), "\n") {
				t.Fatalf("error %#v", err)
			}
			if sh != nil {
				t.Fatal("a shader beside an error")
			}
			return
		}
		checkMap(t, tm, list, sh.VertexWGSL, sh.VertexMap)
		checkMap(t, tm, list, sh.FragmentWGSL, sh.FragmentMap)
		again, err := Compose(tm, list, o)
		if err != nil || !reflect.DeepEqual(again, sh) {
			t.Fatalf("a second time: %v", err)
		}
		if tm.KeepOrder {
			return
		}
		for i := len(list) - 1; i > 0; i-- {
			j := c.n(i + 1)
			list[i], list[j] = list[j], list[i]
		}
		shuffled, err := Compose(tm, list, o)
		if err != nil {
			t.Fatalf("in another order: %v", err)
		}
		if shuffled.Key != sh.Key || shuffled.VertexWGSL != sh.VertexWGSL || shuffled.FragmentWGSL != sh.FragmentWGSL {
			t.Fatalf("another order gives another shader:\n%s\nand\n%s", sh.FragmentWGSL, shuffled.FragmentWGSL)
		}
	})
}

// checkMap checks that the map has one origin for each line, and that code
// which a fragment or the template wrote stands where the map says.
func checkMap(t testing.TB, tm *Template, list []*Fragment, wgsl string, m SourceMap) {
	t.Helper()
	lines := strings.Split(strings.TrimSuffix(wgsl, "\n"), "\n")
	if wgsl == "" {
		lines = nil
	}
	if len(lines) != m.Len() {
		t.Fatalf("%d lines and %d origins in\n%s", len(lines), m.Len(), wgsl)
	}
	byID := make(map[string]*Fragment)
	var add func(f *Fragment)
	add = func(f *Fragment) {
		if f == nil || byID[f.ID] == f {
			return
		}
		byID[f.ID] = f
		for _, r := range f.Requires {
			add(r)
		}
	}
	for _, f := range list {
		add(f)
	}
	for i := range lines {
		o := m.At(i + 1)
		var text string
		switch f := byID[o.ID]; {
		case o.Template && o.ID == tm.ID:
			switch o.Part {
			case "vertex":
				text = tm.Vertex
			case "fragment":
				text = tm.Fragment
			case "SU":
				text = tm.SceneUniforms
			default:
				continue // generated
			}
		case f == nil:
			t.Fatalf("line %d comes from an unknown %+v", i+1, o)
		case f.Slots[Slot(o.Part)] != "" && Slot(o.Part) != SlotHelpers:
			text = f.Slots[Slot(o.Part)]
		default:
			continue // generated, or a helper, which has two sources; TestSourceMap checks those
		}
		source := strings.Split(text, "\n")
		if o.Line < 1 || o.Line > len(source) {
			t.Fatalf("line %d comes from %+v, beyond its %d lines", i+1, o, len(source))
		}
		want := strings.TrimSpace(source[o.Line-1])
		if strings.Contains(want, "/*") {
			continue // a marker is replaced, and may break the line
		}
		if !strings.Contains(lines[i], want) {
			t.Fatalf("line %d is %q and comes from %+v, which is %q", i+1, lines[i], o, want)
		}
	}
}

// FuzzText checks that any text in any place is composed, to a shader whose
// map leads back, or refused in one short line.
func FuzzText(f *testing.F) {
	for _, s := range [][4]string{
		{"f", "a", "f32", "let a = 1;"},
		{"a\nb", "größe", " array < vec4f ,\t4 > ", "// c\r\n{ }\r\n"},
		{"\xff", "a: f32, b", "f32, b: f32", "} fn g() {"},
		{"f\u2028", "__a", "array<array<array<vec4f,2>,2>,2>", "/* /*AI*/ */ let a = 1; // \u2029"},
		{"", "", "", "\x00\r\v\ufeff"},
		{"f", "a", "mat3x3f", "for (var i = 0; i < 3; i++) { let a = 1; } let a = 2;"},
	} {
		f.Add(s[0], s[1], s[2], s[3])
	}
	f.Fuzz(func(t *testing.T, id, name, typ, code string) {
		at := func() *Fragment { return &Fragment{ID: id} }
		for i, set := range []func(*Fragment){
			func(f *Fragment) { f.Fields = []Field{{name, typ}} },
			func(f *Fragment) {
				f.InstanceFields, f.Structs = []Field{{"x", typ}}, []Struct{{name, []Field{{name, typ}}}}
			},
			func(f *Fragment) {
				f.Attributes = []Attribute{{Name: name, Type: typ, Format: VertexFormat(code), Buffer: id}}
			},
			func(f *Fragment) { f.Varyings = []Varying{{name, typ, code}, {name, typ, "flat"}} },
			func(f *Fragment) {
				f.Bindings = []Binding{{Name: name, Kind: BindTexture, Type: typ, Sample: SampleType(code)}}
			},
			func(f *Fragment) {
				f.Bindings = []Binding{{Name: name, Kind: BindStorageTexture, Type: typ, Format: TextureFormat(code)}}
			},
			func(f *Fragment) { f.Textures, f.Outputs = []string{name}, []Output{{name, typ}} },
			func(f *Fragment) { f.Constants = []Constant{{name, typ, 1}} },
			func(f *Fragment) { f.Slots = map[Slot]string{Slot(name): code, SlotAmbient: code} },
			func(f *Fragment) { f.VertexHelpers, f.FragmentHelpers = code, code },
			func(f *Fragment) { f.Dependencies = []string{name} },
		} {
			fragment, tm := at(), litTemplate()
			set(fragment)
			sh, err := Compose(tm, []*Fragment{fragment}, Options{})
			if err == nil {
				checkMap(t, tm, []*Fragment{fragment}, sh.VertexWGSL, sh.VertexMap)
				checkMap(t, tm, []*Fragment{fragment}, sh.FragmentWGSL, sh.FragmentMap)
				continue
			}
			var e *Error
			if s := err.Error(); !errors.As(err, &e) || len(s) > 4000 || strings.ContainsFunc(s, invisible) {
				t.Fatalf("%d: %d bytes: %.500q", i, len(s), s)
			}
		}
	})
}

// FuzzType checks that any text is refused or read as a type whose canonical
// spelling means the same.
func FuzzType(f *testing.F) {
	for _, s := range []string{
		"f32", "vec3<f32>", "vec4u", "mat3x4<f32>", "array<vec4<u32>,4>", " array < array<S, 2> , N > ", "atomic<i32>", "array<f32,0x1F>", "array<array<array<f32,2>,2>,2>", "array<", "vec3<", "S",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		ts, err := newTypes([]Struct{{"S", []Field{{"a", "vec3<f32>"}, {"b", "f32"}}}})
		if err != nil {
			t.Fatal(err)
		}
		ts.consts = map[string]int64{"N": 3, "M": -1}
		typ, err := ts.resolve(text)
		if err != nil {
			var e *Error
			if !errors.As(err, &e) {
				t.Fatalf("error %#v", err)
			}
			return
		}
		again, err := ts.resolve(typ.text)
		if err != nil || again.text != typ.text || again.size != typ.size || again.align != typ.align {
			t.Fatalf("%q is %+v, and %q is %+v, %v", text, typ, typ.text, again, err)
		}
		if typ.size < 4 || typ.align < 4 || typ.size > maxTypeSize {
			t.Fatalf("%q: size %d, align %d", text, typ.size, typ.align)
		}
	})
}

// FuzzTemplate checks that any template is composed or refused, and that
// text without markers goes through unchanged.
func FuzzTemplate(f *testing.F) {
	for _, s := range []string{litVertex, litFragment, "/*AI*/", "/*/*AI*/*/", "// /*AI*/\n/*AI*/", "  /*AI*/  \n  x /*AI*/ y /*AI*/", "/*", "/**/", "/*AI", "//", "/", "\r\n/*AI*/\r\n"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		tm := litTemplate()
		tm.Fragment = text + "\n@fragment fn fs() { }"
		fragment := &Fragment{ID: "f", Slots: map[Slot]string{}}
		if strings.Contains(text, "/*AI*/") {
			fragment.Slots["AI"] = "// one\n// two"
		}
		for _, s := range appendSegments(nil, text) {
			if s.slot != "" && !isSlot(string(s.slot)) || strings.Contains(s.indent, "\n") {
				t.Fatalf("segment %+v", s)
			}
		}
		sh, err := Compose(tm, []*Fragment{fragment}, Options{OutputLocations: map[string]int{}})
		if err != nil {
			return
		}
		checkMap(t, tm, []*Fragment{fragment}, sh.FragmentWGSL, sh.FragmentMap)
		if !strings.Contains(text, "/*") && !strings.Contains(text, "\r") && sh.FragmentWGSL != tm.Fragment {
			t.Fatalf("%q became %q", tm.Fragment, sh.FragmentWGSL)
		}
	})
}

// FuzzUniformPath checks that any path is followed or refused.
func FuzzUniformPath(f *testing.F) {
	for _, s := range []string{"scale", "lights[3].color", "fog.bands[1].far", "grid[1][1]", "lights[", "a.b", "[0]", "."} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, path string) {
		w := NewUniformWriter(writerUBO(t))
		typ, off, why := w.find(path)
		if why != "" {
			return
		}
		if off < 0 || off+typ.size > len(w.Bytes()) {
			t.Fatalf("%q is bytes %d to %d of %d", path, off, off+typ.size, len(w.Bytes()))
		}
		if n := typ.components(); n > 0 {
			v := make([]uint32, n)
			for i := range v {
				v[i] = 0x3f800000
			}
			if err := w.Set(path, v); err != nil && typ.scalar == 'u' {
				t.Fatal(err)
			}
		}
	})
}

// TestFuzzSeeds keeps the generator honest: it must make valid lists too.
func TestFuzzSeeds(t *testing.T) {
	valid, kinds := 0, make(map[error]int)
	for seed := range 4000 {
		data := make([]byte, 300)
		state := uint32(seed)*2654435761 + 12345
		for i := range data {
			state = state*1664525 + 1013904223
			data[i] = byte(state>>24) % byte(2+seed%11)
		}
		c := &choices{data}
		_, err := Compose(litTemplate(), c.fragments(), Options{})
		var e *Error
		if errors.As(err, &e) {
			kinds[e.Kind]++
		} else {
			valid++
		}
	}
	if valid < 400 {
		t.Errorf("only %d of 4000 lists are valid", valid)
	}
	for _, k := range []error{ErrDuplicate, ErrDependency, ErrCycle, ErrConflict, ErrSlot, ErrName, ErrType} {
		if kinds[k] == 0 {
			t.Errorf("no list has a %v: %v", k, fmt.Sprint(kinds))
		}
	}
}
