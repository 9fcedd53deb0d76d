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
struct InstanceUniforms {
  @align(16) fade: f32,
}
@group(1) @binding(0) var<uniform> mesh: MeshUniforms;
@group(1) @binding(1) var<uniform> material: MaterialUniforms;
@group(1) @binding(2) var<storage, read> instances: array<InstanceUniforms>;
var<private> instance: InstanceUniforms;
struct FragmentInput {
  @builtin(position) position: vec4<f32>,
  @location(0) worldPosition: vec3<f32>,
  @location(1) @interpolate(flat) instanceIndex: u32,
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
  instance = instances[input.instanceIndex];
  var baseColor = material.baseColor;
  var color = baseColor.rgb;
  var alpha = baseColor.a;
  alpha *= instance.fade;
  outputs.color = vec4<f32>(color, alpha);
  return FragmentOutput(outputs.color);
}
