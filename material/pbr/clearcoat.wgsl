fn coatFresnel(cosine: f32, f0: f32) -> f32 {
    return f0 + (1.0 - f0) * pow(1.0 - clamp(cosine, 0.0, 1.0), 5.0);
}
// Reflectance of the base against the coat instead of air, from its index of
// refraction against air.
fn reflectanceUnderCoat(f0: vec3<f32>, coatF0: f32) -> vec3<f32> {
    let root = sqrt(clamp(f0, vec3<f32>(0.0), vec3<f32>(1.0)));
    let coat = sqrt(coatF0);
    // (1 - n) + (1 + n) root over (1 + n) + (1 - n) root, both divided by 1 + n.
    let r = (root - coat) / (1.0 - coat * root);
    return clamp(r * r, vec3<f32>(0.0), vec3<f32>(1.0));
}
// Cosine inside the coat by Snell's law.
fn coatCosRefracted(cosine: f32, coatF0: f32) -> f32 {
    let root = sqrt(coatF0);
    let eta = (1.0 - root) / (1.0 + root);
    return sqrt(max(1.0 - eta * eta * (1.0 - cosine * cosine), 0.0000001));
}
// Beer's law down and up through the coat; tint.rgb is the absorption, w the thickness.
fn coatAbsorption(tint: vec4<f32>, down: f32, up: f32, amount: f32) -> vec3<f32> {
    return mix(vec3<f32>(1.0), exp(-tint.rgb * tint.w * (down + up) / (down * up)), amount);
}
