fn cascadeOfTAG(layer: i32, position: vec3<f32>) -> f32 {
    let fromLight = shadowInfoTAG.transforms[layer] * vec4<f32>(position, 1.0);
    let clip = fromLight.xyz / fromLight.w;
    let uv = vec2<f32>(0.5 * clip.x + 0.5, 0.5 - 0.5 * clip.y);
    let t = shadowTaps(uv, shadowInfoTAG.info.y, shadowInfoTAG.info.z);
    let z = clamp(clip.z, 0.0, 0.99999994);
    var sum = 0.0;
    sum += t.wu.x * t.wv.x * textureSampleCompareLevel(shadowMapTAG, shadowMapTAGSampler, t.base + vec2<f32>(t.u.x, t.v.x), layer, z);
    sum += t.wu.y * t.wv.x * textureSampleCompareLevel(shadowMapTAG, shadowMapTAGSampler, t.base + vec2<f32>(t.u.y, t.v.x), layer, z);
    sum += t.wu.z * t.wv.x * textureSampleCompareLevel(shadowMapTAG, shadowMapTAGSampler, t.base + vec2<f32>(t.u.z, t.v.x), layer, z);
    sum += t.wu.x * t.wv.y * textureSampleCompareLevel(shadowMapTAG, shadowMapTAGSampler, t.base + vec2<f32>(t.u.x, t.v.y), layer, z);
    sum += t.wu.y * t.wv.y * textureSampleCompareLevel(shadowMapTAG, shadowMapTAGSampler, t.base + vec2<f32>(t.u.y, t.v.y), layer, z);
    sum += t.wu.z * t.wv.y * textureSampleCompareLevel(shadowMapTAG, shadowMapTAGSampler, t.base + vec2<f32>(t.u.z, t.v.y), layer, z);
    sum += t.wu.x * t.wv.z * textureSampleCompareLevel(shadowMapTAG, shadowMapTAGSampler, t.base + vec2<f32>(t.u.x, t.v.z), layer, z);
    sum += t.wu.y * t.wv.z * textureSampleCompareLevel(shadowMapTAG, shadowMapTAGSampler, t.base + vec2<f32>(t.u.y, t.v.z), layer, z);
    sum += t.wu.z * t.wv.z * textureSampleCompareLevel(shadowMapTAG, shadowMapTAGSampler, t.base + vec2<f32>(t.u.z, t.v.z), layer, z);
    return shadowEdge(mix(shadowInfoTAG.info.x, 1.0, sum / 144.0), clip.xy, shadowInfoTAG.info.w);
}
// The nearest cascade that reaches the fragment, blended into the next one at its end.
fn shadowOfTAG(position: vec3<f32>) -> f32 {
    let viewZ = (scene.view * vec4<f32>(position, 1.0)).z;
    let count = i32(shadowInfoTAG.params.x);
    var index = count - 1;
    var ahead = shadowInfoTAG.splits[count - 1] - viewZ;
    for (var c = count - 1; c >= 0; c--) {
        let d = shadowInfoTAG.splits[c] - viewZ;
        if (d >= 0.0) {
            index = c;
            ahead = d;
        }
    }
    let near = cascadeOfTAG(index, position);
    let far = cascadeOfTAG(min(index + 1, count - 1), position);
    let ratio = clamp(ahead / shadowInfoTAG.lengths[index], 0.0, 1.0) * shadowInfoTAG.params.y;
    return select(near, mix(far, near, ratio), index < count - 1 && ratio < 1.0);
}
