struct Corner {
    @builtin(position) position: vec4<f32>,
    @location(0) @interpolate(flat) sample: u32,
};
@vertex
fn vs(@builtin(vertex_index) index: u32, @builtin(instance_index) sample: u32) -> Corner {
    var out: Corner;
    out.position = vec4<f32>(f32((index << 1u) & 2u) * 2.0 - 1.0, 1.0 - f32(index & 2u) * 2.0, 0.0, 1.0);
    out.sample = sample;
    return out;
}
@fragment
fn fs(in: Corner) -> @location(0) vec4<f32> {
    let above = vec4<u32>(in.sample) < vec4<u32>(0u, 1u, 2u, 3u);
    return (vec4<f32>(floor(in.position.x)) + select(vec4<f32>(0.0), vec4<f32>(1.0), above)) / 255.0;
}
