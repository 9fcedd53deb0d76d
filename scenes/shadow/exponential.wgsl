// An occluder's depth z makes exp(-k z); what is d deep is lit by as much as
// exp(k (z - d)) leaves (Annen et al. 2008, "Exponential Shadow Maps";
// Babylon.js, computeShadowWithESM and computeShadowWithCloseESM).
fn shadowOfTAG(position: vec3<f32>) -> f32 {
    let fromLight = shadowInfoTAG.lightMatrix * vec4<f32>(position, 1.0);
    let clip = fromLight.xyz / fromLight.w;
    let uv = vec2<f32>(0.5 * clip.x + 0.5, 0.5 - 0.5 * clip.y);
    let depth = clamp((fromLight.z + shadowInfoTAG.depthValues.x) / shadowInfoTAG.depthValues.y, 0.0, 1.0);
    let k = shadowInfoTAG.depthValues.z;
    let seen = textureSampleLevel(shadowMapTAG, shadowMapTAGSampler, uv, 0.0).r;
    let exponential = 1.0 - clamp(exp(min(87.0, k * depth)) * seen, 0.0, 1.0 - shadowInfoTAG.info.x);
    let close = clamp(exp(min(87.0, k * (seen - depth))), shadowInfoTAG.info.x, 1.0);
    let lit = shadowEdge(select(exponential, close, shadowInfoTAG.depthValues.w == 1.0), clip.xy, shadowInfoTAG.info.w);
    return select(lit, 1.0, uv.x < 0.0 || uv.x > 1.0 || uv.y < 0.0 || uv.y > 1.0);
}
