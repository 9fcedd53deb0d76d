package composer

import "testing"

func TestConflicts(t *testing.T) {
	attr := func(a Attribute) Fragment { a.Name = "x"; return Fragment{Attributes: []Attribute{a}} }
	bind := func(b Binding) Fragment { b.Name = "x"; return Fragment{Bindings: []Binding{b}} }
	for _, c := range []struct {
		name string
		a, b Fragment
	}{
		{"attribute type", attr(Attribute{Type: "vec2<f32>"}), attr(Attribute{Type: "vec3<f32>"})},
		{"attribute format", attr(Attribute{Type: "vec4<f32>"}), attr(Attribute{Type: "vec4<f32>", Format: Unorm8x4})},
		{"attribute step", attr(Attribute{Type: "f32"}), attr(Attribute{Type: "f32", Step: StepInstance})},
		{"attribute buffer", attr(Attribute{Type: "f32"}), attr(Attribute{Type: "f32", Buffer: "b"})},
		{"attribute offset", attr(Attribute{Type: "f32", Stride: 8}), attr(Attribute{Type: "f32", Stride: 8, Offset: 4})},
		{"varying type", Fragment{Varyings: []Varying{{"x", "f32", ""}}}, Fragment{Varyings: []Varying{{"x", "vec2<f32>", ""}}}},
		{"varying interpolation", Fragment{Varyings: []Varying{{"x", "f32", ""}}}, Fragment{Varyings: []Varying{{"x", "f32", "flat"}}}},
		{"mesh field", Fragment{MeshFields: []Field{{"x", "f32"}}}, Fragment{MeshFields: []Field{{"x", "u32"}}}},
		{"material field", Fragment{Fields: []Field{{"x", "f32"}}}, Fragment{Fields: []Field{{"x", "vec3f"}}}},
		{"instance field", Fragment{InstanceFields: []Field{{"x", "f32"}}}, Fragment{InstanceFields: []Field{{"x", "i32"}}}},
		{"binding kind", bind(Binding{Kind: BindSampler}), bind(Binding{Kind: BindTexture, Type: "texture_2d<f32>"})},
		{"binding type", bind(Binding{Kind: BindTexture, Type: "texture_2d<f32>"}), bind(Binding{Kind: BindTexture, Type: "texture_2d<u32>"})},
		{"sample type", bind(Binding{Kind: BindTexture, Type: "texture_2d<f32>"}), bind(Binding{Kind: BindTexture, Type: "texture_2d<f32>", Sample: SampleUnfilterableFloat})},
		{"sampler", bind(Binding{Kind: BindSampler}), bind(Binding{Kind: BindSampler, Sampler: SamplerNonFiltering})},
		{"access", bind(Binding{Kind: BindStorage, Type: "array<u32>"}), bind(Binding{Kind: BindStorage, Type: "array<u32>", Access: AccessReadWrite})},
		{"group", bind(Binding{Kind: BindSampler}), bind(Binding{Kind: BindSampler, Group: GroupShadow})},
		{"struct", Fragment{Structs: []Struct{{"x", []Field{{"a", "f32"}}}}}, Fragment{Structs: []Struct{{"x", []Field{{"b", "f32"}}}}}},
		{"struct length", Fragment{Structs: []Struct{{"x", []Field{{"a", "f32"}}}}}, Fragment{Structs: []Struct{{"x", []Field{{"a", "f32"}, {"b", "f32"}}}}}},
		{"output", Fragment{Outputs: []Output{{"x", "f32"}}}, Fragment{Outputs: []Output{{"x", "vec4f"}}}},
		{"constant value", Fragment{Constants: []Constant{{"x", "i32", 1}}}, Fragment{Constants: []Constant{{"x", "i32", 2}}}},
		{"constant type", Fragment{Constants: []Constant{{"x", "i32", 1}}}, Fragment{Constants: []Constant{{"x", "u32", 1}}}},
		{"one builtin, two names", Fragment{VertexBuiltins: []Builtin{{"x", "vertex_index", "u32"}}}, Fragment{VertexBuiltins: []Builtin{{"y", "vertex_index", "u32"}}}},
		{"one name, two builtins", Fragment{VertexBuiltins: []Builtin{{"x", "vertex_index", "u32"}}}, Fragment{VertexBuiltins: []Builtin{{"x", "instance_index", "u32"}}}},
		{"fragment builtin", Fragment{FragmentBuiltins: []Builtin{{"x", "sample_index", ""}}}, Fragment{FragmentBuiltins: []Builtin{{"x", "sample_mask", ""}}}},
		{"step of a buffer",
			Fragment{Attributes: []Attribute{{Name: "x", Type: "f32", Buffer: "g"}}},
			Fragment{Attributes: []Attribute{{Name: "y", Type: "f32", Buffer: "g", Offset: 4, Step: StepInstance}}}},
		{"stride of a buffer",
			Fragment{Attributes: []Attribute{{Name: "x", Type: "f32", Buffer: "g", Stride: 8}}},
			Fragment{Attributes: []Attribute{{Name: "y", Type: "f32", Buffer: "g", Offset: 4, Stride: 12}}}},
		{"overlap in a buffer",
			Fragment{Attributes: []Attribute{{Name: "x", Type: "vec3f", Buffer: "g"}}},
			Fragment{Attributes: []Attribute{{Name: "y", Type: "f32", Buffer: "g", Offset: 8}}}},
		{"binding and constant", bind(Binding{Kind: BindSampler}), Fragment{Constants: []Constant{{"x", "i32", 1}}}},
		{"struct and helper", Fragment{Structs: []Struct{{"x", []Field{{"a", "f32"}}}}}, Fragment{FragmentHelpers: "fn x() {}"}},
		{"texture and binding", Fragment{Textures: []string{"x"}}, Fragment{Bindings: []Binding{{Name: "xTexture", Kind: BindSampler}}}},
		{"texture helper and helper", Fragment{Textures: []string{"x"}}, Fragment{FragmentHelpers: "fn sampleX() {}"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.a.ID, c.b.ID = "first", "second"
			_, err := Compose(litTemplate(), []*Fragment{&c.a, &c.b}, Options{})
			wantError(t, err, ErrConflict, `fragment "first"`, `fragment "second"`)
			// The same declaration twice is one.
			c.b = c.a
			c.b.ID = "second"
			if c.name == "struct and helper" {
				return
			}
			if _, err := Compose(litTemplate(), []*Fragment{&c.a, &c.b}, Options{}); err != nil {
				t.Errorf("the same declaration twice: %v", err)
			}
		})
	}

	// Against the template.
	_, err := Compose(litTemplate(), []*Fragment{{ID: "f", MeshFields: []Field{{"world", "mat3x3<f32>"}}}}, Options{})
	wantError(t, err, ErrConflict, `template "lit"`, `fragment "f"`, `"world"`)
	// A varying and a builtin of the stage.
	_, err = Compose(litTemplate(), []*Fragment{{ID: "f", Varyings: []Varying{{"s", "f32", ""}}}, {ID: "g", FragmentBuiltins: []Builtin{{"s", "sample_index", ""}}}}, Options{})
	wantError(t, err, ErrConflict, `"s"`, `"g"`)
	// The same name in the mesh and in the material buffer is two fields.
	mustCompose(t, litTemplate(), &Fragment{ID: "f", MeshFields: []Field{{"x", "f32"}}, Fields: []Field{{"x", "vec2f"}}})
}

func TestNames(t *testing.T) {
	for _, name := range []string{
		"", "_", "__x", "1x", "a-b", "a b", "for", "fn", "target", "patch", "self", "typedef", "handle", "vec3", "f32",
		"override", "naïve\xff", "x;", "texture_2d",
	} {
		for what, f := range map[string]*Fragment{
			"attribute":        {Attributes: []Attribute{{Name: name, Type: "f32"}}},
			"varying":          {Varyings: []Varying{{name, "f32", ""}}},
			"mesh field":       {MeshFields: []Field{{name, "f32"}}},
			"material field":   {Fields: []Field{{name, "f32"}}},
			"instance field":   {InstanceFields: []Field{{name, "f32"}}},
			"binding":          {Bindings: []Binding{{Name: name, Kind: BindSampler}}},
			"struct":           {Structs: []Struct{{name, []Field{{"a", "f32"}}}}},
			"struct field":     {Structs: []Struct{{"S", []Field{{name, "f32"}}}}},
			"output":           {Outputs: []Output{{name, "f32"}}},
			"constant":         {Constants: []Constant{{name, "i32", 1}}},
			"texture":          {Textures: []string{name}},
			"vertex builtin":   {VertexBuiltins: []Builtin{{name, "vertex_index", "u32"}}},
			"fragment builtin": {FragmentBuiltins: []Builtin{{name, "sample_index", "u32"}}},
		} {
			f.ID = "f"
			_, err := Compose(litTemplate(), []*Fragment{f}, Options{})
			if err == nil {
				t.Errorf("%s %q is accepted", what, name)
				continue
			}
			wantError(t, err, ErrName, `"f"`)
		}
	}
	// At module scope, a name must not hide a builtin; a member may have its name.
	for _, name := range []string{"mix", "textureSample", "vec3f", "mat4x4f", "max"} {
		_, err := Compose(litTemplate(), []*Fragment{{ID: "f", Bindings: []Binding{{Name: name, Kind: BindSampler}}}}, Options{})
		wantError(t, err, ErrName, `"`+name+`"`)
		mustCompose(t, litTemplate(), &Fragment{ID: "f", Fields: []Field{{name, "f32"}}, Varyings: []Varying{{name, "f32", ""}}})
	}
	for _, name := range []string{"x", "_x", "x1", "größe", "targets", "vec5", "Δt"} {
		mustCompose(t, litTemplate(), &Fragment{ID: "f", Bindings: []Binding{{Name: name, Kind: BindSampler}}})
	}
	// Names of the composer's own.
	for _, name := range []string{"mesh", "material", "MeshUniforms", "FragmentInput", "outputs", "scene"} {
		_, err := Compose(litTemplate(), []*Fragment{{ID: "f", Bindings: []Binding{{Name: name, Kind: BindSampler}}}}, Options{})
		wantError(t, err, ErrConflict, `"`+name+`"`, `"f"`)
	}
	for _, name := range []string{"position", "frontFacing"} {
		_, err := Compose(litTemplate(), []*Fragment{{ID: "f", Varyings: []Varying{{name, "f32", ""}}}}, Options{})
		wantError(t, err, ErrName, `"`+name+`"`, `"f"`)
	}
}

func TestInterfaceTypes(t *testing.T) {
	for _, f := range []*Fragment{
		{Varyings: []Varying{{"x", "mat4x4<f32>", ""}}},
		{Varyings: []Varying{{"x", "array<f32, 2>", ""}}},
		{Varyings: []Varying{{"x", "bool", ""}}},
		{Varyings: []Varying{{"x", "vec2<f16>", ""}}},
		{Varyings: []Varying{{"x", "u32", "linear"}}},
		{Varyings: []Varying{{"x", "f32", "smooth"}}},
		{Varyings: []Varying{{"x", "f32", "linear, nowhere"}}},
		{Varyings: []Varying{{"x", "f32", ", sample"}}},
		{Varyings: []Varying{{"x", "f32", "flat, either"}}},
		{Attributes: []Attribute{{Name: "x", Type: "mat2x2<f32>"}}},
		{Attributes: []Attribute{{Name: "x", Type: "vec4<u32>", Format: Unorm8x4}}},
		{Attributes: []Attribute{{Name: "x", Type: "vec4<f32>", Format: "float33x4"}}},
		{Outputs: []Output{{"x", "mat2x2<f32>"}}},
		{VertexBuiltins: []Builtin{{"x", "position", "vec4<f32>"}}},
		{VertexBuiltins: []Builtin{{"x", "vertex_index", "i32"}}},
		{FragmentBuiltins: []Builtin{{"x", "front_facing", "u32"}}},
		{FragmentBuiltins: []Builtin{{"x", "position", "vec4<f32>"}}},
	} {
		f.ID = "f"
		_, err := Compose(litTemplate(), []*Fragment{f}, Options{})
		wantError(t, err, ErrType, `"f"`)
	}
}
