// What the texel at (s, t) of a side looks at; the sides are +X -X +Y -Y +Z -Z.
fn cubeDirection(side: u32, s: f32, t: f32) -> vec3<f32> {
    let way = 1.0 - 2.0 * f32(side & 1u);
    let x = vec3<f32>(way, -t, -way * s);
    let y = vec3<f32>(s, way, way * t);
    let z = vec3<f32>(way * s, -t, way);
    return normalize(select(select(z, y, side < 4u), x, side < 2u));
}
