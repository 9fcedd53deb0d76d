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
struct VertexInput {
  @location(0) position: vec3<f32>,
}
struct VertexOutput {
  @builtin(position) position: vec4<f32>,
  @location(0) worldPosition: vec3<f32>,
}
@vertex
fn vs(input: VertexInput) -> VertexOutput {
  var output: VertexOutput;
  var localPosition = input.position;
  var finalWorld = mesh.world;
  let worldPosition = finalWorld * vec4<f32>(localPosition, 1.0);
  output.position = scene.viewProjection * worldPosition;
  output.worldPosition = worldPosition.xyz;
  return output;
}
