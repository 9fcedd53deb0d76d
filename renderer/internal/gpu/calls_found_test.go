package gpu

import (
	"errors"
	"strings"
	"testing"

	"darkroom/composer"
)

// What random programs have found, kept.

// TestUnclearable is what random programs found: the backend clears memory that
// was never written before it is used, and ends the process where that does not
// start at a multiple of 4.
func TestUnclearable(t *testing.T) {
	m := newMachine(t)
	if err := m.stock(); err != nil {
		t.Fatal(err)
	}
	b, err := m.d.CreateBuffer(BufferDesc{Label: "indices", Size: 64, Usage: usageAll})
	if err != nil {
		t.Fatal(err)
	}
	r, err := m.d.CreateTexture(TextureDesc{Label: "red", Width: 5, Height: 1, Format: composer.R8Unorm, Usage: TextureCopySrc | TextureCopyDst})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name string
		try  func(*Encoder) error
		ok   bool
	}{
		{"uint16 indices at 2", func(e *Encoder) error { return m.indexed(e, b, 2) }, false},
		{"uint16 indices at 4", func(e *Encoder) error { return m.indexed(e, b, 4) }, true},
		{"r8unorm to a buffer at 1", func(e *Encoder) error { return e.CopyTextureToBuffer(TexturePlace{Texture: r}, "", b, 1, 256, 5, 1) }, false},
		{"r8unorm to a buffer at 4", func(e *Encoder) error { return e.CopyTextureToBuffer(TexturePlace{Texture: r}, "", b, 4, 256, 5, 1) }, true},
		{"r8unorm from a buffer at 2", func(e *Encoder) error { return e.CopyBufferToTexture(b, 2, 256, TexturePlace{Texture: r}, 5, 1) }, false},
		{"r8unorm from a buffer at 16", func(e *Encoder) error { return e.CopyBufferToTexture(b, 16, 256, TexturePlace{Texture: r}, 5, 1) }, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			e, err := m.d.NewEncoder(c.name)
			if err != nil {
				t.Fatal(err)
			}
			err = c.try(e)
			if err == nil {
				err = e.Submit()
			}
			e.Release()
			switch {
			case c.ok && err != nil:
				t.Error(err)
			case !c.ok && (err == nil || !strings.Contains(err.Error(), "no multiple of 4")):
				t.Errorf("error %v", err)
			}
		})
	}
}

// TestReleasedInPass is another find: a pass keeps names, which the backend looks
// up when the pass ends.
func TestReleasedInPass(t *testing.T) {
	for _, c := range []struct {
		name    string
		release func(*machine)
	}{
		{"view", func(m *machine) { m.views[0].Release() }},
		{"texture", func(m *machine) { m.textures[0].Release() }},
		{"pipeline", func(m *machine) { m.pipelines[4].Release() }},
		{"bind group", func(m *machine) { m.groups[2].Release() }},
		{"view in a bind group", func(m *machine) { m.views[1].Release() }},
		{"sampler in a bind group", func(m *machine) { m.samplers[0].Release() }},
		{"vertex buffer", func(m *machine) { m.buffers[0].Release() }},
		{"index buffer", func(m *machine) { m.buffers[3].Release() }},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := newMachine(t)
			if err := m.stock(); err != nil {
				t.Fatal(err)
			}
			bound, err := m.d.CreateBindGroup(m.layouts[2], []BindEntry{{Binding: 1, View: m.views[1]}, {Binding: 2, Sampler: m.samplers[0]}})
			if err != nil {
				t.Fatal(err)
			}
			m.groups[2].Release()
			m.groups[2] = bound
			e, err := m.d.NewEncoder("e")
			if err != nil {
				t.Fatal(err)
			}
			p, err := e.BeginRenderPass(RenderPassDesc{Label: "shadows", Color: []ColorAttachment{{View: m.views[0]}}})
			if err != nil {
				t.Fatal(err)
			}
			p.SetPipeline(m.pipelines[4])
			p.SetBindGroup(0, m.groups[2])
			p.SetVertexBuffer(0, m.buffers[0], 0, 0)
			p.SetIndexBuffer(m.buffers[3], "uint32", 0, 0)
			p.DrawIndexed(3, 1, 0, 0, 0)
			c.release(m)
			if err := p.End(); !errors.Is(err, ErrReleased) || !strings.Contains(err.Error(), "shadows") {
				t.Errorf("End: %v", err)
			}
			if err := e.Submit(); !errors.Is(err, ErrReleased) {
				t.Errorf("Submit: %v", err)
			}
			m.clear()
			bound.Release()
			if err := m.works(); err != nil {
				t.Error(err)
			}
		})
	}
}

// indexed draws with the indices in b at offset.
func (m *machine) indexed(e *Encoder, b *Buffer, offset uint64) error {
	p, err := e.BeginRenderPass(RenderPassDesc{Color: []ColorAttachment{{View: m.views[0]}}})
	if err != nil {
		return err
	}
	p.SetPipeline(m.pipelines[0])
	p.SetBindGroup(0, m.groups[0])
	p.SetIndexBuffer(b, "uint16", offset, 6)
	p.DrawIndexed(3, 1, 0, 0, 0)
	return p.End()
}
