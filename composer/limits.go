package composer

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

	// VaryingComponents are the scalars of all varyings together (wgpu 0.19 counts them; 60).
	VaryingComponents int
	// ColorBytesPerSample are the bytes of all color targets of a sample.
	ColorBytesPerSample int
}

// DefaultLimits are the limits that every WebGPU device has (W3C draft,
// section "Limits"), less what the renderer's group 0 takes.
func DefaultLimits() Limits { return Limits{}.withDefaults() }

func (l Limits) withDefaults() Limits {
	def := func(p *int, v int) {
		if *p == 0 {
			*p = v
		}
	}
	def(&l.VertexAttributes, 16)
	def(&l.VertexBuffers, 8)
	def(&l.VertexStride, 2048)
	def(&l.Varyings, 16)
	def(&l.ColorAttachments, 8)
	def(&l.SampledTextures, 16)
	def(&l.Samplers, 16)
	def(&l.StorageBuffers, 8)
	def(&l.StorageTextures, 4)
	def(&l.UniformBuffers, 12)
	def(&l.UniformSize, 64<<10)
	def(&l.VaryingComponents, 60)
	def(&l.ColorBytesPerSample, 32)
	return l
}
