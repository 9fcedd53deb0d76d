package composer_test

import (
	"fmt"
	"math"

	"darkroom/composer"
)

// unlit is a template of an object that shines by itself.
func unlit() *composer.Template {
	return &composer.Template{
		ID: "unlit",
		Vertex: `/*MU*/
/*VI*/
/*VO*/
/*VD*/
@vertex fn vs(/*VP*/) -> VertexOutput {
  var output: VertexOutput;
  output.position = mesh.worldViewProjection * vec4<f32>(input.position, 1.0);
  /*VB*/
  return output;
}
`,
		Fragment: `/*MU*/
/*FI*/
/*FB*/
/*HF*/
/*FO*/
@fragment fn fs(input: FragmentInput)/*FR*/ {
  var color = material.color;
  /*BC*/
  outputs.color = color;
  /*FW*/
}
`,
		Attributes:     []composer.Attribute{{Name: "position", Type: "vec3<f32>", Format: composer.Float32x3}},
		MeshFields:     []composer.Field{{Name: "worldViewProjection", Type: "mat4x4<f32>"}},
		MaterialFields: []composer.Field{{Name: "color", Type: "vec4<f32>"}},
		Outputs:        []composer.Output{{Name: "color", Type: "vec4<f32>"}},
	}
}

// gamma is a fragment that encodes the color.
func gamma() *composer.Fragment {
	return &composer.Fragment{
		ID:              "gamma",
		Fields:          []composer.Field{{Name: "gamma", Type: "f32"}},
		FragmentHelpers: "fn encode(c: vec3<f32>, gamma: f32) -> vec3<f32> {\n  return pow(c, vec3<f32>(1.0 / gamma));\n}",
		Slots:           map[composer.Slot]string{composer.SlotBeforeColor: "color = vec4<f32>(encode(color.rgb, material.gamma), color.a);"},
	}
}

func ExampleCompose() {
	sh, err := composer.Compose(unlit(), []*composer.Fragment{gamma()}, composer.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(sh.Listing(composer.StageFragment))
	for _, b := range sh.Mesh {
		fmt.Println("binding", b.Binding, b.Decl.Name, b.MinSize, "bytes")
	}
	// Output:
	// unlit MU:1         1 | struct MeshUniforms {
	//                    2 |   worldViewProjection: mat4x4<f32>,
	//                    3 | }
	//                    4 | struct MaterialUniforms {
	//                    5 |   color: vec4<f32>,
	// gamma MU:6         6 |   gamma: f32,
	// unlit MU:7         7 | }
	// unlit FI:1         8 | struct FragmentInput {
	//                    9 |   @builtin(position) position: vec4<f32>,
	//                   10 |   @builtin(front_facing) frontFacing: bool,
	//                   11 | }
	// unlit FB:1        12 | @group(1) @binding(0) var<uniform> mesh: MeshUniforms;
	//                   13 | @group(1) @binding(1) var<uniform> material: MaterialUniforms;
	// gamma HF:1        14 | fn encode(c: vec3<f32>, gamma: f32) -> vec3<f32> {
	//                   15 |   return pow(c, vec3<f32>(1.0 / gamma));
	//                   16 | }
	// unlit FO:1        17 | struct FragmentOutput {
	//                   18 |   @location(0) color: vec4<f32>,
	//                   19 | }
	//                   20 | struct Outputs {
	//                   21 |   color: vec4<f32>,
	//                   22 | }
	//                   23 | var<private> outputs: Outputs;
	// unlit fragment:6  24 | @fragment fn fs(input: FragmentInput) -> FragmentOutput {
	//                   25 |   var color = material.color;
	// gamma BC:1        26 |   color = vec4<f32>(encode(color.rgb, material.gamma), color.a);
	// unlit fragment:9  27 |   outputs.color = color;
	// unlit FW:1        28 |   return FragmentOutput(outputs.color);
	// unlit fragment:11 29 | }
	// binding 0 mesh 64 bytes
	// binding 1 material 32 bytes
}

// Two fragments that declare one name in two ways do not compose.
func ExampleCompose_conflict() {
	other := &composer.Fragment{ID: "display", Fields: []composer.Field{{Name: "gamma", Type: "vec3<f32>"}}}
	_, err := composer.Compose(unlit(), []*composer.Fragment{gamma(), other}, composer.Options{})
	fmt.Println(err)
	// Output:
	// composer: template "unlit": material field "gamma" is vec3<f32> in fragment "display" and f32 in fragment "gamma"; rename one or agree on one declaration
}

func ExampleUniformWriter() {
	u, err := composer.Layout([]composer.Field{
		{Name: "exposure", Type: "f32"},
		{Name: "lights", Type: "array<Light, 2>"},
	}, []composer.Struct{
		{Name: "Light", Fields: []composer.Field{{Name: "color", Type: "vec3<f32>"}, {Name: "range", Type: "f32"}}},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	w := composer.NewUniformWriter(&u)
	fmt.Println(w.Set("exposure", 1.5), w.Set("lights[1].color", [3]float64{1, 0.5, 0}))
	fmt.Println(w.Set("lights[1].color", [4]float64{1, 0.5, 0, 1}))
	at, _ := u.Offset("lights")
	at += 16 // the second light
	fmt.Println(len(w.Bytes()), math.Float32frombits(uint32(w.Bytes()[at+2])<<16|uint32(w.Bytes()[at+3])<<24))
	// Output:
	// <nil> <nil>
	// composer: uniform field "lights[1].color" is vec3<f32> and takes 3 of float32 or float64, not 4 of [4]float64
	// 48 1
}

func ExampleShader_ExplainError() {
	broken := gamma()
	broken.Slots[composer.SlotBeforeColor] = "color = color * exposure;"
	sh, err := composer.Compose(unlit(), []*composer.Fragment{broken}, composer.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	// What a compiler had to say about it.
	report := "shader.wgsl:26:19 error: unresolved value 'exposure'"
	fmt.Println(sh.ExplainError(composer.StageFragment, report))
	// Output:
	// composer: template "unlit", fragment stage: fragment "gamma", BC line 1: unresolved value 'exposure'
	//   unlit fragment:6 24 | @fragment fn fs(input: FragmentInput) -> FragmentOutput {
	//   unlit fragment:7 25 |   var color = material.color;
	// > gamma BC:1       26 |   color = color * exposure;
	//                       |                   ^
	//   unlit fragment:9 27 |   outputs.color = color;
	//   unlit FW:1       28 |   return FragmentOutput(outputs.color);
}

func ExampleCache() {
	var cache composer.Cache // one for a device
	template, fragments := unlit(), []*composer.Fragment{gamma()}
	first, err := cache.Compose(template, fragments, composer.Options{})
	again, _ := cache.Compose(template, fragments, composer.Options{})
	fmt.Println(err, first == again, cache.Len())
	// Output: <nil> true 1
}
