// Coefficient x of row y, the rows of the six sides one below another.
let size = i32(mesh.size);
let side = i32(input.position.y) / size;
let row = i32(input.position.y) % size;
let coefficient = i32(input.position.x);
var total = vec3<f32>(0.0);
for (var column = 0; column < size; column++) {
    let d = cubeDirection(u32(side), (f32(column) + 0.5) / mesh.size * 2.0 - 1.0, (f32(row) + 0.5) / mesh.size * 2.0 - 1.0);
    var functions = array<f32, 9>(1.0, d.y, d.z, d.x, d.x * d.y, d.y * d.z, 3.0 * d.z * d.z - 1.0, d.x * d.z, d.x * d.x - d.y * d.y);
    let texel = textureLoad(source, vec2<i32>(column, row), side, 0).rgb;
    total += clamp(texel, vec3<f32>(0.0), vec3<f32>(mesh.brightest)) * functions[coefficient] * textureLoad(angles, vec2<i32>(column, row), 0).x;
}
color = vec4<f32>(total, 1.0);
