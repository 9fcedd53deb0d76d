package renderer

import (
	"darkroom/composer"
	"darkroom/renderer/internal/gpu"
)

// drawRow draws a row of rgba8unorm pixels with a shader of its own and reads
// it back: what a device does to colours is measured so. There is one draw for
// each mask of samples, and its number is the instance index; a mask of 0
// stands for all samples. Several samples are resolved by the device.
func (r *Renderer) drawRow(label, wgsl string, width, samples int, masks []uint32) ([]byte, error) {
	dev := r.dev
	module, err := dev.CreateShader(label, wgsl)
	if err != nil {
		return nil, err
	}
	defer module.Release()
	layout, err := dev.CreatePipelineLayout(label, nil)
	if err != nil {
		return nil, err
	}
	defer layout.Release()
	color := gpu.ColorAttachment{Clear: &[4]float64{}}
	target := func(samples int, usage gpu.TextureUsage) (*gpu.Texture, *gpu.View, error) {
		t, err := dev.CreateTexture(gpu.TextureDesc{Label: label, Width: width, Height: 1, Samples: samples, Format: composer.RGBA8Unorm, Usage: usage})
		if err != nil {
			return nil, nil, err
		}
		v, err := dev.CreateView(t, gpu.ViewDesc{})
		if err != nil {
			t.Release()
			return nil, nil, err
		}
		return t, v, nil
	}
	row, view, err := target(1, gpu.TextureTarget|gpu.TextureCopySrc)
	if err != nil {
		return nil, err
	}
	defer row.Release()
	defer view.Release()
	color.View = view
	if samples > 1 {
		t, v, err := target(samples, gpu.TextureTarget)
		if err != nil {
			return nil, err
		}
		defer t.Release()
		defer v.Release()
		color.View, color.Resolve = v, view
	}
	enc, err := dev.NewEncoder(label)
	if err != nil {
		return nil, err
	}
	pass, err := enc.BeginRenderPass(gpu.RenderPassDesc{Label: label, Color: []gpu.ColorAttachment{color}})
	if err != nil {
		enc.Release()
		return nil, err
	}
	for i, mask := range masks {
		p, err := dev.CreateRenderPipeline(gpu.RenderPipelineDesc{
			Label: label, Layout: layout, Vertex: module, VertexEntry: "vs", Fragment: module, FragmentEntry: "fs",
			Targets: []composer.ColorTarget{{Format: composer.RGBA8Unorm}}, Samples: samples, SampleMask: mask,
		})
		if err != nil {
			enc.Release()
			return nil, err
		}
		defer p.Release()
		pass.SetPipeline(p)
		pass.Draw(3, 1, 0, i)
	}
	if err := pass.End(); err != nil {
		enc.Release()
		return nil, err
	}
	if err := enc.Submit(); err != nil {
		return nil, err
	}
	return dev.ReadTexture(row, 0, 0)
}
