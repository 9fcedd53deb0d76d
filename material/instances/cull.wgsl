// What is known of a draw whose instances are culled.
struct Cull {
    planes: array<vec4<f32>, 6>, // dot(xyz, p) + w >= 0 inside, xyz of length 1, or 0 for a plane that cuts nothing
    world: mat4x4<f32>,
    sphere: vec4<f32>, // about the mesh: centre and radius
    count: u32,
    elements: u32,
    groups: u32,
}
@group(0) @binding(0) var<uniform> cull: Cull;
