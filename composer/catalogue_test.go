package composer

// everyBinding declares a binding of each kind, dimension, sample type and
// access that WGSL can spell.
func everyBinding() *Fragment {
	f := &Fragment{ID: "bindings", Structs: []Struct{{"Item", []Field{{"m", "mat3x3<f32>"}, {"list", "array<vec3<i32>, 2>"}}}}}
	add := func(name string, b Binding) {
		b.Name = name
		f.Bindings = append(f.Bindings, b)
	}
	for _, dim := range []string{"1d", "2d", "2d_array", "3d", "cube", "cube_array", "multisampled_2d"} {
		for _, scalar := range []string{"f32", "i32", "u32"} {
			add("t_"+dim+"_"+scalar, Binding{Kind: BindTexture, Type: "texture_" + dim + "<" + scalar + ">"})
		}
	}
	for _, dim := range []string{"2d", "2d_array", "cube", "cube_array", "multisampled_2d"} {
		add("depth_"+dim, Binding{Kind: BindTexture, Type: "texture_depth_" + dim})
	}
	add("filtering", Binding{Kind: BindSampler})
	add("nonFiltering", Binding{Kind: BindSampler, Sampler: SamplerNonFiltering})
	add("comparison", Binding{Kind: BindSampler, Sampler: SamplerComparison})
	for _, dim := range []string{"1d", "2d", "2d_array", "3d"} {
		add("s_"+dim, Binding{Kind: BindStorageTexture, Type: "texture_storage_" + dim, Format: RGBA8Unorm})
	}
	add("s_read", Binding{Kind: BindStorageTexture, Type: "texture_storage_2d<r32float, read>"})
	add("s_readWrite", Binding{Kind: BindStorageTexture, Type: "texture_storage_2d<r32uint, read_write>"})
	add("uniformItems", Binding{Kind: BindUniform, Type: "array<Item, 3>"})
	add("storedItems", Binding{Kind: BindStorage, Type: "array<Item>"})
	add("counters", Binding{Kind: BindStorage, Type: "array<atomic<u32>>", Access: AccessReadWrite})
	return f
}

// catalogue is the fragments of a fairly complete material, to be composed with litTemplate.
func catalogue() []*Fragment {
	luminance := func() *Fragment {
		return &Fragment{ID: "luminance", FragmentHelpers: "fn luminance(c: vec3<f32>) -> f32 {\n  return dot(c, vec3<f32>(0.2126, 0.7152, 0.0722));\n}\n"}
	}
	return []*Fragment{
		{
			ID:         "uv",
			Attributes: []Attribute{{Name: "uv", Type: "vec2<f32>", Format: Float32x2}},
			Varyings:   []Varying{{Name: "uv", Type: "vec2<f32>"}},
			Slots:      map[Slot]string{SlotVertexAfter: "output.uv = input.uv;"},
		},
		{
			ID:         "normal",
			Attributes: []Attribute{{Name: "normal", Type: "vec4<f32>", Format: Snorm8x4}},
			Varyings:   []Varying{{Name: "normal", Type: "vec3<f32>"}},
			Slots: map[Slot]string{
				SlotVertexAfter: "output.normal = (finalWorld * vec4<f32>(input.normal.xyz, 0.0)).xyz;",
				SlotNormal:      "var normal = normalize(input.normal);\nif (!input.frontFacing) {\n  normal = -normal;\n}",
			},
		},
		{
			ID:           "albedo",
			Dependencies: []string{"uv"},
			Textures:     []string{"albedo"},
			Slots:        map[Slot]string{SlotAlphaTexture: "baseColor *= sampleAlbedo(input.uv);"},
		},
		{
			ID:     "alpha-test",
			Fields: []Field{{"alphaCutoff", "f32"}},
			Slots:  map[Slot]string{SlotAlphaCutoff: "if (baseColor.a < material.alphaCutoff) {\n  discard;\n}"},
		},
		{
			ID:           "lights",
			Dependencies: []string{"normal"},
			Structs:      []Struct{{"Light", []Field{{"direction", "vec3<f32>"}, {"intensity", "f32"}, {"color", "vec3<f32>"}}}},
			Constants:    []Constant{{"LIGHT_COUNT", "u32", 2}},
			Bindings:     []Binding{{Name: "lights", Kind: BindUniform, Type: "array<Light, LIGHT_COUNT>"}},
			Slots: map[Slot]string{SlotAfterDirect: "var direct = vec3<f32>(0.0);\nfor (var i = 0u; i < LIGHT_COUNT; i++) {\n" +
				"  let l = lights[i];\n  direct += l.color * l.intensity * max(dot(normal, -l.direction), 0.0);\n}\ncolor *= direct;"},
		},
		{
			ID:           "shadow",
			Dependencies: []string{"lights"},
			Bindings: []Binding{
				{Name: "shadowMap", Kind: BindTexture, Type: "texture_depth_2d", Group: GroupShadow},
				{Name: "shadowCompare", Kind: BindSampler, Sampler: SamplerComparison, Group: GroupShadow},
			},
			FragmentHelpers: "fn shadowAt(p: vec3<f32>) -> f32 {\n  return textureSampleCompareLevel(shadowMap, shadowCompare, p.xy, p.z);\n}",
			Slots:           map[Slot]string{SlotAfterDirect: "color *= shadowAt(input.worldPosition);"},
		},
		{
			ID:           "ambient",
			Dependencies: []string{"normal"},
			Bindings: []Binding{
				{Name: "environment", Kind: BindTexture, Type: "texture_cube<f32>"},
				{Name: "environmentSampler", Kind: BindSampler},
			},
			Fields: []Field{{"environmentRotation", "mat3x3<f32>"}, {"environmentLevel", "f32"}},
			Slots: map[Slot]string{SlotAmbient: "color += textureSampleLevel(environment, environmentSampler, material.environmentRotation * normal, 4.0).rgb * " +
				"material.environmentLevel;"},
		},
		{
			ID: "skin",
			Attributes: []Attribute{
				{Name: "joints", Type: "vec4<u32>", Format: Uint8x4, Buffer: "skin", Stride: 20},
				{Name: "weights", Type: "vec4<f32>", Format: Float32x4, Buffer: "skin", Offset: 4},
			},
			VertexBindings: []Binding{{Name: "bones", Kind: BindStorage, Type: "array<mat4x4<f32>>"}},
			VertexHelpers:  "fn bone(j: vec4<u32>, w: vec4<f32>) -> mat4x4<f32> {\n  return bones[j.x] * w.x + bones[j.y] * w.y + bones[j.z] * w.z + bones[j.w] * w.w;\n}",
			Slots:          map[Slot]string{SlotVertexWorld: "finalWorld = finalWorld * bone(input.joints, input.weights);"},
		},
		{
			ID: "thin-instances",
			Attributes: []Attribute{
				{Name: "world0", Type: "vec4<f32>", Step: StepInstance, Buffer: "matrix", Stride: 64},
				{Name: "world1", Type: "vec4<f32>", Step: StepInstance, Buffer: "matrix", Offset: 16},
				{Name: "world2", Type: "vec4<f32>", Step: StepInstance, Buffer: "matrix", Offset: 32},
				{Name: "world3", Type: "vec4<f32>", Step: StepInstance, Buffer: "matrix", Offset: 48},
			},
			Slots: map[Slot]string{SlotVertexWorld: "finalWorld = mat4x4<f32>(input.world0, input.world1, input.world2, input.world3) * finalWorld;"},
		},
		{
			ID:             "fade",
			InstanceFields: []Field{{"fade", "f32"}},
			Slots:          map[Slot]string{SlotBeforeAlpha: "alpha *= instance.fade;"},
		},
		{
			ID:       "desaturate",
			Requires: []*Fragment{luminance()},
			Slots:    map[Slot]string{SlotBeforeColor: "color = vec3<f32>(luminance(color));"},
		},
		{
			ID:       "exposure",
			Requires: []*Fragment{luminance()},
			Slots:    map[Slot]string{SlotBeforeColor: "color /= 1.0 + luminance(color);"},
		},
		{
			ID:      "depth-output",
			Outputs: []Output{{"depth", "f32"}},
			Slots:   map[Slot]string{SlotBeforeAlpha: "outputs.depth = input.position.z;"},
		},
		{
			ID:             "vertex-index",
			VertexBuiltins: []Builtin{{"vertexIndex", "vertex_index", "u32"}},
			Slots:          map[Slot]string{SlotVertexBefore: "localPosition += vec3<f32>(0.0, f32(vertexIndex) * 0.0, 0.0);"},
		},
	}
}

// pick returns the fragments with these ids.
func pick(ids ...string) []*Fragment {
	var out []*Fragment
	for _, id := range ids {
		for _, f := range catalogue() {
			if f.ID == id {
				out = append(out, f)
			}
		}
	}
	return out
}
