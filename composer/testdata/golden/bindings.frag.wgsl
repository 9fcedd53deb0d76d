struct SceneUniforms {
  viewProjection: mat4x4<f32>,
  eye: vec4<f32>,
}
@group(0) @binding(0) var<uniform> scene: SceneUniforms;
struct Item {
  m: mat3x3<f32>,
  list: array<vec3<i32>, 2>,
}
struct MeshUniforms {
  world: mat4x4<f32>,
}
struct MaterialUniforms {
  baseColor: vec4<f32>,
}
@group(1) @binding(0) var<uniform> mesh: MeshUniforms;
@group(1) @binding(1) var<uniform> material: MaterialUniforms;
@group(1) @binding(2) var t_1d_f32: texture_1d<f32>;
@group(1) @binding(3) var t_1d_i32: texture_1d<i32>;
@group(1) @binding(4) var t_1d_u32: texture_1d<u32>;
@group(1) @binding(5) var t_2d_f32: texture_2d<f32>;
@group(1) @binding(6) var t_2d_i32: texture_2d<i32>;
@group(1) @binding(7) var t_2d_u32: texture_2d<u32>;
@group(1) @binding(8) var t_2d_array_f32: texture_2d_array<f32>;
@group(1) @binding(9) var t_2d_array_i32: texture_2d_array<i32>;
@group(1) @binding(10) var t_2d_array_u32: texture_2d_array<u32>;
@group(1) @binding(11) var t_3d_f32: texture_3d<f32>;
@group(1) @binding(12) var t_3d_i32: texture_3d<i32>;
@group(1) @binding(13) var t_3d_u32: texture_3d<u32>;
@group(1) @binding(14) var t_cube_f32: texture_cube<f32>;
@group(1) @binding(15) var t_cube_i32: texture_cube<i32>;
@group(1) @binding(16) var t_cube_u32: texture_cube<u32>;
@group(1) @binding(17) var t_cube_array_f32: texture_cube_array<f32>;
@group(1) @binding(18) var t_cube_array_i32: texture_cube_array<i32>;
@group(1) @binding(19) var t_cube_array_u32: texture_cube_array<u32>;
@group(1) @binding(20) var t_multisampled_2d_f32: texture_multisampled_2d<f32>;
@group(1) @binding(21) var t_multisampled_2d_i32: texture_multisampled_2d<i32>;
@group(1) @binding(22) var t_multisampled_2d_u32: texture_multisampled_2d<u32>;
@group(1) @binding(23) var depth_2d: texture_depth_2d;
@group(1) @binding(24) var depth_2d_array: texture_depth_2d_array;
@group(1) @binding(25) var depth_cube: texture_depth_cube;
@group(1) @binding(26) var depth_cube_array: texture_depth_cube_array;
@group(1) @binding(27) var depth_multisampled_2d: texture_depth_multisampled_2d;
@group(1) @binding(28) var filtering: sampler;
@group(1) @binding(29) var nonFiltering: sampler;
@group(1) @binding(30) var comparison: sampler_comparison;
@group(1) @binding(31) var s_1d: texture_storage_1d<rgba8unorm, write>;
@group(1) @binding(32) var s_2d: texture_storage_2d<rgba8unorm, write>;
@group(1) @binding(33) var s_2d_array: texture_storage_2d_array<rgba8unorm, write>;
@group(1) @binding(34) var s_3d: texture_storage_3d<rgba8unorm, write>;
@group(1) @binding(35) var s_read: texture_storage_2d<r32float, read>;
@group(1) @binding(36) var s_readWrite: texture_storage_2d<r32uint, read_write>;
@group(1) @binding(37) var<uniform> uniformItems: array<Item, 3>;
@group(1) @binding(38) var<storage, read> storedItems: array<Item>;
@group(1) @binding(39) var<storage, read_write> counters: array<atomic<u32>>;
struct FragmentInput {
  @builtin(position) position: vec4<f32>,
  @location(0) worldPosition: vec3<f32>,
  @builtin(front_facing) frontFacing: bool,
}
struct FragmentOutput {
  @location(0) color: vec4<f32>,
}
struct Outputs {
  color: vec4<f32>,
}
var<private> outputs: Outputs;
@fragment
fn fs(input: FragmentInput) -> FragmentOutput {
  var baseColor = material.baseColor;
  var color = baseColor.rgb;
  var alpha = baseColor.a;
  outputs.color = vec4<f32>(color, alpha);
  return FragmentOutput(outputs.color);
}
