let side = floor(input.position.x / mesh.size);
let n = cubeDirection(u32(side), (input.position.x / mesh.size - side) * 2.0 - 1.0, input.position.y / mesh.size * 2.0 - 1.0);
let up = select(vec3<f32>(1.0, 0.0, 0.0), vec3<f32>(0.0, 0.0, 1.0), abs(n.z) < 0.999);
let tx = normalize(cross(up, n));
let ty = cross(n, tx);
var total = vec3<f32>(0.0);
for (var i = 0; i < i32(mesh.count); i++) {
    let lobe = textureLoad(lobes, vec2<i32>(i, 0), 0);
    total += textureSampleLevel(source, sourceSampler, tx * lobe.x + ty * lobe.y + n * lobe.z, lobe.w).rgb * lobe.z;
}
color = vec4<f32>(total * mesh.share, 1.0);
