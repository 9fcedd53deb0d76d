package composer

import (
	"strings"
	"testing"
)

func TestVertexBuffers(t *testing.T) {
	sh := mustCompose(t, litTemplate(), pick("uv", "normal", "skin", "thin-instances")...)
	describe := func(b VertexBuffer) string {
		s := b.Name + " " + itoa(b.Stride) + " " + string(b.Step) + ":"
		for _, a := range b.Attributes {
			s += " " + a.Name + "@" + itoa(a.Location) + "+" + itoa(a.Offset) + " " + string(a.Format)
		}
		return s
	}
	var got []string
	for _, b := range sh.Buffers {
		got = append(got, describe(b))
	}
	want := `position 12 vertex: position@0+0 float32x3
normal 4 vertex: normal@1+0 snorm8x4
skin 20 vertex: joints@2+0 uint8x4 weights@3+4 float32x4
matrix 64 instance: world0@4+0 float32x4 world1@5+16 float32x4 world2@6+32 float32x4 world3@7+48 float32x4
uv 8 vertex: uv@8+0 float32x2`
	if s := strings.Join(got, "\n"); s != want {
		t.Errorf("got\n%s\nwant\n%s", s, want)
	}
	wantOrder(t, sh.VertexWGSL, "  @location(4) world0: vec4<f32>,\n  @location(5) world1: vec4<f32>,\n")

	// The same group from two fragments; the attribute that both declare is one.
	world := pick("thin-instances")[0].Attributes
	sh = mustCompose(t, bareTemplate(), &Fragment{ID: "b", Attributes: world[:2]}, &Fragment{ID: "a", Attributes: world[1:]})
	if len(sh.Buffers) != 1 || len(sh.Buffers[0].Attributes) != 4 || sh.Buffers[0].Stride != 64 {
		t.Errorf("buffers %+v", sh.Buffers)
	}
	// Tight strides are rounded up to 4.
	sh = mustCompose(t, bareTemplate(), &Fragment{ID: "a", Attributes: []Attribute{{Name: "a", Type: "vec2f", Format: Unorm8x2}, {Name: "b", Type: "f32", Buffer: "g"}, {Name: "c", Type: "vec2f", Format: Unorm8x2, Buffer: "g", Offset: 4}}})
	if sh.Buffers[0].Stride != 4 || sh.Buffers[1].Stride != 8 {
		t.Errorf("strides %d, %d", sh.Buffers[0].Stride, sh.Buffers[1].Stride)
	}
}

func TestVertexBufferErrors(t *testing.T) {
	many := func(n int, buffer string) []Attribute {
		var a []Attribute
		for i := range n {
			a = append(a, Attribute{Name: "a" + itoa(i), Type: "f32", Buffer: buffer, Offset: 4 * i * min(1, len(buffer))})
		}
		return a
	}
	for _, c := range []struct {
		name string
		a    []Attribute
		kind error
		say  string
	}{
		{"stride not a multiple of 4", []Attribute{{Name: "a", Type: "f32", Stride: 6}}, ErrState, "6"},
		{"stride beyond the limit", []Attribute{{Name: "a", Type: "f32", Stride: 2052}}, ErrLimit, "2052"},
		{"stride too small", []Attribute{{Name: "a", Type: "vec4f", Stride: 12}}, ErrState, "12"},
		{"negative stride", []Attribute{{Name: "a", Type: "f32", Stride: -4}}, ErrState, "-4"},
		{"offset beyond the stride", []Attribute{{Name: "a", Type: "vec2f", Stride: 12, Offset: 8}}, ErrState, "8 + 8"},
		{"offset not aligned", []Attribute{{Name: "a", Type: "f32", Stride: 12, Offset: 2}}, ErrState, "2"},
		{"negative offset", []Attribute{{Name: "a", Type: "f32", Stride: 12, Offset: -4}}, ErrState, "-4"},
		{"huge offset", []Attribute{{Name: "a", Type: "f32", Stride: 12, Offset: 1<<63 - 4}}, ErrState, "beyond"},
		{"unknown step", []Attribute{{Name: "a", Type: "f32", Step: "mesh"}}, ErrState, "mesh"},
		{"too many attributes", many(17, "g"), ErrLimit, "16"},
		{"too many buffers", many(9, ""), ErrLimit, "8"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Compose(bareTemplate(), []*Fragment{{ID: "f", Attributes: c.a}}, Options{})
			wantError(t, err, c.kind, c.say)
		})
	}
	mustCompose(t, bareTemplate(), &Fragment{ID: "f", Attributes: many(16, "g")})
	mustCompose(t, bareTemplate(), &Fragment{ID: "f", Attributes: many(8, "")})
	_, err := Compose(bareTemplate(), []*Fragment{{ID: "f", Attributes: many(9, "")}}, Options{Limits: Limits{VertexBuffers: 9}})
	if err != nil {
		t.Error(err)
	}

	// By hand, as a user of the package may.
	at := func(loc int) VertexBuffer {
		return VertexBuffer{Name: "b", Stride: 16, Attributes: []VertexBufferAttribute{{Attribute{Name: "a", Type: "vec4f", Format: Float32x4}, loc}}}
	}
	wantError(t, ValidateBuffers([]VertexBuffer{at(1), at(1)}, Limits{}), ErrState, "location 1")
	wantError(t, ValidateBuffers([]VertexBuffer{at(16)}, Limits{}), ErrLimit, "location 16")
	wantError(t, ValidateBuffers([]VertexBuffer{at(-1)}, Limits{}), ErrLimit, "location -1")
	bad := at(0)
	bad.Attributes[0].Type = "vec4u"
	wantError(t, ValidateBuffers([]VertexBuffer{bad}, Limits{}), ErrType, "vec4u")
	bad.Attributes[0].Format = ""
	wantError(t, ValidateBuffers([]VertexBuffer{bad}, Limits{}), ErrType)
	if err := ValidateBuffers([]VertexBuffer{at(0), {Stride: 0, Attributes: []VertexBufferAttribute{{Attribute{Name: "c", Format: Float32x4, Offset: 16}, 1}}}}, Limits{}); err != nil {
		t.Errorf("a stride of 0 is allowed: %v", err)
	}
}

func TestLimits(t *testing.T) {
	bindings := func(n int, b Binding) *Fragment {
		f := &Fragment{ID: "f"}
		for i := range n {
			b.Name = "b" + itoa(i)
			f.Bindings = append(f.Bindings, b)
		}
		return f
	}
	varyings := func(n int, typ string) *Fragment {
		f := &Fragment{ID: "f"}
		for i := range n {
			f.Varyings = append(f.Varyings, Varying{Name: "v" + itoa(i), Type: typ})
		}
		return f
	}
	outputs := func(n int) *Fragment {
		f := &Fragment{ID: "f"}
		for i := range n {
			f.Outputs = append(f.Outputs, Output{"o" + itoa(i), "f32"})
		}
		return f
	}
	for _, c := range []struct {
		name    string
		in, out *Fragment // within and beyond the default limits
	}{
		{"textures", bindings(16, Binding{Kind: BindTexture, Type: "texture_2d<f32>"}), bindings(17, Binding{Kind: BindTexture, Type: "texture_2d<f32>"})},
		{"samplers", bindings(16, Binding{Kind: BindSampler}), bindings(17, Binding{Kind: BindSampler})},
		{"storage buffers", bindings(8, Binding{Kind: BindStorage, Type: "array<u32>"}), bindings(9, Binding{Kind: BindStorage, Type: "array<u32>"})},
		{"storage textures", bindings(4, Binding{Kind: BindStorageTexture, Type: "texture_storage_2d", Format: RGBA8Unorm}), bindings(5, Binding{Kind: BindStorageTexture, Type: "texture_storage_2d", Format: RGBA8Unorm})},
		{"uniform buffers", bindings(12, Binding{Kind: BindUniform, Type: "vec4f"}), bindings(13, Binding{Kind: BindUniform, Type: "vec4f"})},
		{"uniform size", bindings(1, Binding{Kind: BindUniform, Type: "array<vec4f, 4096>"}), bindings(1, Binding{Kind: BindUniform, Type: "array<vec4f, 4097>"})},
		{"mesh uniforms", &Fragment{ID: "f", Fields: []Field{{"x", "array<vec4f, 4096>"}}}, &Fragment{ID: "f", Fields: []Field{{"x", "array<vec4f, 4096>"}, {"y", "f32"}}}},
		{"varyings", varyings(15, "f32"), varyings(16, "f32")}, // front_facing takes one of 16
		{"varying components", varyings(15, "vec4f"), varyings(16, "vec4f")},
		{"outputs", outputs(8), outputs(9)},
		{"textures by name", &Fragment{ID: "f", Textures: strings.Split("a b c d e f g h i j k l m n o p", " ")}, &Fragment{ID: "f", Textures: strings.Split("a b c d e f g h i j k l m n o p q", " ")}},
	} {
		t.Run(c.name, func(t *testing.T) {
			mustCompose(t, bareTemplate(), c.in)
			_, err := Compose(bareTemplate(), []*Fragment{c.out}, Options{})
			wantError(t, err, ErrLimit, `template "bare"`)
		})
	}
	_, err := Compose(bareTemplate(), []*Fragment{varyings(10, "vec4f")}, Options{Limits: Limits{VaryingComponents: 39}})
	wantError(t, err, ErrLimit, "40 components")
	if _, err := Compose(bareTemplate(), []*Fragment{varyings(16, "f32")}, Options{VertexOnly: true}); err != nil {
		t.Errorf("without a fragment stage nothing is taken off: %v", err)
	}
	if l := DefaultLimits(); l.VertexAttributes != 16 || l.UniformSize != 65536 || l.DualSourceBlending {
		t.Errorf("default limits %+v", l)
	}
}
