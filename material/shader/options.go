package shader

import (
	"darkroom/composer"
	"darkroom/material"
)

// Options declare a material: its WGSL and everything that the WGSL names.
type Options struct {
	Name string
	// Vertex and Fragment are the WGSL of the two stages, without what the
	// prelude declares.
	Vertex, Fragment string
	// VertexEntry and FragmentEntry are the entry points; empty means mainVertex
	// and mainFragment.
	VertexEntry, FragmentEntry string

	// Attributes are the vertex streams that VertexInput has, in the order of
	// their locations and of the vertex buffers. position is required.
	Attributes []string
	// Formats declare the vertex format of attributes, where it is not the usual
	// one: the WGSL type and the stride follow from it. A name beyond the ten
	// of the reference engine must be listed here.
	Formats map[string]composer.VertexFormat
	// System are the values of the renderer that shaderSystem has.
	System []System
	// Uniforms are the values of the material that shaderUniforms has.
	Uniforms []Uniform
	// Samplers are the textures, NAME and NAMESampler in WGSL.
	Samplers []Sampler
	// Externals are textures whose picture changes with time: video. They are
	// sampled with textureSampleBaseClampToEdge(NAME, NAMESampler, uv).
	Externals []string
	// Buffers are storage buffers that the shader reads.
	Buffers []Buffer
	// Defines become constants: a bool of type bool, a float32 or float64 f32,
	// an int, int8 … int64 i32, an unsigned integer u32.
	Defines map[string]any
	// Outputs, where set, are the fragment stage's outputs by name. The fragment
	// entry point then returns FragmentOutput, which it gets by assigning
	// outputs.NAME and calling fragmentOutputs(). Without them it returns one
	// @location(0) vec4<f32> of its own.
	Outputs []composer.Output

	// NoInstanceColors leaves the colours of thin instances out of VertexInput.
	NoInstanceColors bool
	// InstanceWorld adds getFinalWorld(input), the world matrix with the mesh's
	// instance and skin in it. It needs World among System.
	InstanceWorld bool
	// FinalInput adds getFinalInput(input), which is input with the mesh's morph
	// targets in its position, normal and tangent; VertexInput then has
	// vertexIndex. Meshes with morph targets need it.
	FinalInput bool
	// FinalColor adds getFinalColor(input), the vertex colour times the instance's.
	FinalColor bool

	// AlphaBlending mixes the picture with what is behind it, far to near.
	AlphaBlending bool
	// BlendMode is how; empty means Alpha.
	BlendMode BlendMode
	// Blend replaces BlendMode and turns AlphaBlending on, unless Opaque is set.
	Blend *composer.Blend
	// BlendConstant is the colour of Blend's factors constant and one-minus-constant.
	BlendConstant [4]float64
	// Opaque keeps a material with Blend among the opaque draws.
	Opaque bool
	// AlphaTesting says that the fragment stage discards, so that passes which
	// store nothing but depth must run it.
	AlphaTesting bool
	// TwoSided draws back faces too.
	TwoSided bool
	// DepthWrite; nil means that what blends does not and everything else does.
	// AlphaBlending without Blend never writes.
	DepthWrite *bool
	// DepthCompare is by distance, as in material.State: "less-equal", also when
	// empty, passes what is nearer or equal.
	DepthCompare composer.CompareFunction
	// DepthBias moves the depth towards the far plane, in the format's units, and
	// DepthBiasSlope by the slope.
	DepthBias      int32
	DepthBiasSlope float32
	// Topology is a point, line or triangle list; empty means the mesh's own.
	Topology composer.Topology
	Stencil  *material.Stencil
	// Write masks the colour channels; zero means all.
	Write composer.WriteMask
}

// System is a value that the renderer gives, a member of shaderSystem.
type System string

// The system uniforms. Under a floating origin they are relative to the eye,
// and CameraPosition is zero.
const (
	World               System = "world"               // mat4x4<f32>: of the mesh, without its instances
	View                System = "view"                // mat4x4<f32>
	Projection          System = "projection"          // mat4x4<f32>
	ViewProjection      System = "viewProjection"      // mat4x4<f32>: projection * view
	WorldView           System = "worldView"           // mat4x4<f32>: view * world
	WorldViewProjection System = "worldViewProjection" // mat4x4<f32>
	CameraPosition      System = "cameraPosition"      // vec3<f32>
	ScreenSize          System = "screenSize"          // vec2<f32>: pixels of the target
	AlphaCutoff         System = "alphaCutoff"         // f32: as set, 0.4 before
)

// wgsl is the value's type; empty for an unknown one.
func (s System) wgsl() string {
	switch s {
	case World, View, Projection, ViewProjection, WorldView, WorldViewProjection:
		return "mat4x4<f32>"
	case CameraPosition:
		return "vec3<f32>"
	case ScreenSize:
		return "vec2<f32>"
	case AlphaCutoff:
		return "f32"
	}
	return ""
}

// Uniform is a value of the material's own.
type Uniform struct {
	Name string
	// Type is f32, i32, u32, vec2<f32>, vec3<f32>, vec4<f32> or mat4x4<f32>.
	Type string
	// Default is the value before any is set; nil means zeros.
	Default any
}

// Sampler is a two-dimensional texture with its sampler.
type Sampler struct {
	Name string
	// Sample is float, unfilterable-float or depth; empty means float. All but
	// float take textures with a nearest sampler.
	Sample composer.SampleType
}

// Buffer is a storage buffer that the shader reads.
type Buffer struct {
	Name string
	// Type is the WGSL type, such as array<vec4<f32>>, or a struct that both
	// stages declare.
	Type string
}

// BlendMode is a way of mixing with what is behind.
type BlendMode string

// The blend modes. Additive adds the colour times its alpha.
const (
	Alpha    BlendMode = "alpha"
	Additive BlendMode = "additive"
)

// state is the blend of a mode.
func (b BlendMode) state() composer.Blend {
	s := composer.BlendAlphaState()
	if b == Additive {
		s.Color.Dst, s.Alpha.Dst = composer.FactorOne, composer.FactorOne
	}
	return s
}

// usual is the vertex format that meshes have an attribute in; empty where
// there is none.
func usual(attribute string) composer.VertexFormat {
	switch attribute {
	case "position", "normal":
		return composer.Float32x3
	case "uv", "uv2":
		return composer.Float32x2
	case "tangent", "color", "weights", "weights1":
		return composer.Float32x4
	case "joints", "joints1":
		return composer.Uint32x4
	}
	return ""
}

const attributeNames = "position, normal, uv, uv2, tangent, color, joints, weights, joints1 and weights1"

// wgslOf is the type that an attribute of a format has in VertexInput; empty
// for an unknown format.
func wgslOf(f composer.VertexFormat) string {
	for _, s := range []string{"f32", "u32", "i32"} {
		if !f.Feeds(s) {
			continue
		}
		switch f.Components() {
		case 1:
			return s
		case 2:
			return "vec2<" + s + ">"
		case 3:
			return "vec3<" + s + ">"
		case 4:
			return "vec4<" + s + ">"
		}
	}
	return ""
}
