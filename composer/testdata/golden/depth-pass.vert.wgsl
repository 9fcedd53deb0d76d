struct SceneUniforms {
  viewProjection: mat4x4<f32>,
  eye: vec4<f32>,
}
@group(0) @binding(0) var<uniform> scene: SceneUniforms;
struct MeshUniforms {
  world: mat4x4<f32>,
}
@group(1) @binding(0) var<uniform> mesh: MeshUniforms;
@group(1) @binding(1) var<storage, read> bones: array<mat4x4<f32>>;
struct VertexInput {
  @location(0) position: vec3<f32>,
  @location(1) joints: vec4<u32>,
  @location(2) weights: vec4<f32>,
}
struct VertexOutput {
  @builtin(position) position: vec4<f32>,
  @location(0) worldPosition: vec3<f32>,
}
fn bone(j: vec4<u32>, w: vec4<f32>) -> mat4x4<f32> {
  return bones[j.x] * w.x + bones[j.y] * w.y + bones[j.z] * w.z + bones[j.w] * w.w;
}
@vertex
fn vs(@builtin(vertex_index) vertexIndex: u32, input: VertexInput) -> VertexOutput {
  var output: VertexOutput;
  var localPosition = input.position;
  localPosition += vec3<f32>(0.0, f32(vertexIndex) * 0.0, 0.0);
  var finalWorld = mesh.world;
  finalWorld = finalWorld * bone(input.joints, input.weights);
  let worldPosition = finalWorld * vec4<f32>(localPosition, 1.0);
  output.position = scene.viewProjection * worldPosition;
  output.worldPosition = worldPosition.xyz;
  return output;
}
