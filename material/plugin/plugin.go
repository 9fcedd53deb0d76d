package plugin

import (
	"darkroom/composer"
	"darkroom/material"
	"darkroom/material/texture"
)

// Plugin is WGSL with its values that is added to a material of another
// family. It is plain data; one plugin may be on many materials.
type Plugin struct {
	Name string
	// Priority orders the plugins of a material, lower first; zero means 500.
	Priority int
	// Disabled leaves the plugin out, when the material is baked next.
	Disabled bool
	// Dynamic asks for Values at every draw; without it they stay as they were
	// when the material was baked.
	Dynamic bool
	// Defines become constants: bool, f32 (float32, float64), i32 (signed
	// integers) or u32 (unsigned integers).
	Defines map[string]any
	// Code is the WGSL by the point where it goes.
	Code map[Point]string
	// Uniforms are read as pluginUbo.NAME in a standard material, whose plugins
	// have a buffer of their own, and as material.NAME in all others.
	Uniforms []Uniform
	// Varyings are written in the vertex stage as out.NAME and read in the
	// fragment stage as input.NAME.
	Varyings []Varying
	Samplers []Sampler
	// Values writes the uniforms. The system values are zero while baking.
	Values func(s material.System, w material.Writer) error
	// Textures are what Samplers name.
	Textures map[string]*texture.Texture
}

// Point is a place in a material's shader.
type Point string

// The points, in the order in which their code runs in each stage. The
// variables are what the templates have there to read and, unless said
// otherwise, to change.
const (
	// VertexMainBegin: positionLocal, normalLocal, tangentLocal; input has the attributes.
	VertexMainBegin Point = "CUSTOM_VERTEX_MAIN_BEGIN"
	// VertexUpdateWorldPos: worldPosition (vec4), finalWorld.
	VertexUpdateWorldPos Point = "CUSTOM_VERTEX_UPDATE_WORLDPOS"
	// VertexMainEnd: out, with out.position in clip space and the varyings.
	VertexMainEnd Point = "CUSTOM_VERTEX_MAIN_END"
	// FragmentDefinitions is at module scope: functions and structs.
	FragmentDefinitions Point = "CUSTOM_FRAGMENT_DEFINITIONS"
	// FragmentMainBegin: normalW (standard) or N (PBR), baseColor, alpha, before any texture.
	FragmentMainBegin Point = "CUSTOM_FRAGMENT_MAIN_BEGIN"
	// FragmentUpdateAlpha: alpha and baseColor with the textures in them, before the alpha test.
	FragmentUpdateAlpha Point = "CUSTOM_FRAGMENT_UPDATE_ALPHA"
	// FragmentUpdateDiffuse: baseColor, and diffuseColor (standard) or metallic
	// and roughness (PBR).
	FragmentUpdateDiffuse Point = "CUSTOM_FRAGMENT_UPDATE_DIFFUSE"
	// FragmentBeforeLights: glossiness, specularColor (standard) or surfaceAlbedo,
	// colorF0, colorF90, roughness (PBR).
	FragmentBeforeLights Point = "CUSTOM_FRAGMENT_BEFORE_LIGHTS"
	// FragmentBeforeFinalColor: diffuseBase, specularBase (standard) or
	// directDiffuse, directSpecular, diffuseAmbient, specularAmbient (PBR).
	FragmentBeforeFinalColor Point = "CUSTOM_FRAGMENT_BEFORE_FINALCOLORCOMPOSITION"
	// FragmentBeforeFragColor: color, a vec4 as it goes to the target.
	FragmentBeforeFragColor Point = "CUSTOM_FRAGMENT_BEFORE_FRAGCOLOR"
)

// Points lists all points.
func Points() []Point {
	return []Point{
		VertexMainBegin, VertexUpdateWorldPos, VertexMainEnd,
		FragmentDefinitions, FragmentMainBegin, FragmentUpdateAlpha, FragmentUpdateDiffuse,
		FragmentBeforeLights, FragmentBeforeFinalColor, FragmentBeforeFragColor,
	}
}

// stage is where the point is; zero for an unknown one.
func (p Point) stage() composer.Stage {
	for i, x := range Points() {
		if x == p && i < 3 {
			return composer.StageVertex
		} else if x == p {
			return composer.StageFragment
		}
	}
	return 0
}

// Visibility is where a uniform or sampler is seen.
type Visibility string

// Visibilities; empty means Fragment.
const (
	Vertex         Visibility = "vertex"
	Fragment       Visibility = "fragment"
	VertexFragment Visibility = "vertex-fragment"
)

// stages are the visibility as the composer has it; zero for an unknown one.
func (v Visibility) stages() composer.Stage {
	switch v {
	case Vertex:
		return composer.StageVertex
	case "", Fragment:
		return composer.StageFragment
	case VertexFragment:
		return composer.StageVertex | composer.StageFragment
	}
	return 0
}

// Uniform is a value that Values writes. Type is any WGSL type that a uniform
// buffer can hold.
type Uniform struct {
	Name, Type string
	Visibility Visibility
}

// Varying is a value that the vertex stage hands to the fragment stage: f32,
// vec2f, vec3f or vec4f, also written vec2, vec2<f32> and so on.
type Varying struct{ Name, Type string }

// Sampler is a two-dimensional texture and its sampler, by their names in WGSL.
type Sampler struct {
	Texture, Sampler string
	// Depth takes a depth texture, which is not filtered.
	Depth bool
	// NonFiltering takes a texture with a nearest sampler.
	NonFiltering bool
	Visibility   Visibility
}
