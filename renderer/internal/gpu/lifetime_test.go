package gpu

import (
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"

	"darkroom/composer"
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

// rss is the resident memory of the process in bytes, 0 where it cannot be known.
func rss() uint64 {
	b, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		return 0
	}
	pages, _ := strconv.ParseUint(strings.Fields(string(b))[1], 10, 64)
	return pages * uint64(os.Getpagesize())
}

var _ = Describe("lifetimes", func() {
	It("are counted by kind, and end with the device", func() {
		d := open()
		s := newScene(d, nil)
		target(d, 4, 4)
		must(d.CreateSampler(SamplerDesc{}))
		must(d.NewReadback(2))
		must(d.NewEncoder("never submitted"))
		Expect(d.Live()).To(Equal(map[string]int{
			"shader": 1, "bind group layout": 1, "pipeline layout": 1, "bind group": 1, "buffer": 2, "render pipeline": 1,
			"texture": 1, "view": 1, "sampler": 1, "readback": 1, "encoder": 1,
		}))
		s.vertices.Release()
		s.vertices.Release()
		Expect(d.Live()["buffer"]).To(Equal(1))
		d.Close()
		Expect(d.Live()).To(BeEmpty())
	})

	It("of what could not be made are none", func() {
		d := open()
		before := d.Live()
		_, err := d.CreateShader("x", "fn")
		Expect(err).To(HaveOccurred())
		_, err = d.CreateTexture(TextureDesc{Width: 4, Height: 4, Format: composer.RGB9E5UFloat, Usage: TextureTarget})
		Expect(err).To(HaveOccurred())
		Expect(d.Live()).To(Equal(before))
	})

	// A device that leaks in the backend makes every later one of the process
	// useless. Each of these leaves something behind that could.
	DescribeTable("of devices end, whatever they were left with", func(leave func(*Device)) {
		for range 3 {
			d := open()
			leave(d)
			d.Close()
		}
		d := open() // probes
		s := newScene(d, nil)
		t, v := target(d, 4, 4)
		e := must(d.NewEncoder("frame"))
		p := must(e.BeginRenderPass(RenderPassDesc{Color: black(v)}))
		s.draw(p, 3, 0)
		Expect(p.End()).To(Succeed())
		Expect(e.Submit()).To(Succeed())
		Expect(pixel(must(d.ReadTexture(t, 0, 0)), 4, 0, 3)).To(Equal(green))
	},
		Entry("nothing", func(*Device) {}),
		Entry("writes that were not submitted", func(d *Device) {
			b := must(d.CreateBuffer(BufferDesc{Size: 4096, Usage: UsageVertex | UsageCopyDst}))
			Expect(d.WriteBuffer(b, 0, make([]byte, 4096))).To(Succeed())
			t, _ := target(d, 4, 4, func(t *TextureDesc) { t.Usage |= TextureCopyDst })
			Expect(d.WriteTexture(t, 0, 0, make([]byte, 64), 0, 4, 4)).To(Succeed())
		}),
		Entry("writes to what was released", func(d *Device) {
			b := must(d.CreateBuffer(BufferDesc{Size: 4096, Usage: UsageVertex | UsageCopyDst}))
			Expect(d.WriteBuffer(b, 0, make([]byte, 4096))).To(Succeed())
			b.Release()
		}),
		Entry("an encoder with an open pass", func(d *Device) {
			s := newScene(d, nil)
			_, v := target(d, 4, 4)
			s.draw(must(must(d.NewEncoder("open")).BeginRenderPass(RenderPassDesc{Color: black(v)})), 3, 0)
		}),
		Entry("an encoder that was not submitted", func(d *Device) {
			s := newScene(d, nil)
			_, v := target(d, 4, 4)
			e := must(d.NewEncoder("kept"))
			p := must(e.BeginRenderPass(RenderPassDesc{Color: black(v)}))
			s.draw(p, 3, 0)
			Expect(p.End()).To(Succeed())
		}),
		Entry("a pass that failed in the backend", func(d *Device) {
			_, v := target(d, 4, 4)
			l := must(d.CreateBindGroupLayout("sampled", []composer.BindGroupEntry{{Decl: composer.Binding{Name: "t", Kind: composer.BindTexture, Visibility: composer.StageFragment}}}))
			g := must(d.CreateBindGroup(l, []BindEntry{{View: v}}))
			e := must(d.NewEncoder("failed"))
			p := must(e.BeginRenderPass(RenderPassDesc{Color: black(v)}))
			p.SetBindGroup(0, g)
			Expect(p.End()).NotTo(Succeed())
		}),
		Entry("objects that could not be made", func(d *Device) {
			_, err := d.CreateShader("x", "fn f() -> f32 { return 1u; }")
			Expect(err).To(HaveOccurred())
			_, err = d.CreateTexture(TextureDesc{Width: 4, Height: 4, Format: composer.RGB9E5UFloat, Usage: TextureTarget})
			Expect(err).To(HaveOccurred())
		}),
		Entry("pictures on their way", func(d *Device) {
			t, v := target(d, 64, 64)
			e := must(d.NewEncoder("frame"))
			p := must(e.BeginRenderPass(RenderPassDesc{Color: black(v)}))
			Expect(p.End()).To(Succeed())
			Expect(e.Submit()).To(Succeed())
			must(must(d.NewReadback(2)).Start(t))
		}),
		Entry("equal layouts made twice", func(d *Device) {
			for range 2 {
				must(d.CreateBindGroupLayout("same", []composer.BindGroupEntry{uniform}))
			}
		}),
	)

	It("of several devices at a time do not depend on their order", func() {
		a, b, c := open(), open(), open()
		b.Close()
		a.Close()
		x, y := open(), open()
		for _, d := range []*Device{c, x, y} {
			t, v := target(d, 2, 2)
			e := must(d.NewEncoder("frame"))
			p := must(e.BeginRenderPass(RenderPassDesc{Color: black(v)}))
			Expect(p.End()).To(Succeed())
			Expect(e.Submit()).To(Succeed())
			Expect(pixel(must(d.ReadTexture(t, 0, 0)), 2, 1, 1)).To(Equal(blackish))
		}
	})

	It("of maps outlive collections", func() {
		d := open()
		b := must(d.CreateBuffer(BufferDesc{Size: 64, Usage: UsageStorage | UsageCopySrc | UsageCopyDst}))
		// Others allocate what the binding's freed word would be overwritten
		// with, and collect all the time.
		defer debug.SetGCPercent(debug.SetGCPercent(5))
		stop, done := make(chan struct{}), make(chan struct{})
		go func() {
			defer close(done)
			var keep [1024]*uintptr
			for i := 0; ; i++ {
				select {
				case <-stop:
					runtime.KeepAlive(keep)
					return
				default:
					p := new(uintptr)
					*p = ^uintptr(0)
					keep[i%len(keep)] = p
					if i%(1<<16) == 0 {
						runtime.Gosched()
					}
				}
			}
		}()
		defer func() { close(stop); <-done }()
		for i := range uint32(4000) {
			Expect(d.WriteBuffer(b, 0, words(i, ^i))).To(Succeed())
			if i%4 == 0 {
				runtime.GC()
			}
			if got := must(d.ReadBuffer(b, 0, 8)); string(got) != string(words(i, ^i)) {
				Fail(fmt.Sprintf("map %d gave % x", i, got))
			}
		}
	})

	It("of errors are the caller's own, even if goroutines share the device", func() {
		d := open()
		const workers, each = 8, 200
		type tally struct{ lost, blamed int }
		results := make(chan tally, workers)
		for w := range workers {
			go func() {
				var t tally
				for i := range each {
					bad := (w+i)%2 == 0
					wgsl := "fn f() -> f32 { return 1.0; }"
					if bad {
						wgsl = "fn f() -> f32 { return 1u; }"
					}
					m, err := d.CreateShader(fmt.Sprint(w), wgsl)
					switch {
					case bad && err == nil:
						t.lost++
					case !bad && err != nil:
						t.blamed++
					}
					m.Release()
				}
				results <- t
			}()
		}
		var sum tally
		for range workers {
			t := <-results
			sum.lost, sum.blamed = sum.lost+t.lost, sum.blamed+t.blamed
		}
		Expect(sum).To(Equal(tally{}), "errors lost, and calls blamed for another's")
	})

	It("of 500 frames take no memory", func() {
		if rss() == 0 {
			Skip("the memory of the process cannot be read on this system")
		}
		d := open()
		s := newScene(d, func(r *RenderPipelineDesc) { r.Samples = 4 })
		ring := must(d.NewReadback(3))
		var buf []byte
		frame := func() {
			_, ms := target(d, 256, 256, func(t *TextureDesc) { t.Samples, t.Usage = 4, TextureTarget })
			t, v := target(d, 256, 256)
			u := must(d.CreateBuffer(BufferDesc{Size: 16, Usage: UsageUniform | UsageCopyDst}))
			Expect(d.WriteBuffer(u, 0, floats(0, 1, 0, 1))).To(Succeed())
			g := must(d.CreateBindGroup(s.groups, []BindEntry{{Buffer: u}}))
			e := must(d.NewEncoder("frame"))
			p := must(e.BeginRenderPass(RenderPassDesc{Color: []ColorAttachment{{View: ms, Resolve: v, Clear: &[4]float64{0, 0, 0, 1}}}}))
			p.SetPipeline(s.pipeline)
			p.SetBindGroup(0, g)
			p.SetVertexBuffer(0, s.vertices, 0, 0)
			p.Draw(3, 1, 0, 0)
			Expect(p.End()).To(Succeed())
			Expect(e.Submit()).To(Succeed())
			k := must(ring.Start(t))
			buf = must(k.WaitInto(buf))
			Expect(pixel(buf, 256, 10, 200)).To(Equal(green))
			g.Release()
			u.Release()
			t.Release()
			v.Release()
			ms.Texture.Release()
			ms.Release()
			must(d.NewEncoder("given up")).Release()
		}
		for range 50 {
			frame()
		}
		debug.FreeOSMemory()
		before, live := rss(), d.Live()
		for range 500 {
			frame()
		}
		debug.FreeOSMemory()
		after := rss()
		AddReportEntry("resident memory", fmt.Sprintf("%.1f MB before, %.1f MB after 500 frames", float64(before)/1e6, float64(after)/1e6))
		Expect(d.Live()).To(Equal(live))
		Expect(int64(after)-int64(before)).To(BeNumerically("<", 8<<20), "500 frames took %d bytes", int64(after)-int64(before))
	})

	It("end with an error where memory ends", func() {
		if runtime.GOOS != "linux" {
			Skip("needs ulimit -v")
		}
		out, err := runChild("memory", "ulimit -v 8000000")
		Expect(err).NotTo(HaveOccurred(), out)
		Expect(out).To(And(ContainSubstring("buffers: the device is out of memory"), ContainSubstring("textures: the device is out of memory"), ContainSubstring("then: drawn")))
	})
})
