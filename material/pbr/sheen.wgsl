fn distributionCharlie(NdotH: f32, alphaG: f32) -> f32 {
    let inverse = 1.0 / alphaG;
    let sine2 = max(1.0 - NdotH * NdotH, 0.0000001);
    return (2.0 + inverse) * pow(sine2, inverse * 0.5) / (2.0 * PI);
}
fn visibilityAshikhmin(NdotL: f32, NdotV: f32) -> f32 {
    return 1.0 / (4.0 * (NdotL + NdotV - NdotL * NdotV));
}
