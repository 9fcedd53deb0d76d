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
@group(1) @binding(3) var<storage, read> bones: array<mat4x4<f32>>;
@group(1) @binding(7) var albedoTexture: texture_2d<f32>;
@group(1) @binding(8) var albedoSampler: sampler;
var<private> instance: InstanceUniforms;
struct VertexInput {
  @location(0) position: vec3<f32>,
  @location(1) normal: vec4<f32>,
  @location(2) joints: vec4<u32>,
  @location(3) weights: vec4<f32>,
  @location(4) world0: vec4<f32>,
  @location(5) world1: vec4<f32>,
  @location(6) world2: vec4<f32>,
  @location(7) world3: vec4<f32>,
  @location(8) uv: vec2<f32>,
}
struct VertexOutput {
  @builtin(position) position: vec4<f32>,
  @location(0) worldPosition: vec3<f32>,
  @location(1) normal: vec3<f32>,
  @location(2) uv: vec2<f32>,
  @location(3) @interpolate(flat) instanceIndex: u32,
}
fn sampleAlbedoDirect(uv: vec2<f32>) -> vec4<f32> { return textureSampleLevel(albedoTexture, albedoSampler, uv, 0.0); }
fn bone(j: vec4<u32>, w: vec4<f32>) -> mat4x4<f32> {
  return bones[j.x] * w.x + bones[j.y] * w.y + bones[j.z] * w.z + bones[j.w] * w.w;
}
@vertex
fn vs(@builtin(vertex_index) vertexIndex: u32, @builtin(instance_index) instanceIndex: u32, input: VertexInput) -> VertexOutput {
  var output: VertexOutput;
  instance = instances[instanceIndex];
  output.instanceIndex = instanceIndex;
  var localPosition = input.position;
  localPosition += vec3<f32>(0.0, f32(vertexIndex) * 0.0, 0.0);
  var finalWorld = mesh.world;
  finalWorld = finalWorld * bone(input.joints, input.weights);
  finalWorld = mat4x4<f32>(input.world0, input.world1, input.world2, input.world3) * finalWorld;
  let worldPosition = finalWorld * vec4<f32>(localPosition, 1.0);
  output.position = scene.viewProjection * worldPosition;
  output.worldPosition = worldPosition.xyz;
  output.normal = (finalWorld * vec4<f32>(input.normal.xyz, 0.0)).xyz;
  output.uv = input.uv;
  return output;
}
