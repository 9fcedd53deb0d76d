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
  alphaCutoff: f32,
  environmentRotation: mat3x3<f32>,
  environmentLevel: f32,
}
struct InstanceUniforms {
  @align(16) fade: f32,
}
@group(1) @binding(0) var<uniform> mesh: MeshUniforms;
@group(1) @binding(1) var<uniform> material: MaterialUniforms;
@group(1) @binding(2) var<storage, read> instances: array<InstanceUniforms>;
@group(1) @binding(4) var environment: texture_cube<f32>;
@group(1) @binding(5) var environmentSampler: sampler;
@group(1) @binding(6) var<uniform> lights: array<Light, LIGHT_COUNT>;
@group(1) @binding(7) var albedoTexture: texture_2d<f32>;
@group(1) @binding(8) var albedoSampler: sampler;
@group(2) @binding(0) var shadowMap: texture_depth_2d;
@group(2) @binding(1) var shadowCompare: sampler_comparison;
var<private> instance: InstanceUniforms;
struct FragmentInput {
  @builtin(position) position: vec4<f32>,
  @location(0) worldPosition: vec3<f32>,
  @location(1) normal: vec3<f32>,
  @location(2) uv: vec2<f32>,
  @location(3) @interpolate(flat) instanceIndex: u32,
  @builtin(front_facing) frontFacing: bool,
}
struct FragmentOutput {
  @location(0) color: vec4<f32>,
  @location(1) depth: f32,
}
struct Outputs {
  color: vec4<f32>,
  depth: f32,
}
var<private> outputs: Outputs;
fn sampleAlbedo(uv: vec2<f32>) -> vec4<f32> { return textureSample(albedoTexture, albedoSampler, uv); }
fn sampleAlbedoDirect(uv: vec2<f32>) -> vec4<f32> { return textureSampleLevel(albedoTexture, albedoSampler, uv, 0.0); }
fn luminance(c: vec3<f32>) -> f32 {
  return dot(c, vec3<f32>(0.2126, 0.7152, 0.0722));
}
fn shadowAt(p: vec3<f32>) -> f32 {
  return textureSampleCompareLevel(shadowMap, shadowCompare, p.xy, p.z);
}
@fragment
fn fs(input: FragmentInput) -> FragmentOutput {
  instance = instances[input.instanceIndex];
  var baseColor = material.baseColor;
  baseColor *= sampleAlbedo(input.uv);
  if (baseColor.a < material.alphaCutoff) {
    discard;
  }
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
  color *= shadowAt(input.worldPosition);
  color += textureSampleLevel(environment, environmentSampler, material.environmentRotation * normal, 4.0).rgb * material.environmentLevel;
  color = vec3<f32>(luminance(color));
  color /= 1.0 + luminance(color);
  var alpha = baseColor.a;
  outputs.depth = input.position.z;
  alpha *= instance.fade;
  outputs.color = vec4<f32>(color, alpha);
  return FragmentOutput(outputs.color, outputs.depth);
}
