/*SU*/
/*MU*/
/*FI*/
/*FB*/
/*FO*/
const SQRT2: f32 = 1.41421356;
// Lines of a grid in object space: Babylon.js, GridMaterial.
fn lineVisibility(position: f32) -> f32 {
    let major = material.gridControl.y;
    return select(material.gridControl.z, 1.0, floor(position + 0.5) == floor(position / major + 0.5) * major);
}
fn onLine(position: f32, width: f32) -> f32 {
    let fraction = (position - floor(position + 0.5)) / width;
    let soft = 0.5 + 0.5 * cos(clamp(fraction, -1.0, 1.0) * 3.14159);
    let hard = select(0.0, 1.0, abs(fraction) < SQRT2 / 4.0);
    return select(hard, soft, material.gridFlags.x != 0.0);
}
fn axisLine(position: f32, normal: f32) -> f32 {
    let width = length(vec2<f32>(dpdx(position), dpdy(position))) * SQRT2;
    let thinning = clamp(1.0 / (width + 1.0) - 1.0 / 10.0, 0.0, 1.0);
    let facing = clamp(1.0 - 3.0 * abs(normal * normal * normal), 0.0, 1.0);
    return onLine(position, width) * lineVisibility(position) * thinning * facing;
}
/*HF*/
@fragment
fn fs(input: FragmentInput) /*FR*/ {
    let position = (input.vPositionLocal + material.gridOffset) / material.gridControl.x;
    let normal = normalize(input.vNormalLocal);
    let lines = vec3<f32>(axisLine(position.x, normal.x), axisLine(position.y, normal.y), axisLine(position.z, normal.z));
    let sum = clamp(lines.x + lines.y + lines.z, 0.0, 1.0);
    let most = clamp(max(max(lines.x, lines.y), lines.z), 0.0, 1.0);
    let grid = select(sum, most, material.gridFlags.y != 0.0);
    var color = vec4<f32>(mix(material.mainColor, material.lineColor, grid), 1.0);
    /*AT*/
    /*BC*/
    /*BA*/
    outputs.color = color;
    /*FW*/
}
