var sum = vec4<f32>(0.0);
let reach = i32(mesh.box.x);
for (var x = -reach; x <= reach; x++) {
    for (var y = -reach; y <= reach; y++) {
        sum += textureSampleLevel(picture, pictureSampler, st + vec2<f32>(f32(x), f32(y)) * mesh.box.y, 0.0);
    }
}
let side = 2.0 * mesh.box.x + 1.0;
color = sum / (side * side);
