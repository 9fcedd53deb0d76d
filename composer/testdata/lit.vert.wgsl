/*SU*/
/*MU*/
/*VD*/
/*VI*/
/*VO*/
/*VH*/
@vertex
fn vs(/*VP*/) -> VertexOutput {
  var output: VertexOutput;
  /*IN*/
  var localPosition = input.position;
  /*VR*/
  var finalWorld = mesh.world;
  /*VW*/
  let worldPosition = finalWorld * vec4<f32>(localPosition, 1.0);
  output.position = scene.viewProjection * worldPosition;
  output.worldPosition = worldPosition.xyz;
  /*VB*/
  return output;
}
