/*SU*/
/*MU*/
/*FI*/
/*FB*/
/*FO*/
/*HF*/
@fragment
fn fs(input: FragmentInput) /*FR*/ {
    let uv = input.uv;
    let st = input.st;
    var color = vec4<f32>(0.0, 0.0, 0.0, 1.0);
    /*EF*/
    outputs.color = color;
    /*FW*/
}
