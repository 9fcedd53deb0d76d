package composer

// BlendComponent is one half of a blend state.
type BlendComponent struct {
	Operation BlendOperation // empty: add
	Src, Dst  BlendFactor    // empty: one and zero
}

// Blend is the blend state of a color target.
type Blend struct{ Color, Alpha BlendComponent }

// WriteMask is a set of colour channels.
type WriteMask uint8

// The colour channels; the values are those of GPUColorWrite.
const (
	WriteRed   WriteMask = 1
	WriteGreen WriteMask = 2
	WriteBlue  WriteMask = 4
	WriteAlpha WriteMask = 8
	WriteAll   WriteMask = 15
)

// ColorTarget is one colour attachment of a pipeline. An empty Format is a
// null entry: the pass has the attachment, the pipeline does not write it.
type ColorTarget struct {
	Format TextureFormat
	Blend  *Blend
	Write  WriteMask // zero means WriteAll; use NoWrite for none
	// NoWrite masks every channel.
	NoWrite bool
}

// StencilFace is the stencil test of one face.
type StencilFace struct {
	Compare               CompareFunction // empty: always
	Fail, DepthFail, Pass StencilOperation
}

// DepthStencil is the depth and stencil state of a pipeline.
type DepthStencil struct {
	Format              TextureFormat
	Compare             CompareFunction // empty: always
	Write               bool
	Front, Back         StencilFace
	ReadMask, WriteMask uint32
	Bias                int32
	BiasSlope           float32
	BiasClamp           float32
}
