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
  alphaCutoff: f32,
}
@group(1) @binding(0) var<uniform> mesh: MeshUniforms;
@group(1) @binding(1) var<uniform> material: MaterialUniforms;
@group(1) @binding(2) var albedoTexture: texture_2d<f32>;
@group(1) @binding(3) var albedoSampler: sampler;
struct FragmentInput {
  @builtin(position) position: vec4<f32>,
  @location(0) worldPosition: vec3<f32>,
  @location(1) uv: vec2<f32>,
  @builtin(front_facing) frontFacing: bool,
}
struct Outputs {
  color: vec4<f32>,
}
var<private> outputs: Outputs;
fn sampleAlbedo(uv: vec2<f32>) -> vec4<f32> { return textureSample(albedoTexture, albedoSampler, uv); }
fn sampleAlbedoDirect(uv: vec2<f32>) -> vec4<f32> { return textureSampleLevel(albedoTexture, albedoSampler, uv, 0.0); }
@fragment
fn fs(input: FragmentInput) {
  var baseColor = material.baseColor;
  baseColor *= sampleAlbedo(input.uv);
  if (baseColor.a < material.alphaCutoff) {
    discard;
  }
  var color = baseColor.rgb;
  var alpha = baseColor.a;
  outputs.color = vec4<f32>(color, alpha);
}
