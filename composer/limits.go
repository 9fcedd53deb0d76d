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
// section "Limits"). The composer counts groups 1 and 2 only: whoever binds
// group 0 takes off what it holds.
func DefaultLimits() Limits { return Limits{}.withDefaults() }

// check refuses limits below zero.
func (l Limits) check() error {
	for _, v := range []struct {
		name string
		n    int
	}{
		{"VertexAttributes", l.VertexAttributes}, {"VertexBuffers", l.VertexBuffers}, {"VertexStride", l.VertexStride},
		{"Varyings", l.Varyings}, {"VaryingComponents", l.VaryingComponents},
		{"ColorAttachments", l.ColorAttachments}, {"ColorBytesPerSample", l.ColorBytesPerSample},
		{"SampledTextures", l.SampledTextures}, {"Samplers", l.Samplers},
		{"StorageBuffers", l.StorageBuffers}, {"StorageTextures", l.StorageTextures},
		{"UniformBuffers", l.UniformBuffers}, {"UniformSize", l.UniformSize},
	} {
		if v.n < 0 {
			return errorf(ErrLimit, "the limit %s is %d; set 0 for WebGPU's default", v.name, v.n)
		}
	}
	return nil
}

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
