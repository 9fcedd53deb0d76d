struct SceneUniforms {
  viewProjection: mat4x4<f32>,
  eye: vec4<f32>,
}
@group(0) @binding(0) var<uniform> scene: SceneUniforms;
struct MeshUniforms {
  world: mat4x4<f32>,
}
struct MaterialUniforms {
  baseColor: vec4<f32>,
}
@group(1) @binding(0) var<uniform> mesh: MeshUniforms;
@group(1) @binding(1) var<uniform> material: MaterialUniforms;
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
