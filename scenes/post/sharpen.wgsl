let pixel = 1.0 / mesh.screenSize;
let seen = textureSampleLevel(picture, pictureSampler, st, 0.0);
let around = textureSampleLevel(picture, pictureSampler, st - vec2<f32>(0.0, pixel.y), 0.0).rgb
    + textureSampleLevel(picture, pictureSampler, st - vec2<f32>(pixel.x, 0.0), 0.0).rgb
    + textureSampleLevel(picture, pictureSampler, st + vec2<f32>(pixel.x, 0.0), 0.0).rgb
    + textureSampleLevel(picture, pictureSampler, st + vec2<f32>(0.0, pixel.y), 0.0).rgb;
color = vec4<f32>(max(seen.rgb * mesh.amounts.x - mesh.amounts.y * (around - 4.0 * seen.rgb), vec3<f32>(0.0)), seen.a);
