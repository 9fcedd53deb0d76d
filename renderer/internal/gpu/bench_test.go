package gpu

import (
	"testing"

	"darkroom/composer"
)

func benchDevice(b *testing.B) (*Device, *Texture, *View) {
	b.Helper()
	d, err := Open(Options{})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(d.Close)
	t, err := d.CreateTexture(TextureDesc{Width: 1920, Height: 1080, Format: composer.RGBA8Unorm, Usage: TextureTarget | TextureCopySrc})
	if err != nil {
		b.Fatal(err)
	}
	v, err := d.CreateView(t, ViewDesc{})
	if err != nil {
		b.Fatal(err)
	}
	return d, t, v
}

func clearAll(b *testing.B, d *Device, v *View) {
	b.Helper()
	e, err := d.NewEncoder("clear")
	if err != nil {
		b.Fatal(err)
	}
	p, err := e.BeginRenderPass(RenderPassDesc{Color: []ColorAttachment{{View: v, Clear: &[4]float64{}}}})
	if err != nil {
		b.Fatal(err)
	}
	if err := p.End(); err != nil {
		b.Fatal(err)
	}
	if err := e.Submit(); err != nil {
		b.Fatal(err)
	}
}

// A picture of 1920 × 1080, cleared and read back, one at a time.
func BenchmarkReadTexture(b *testing.B) {
	d, t, v := benchDevice(b)
	b.SetBytes(1920 * 1080 * 4)
	for b.Loop() {
		clearAll(b, d, v)
		if _, err := d.ReadTexture(t, 0, 0); err != nil {
			b.Fatal(err)
		}
	}
}

// The same with a ring of three and one buffer for the pictures.
func BenchmarkReadback(b *testing.B) {
	d, t, v := benchDevice(b)
	r, err := d.NewReadback(3)
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(1920 * 1080 * 4)
	var buf []byte
	var under []*Ticket
	for b.Loop() {
		clearAll(b, d, v)
		k, err := r.Start(t)
		if err != nil {
			b.Fatal(err)
		}
		if under = append(under, k); len(under) == 3 {
			if buf, err = under[0].WaitInto(buf); err != nil {
				b.Fatal(err)
			}
			under = append(under[:0], under[1:]...)
		}
	}
}

// One draw with its pipeline, bind group and vertex buffer, recorded and validated.
func BenchmarkDraw(b *testing.B) {
	d, _, v := benchDevice(b)
	shader, err := d.CreateShader("flat", flat)
	if err != nil {
		b.Fatal(err)
	}
	groups, _ := d.CreateBindGroupLayout("flat", []composer.BindGroupEntry{uniform})
	layout, _ := d.CreatePipelineLayout("flat", []*BindGroupLayout{groups})
	u, _ := d.CreateBuffer(BufferDesc{Size: 16, Usage: UsageUniform})
	g, _ := d.CreateBindGroup(groups, []BindEntry{{Buffer: u}})
	vertices, _ := d.CreateBuffer(BufferDesc{Size: 48, Usage: UsageVertex})
	pipeline, err := d.CreateRenderPipeline(RenderPipelineDesc{Layout: layout, Vertex: shader, Fragment: shader, Buffers: position, Targets: []composer.ColorTarget{{Format: composer.RGBA8Unorm}}})
	if err != nil {
		b.Fatal(err)
	}
	const draws = 1000
	for b.Loop() {
		e, _ := d.NewEncoder("draws")
		p, err := e.BeginRenderPass(RenderPassDesc{Color: []ColorAttachment{{View: v}}})
		if err != nil {
			b.Fatal(err)
		}
		for range draws {
			p.SetPipeline(pipeline)
			p.SetBindGroup(0, g)
			p.SetVertexBuffer(0, vertices, 0, 0)
			p.Draw(3, 1, 0, 0)
		}
		if err := p.End(); err != nil {
			b.Fatal(err)
		}
		e.Release()
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/draws, "ns/draw")
}
