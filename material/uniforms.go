package material

import (
	_ "embed"

	"darkroom/composer"
)

// SceneWGSL declares group 0: the scene's uniforms and its lights. Templates put
// it at the marker SU.
//
//go:embed scene.wgsl
var SceneWGSL string

// ImageProcessingWGSL declares imageProcessing, which takes a linear colour to
// display space with the settings in the scene's uniforms.
//
//go:embed imageprocessing.wgsl
var ImageProcessingWGSL string

// MaxLights is the number of lights that a pass can have.
const MaxLights = 16

// SceneFields are the members of SceneUniforms in scene.wgsl, in order.
func SceneFields() []composer.Field {
	return []composer.Field{
		{Name: "viewProjection", Type: "mat4x4<f32>"}, {Name: "view", Type: "mat4x4<f32>"}, {Name: "projection", Type: "mat4x4<f32>"},
		{Name: "vEyePosition", Type: "vec4<f32>"}, {Name: "vFogInfos", Type: "vec4<f32>"}, {Name: "vFogColor", Type: "vec4<f32>"},
		{Name: "ambientColor", Type: "vec4<f32>"}, {Name: "screen", Type: "vec4<f32>"}, {Name: "time", Type: "vec4<f32>"},
		{Name: "environmentRotation", Type: "mat4x4<f32>"}, {Name: "environmentInfos", Type: "vec4<f32>"},
		{Name: "sphericalHarmonics", Type: "array<vec4<f32>, 9>"},
		{Name: "exposureLinear", Type: "f32"}, {Name: "contrast", Type: "f32"}, {Name: "toneMapping", Type: "f32"}, {Name: "lightingScale", Type: "f32"},
	}
}
