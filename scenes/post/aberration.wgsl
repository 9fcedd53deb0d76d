let centered = uv - mesh.amounts.zw;
var direction = mesh.direction;
if (direction.x == 0.0 && direction.y == 0.0) {
    direction = normalize(centered);
}
// Down the picture is up the screen.
let shift = mesh.amounts.x * pow(length(centered), mesh.amounts.y) * direction / mesh.screenSize * vec2<f32>(0.3, -0.15);
let r = textureSampleLevel(picture, pictureSampler, st - shift, 0.0);
let g = textureSampleLevel(picture, pictureSampler, st, 0.0);
let b = textureSampleLevel(picture, pictureSampler, st + shift, 0.0);
color = vec4<f32>(r.r, g.g, b.b, clamp(r.a + g.a + b.a, 0.0, 1.0));
