package gpu

import (
	"strings"

	"darkroom/composer"
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

// Each of these ends the process, is lost, or comes too late in the binding. Here
// each is an error, and the device goes on.
var _ = Describe("misuse", func() {
	var (
		d    *Device
		s    *scene
		t    *Texture
		v    *View
		buf  *Buffer
		enc  *Encoder
		pass *Pass
	)
	BeforeEach(func() {
		d = open()
		s = newScene(d, nil)
		t, v = target(d, 8, 8)
		buf = must(d.CreateBuffer(BufferDesc{Label: "data", Size: 64, Usage: UsageVertex | UsageIndex | UsageUniform | UsageStorage | UsageIndirect | UsageCopySrc | UsageCopyDst}))
		enc = must(d.NewEncoder("frame"))
	})
	// works shows that the device draws as if nothing had happened.
	works := func() {
		GinkgoHelper()
		e := must(d.NewEncoder("after"))
		p := must(e.BeginRenderPass(RenderPassDesc{Label: "after", Color: black(v)}))
		s.draw(p, 3, 0)
		Expect(p.End()).To(Succeed())
		Expect(e.Submit()).To(Succeed())
		Expect(pixel(must(d.ReadTexture(t, 0, 0)), 8, 1, 6)).To(Equal(green))
	}
	begin := func() { pass = must(enc.BeginRenderPass(RenderPassDesc{Label: "main", Color: black(v)})) }

	Describe("when making objects", func() {
		DescribeTable("is an error at once", func(do func() error, want string) {
			err := do()
			Expect(err).To(MatchError(ContainSubstring(want)))
			Expect(err.Error()).NotTo(ContainSubstring("\n"))
			works()
		},
			Entry("empty WGSL", func() error { _, err := d.CreateShader("x", ""); return err }, "source is empty"),
			Entry("blank WGSL", func() error { _, err := d.CreateShader("x", " \n\t"); return err }, "source is empty"),
			Entry("WGSL that is not UTF-8", func() error { _, err := d.CreateShader("x", "fn f() {} // \xff"); return err }, "not UTF-8"),
			Entry("WGSL with a NUL", func() error { _, err := d.CreateShader("x", "fn f() {}\x00"); return err }, "NUL byte"),
			Entry("WGSL nested too deep", func() error {
				_, err := d.CreateShader("x", "fn f() -> f32 { return "+strings.Repeat("(", 5000)+"1.0"+strings.Repeat(")", 5000)+"; }")
				return err
			}, "nest deeper"),
			Entry("WGSL with an endless sum", func() error {
				_, err := d.CreateShader("x", "fn f() -> f32 { return 1.0"+strings.Repeat("+1.0", 20000)+"; }")
				return err
			}, "more than 1000 operators"),
			Entry("buffer of size 0", func() error { _, err := d.CreateBuffer(BufferDesc{Usage: UsageVertex}); return err }, "size is 0"),
			Entry("buffer of 1 TiB", func() error { _, err := d.CreateBuffer(BufferDesc{Size: 1 << 40, Usage: UsageVertex}); return err }, "the limit of"),
			Entry("buffer of no use", func() error { _, err := d.CreateBuffer(BufferDesc{Size: 4}); return err }, "usage"),
			Entry("buffer of an unknown use", func() error { _, err := d.CreateBuffer(BufferDesc{Size: 4, Usage: 1 << 20}); return err }, "usage"),
			Entry("texture without a format", func() error {
				_, err := d.CreateTexture(TextureDesc{Width: 1, Height: 1, Usage: TextureSampled})
				return err
			}, "texture format"),
			Entry("texture of an unknown format", func() error {
				_, err := d.CreateTexture(TextureDesc{Width: 1, Height: 1, Format: "rgb8", Usage: TextureSampled})
				return err
			}, "texture format"),
			Entry("texture 0 wide", func() error {
				_, err := d.CreateTexture(TextureDesc{Height: 1, Format: composer.RGBA8Unorm, Usage: TextureSampled})
				return err
			}, "0x1 is not between 1x1"),
			Entry("texture 100000 wide", func() error {
				_, err := d.CreateTexture(TextureDesc{Width: 100000, Height: 1, Format: composer.RGBA8Unorm, Usage: TextureSampled})
				return err
			}, "the limit of"),
			Entry("texture of negative layers", func() error {
				_, err := d.CreateTexture(TextureDesc{Width: 1, Height: 1, Layers: -1, Format: composer.RGBA8Unorm, Usage: TextureSampled})
				return err
			}, "layers"),
			Entry("texture of too many mips", func() error {
				_, err := d.CreateTexture(TextureDesc{Width: 4, Height: 4, Mips: 4, Format: composer.RGBA8Unorm, Usage: TextureSampled})
				return err
			}, "mip levels"),
			Entry("texture of no use", func() error {
				_, err := d.CreateTexture(TextureDesc{Width: 1, Height: 1, Format: composer.RGBA8Unorm})
				return err
			}, "usage"),
			Entry("texture of 3 samples", func() error {
				_, err := d.CreateTexture(TextureDesc{Width: 1, Height: 1, Samples: 3, Format: composer.RGBA8Unorm, Usage: TextureTarget})
				return err
			}, "want 1 or 4"),
			Entry("texture of half a block", func() error {
				_, err := d.CreateTexture(TextureDesc{Width: 6, Height: 4, Format: composer.BC1RGBAUnorm, Usage: TextureSampled})
				return err
			}, "whole blocks"),
			Entry("format that cannot be drawn into", func() error {
				_, err := d.CreateTexture(TextureDesc{Width: 1, Height: 1, Format: composer.RGB9E5UFloat, Usage: TextureTarget})
				return err
			}, "Rgb9e5Ufloat"),
			Entry("view of no texture", func() error { _, err := d.CreateView(nil, ViewDesc{}); return err }, "missing"),
			Entry("view of a texture not made here", func() error { _, err := d.CreateView(&Texture{}, ViewDesc{}); return err }, "missing"),
			Entry("view beyond the mips", func() error { _, err := d.CreateView(t, ViewDesc{BaseMip: 1}); return err }, "outside"),
			Entry("view beyond the layers", func() error { _, err := d.CreateView(t, ViewDesc{Layers: 2}); return err }, "layers"),
			Entry("view of a huge range", func() error { _, err := d.CreateView(t, ViewDesc{BaseMip: 1 << 62, Mips: 1 << 62}); return err }, "outside"),
			Entry("cube view of one layer", func() error { _, err := d.CreateView(t, ViewDesc{Dimension: composer.ViewCube}); return err }, "layers"),
			Entry("depth view of a color", func() error { _, err := d.CreateView(t, ViewDesc{Aspect: DepthOnly}); return err }, "no aspect"),
			Entry("view of an unknown dimension", func() error { _, err := d.CreateView(t, ViewDesc{Dimension: "4d"}); return err }, "4d"),
			Entry("sampler with an unknown filter", func() error { _, err := d.CreateSampler(SamplerDesc{Mag: "cubic"}); return err }, "cubic"),
			Entry("sampler with anisotropy and no filter", func() error {
				_, err := d.CreateSampler(SamplerDesc{Anisotropy: 4, Min: composer.FilterNearest})
				return err
			}, "linear filters"),
			Entry("sampler with a range upside down", func() error { _, err := d.CreateSampler(SamplerDesc{LodMin: 3, LodMax: 1}); return err }, "no range"),
			Entry("layout of a binding without a kind", func() error {
				_, err := d.CreateBindGroupLayout("x", []composer.BindGroupEntry{{Decl: composer.Binding{Name: "u", Visibility: composer.StageVertex}}})
				return err
			}, "no kind"),
			Entry("layout of a binding that no stage sees", func() error {
				_, err := d.CreateBindGroupLayout("x", []composer.BindGroupEntry{{Decl: composer.Binding{Name: "u", Kind: composer.BindUniform}}})
				return err
			}, "no stage"),
			Entry("layout of a storage texture without a format", func() error {
				_, err := d.CreateBindGroupLayout("x", []composer.BindGroupEntry{{Decl: composer.Binding{Name: "u", Kind: composer.BindStorageTexture, Visibility: composer.StageCompute}}})
				return err
			}, "texture format"),
			Entry("layout with a binding twice", func() error {
				_, err := d.CreateBindGroupLayout("x", []composer.BindGroupEntry{uniform, uniform})
				return err
			}, "twice"),
			Entry("layout with a dynamic offset of nothing", func() error {
				_, err := d.CreateBindGroupLayout("x", []composer.BindGroupEntry{uniform}, 3)
				return err
			}, "no such binding"),
			Entry("bind group with a resource missing", func() error { _, err := d.CreateBindGroup(s.groups, nil); return err }, "has no resource"),
			Entry("bind group with nothing in an entry", func() error { _, err := d.CreateBindGroup(s.groups, []BindEntry{{}}); return err }, "missing"),
			Entry("bind group with a resource too many", func() error {
				_, err := d.CreateBindGroup(s.groups, []BindEntry{{Buffer: buf}, {Binding: 1, Buffer: buf}})
				return err
			}, "no binding 1"),
			Entry("bind group beyond its buffer", func() error {
				_, err := d.CreateBindGroup(s.groups, []BindEntry{{Buffer: buf, Offset: 256, Size: 16}})
				return err
			}, "beyond"),
			Entry("bind group with an offset that overflows", func() error {
				_, err := d.CreateBindGroup(s.groups, []BindEntry{{Buffer: buf, Offset: 1<<64 - 256, Size: 512}})
				return err
			}, "beyond"),
			Entry("bind group at an offset not aligned", func() error {
				_, err := d.CreateBindGroup(s.groups, []BindEntry{{Buffer: buf, Offset: 4}})
				return err
			}, "multiple of"),
			Entry("bind group smaller than the shader's struct", func() error {
				_, err := d.CreateBindGroup(s.groups, []BindEntry{{Buffer: buf, Size: 8}})
				return err
			}, "fewer than the 16"),
			Entry("pipeline layout with a hole", func() error { _, err := d.CreatePipelineLayout("x", []*BindGroupLayout{nil}); return err }, "missing"),
			Entry("pipeline layout of too many groups", func() error {
				_, err := d.CreatePipelineLayout("x", []*BindGroupLayout{s.groups, s.groups, s.groups, s.groups, s.groups, s.groups, s.groups, s.groups, s.groups})
				return err
			}, "groups are more than"),
		)

		DescribeTable("is an error of the pipeline", func(change func(*RenderPipelineDesc), want string) {
			desc := RenderPipelineDesc{Label: "x", Layout: s.layout, Vertex: s.shader, Fragment: s.shader, Buffers: position, Targets: []composer.ColorTarget{{Format: composer.RGBA8Unorm}}}
			change(&desc)
			_, err := d.CreateRenderPipeline(desc)
			Expect(err).To(MatchError(ContainSubstring(want)))
			works()
		},
			Entry("no layout", func(r *RenderPipelineDesc) { r.Layout = nil }, "layout is missing"),
			Entry("no vertex shader", func(r *RenderPipelineDesc) { r.Vertex = nil }, "vertex shader is missing"),
			Entry("released shader", func(r *RenderPipelineDesc) { s.shader.Release() }, "released"),
			Entry("wrong entry point", func(r *RenderPipelineDesc) { r.VertexEntry = "nope" }, "nope"),
			Entry("entry point with a NUL", func(r *RenderPipelineDesc) { r.VertexEntry = "vs\x00" }, "no name"),
			Entry("entry point that is not UTF-8", func(r *RenderPipelineDesc) { r.FragmentEntry = "fs\xff" }, "not UTF-8"),
			Entry("nothing to draw into", func(r *RenderPipelineDesc) { r.Fragment, r.Targets = nil, nil }, "draws nothing"),
			Entry("targets and no fragment shader", func(r *RenderPipelineDesc) { r.Fragment = nil }, "no fragment shader"),
			Entry("unknown target format", func(r *RenderPipelineDesc) { r.Targets[0].Format = "x" }, "color target 0"),
			Entry("target format of another kind", func(r *RenderPipelineDesc) { r.Targets[0].Format = composer.RGBA8Uint }, "pipeline"),
			Entry("depth state without a format", func(r *RenderPipelineDesc) { r.DepthStencil = &composer.DepthStencil{} }, "neither depth nor stencil"),
			Entry("depth state with a color format", func(r *RenderPipelineDesc) { r.DepthStencil = &composer.DepthStencil{Format: composer.R8Unorm} }, "neither depth nor stencil"),
			Entry("unknown comparison", func(r *RenderPipelineDesc) {
				r.DepthStencil = &composer.DepthStencil{Format: composer.Depth32Float, Compare: "near"}
			}, "near"),
			Entry("unknown stencil operation", func(r *RenderPipelineDesc) {
				r.DepthStencil = &composer.DepthStencil{Format: composer.Depth24PlusStencil8, Back: composer.StencilFace{Pass: "wrap"}}
			}, "wrap"),
			Entry("unknown topology", func(r *RenderPipelineDesc) { r.Topology = "quads" }, "quads"),
			Entry("unknown cull mode", func(r *RenderPipelineDesc) { r.Cull = "both" }, "both"),
			Entry("unknown winding", func(r *RenderPipelineDesc) { r.FrontFace = "left" }, "left"),
			Entry("strip indices of a list", func(r *RenderPipelineDesc) { r.StripIndex = "uint32" }, "no strip"),
			Entry("unknown strip indices", func(r *RenderPipelineDesc) { r.Topology, r.StripIndex = composer.LineStrip, "uint8" }, "uint8"),
			Entry("2 samples", func(r *RenderPipelineDesc) { r.Samples = 2 }, "want 1 or 4"),
			Entry("alpha to coverage of one sample", func(r *RenderPipelineDesc) { r.AlphaToCoverage = true }, "4 samples"),
			Entry("dual-source blending", func(r *RenderPipelineDesc) {
				r.Targets[0].Blend = &composer.Blend{Color: composer.BlendComponent{Src: composer.FactorSrc1}}
			}, "dual-source"),
			Entry("unknown blend operation", func(r *RenderPipelineDesc) {
				r.Targets[0].Blend = &composer.Blend{Alpha: composer.BlendComponent{Operation: "mul"}}
			}, "mul"),
			Entry("unknown write mask", func(r *RenderPipelineDesc) { r.Targets[0].Write = 32 }, "write mask"),
			Entry("vertex format that this backend lacks", func(r *RenderPipelineDesc) { r.Buffers = withFormat(composer.Unorm8) }, "unorm8"),
			Entry("vertex attribute without a format", func(r *RenderPipelineDesc) { r.Buffers = withFormat("") }, "vertex format"),
			Entry("vertex attribute beyond the stride", func(r *RenderPipelineDesc) {
				r.Buffers = withFormat(composer.Float32x4)
				r.Buffers[0].Stride = 8
			}, "beyond the stride"),
			Entry("stride that is not aligned", func(r *RenderPipelineDesc) {
				r.Buffers = withFormat(composer.Float32x2)
				r.Buffers[0].Stride = 10
			}, "multiple of 4"),
			Entry("unknown step mode", func(r *RenderPipelineDesc) {
				r.Buffers = withFormat(composer.Float32x4)
				r.Buffers[0].Step = "patch"
			}, "patch"),
			Entry("vertex attribute that the shader reads and the layout lacks", func(r *RenderPipelineDesc) { r.Buffers = nil }, "pipeline"),
		)

		It("reports a shader with the compiler's own text", func() {
			_, err := d.CreateShader("bad", "fn f() -> f32 {\n  return 1u;\n}")
			var e *ShaderError
			Expect(err).To(BeAssignableToTypeOf(e))
			Expect(err.Error()).To(And(HavePrefix(`shader "bad" does not compile:`), ContainSubstring("┌─ bad:1:1"), Not(ContainSubstring("wgpuDevice"))))
			_, err = d.CreateShader("bad", "fn f( {")
			Expect(err).To(MatchError(ContainSubstring("┌─ wgsl:1:7")))
			works()
		})
	})

	Describe("when drawing", func() {
		DescribeTable("is an error of the pass, by its name", func(do func(), want string) {
			begin()
			do()
			Expect(pass.End()).To(MatchError(And(HavePrefix(`pass "main": `), ContainSubstring(want))))
			Expect(enc.Submit()).To(MatchError(ContainSubstring(want)), "the encoder keeps the error")
			works()
		},
			Entry("no pipeline", func() { pass.Draw(3, 1, 0, 0) }, "draw 1: no pipeline"),
			Entry("pipeline missing", func() { pass.SetPipeline(nil) }, "missing"),
			Entry("pipeline for another target", func() {
				pass.SetPipeline(newScene(d, func(r *RenderPipelineDesc) { r.Targets[0].Format = composer.RGBA16Float }).pipeline)
			}, "draws into rgba16float"),
			Entry("pipeline for 4 samples", func() { pass.SetPipeline(newScene(d, func(r *RenderPipelineDesc) { r.Samples = 4 }).pipeline) }, "4 samples"),
			Entry("bind group not set", func() { pass.SetPipeline(s.pipeline); pass.SetVertexBuffer(0, s.vertices, 0, 0); pass.Draw(3, 1, 0, 0) }, "bind group 0 is not set"),
			Entry("bind group missing", func() { pass.SetBindGroup(0, nil) }, "missing"),
			Entry("bind group out of range", func() { pass.SetBindGroup(99, s.group) }, "bind group 99"),
			Entry("negative bind group", func() { pass.SetBindGroup(-1, s.group) }, "bind group -1"),
			Entry("bind group with an offset too many", func() { pass.SetBindGroup(0, s.group, 0) }, "dynamic offsets"),
			Entry("bind group of another layout", func() {
				l := must(d.CreateBindGroupLayout("other", []composer.BindGroupEntry{{Decl: composer.Binding{Name: "x", Kind: composer.BindStorage, Visibility: composer.StageFragment}}}))
				g := must(d.CreateBindGroup(l, []BindEntry{{Buffer: buf}}))
				pass.SetPipeline(s.pipeline)
				pass.SetVertexBuffer(0, s.vertices, 0, 0)
				pass.SetBindGroup(0, g)
				pass.Draw(3, 1, 0, 0)
			}, "index 0"),
			Entry("vertex buffer not set", func() { pass.SetPipeline(s.pipeline); pass.SetBindGroup(0, s.group); pass.Draw(3, 1, 0, 0) }, "vertex buffer 0 (position) is not set"),
			Entry("vertex buffer missing", func() { pass.SetVertexBuffer(0, nil, 0, 0) }, "missing"),
			Entry("vertex buffer without the usage", func() { pass.SetVertexBuffer(0, s.uniforms, 0, 0) }, "usage"),
			Entry("vertex buffer out of range", func() { pass.SetVertexBuffer(16, buf, 0, 0) }, "vertex buffer 16"),
			Entry("vertex buffer beyond the end", func() { pass.SetVertexBuffer(0, buf, 60, 8) }, "beyond"),
			Entry("vertex buffer of nothing", func() { pass.SetVertexBuffer(0, buf, 64, 0) }, "nothing is left"),
			Entry("vertex buffer not aligned", func() { pass.SetVertexBuffer(0, buf, 2, 0) }, "multiple of 4"),
			Entry("too few vertices", func() { s.draw(pass, 4, 0) }, "too small for 4 vertices"),
			Entry("too few vertices from there on", func() { s.draw(pass, 3, 1) }, "too small for 3 vertices"),
			Entry("negative vertices", func() { s.draw(pass, -1, 0) }, "not within"),
			Entry("overflow of vertices", func() { s.draw(pass, 1<<32, 1<<32) }, "not within"),
			Entry("indices and no buffer", func() { s.draw(pass, 0, 0); pass.DrawIndexed(3, 1, 0, 0, 0) }, "draw 2: no index buffer"),
			Entry("too few indices", func() { s.draw(pass, 0, 0); pass.SetIndexBuffer(buf, "uint32", 0, 0); pass.DrawIndexed(17, 1, 0, 0, 0) }, "17 indices from 0 on, but 16"),
			Entry("unknown index format", func() { pass.SetIndexBuffer(buf, "uint8", 0, 0) }, "uint8"),
			Entry("index buffer not aligned", func() { pass.SetIndexBuffer(buf, "uint32", 2, 0) }, "multiple of 4"),
			Entry("indirect arguments beyond the end", func() { s.draw(pass, 0, 0); pass.DrawIndirect(buf, 52) }, "beyond"),
			Entry("indirect arguments missing", func() { s.draw(pass, 0, 0); pass.DrawIndirect(nil, 0) }, "missing"),
			Entry("viewport too large", func() { pass.SetViewport(0, 0, 9, 8, 0, 1) }, "not within 8x8"),
			Entry("viewport that is no number", func() { pass.SetViewport(0, 0, float(floats(0)), 8, 0, 1) }, "viewport"),
			Entry("viewport with depth 2", func() { pass.SetViewport(0, 0, 8, 8, 0, 2) }, "depth"),
			Entry("scissor too large", func() { pass.SetScissor(4, 0, 5, 8) }, "not within 8x8"),
			Entry("scissor that overflows", func() { pass.SetScissor(1<<31, 0, 1<<32-1, 8) }, "not within 8x8"),
		)

		DescribeTable("is an error when the pass begins", func(desc func() RenderPassDesc, want string) {
			_, err := enc.BeginRenderPass(desc())
			Expect(err).To(MatchError(ContainSubstring(want)))
			Expect(enc.Submit()).To(MatchError(ContainSubstring(want)))
			works()
		},
			Entry("no target", func() RenderPassDesc { return RenderPassDesc{Label: "main"} }, `pass "main": it has no target`),
			Entry("empty targets", func() RenderPassDesc { return RenderPassDesc{Color: []ColorAttachment{{}, {}}} }, "no target"),
			Entry("nine targets", func() RenderPassDesc { return RenderPassDesc{Color: make([]ColorAttachment, 9)} }, "more than 8"),
			Entry("resolve of nothing", func() RenderPassDesc { return RenderPassDesc{Color: []ColorAttachment{{Resolve: v}}} }, "no view"),
			Entry("resolve of one sample", func() RenderPassDesc { return RenderPassDesc{Color: []ColorAttachment{{View: v, Resolve: v}}} }, "cannot be resolved"),
			Entry("depth missing", func() RenderPassDesc { return RenderPassDesc{Color: black(v), Depth: &DepthAttachment{}} }, "missing"),
			Entry("color as depth", func() RenderPassDesc { return RenderPassDesc{Depth: &DepthAttachment{View: v}} }, "neither depth nor stencil"),
			Entry("depth as color", func() RenderPassDesc {
				_, z := target(d, 8, 8, func(t *TextureDesc) { t.Format = composer.Depth32Float })
				return RenderPassDesc{Color: black(z)}
			}, "is no color"),
			Entry("depth of another size", func() RenderPassDesc {
				_, z := target(d, 8, 9, func(t *TextureDesc) { t.Format = composer.Depth32Float })
				return RenderPassDesc{Color: black(v), Depth: &DepthAttachment{View: z}}
			}, "is 8x9"),
			Entry("depth of other samples", func() RenderPassDesc {
				_, z := target(d, 8, 8, func(t *TextureDesc) { t.Format, t.Samples, t.Usage = composer.Depth32Float, 4, TextureTarget })
				return RenderPassDesc{Color: black(v), Depth: &DepthAttachment{View: z}}
			}, "4 samples"),
			Entry("depth cleared to 2", func() RenderPassDesc {
				_, z := target(d, 8, 8, func(t *TextureDesc) { t.Format = composer.Depth32Float })
				two := float32(2)
				return RenderPassDesc{Depth: &DepthAttachment{View: z, ClearDepth: &two}}
			}, "not within 0…1"),
			Entry("texture that is no target", func() RenderPassDesc {
				_, x := target(d, 8, 8, func(t *TextureDesc) { t.Usage = TextureSampled })
				return RenderPassDesc{Color: black(x)}
			}, "without TextureTarget"),
			Entry("view of all mips", func() RenderPassDesc {
				_, x := target(d, 8, 8, func(t *TextureDesc) { t.Mips = 4 })
				return RenderPassDesc{Color: black(x)}
			}, "one mip level"),
			Entry("released view", func() RenderPassDesc {
				v2 := must(d.CreateView(t, ViewDesc{}))
				v2.Release()
				return RenderPassDesc{Color: black(v2)}
			}, "was released"),
		)

		It("refuses a pass that was not ended", func() {
			begin()
			_, err := enc.BeginRenderPass(RenderPassDesc{Label: "second", Color: black(v)})
			Expect(err).To(MatchError(ContainSubstring(`pass "main" was not ended`)))
			Expect(enc.Submit()).To(MatchError(ContainSubstring(`pass "main" was not ended`)))
			pass.Draw(3, 1, 0, 0) // on a pass whose encoder is gone
			Expect(pass.End()).To(MatchError(ContainSubstring("already ended")))
			works()
		})

		It("refuses a pass that is ended twice or goes on after its end", func() {
			begin()
			Expect(pass.End()).To(Succeed())
			Expect(pass.End()).To(MatchError(ContainSubstring("already ended")))
			s.draw(pass, 3, 0)
			Expect(enc.Submit()).To(MatchError(ContainSubstring("already ended")))
			works()
		})

		It("refuses to submit twice, or after a release", func() {
			begin()
			Expect(pass.End()).To(Succeed())
			Expect(enc.Submit()).To(Succeed())
			Expect(enc.Submit()).To(MatchError(ContainSubstring("already submitted")))
			enc.Release()
			e := must(d.NewEncoder("gone"))
			e.Release()
			e.Release()
			Expect(e.Submit()).To(MatchError(ErrReleased))
			_, err := e.BeginRenderPass(RenderPassDesc{Color: black(v)})
			Expect(err).To(MatchError(ErrReleased))
			works()
		})

		It("sees a conflict that only the backend knows of, by the pass's name", func() {
			// Group 0 samples the target itself.
			l := must(d.CreateBindGroupLayout("sampled", []composer.BindGroupEntry{{Decl: composer.Binding{Name: "t", Kind: composer.BindTexture, Visibility: composer.StageFragment}}}))
			g := must(d.CreateBindGroup(l, []BindEntry{{View: v}}))
			begin()
			pass.SetBindGroup(0, g)
			Expect(pass.End()).To(MatchError(HavePrefix(`pass "main": `)))
			Expect(enc.Submit()).NotTo(Succeed())
			works()
		})
	})

	Describe("of released objects", func() {
		It("is an error where they are used", func() {
			buf.Release()
			buf.Release()
			Expect(d.WriteBuffer(buf, 0, words(1))).To(MatchError(ErrReleased))
			_, err := d.ReadBuffer(buf, 0, 4)
			Expect(err).To(MatchError(ErrReleased))
			_, err = d.CreateBindGroup(s.groups, []BindEntry{{Buffer: buf}})
			Expect(err).To(MatchError(ErrReleased))
			begin()
			pass.SetVertexBuffer(0, buf, 0, 0)
			Expect(pass.End()).To(MatchError(ErrReleased))
			works()
		})
		DescribeTable("is an error of the submission", func(release func()) {
			begin()
			s.draw(pass, 3, 0)
			Expect(pass.End()).To(Succeed())
			release()
			err := enc.Submit()
			Expect(err).To(MatchError(ErrReleased))
			Expect(err).To(MatchError(HavePrefix(`encoder "frame": `)))
		},
			Entry("vertex buffer", func() { s.vertices.Release() }),
			Entry("uniform buffer in a bind group", func() { s.uniforms.Release() }),
			Entry("bind group", func() { s.group.Release() }),
			Entry("pipeline", func() { s.pipeline.Release() }),
			Entry("target view", func() { v.Release() }),
			Entry("target texture", func() { t.Release() }),
		)
		It("is an error of the pass where a bind group still names them", func() {
			s.uniforms.Release()
			begin()
			pass.SetBindGroup(0, s.group)
			Expect(pass.End()).To(MatchError(ErrReleased))
		})
		It("is none where they are no longer needed", func() {
			s.shader.Release()
			s.layout.Release()
			s.groups.Release()
			works()
		})
		It("is an error on nothing and on another device", func() {
			var none *Buffer
			none.Release()
			(&Buffer{}).Release()
			(*Texture)(nil).Release()
			(*Encoder)(nil).Release()
			Expect((*Encoder)(nil).Submit()).NotTo(Succeed())
			Expect(d.WriteBuffer(nil, 0, words(1))).To(MatchError(ContainSubstring("missing")))
			Expect(d.WriteBuffer(&Buffer{}, 0, words(1))).To(MatchError(ContainSubstring("missing")))
			other := open()
			Expect(other.WriteBuffer(buf, 0, words(1))).To(MatchError(ContainSubstring("another device")))
			works()
		})
	})

	Describe("of memory", func() {
		DescribeTable("is an error at once", func(do func() error, want string) {
			Expect(do()).To(MatchError(ContainSubstring(want)))
			works()
		},
			Entry("write beyond the buffer", func() error { return d.WriteBuffer(buf, 60, words(1, 2)) }, "beyond"),
			Entry("write at an offset that overflows", func() error { return d.WriteBuffer(buf, 1<<64-4, words(1, 2)) }, "beyond"),
			Entry("write not aligned", func() error { return d.WriteBuffer(buf, 2, words(1)) }, "multiple of 4"),
			Entry("write of 3 bytes amid others", func() error { return d.WriteBuffer(buf, 0, []byte{1, 2, 3}) }, "multiple of 4"),
			Entry("write without the usage", func() error {
				return d.WriteBuffer(must(d.CreateBuffer(BufferDesc{Size: 4, Usage: UsageVertex})), 0, words(1))
			}, "UsageCopyDst"),
			Entry("texture write without the usage", func() error { return d.WriteTexture(t, 0, 0, make([]byte, 256), 0, 8, 8) }, "TextureCopyDst"),
			Entry("texture write of too little", func() error {
				x, _ := target(d, 8, 8, func(t *TextureDesc) { t.Usage |= TextureCopyDst })
				return d.WriteTexture(x, 0, 0, make([]byte, 255), 0, 8, 8)
			}, "too few"),
			Entry("texture write with rows too short", func() error {
				x, _ := target(d, 8, 8, func(t *TextureDesc) { t.Usage |= TextureCopyDst })
				return d.WriteTexture(x, 0, 0, make([]byte, 256), 16, 8, 8)
			}, "too few"),
			Entry("texture write beyond the edge", func() error {
				x, _ := target(d, 8, 8, func(t *TextureDesc) { t.Usage |= TextureCopyDst })
				return d.WriteTexture(x, 0, 0, make([]byte, 4096), 0, 9, 8)
			}, "not within"),
			Entry("texture write to a mip that is not there", func() error { return d.WriteTexture(t, 1, 0, make([]byte, 256), 0, 4, 4) }, "no level 1"),
			Entry("texture write to a layer that is not there", func() error { return d.WriteTexture(t, 0, 1, make([]byte, 256), 0, 8, 8) }, "no layer 1"),
			Entry("write of depth", func() error {
				z, _ := target(d, 8, 8, func(t *TextureDesc) { t.Format, t.Usage = composer.Depth32Float, TextureTarget|TextureCopyDst })
				return d.WriteTexture(z, 0, 0, make([]byte, 256), 0, 8, 8)
			}, "cannot be written"),
			Entry("read of a multisampled texture", func() error {
				x, _ := target(d, 8, 8, func(t *TextureDesc) { t.Samples = 4 })
				_, err := d.ReadTexture(x, 0, 0)
				return err
			}, "resolve it first"),
			Entry("read of a depth that is not copied", func() error {
				x, _ := target(d, 8, 8, func(t *TextureDesc) { t.Format = composer.Depth24PlusStencil8 })
				_, err := d.ReadTexture(x, 0, 0)
				return err
			}, "use depth32float"),
			Entry("read without the usage", func() error {
				x, _ := target(d, 8, 8, func(t *TextureDesc) { t.Usage = TextureTarget })
				_, err := d.ReadTexture(x, 0, 0)
				return err
			}, "TextureCopySrc"),
			Entry("read of a mip that is not there", func() error { _, err := d.ReadTexture(t, 7, 0); return err }, "no level 7"),
			Entry("read beyond the buffer", func() error { _, err := d.ReadBuffer(buf, 64, 4); return err }, "beyond"),
			Entry("read not aligned", func() error { _, err := d.ReadBuffer(buf, 0, 3); return err }, "aligned"),
			Entry("read of the stencil of a color", func() error { _, err := d.ReadAspect(t, 0, 0, StencilOnly); return err }, "no aspect"),
			Entry("ring of no slots", func() error { _, err := d.NewReadback(0); return err }, "0 slots"),
		)
		DescribeTable("is an error of the copy and the encoder", func(do func() error, want string) {
			Expect(do()).To(MatchError(ContainSubstring(want)))
			Expect(enc.Submit()).To(MatchError(ContainSubstring(want)))
			works()
		},
			Entry("rows of 400 bytes", func() error { return enc.CopyTextureToBuffer(TexturePlace{Texture: t}, "", buf, 0, 400, 8, 8) }, "multiple of 256"),
			Entry("rows of 0 bytes", func() error { return enc.CopyTextureToBuffer(TexturePlace{Texture: t}, "", buf, 0, 0, 8, 8) }, "multiple of 256"),
			Entry("buffer too small", func() error { return enc.CopyTextureToBuffer(TexturePlace{Texture: t}, "", buf, 0, 256, 8, 8) }, "beyond the buffer"),
			Entry("texture too small", func() error { return enc.CopyTextureToBuffer(TexturePlace{Texture: t, X: 4}, "", buf, 0, 256, 8, 1) }, "beyond level 0"),
			Entry("negative place", func() error { return enc.CopyTextureToBuffer(TexturePlace{Texture: t, Y: -1}, "", buf, 0, 256, 8, 1) }, "beyond level 0"),
			Entry("to a texture without the usage", func() error { return enc.CopyBufferToTexture(buf, 0, 256, TexturePlace{Texture: t}, 8, 1) }, "TextureCopyDst"),
			Entry("buffer to itself", func() error { return enc.CopyBuffer(buf, 0, buf, 16, 16) }, "itself"),
			Entry("buffer from nothing", func() error { return enc.CopyBuffer(nil, 0, buf, 16, 16) }, "source is missing"),
			Entry("buffer to a released one", func() error {
				b := must(d.CreateBuffer(BufferDesc{Size: 16, Usage: UsageCopyDst}))
				b.Release()
				return enc.CopyBuffer(buf, 0, b, 0, 16)
			}, "released"),
			Entry("texture to itself", func() error { return enc.CopyTexture(t, t) }, "itself"),
			Entry("texture to another shape", func() error {
				x, _ := target(d, 8, 9, func(t *TextureDesc) { t.Usage |= TextureCopyDst })
				return enc.CopyTexture(t, x)
			}, "differ"),
			Entry("texture from nothing", func() error { return enc.CopyTexture(nil, t) }, "source is missing"),
		)
	})

	Describe("when computing", func() {
		It("is an error of the pass", func() {
			m := must(d.CreateShader("c", "@compute @workgroup_size(1) fn main() {}"))
			l := must(d.CreatePipelineLayout("c", nil))
			p := must(d.CreateComputePipeline("c", l, m))
			for _, do := range []func(*ComputePass){
				func(c *ComputePass) { c.DispatchWorkgroups(1, 1, 1) },
				func(c *ComputePass) { c.SetPipeline(nil) },
				func(c *ComputePass) { c.Dispatch(p, nil, -1, 1, 1) },
				func(c *ComputePass) { c.Dispatch(p, nil, 1<<20, 1, 1) },
				func(c *ComputePass) { c.Dispatch(p, []*BindGroup{nil}, 1, 1, 1) },
			} {
				e := must(d.NewEncoder("compute"))
				c := must(e.BeginComputePass("steps"))
				do(c)
				Expect(c.End()).To(MatchError(HavePrefix(`pass "steps": `)))
				Expect(e.Submit()).NotTo(Succeed())
			}
			_, err := d.CreateComputePipeline("c", nil, m)
			Expect(err).To(MatchError(ContainSubstring("missing")))
			works()
		})
	})

	It("of a closed device is an error", func() {
		x, err := Open(Options{})
		Expect(err).NotTo(HaveOccurred())
		sc := newScene(x, nil)
		e := must(x.NewEncoder("frame"))
		tx, vx := target(x, 8, 8)
		p := must(e.BeginRenderPass(RenderPassDesc{Color: black(vx)}))
		x.Close()
		x.Close()
		sc.draw(p, 3, 0)
		Expect(p.End()).NotTo(Succeed())
		Expect(e.Submit()).NotTo(Succeed())
		_, err = x.ReadTexture(tx, 0, 0)
		Expect(err).To(MatchError(ErrReleased))
		_, err = x.CreateBuffer(BufferDesc{Size: 4, Usage: UsageVertex})
		Expect(err).To(MatchError(ErrReleased))
		Expect(x.Sync()).To(MatchError(ErrReleased))
		tx.Release()
		Expect(x.Live()).To(BeEmpty())
		works()
	})
})

func withFormat(f composer.VertexFormat) []composer.VertexBuffer {
	return []composer.VertexBuffer{{Name: "position", Attributes: []composer.VertexBufferAttribute{{Attribute: composer.Attribute{Name: "position", Format: f}}}}}
}
