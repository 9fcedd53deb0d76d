// The row of a clip (first, last, ignored, frames a second) that is seen at a time in seconds.
fn bakedRow(clip: vec4<f32>, offset: f32, time: f32) -> u32 {
    let span = max(1.0, clip.y - clip.x + 1.0);
    let frame = offset + time * clip.w;
    return u32(min(clip.y, clip.x + frame - floor(frame / span) * span));
}
fn bakedJoint(joint: u32, row: u32) -> mat4x4<f32> {
    let x = joint * 4u;
    return mat4x4<f32>(
        textureLoad(bakedJoints, vec2<u32>(x, row), 0),
        textureLoad(bakedJoints, vec2<u32>(x + 1u, row), 0),
        textureLoad(bakedJoints, vec2<u32>(x + 2u, row), 0),
        textureLoad(bakedJoints, vec2<u32>(x + 3u, row), 0));
}
