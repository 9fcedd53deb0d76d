/*SU*/
/*MU*/
/*FI*/
/*FB*/
/*FO*/
/*HF*/
@fragment
fn fs(input: FragmentInput) /*FR*/ {
    // material.caster: far end of the depth, bias, exponent, and 1 for the depth itself.
    let z = (scene.viewProjection * vec4<f32>(input.vPositionW, 1.0)).z / material.caster.x + material.caster.y;
    let exponential = clamp(exp(-min(87.0, material.caster.z * z)), 0.0, 1.0);
    outputs.color = vec4<f32>(select(exponential, z, material.caster.w == 1.0), 1.0, 1.0, 1.0);
    /*FW*/
}
