package composer

// texel describes a texture format (W3C draft, "Texture Format Capabilities").
type texel struct {
	bytes      int // of a texel, or of a block of a compressed format
	components int
	// sample is how a shader sees the format; depth and stencil formats have their own flags.
	sample         SampleType
	depth, stencil bool
	compressed     bool
	// target says that the format can be a color attachment, blend that it
	// can be blended, msaa that it can be multisampled.
	target, blend, msaa bool
	// cost and align are the render target pixel byte cost and component alignment.
	cost, align int
	// write and readWrite are the accesses as a storage texture.
	write, readWrite bool
}

func (f TextureFormat) texel() (texel, bool) {
	float := func(t texel) (texel, bool) {
		t.sample, t.target, t.blend, t.msaa = SampleFloat, true, true, true
		return t, true
	}
	integer := func(s SampleType, t texel) (texel, bool) {
		t.sample, t.target, t.msaa = s, true, true
		return t, true
	}
	switch f {
	case R8Unorm:
		return float(texel{bytes: 1, components: 1, cost: 1, align: 1})
	case R8Snorm:
		return texel{bytes: 1, components: 1, sample: SampleFloat}, true
	case R8Uint:
		return integer(SampleUint, texel{bytes: 1, components: 1, cost: 1, align: 1})
	case R8Sint:
		return integer(SampleSint, texel{bytes: 1, components: 1, cost: 1, align: 1})
	case R16Uint:
		return integer(SampleUint, texel{bytes: 2, components: 1, cost: 2, align: 2})
	case R16Sint:
		return integer(SampleSint, texel{bytes: 2, components: 1, cost: 2, align: 2})
	case R16Float:
		return float(texel{bytes: 2, components: 1, cost: 2, align: 2})
	case RG8Unorm:
		return float(texel{bytes: 2, components: 2, cost: 2, align: 1})
	case RG8Snorm:
		return texel{bytes: 2, components: 2, sample: SampleFloat}, true
	case RG8Uint:
		return integer(SampleUint, texel{bytes: 2, components: 2, cost: 2, align: 1})
	case RG8Sint:
		return integer(SampleSint, texel{bytes: 2, components: 2, cost: 2, align: 1})
	case R32Uint:
		return texel{bytes: 4, components: 1, sample: SampleUint, target: true, cost: 4, align: 4, write: true, readWrite: true}, true
	case R32Sint:
		return texel{bytes: 4, components: 1, sample: SampleSint, target: true, cost: 4, align: 4, write: true, readWrite: true}, true
	case R32Float:
		return texel{bytes: 4, components: 1, sample: SampleUnfilterableFloat, target: true, msaa: true, cost: 4, align: 4, write: true, readWrite: true}, true
	case RG16Uint:
		return integer(SampleUint, texel{bytes: 4, components: 2, cost: 4, align: 2})
	case RG16Sint:
		return integer(SampleSint, texel{bytes: 4, components: 2, cost: 4, align: 2})
	case RG16Float:
		return float(texel{bytes: 4, components: 2, cost: 4, align: 2})
	case RGBA8Unorm:
		return float(texel{bytes: 4, components: 4, cost: 8, align: 1, write: true})
	case RGBA8UnormSRGB, BGRA8UnormSRGB:
		return float(texel{bytes: 4, components: 4, cost: 8, align: 1})
	case BGRA8Unorm:
		return float(texel{bytes: 4, components: 4, cost: 8, align: 1, write: true})
	case RGBA8Snorm:
		return texel{bytes: 4, components: 4, sample: SampleFloat, write: true}, true
	case RGBA8Uint:
		return integer(SampleUint, texel{bytes: 4, components: 4, cost: 4, align: 1, write: true})
	case RGBA8Sint:
		return integer(SampleSint, texel{bytes: 4, components: 4, cost: 4, align: 1, write: true})
	case RGB9E5UFloat:
		return texel{bytes: 4, components: 3, sample: SampleFloat}, true
	case RGB10A2Uint:
		return integer(SampleUint, texel{bytes: 4, components: 4, cost: 8, align: 4})
	case RGB10A2Unorm:
		return float(texel{bytes: 4, components: 4, cost: 8, align: 4})
	case RG11B10UFloat:
		// A target only with the feature rg11b10ufloat-renderable, which the device checks.
		return float(texel{bytes: 4, components: 3, cost: 8, align: 4})
	case RG32Uint:
		return texel{bytes: 8, components: 2, sample: SampleUint, target: true, cost: 8, align: 4, write: true}, true
	case RG32Sint:
		return texel{bytes: 8, components: 2, sample: SampleSint, target: true, cost: 8, align: 4, write: true}, true
	case RG32Float:
		return texel{bytes: 8, components: 2, sample: SampleUnfilterableFloat, target: true, cost: 8, align: 4, write: true}, true
	case RGBA16Uint:
		return integer(SampleUint, texel{bytes: 8, components: 4, cost: 8, align: 2, write: true})
	case RGBA16Sint:
		return integer(SampleSint, texel{bytes: 8, components: 4, cost: 8, align: 2, write: true})
	case RGBA16Float:
		return float(texel{bytes: 8, components: 4, cost: 8, align: 2, write: true})
	case RGBA32Uint:
		return texel{bytes: 16, components: 4, sample: SampleUint, target: true, cost: 16, align: 4, write: true}, true
	case RGBA32Sint:
		return texel{bytes: 16, components: 4, sample: SampleSint, target: true, cost: 16, align: 4, write: true}, true
	case RGBA32Float:
		return texel{bytes: 16, components: 4, sample: SampleUnfilterableFloat, target: true, cost: 16, align: 4, write: true}, true
	case Stencil8:
		return texel{bytes: 1, components: 1, stencil: true, msaa: true}, true
	case Depth16Unorm:
		return texel{bytes: 2, components: 1, depth: true, msaa: true}, true
	case Depth24Plus, Depth32Float:
		return texel{bytes: 4, components: 1, depth: true, msaa: true}, true
	case Depth24PlusStencil8:
		return texel{bytes: 4, components: 2, depth: true, stencil: true, msaa: true}, true
	case Depth32FloatStencil8:
		return texel{bytes: 8, components: 2, depth: true, stencil: true, msaa: true}, true
	case BC1RGBAUnorm, BC1RGBAUnormSRGB:
		return texel{bytes: 8, components: 4, sample: SampleFloat, compressed: true}, true
	case BC3RGBAUnorm, BC3RGBAUnormSRGB, BC7RGBAUnorm, BC7RGBAUnormSRGB:
		return texel{bytes: 16, components: 4, sample: SampleFloat, compressed: true}, true
	}
	return texel{}, false
}

// BytesPerTexel is the bytes of one texel; 0 for a compressed or unknown
// format. Depth24Plus and the combined depth and stencil formats have no
// defined size in memory: theirs is the usual one, for accounting.
func (f TextureFormat) BytesPerTexel() int {
	t, _ := f.texel()
	if t.compressed {
		return 0
	}
	return t.bytes
}

// Block is the width, height and bytes of a block of a compressed format, and
// of a texel of any other; zeros for an unknown format.
func (f TextureFormat) Block() (w, h, bytes int) {
	t, ok := f.texel()
	switch {
	case !ok:
		return 0, 0, 0
	case t.compressed:
		return 4, 4, t.bytes
	}
	return 1, 1, t.bytes
}

// IsDepth reports a format with a depth aspect.
func (f TextureFormat) IsDepth() bool { t, _ := f.texel(); return t.depth }

// HasStencil reports a format with a stencil aspect.
func (f TextureFormat) HasStencil() bool { t, _ := f.texel(); return t.stencil }

// IsSRGB reports a format that stores color encoded as sRGB.
func (f TextureFormat) IsSRGB() bool {
	switch f {
	case RGBA8UnormSRGB, BGRA8UnormSRGB, BC1RGBAUnormSRGB, BC3RGBAUnormSRGB, BC7RGBAUnormSRGB:
		return true
	}
	return false
}

// Components is the number of channels, 0 for an unknown format.
func (f TextureFormat) Components() int { t, _ := f.texel(); return t.components }

// Sample is the default sample type of the format; SampleDepth for a depth
// format, SampleUint for stencil alone, empty for an unknown one.
func (f TextureFormat) Sample() SampleType {
	t, ok := f.texel()
	switch {
	case !ok:
		return ""
	case t.depth:
		return SampleDepth
	case t.stencil:
		return SampleUint
	}
	return t.sample
}

// storage reports whether the format can be a storage texture: with
// read_write access, and with read or write access alone.
func (f TextureFormat) storage() (readWrite, write bool) {
	t, _ := f.texel()
	return t.readWrite, t.write
}
