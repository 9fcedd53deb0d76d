fn safeNormalize(v: vec3<f32>, other: vec3<f32>) -> vec3<f32> {
    let d = dot(v, v);
    // Not a number compares false: frames without area give it.
    return select(other, v * inverseSqrt(max(d, 1e-20)), d > 1e-20);
}
fn distributionStretched(NdotH: f32, TdotH: f32, BdotH: f32, alpha: vec2<f32>) -> f32 {
    let a2 = alpha.x * alpha.y;
    let v = vec3<f32>(alpha.y * TdotH, alpha.x * BdotH, a2 * NdotH);
    let w2 = a2 / dot(v, v);
    return a2 * w2 * w2 / PI;
}
fn visibilityStretched(toL: vec3<f32>, toV: vec3<f32>, alpha: vec2<f32>) -> f32 {
    let stretch = vec3<f32>(alpha, 1.0);
    return 0.5 / (toL.z * length(stretch * toV) + toV.z * length(stretch * toL));
}
// The normal that reflects the middle of the stretched lobe.
fn stretchedNormal(N: vec3<f32>, V: vec3<f32>, B: vec3<f32>, amount: f32, roughness: f32) -> vec3<f32> {
    let towards = safeNormalize(cross(cross(B, V), B), N);
    let keep = 1.0 - amount * (1.0 - roughness);
    return normalize(mix(towards, N, keep * keep * keep * keep));
}
