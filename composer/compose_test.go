package composer

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
)

func TestSlotsKeepFragmentOrder(t *testing.T) {
	ai := func(id, code string, deps ...string) *Fragment {
		return &Fragment{ID: id, Dependencies: deps, Slots: map[Slot]string{SlotAmbient: code}}
	}
	fragments := []*Fragment{ai("a", "let one = 1;", "c"), ai("b", "let two = 2;"), ai("c", "let three = 3;\nlet four = 4;")}
	permutations(fragments, func(fs []*Fragment) {
		sh := mustCompose(t, bareTemplate(SlotAmbient), fs...)
		wantOrder(t, sh.FragmentWGSL, "{\n  let two = 2;\n  let three = 3;\n  let four = 4;\n  let one = 1;\n}")
	})
	tm := bareTemplate(SlotAmbient)
	tm.KeepOrder = true
	sh := mustCompose(t, tm, fragments[1], fragments[2], fragments[0])
	if got := strings.Join(sh.Fragments, " "); got != "b c a" {
		t.Errorf("kept order %s", got)
	}
}

func TestMarkers(t *testing.T) {
	text := "let s = 1; // $& $1 /*AI*/ \\1 ${x}"
	tm := bareTemplate(SlotAmbient, SlotAmbient, "MY_SLOT2")
	tm.Fragment = "// not a marker: /*AI*/\n/* nor /*AI*/ this */\n" + tm.Fragment
	sh := mustCompose(t, tm, &Fragment{ID: "a", Slots: map[Slot]string{"MY_SLOT2": text, SlotAmbient: "{ }"}})
	wantOrder(t, sh.FragmentWGSL,
		"// not a marker: /*AI*/\n/* nor /*AI*/ this */\n", // untouched
		"  { }\n  { }\n", // replaced everywhere
		"  "+text+"\n",   // in one pass, literally
	)

	// In the middle of a line the text stays in the line.
	tm = bareTemplate()
	tm.Fragment = "@fragment\nfn fs() { let x = 1/*AI*/ + 2; }\n"
	sh = mustCompose(t, tm, &Fragment{ID: "a", Slots: map[Slot]string{SlotAmbient: " + 5\n + 6\n"}})
	wantOrder(t, sh.FragmentWGSL, "let x = 1 + 5\n + 6 + 2; }\n")

	// A comment at its end does not swallow the rest of the line.
	sh = mustCompose(t, tm, &Fragment{ID: "a", Slots: map[Slot]string{SlotAmbient: " + 5 // why"}})
	wantOrder(t, sh.FragmentWGSL, "let x = 1 + 5 // why\n + 2; }\n")
	checkMap(t, tm, []*Fragment{{ID: "a"}}, sh.FragmentWGSL, sh.FragmentMap)

	// A slot of both stages is filled in both.
	tm = bareTemplate()
	tm.Vertex += "/*BOTH*/\n"
	tm.Fragment += "/*BOTH*/"
	sh = mustCompose(t, tm, &Fragment{ID: "a", Slots: map[Slot]string{"BOTH": "fn both() {}"}})
	wantOrder(t, sh.VertexWGSL, "fn both() {}\n")
	wantOrder(t, sh.FragmentWGSL, "fn both() {}")

	// Carriage returns go.
	tm = bareTemplate(SlotAmbient)
	tm.Fragment = strings.ReplaceAll(tm.Fragment, "\n", "\r\n")
	sh = mustCompose(t, tm, &Fragment{ID: "a", Slots: map[Slot]string{SlotAmbient: "let a = 1;\r\nlet b = 2;\r\n"}})
	wantOrder(t, sh.FragmentWGSL, "{\n  let a = 1;\n  let b = 2;\n}")
	if strings.Contains(sh.FragmentWGSL, "\r") {
		t.Errorf("carriage return in %q", sh.FragmentWGSL)
	}
}

func TestSlotErrors(t *testing.T) {
	depth := &Template{ID: "depth", Vertex: "/*VO*/\n@vertex fn vs() -> VertexOutput { var output: VertexOutput; return output; }"}
	noMarkers := &Template{ID: "none", Vertex: "@vertex fn vs() -> @builtin(position) vec4<f32> { return vec4<f32>(); }", Fragment: "@fragment fn fs() {}"}
	for _, c := range []struct {
		name  string
		t     *Template
		f     Fragment
		names []string
	}{
		{"slot", bareTemplate(), Fragment{Slots: map[Slot]string{"AI": "x", "ZZ": "y"}}, []string{"AI"}},
		{"no fragment stage", depth, Fragment{Slots: map[Slot]string{"AI": "x"}}, []string{"AI"}},
		{"fixed marker", bareTemplate(), Fragment{Slots: map[Slot]string{"VO": "x"}}, []string{"VO"}},
		{"vertex helpers", depth, Fragment{VertexHelpers: "fn f() {}"}, []string{"VH"}},
		{"fragment helpers", depth, Fragment{FragmentHelpers: "fn f() {}"}, []string{"HF"}},
		{"attribute", depth, Fragment{Attributes: []Attribute{{Name: "a", Type: "f32"}}}, []string{"VI", `"a"`}},
		{"vertex builtin", depth, Fragment{VertexBuiltins: []Builtin{{"i", "vertex_index", "u32"}}}, []string{"VP", `"i"`}},
		{"fragment builtin", depth, Fragment{FragmentBuiltins: []Builtin{{"i", "sample_index", "u32"}}}, []string{`"i"`}},
		{"varying", noMarkers, Fragment{Varyings: []Varying{{Name: "v", Type: "f32"}}}, []string{"VO", `"v"`}},
		{"output", depth, Fragment{Outputs: []Output{{"o", "f32"}}}, []string{"FO", `"o"`}},
		{"binding", depth, Fragment{Bindings: []Binding{{Name: "s", Kind: BindSampler}}}, []string{`"s"`, "fragment stage"}},
		{"vertex binding", depth, Fragment{VertexBindings: []Binding{{Name: "s", Kind: BindSampler}}}, []string{`"s"`, "VD"}},
		{"texture", depth, Fragment{Textures: []string{"base"}}, []string{`"base"`, "HF"}},
		{"mesh field", depth, Fragment{MeshFields: []Field{{"x", "f32"}}}, []string{`"x"`, "VD"}},
		{"instance field", depth, Fragment{InstanceFields: []Field{{"x", "f32"}}}, []string{`"x"`, "IN"}},
		{"struct", depth, Fragment{Structs: []Struct{{"S", []Field{{"x", "f32"}}}}}, []string{`"S"`, "MU"}},
		{"constant", depth, Fragment{Constants: []Constant{{"N", "i32", 1}}}, []string{`"N"`, "MU"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.f.ID = "frag"
			_, err := Compose(c.t, []*Fragment{&c.f}, Options{})
			wantError(t, err, ErrSlot, append(c.names, `"frag"`, `"`+c.t.ID+`"`)...)
		})
	}
	// No code is no contribution.
	mustCompose(t, bareTemplate(), &Fragment{ID: "a", Slots: map[Slot]string{"AI": ""}})
}

func TestBindingOrder(t *testing.T) {
	smp := func(name string) Binding { return Binding{Name: name, Kind: BindSampler} }
	shadow := func(name string) Binding { return Binding{Name: name, Kind: BindSampler, Group: GroupShadow} }
	tm := bareTemplate()
	tm.VertexBindings = []Binding{smp("baseVertex")}
	tm.Bindings = []Binding{smp("baseFragment"), smp("common_")}
	fragments := []*Fragment{
		{ID: "b", VertexBindings: []Binding{smp("bVertex")}, Bindings: []Binding{smp("bMesh"), shadow("bShadow")}},
		{ID: "a", VertexBindings: []Binding{smp("aVertex"), smp("common_")}, Bindings: []Binding{shadow("aShadow"), smp("aMesh")}, Textures: []string{"aTex"}},
	}
	entries := func(list []BindGroupEntry) string {
		var s []string
		for _, e := range list {
			s = append(s, itoa(e.Binding)+" "+e.Decl.Name+" "+itoa(int(e.Decl.Visibility)))
		}
		return strings.Join(s, ", ")
	}
	others := func(first int) string {
		var s []string
		for i, n := range []string{"baseVertex 1", "aVertex 1", "common_ 3", "bVertex 1", "baseFragment 2", "aMesh 2", "aTexTexture 3", "aTexSampler 3", "bMesh 2"} {
			s = append(s, itoa(first+i)+" "+n)
		}
		return strings.Join(s, ", ")
	}
	for _, c := range []struct {
		name           string
		mesh, material []Field
		want           string
	}{
		{"no buffers", nil, nil, others(0)},
		{"mesh", []Field{{"m", "f32"}}, nil, "0 mesh 3, " + others(1)},
		{"mesh and material", []Field{{"m", "f32"}}, []Field{{"k", "f32"}}, "0 mesh 3, 1 material 3, " + others(2)},
		{"material", nil, []Field{{"k", "f32"}}, "1 material 3, " + others(2)},
		{"empty material", []Field{{"m", "f32"}}, []Field{}, "0 mesh 3, " + others(2)},
	} {
		t.Run(c.name, func(t *testing.T) {
			tm.MeshFields, tm.MaterialFields = c.mesh, c.material
			sh := mustCompose(t, tm, fragments...)
			if got := entries(sh.Mesh); got != c.want {
				t.Errorf("group 1\n got %s\nwant %s", got, c.want)
			}
			if got := entries(sh.Shadow); got != "0 aShadow 2, 1 bShadow 2" {
				t.Errorf("group 2: %s", got)
			}
			for _, e := range sh.Mesh {
				decl := "@group(1) @binding(" + itoa(e.Binding) + ") var"
				if inVertex := strings.Contains(sh.VertexWGSL, decl); inVertex != (e.Decl.Visibility&StageVertex != 0) {
					t.Errorf("%s: in the vertex stage: %v", e.Decl.Name, inVertex)
				}
				if inFragment := strings.Contains(sh.FragmentWGSL, decl); inFragment != (e.Decl.Visibility&StageFragment != 0) {
					t.Errorf("%s: in the fragment stage: %v", e.Decl.Name, inFragment)
				}
			}
			wantOrder(t, sh.FragmentWGSL, "@group(2) @binding(0) var aShadow: sampler;\n@group(2) @binding(1) var bShadow: sampler;")
		})
	}
}

func TestUniforms(t *testing.T) {
	tm := bareTemplate()
	f := &Fragment{ID: "f", MeshFields: []Field{{"bones", "u32"}}, Fields: []Field{{"gloss", "f32"}}}
	sh := mustCompose(t, tm, f)
	if sh.MeshUBO.Body() != "  bones: u32,\n  gloss: f32,\n" || sh.MaterialUBO.Size != 0 {
		t.Errorf("without a material buffer: mesh %q, material %q", sh.MeshUBO.Body(), sh.MaterialUBO.Body())
	}
	tm.MaterialFields = []Field{{"color", "vec3f"}}
	sh = mustCompose(t, tm, f)
	if sh.MeshUBO.Body() != "  bones: u32,\n" || sh.MaterialUBO.Body() != "  color: vec3<f32>,\n  gloss: f32,\n" {
		t.Errorf("with one: mesh %q, material %q", sh.MeshUBO.Body(), sh.MaterialUBO.Body())
	}
	if sh.MaterialUBO.Size != 16 || offset(&sh.MaterialUBO, "gloss") != 12 || sh.Mesh[1].MinSize != 16 {
		t.Errorf("material %+v, entry %+v", sh.MaterialUBO, sh.Mesh[1])
	}
	both := "struct MaterialUniforms {\n  color: vec3<f32>,\n  gloss: f32,\n}\n@group(1) @binding(0) var<uniform> mesh: MeshUniforms;\n" +
		"@group(1) @binding(1) var<uniform> material: MaterialUniforms;\n"
	wantOrder(t, sh.VertexWGSL, both)
	wantOrder(t, sh.FragmentWGSL, both)
	if sh = mustCompose(t, bareTemplate()); strings.Contains(sh.VertexWGSL, meshStruct) || len(sh.Mesh) != 0 {
		t.Errorf("a template without fields has a mesh buffer:\n%s", sh.VertexWGSL)
	}
}

func TestVertexInterface(t *testing.T) {
	tm := bareTemplate()
	sh := mustCompose(t, tm)
	wantOrder(t, sh.VertexWGSL, "struct VertexOutput {\n  @builtin(position) position: vec4<f32>,\n}\n", "fn vs() ->")
	if strings.Contains(sh.VertexWGSL, "VertexInput") {
		t.Errorf("no attributes, and yet\n%s", sh.VertexWGSL)
	}
	tm.Builtins = []Builtin{{"vertexIndex", "vertex_index", "u32"}}
	sh = mustCompose(t, tm)
	wantOrder(t, sh.VertexWGSL, "fn vs(@builtin(vertex_index) vertexIndex: u32) ->")

	sh = mustCompose(t, tm,
		&Fragment{ID: "b", Attributes: []Attribute{{Name: "uv", Type: "vec2<f32>"}}, Varyings: []Varying{{Name: "uv", Type: "vec2f"}, {Name: "id", Type: "u32"}}},
		&Fragment{
			ID: "a", Attributes: []Attribute{{Name: "color", Type: "vec4f", Format: Unorm8x4}}, VertexBuiltins: []Builtin{{"instance_", "instance_index", ""}},
			Varyings:         []Varying{{"dist", "f32", "linear,sample"}, {"uv", "vec2<f32>", ""}},
			FragmentBuiltins: []Builtin{{"sampleIndex", "sample_index", "u32"}, {"frontFacing", "front_facing", "bool"}},
		})
	wantOrder(t, sh.VertexWGSL,
		"struct VertexInput {\n  @location(0) color: vec4<f32>,\n  @location(1) uv: vec2<f32>,\n}",
		"  @location(0) @interpolate(linear, sample) dist: f32,\n  @location(1) uv: vec2<f32>,\n  @location(2) @interpolate(flat) id: u32,\n}",
		"fn vs(@builtin(vertex_index) vertexIndex: u32, @builtin(instance_index) instance_: u32, input: VertexInput) ->")
	wantOrder(t, sh.FragmentWGSL,
		"struct FragmentInput {\n  @builtin(position) position: vec4<f32>,\n  @location(0) @interpolate(linear, sample) dist: f32,\n  @location(1) uv: vec2<f32>,\n"+
			"  @location(2) @interpolate(flat) id: u32,\n  @builtin(front_facing) frontFacing: bool,\n  @builtin(sample_index) sampleIndex: u32,\n}")
}

func TestOutputs(t *testing.T) {
	tm := bareTemplate()
	tm.Fragment = "/*FO*/\n@fragment\nfn fs()/*FR*/ {\n  outputs.color = vec4<f32>(1.0);\n  /*AI*/\n  /*FW*/\n}\n"
	tm.Outputs = []Output{{"color", "vec4<f32>"}}
	normal := &Fragment{ID: "normal", Outputs: []Output{{"normal", "vec3f"}}, Slots: map[Slot]string{"AI": "outputs.normal = vec3<f32>();"}}
	compose := func(loc map[string]int) *Shader {
		t.Helper()
		sh, err := Compose(tm, []*Fragment{normal}, Options{OutputLocations: loc})
		if err != nil {
			t.Fatal(err)
		}
		wantOrder(t, sh.FragmentWGSL, "struct Outputs {\n  color: vec4<f32>,\n  normal: vec3<f32>,\n}\nvar<private> outputs: Outputs;\n")
		return sh
	}
	sh := compose(nil)
	wantOrder(t, sh.FragmentWGSL, "struct FragmentOutput {\n  @location(0) color: vec4<f32>,\n  @location(1) normal: vec3<f32>,\n}",
		"fn fs() -> FragmentOutput {", "  return FragmentOutput(outputs.color, outputs.normal);")

	sh = compose(map[string]int{"normal": 2, "color": 0, "velocity": 1}) // nobody writes velocity
	wantOrder(t, sh.FragmentWGSL, "  @location(0) color: vec4<f32>,\n  @location(2) normal: vec3<f32>,\n}")
	if want := []Output{{"color", "vec4<f32>"}, {}, {"normal", "vec3<f32>"}}; !slices.Equal(sh.Outputs, want) {
		t.Errorf("outputs %v", sh.Outputs)
	}
	sh = compose(map[string]int{"normal": 0}) // color is dropped
	wantOrder(t, sh.FragmentWGSL, "struct FragmentOutput {\n  @location(0) normal: vec3<f32>,\n}", "return FragmentOutput(outputs.normal);")

	sh = compose(map[string]int{})
	wantOrder(t, sh.FragmentWGSL, "fn fs() {")
	if strings.Contains(sh.FragmentWGSL, "FragmentOutput") || strings.Contains(sh.FragmentWGSL, "return") || sh.Outputs != nil {
		t.Errorf("no output is located, and yet\n%s", sh.FragmentWGSL)
	}
	_, err := Compose(tm, []*Fragment{normal}, Options{OutputLocations: map[string]int{"color": 1, "normal": 1}})
	wantError(t, err, ErrConflict, `"color"`, `"normal"`, "1")
	_, err = Compose(tm, []*Fragment{normal}, Options{OutputLocations: map[string]int{"color": 8}})
	wantError(t, err, ErrLimit, `"color"`)
	_, err = Compose(tm, []*Fragment{normal}, Options{OutputLocations: map[string]int{"color": -1}})
	wantError(t, err, ErrLimit, `"color"`)
}

func TestTextures(t *testing.T) {
	sh := mustCompose(t, bareTemplate(),
		&Fragment{ID: "a", Textures: []string{"myMap"}}, &Fragment{ID: "b", Textures: []string{"myMap"}})
	sample := "fn sampleMyMap(uv: vec2<f32>) -> vec4<f32> { return textureSample(myMapTexture, myMapSampler, uv); }\n"
	direct := "fn sampleMyMapDirect(uv: vec2<f32>) -> vec4<f32> { return textureSampleLevel(myMapTexture, myMapSampler, uv, 0.0); }\n"
	decls := "@group(1) @binding(0) var myMapTexture: texture_2d<f32>;\n@group(1) @binding(1) var myMapSampler: sampler;\n"
	wantOrder(t, sh.FragmentWGSL, decls, sample+direct)
	wantOrder(t, sh.VertexWGSL, decls, direct)
	// A stage that lacks a place for the bindings or for the helper gets neither.
	tm := bareTemplate()
	tm.Vertex = strings.Replace(tm.Vertex, "/*VD*/", "", 1)
	if v := mustCompose(t, tm, &Fragment{ID: "a", Textures: []string{"myMap"}}); strings.Contains(v.VertexWGSL, "Map") || v.Mesh[0].Decl.Visibility != StageFragment {
		t.Errorf("a vertex stage without VD has\n%s", v.VertexWGSL)
	}
	if strings.Count(sh.FragmentWGSL, sample) != 1 || strings.Contains(sh.VertexWGSL, sample) {
		t.Errorf("the mip-picking helper belongs to the fragment stage, once:\n%s", sh.FragmentWGSL)
	}
}

func TestConstants(t *testing.T) {
	sh := mustCompose(t, bareTemplate(),
		&Fragment{ID: "a", Constants: []Constant{
			{"LIGHTS", "u32", 4}, {"DEBUG", "bool", false}, {"LOWEST", "i32", -1 << 31}, {"GAMMA", "f32", 2.2},
			{"HALF", "f32", float32(0.5)}, {"ONE", "f32", 1}, {"TINY", "f32", -1e-7}, {"TOP", "u32", uint32(1<<32 - 1)},
		}},
		&Fragment{ID: "b", Constants: []Constant{{"LIGHTS", "u32", int64(4)}}, Fields: []Field{{"lights", "array<vec4<f32>,LIGHTS>"}}})
	wantOrder(t, sh.FragmentWGSL, "const LIGHTS: u32 = 4u;\nconst DEBUG: bool = false;\nconst LOWEST: i32 = -2147483647i - 1i;\nconst GAMMA: f32 = 2.2f;\n"+
		"const HALF: f32 = 0.5f;\nconst ONE: f32 = 1f;\nconst TINY: f32 = -1e-07f;\nconst TOP: u32 = 4294967295u;\nstruct MeshUniforms {\n  lights: array<vec4<f32>, LIGHTS>,\n}")
	if sh.MeshUBO.Size != 64 {
		t.Errorf("a constant's count: size %d", sh.MeshUBO.Size)
	}
	for _, k := range []Constant{
		{"N", "f16", 1}, {"N", "", 1}, {"N", "i32", 1.5}, {"N", "i32", 1 << 31}, {"N", "u32", -1}, {"N", "bool", 1}, {"N", "f32", true},
		{"N", "f32", 1e39}, {"N", "f32", "1"}, {"N", "i32", nil}, {"N", "u32", uint64(1) << 63},
	} {
		_, err := Compose(bareTemplate(), []*Fragment{{ID: "a", Constants: []Constant{k}}}, Options{})
		wantError(t, err, ErrType, `"N"`, `"a"`)
	}
}

func TestInstances(t *testing.T) {
	fade := &Fragment{ID: "fade", InstanceFields: []Field{{"fade", "f32"}, {"offset", "vec3f"}}, Slots: map[Slot]string{"BC": "color *= instance.fade;"}}
	sh := mustCompose(t, litTemplate(), fade)
	structs := "struct InstanceUniforms {\n  fade: f32,\n  offset: vec3<f32>,\n}\n"
	buffer := "@group(1) @binding(2) var<storage, read> instances: array<InstanceUniforms>;\nvar<private> instance: InstanceUniforms;\n"
	wantOrder(t, sh.VertexWGSL, structs, buffer, "@location(1) @interpolate(flat) instanceIndex: u32",
		"fn vs(@builtin(instance_index) instanceIndex: u32, input: VertexInput)",
		"  instance = instances[instanceIndex];\n  output.instanceIndex = instanceIndex;\n")
	wantOrder(t, sh.FragmentWGSL, structs, buffer, "@location(1) @interpolate(flat) instanceIndex: u32", "  instance = instances[input.instanceIndex];\n", "color *= instance.fade;")
	if sh.InstanceUBO.Size != 32 || offset(&sh.InstanceUBO, "offset") != 16 {
		t.Errorf("layout %+v", sh.InstanceUBO)
	}
	if e := sh.Mesh[2]; e.Decl.Name != "instances" || e.Decl.Kind != BindStorage || e.Decl.Access != AccessRead || e.Decl.Visibility != 3 {
		t.Errorf("entry %+v", e)
	}

	// A name for the index is kept; small elements get the stride of the layout.
	tm := litTemplate()
	tm.Builtins = []Builtin{{"ii", "instance_index", "u32"}}
	tm.Fragment = strings.ReplaceAll(tm.Fragment, "  /*IN*/\n", "")
	sh = mustCompose(t, tm, &Fragment{ID: "fade", InstanceFields: []Field{{"fade", "f32"}}})
	wantOrder(t, sh.VertexWGSL, "struct InstanceUniforms {\n  @align(16) fade: f32,\n}", "  instance = instances[ii];\n")
	if strings.Contains(sh.VertexWGSL, "instanceIndex") || strings.Contains(sh.FragmentWGSL, "instances") || sh.InstanceUBO.Size != 16 {
		t.Errorf("the fragment stage reads no instance:\n%s\n%s", sh.VertexWGSL, sh.FragmentWGSL)
	}
	// Without fields, the marker is nothing.
	if sh = mustCompose(t, litTemplate()); strings.Contains(sh.VertexWGSL, "instance") {
		t.Errorf("instances without fields:\n%s", sh.VertexWGSL)
	}
}

func TestStructsShared(t *testing.T) {
	light := Struct{"Light", []Field{{"direction", "vec3<f32>"}, {"on", "u32"}}}
	spaced := Struct{"Light", []Field{{"direction", " vec3f"}, {"on", " u32"}}}
	groups := func(text string) *Fragment {
		return &Fragment{
			ID: "groups" + itoa(len(text)), Structs: []Struct{{"G", []Field{{"x", text}}}}, Constants: []Constant{{"N", "u32", 4}},
			MeshFields: []Field{{"y", text}}, Fields: []Field{{"z", text}},
		}
	}
	mustCompose(t, bareTemplate(), groups("array<vec4f,N>"), groups("array< vec4<f32>,\tN, >"), groups("array<vec4<f32>, N>"))
	mustCompose(t, bareTemplate(), groups("array<vec4f,4>"), groups("array<vec4f,4u,>"))
	small := Struct{"Small", []Field{{"x", "f32"}}}
	sh := mustCompose(t, bareTemplate(),
		&Fragment{ID: "a", Structs: []Struct{light, small}, Bindings: []Binding{{Name: "lights", Kind: BindUniform, Type: "array<Light,4>"}}},
		&Fragment{ID: "b", Structs: []Struct{spaced}, Bindings: []Binding{{Name: "small", Kind: BindStorage, Type: "array<Small>"}}})
	wantOrder(t, sh.FragmentWGSL, "struct Light {\n  direction: vec3<f32>,\n  on: u32,\n}\nstruct Small {\n  x: f32,\n}\n",
		"var<uniform> lights: array<Light, 4>;\n", "var<storage, read> small: array<Small>;\n")
	if sh.Mesh[0].MinSize != 64 || sh.Mesh[1].MinSize != 0 {
		t.Errorf("entries %+v", sh.Mesh)
	}
	// In a uniform buffer the small one is aligned.
	sh = mustCompose(t, bareTemplate(), &Fragment{ID: "a", Structs: []Struct{small}, Fields: []Field{{"s", "array<Small, 3>"}, {"t", "f32"}}})
	wantOrder(t, sh.FragmentWGSL, "struct Small {\n  @align(16) x: f32,\n}\n")
	if offset(&sh.MeshUBO, "t") != 48 {
		t.Errorf("fields %v", sh.MeshUBO.Fields)
	}
}

func TestHelpersStandOnce(t *testing.T) {
	sh := mustCompose(t, bareTemplate(),
		&Fragment{ID: "a", FragmentHelpers: "fn f() {}\n"}, &Fragment{ID: "b", FragmentHelpers: "fn f() {}\n", VertexHelpers: "fn g() {}"})
	if strings.Count(sh.FragmentWGSL, "fn f() {}") != 1 || strings.Count(sh.VertexWGSL, "fn g() {}") != 1 {
		t.Errorf("helpers\n%s", sh.FragmentWGSL)
	}
	_, err := Compose(bareTemplate(), []*Fragment{{ID: "a", FragmentHelpers: "fn f() {}"}, {ID: "b", FragmentHelpers: "fn f() { return; }"}}, Options{})
	wantError(t, err, ErrConflict, `"f"`, `"a"`, `"b"`)
}

func TestVertexOnly(t *testing.T) {
	whole := mustCompose(t, litTemplate())
	sh, err := Compose(litTemplate(), nil, Options{VertexOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	if sh.FragmentWGSL != "" || sh.FragmentEntry != "" || sh.FragmentMap.Len() != 0 || sh.Outputs != nil {
		t.Errorf("fragment stage %q", sh.FragmentWGSL)
	}
	if sh.VertexWGSL != whole.VertexWGSL || !reflect.DeepEqual(sh.Mesh, whole.Mesh) || sh.Key == whole.Key {
		t.Error("the vertex stage and the layouts are not those of the whole shader")
	}
}

func TestComposeChangesNothing(t *testing.T) {
	build := func() (*Template, []*Fragment) { return litTemplate(), catalogue() }
	t1, f1 := build()
	if _, err := Compose(t1, f1, Options{}); err != nil {
		t.Fatal(err)
	}
	t2, f2 := build()
	if !reflect.DeepEqual(t1, t2) || !reflect.DeepEqual(f1, f2) {
		t.Error("Compose changed its input")
	}
}

func TestComposeRefuses(t *testing.T) {
	_, err := Compose(nil, nil, Options{})
	wantError(t, err, ErrType)
	_, err = Compose(&Template{ID: "empty"}, nil, Options{})
	wantError(t, err, ErrSource, `"empty"`, `"vs"`)
	tm := bareTemplate()
	tm.FragmentEntry = "main"
	_, err = Compose(tm, nil, Options{})
	wantError(t, err, ErrSource, `"main"`)
	tm = litTemplate()
	tm.Fragment = strings.Replace(tm.Fragment, "/*MU*/", "", 1)
	_, err = Compose(tm, nil, Options{})
	wantError(t, err, ErrSlot, "MU", "FB")
}

func TestKey(t *testing.T) {
	code := func(id, c string) *Fragment { return &Fragment{ID: id, Slots: map[Slot]string{"AI": c}} }
	key := func(fs ...*Fragment) Key { return mustCompose(t, bareTemplate("AI"), fs...).Key }

	if key(code("a", "{ }\n{ }")) != key(code("x", "{ }"), code("y", "{ }")) {
		t.Error("two lists that compose to the same bytes have two keys")
	}
	// Swapping list order with KeepOrder gives other bytes, hence another key.
	tm := bareTemplate("AI")
	tm.KeepOrder = true
	if mustCompose(t, tm, code("a", "{ }"), code("b", "{ ; }")).Key == mustCompose(t, tm, code("b", "{ ; }"), code("a", "{ }")).Key {
		t.Error("another order has the same key")
	}
	// Every part of the layout counts, even one that the WGSL does not show.
	seen := make(map[Key]string)
	for name, f := range map[string]*Fragment{
		"float32":       {Attributes: []Attribute{{Name: "a", Type: "vec4f", Format: Float32x4}}},
		"unorm8":        {Attributes: []Attribute{{Name: "a", Type: "vec4f", Format: Unorm8x4}}},
		"instance":      {Attributes: []Attribute{{Name: "a", Type: "vec4f", Format: Unorm8x4, Step: StepInstance}}},
		"stride":        {Attributes: []Attribute{{Name: "a", Type: "vec4f", Format: Unorm8x4, Stride: 8}}},
		"offset":        {Attributes: []Attribute{{Name: "a", Type: "vec4f", Format: Unorm8x4, Stride: 8, Offset: 4}}},
		"buffer":        {Attributes: []Attribute{{Name: "a", Type: "vec4f", Format: Unorm8x4, Buffer: "b"}}},
		"filtering":     {Bindings: []Binding{{Name: "s", Kind: BindSampler}}},
		"non-filtering": {Bindings: []Binding{{Name: "s", Kind: BindSampler, Sampler: SamplerNonFiltering}}},
		"float":         {Bindings: []Binding{{Name: "t", Kind: BindTexture, Type: "texture_2d<f32>"}}},
		"unfilterable":  {Bindings: []Binding{{Name: "t", Kind: BindTexture, Type: "texture_2d<f32>", Sample: SampleUnfilterableFloat}}},
		"nothing":       {},
	} {
		f.ID = "f"
		k := key(f)
		if other, dup := seen[k]; dup {
			t.Errorf("%s and %s share a key", name, other)
		}
		seen[k] = name
	}
	if k := key(); len(k.String()) != 64 {
		t.Errorf("key %s", k)
	}
}

// TestShadersAreTheirOwn composes from several goroutines what differs in
// every list, and an error in between, and looks at each shader again after
// all others: none may lie in what the next composition fills.
func TestShadersAreTheirOwn(t *testing.T) {
	tests := goldens()
	text := func(s *Shader) string {
		b := fmt.Sprint(s.Key, s.VertexWGSL, s.FragmentWGSL, s.Fragments, s.Mesh, s.Shadow, s.Buffers, s.Outputs)
		for _, u := range []*UBO{&s.MeshUBO, &s.MaterialUBO, &s.InstanceUBO} {
			b += fmt.Sprint(u.Size, u.Fields, u.Leaves())
		}
		for _, m := range []SourceMap{s.VertexMap, s.FragmentMap} {
			for line := range m.Len() {
				b += m.At(line + 1).String()
			}
		}
		return b
	}
	alone := make([]string, len(tests))
	for i, c := range tests {
		s, err := Compose(c.template, c.fragments, c.options)
		if err != nil {
			t.Fatal(err)
		}
		alone[i] = text(s)
	}
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for round := range 8 {
				shaders := make([]*Shader, len(tests))
				for k := range tests {
					i := (k*7 + round) % len(tests)
					shaders[i], _ = Compose(tests[i].template, tests[i].fragments, tests[i].options)
					wrong := &Fragment{ID: "wrong", Slots: map[Slot]string{"NOWHERE": "x"}}
					if _, err := Compose(tests[i].template, slices.Concat(tests[i].fragments, []*Fragment{wrong}), tests[i].options); err == nil {
						t.Error("a slot that is not there was filled")
					}
				}
				for i, s := range shaders {
					if got := text(s); got != alone[i] {
						t.Errorf("%s is not what it was alone", tests[i].name)
					}
				}
			}
		})
	}
	wg.Wait()
}
