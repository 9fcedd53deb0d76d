package gpu

import (
	"bytes"
	"fmt"

	"darkroom/composer"
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

const (
	green    = "[0 255 0 255]"
	blackish = "[0 0 0 255]"
)

var _ = Describe("pictures", func() {
	var d *Device
	BeforeEach(func() { d = open() })

	// The rows of a copy are padded to 256 bytes: sizes on both sides of that.
	DescribeTable("of any size come back without the padding of their rows", func(w, h int) {
		s := newScene(d, nil)
		t, v := target(d, w, h)
		e := must(d.NewEncoder("frame"))
		p := must(e.BeginRenderPass(RenderPassDesc{Label: "main", Color: black(v)}))
		s.draw(p, 3, 0)
		Expect(p.End()).To(Succeed())
		Expect(e.Submit()).To(Succeed())
		pix := must(d.ReadTexture(t, 0, 0))
		Expect(pix).To(HaveLen(w * h * 4))
		// A pixel is green if its center is below the diagonal, from the upper left to the lower right.
		for y := range h {
			for x := range w {
				cx, cy := (float64(x)+0.5)/float64(w), (float64(y)+0.5)/float64(h)
				if cx == cy {
					continue // on the edge
				}
				want := blackish
				if cy > cx {
					want = green
				}
				if got := pixel(pix, w, x, y); got != want {
					Fail(fmt.Sprintf("pixel %d,%d of %dx%d is %s, want %s", x, y, w, h, got, want))
				}
			}
		}
	},
		Entry(nil, 1, 1), Entry(nil, 1, 7), Entry(nil, 63, 3), Entry(nil, 64, 64), Entry(nil, 65, 5), Entry(nil, 127, 31),
		Entry(nil, 129, 67), Entry(nil, 333, 251), Entry(nil, 1000, 3))

	It("keep their alpha, straight", func() {
		t, v := target(d, 5, 3)
		e := must(d.NewEncoder("frame"))
		p := must(e.BeginRenderPass(RenderPassDesc{Color: []ColorAttachment{{View: v, Clear: &[4]float64{1, 0.2, 0, 0.4}}}}))
		Expect(p.End()).To(Succeed())
		Expect(e.Submit()).To(Succeed())
		Expect(must(d.ReadTexture(t, 0, 0))).To(Equal(bytes.Repeat([]byte{255, 51, 0, 102}, 15)))
	})

	It("are smoothed by 4 samples, and only on edges", func() {
		s := newScene(d, func(r *RenderPipelineDesc) { r.Samples = 4 })
		const n = 33
		_, ms := target(d, n, n, func(t *TextureDesc) { t.Samples, t.Usage = 4, TextureTarget })
		t, v := target(d, n, n)
		e := must(d.NewEncoder("frame"))
		p := must(e.BeginRenderPass(RenderPassDesc{Label: "main", Color: []ColorAttachment{{View: ms, Resolve: v, Clear: &[4]float64{0, 0, 0, 1}, Discard: true}}}))
		s.draw(p, 3, 0)
		Expect(p.End()).To(Succeed())
		Expect(e.Submit()).To(Succeed())
		pix := must(d.ReadTexture(t, 0, 0))
		between := 0
		for y := range n {
			for x := range n {
				g := pix[(y*n+x)*4+1]
				if x != y {
					Expect(g).To(Equal(map[bool]byte{true: 255, false: 0}[y > x]), "pixel %d,%d", x, y)
				} else if g > 0 && g < 255 {
					between++
				}
			}
		}
		Expect(between).To(BeNumerically(">", n-3), "pixels of the diagonal that are neither in nor out")
	})

	It("are written where the sample mask lets them", func() {
		s := newScene(d, func(r *RenderPipelineDesc) { r.Samples, r.SampleMask = 4, 0b0101 }, -1, -1, 0, 1, 3, -1, 0, 1, -1, 3, 0, 1)
		_, ms := target(d, 5, 5, func(t *TextureDesc) { t.Samples, t.Usage = 4, TextureTarget })
		t, v := target(d, 5, 5)
		e := must(d.NewEncoder("frame"))
		p := must(e.BeginRenderPass(RenderPassDesc{Label: "main", Color: []ColorAttachment{{View: ms, Resolve: v, Clear: &[4]float64{0, 0, 0, 1}}}}))
		s.draw(p, 3, 0)
		Expect(p.End()).To(Succeed())
		Expect(e.Submit()).To(Succeed())
		Expect(must(d.ReadTexture(t, 0, 0))[2*5*4+2*4+1]).To(BeNumerically("~", 128, 1), "two samples of four")
	})

	It("keep the nearest with reverse-Z, whatever the order", func() {
		// Two triangles over all of the picture, near (0.9) first, then far (0.1).
		var v []float32
		for _, z := range []float32{0.9, 0.1} {
			v = append(v, -1, -1, z, 1, 3, -1, z, 1, -1, 3, z, 1)
		}
		s := newScene(d, func(r *RenderPipelineDesc) {
			r.DepthStencil = &composer.DepthStencil{Format: composer.Depth32Float, Compare: composer.CompareGreaterEqual, Write: true}
		}, v...)
		zt, zv := target(d, 19, 7, func(t *TextureDesc) { t.Format = composer.Depth32Float })
		t, cv := target(d, 19, 7)
		e := must(d.NewEncoder("frame"))
		p := must(e.BeginRenderPass(RenderPassDesc{Label: "main", Color: black(cv), Depth: &DepthAttachment{View: zv, ClearDepth: new(float32)}}))
		s.draw(p, 6, 0)
		Expect(p.End()).To(Succeed())
		Expect(e.Submit()).To(Succeed())
		Expect(pixel(must(d.ReadTexture(t, 0, 0)), 19, 9, 3)).To(Equal(green))
		depth := must(d.ReadTexture(zt, 0, 0))
		Expect(depth).To(HaveLen(19 * 7 * 4))
		for i := 0; i < len(depth); i += 4 {
			Expect(float(depth[i:])).To(BeNumerically("~", 0.9, 1e-6))
		}
	})

	It("use the stencil, with all bits where no mask is given", func() {
		mark := newScene(d, func(r *RenderPipelineDesc) {
			r.Targets[0].NoWrite = true
			r.DepthStencil = &composer.DepthStencil{Format: composer.Depth24PlusStencil8, Front: composer.StencilFace{Pass: composer.StencilReplace}, Back: composer.StencilFace{Pass: composer.StencilReplace}}
		})
		fill := newScene(d, func(r *RenderPipelineDesc) {
			r.DepthStencil = &composer.DepthStencil{Format: composer.Depth24PlusStencil8, Front: composer.StencilFace{Compare: composer.CompareEqual}, Back: composer.StencilFace{Compare: composer.CompareEqual}}
		}, -1, -1, 0, 1, 3, -1, 0, 1, -1, 3, 0, 1)
		zt, zv := target(d, 16, 16, func(t *TextureDesc) { t.Format = composer.Depth24PlusStencil8 })
		t, cv := target(d, 16, 16)
		e := must(d.NewEncoder("frame"))
		p := must(e.BeginRenderPass(RenderPassDesc{Color: black(cv), Depth: &DepthAttachment{View: zv, ClearDepth: new(float32), ClearStencil: new(uint32)}}))
		p.SetStencilReference(0xA5)
		mark.draw(p, 3, 0)
		fill.draw(p, 3, 0)
		Expect(p.End()).To(Succeed())
		Expect(e.Submit()).To(Succeed())
		pix := must(d.ReadTexture(t, 0, 0))
		Expect(pixel(pix, 16, 2, 12)).To(Equal(green))
		Expect(pixel(pix, 16, 12, 2)).To(Equal(blackish))
		stencil := must(d.ReadAspect(zt, 0, 0, StencilOnly))
		Expect(stencil).To(HaveLen(256))
		Expect(stencil[12*16+2]).To(Equal(byte(0xA5)))
		Expect(stencil[2*16+12]).To(BeZero())
	})

	It("are drawn with indices, instances and dynamic offsets", func() {
		shader := must(d.CreateShader("tint", `
struct U { color: vec4<f32> }
@group(0) @binding(0) var<uniform> u: U;
@vertex fn vs(@location(0) p: vec2<f32>, @location(1) shift: f32) -> @builtin(position) vec4<f32> { return vec4<f32>(p.x + shift, p.y, 0.0, 1.0); }
@fragment fn fs() -> @location(0) vec4<f32> { return u.color; }`))
		groups := must(d.CreateBindGroupLayout("tint", []composer.BindGroupEntry{uniform}, 0))
		layout := must(d.CreatePipelineLayout("tint", []*BindGroupLayout{groups}))
		step := d.UniformAlignment()
		u := must(d.CreateBuffer(BufferDesc{Label: "u", Size: uint64(2 * step), Usage: UsageUniform | UsageCopyDst}))
		Expect(d.WriteBuffer(u, 0, floats(1, 0, 0, 1))).To(Succeed())
		Expect(d.WriteBuffer(u, uint64(step), floats(0, 0, 1, 1))).To(Succeed())
		group := must(d.CreateBindGroup(groups, []BindEntry{{Buffer: u, Size: 16}}))
		pos := must(d.CreateBuffer(BufferDesc{Label: "p", Size: 32, Usage: UsageVertex | UsageCopyDst}))
		Expect(d.WriteBuffer(pos, 0, floats(-1, -1, -0.5, -1, -1, 1, -0.5, 1))).To(Succeed()) // a strip on the left
		shift := must(d.CreateBuffer(BufferDesc{Label: "s", Size: 8, Usage: UsageVertex | UsageCopyDst}))
		Expect(d.WriteBuffer(shift, 0, floats(0, 1))).To(Succeed())
		index := must(d.CreateBuffer(BufferDesc{Label: "i", Size: 12, Usage: UsageIndex | UsageCopyDst}))
		Expect(d.WriteBuffer(index, 0, []byte{0, 0, 1, 0, 2, 0, 2, 0, 1, 0, 3, 0})).To(Succeed())
		args := must(d.CreateBuffer(BufferDesc{Label: "a", Size: 20, Usage: UsageIndirect | UsageCopyDst}))
		Expect(d.WriteBuffer(args, 0, words(6, 1, 0, 0, 0))).To(Succeed())
		pipeline := must(d.CreateRenderPipeline(RenderPipelineDesc{Label: "tint", Layout: layout, Vertex: shader, Fragment: shader,
			Targets: []composer.ColorTarget{{Format: composer.RGBA8Unorm}},
			Buffers: []composer.VertexBuffer{
				{Name: "p", Stride: 8, Attributes: []composer.VertexBufferAttribute{{Attribute: composer.Attribute{Name: "p", Format: composer.Float32x2}}}},
				{Name: "shift", Stride: 4, Step: composer.StepInstance, Attributes: []composer.VertexBufferAttribute{{Attribute: composer.Attribute{Name: "shift", Format: composer.Float32}, Location: 1}}},
			}}))
		t, v := target(d, 8, 1)
		e := must(d.NewEncoder("frame"))
		p := must(e.BeginRenderPass(RenderPassDesc{Label: "main", Color: black(v)}))
		p.SetPipeline(pipeline)
		p.SetVertexBuffer(0, pos, 0, 0)
		p.SetVertexBuffer(1, shift, 0, 0)
		p.SetIndexBuffer(index, "uint16", 0, 0)
		p.SetBindGroup(0, group, 0)
		p.DrawIndexed(6, 2, 0, 0, 0)
		p.SetBindGroup(0, group, uint32(step))
		p.DrawIndexedIndirect(args, 0)
		Expect(p.End()).To(Succeed())
		Expect(e.Submit()).To(Succeed())
		pix := must(d.ReadTexture(t, 0, 0))
		row := ""
		for x := range 8 {
			row += map[string]string{"[255 0 0 255]": "r", "[0 0 255 255]": "b", blackish: "."}[pixel(pix, 8, x, 0)]
		}
		Expect(row).To(Equal("bb..rr.."))
	})

	It("are clipped to the viewport and the scissor", func() {
		s := newScene(d, nil, -1, -1, 0, 1, 3, -1, 0, 1, -1, 3, 0, 1)
		t, v := target(d, 8, 8)
		e := must(d.NewEncoder("frame"))
		p := must(e.BeginRenderPass(RenderPassDesc{Color: black(v)}))
		p.SetViewport(2, 0, 6, 8, 0, 1)
		p.SetScissor(0, 3, 8, 2)
		s.draw(p, 3, 0)
		Expect(p.End()).To(Succeed())
		Expect(e.Submit()).To(Succeed())
		pix := must(d.ReadTexture(t, 0, 0))
		for _, c := range []struct {
			x, y int
			want string
		}{{1, 3, blackish}, {2, 3, green}, {7, 4, green}, {7, 5, blackish}, {2, 2, blackish}} {
			Expect(pixel(pix, 8, c.x, c.y)).To(Equal(c.want), "pixel %d,%d", c.x, c.y)
		}
	})
})
