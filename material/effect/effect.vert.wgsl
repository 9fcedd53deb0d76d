/*SU*/
/*MU*/
/*VO*/
/*VD*/
// One triangle that covers the target.
@vertex
fn vs(/*VP*/) -> VertexOutput {
    var out: VertexOutput;
    let corner = vec2<f32>(f32((vertexIndex << 1u) & 2u), f32(vertexIndex & 2u));
    out.uv = corner;
    out.st = vec2<f32>(corner.x, 1.0 - corner.y);
    out.position = vec4<f32>(corner * 2.0 - 1.0, 0.0, 1.0);
    return out;
}
