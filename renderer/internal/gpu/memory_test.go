package gpu

import (
	"bytes"
	"fmt"
	"runtime"
	"strings"
	"time"

	"darkroom/composer"
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

// pattern is n bytes, no two neighbours of which are alike.
func pattern(n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(i*7 + i>>8)
	}
	return b
}

var _ = Describe("memory", func() {
	var d *Device
	BeforeEach(func() { d = open() })

	const all = UsageVertex | UsageCopySrc | UsageCopyDst

	DescribeTable("of buffers is written and read back", func(size, offset, n int) {
		b := must(d.CreateBuffer(BufferDesc{Label: "b", Size: uint64(size), Usage: all}))
		want := make([]byte, size)
		copy(want[offset:], pattern(n))
		Expect(d.WriteBuffer(b, uint64(offset), pattern(n))).To(Succeed())
		Expect(must(d.ReadBuffer(b, 0, 0))).To(Equal(want))
		if n >= 4 {
			Expect(must(d.ReadBuffer(b, uint64(offset), uint64(n)))).To(Equal(pattern(n)))
		}
	},
		Entry(nil, 4, 0, 4), Entry(nil, 1, 0, 1), Entry(nil, 7, 0, 7), Entry(nil, 10, 8, 2), Entry(nil, 64, 16, 32), Entry(nil, 64, 16, 0),
		Entry(nil, 3, 0, 0), Entry("more than is read at a time", bandBytes+12, bandBytes, 12),
	)

	It("next to a write stays as it is", func() {
		b := must(d.CreateBuffer(BufferDesc{Size: 9, Usage: all}))
		Expect(d.WriteBuffer(b, 0, []byte{1, 2, 3, 4, 5, 6, 7, 8, 9})).To(Succeed())
		Expect(d.WriteBuffer(b, 4, []byte{50, 60, 70})).NotTo(Succeed())
		Expect(d.WriteBuffer(b, 8, []byte{90})).To(Succeed())
		Expect(must(d.ReadBuffer(b, 0, 9))).To(Equal([]byte{1, 2, 3, 4, 5, 6, 7, 8, 90}))
	})

	DescribeTable("of textures is written and read back, whatever the format", func(f composer.TextureFormat, w, h, bytesPerRow int) {
		if bw, _, _ := f.Block(); bw > 1 && !d.Has("texture-compression-bc") {
			Skip("the adapter has no BC textures")
		}
		t := must(d.CreateTexture(TextureDesc{Label: "t", Width: w, Height: h, Format: f, Usage: TextureSampled | TextureCopySrc | TextureCopyDst}))
		bw, bh, size := f.Block()
		rows, row := (h+bh-1)/bh, (w+bw-1)/bw*size
		want := pattern(rows * row)
		data := want
		if bytesPerRow > row {
			data = nil // padded rows, the last without its padding
			for y := range rows {
				data = append(data, want[y*row:(y+1)*row]...)
				if y < rows-1 {
					data = append(data, bytes.Repeat([]byte{0xEE}, bytesPerRow-row)...)
				}
			}
		}
		Expect(d.WriteTexture(t, 0, 0, data, bytesPerRow, w, h)).To(Succeed())
		Expect(must(d.ReadTexture(t, 0, 0))).To(Equal(want))
	},
		Entry(nil, composer.R8Unorm, 13, 5, 0), Entry(nil, composer.RG8Unorm, 13, 5, 0), Entry(nil, composer.RGBA8Unorm, 65, 9, 0),
		Entry(nil, composer.RGBA8UnormSRGB, 65, 9, 0), Entry(nil, composer.BGRA8Unorm, 3, 3, 0), Entry(nil, composer.R16Float, 7, 2, 0),
		Entry(nil, composer.RGB10A2Unorm, 7, 2, 0), Entry(nil, composer.RG11B10UFloat, 7, 2, 0), Entry(nil, composer.RGB9E5UFloat, 7, 2, 0),
		Entry(nil, composer.RG32Uint, 9, 2, 0), Entry(nil, composer.RGBA16Uint, 9, 2, 0), Entry(nil, composer.RGBA32Uint, 17, 3, 0),
		Entry(nil, composer.Stencil8, 13, 5, 0), Entry(nil, composer.Depth16Unorm, 13, 5, 0),
		Entry(nil, composer.BC1RGBAUnorm, 12, 8, 0), Entry(nil, composer.BC3RGBAUnorm, 12, 8, 0), Entry(nil, composer.BC7RGBAUnormSRGB, 132, 8, 0),
		Entry("rows of 100", composer.RGBA8Unorm, 20, 7, 100), Entry("rows of 256", composer.RGBA8Unorm, 20, 7, 256), Entry("rows of 500", composer.RGBA8Unorm, 100, 7, 500),
	)

	It("of mip levels and layers is apart", func() {
		t := must(d.CreateTexture(TextureDesc{Width: 8, Height: 8, Layers: 3, Mips: 4, Format: composer.R8Unorm, Usage: TextureSampled | TextureCopySrc | TextureCopyDst}))
		for layer := range 3 {
			for mip := range 4 {
				n := 8 >> mip
				Expect(d.WriteTexture(t, mip, layer, bytes.Repeat([]byte{byte(10*layer + mip + 1)}, n*n), 0, n, n)).To(Succeed())
			}
		}
		for layer := range 3 {
			for mip := range 4 {
				n := 8 >> mip
				Expect(must(d.ReadTexture(t, mip, layer))).To(Equal(bytes.Repeat([]byte{byte(10*layer + mip + 1)}, n*n)))
			}
		}
	})

	It("of compressed mip levels smaller than a block is written", func() {
		if !d.Has("texture-compression-bc") {
			Skip("the adapter has no BC textures")
		}
		t := must(d.CreateTexture(TextureDesc{Width: 8, Height: 8, Mips: 4, Format: composer.BC1RGBAUnorm, Usage: TextureSampled | TextureCopySrc | TextureCopyDst}))
		for mip := range 4 {
			n := 8 >> mip
			blocks := max(1, n/4)
			data := pattern(blocks * blocks * 8)
			Expect(d.WriteTexture(t, mip, 0, data, 0, n, n)).To(Succeed())
			Expect(must(d.ReadTexture(t, mip, 0))).To(Equal(data))
		}
	})

	It("of 3D textures is written and read slice by slice", func() {
		t := must(d.CreateTexture(TextureDesc{Width: 4, Height: 4, Depth: 4, Mips: 2, Format: composer.R8Unorm, Dimension: composer.View3D, Usage: TextureSampled | TextureCopySrc | TextureCopyDst}))
		must(d.CreateView(t, ViewDesc{}))
		for z := range 4 {
			Expect(d.WriteTexture(t, 0, z, bytes.Repeat([]byte{byte(z + 1)}, 16), 0, 4, 4)).To(Succeed())
		}
		Expect(must(d.ReadTexture(t, 0, 2))).To(Equal(bytes.Repeat([]byte{3}, 16)))
		_, err := d.ReadTexture(t, 1, 2)
		Expect(err).To(MatchError(ContainSubstring("no layer 2")))
	})

	It("that is new is zero", func() {
		t := must(d.CreateTexture(TextureDesc{Width: 33, Height: 3, Format: composer.RGBA8Unorm, Usage: TextureCopySrc}))
		Expect(must(d.ReadTexture(t, 0, 0))).To(Equal(make([]byte, 33*3*4)))
		b := must(d.CreateBuffer(BufferDesc{Size: 40, Usage: all}))
		Expect(must(d.ReadBuffer(b, 0, 0))).To(Equal(make([]byte, 40)))
	})

	It("is read in bands where a picture is large", func() {
		const stride = 8192
		h := bandBytes/stride + 5
		if h > d.MaxTextureSize() {
			Skip("the adapter's textures are smaller than a band")
		}
		t := must(d.CreateTexture(TextureDesc{Width: stride / 4, Height: h, Format: composer.RGBA8Unorm, Usage: TextureCopySrc | TextureCopyDst}))
		row := pattern(stride)
		Expect(d.WriteTexture(t, 0, 0, bytes.Repeat(row, h), 0, stride/4, h)).To(Succeed())
		pix := must(d.ReadTexture(t, 0, 0))
		Expect(pix).To(HaveLen(h * stride))
		Expect(bytes.Equal(pix, bytes.Repeat(row, h))).To(BeTrue())
	})

	It("is copied between buffers and textures", func() {
		b := must(d.CreateBuffer(BufferDesc{Size: 1024, Usage: all}))
		Expect(d.WriteBuffer(b, 0, pattern(1024))).To(Succeed())
		from := must(d.CreateTexture(TextureDesc{Width: 8, Height: 4, Mips: 2, Format: composer.RGBA8Unorm, Usage: TextureCopySrc | TextureCopyDst}))
		to := must(d.CreateTexture(TextureDesc{Width: 8, Height: 4, Mips: 2, Format: composer.RGBA8Unorm, Usage: TextureCopySrc | TextureCopyDst}))
		back := must(d.CreateBuffer(BufferDesc{Size: 1024, Usage: all}))
		e := must(d.NewEncoder("copies"))
		Expect(e.CopyBufferToTexture(b, 0, 256, TexturePlace{Texture: from}, 8, 4)).To(Succeed())
		Expect(e.CopyTexture(from, to)).To(Succeed())
		Expect(e.CopyTextureRegion(TexturePlace{Texture: from, X: 6, Y: 2}, TexturePlace{Texture: to, Mip: 1}, 2, 2, 1)).To(Succeed())
		Expect(e.CopyTextureToBuffer(TexturePlace{Texture: to}, "", back, 0, 256, 8, 4)).To(Succeed())
		Expect(e.CopyBuffer(b, 32, back, 32, 16)).To(Succeed())
		Expect(e.Submit()).To(Succeed())
		got, want := must(d.ReadBuffer(back, 0, 0)), pattern(1024)
		for y := range 4 {
			Expect(got[y*256 : y*256+32]).To(Equal(want[y*256 : y*256+32]))
		}
		Expect(got[32:48]).To(Equal(want[32:48]))
		Expect(must(d.ReadTexture(to, 1, 0))[:8]).To(Equal(want[2*256+24 : 2*256+32]))
	})

	It("is computed in", func() {
		m := must(d.CreateShader("double", `
@group(0) @binding(0) var<storage, read_write> v: array<u32>;
@compute @workgroup_size(4) fn main(@builtin(global_invocation_id) i: vec3<u32>) { v[i.x] = v[i.x] * 2u; }`))
		l := must(d.CreateBindGroupLayout("double", []composer.BindGroupEntry{{Decl: composer.Binding{Name: "v", Kind: composer.BindStorage, Access: composer.AccessReadWrite, Visibility: composer.StageCompute}}}))
		p := must(d.CreateComputePipeline("double", must(d.CreatePipelineLayout("double", []*BindGroupLayout{l})), m))
		b := must(d.CreateBuffer(BufferDesc{Size: 32, Usage: UsageStorage | UsageCopySrc | UsageCopyDst}))
		Expect(d.WriteBuffer(b, 0, words(1, 2, 3, 4, 5, 6, 7, 8))).To(Succeed())
		g := must(d.CreateBindGroup(l, []BindEntry{{Buffer: b}}))
		e := must(d.NewEncoder("double"))
		c := must(e.BeginComputePass("double"))
		c.Dispatch(p, []*BindGroup{g}, 2, 1, 1)
		c.SetPipeline(p)
		c.SetBindGroup(0, g)
		c.DispatchWorkgroups(1, 1, 1)
		c.DispatchWorkgroups(0, 1, 1)
		Expect(c.End()).To(Succeed())
		Expect(e.Submit()).To(Succeed())
		Expect(must(d.ReadBuffer(b, 0, 0))).To(Equal(words(4, 8, 12, 16, 10, 12, 14, 16)))
	})

	It("is waited for longer than the backend would", func() {
		// wgpu-core gives up after 5 s and returns what is there, zeros. The
		// work is sized on this machine to take about 7 s.
		m := must(d.CreateShader("slow", `
@group(0) @binding(0) var<storage, read_write> out: array<u32>;
@compute @workgroup_size(64) fn main(@builtin(workgroup_id) g: vec3<u32>, @builtin(num_workgroups) n: vec3<u32>, @builtin(local_invocation_index) l: u32) {
  var x = g.x + l + 1u;
  for (var i = 0u; i < 20000u; i++) { x = (x << 1u) ^ (x >> 3u) ^ i; }
  if (g.x == n.x - 1u) { out[0] = 123u; }
  if (x == 7u) { out[1] = x; }
}`))
		l := must(d.CreateBindGroupLayout("slow", []composer.BindGroupEntry{{Decl: composer.Binding{Name: "out", Kind: composer.BindStorage, Access: composer.AccessReadWrite, Visibility: composer.StageCompute}}}))
		p := must(d.CreateComputePipeline("slow", must(d.CreatePipelineLayout("slow", []*BindGroupLayout{l})), m))
		run := func(groups, times int) time.Duration {
			b := must(d.CreateBuffer(BufferDesc{Size: 16, Usage: UsageStorage | UsageCopySrc}))
			defer b.Release()
			g := must(d.CreateBindGroup(l, []BindEntry{{Buffer: b}}))
			e := must(d.NewEncoder("slow"))
			c := must(e.BeginComputePass("slow"))
			for range times {
				c.Dispatch(p, []*BindGroup{g}, groups, 1, 1)
			}
			Expect(c.End()).To(Succeed())
			start := time.Now()
			Expect(e.Submit()).To(Succeed())
			Expect(must(d.ReadBuffer(b, 0, 4))).To(Equal(words(123)))
			return time.Since(start)
		}
		run(1, 1)
		groups := 16
		took := run(groups, 1)
		for took < 200*time.Millisecond && groups < 60000 {
			groups = min(60000, groups*4)
			took = run(groups, 1)
		}
		if d.Info.Type != "cpu" {
			Skip("a GPU's driver resets it for work that long")
		}
		took = run(groups, max(1, int(7*time.Second/took)))
		AddReportEntry("waited", fmt.Sprint(took))
	})

	It("is copied to a ring while the next picture is drawn", func() {
		s := newScene(d, nil)
		ring := must(d.NewReadback(3))
		var tickets []*Ticket
		for i := range 8 {
			w := 5 + i*31
			t, v := target(d, w, 4)
			e := must(d.NewEncoder("frame"))
			p := must(e.BeginRenderPass(RenderPassDesc{Color: []ColorAttachment{{View: v, Clear: &[4]float64{float64(i) / 255, 0, 0, 1}}}}))
			if i == 5 {
				s.draw(p, 3, 0)
			}
			Expect(p.End()).To(Succeed())
			Expect(e.Submit()).To(Succeed())
			tickets = append(tickets, must(ring.Start(t)))
			v.Release()
			t.Release() // the copy is submitted
			runtime.GC()
		}
		for i := len(tickets) - 1; i >= 0; i-- { // in any order, those whose slot was reused too
			w := 5 + i*31
			pix := must(tickets[i].Wait())
			Expect(pix).To(HaveLen(w * 4 * 4))
			Expect(pixel(pix, w, w-1, 0)).To(Equal(fmt.Sprintf("[%d 0 0 255]", i)))
			Expect(must(tickets[i].Wait())).To(Equal(pix), "a second time")
		}
		k := must(ring.Start(must(d.CreateTexture(TextureDesc{Width: 4, Height: 4, Format: composer.RGBA8Unorm, Usage: TextureCopySrc}))))
		ring.Release()
		_, err := k.Wait()
		Expect(err).To(MatchError(ErrReleased))
		_, err = ring.Start(nil)
		Expect(err).To(MatchError(ErrReleased))
	})

	It("is read into a buffer that is given", func() {
		t, v := target(d, 7, 3)
		ring := must(d.NewReadback(1))
		e := must(d.NewEncoder("frame"))
		p := must(e.BeginRenderPass(RenderPassDesc{Color: black(v)}))
		Expect(p.End()).To(Succeed())
		Expect(e.Submit()).To(Succeed())
		buf := make([]byte, 100)
		got := must(must(ring.Start(t)).WaitInto(buf))
		Expect(got).To(HaveLen(84))
		Expect(&got[0]).To(BeIdenticalTo(&buf[0]))
	})

	It("of a copy that took too long makes the device refuse work, and closing it ends", func() {
		out, err := runChild("timeout", "")
		Expect(err).NotTo(HaveOccurred(), out)
		if strings.Contains(out, "read: <nil>") {
			Skip("this driver, like llvmpipe of Mesa 22.3, blocks when it is only asked whether it has finished")
		}
		Expect(out).To(And(ContainSubstring("read: timeout of 50ms"), ContainSubstring("then: timeout of 50ms"), ContainSubstring("next: drawn")))
	})
})
