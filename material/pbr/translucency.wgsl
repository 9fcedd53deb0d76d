// The share of scattered light that gets through a thickness.
fn scatteredThrough(reach: vec3<f32>, thickness: f32) -> vec3<f32> {
    let third = exp(-thickness / (3.0 * reach));
    return 0.25 * (third * third * third + 3.0 * third);
}
// Lambert's cosine for light from behind, wrapped a little round the edge and
// of unit energy; none for light from the front.
fn wrappedFromBehind(NdotL: f32) -> f32 {
    let wrap = 0.02;
    return select(0.0, clamp((wrap - NdotL) / ((1.0 + wrap) * (1.0 + wrap)), 0.0, 1.0), NdotL < 0.0);
}
