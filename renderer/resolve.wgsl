@group(0) @binding(0) var samples: texture_multisampled_2d<f32>;
@vertex
fn vs(@builtin(vertex_index) index: u32) -> @builtin(position) vec4<f32> {
    return vec4<f32>(f32((index << 1u) & 2u) * 2.0 - 1.0, 1.0 - f32(index & 2u) * 2.0, 0.0, 1.0);
}
// Steps are whole numbers, so that their sum is exact and a half is one.
fn steps(at: vec2<i32>, sample: i32) -> vec4<f32> {
    return round(textureLoad(samples, at, sample) * 255.0);
}
@fragment
fn fs(@builtin(position) position: vec4<f32>) -> @location(0) vec4<f32> {
    let at = vec2<i32>(position.xy);
    let sum = steps(at, 0) + steps(at, 1) + steps(at, 2) + steps(at, 3);
    return floor(sum * 0.25 + 0.5) / 255.0;
}
