package renderer

import (
	_ "embed"
	"fmt"

	"darkroom/composer"
	"darkroom/renderer/internal/gpu"
)

//go:embed mips.wgsl
var mipsWGSL string

// blits are the pipelines that make mip levels, by format.
type blits struct {
	layout    *gpu.BindGroupLayout
	pipeline  *gpu.PipelineLayout
	sampler   *gpu.Sampler
	pipelines map[composer.TextureFormat]*gpu.RenderPipeline
}

func (r *Renderer) blit(format composer.TextureFormat) (*gpu.RenderPipeline, error) {
	b := &r.blits
	if b.pipelines == nil {
		var err error
		entries := []composer.BindGroupEntry{
			{Binding: 0, Decl: composer.Binding{Name: "source", Kind: composer.BindTexture, Type: "texture_2d<f32>", Sample: composer.SampleFloat, Visibility: composer.StageFragment}, Dimension: composer.View2D},
			{Binding: 1, Decl: composer.Binding{Name: "sourceSampler", Kind: composer.BindSampler, Sampler: composer.SamplerFiltering, Visibility: composer.StageFragment}},
		}
		if b.layout, err = r.dev.CreateBindGroupLayout("mips", entries); err != nil {
			return nil, err
		}
		if b.pipeline, err = r.dev.CreatePipelineLayout("mips", []*gpu.BindGroupLayout{b.layout}); err != nil {
			return nil, err
		}
		if b.sampler, err = r.dev.CreateSampler(gpu.SamplerDesc{AddressU: composer.AddressClamp, AddressV: composer.AddressClamp, AddressW: composer.AddressClamp, Mag: composer.FilterLinear, Min: composer.FilterLinear, Mip: composer.FilterNearest}); err != nil {
			return nil, err
		}
		b.pipelines = map[composer.TextureFormat]*gpu.RenderPipeline{}
	}
	if p := b.pipelines[format]; p != nil {
		return p, nil
	}
	shader, err := r.dev.CreateShader("mips", fmt.Sprintf("const STEPS = %d.0;\n", r.steps(format))+mipsWGSL)
	if err != nil {
		return nil, err
	}
	p, err := r.dev.CreateRenderPipeline(gpu.RenderPipelineDesc{
		Label: "mips " + string(format), Layout: b.pipeline,
		Vertex: shader, VertexEntry: "vs", Fragment: shader, FragmentEntry: "fs",
		Targets: []composer.ColorTarget{{Format: format}}, Samples: 1,
	})
	if err == nil {
		b.pipelines[format] = p
	}
	return p, err
}

// makeMips fills levels 1 and up of every layer from the level before. An
// -srgb format is decoded and encoded by the hardware, so the filter works in
// linear light.
func (x *Session) makeMips(g *gpuTexture) error {
	dev := x.r.dev
	p, err := x.r.blit(g.format)
	if err != nil {
		return err
	}
	enc, err := dev.NewEncoder("mips")
	if err != nil {
		return err
	}
	var groups []*gpu.BindGroup
	defer func() {
		for _, b := range groups {
			b.Release()
		}
	}()
	step := func(layer, mip int) error {
		d := gpu.ViewDesc{BaseMip: mip - 1, Mips: 1, BaseLayer: layer, Layers: 1, Dimension: composer.View2D}
		src, err := g.view(dev, d)
		if err != nil {
			return err
		}
		d.BaseMip = mip
		dst, err := g.view(dev, d)
		if err != nil {
			return err
		}
		bg, err := dev.CreateBindGroup(x.r.blits.layout, []gpu.BindEntry{{Binding: 0, View: src}, {Binding: 1, Sampler: x.r.blits.sampler}})
		if err != nil {
			return err
		}
		groups = append(groups, bg)
		pass, err := enc.BeginRenderPass(gpu.RenderPassDesc{Label: "mip", Color: []gpu.ColorAttachment{{View: dst, Clear: &[4]float64{}}}})
		if err != nil {
			return err
		}
		pass.SetPipeline(p)
		pass.SetBindGroup(0, bg)
		pass.Draw(3, 1, 0, 0)
		return pass.End()
	}
	for layer := range g.layers {
		for mip := 1; mip < g.mips; mip++ {
			if err := step(layer, mip); err != nil {
				enc.Release()
				return err
			}
		}
	}
	return enc.Submit()
}
