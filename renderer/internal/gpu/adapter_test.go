package gpu

import (
	"os"
	"runtime"
	"strconv"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

var _ = Describe("adapters", func() {
	It("are listed with what a person can read", func() {
		all := must(Adapters())
		for i, a := range all {
			Expect(a.Index).To(Equal(i))
			Expect(a.Name).NotTo(Or(BeEmpty(), HavePrefix("0x")))
			Expect(a.Driver).NotTo(BeEmpty())
			Expect(a.Type).To(BeElementOf("discrete", "integrated", "virtual", "cpu", "unknown"))
			Expect(a.Backend).To(BeElementOf("vulkan", "gl", "metal", "dx12"))
			Expect(a.String()).To(ContainSubstring(a.Name))
		}
		Expect(all[0].Backend).NotTo(Equal("gl"), "GL comes last")
		if runtime.GOOS == "linux" {
			Expect(all[0].DriverInfo).NotTo(BeEmpty(), "a Vulkan driver tells its version")
		}
	})

	It("are listed by what is asked for", func() {
		native := must(Adapters(Options{Backend: "Vulkan"}))
		for _, a := range native {
			Expect(a.Backend).To(Equal("vulkan"))
		}
		_, err := Adapters(Options{Adapter: "no such adapter"})
		Expect(err).To(MatchError(ErrNoAdapter))
	})

	It("are opened by index, by a part of the name in any case, by type and by backend", func() {
		a := must(Adapters())[0]
		word, _, _ := strings.Cut(a.Name, " ")
		for _, o := range []Options{
			{}, {Adapter: strconv.Itoa(a.Index)}, {Adapter: "#" + strconv.Itoa(a.Index)}, {Adapter: strings.ToUpper(word)},
			{Adapter: " " + word + " "}, {Adapter: a.Type}, {Adapter: a.Backend}, {Backend: a.Backend}, {Adapter: word, Backend: strings.ToUpper(a.Backend)},
		} {
			d, err := Open(o)
			Expect(err).NotTo(HaveOccurred(), "%+v", o)
			Expect(d.Info).To(Equal(a), "%+v", o)
			d.Close()
		}
	})

	DescribeTable("that are not there are an error that lists those that are", func(o Options, asked string) {
		_, err := Open(o)
		Expect(err).To(MatchError(ErrNoAdapter))
		Expect(err.Error()).To(And(ContainSubstring(asked), Not(ContainSubstring("\n"))))
		for _, a := range must(Adapters()) {
			Expect(err.Error()).To(ContainSubstring(a.String()))
		}
	},
		Entry(nil, Options{Adapter: "GeForce 9000"}, `"GeForce 9000"`),
		Entry(nil, Options{Adapter: "99"}, `"99"`),
		Entry(nil, Options{Adapter: "#-1"}, `"#-1"`),
		Entry(nil, Options{Backend: "dx12"}, `"dx12"`),
		Entry(nil, Options{Adapter: "0", Backend: "metal"}, `"metal"`),
	)

	It("without a feature that is required are an error", func() {
		d, err := Open(Options{Require: []string{"depth32float-stencil8"}})
		Expect(err).NotTo(HaveOccurred())
		d.Close()
		_, err = Open(Options{Require: []string{"depth32float-stencil8", "ray-tracing"}})
		Expect(err).To(MatchError(ErrNoAdapter))
		Expect(err).To(MatchError(And(ContainSubstring("no adapter with ray-tracing: "), ContainSubstring("has "))))
	})

	It("never fall back to GL without being asked", func() {
		out, err := runChild("no-vulkan", "", "VK_ICD_FILENAMES=/nonexistent.json", "VK_DRIVER_FILES=/nonexistent.json")
		Expect(err).NotTo(HaveOccurred(), out)
		Expect(out).To(ContainSubstring("default: no adapter"))
		Expect(out).To(ContainSubstring("by name: no adapter"))
	})

	It("leave nothing on stderr and nothing in the temporary folder", func() {
		dir := GinkgoT().TempDir()
		out, err := runChild("quiet", "", "XDG_RUNTIME_DIR=", "TMPDIR="+dir)
		Expect(err).NotTo(HaveOccurred(), out)
		Expect(strings.TrimSpace(out)).To(Equal("PASS"))
		Expect(must(os.ReadDir(dir))).To(BeEmpty())
	})

	It("rank as a user expects", func() {
		order := []AdapterInfo{
			{Type: "discrete", Backend: "vulkan"}, {Type: "integrated", Backend: "vulkan"}, {Type: "virtual", Backend: "vulkan"},
			{Type: "cpu", Backend: "vulkan"}, {Type: "cpu", Backend: "gl"},
		}
		for i := 1; i < len(order); i++ {
			Expect(order[i-1].rank()).To(BeNumerically(">", order[i].rank()))
		}
	})
})

var _ = Describe("a device", func() {
	It("tells its limits and features", func() {
		d := open()
		l := d.Limits()
		Expect(l.SampledTextures).To(BeNumerically(">=", 16))
		Expect(l.VertexAttributes).To(BeNumerically(">=", 16))
		Expect(l.VertexBuffers).To(BeNumerically(">=", 8))
		Expect(l.UniformSize).To(BeNumerically(">=", 64<<10))
		Expect(l.ColorAttachments).To(Equal(8))
		Expect(d.MaxTextureSize()).To(BeNumerically(">=", 8192))
		Expect(d.MaxBufferSize()).To(BeNumerically(">=", 1<<30-1))
		Expect(d.Has("depth32float-stencil8")).To(BeTrue())
		Expect(d.Has("no-such-feature")).To(BeFalse())
	})

	It("draws at its limit", func() {
		d := open()
		n := d.MaxTextureSize()
		t, v := target(d, n, 2)
		e := must(d.NewEncoder("wide"))
		p := must(e.BeginRenderPass(RenderPassDesc{Color: []ColorAttachment{{View: v, Clear: &[4]float64{1, 0, 0, 1}}}}))
		Expect(p.End()).To(Succeed())
		Expect(e.Submit()).To(Succeed())
		pix := must(d.ReadTexture(t, 0, 0))
		Expect(pixel(pix, n, n-1, 1)).To(Equal("[255 0 0 255]"))
		_, err := d.CreateTexture(TextureDesc{Width: n + 1, Height: 1, Format: "rgba8unorm", Usage: TextureTarget})
		Expect(err).To(MatchError(ContainSubstring("the limit of " + d.Info.Name)))
	})
})
