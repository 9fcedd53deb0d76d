package gpu

import (
	"fmt"

	"darkroom/composer"
	"github.com/cogentcore/webgpu/wgpu"
)

type enum interface {
	~uint32
	String() string
}

// lookup finds the value of the enum whose name, in the spelling of the WebGPU
// specification, is s. The binding's String spells so for all enums but those
// that the callers below treat themselves; a test goes through every name.
func lookup[T enum, S ~string](what string, s S, last T) (T, error) {
	if s != "" && s != "undefined" {
		for v := T(0); v <= last; v++ {
			if v.String() == string(s) {
				return v, nil
			}
		}
	}
	return 0, fmt.Errorf("the backend knows no %s %q", what, s)
}

// or is s, or what an empty s stands for.
func or[S ~string](s, empty S) S {
	if s == "" {
		return empty
	}
	return s
}

func formatOf(f composer.TextureFormat) (wgpu.TextureFormat, error) {
	switch f { // the binding's names of these lack a hyphen
	case composer.BC1RGBAUnorm:
		return wgpu.TextureFormatBC1RGBAUnorm, nil
	case composer.BC1RGBAUnormSRGB:
		return wgpu.TextureFormatBC1RGBAUnormSrgb, nil
	case composer.BC3RGBAUnorm:
		return wgpu.TextureFormatBC3RGBAUnorm, nil
	case composer.BC3RGBAUnormSRGB:
		return wgpu.TextureFormatBC3RGBAUnormSrgb, nil
	case composer.BC7RGBAUnorm:
		return wgpu.TextureFormatBC7RGBAUnorm, nil
	case composer.BC7RGBAUnormSRGB:
		return wgpu.TextureFormatBC7RGBAUnormSrgb, nil
	}
	return lookup("texture format", f, wgpu.TextureFormatDepth32FloatStencil8)
}

func vertexFormatOf(f composer.VertexFormat) (wgpu.VertexFormat, error) {
	return lookup("vertex format", f, wgpu.VertexFormatSint32x4)
}

func compareOf(c composer.CompareFunction) (wgpu.CompareFunction, error) {
	return lookup("comparison", c, wgpu.CompareFunctionAlways)
}

func viewDimensionOf(v composer.ViewDimension) (wgpu.TextureViewDimension, error) {
	return lookup("view dimension", v, wgpu.TextureViewDimension3D)
}

func addressOf(a composer.AddressMode) (wgpu.AddressMode, error) {
	return lookup("address mode", or(a, composer.AddressRepeat), wgpu.AddressModeClampToEdge)
}

func filterOf(f composer.FilterMode) (wgpu.FilterMode, error) {
	return lookup("filter", or(f, composer.FilterLinear), wgpu.FilterModeLinear)
}

func factorOf(f, empty composer.BlendFactor) (wgpu.BlendFactor, error) {
	return lookup("blend factor", or(f, empty), wgpu.BlendFactorOneMinusConstant)
}

func stencilOf(o composer.StencilOperation) (wgpu.StencilOperation, error) {
	return lookup("stencil operation", or(o, composer.StencilKeep), wgpu.StencilOperationDecrementWrap)
}

func indexOf(format string) (f wgpu.IndexFormat, size uint64, err error) {
	switch format {
	case "uint16":
		return wgpu.IndexFormatUint16, 2, nil
	case "uint32":
		return wgpu.IndexFormatUint32, 4, nil
	}
	return 0, 0, fmt.Errorf(`index format %q is neither "uint16" nor "uint32"`, format)
}

// Aspect is a part of a depth-stencil texture.
type Aspect string

// The aspects; empty means all that there are.
const (
	DepthOnly   Aspect = "depth-only"
	StencilOnly Aspect = "stencil-only"
)

func (a Aspect) of(f composer.TextureFormat) (wgpu.TextureAspect, error) {
	switch {
	case a == "":
		return wgpu.TextureAspectAll, nil
	case a == DepthOnly && f.IsDepth():
		return wgpu.TextureAspectDepthOnly, nil
	case a == StencilOnly && f.HasStencil():
		return wgpu.TextureAspectStencilOnly, nil
	}
	return 0, fmt.Errorf("format %s has no aspect %q", f, a)
}

// features are those that a device takes where its adapter has them, by their
// names in the WebGPU specification. The binding knows no
// dual-source-blending, and naga 0.19 cannot parse what shader-f16 allows.
func features() map[string]wgpu.FeatureName {
	return map[string]wgpu.FeatureName{
		"bgra8unorm-storage":       wgpu.FeatureNameBGRA8UnormStorage,
		"depth-clip-control":       wgpu.FeatureNameDepthClipControl,
		"depth32float-stencil8":    wgpu.FeatureNameDepth32FloatStencil8,
		"float32-filterable":       wgpu.FeatureNameFloat32Filterable,
		"indirect-first-instance":  wgpu.FeatureNameIndirectFirstInstance,
		"rg11b10ufloat-renderable": wgpu.FeatureNameRG11B10UfloatRenderable,
		"texture-compression-bc":   wgpu.FeatureNameTextureCompressionBC,
		"timestamp-query":          wgpu.FeatureNameTimestampQuery,
	}
}
