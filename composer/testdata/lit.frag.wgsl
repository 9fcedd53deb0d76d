/*SU*/
/*MU*/
/*FB*/
/*FI*/
/*FO*/
/*HF*/
@fragment
fn fs(input: FragmentInput)/*FR*/ {
  /*IN*/
  var baseColor = material.baseColor;
  /*SV*/
  /*AT*/
  /*AC*/
  /*NI*/
  /*MF*/
  /*BL*/
  var color = baseColor.rgb;
  /*AD*/
  /*AI*/
  /*BC*/
  var alpha = baseColor.a;
  /*BA*/
  outputs.color = vec4<f32>(color, alpha);
  /*FW*/
}
