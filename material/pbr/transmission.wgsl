// The picture behind, where the ray from position along offset leaves the
// body. Its mips serve lobes of width alphaG; the coarsest four are left, as
// the reference engine's lodGenerationOffset does.
fn colorBehind(position: vec3<f32>, offset: vec3<f32>, alphaG: f32) -> vec3<f32> {
    let exit = scene.viewProjection * vec4<f32>(position + offset, 1.0);
    let place = exit.xy / exit.w * vec2<f32>(0.5, -0.5) + vec2<f32>(0.5);
    let top = f32(textureNumLevels(sceneColor) - 1u);
    let lod = log2(max(f32(textureDimensions(sceneColor).x) * alphaG, 0.0000001)) - 4.0;
    return textureSampleLevel(sceneColor, sceneColorSampler, place, clamp(lod, 0.0, top)).rgb;
}
