package composer

// Stage is a set of shader stages, used for the visibility of a binding.
type Stage uint8

// The shader stages. The values are those of GPUShaderStage.
const (
	StageVertex   Stage = 1
	StageFragment Stage = 2
	StageCompute  Stage = 4
)

// Slot is the name of a place in a template where fragments add code. The
// string is the slot's spelling in WGSL: slot "AI" is written /*AI*/.
type Slot string

// The fragment slots of the built-in templates.
const (
	SlotHelpers        Slot = "HF" // helper functions of the fragment stage
	SlotVariables      Slot = "SV" // shader variables initialised
	SlotAlphaTexture   Slot = "AT" // alpha and texture modifications
	SlotAlphaCutoff    Slot = "AC" // alpha test
	SlotMaterial       Slot = "MF" // material function overrides
	SlotBeforeLighting Slot = "BL" // before the light loop
	SlotAfterDirect    Slot = "AD" // after direct lighting
	SlotAmbient        Slot = "AI" // ambient and image-based light
	SlotNormal         Slot = "NI" // normal injection
	SlotBeforeColor    Slot = "BC" // before the colour is output
	SlotBeforeAlpha    Slot = "BA" // before the alpha is output
	SlotVertexBefore   Slot = "VR" // vertex: before the main body (morph, before skinning)
	SlotVertexWorld    Slot = "VW" // vertex: computes finalWorld (skin, thin instances)
	SlotVertexAfter    Slot = "VB" // vertex: after the world transform (varyings)
)

// Attribute is one vertex attribute.
type Attribute struct {
	Name   string       // WGSL name, e.g. "position"
	Type   string       // WGSL type, e.g. "vec3<f32>"
	Format VertexFormat // GPU format, must be able to feed Type
	Step   StepMode     // zero: per vertex
	// Buffer names a shared, interleaved buffer; empty: a buffer of its own.
	Buffer string
	Offset int // byte offset within an element of the shared buffer
	Stride int // byte stride of the buffer; zero: tight
	// Constant gives a buffer of the attribute's own a stride of 0, so that every
	// element reads its first bytes.
	Constant bool
}

// Varying is one value that the vertex stage hands to the fragment stage.
type Varying struct {
	Name string
	Type string
	// Interpolate is "" (perspective), "flat", or a full WGSL interpolation such as "linear, sample".
	Interpolate string
}

// Field is one member of a uniform buffer or of a struct.
type Field struct {
	Name string
	Type string // any host-shareable WGSL type, or a struct declared in Structs
}

// Struct is a WGSL struct that a fragment declares.
type Struct struct {
	Name   string
	Fields []Field
}

// BindingKind tells what a binding holds.
type BindingKind uint8

// The kinds of binding.
const (
	BindUniform BindingKind = iota + 1
	BindStorage
	BindTexture
	BindSampler
	BindStorageTexture
)

// Group says which bind group a binding belongs to.
type Group uint8

// The bind groups that the composer lays out. Group 0 is the renderer's.
const (
	GroupMesh   Group = iota // @group(1)
	GroupShadow              // @group(2)
)

// Binding is one resource that a shader reads or writes.
type Binding struct {
	Name       string
	Kind       BindingKind
	Group      Group
	Visibility Stage

	// Type is the WGSL type: the struct of a uniform or storage buffer, or
	// e.g. "texture_2d<f32>", "texture_depth_cube", "texture_storage_2d<rgba8unorm, write>".
	// Samplers may leave it empty: it follows from Sampler.
	Type string
	// Sample is the sample type of a texture; empty: what Type implies ("float" for f32).
	Sample SampleType
	// Sampler is the sampler's kind; empty: filtering.
	Sampler SamplerKind
	// Access is that of a storage buffer or storage texture.
	Access Access
	// Format is that of a storage texture.
	Format TextureFormat
}

// Builtin is a builtin input of the vertex stage, e.g. {"vertexIndex", "vertex_index", "u32"}.
type Builtin struct{ Name, Builtin, Type string }

// Output is a named output of the fragment stage. The pass decides which
// location it is written to; an output without a location is dropped.
type Output struct{ Name, Type string }

// Constant is a specialisation constant. WGSL overrides are not available in
// the backend, so it is baked as a const and belongs to the key.
type Constant struct {
	Name string
	Type string // "f32", "i32", "u32" or "bool"
	// Value is a Go bool, int or float64.
	Value any
}

// Fragment is one feature: the declarations and code that it adds to a template.
type Fragment struct {
	ID string
	// Dependencies are ids that must be present and come first.
	Dependencies []string
	// Requires are fragments pulled in once, just ahead of the first that needs them.
	Requires []*Fragment

	Attributes     []Attribute
	Varyings       []Varying
	VertexBindings []Binding
	VertexBuiltins []Builtin
	VertexHelpers  string
	// FragmentBuiltins are builtin inputs of the fragment stage beside the
	// position, e.g. {"frontFacing", "front_facing", "bool"}, read as input.NAME.
	FragmentBuiltins []Builtin

	MeshFields      []Field // appended to the mesh UBO (group 1, binding 0)
	Fields          []Field // material UBO (binding 1) where the template has one, else the mesh UBO
	InstanceFields  []Field // per-instance values, read as instance.NAME
	Bindings        []Binding
	FragmentHelpers string
	Structs         []Struct
	Outputs         []Output
	// Textures generate sampleX(uv) and sampleXDirect(uv) helpers and their bindings.
	Textures  []string
	Constants []Constant

	// Slots is the code per slot, of either stage.
	Slots map[Slot]string
}

// Template is a shader with slots.
type Template struct {
	ID       string
	Vertex   string // WGSL with markers
	Fragment string // WGSL with markers; empty: no fragment stage (depth only)

	Attributes     []Attribute
	Varyings       []Varying
	MeshFields     []Field
	MaterialFields []Field // a non-nil slice gives the material its own UBO at binding 1
	VertexBindings []Binding
	Bindings       []Binding
	Builtins       []Builtin // of the vertex stage
	// FragmentBuiltins are builtin inputs of the fragment stage beside the position.
	FragmentBuiltins []Builtin
	// Outputs are those of the fragment stage. A template without the marker FO
	// returns them by itself, at the locations of their order here.
	Outputs   []Output
	Structs   []Struct
	Constants []Constant
	// SceneUniforms is the WGSL put at the marker SU: group 0, the renderer's.
	SceneUniforms string
	// VertexEntry and FragmentEntry are the entry points; empty: "vs" and "fs".
	VertexEntry, FragmentEntry string
	// OwnEntries says that the entry points are in the fragments' code and take
	// VertexInput by themselves; the template may then lack the marker VP, and
	// builtin inputs are members of VertexInput.
	OwnEntries bool
	// MeshVar and MaterialVar are the variables of the uniform buffers; empty:
	// "mesh" and "material". Their structs are named after them: MeshUniforms for
	// "mesh", ShaderUniforms for "shader" and "shaderUniforms".
	MeshVar, MaterialVar string
	// KeepOrder keeps fragments in list order instead of sorting them.
	KeepOrder bool
	// Lacking is what to do about code for slots that the template does not
	// have, for the error.
	Lacking map[Slot]string
}

// Options are what the pass asks of a composition.
type Options struct {
	// OutputLocations gives each named output its location; nil: outputs in declaration order.
	OutputLocations map[string]int
	// Rounding has the shader round its outputs, by location. A missing entry
	// leaves an output as it is, and so does a template that returns its outputs
	// by itself.
	Rounding []Rounding
	Limits   Limits
	// VertexOnly leaves the fragment stage out, for a depth pass. Layouts stay
	// those of the whole shader, so the passes share their bind groups.
	VertexOnly bool
}

// Rounding of an output is for targets whose device does not round to nearest.
type Rounding struct {
	// Steps between 0 and 1: 255 for 8 bits; 0: no rounding.
	Steps int
	// OpaqueOnly rounds only where alpha is 1, for outputs that are laid over
	// what is there: elsewhere it is the sum that counts.
	OpaqueOnly bool
}

// UBO is the layout of a uniform buffer.
type UBO struct {
	Size   int // bytes, a multiple of 16
	Fields []UBOField

	root *wgslType // the resolved struct, for writers
}

// UBOField is a field with its place in the buffer.
type UBOField struct {
	Field
	Offset, Size int
}

// BindGroupEntry is one entry of a bind group layout.
type BindGroupEntry struct {
	Binding int
	Decl    Binding
	// Dimension and Multisampled describe a texture.
	Dimension    ViewDimension
	Multisampled bool
	// MinSize is the size of a uniform buffer's struct in bytes, where known.
	MinSize int
}

// VertexBuffer is the layout of one vertex buffer.
type VertexBuffer struct {
	// Name is the buffer group, or the attribute's name where it has a buffer of its own.
	Name       string
	Stride     int
	Step       StepMode
	Attributes []VertexBufferAttribute
}

// VertexBufferAttribute is an attribute with its shader location.
type VertexBufferAttribute struct {
	Attribute
	Location int
}

// Shader is the result of a composition: WGSL, layouts, key and source map.
type Shader struct {
	VertexWGSL, FragmentWGSL   string
	VertexEntry, FragmentEntry string

	Mesh   []BindGroupEntry // group 1
	Shadow []BindGroupEntry // group 2; empty: there is none

	MeshUBO     UBO // group 1 binding 0
	MaterialUBO UBO // group 1 binding 1; Size 0: there is none
	InstanceUBO UBO // layout of one instance's fields; Size 0: none

	Buffers []VertexBuffer
	// Outputs are the fragment outputs that are written, by location; a gap has an empty name.
	Outputs []Output
	// OwnOutputs says that the template returns what it writes by itself, and
	// declares none of it: Outputs is empty and says nothing.
	OwnOutputs bool
	// Fragments are the ids in composed order.
	Fragments []string
	// Key identifies WGSL and layouts: equal keys mean equal bytes.
	Key Key

	VertexMap, FragmentMap SourceMap
}

// Key is a BLAKE3 hash of everything a pipeline depends on.
type Key [32]byte
