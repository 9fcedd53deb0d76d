// Group 0: what every draw of a pass shares. The Go side of the layout is in uniforms.go.
struct SceneUniforms {
    viewProjection: mat4x4<f32>,
    view: mat4x4<f32>,
    projection: mat4x4<f32>,
    vEyePosition: vec4<f32>, // w: 1
    vFogInfos: vec4<f32>, // mode, start, end, density
    vFogColor: vec4<f32>,
    ambientColor: vec4<f32>,
    screen: vec4<f32>, // width, height, 1 / width, 1 / height
    time: vec4<f32>, // seconds, frame, seconds of the frame before, 0
    environmentRotation: mat4x4<f32>,
    environmentInfos: vec4<f32>, // intensity, lod scale, cube size, 0
    sphericalHarmonics: array<vec4<f32>, 9>,
    exposureLinear: f32,
    contrast: f32,
    toneMapping: f32, // 0 off, 1 standard, 2 ACES, 3 Khronos neutral
    lightingScale: f32,
};
struct Light {
    position: vec4<f32>, // position or direction; w: kind (0 point, 1 directional, 2 spot, 3 hemispheric)
    direction: vec4<f32>, // spot direction; w: cosine of the half angle
    diffuse: vec4<f32>, // colour times intensity; w: range
    specular: vec4<f32>, // colour times intensity; w: radius
    ground: vec4<f32>, // hemispheric ground colour times intensity; w: spot exponent
    falloff: vec4<f32>, // 1 / range squared, spot angle scale, spot angle offset, falloff kind
};
struct LightsUniforms {
    count: u32,
    lights: array<Light, 16>,
};
@group(0) @binding(0) var<uniform> scene: SceneUniforms;
@group(0) @binding(1) var<uniform> lights: LightsUniforms;
