fn shadowOfTAG(position: vec3<f32>) -> f32 {
    let fromLight = shadowInfoTAG.lightMatrix * vec4<f32>(position, 1.0);
    let clip = fromLight.xyz / fromLight.w;
    let uv = vec2<f32>(0.5 * clip.x + 0.5, 0.5 - 0.5 * clip.y);
    let metric = (fromLight.z + shadowInfoTAG.depthValues.x) / shadowInfoTAG.depthValues.y;
    let t = shadowTaps(uv, shadowInfoTAG.info.y, shadowInfoTAG.info.z);
    let z = clamp(clip.z, 0.0, 1.0);
    var sum = 0.0;
    sum += t.wu.x * t.wv.x * textureSampleCompareLevel(shadowMapTAG, shadowMapTAGSampler, t.base + vec2<f32>(t.u.x, t.v.x), z);
    sum += t.wu.y * t.wv.x * textureSampleCompareLevel(shadowMapTAG, shadowMapTAGSampler, t.base + vec2<f32>(t.u.y, t.v.x), z);
    sum += t.wu.z * t.wv.x * textureSampleCompareLevel(shadowMapTAG, shadowMapTAGSampler, t.base + vec2<f32>(t.u.z, t.v.x), z);
    sum += t.wu.x * t.wv.y * textureSampleCompareLevel(shadowMapTAG, shadowMapTAGSampler, t.base + vec2<f32>(t.u.x, t.v.y), z);
    sum += t.wu.y * t.wv.y * textureSampleCompareLevel(shadowMapTAG, shadowMapTAGSampler, t.base + vec2<f32>(t.u.y, t.v.y), z);
    sum += t.wu.z * t.wv.y * textureSampleCompareLevel(shadowMapTAG, shadowMapTAGSampler, t.base + vec2<f32>(t.u.z, t.v.y), z);
    sum += t.wu.x * t.wv.z * textureSampleCompareLevel(shadowMapTAG, shadowMapTAGSampler, t.base + vec2<f32>(t.u.x, t.v.z), z);
    sum += t.wu.y * t.wv.z * textureSampleCompareLevel(shadowMapTAG, shadowMapTAGSampler, t.base + vec2<f32>(t.u.y, t.v.z), z);
    sum += t.wu.z * t.wv.z * textureSampleCompareLevel(shadowMapTAG, shadowMapTAGSampler, t.base + vec2<f32>(t.u.z, t.v.z), z);
    let outside = metric < 0.0 || metric > 1.0 || uv.x < 0.0 || uv.x > 1.0 || uv.y < 0.0 || uv.y > 1.0;
    return select(mix(shadowInfoTAG.info.x, 1.0, sum / 144.0), 1.0, outside);
}
