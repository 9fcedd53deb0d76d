package composer

import (
	"testing"
)

func TestBindingTypes(t *testing.T) {
	for _, c := range []struct {
		in    Binding
		decl  string // after the name
		entry BindGroupEntry
	}{
		{Binding{Kind: BindTexture, Type: "texture_1d<f32>"}, "var x: texture_1d<f32>;", BindGroupEntry{Decl: Binding{Sample: SampleFloat}, Dimension: View1D}},
		{Binding{Kind: BindTexture, Type: "texture_2d < f32 >"}, "var x: texture_2d<f32>;", BindGroupEntry{Decl: Binding{Sample: SampleFloat}, Dimension: View2D}},
		{Binding{Kind: BindTexture, Type: "texture_2d<f32,>", Sample: SampleUnfilterableFloat}, "var x: texture_2d<f32>;", BindGroupEntry{Decl: Binding{Sample: SampleUnfilterableFloat}, Dimension: View2D}},
		{Binding{Kind: BindTexture, Type: "texture_2d<i32>"}, "var x: texture_2d<i32>;", BindGroupEntry{Decl: Binding{Sample: SampleSint}, Dimension: View2D}},
		{Binding{Kind: BindTexture, Type: "texture_2d_array<u32>"}, "var x: texture_2d_array<u32>;", BindGroupEntry{Decl: Binding{Sample: SampleUint}, Dimension: View2DArray}},
		{Binding{Kind: BindTexture, Type: "texture_3d<f32>"}, "var x: texture_3d<f32>;", BindGroupEntry{Decl: Binding{Sample: SampleFloat}, Dimension: View3D}},
		{Binding{Kind: BindTexture, Type: "texture_cube<f32>"}, "var x: texture_cube<f32>;", BindGroupEntry{Decl: Binding{Sample: SampleFloat}, Dimension: ViewCube}},
		{Binding{Kind: BindTexture, Type: "texture_cube_array<f32>"}, "var x: texture_cube_array<f32>;", BindGroupEntry{Decl: Binding{Sample: SampleFloat}, Dimension: ViewCubeArray}},
		{Binding{Kind: BindTexture, Type: "texture_multisampled_2d<f32>"}, "var x: texture_multisampled_2d<f32>;", BindGroupEntry{Decl: Binding{Sample: SampleUnfilterableFloat}, Dimension: View2D, Multisampled: true}},
		{Binding{Kind: BindTexture, Type: "texture_multisampled_2d<u32>"}, "var x: texture_multisampled_2d<u32>;", BindGroupEntry{Decl: Binding{Sample: SampleUint}, Dimension: View2D, Multisampled: true}},
		{Binding{Kind: BindTexture, Type: "texture_depth_2d"}, "var x: texture_depth_2d;", BindGroupEntry{Decl: Binding{Sample: SampleDepth}, Dimension: View2D}},
		{Binding{Kind: BindTexture, Type: "texture_depth_2d_array"}, "var x: texture_depth_2d_array;", BindGroupEntry{Decl: Binding{Sample: SampleDepth}, Dimension: View2DArray}},
		{Binding{Kind: BindTexture, Type: "texture_depth_cube"}, "var x: texture_depth_cube;", BindGroupEntry{Decl: Binding{Sample: SampleDepth}, Dimension: ViewCube}},
		{Binding{Kind: BindTexture, Type: "texture_depth_cube_array"}, "var x: texture_depth_cube_array;", BindGroupEntry{Decl: Binding{Sample: SampleDepth}, Dimension: ViewCubeArray}},
		{Binding{Kind: BindTexture, Type: "texture_depth_multisampled_2d"}, "var x: texture_depth_multisampled_2d;", BindGroupEntry{Decl: Binding{Sample: SampleDepth}, Dimension: View2D, Multisampled: true}},
		{Binding{Kind: BindSampler}, "var x: sampler;", BindGroupEntry{Decl: Binding{Sampler: SamplerFiltering}}},
		{Binding{Kind: BindSampler, Sampler: SamplerNonFiltering, Type: "sampler"}, "var x: sampler;", BindGroupEntry{Decl: Binding{Sampler: SamplerNonFiltering}}},
		{Binding{Kind: BindSampler, Sampler: SamplerComparison}, "var x: sampler_comparison;", BindGroupEntry{Decl: Binding{Sampler: SamplerComparison}}},
		{Binding{Kind: BindSampler, Type: "sampler_comparison"}, "var x: sampler_comparison;", BindGroupEntry{Decl: Binding{Sampler: SamplerComparison}}},
		{Binding{Kind: BindUniform, Type: "vec4f"}, "var<uniform> x: vec4<f32>;", BindGroupEntry{MinSize: 16}},
		{Binding{Kind: BindUniform, Type: "array<mat4x4<f32>,2>"}, "var<uniform> x: array<mat4x4<f32>, 2>;", BindGroupEntry{MinSize: 128}},
		{Binding{Kind: BindUniform, Type: "S"}, "var<uniform> x: S;", BindGroupEntry{MinSize: 32}},
		{Binding{Kind: BindUniform, Type: "DeclaredInCode"}, "var<uniform> x: DeclaredInCode;", BindGroupEntry{}},
		{Binding{Kind: BindStorage, Type: "array<f32>"}, "var<storage, read> x: array<f32>;", BindGroupEntry{Decl: Binding{Access: AccessRead}}},
		{Binding{Kind: BindStorage, Type: "array<atomic<u32>>", Access: AccessReadWrite}, "var<storage, read_write> x: array<atomic<u32>>;", BindGroupEntry{Decl: Binding{Access: AccessReadWrite}}},
		{Binding{Kind: BindStorageTexture, Type: "texture_storage_2d<rgba8unorm, write>"}, "var x: texture_storage_2d<rgba8unorm, write>;", BindGroupEntry{Decl: Binding{Access: AccessWrite, Format: RGBA8Unorm}, Dimension: View2D}},
		{Binding{Kind: BindStorageTexture, Type: "texture_storage_2d_array", Format: RGBA16Float}, "var x: texture_storage_2d_array<rgba16float, write>;", BindGroupEntry{Decl: Binding{Access: AccessWrite, Format: RGBA16Float}, Dimension: View2DArray}},
		{Binding{Kind: BindStorageTexture, Type: "texture_storage_3d<r32uint,read_write>"}, "var x: texture_storage_3d<r32uint, read_write>;", BindGroupEntry{Decl: Binding{Access: AccessReadWrite, Format: R32Uint}, Dimension: View3D}},
		{Binding{Kind: BindStorageTexture, Type: "texture_storage_1d", Format: R32Float, Access: AccessRead}, "var x: texture_storage_1d<r32float, read>;", BindGroupEntry{Decl: Binding{Access: AccessRead, Format: R32Float}, Dimension: View1D}},
	} {
		b := c.in
		b.Name = "x"
		tm := bareTemplate()
		tm.Structs = []Struct{{"S", []Field{{"a", "f32"}, {"b", "vec2<f32>"}, {"c", "f32"}}}}
		sh, err := Compose(tm, []*Fragment{{ID: "f", Bindings: []Binding{b}}}, Options{})
		if err != nil {
			t.Errorf("%+v: %v", c.in, err)
			continue
		}
		wantOrder(t, sh.FragmentWGSL, "@group(1) @binding(0) "+c.decl+"\n")
		got := sh.Mesh[0]
		if got.Dimension != c.entry.Dimension || got.Multisampled != c.entry.Multisampled || got.MinSize != c.entry.MinSize ||
			got.Decl.Sample != c.entry.Decl.Sample || got.Decl.Sampler != c.entry.Decl.Sampler || got.Decl.Access != c.entry.Decl.Access ||
			got.Decl.Format != c.entry.Decl.Format || got.Decl.Visibility != StageFragment {
			t.Errorf("%+v: entry %+v", c.in, got)
		}
	}
}

func TestBindingErrors(t *testing.T) {
	for _, b := range []Binding{
		{},
		{Kind: 99},
		{Kind: BindTexture},
		{Kind: BindTexture, Type: "sampler"},
		{Kind: BindTexture, Type: "texture_2d"},
		{Kind: BindTexture, Type: "texture_2d<f16>"},
		{Kind: BindTexture, Type: "texture_external"},
		{Kind: BindTexture, Type: "texture_depth_2d<f32>"},
		{Kind: BindTexture, Type: "texture_storage_2d<rgba8unorm, write>"},
		{Kind: BindTexture, Type: "texture_2d<f32>", Sample: SampleDepth},
		{Kind: BindTexture, Type: "texture_2d<u32>", Sample: SampleFloat},
		{Kind: BindTexture, Type: "texture_2d<i32>", Sample: SampleUint},
		{Kind: BindTexture, Type: "texture_depth_2d", Sample: SampleFloat},
		{Kind: BindTexture, Type: "texture_multisampled_2d<f32>", Sample: SampleFloat},
		{Kind: BindTexture, Type: "texture_2d<f32>", Sampler: SamplerFiltering},
		{Kind: BindTexture, Type: "texture_2d<f32>", Access: AccessRead},
		{Kind: BindTexture, Type: "texture_2d<f32>", Format: RGBA8Unorm},
		{Kind: BindSampler, Sampler: "blurry"},
		{Kind: BindSampler, Type: "texture_2d<f32>"},
		{Kind: BindSampler, Sampler: SamplerFiltering, Type: "sampler_comparison"},
		{Kind: BindSampler, Sampler: SamplerComparison, Type: "sampler"},
		{Kind: BindSampler, Sample: SampleFloat},
		{Kind: BindUniform},
		{Kind: BindUniform, Type: "array<f32, 4>"},
		{Kind: BindUniform, Type: "array<vec4f>"},
		{Kind: BindUniform, Type: "array<Unknown, 4>"},
		{Kind: BindUniform, Type: "vec4f", Access: AccessRead},
		{Kind: BindStorage, Type: "array<vec4f>", Access: AccessWrite},
		{Kind: BindStorage, Type: "bool"},
		{Kind: BindStorageTexture, Type: "texture_2d<f32>"},
		{Kind: BindStorageTexture, Type: "texture_storage_2d"},
		{Kind: BindStorageTexture, Type: "texture_storage_2d", Format: RGBA8UnormSRGB},
		{Kind: BindStorageTexture, Type: "texture_storage_2d<rgba8unorm, read_write>"},
		{Kind: BindStorageTexture, Type: "texture_storage_2d<rgba8unorm, sometimes>"},
		{Kind: BindStorageTexture, Type: "texture_storage_2d<rgba8unorm, write>", Format: RGBA16Float},
		{Kind: BindStorageTexture, Type: "texture_storage_2d<rgba8unorm, write>", Access: AccessRead},
		{Kind: BindStorageTexture, Type: "texture_storage_2d<depth32float, write>"},
		{Kind: BindSampler, Group: 2},
		{Kind: BindSampler, Visibility: StageCompute},
		{Kind: BindStorage, Type: "array<f32>", Access: AccessReadWrite, Visibility: StageVertex},
		{Kind: BindStorageTexture, Type: "texture_storage_2d<rgba8unorm, write>", Visibility: StageVertex | StageFragment},
	} {
		b.Name = "x"
		_, err := Compose(bareTemplate(), []*Fragment{{ID: "f", Bindings: []Binding{b}}}, Options{})
		if err == nil {
			t.Errorf("%+v is accepted", b)
			continue
		}
		wantError(t, err, ErrType, `fragment "f"`, `"x"`)
	}
	// A write that a second fragment makes visible to the vertex stage.
	w := Binding{Name: "x", Kind: BindStorage, Type: "array<f32>", Access: AccessReadWrite}
	_, err := Compose(bareTemplate(), []*Fragment{{ID: "a", Bindings: []Binding{w}}, {ID: "b", Bindings: []Binding{{Name: "y", Kind: BindSampler}}, VertexBindings: []Binding{w}}}, Options{})
	wantError(t, err, ErrType, `"x"`)
}
