package gpu

import (
	"fmt"
	"math"
	"os"
	"testing"

	"darkroom/composer"
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

func TestGPU(t *testing.T) {
	if role := os.Getenv(childRole); role != "" {
		child(role)
		return
	}
	RegisterFailHandler(Fail)
	RunSpecs(t, "gpu")
}

// must is for what a spec needs but does not test.
func must[T any](v T, err error) T {
	GinkgoHelper()
	Expect(err).NotTo(HaveOccurred())
	return v
}

// open opens the default adapter for one spec. A machine without a driver fails
// the spec: a picture that was never drawn is not a pass.
func open() *Device {
	GinkgoHelper()
	d, err := Open(Options{})
	Expect(err).NotTo(HaveOccurred(), "these specs need a Vulkan driver; on Debian or Ubuntu install mesa-vulkan-drivers and libvulkan1")
	DeferCleanup(func() {
		d.Close()
		Expect(d.Live()).To(BeEmpty())
	})
	return d
}

// flat draws what it is given in one color: positions are clip space.
const flat = `
struct Uniforms { color: vec4<f32> }
@group(0) @binding(0) var<uniform> u: Uniforms;
@vertex fn vs(@location(0) p: vec4<f32>) -> @builtin(position) vec4<f32> { return p; }
@fragment fn fs() -> @location(0) vec4<f32> { return u.color; }
`

// scene is a pipeline that draws triangles in one color, and what it needs.
type scene struct {
	dev      *Device
	shader   *ShaderModule
	groups   *BindGroupLayout
	layout   *PipelineLayout
	uniforms *Buffer
	group    *BindGroup
	vertices *Buffer
	pipeline *RenderPipeline
}

var position = []composer.VertexBuffer{{Name: "position", Stride: 16, Attributes: []composer.VertexBufferAttribute{
	{Attribute: composer.Attribute{Name: "position", Type: "vec4<f32>", Format: composer.Float32x4}},
}}}

var uniform = composer.BindGroupEntry{Decl: composer.Binding{Name: "u", Kind: composer.BindUniform, Visibility: composer.StageFragment}, MinSize: 16}

func newScene(d *Device, change func(*RenderPipelineDesc), vertices ...float32) *scene {
	GinkgoHelper()
	s := &scene{dev: d}
	s.shader = must(d.CreateShader("flat", flat))
	s.groups = must(d.CreateBindGroupLayout("flat", []composer.BindGroupEntry{uniform}))
	s.layout = must(d.CreatePipelineLayout("flat", []*BindGroupLayout{s.groups}))
	s.uniforms = must(d.CreateBuffer(BufferDesc{Label: "uniforms", Size: 16, Usage: UsageUniform | UsageCopyDst}))
	Expect(d.WriteBuffer(s.uniforms, 0, floats(0, 1, 0, 1))).To(Succeed())
	s.group = must(d.CreateBindGroup(s.groups, []BindEntry{{Buffer: s.uniforms}}))
	if len(vertices) == 0 { // covers the lower left half of the picture
		vertices = []float32{-1, -1, 0.5, 1, 1, -1, 0.5, 1, -1, 1, 0.5, 1}
	}
	s.vertices = must(d.CreateBuffer(BufferDesc{Label: "positions", Size: uint64(len(vertices) * 4), Usage: UsageVertex | UsageCopyDst}))
	Expect(d.WriteBuffer(s.vertices, 0, floats(vertices...))).To(Succeed())
	desc := RenderPipelineDesc{
		Label: "flat", Layout: s.layout, Vertex: s.shader, Fragment: s.shader, Buffers: position,
		Targets: []composer.ColorTarget{{Format: composer.RGBA8Unorm}},
	}
	if change != nil {
		change(&desc)
	}
	s.pipeline = must(d.CreateRenderPipeline(desc))
	return s
}

// draw records the draw of n vertices from first on.
func (s *scene) draw(p *Pass, n, first int) {
	p.SetPipeline(s.pipeline)
	p.SetBindGroup(0, s.group)
	p.SetVertexBuffer(0, s.vertices, 0, 0)
	p.Draw(n, 1, first, 0)
}

// target is a texture to draw into and read back.
func target(d *Device, w, h int, change ...func(*TextureDesc)) (*Texture, *View) {
	GinkgoHelper()
	desc := TextureDesc{Label: "target", Width: w, Height: h, Format: composer.RGBA8Unorm, Usage: TextureTarget | TextureCopySrc | TextureSampled}
	for _, f := range change {
		f(&desc)
	}
	t := must(d.CreateTexture(desc))
	return t, must(d.CreateView(t, ViewDesc{}))
}

// black clears to opaque black.
func black(v *View) []ColorAttachment {
	return []ColorAttachment{{View: v, Clear: &[4]float64{0, 0, 0, 1}}}
}

func floats(v ...float32) []byte {
	out := make([]byte, 0, len(v)*4)
	for _, f := range v {
		b := math.Float32bits(f)
		out = append(out, byte(b), byte(b>>8), byte(b>>16), byte(b>>24))
	}
	return out
}

func words(v ...uint32) []byte {
	out := make([]byte, 0, len(v)*4)
	for _, w := range v {
		out = append(out, byte(w), byte(w>>8), byte(w>>16), byte(w>>24))
	}
	return out
}

func float(b []byte) float32 {
	return math.Float32frombits(uint32(b[0]) | uint32(b[1])<<8 | uint32(b[2])<<16 | uint32(b[3])<<24)
}

// pixel is the color at x, y of an 8 bit picture.
func pixel(pix []byte, w, x, y int) string {
	i := (y*w + x) * 4
	return fmt.Sprint(pix[i : i+4])
}
