// Exposure, tone mapping, gamma and contrast: Babylon.js, imageProcessingFunctions.
fn imageProcessing(linear: vec3<f32>) -> vec3<f32> {
    var c = linear * scene.exposureLinear;
    if (scene.toneMapping == 1.0) {
        c = 1.0 - exp2(-1.590579 * c);
    } else if (scene.toneMapping == 2.0) {
        c = toneMapACES(c);
    } else if (scene.toneMapping == 3.0) {
        c = toneMapNeutral(c);
    }
    c = clamp(pow(max(c, vec3<f32>(0.0)), vec3<f32>(1.0 / 2.2)), vec3<f32>(0.0), vec3<f32>(1.0));
    let high = c * c * (3.0 - 2.0 * c);
    if (scene.contrast < 1.0) {
        c = mix(vec3<f32>(0.5), c, scene.contrast);
    } else {
        c = mix(c, high, scene.contrast - 1.0);
    }
    return max(c, vec3<f32>(0.0));
}
// Stephen Hill's fit of the ACES reference and output transforms.
fn toneMapACES(color: vec3<f32>) -> vec3<f32> {
    let toAP1 = mat3x3<f32>(vec3<f32>(0.59719, 0.07600, 0.02840), vec3<f32>(0.35458, 0.90834, 0.13383), vec3<f32>(0.04823, 0.01566, 0.83777));
    let toSRGB = mat3x3<f32>(vec3<f32>(1.60475, -0.10208, -0.00327), vec3<f32>(-0.53108, 1.10813, -0.07276), vec3<f32>(-0.07367, -0.00605, 1.07602));
    let v = toAP1 * color;
    let a = v * (v + 0.0245786) - 0.000090537;
    let b = v * (0.983729 * v + 0.4329510) + 0.238081;
    return clamp(toSRGB * (a / b), vec3<f32>(0.0), vec3<f32>(1.0));
}
// Khronos PBR Neutral tone mapper.
fn toneMapNeutral(color: vec3<f32>) -> vec3<f32> {
    let start = 0.8 - 0.04;
    let x = min(color.r, min(color.g, color.b));
    let offset = select(0.04, x - 6.25 * x * x, x < 0.08);
    var c = color - offset;
    let peak = max(c.r, max(c.g, c.b));
    if (peak < start) {
        return c;
    }
    let d = 1.0 - start;
    let newPeak = 1.0 - d * d / (peak + d - start);
    c *= newPeak / peak;
    let g = 1.0 - 1.0 / (0.15 * (peak - newPeak) + 1.0);
    return mix(c, vec3<f32>(newPeak), g);
}
