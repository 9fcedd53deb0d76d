/*SU*/
/*MU*/
/*VI*/
/*VO*/
/*VD*/
/*VH*/
// The inverse transpose of m up to a positive factor: cofactors, signed by the determinant.
fn normalMatrix(m: mat3x3<f32>) -> mat3x3<f32> {
    let c0 = cross(m[1], m[2]);
    let c1 = cross(m[2], m[0]);
    let c2 = cross(m[0], m[1]);
    let s = select(-1.0, 1.0, dot(m[0], c0) >= 0.0);
    return mat3x3<f32>(c0 * s, c1 * s, c2 * s);
}
@vertex
fn vs(/*VP*/) -> VertexOutput {
    var out: VertexOutput;
    var positionLocal = input.position;
    var normalLocal = vec3<f32>(0.0, 1.0, 0.0);
    var tangentLocal = vec4<f32>(1.0, 0.0, 0.0, 1.0);
    /*VS*/
    /*CUSTOM_VERTEX_MAIN_BEGIN*/
    /*VR*/
    var finalWorld = mesh.world;
    // Where instances and joints had the vertex in the frame before, with the mesh where it is.
    var previousWorld = finalWorld;
    /*VW*/
    // Normals go with the inverse transpose of where the mesh and its instance are.
    var normalWorld3 = normalMatrix(mat3x3<f32>(finalWorld[0].xyz, finalWorld[1].xyz, finalWorld[2].xyz));
    /*PO*/
    var worldPosition = finalWorld * vec4<f32>(positionLocal, 1.0);
    /*CUSTOM_VERTEX_UPDATE_WORLDPOS*/
    let finalWorld3 = mat3x3<f32>(finalWorld[0].xyz, finalWorld[1].xyz, finalWorld[2].xyz);
    out.vPositionW = worldPosition.xyz;
    out.position = scene.viewProjection * worldPosition;
    /*VB*/
    /*CUSTOM_VERTEX_MAIN_END*/
    return out;
}
