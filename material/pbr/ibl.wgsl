fn environmentDirection(v: vec3<f32>) -> vec3<f32> {
    return (scene.environmentRotation * vec4<f32>(v, 0.0)).xyz;
}
// Irradiance of nine harmonics that are scaled for this sum (Ramamoorthi and Hanrahan 2001).
fn environmentIrradiance(n: vec3<f32>) -> vec3<f32> {
    let h = scene.sphericalHarmonics;
    return h[0].rgb + h[1].rgb * n.y + h[2].rgb * n.z + h[3].rgb * n.x
        + h[4].rgb * (n.y * n.x) + h[5].rgb * (n.y * n.z) + h[6].rgb * (3.0 * n.z * n.z - 1.0)
        + h[7].rgb * (n.z * n.x) + h[8].rgb * (n.x * n.x - n.y * n.y);
}
// The prefiltered radiance for a lobe of width alphaG.
fn environmentRadiance(direction: vec3<f32>, alphaG: f32) -> vec3<f32> {
    let top = f32(textureNumLevels(environmentTexture) - 1u);
    let lod = log2(scene.environmentInfos.z * alphaG) * scene.environmentInfos.y;
    return textureSampleLevel(environmentTexture, environmentTextureSampler, direction, clamp(lod, 0.0, top)).rgb;
}
// What a bent normal N must not reflect: directions under the surface itself.
fn horizonOcclusion(V: vec3<f32>, N: vec3<f32>, geometric: vec3<f32>) -> f32 {
    let h = clamp(1.0 + 1.1 * dot(reflect(-V, N), geometric), 0.0, 1.0);
    return h * h;
}
