struct SceneUniforms {
  viewProjection: mat4x4<f32>,
  eye: vec4<f32>,
}
@group(0) @binding(0) var<uniform> scene: SceneUniforms;
const LIGHT_COUNT: u32 = 2u;
struct Light {
  direction: vec3<f32>,
  intensity: f32,
  color: vec3<f32>,
}
struct MeshUniforms {
  world: mat4x4<f32>,
}
struct MaterialUniforms {
  baseColor: vec4<f32>,
}
@group(1) @binding(0) var<uniform> mesh: MeshUniforms;
@group(1) @binding(1) var<uniform> material: MaterialUniforms;
@group(1) @binding(3) var<uniform> lights: array<Light, LIGHT_COUNT>;
struct FragmentInput {
  @builtin(position) position: vec4<f32>,
  @location(0) worldPosition: vec3<f32>,
  @location(1) normal: vec3<f32>,
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
  var normal = normalize(input.normal);
  if (!input.frontFacing) {
    normal = -normal;
  }
  var color = baseColor.rgb;
  var direct = vec3<f32>(0.0);
  for (var i = 0u; i < LIGHT_COUNT; i++) {
    let l = lights[i];
    direct += l.color * l.intensity * max(dot(normal, -l.direction), 0.0);
  }
  color *= direct;
  var alpha = baseColor.a;
  outputs.color = vec4<f32>(color, alpha);
  return FragmentOutput(outputs.color);
}
