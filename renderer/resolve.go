package renderer

import (
	_ "embed"
	"fmt"

	"darkroom/composer"
	"darkroom/renderer/internal/gpu"
)

//go:embed resolving.wgsl
var resolvingWGSL string

//go:embed resolve.wgsl
var resolveWGSL string

// resolvingWidth is the number of pixels of the row that tells how a device
// resolves: pixel x has samples of x and x + 1 steps, and its channels 0 to 3
// have as many of the second.
const resolvingWidth = 255

// resolvesLow tells whether the means that the device makes of the samples of an
// 8-bit target are below the nearest step. No specification asks for nearest
// (Vulkan 1.3, "resolve operations", leaves the mean to the implementation), and
// NVIDIA's H200 takes all halves down, which makes edges darker as a whole. On
// such a device a pass of the renderer's own resolves, halves up as on those that
// drew the reference's captures. Means above nearest are left alone: SwiftShader,
// which averages in pairs, stays comparable with other engines' pictures of it.
func (r *Renderer) resolvesLow() (bool, error) {
	row, err := r.drawRow("resolving", resolvingWGSL, resolvingWidth, 4, []uint32{1, 2, 4, 8})
	if err != nil {
		return false, fmt.Errorf("measuring how %s resolves samples: %w", r.dev.Info.Name, err)
	}
	return meansAreLow(row), nil
}

// meansAreLow tells whether a row (RGBA, 4 bytes a pixel) of resolved samples has
// means below the nearest step. Halves above an odd step rise both to even and
// up; the others may go either way, and on llvmpipe, which takes the mean of
// floats, they do.
func meansAreLow(row []byte) bool {
	for x := range resolvingWidth {
		for c := range 4 {
			nearest := x + c/2
			if c == 2 && x%2 == 0 {
				nearest = x
			}
			if int(row[4*x+c]) < nearest {
				return true
			}
		}
	}
	return false
}

// resolves are the pipelines that resolve four samples, by format.
type resolves struct {
	layout    *gpu.BindGroupLayout
	pipeline  *gpu.PipelineLayout
	pipelines map[composer.TextureFormat]*gpu.RenderPipeline
}

// resolveIn tells whether the renderer resolves targets of a format by itself.
func (r *Renderer) resolveIn(format composer.TextureFormat) bool {
	return r.low && unorm8(format)
}

func (r *Renderer) resolver(format composer.TextureFormat) (*gpu.RenderPipeline, error) {
	b := &r.resolves
	if b.pipelines == nil {
		var err error
		entries := []composer.BindGroupEntry{{
			Decl:      composer.Binding{Name: "samples", Kind: composer.BindTexture, Type: "texture_multisampled_2d<f32>", Sample: composer.SampleUnfilterableFloat, Visibility: composer.StageFragment},
			Dimension: composer.View2D, Multisampled: true,
		}}
		if b.layout, err = r.dev.CreateBindGroupLayout("resolve", entries); err != nil {
			return nil, err
		}
		if b.pipeline, err = r.dev.CreatePipelineLayout("resolve", []*gpu.BindGroupLayout{b.layout}); err != nil {
			return nil, err
		}
		b.pipelines = map[composer.TextureFormat]*gpu.RenderPipeline{}
	}
	if p := b.pipelines[format]; p != nil {
		return p, nil
	}
	shader, err := r.dev.CreateShader("resolve", resolveWGSL)
	if err != nil {
		return nil, err
	}
	p, err := r.dev.CreateRenderPipeline(gpu.RenderPipelineDesc{
		Label: "resolve " + string(format), Layout: b.pipeline,
		Vertex: shader, VertexEntry: "vs", Fragment: shader, FragmentEntry: "fs",
		Targets: []composer.ColorTarget{{Format: format}}, Samples: 1,
	})
	if err == nil {
		b.pipelines[format] = p
	}
	return p, err
}

// resolve is a colour target whose samples the renderer resolves after the pass.
type resolve struct {
	from   *transient
	to     *gpu.View
	format composer.TextureFormat
}

// resolve draws the means of a pass's samples into its targets.
func (x *Session) resolve(enc *gpu.Encoder, list []resolve) error {
	for _, t := range list {
		p, err := x.r.resolver(t.format)
		if err != nil {
			return err
		}
		if t.from.group == nil {
			if t.from.group, err = x.r.dev.CreateBindGroup(x.r.resolves.layout, []gpu.BindEntry{{View: t.from.view}}); err != nil {
				return err
			}
		}
		pass, err := enc.BeginRenderPass(gpu.RenderPassDesc{Label: "resolve", Color: []gpu.ColorAttachment{{View: t.to, Clear: &[4]float64{}}}})
		if err != nil {
			return err
		}
		pass.SetPipeline(p)
		pass.SetBindGroup(0, t.from.group)
		pass.Draw(3, 1, 0, 0)
		if err := pass.End(); err != nil {
			return err
		}
	}
	return nil
}
