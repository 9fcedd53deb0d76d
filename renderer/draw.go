package renderer

import (
	"fmt"
	"slices"

	"darkroom/composer"
	"darkroom/material"
	"darkroom/renderer/internal/gpu"
	"darkroom/scenes"
)

// step is a draw ready to be encoded.
type step struct {
	pipeline     *pipeline
	mesh, shadow *gpu.BindGroup
	vertex       []*gpu.Buffer
	offsets      []uint64 // into the vertex buffers, nil for zeros
	index        *gpu.Buffer
	count        int
	instances    int
	reference    uint32
	stencil      bool
	constant     *[4]float64 // of a blend that reads it
	group        int
	indirect     *gpu.Buffer // with the draw's arguments; nil: count and instances
	compute      []material.Compute
	label        string
}

// request is what the draw's pipeline is made from.
func (d *draw) request(p *scenes.ScenePass, at *attachments, reverse bool) *request {
	return &request{
		label: d.node.Name, pass: at.text, shader: d.shader, state: d.state, targets: at.targets, depth: at.depth, reverse: reverse,
		samples: at.samples, topology: d.geometry.topology, mirrored: d.context.Mirrored, indexed: d.geometry.indices > 0, flip: p.FlipY,
	}
}

// prepare finds the pipeline, fills the uniforms and makes the bind groups of one draw.
func (x *Session) prepare(d *draw, p *scenes.ScenePass, at *attachments, v *view, reverse bool) (step, error) {
	s := step{label: d.node.Name, group: d.mesh.RenderingGroup}
	var err error
	s.pipeline, err = x.pipeline(d.request(p, at, reverse))
	if err != nil {
		return s, fmt.Errorf("%s: %w", d.material.Label(), err)
	}
	d.context.System = material.System{
		World: v.relative(d.world), View: v.view, Projection: v.projection, ViewProjection: v.viewProjection, Eye: v.eye,
		Screen: [2]float64{float64(at.width), float64(at.height)}, Time: x.time, Frame: x.frame, Instances: max(1, d.mesh.Instances),
		Near: v.near, Far: v.far,
	}
	if _, ok := d.shader.MeshUBO.Offset(previousClip); ok {
		d.context.System.PreviousClip = x.motion.previous(p.Name, d, v)
	}
	elements := d.geometry.vertices
	if d.geometry.indices > 0 {
		elements = d.geometry.indices
	}
	if err := x.indirect(&s, d, elements); err != nil {
		return s, err
	}
	if err := x.bindDraw(&s, d.material, d.features, d.shader, d.context, d.mask); err != nil {
		return s, fmt.Errorf("%s: %w", d.material.Label(), err)
	}
	if s.vertex, err = x.vertexBuffers(d.shader, d.geometry, d.features, d.context, d.material); err != nil {
		return s, fmt.Errorf("%s: %w", d.material.Label(), err)
	}
	for _, l := range d.layouts {
		if i := slices.IndexFunc(d.shader.Buffers, func(b composer.VertexBuffer) bool { return b.Name == l.Buffer }); i >= 0 && l.First > 0 {
			if s.offsets == nil {
				s.offsets = make([]uint64, len(s.vertex))
			}
			s.offsets[i] = uint64(l.First) * uint64(l.Stride)
		}
	}
	s.count, s.instances = elements, max(1, d.mesh.Instances)
	s.fixed(&d.state)
	if s.index, err = x.indexBuffer(d.geometry); err != nil {
		return s, fmt.Errorf("index buffer: %w", err)
	}
	return s, nil
}

// fixed takes on what of the state is set in the pass and not in the pipeline.
func (s *step) fixed(st *material.State) {
	if st.Stencil != nil {
		s.stencil, s.reference = true, st.Stencil.Reference
	}
	if st.Blend != nil && st.Blend.UsesConstant() {
		s.constant = &st.BlendConstant
	}
}

// bindDraw writes the uniform blocks and makes the bind groups 1 and 2.
func (x *Session) bindDraw(s *step, m material.Material, features []material.Feature, sh *composer.Shader, c *material.Context, mask uint32) error {
	w := x.writer(sh)
	w.Set("world", c.System.World)
	w.Set("lightMask", mask)
	if w.Has(previousClip) {
		w.Set(previousClip, c.System.PreviousClip)
	}
	if w.Has("nearFar") {
		if c.System.Far == 0 {
			return fmt.Errorf("the depth between the camera's planes is asked for, but its far plane is infinitely far; set Far")
		}
		w.Floats("nearFar", c.System.Near, c.System.Far)
	}
	res := x.resources
	res.reset()
	if err := m.Uniforms(c, w); err != nil {
		return err
	}
	if err := m.Resources(c, res); err != nil {
		return err
	}
	for _, f := range features {
		if err := f.Uniforms(c, w); err != nil {
			return err
		}
		if err := f.Resources(c, res); err != nil {
			return err
		}
	}
	if w.err != nil {
		return w.err
	}
	blocks := x.blocks
	clear(blocks)
	if sh.MeshUBO.Size > 0 {
		b, off, err := x.arena.add(w.mesh.Bytes())
		if err != nil {
			return err
		}
		blocks[sh.Mesh[0].Decl.Name] = gpu.BindEntry{Buffer: b, Offset: off, Size: uint64(sh.MeshUBO.Size)}
	}
	if w.material != nil {
		e, name, err := x.materialBlock(sh, w, res)
		if err != nil {
			return err
		}
		blocks[name] = e
	}
	var err error
	if s.pipeline.mesh != nil {
		if s.mesh, err = x.bind(s.pipeline.mesh, sh.Mesh, blocks, res); err != nil {
			return err
		}
	}
	if s.pipeline.shadow != nil {
		if s.shadow, err = x.bind(s.pipeline.shadow, sh.Shadow, blocks, res); err != nil {
			return err
		}
	}
	return nil
}

// materialBlock is the material's uniform block: what the writer holds or,
// where the material bound a buffer of its own under the block's name, that
// buffer, of which only what changed is uploaded.
func (x *Session) materialBlock(sh *composer.Shader, w *writer, res *resources) (gpu.BindEntry, string, error) {
	i := 0
	if sh.MeshUBO.Size > 0 {
		i = 1
	}
	name, size := sh.Mesh[i].Decl.Name, uint64(sh.MaterialUBO.Size)
	if own := res.buffers[name]; own != nil {
		if uint64(len(own.Data)) != size {
			return gpu.BindEntry{}, name, fmt.Errorf("its buffer %s has %d bytes and the shader's %s %d; a feature may have added fields", own.Name, len(own.Data), name, size)
		}
		b, err := x.buffer(own)
		return gpu.BindEntry{Buffer: b, Size: size}, name, err
	}
	b, off, err := x.arena.add(w.material.Bytes())
	return gpu.BindEntry{Buffer: b, Offset: off, Size: size}, name, err
}

// vertexBuffers finds the buffer of every vertex buffer layout: the mesh's
// stream of that name, or what a feature binds.
func (x *Session) vertexBuffers(sh *composer.Shader, g *geometry, features []material.Feature, c *material.Context, m material.Material) ([]*gpu.Buffer, error) {
	var res *resources
	out := make([]*gpu.Buffer, len(sh.Buffers))
	for i, l := range sh.Buffers {
		b, err := x.stream(g, l.Name)
		if err != nil {
			return nil, err
		}
		if b == nil {
			if res == nil {
				res = newResources(&x.motion)
				if err := m.Resources(c, res); err != nil {
					return nil, err
				}
				for _, f := range features {
					if err := f.Resources(c, res); err != nil {
						return nil, err
					}
				}
			}
			vb, ok := res.vertex[l.Name]
			if !ok && l.Attributes[0].Constant {
				vb, ok = &x.zeros, true
			}
			if !ok {
				return nil, fmt.Errorf("the shader reads the vertex stream %s, which the mesh does not have", l.Name)
			}
			if b, err = x.buffer(vb); err != nil {
				return nil, fmt.Errorf("vertex stream %s: %w", l.Name, err)
			}
		}
		out[i] = b
	}
	return out, nil
}

func (x *Session) encode(enc *gpu.Encoder, at *attachments, vp scenes.Viewport, group0 *gpu.BindGroup, steps []step) error {
	pass, err := enc.BeginRenderPass(at.desc)
	if err != nil {
		return err
	}
	if vp != (scenes.Viewport{}) {
		w, h := float64(at.width), float64(at.height)
		// The reference engine's viewports have their origin at the lower left.
		px, py := int(vp.X*w), int(h-vp.Y*h-vp.Height*h)
		pw, ph := int(vp.Width*w), int(vp.Height*h)
		pass.SetViewport(float32(px), float32(py), float32(pw), float32(ph), 0, 1)
		pass.SetScissor(px, py, pw, ph)
	}
	pass.SetBindGroup(0, group0)
	for _, s := range steps {
		pass.SetPipeline(s.pipeline.render)
		if s.mesh != nil {
			pass.SetBindGroup(1, s.mesh)
		}
		if s.shadow != nil {
			pass.SetBindGroup(2, s.shadow)
		}
		for i, b := range s.vertex {
			offset := uint64(0)
			if s.offsets != nil {
				offset = s.offsets[i]
			}
			pass.SetVertexBuffer(i, b, offset, 0)
		}
		if s.stencil {
			pass.SetStencilReference(s.reference)
		}
		if s.constant != nil {
			pass.SetBlendConstant(*s.constant)
		}
		if s.index != nil {
			pass.SetIndexBuffer(s.index, "uint32", 0, 0)
		}
		switch {
		case s.indirect != nil && s.index != nil:
			pass.DrawIndexedIndirect(s.indirect, 0)
		case s.indirect != nil:
			pass.DrawIndirect(s.indirect, 0)
		case s.index != nil:
			pass.DrawIndexed(s.count, s.instances, 0, 0, 0)
		default:
			pass.Draw(s.count, s.instances, 0, 0)
		}
	}
	if err := pass.End(); err != nil {
		return err
	}
	return x.resolve(enc, at.resolves)
}
