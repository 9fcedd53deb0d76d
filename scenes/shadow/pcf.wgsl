// A 5x5 tent filter in nine bilinear comparisons (Castano 2013, "Shadow Mapping Summary"; Babylon.js, computeShadowWithPCF5).
struct ShadowTaps {
    base: vec2<f32>,
    u: vec3<f32>,
    v: vec3<f32>,
    wu: vec3<f32>,
    wv: vec3<f32>,
};
fn shadowTaps(uv: vec2<f32>, size: f32, texel: f32) -> ShadowTaps {
    var t: ShadowTaps;
    let at = uv * size + 0.5;
    let st = fract(at);
    t.base = (floor(at) - 0.5) * texel;
    t.wu = vec3<f32>(4.0 - 3.0 * st.x, 7.0, 1.0 + 3.0 * st.x);
    t.wv = vec3<f32>(4.0 - 3.0 * st.y, 7.0, 1.0 + 3.0 * st.y);
    t.u = vec3<f32>((3.0 - 2.0 * st.x) / t.wu.x - 2.0, (3.0 + st.x) / 7.0, st.x / t.wu.z + 2.0) * texel;
    t.v = vec3<f32>((3.0 - 2.0 * st.y) / t.wv.x - 2.0, (3.0 + st.y) / 7.0, st.y / t.wv.z + 2.0) * texel;
    return t;
}
fn shadowEdge(value: f32, clip: vec2<f32>, falloff: f32) -> f32 {
    return mix(value, 1.0, smoothstep(1.0 - falloff, 1.00000012, clamp(dot(clip, clip), 0.0, 1.0)));
}
