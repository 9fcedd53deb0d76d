package composer

// The enums are spelled as in the WebGPU specification, so that a layout
// prints, hashes and exports without a table. The zero value is "undefined":
// each use says what it stands for.

// StepMode says whether a vertex buffer advances per vertex or per instance.
type StepMode string

// Step modes; empty means StepVertex.
const (
	StepVertex   StepMode = "vertex"
	StepInstance StepMode = "instance"
)

// SampleType is how a texture is sampled.
type SampleType string

// Sample types.
const (
	SampleFloat             SampleType = "float"
	SampleUnfilterableFloat SampleType = "unfilterable-float"
	SampleDepth             SampleType = "depth"
	SampleSint              SampleType = "sint"
	SampleUint              SampleType = "uint"
)

// SamplerKind is the kind of a sampler binding.
type SamplerKind string

// Sampler kinds; empty means SamplerFiltering.
const (
	SamplerFiltering    SamplerKind = "filtering"
	SamplerNonFiltering SamplerKind = "non-filtering"
	SamplerComparison   SamplerKind = "comparison"
)

// Access is the access to a storage buffer or storage texture.
type Access string

// Accesses, spelled as in WGSL.
const (
	AccessRead      Access = "read"
	AccessWrite     Access = "write"
	AccessReadWrite Access = "read_write"
)

// ViewDimension is the dimension of a texture view.
type ViewDimension string

// View dimensions.
const (
	View1D        ViewDimension = "1d"
	View2D        ViewDimension = "2d"
	View2DArray   ViewDimension = "2d-array"
	ViewCube      ViewDimension = "cube"
	ViewCubeArray ViewDimension = "cube-array"
	View3D        ViewDimension = "3d"
)

// TextureFormat is a GPUTextureFormat.
type TextureFormat string

// Texture formats.
const (
	R8Unorm              TextureFormat = "r8unorm"
	R8Snorm              TextureFormat = "r8snorm"
	R8Uint               TextureFormat = "r8uint"
	R8Sint               TextureFormat = "r8sint"
	R16Uint              TextureFormat = "r16uint"
	R16Sint              TextureFormat = "r16sint"
	R16Float             TextureFormat = "r16float"
	RG8Unorm             TextureFormat = "rg8unorm"
	RG8Snorm             TextureFormat = "rg8snorm"
	RG8Uint              TextureFormat = "rg8uint"
	RG8Sint              TextureFormat = "rg8sint"
	R32Uint              TextureFormat = "r32uint"
	R32Sint              TextureFormat = "r32sint"
	R32Float             TextureFormat = "r32float"
	RG16Uint             TextureFormat = "rg16uint"
	RG16Sint             TextureFormat = "rg16sint"
	RG16Float            TextureFormat = "rg16float"
	RGBA8Unorm           TextureFormat = "rgba8unorm"
	RGBA8UnormSRGB       TextureFormat = "rgba8unorm-srgb"
	RGBA8Snorm           TextureFormat = "rgba8snorm"
	RGBA8Uint            TextureFormat = "rgba8uint"
	RGBA8Sint            TextureFormat = "rgba8sint"
	BGRA8Unorm           TextureFormat = "bgra8unorm"
	BGRA8UnormSRGB       TextureFormat = "bgra8unorm-srgb"
	RGB9E5UFloat         TextureFormat = "rgb9e5ufloat"
	RGB10A2Uint          TextureFormat = "rgb10a2uint"
	RGB10A2Unorm         TextureFormat = "rgb10a2unorm"
	RG11B10UFloat        TextureFormat = "rg11b10ufloat"
	RG32Uint             TextureFormat = "rg32uint"
	RG32Sint             TextureFormat = "rg32sint"
	RG32Float            TextureFormat = "rg32float"
	RGBA16Uint           TextureFormat = "rgba16uint"
	RGBA16Sint           TextureFormat = "rgba16sint"
	RGBA16Float          TextureFormat = "rgba16float"
	RGBA32Uint           TextureFormat = "rgba32uint"
	RGBA32Sint           TextureFormat = "rgba32sint"
	RGBA32Float          TextureFormat = "rgba32float"
	Stencil8             TextureFormat = "stencil8"
	Depth16Unorm         TextureFormat = "depth16unorm"
	Depth24Plus          TextureFormat = "depth24plus"
	Depth24PlusStencil8  TextureFormat = "depth24plus-stencil8"
	Depth32Float         TextureFormat = "depth32float"
	Depth32FloatStencil8 TextureFormat = "depth32float-stencil8"
	BC1RGBAUnorm         TextureFormat = "bc1-rgba-unorm"
	BC1RGBAUnormSRGB     TextureFormat = "bc1-rgba-unorm-srgb"
	BC3RGBAUnorm         TextureFormat = "bc3-rgba-unorm"
	BC3RGBAUnormSRGB     TextureFormat = "bc3-rgba-unorm-srgb"
	BC7RGBAUnorm         TextureFormat = "bc7-rgba-unorm"
	BC7RGBAUnormSRGB     TextureFormat = "bc7-rgba-unorm-srgb"
)

// CompareFunction is a depth, stencil or sampler comparison.
type CompareFunction string

// Compare functions.
const (
	CompareNever        CompareFunction = "never"
	CompareLess         CompareFunction = "less"
	CompareEqual        CompareFunction = "equal"
	CompareLessEqual    CompareFunction = "less-equal"
	CompareGreater      CompareFunction = "greater"
	CompareNotEqual     CompareFunction = "not-equal"
	CompareGreaterEqual CompareFunction = "greater-equal"
	CompareAlways       CompareFunction = "always"
)

// Topology is a primitive topology.
type Topology string

// Topologies; empty means TriangleList.
const (
	PointList     Topology = "point-list"
	LineList      Topology = "line-list"
	LineStrip     Topology = "line-strip"
	TriangleList  Topology = "triangle-list"
	TriangleStrip Topology = "triangle-strip"
)

// CullMode says which faces are culled.
type CullMode string

// Cull modes; empty means CullNone.
const (
	CullNone  CullMode = "none"
	CullFront CullMode = "front"
	CullBack  CullMode = "back"
)

// FrontFace says which winding is the front.
type FrontFace string

// Windings; empty means FrontCCW.
const (
	FrontCCW FrontFace = "ccw"
	FrontCW  FrontFace = "cw"
)

// BlendOperation combines the two terms of a blend.
type BlendOperation string

// Blend operations; empty means BlendAdd. Min and max ignore the factors.
const (
	BlendAdd             BlendOperation = "add"
	BlendSubtract        BlendOperation = "subtract"
	BlendReverseSubtract BlendOperation = "reverse-subtract"
	BlendMin             BlendOperation = "min"
	BlendMax             BlendOperation = "max"
)

// BlendFactor scales one term of a blend.
type BlendFactor string

// Blend factors. The src1 family needs the feature dual-source-blending.
const (
	FactorZero              BlendFactor = "zero"
	FactorOne               BlendFactor = "one"
	FactorSrc               BlendFactor = "src"
	FactorOneMinusSrc       BlendFactor = "one-minus-src"
	FactorSrcAlpha          BlendFactor = "src-alpha"
	FactorOneMinusSrcAlpha  BlendFactor = "one-minus-src-alpha"
	FactorDst               BlendFactor = "dst"
	FactorOneMinusDst       BlendFactor = "one-minus-dst"
	FactorDstAlpha          BlendFactor = "dst-alpha"
	FactorOneMinusDstAlpha  BlendFactor = "one-minus-dst-alpha"
	FactorSrcAlphaSaturated BlendFactor = "src-alpha-saturated"
	FactorConstant          BlendFactor = "constant"
	FactorOneMinusConstant  BlendFactor = "one-minus-constant"
	FactorSrc1              BlendFactor = "src1"
	FactorOneMinusSrc1      BlendFactor = "one-minus-src1"
	FactorSrc1Alpha         BlendFactor = "src1-alpha"
	FactorOneMinusSrc1Alpha BlendFactor = "one-minus-src1-alpha"
)

// StencilOperation is what a stencil test does.
type StencilOperation string

// Stencil operations; empty means StencilKeep.
const (
	StencilKeep           StencilOperation = "keep"
	StencilZero           StencilOperation = "zero"
	StencilReplace        StencilOperation = "replace"
	StencilInvert         StencilOperation = "invert"
	StencilIncrementClamp StencilOperation = "increment-clamp"
	StencilDecrementClamp StencilOperation = "decrement-clamp"
	StencilIncrementWrap  StencilOperation = "increment-wrap"
	StencilDecrementWrap  StencilOperation = "decrement-wrap"
)

// AddressMode is how a sampler treats coordinates outside 0…1.
type AddressMode string

// Address modes; empty means AddressRepeat, as in the reference engine.
const (
	AddressRepeat AddressMode = "repeat"
	AddressClamp  AddressMode = "clamp-to-edge"
	AddressMirror AddressMode = "mirror-repeat"
)

// FilterMode is a sampler's filter.
type FilterMode string

// Filter modes; empty means FilterLinear.
const (
	FilterNearest FilterMode = "nearest"
	FilterLinear  FilterMode = "linear"
)
