@group(0) @binding(0) var source: texture_2d<f32>;
@group(0) @binding(1) var sourceSampler: sampler;
struct Corner {
    @builtin(position) position: vec4<f32>,
    @location(0) uv: vec2<f32>,
};
@vertex
fn vs(@builtin(vertex_index) index: u32) -> Corner {
    var out: Corner;
    out.uv = vec2<f32>(f32((index << 1u) & 2u), f32(index & 2u));
    out.position = vec4<f32>(out.uv.x * 2.0 - 1.0, 1.0 - out.uv.y * 2.0, 0.0, 1.0);
    return out;
}
@fragment
fn fs(in: Corner) -> @location(0) vec4<f32> {
    let color = textureSampleLevel(source, sourceSampler, in.uv, 0.0);
    if (STEPS > 0.0) {
        return floor(saturate(color) * STEPS + 0.5) / STEPS;
    }
    return color;
}
