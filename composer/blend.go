package composer

// The three blends that cover most pictures. They are functions, so that
// nobody can change them for everyone else.

// BlendAlphaState mixes by the fragment's own alpha.
func BlendAlphaState() Blend {
	return Blend{
		Color: BlendComponent{BlendAdd, FactorSrcAlpha, FactorOneMinusSrcAlpha},
		Alpha: BlendComponent{BlendAdd, FactorOne, FactorOneMinusSrcAlpha},
	}
}

// BlendPremultipliedState mixes a color that is already multiplied by its alpha.
func BlendPremultipliedState() Blend {
	c := BlendComponent{BlendAdd, FactorOne, FactorOneMinusSrcAlpha}
	return Blend{Color: c, Alpha: c}
}

// BlendAdditiveState adds light: fire, sparks, glow. It needs no sorting.
func BlendAdditiveState() Blend {
	c := BlendComponent{BlendAdd, FactorOne, FactorOne}
	return Blend{Color: c, Alpha: c}
}

// Normalized spells a component out: the defaults are filled in, and min and
// max, which ignore the factors, get the factors one that WebGPU asks for.
func (c BlendComponent) Normalized() BlendComponent {
	if c.Operation == "" {
		c.Operation = BlendAdd
	}
	if c.Src == "" {
		c.Src = FactorOne
	}
	if c.Dst == "" {
		c.Dst = FactorZero
	}
	if c.Operation == BlendMin || c.Operation == BlendMax {
		c.Src, c.Dst = FactorOne, FactorOne
	}
	return c
}

// Normalized is both components normalized.
func (b Blend) Normalized() Blend {
	return Blend{b.Color.Normalized(), b.Alpha.Normalized()}
}

// UsesConstant reports a blend that reads the color set in the pass.
func (b Blend) UsesConstant() bool {
	return b.uses(func(f BlendFactor) bool { return f == FactorConstant || f == FactorOneMinusConstant })
}

// DualSource reports a blend that reads a second output of the shader.
func (b Blend) DualSource() bool {
	return b.uses(func(f BlendFactor) bool {
		switch f {
		case FactorSrc1, FactorOneMinusSrc1, FactorSrc1Alpha, FactorOneMinusSrc1Alpha:
			return true
		}
		return false
	})
}

// readsAlpha reports a blend that needs the alpha of the shader's output.
func (b Blend) readsAlpha() bool {
	return b.uses(func(f BlendFactor) bool {
		switch f {
		case FactorSrcAlpha, FactorOneMinusSrcAlpha, FactorSrcAlphaSaturated:
			return true
		}
		return false
	})
}

func (b Blend) uses(is func(BlendFactor) bool) bool {
	n := b.Normalized()
	return is(n.Color.Src) || is(n.Color.Dst) || is(n.Alpha.Src) || is(n.Alpha.Dst)
}

// Mask is the target's write mask with its default filled in.
func (t ColorTarget) Mask() WriteMask {
	switch {
	case t.NoWrite:
		return 0
	case t.Write == 0:
		return WriteAll
	}
	return t.Write
}

func (o BlendOperation) valid() bool {
	switch o {
	case "", BlendAdd, BlendSubtract, BlendReverseSubtract, BlendMin, BlendMax:
		return true
	}
	return false
}

func (f BlendFactor) valid() bool {
	switch f {
	case "", FactorZero, FactorOne, FactorSrc, FactorOneMinusSrc, FactorSrcAlpha, FactorOneMinusSrcAlpha,
		FactorDst, FactorOneMinusDst, FactorDstAlpha, FactorOneMinusDstAlpha, FactorSrcAlphaSaturated,
		FactorConstant, FactorOneMinusConstant,
		FactorSrc1, FactorOneMinusSrc1, FactorSrc1Alpha, FactorOneMinusSrc1Alpha:
		return true
	}
	return false
}

func (f CompareFunction) valid() bool {
	switch f {
	case "", CompareNever, CompareLess, CompareEqual, CompareLessEqual, CompareGreater, CompareNotEqual,
		CompareGreaterEqual, CompareAlways:
		return true
	}
	return false
}

func (o StencilOperation) valid() bool {
	switch o {
	case "", StencilKeep, StencilZero, StencilReplace, StencilInvert, StencilIncrementClamp,
		StencilDecrementClamp, StencilIncrementWrap, StencilDecrementWrap:
		return true
	}
	return false
}
