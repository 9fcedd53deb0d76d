package renderer

import (
	"crypto/sha256"
	"fmt"

	"darkroom/composer"
	"darkroom/material"
	"darkroom/material/texture"
	"darkroom/renderer/internal/gpu"
	"darkroom/scenes"
)

// computePipeline is a compute shader with the layout of its one bind group.
type computePipeline struct {
	pipeline *gpu.ComputePipeline
	layout   *gpu.BindGroupLayout
	entries  []composer.BindGroupEntry
}

func (p *pipelines) computePipeline(c material.Compute) (*computePipeline, error) {
	wgsl, bindings := c.Source()
	k := sha256.Sum256([]byte(wgsl))
	if x := p.compute[k]; x != nil {
		return x, nil
	}
	x := &computePipeline{}
	for i, b := range bindings {
		b.Visibility = composer.StageCompute
		e, err := composer.Entry(i, b)
		if err != nil {
			return nil, err
		}
		x.entries = append(x.entries, e)
	}
	m, err := p.module(c.Label(), wgsl)
	if err != nil {
		return nil, err
	}
	if x.layout, _, err = p.groupLayout(x.entries); err != nil {
		return nil, err
	}
	layout, err := p.dev.CreatePipelineLayout(c.Label(), []*gpu.BindGroupLayout{x.layout})
	if err != nil {
		return nil, err
	}
	if x.pipeline, err = p.dev.CreateComputePipeline(c.Label(), layout, m); err != nil {
		return nil, err
	}
	p.compute[k] = x
	return x, nil
}

func (x *Session) computePass(enc *gpu.Encoder, p *scenes.ComputePass) error {
	if p.Compute == nil {
		return fmt.Errorf("the compute task has no shader")
	}
	return x.compute(enc, p.Name, []material.Compute{p.Compute})
}

// compute runs shaders one after another; each sees what those before it wrote.
func (x *Session) compute(enc *gpu.Encoder, label string, list []material.Compute) error {
	type dispatch struct {
		c *computePipeline
		g *gpu.BindGroup
		n [3]int
	}
	var all []dispatch
	for _, m := range list {
		c, err := x.r.pipelines.computePipeline(m)
		if err != nil {
			return fmt.Errorf("%s: %w", m.Label(), err)
		}
		res := newResources(&x.motion)
		if err := m.Resources(res); err != nil {
			return fmt.Errorf("%s: %w", m.Label(), err)
		}
		g, err := x.bind(c.layout, c.entries, nil, res)
		if err != nil {
			return fmt.Errorf("%s: %w", m.Label(), err)
		}
		all = append(all, dispatch{c, g, m.Workgroups()})
	}
	pass, err := enc.BeginComputePass(label)
	if err != nil {
		return err
	}
	for _, d := range all {
		pass.Dispatch(d.c.pipeline, []*gpu.BindGroup{d.g}, d.n[0], d.n[1], d.n[2])
	}
	return pass.End()
}

// capture hands every target that t drew into to the settings' Capture.
func (x *Session) capture(t scenes.Task) error {
	var a *scenes.Attachments
	switch t := t.(type) {
	case *scenes.ScenePass:
		a = &t.Attachments
	case *scenes.EffectPass:
		a = &t.Attachments
	default:
		return nil
	}
	give := func(name string, tex *gpu.Texture, layer int) error {
		pix, err := x.r.dev.ReadTexture(tex, 0, layer)
		if err != nil {
			return err
		}
		return x.set.Capture(Captured{Task: t.Label(), Target: name, Frame: &Frame{Width: tex.Desc.Width, Height: tex.Desc.Height, Format: tex.Desc.Format, Pix: pix}})
	}
	if a.Color == nil {
		if err := give("canvas", x.canvas, 0); err != nil {
			return err
		}
	}
	targets := append([]*texture.Texture(nil), a.Color...)
	layers := make([]int, len(targets))
	for i := range a.Views {
		if i < len(layers) {
			layers[i] = a.Views[i].BaseLayer
		}
	}
	if a.Depth != nil {
		targets, layers = append(targets, a.Depth), append(layers, a.DepthView.BaseLayer)
	}
	for i, target := range targets {
		if target == nil {
			continue
		}
		if f := target.GPUFormat(); f == composer.Depth24Plus || f == composer.Depth24PlusStencil8 {
			continue // cannot be read back
		}
		if tex := x.textures[target].tex; target.GPUFormat().IsDepth() && tex.Desc.Layers > 1 {
			continue // wgpu-native copies a depth texture with all its layers or not at all
		}
		if err := give(target.Name, x.textures[target].tex, layers[i]); err != nil {
			return err
		}
	}
	return nil
}
