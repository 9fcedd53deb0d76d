// The frame of the texture coordinates about normal, from their derivatives
// (Mikkelsen 2010, "Bump Mapping Unparametrized Surfaces"; Babylon.js,
// cotangent_frame). A longer normal flattens what it is applied to.
fn cotangentFrame(normal: vec3<f32>, position: vec3<f32>, uv: vec2<f32>, axes: vec2<f32>) -> mat3x3<f32> {
    // Derivatives up the picture, also where it is drawn upside down.
    let up = -sign(scene.projection[1].y);
    let px = dpdx(position);
    let py = dpdy(position) * up;
    let ux = dpdx(uv);
    let uy = dpdy(uv) * up;
    let acrossX = cross(normal, px);
    let acrossY = cross(py, normal);
    let tangent = (acrossY * ux.x + acrossX * uy.x) * axes.x;
    let bitangent = (acrossY * ux.y + acrossX * uy.y) * axes.y;
    let largest = max(dot(tangent, tangent), dot(bitangent, bitangent));
    let scale = select(inverseSqrt(largest), 0.0, largest == 0.0);
    return mat3x3<f32>(tangent * scale, bitangent * scale, normal);
}
