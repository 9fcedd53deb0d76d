package composer

// VertexFormat is a GPUVertexFormat, e.g. "float32x3".
type VertexFormat string

// Limits are the device limits that a composition must stay within; zero fields mean WebGPU's guaranteed defaults.
type Limits struct {
	VertexAttributes, VertexBuffers, VertexStride int
	Varyings                                      int // inter-stage variables
	ColorAttachments                              int
	SampledTextures, Samplers                     int // per stage
	StorageBuffers, StorageTextures               int // per stage
	UniformBuffers                                int // per stage
	UniformSize                                   int // bytes of one uniform binding
	DualSourceBlending                            bool
}
