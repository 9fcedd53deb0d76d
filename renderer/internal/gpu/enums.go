package gpu

import (
	"fmt"

	"darkroom/composer"
	"github.com/cogentcore/webgpu/wgpu"
)

// The binding spells its enums as the WebGPU specification does, and so does
// package composer, so a name finds its number by the binding's own String.
type enumTable[T ~uint32] map[string]T

func tabulate[T interface {
	~uint32
	String() string
}](last T) enumTable[T] {
	m := enumTable[T]{}
	for v := T(0); v <= last; v++ {
		if s := v.String(); s != "" && s != "undefined" {
			m[s] = v
		}
	}
	return m
}

type enums struct {
	vertex    enumTable[wgpu.VertexFormat]
	texture   enumTable[wgpu.TextureFormat]
	compare   enumTable[wgpu.CompareFunction]
	factor    enumTable[wgpu.BlendFactor]
	operation enumTable[wgpu.BlendOperation]
	cull      enumTable[wgpu.CullMode]
	front     enumTable[wgpu.FrontFace]
	topology  enumTable[wgpu.PrimitiveTopology]
	address   enumTable[wgpu.AddressMode]
	filter    enumTable[wgpu.FilterMode]
	mipmap    enumTable[wgpu.MipmapFilterMode]
	stencil   enumTable[wgpu.StencilOperation]
	dimension enumTable[wgpu.TextureViewDimension]
	sample    enumTable[wgpu.TextureSampleType]
	sampler   enumTable[wgpu.SamplerBindingType]
	feature   enumTable[wgpu.FeatureName]
}

func newEnums() enums {
	return enums{
		vertex: tabulate(wgpu.VertexFormatSint32x4), texture: tabulate(wgpu.TextureFormat(0x5f)), compare: tabulate(wgpu.CompareFunctionAlways),
		factor: tabulate(wgpu.BlendFactorOneMinusConstant), operation: tabulate(wgpu.BlendOperationMax), cull: tabulate(wgpu.CullModeBack),
		front: tabulate(wgpu.FrontFaceCW), topology: tabulate(wgpu.PrimitiveTopologyTriangleStrip), address: tabulate(wgpu.AddressModeClampToEdge),
		filter: tabulate(wgpu.FilterModeLinear), mipmap: tabulate(wgpu.MipmapFilterModeLinear), stencil: tabulate(wgpu.StencilOperationDecrementWrap),
		dimension: tabulate(wgpu.TextureViewDimension3D), sample: tabulate(wgpu.TextureSampleTypeUint), sampler: tabulate(wgpu.SamplerBindingTypeComparison),
		feature: tabulate(wgpu.FeatureNameFloat32Filterable),
	}
}

// pick looks s up, with a default where s is empty.
func pick[T ~uint32, S ~string](m enumTable[T], s, def S, what string) (T, error) {
	if s == "" {
		s = def
	}
	v, ok := m[string(s)]
	if !ok {
		return 0, fmt.Errorf("%s %q does not exist in this backend", what, s)
	}
	return v, nil
}

func (d *Device) format(f composer.TextureFormat) (wgpu.TextureFormat, error) {
	if f == "" {
		return 0, fmt.Errorf("the texture format is empty")
	}
	return pick(d.enums.texture, f, "", "texture format")
}
