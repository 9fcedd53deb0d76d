// Thin-film interference over a base of reflectance baseF0: Belcour and Barla
// 2017, "A Practical Extension to Microfacet Theory for the Modeling of Varying
// Iridescence", with the fitted sensitivity of their supplement.
fn filmSensitivity(pathDifference: f32, shift: vec3<f32>) -> vec3<f32> {
    let tau = 6.283185307179586;
    let phase = tau * pathDifference * 1.0e-9;
    let weight = vec3<f32>(5.4856e-13, 4.4201e-13, 5.2481e-13);
    let place = vec3<f32>(1.6810e+06, 1.7953e+06, 2.2084e+06);
    let spread = vec3<f32>(4.3278e+09, 9.3046e+09, 6.6121e+09);
    var xyz = weight * sqrt(tau * spread) * cos(place * phase + shift) * exp(-(phase * phase) * spread);
    xyz.x += 9.7470e-14 * sqrt(tau * 4.5282e+09) * cos(2.2399e+06 * phase + shift.x) * exp(-4.5282e+09 * phase * phase);
    xyz /= 1.0685e-7;
    let toRec709 = mat3x3<f32>(
        vec3<f32>(3.2404542, -0.9692660, 0.0556434),
        vec3<f32>(-1.5371385, 1.8760108, -0.2040259),
        vec3<f32>(-0.4985314, 0.0415560, 1.0572252));
    return toRec709 * xyz;
}
fn reflectanceBetween(inner: vec3<f32>, outer: f32) -> vec3<f32> {
    let r = (inner - outer) / (inner + outer);
    return r * r;
}
// outside is the index of refraction over the film: air, or a coat.
fn iridescentF0(outside: f32, filmIOR: f32, cosTheta: f32, thickness: f32, baseF0: vec3<f32>) -> vec3<f32> {
    let pi = 3.141592653589793;
    // A film that thins out becomes what is over it.
    let ior = mix(outside, filmIOR, smoothstep(0.0, 0.03, thickness));
    let sin2 = (1.0 - cosTheta * cosTheta) * outside * outside / (ior * ior);
    let cos2 = 1.0 - sin2;
    let cosFilm = sqrt(max(cos2, 0.0));
    let r12 = fresnelSchlick(cosTheta, reflectanceBetween(vec3<f32>(ior), outside), vec3<f32>(1.0)).x;
    let t121 = 1.0 - r12;
    let phi21 = select(pi, 0.0, ior < outside);
    let root = sqrt(clamp(baseF0, vec3<f32>(0.0), vec3<f32>(0.9999)));
    let baseIOR = (1.0 + root) / (1.0 - root);
    let r23 = fresnelSchlick(cosFilm, reflectanceBetween(baseIOR, ior), vec3<f32>(1.0));
    let phi = vec3<f32>(phi21) + select(vec3<f32>(0.0), vec3<f32>(pi), baseIOR < vec3<f32>(ior));
    let pathDifference = 2.0 * ior * thickness * cosFilm;
    let r123 = clamp(r12 * r23, vec3<f32>(1e-5), vec3<f32>(0.9999));
    let rs = t121 * t121 * r23 / (1.0 - r123);
    let c1 = (rs - t121) * sqrt(r123);
    let c2 = c1 * sqrt(r123);
    let sum = r12 + rs + 2.0 * c1 * filmSensitivity(pathDifference, phi) + 2.0 * c2 * filmSensitivity(2.0 * pathDifference, 2.0 * phi);
    return select(max(sum, vec3<f32>(0.0)), vec3<f32>(1.0), cos2 < 0.0);
}
