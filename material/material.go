// Package material says what a material is: plain data that answers four
// questions (which fragments, which fixed-function state, which uniform
// values, which resources) and never touches a device. The families live in
// the packages below it; the renderer knows only what is declared here.
package material

import (
	"darkroom/composer"
	"darkroom/material/texture"
)

// Material is a material of any family. One value may be used by many meshes
// and passes; what depends on them arrives in the Context.
type Material interface {
	// Label names the material in errors and captures.
	Label() string
	// Shader returns the template and the material's own fragments. The
	// renderer adds the fragments of the mesh's and the pass's features.
	Shader(c *Context) (*composer.Template, []*composer.Fragment, error)
	// State returns the fixed-function state.
	State(c *Context) State
	// Uniforms fills the fields that the material declared.
	Uniforms(c *Context, w Writer) error
	// Resources binds textures and buffers to the bindings that the material declared.
	Resources(c *Context, r Resources) error
}

// Versioned is a Material whose answer to Shader can change while it is in use:
// it then raises its version.
type Versioned interface {
	ShaderVersion() uint64
}

// Checked is a Material that can say, without a device, what a user has left
// undone. It is asked before a frame that draws it reaches the device.
type Checked interface {
	Check() error
}

// Feature is something a mesh or a pass adds to every material drawn with it:
// skinning, morphing, instances, shadows, fog. It answers the same questions.
type Feature interface {
	// Fragments returns the fragments for this context; none if the feature
	// does not apply.
	Fragments(c *Context) []*composer.Fragment
	Uniforms(c *Context, w Writer) error
	Resources(c *Context, r Resources) error
}

// SceneReader is a material that may show what lies behind it by sampling
// Context.SceneColor, and so must not be part of that picture.
type SceneReader interface {
	ReadsScene() bool
}

// Casting is a material that another one stands in for where a pass draws
// shadow casters; a nil Caster means itself.
type Casting interface {
	Caster() Material
}

// Context is what a material is asked to draw, and for which pass.
type Context struct {
	// Streams are the vertex attributes that the mesh has, by name: position,
	// normal, tangent, uv, uv2 … uv6, color, joints, weights, joints1, weights1
	// and the mesh's own.
	Streams map[string]composer.VertexFormat
	// Topology of the mesh; empty: triangle list.
	Topology composer.Topology
	// Mirrored is set where the mesh's world matrix has a negative determinant.
	Mirrored bool
	// ReceiveShadows is set where the mesh wants shadows.
	ReceiveShadows bool
	// MeshVar is the variable of the template's block of the mesh; empty means
	// "mesh". Features learn from it where their fields are: see MeshField.
	MeshVar string

	// Lights counts the lights of the pass; Environment is the image-based
	// light, nil for none; Fog is set where the scene has fog.
	Lights int
	// Ambient is the scene's ambient colour.
	Ambient     [3]float64
	Environment *Environment
	Fog         bool
	// ToneMapping and the like are uniforms; what changes code is here.
	ImageProcessing ImageProcessing

	// DepthOnly passes have no colour target: only depth matters.
	DepthOnly bool
	// Outputs are the named outputs that the pass stores, by location; nil: "color" at 0.
	Outputs map[string]int
	// Linear is set where a later pass does the image processing.
	Linear bool
	// SceneColor is the linear picture of what lies behind, with mips; nil for none.
	SceneColor *texture.Texture

	// System holds values of the draw that materials may want in their own
	// uniforms: world matrix, camera matrices and so on. It is filled before
	// Uniforms is called and zero during Shader and State.
	System System
}

// MeshField is WGSL for a field of the mesh's block.
func (c *Context) MeshField(name string) string {
	if c.MeshVar == "" {
		return "mesh." + name
	}
	return c.MeshVar + "." + name
}

// Has reports whether the mesh has the named vertex stream.
func (c *Context) Has(stream string) bool { _, ok := c.Streams[stream]; return ok }

// System are the values that the renderer knows about a draw. Matrices are
// column-major. Under a floating origin they are relative to the eye.
type System struct {
	World, View, Projection, ViewProjection [16]float64
	Eye                                     [3]float64
	Screen                                  [2]float64 // target size in pixels
	Near, Far                               float64    // of the camera; Far 0 is infinitely far
	Time                                    float64    // seconds
	Frame                                   int
	// Instances is the number of instances that the draw will have.
	Instances int
	// PreviousClip takes a position of this frame's world to where it was in clip
	// space in the frame before. It is filled for shaders with a mesh field previousClip.
	PreviousClip [16]float64
}

// State is the fixed-function state of a draw. The zero value is opaque, writes
// depth, tests it with the pass's compare and culls nothing.
type State struct {
	// Blend, where set, makes the draw transparent: it is drawn after the
	// opaque ones, far to near.
	Blend *composer.Blend
	// BlendConstant is the colour of the factors constant and one-minus-constant.
	BlendConstant [4]float64
	// Transparent sorts the draw with the transparent ones even without Blend,
	// Opaque with the opaque ones in spite of it.
	Transparent, Opaque bool
	Cull                composer.CullMode
	// FrontFace is that of an unmirrored mesh; the renderer flips it for a mirrored one.
	FrontFace composer.FrontFace
	// NoDepthWrite and Compare override the pass's depth state. Compare is in the
	// sense of the pass's depth direction: "less-equal" means nearer or equal.
	NoDepthWrite bool
	Compare      composer.CompareFunction
	Bias         int32
	BiasSlope    float32
	// Stencil, where set, tests and writes the stencil.
	Stencil *Stencil
	// Write masks the colour channels; zero means all.
	Write   composer.WriteMask
	NoWrite bool
	// Topology overrides the mesh's.
	Topology        composer.Topology
	AlphaToCoverage bool
}

// Stencil is the stencil test of a draw.
type Stencil struct {
	Front, Back         composer.StencilFace
	ReadMask, WriteMask uint32
	Reference           uint32
}

// Writer fills uniform fields by name. Setting a field that the composed
// shader lacks does nothing: an unused value is no error.
type Writer interface {
	// Has reports whether the shader has the field.
	Has(field string) bool
	// Set stores a value; a wrong type or length is remembered and reported
	// with the material's name when the writer is done.
	Set(field string, value any)
	// Floats stores float values without allocating.
	Floats(field string, values ...float64)
}

// Resources binds textures, samplers and buffers to bindings by name. Names
// that the composed shader lacks are ignored.
type Resources interface {
	// Texture binds t to the texture binding name and t's sampler to name+"Sampler".
	Texture(name string, t *texture.Texture)
	// View binds a part of t: one mip level, or a layer.
	View(name string, t *texture.Texture, v View)
	// Buffer binds b to a storage or uniform buffer binding.
	Buffer(name string, b *Buffer)
	// BufferBefore binds what b held in the frame before to a storage buffer
	// binding; in the first frame that is what it holds, and so it is for a
	// buffer that the device writes.
	BufferBefore(name string, b *Buffer)
	// VertexBuffer binds b as the vertex buffer (or buffer group) called name.
	VertexBuffer(name string, b *Buffer)
}

// View selects a part of a texture.
type View struct {
	BaseMip, Mips     int // Mips 0: the rest
	BaseLayer, Layers int // Layers 0: the rest
	Dimension         composer.ViewDimension
	DepthOnly         bool // the depth aspect of a depth-stencil texture
}

// Buffer is a buffer's content as bytes. Identity is the pointer; Version is
// raised when Data changes.
type Buffer struct {
	Name string
	Data []byte
	// Zeros, where Data is nil, is the size in bytes of a buffer that holds
	// zeros until the device writes it.
	Zeros   int
	Version uint64
	// DirtyFrom and DirtyTo, where DirtyTo > 0, bound the bytes that changed
	// since the previous version.
	DirtyFrom, DirtyTo int
}

// Environment is image-based light as the shading sees it.
type Environment struct {
	// Specular is a prefiltered cube map with mips, rgba16float.
	Specular *texture.Texture
	// BRDF is the split-sum table; nil means that of package splitsum.
	BRDF *texture.Texture
	// SH are nine pre-scaled irradiance coefficients.
	SH [9][3]float64
	// RotationY in radians, Intensity a factor.
	RotationY, Intensity float64
	// LodScale is the engine's lodGenerationScale.
	LodScale float64
}

// ToneMapping is an operator of the image processing.
type ToneMapping string

// Tone mapping operators.
const (
	ToneMapOff      ToneMapping = ""
	ToneMapStandard ToneMapping = "standard"
	ToneMapACES     ToneMapping = "aces"
	ToneMapNeutral  ToneMapping = "neutral"
)

// ImageProcessing is the last step of the shading: exposure, tone mapping and
// contrast. The zero value means exposure 1, contrast 1, no tone mapping.
type ImageProcessing struct {
	Exposure, Contrast float64 // zero means 1
	ToneMapping        ToneMapping
}

// Compute is a compute shader with its resources.
type Compute interface {
	Label() string
	// Source returns WGSL with the entry point "main" and the bindings of group 0.
	Source() (wgsl string, bindings []composer.Binding)
	Resources(r Resources) error
	// Workgroups is the number of workgroups in x, y and z.
	Workgroups() [3]int
}

// Indirect is a Feature that lets the device decide how often the mesh is drawn.
type Indirect interface {
	Feature
	// Prepare returns the compute shaders that run ahead of the pass, in order,
	// and the buffer in which they leave the arguments of the draw: elements,
	// instances and three zeros, 32 bits each. A nil buffer draws as ever. Elements
	// are the mesh's indices, or vertices where it has none; use counts the
	// draws of the pass that the feature was asked for before. c.System is
	// filled. Resources is asked after it, for the same draw.
	Prepare(c *Context, elements, use int) ([]Compute, *Buffer, error)
}

// StreamProvider is a Feature that brings vertex streams of its own, such as
// instance colours; materials see them in Context.Streams.
type StreamProvider interface {
	Streams() map[string]composer.VertexFormat
}

// LayoutProvider is a StreamProvider whose streams share vertex buffers. Any
// material's attributes of those names are read from there instead of from the
// mesh; their formats must be those that the material declares.
type LayoutProvider interface {
	StreamProvider
	Layouts() map[string]StreamLayout
}

// StreamLayout says where a stream lies in a vertex buffer.
type StreamLayout struct {
	Buffer         string // the name under which Resources binds it
	Offset, Stride int    // bytes
	First          int    // element of the buffer that is the mesh's first vertex
}
