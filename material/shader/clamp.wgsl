// The built-in of that name (WGSL draft, section "textureSampleBaseClampToEdge"), which naga 0.19 lacks:
// level 0, with the coordinates kept half a texel away from the edges.
fn textureSampleBaseClampToEdge(t: texture_2d<f32>, s: sampler, coords: vec2<f32>) -> vec4<f32> {
    let halfTexel = vec2<f32>(0.5) / vec2<f32>(textureDimensions(t));
    return textureSampleLevel(t, s, clamp(coords, halfTexel, 1.0 - halfTexel), 0.0);
}
