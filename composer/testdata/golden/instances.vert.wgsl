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
struct VertexInput {
  @location(0) position: vec3<f32>,
  @location(1) world0: vec4<f32>,
  @location(2) world1: vec4<f32>,
  @location(3) world2: vec4<f32>,
  @location(4) world3: vec4<f32>,
}
struct VertexOutput {
  @builtin(position) position: vec4<f32>,
  @location(0) worldPosition: vec3<f32>,
  @location(1) @interpolate(flat) instanceIndex: u32,
}
@vertex
fn vs(@builtin(instance_index) instanceIndex: u32, input: VertexInput) -> VertexOutput {
  var output: VertexOutput;
  instance = instances[instanceIndex];
  output.instanceIndex = instanceIndex;
  var localPosition = input.position;
  var finalWorld = mesh.world;
  finalWorld = mat4x4<f32>(input.world0, input.world1, input.world2, input.world3) * finalWorld;
  let worldPosition = finalWorld * vec4<f32>(localPosition, 1.0);
  output.position = scene.viewProjection * worldPosition;
  output.worldPosition = worldPosition.xyz;
  return output;
}
