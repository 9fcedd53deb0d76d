package renderer

import (
	"fmt"
	"maps"
	"slices"
	"sort"
	"strings"

	"darkroom/composer"
	"darkroom/material"
	"darkroom/renderer/internal/gpu"
	"darkroom/scenes"
	"darkroom/scenes/linalg"
)

// view is what a pass is seen through. Matrices are eye-relative where the
// scene is a large world.
type view struct {
	view, projection, viewProjection linalg.Mat4
	eye                              linalg.Vec3
	origin                           linalg.Vec3 // subtracted from every position in a large world
	layers                           uint32
}

// draw is one mesh in one pass.
type draw struct {
	node     *scenes.Node
	mesh     *scenes.Mesh
	world    linalg.Mat4
	geometry *geometry
	material material.Material
	context  *material.Context
	features []material.Feature
	shader   *composer.Shader
	state    material.State
	layouts  map[string]material.StreamLayout // of streams that features bring
	distance float64
	mask     uint32
	order    int
}

// shaderKey finds a composed shader again: the material, what the mesh and
// the pass bring, as far as they decide code.
type shaderKey struct {
	material          material.Material
	layout            string // the mesh's streams
	pass              string // what the pass decides, as text
	mirrored, receive bool
	features          string
	version           uint64 // of a material whose code changes
}

func (x *Session) effectiveView(cam *scenes.Camera, explicit *scenes.ViewProjection, w, h int, vp scenes.Viewport, reverse, flip bool) (*view, error) {
	v := &view{layers: ^uint32(0)}
	if explicit != nil {
		v.view, v.projection, v.eye = explicit.View, explicit.Projection, explicit.Eye
	} else {
		if cam == nil {
			cam = x.scene.Camera
		}
		if cam == nil || cam.Rig == nil {
			return nil, fmt.Errorf("there is no camera; set the scene's or the pass's Camera")
		}
		aspect := float64(w) / float64(h)
		if vp != (scenes.Viewport{}) {
			aspect *= vp.Width / vp.Height
		}
		p, err := cam.Projection(aspect, reverse)
		if err != nil {
			return nil, err
		}
		v.projection, v.view, v.eye = p, cam.Rig.View(), cam.Rig.Eye()
		if cam.Layers != 0 {
			v.layers = cam.Layers
		}
	}
	for _, e := range v.view {
		if e != e {
			return nil, fmt.Errorf("the camera's view is not a number; check its position and target")
		}
	}
	if x.scene.Jitter != nil && explicit == nil {
		// The picture moves: clip x and y by a share of clip w, which is view z
		// in perspective and 1 without.
		j, c := x.scene.Jitter(x.frame), 8
		if v.projection[15] == 1 {
			c = 12
		}
		v.projection[c] += 2 * j[0] / float64(w)
		v.projection[c+1] += 2 * j[1] / float64(h)
	}
	if flip {
		v.projection = linalg.Scaling(linalg.Vec3{1, -1, 1}).Mul(v.projection)
	}
	if x.scene.LargeWorld {
		v.origin = v.eye
		v.view[12], v.view[13], v.view[14] = 0, 0, 0
		v.viewProjection = v.projection.Mul(v.view)
		v.eye = linalg.Vec3{}
	} else {
		v.view, v.projection = v.view.Round32(), v.projection.Round32()
		v.viewProjection = v.projection.Mul(v.view).Round32()
	}
	return v, nil
}

func (v *view) relative(m linalg.Mat4) linalg.Mat4 {
	m[12] -= v.origin[0]
	m[13] -= v.origin[1]
	m[14] -= v.origin[2]
	return m
}

func (x *Session) scenePass(enc *gpu.Encoder, p *scenes.ScenePass) error {
	reverse := !p.StandardZ && !x.scene.StandardZ
	at, err := x.attach(p.Name, &p.Attachments, reverse)
	if err != nil {
		return err
	}
	vp := p.Viewport
	cam := p.Camera
	if cam == nil {
		cam = x.scene.Camera
	}
	if vp == (scenes.Viewport{}) && cam != nil {
		vp = cam.Viewport
	}
	w, h := at.width, at.height
	if p.CanvasAspect {
		w, h = x.set.Width, x.set.Height
	}
	v, err := x.effectiveView(p.Camera, p.View, w, h, vp, reverse, p.FlipY)
	if err != nil {
		return err
	}
	draws, lights, err := x.collectDraws(p, at, v)
	if err != nil {
		return err
	}
	ip := x.scene.ImageProcessing
	if p.ImageProcessing != nil {
		ip = *p.ImageProcessing
	}
	group0, err := x.sceneGroup(v, lights, at, ip)
	if err != nil {
		return err
	}
	steps := make([]step, 0, len(draws))
	for _, d := range draws {
		s, err := x.prepare(d, p, at, v, reverse)
		if err != nil {
			return fmt.Errorf("node %s: %w", d.node.Name, err)
		}
		steps = append(steps, s)
	}
	return x.encode(enc, at, vp, group0, steps)
}

// collectDraws lists what the pass draws, in the order of drawing.
func (x *Session) collectDraws(p *scenes.ScenePass, at *attachments, v *view) ([]*draw, []placedLight, error) {
	var draws []*draw
	lights := make([]placedLight, 0, len(x.scene.Lights))
	for _, l := range x.scene.Lights {
		lights = append(lights, placedLight{l, linalg.Identity()})
	}
	base := material.Context{
		Environment: x.scene.Environment, Fog: x.scene.Fog.Mode != scenes.FogNone, Ambient: x.scene.Ambient,
		ImageProcessing: x.scene.ImageProcessing, DepthOnly: len(at.targets) == 0, Outputs: p.Outputs, Linear: p.Linear,
		SceneColor: p.SceneColor,
	}
	if p.ImageProcessing != nil {
		base.ImageProcessing = *p.ImageProcessing
	}
	err := x.scene.Walk(func(n *scenes.Node, world linalg.Mat4) error {
		if n.Light != nil {
			lights = append(lights, placedLight{n.Light, world})
		}
		if n.Mesh == nil || p.Only != nil && !slices.Contains(p.Only, n) || slices.Contains(p.Except, n) {
			return nil
		}
		layer := n.Mesh.Layer
		if layer == 0 {
			layer = 1
		}
		if layer&v.layers == 0 {
			return nil
		}
		mat := n.Mesh.Material
		if p.Casters && n.Mesh.Caster != nil {
			mat = n.Mesh.Caster
		} else if m, ok := p.OverrideFor[n]; ok {
			mat = m
		} else if p.Override != nil {
			mat = p.Override
		}
		if reader, ok := mat.(material.SceneReader); ok && p.SkipReaders && reader.ReadsScene() {
			return nil
		}
		if mat == nil {
			return fmt.Errorf("node %s: the mesh has no material", n.Name)
		}
		g, err := x.geometry(n.Mesh.Geometry)
		if err != nil {
			return fmt.Errorf("node %s: %w", n.Name, err)
		}
		c := base
		c.Streams, c.Topology, c.Mirrored, c.ReceiveShadows = g.streams, g.topology, world.Determinant() < 0, n.Mesh.ReceiveShadows
		d := &draw{node: n, mesh: n.Mesh, world: world, geometry: g, material: mat, context: &c, order: len(draws)}
		d.features = append(append([]material.Feature(nil), n.Mesh.Features...), p.Features...)
		for _, f := range d.features {
			if s, ok := f.(material.StreamProvider); ok {
				d.addStreams(s.Streams())
			}
			if l, ok := f.(material.LayoutProvider); ok {
				if d.layouts == nil {
					d.layouts = map[string]material.StreamLayout{}
				}
				maps.Copy(d.layouts, l.Layouts())
			}
		}
		d.state = mat.State(&c)
		transparent := (d.state.Blend != nil || d.state.Transparent) && !d.state.Opaque
		if transparent && p.SkipTransparent || !transparent && p.SkipOpaque {
			return nil
		}
		d.state.Transparent = transparent
		d.distance = world.TransformPoint(centre(g.bounds)).Sub(v.origin).Sub(v.eye).Length()
		draws = append(draws, d)
		return nil
	})
	if err != nil {
		return nil, nil, err
	}
	lights = slices.DeleteFunc(lights, func(l placedLight) bool { return l.light.Off })
	if len(lights) > material.MaxLights {
		return nil, nil, fmt.Errorf("%d lights are on, the limit is %d; switch some off or split the scene into passes", len(lights), material.MaxLights)
	}
	base.Lights = len(lights)
	pass := passText(p, &base, len(lights))
	for _, d := range draws {
		d.context.Lights = len(lights)
		for i, l := range lights {
			on := d.mesh.OnlyLights == nil || slices.Contains(d.mesh.OnlyLights, l.light)
			if on && !slices.Contains(d.mesh.ExcludeLights, l.light) {
				d.mask |= 1 << i
			}
		}
		if d.shader, err = x.compose(d, pass); err != nil {
			return nil, nil, fmt.Errorf("node %s: %s: %w", d.node.Name, d.material.Label(), err)
		}
	}
	sort.SliceStable(draws, func(i, j int) bool {
		a, b := draws[i], draws[j]
		if a.mesh.RenderingGroup != b.mesh.RenderingGroup {
			return a.mesh.RenderingGroup < b.mesh.RenderingGroup
		}
		if a.state.Transparent != b.state.Transparent {
			return b.state.Transparent
		}
		if !a.state.Transparent {
			return a.order < b.order
		}
		if a.mesh.Order != b.mesh.Order {
			return a.mesh.Order < b.mesh.Order
		}
		return a.distance > b.distance
	})
	return draws, lights, nil
}

func (d *draw) addStreams(extra map[string]composer.VertexFormat) {
	if len(extra) == 0 {
		return
	}
	all := make(map[string]composer.VertexFormat, len(d.context.Streams)+len(extra))
	for k, v := range d.context.Streams {
		all[k] = v
	}
	for k, v := range extra {
		all[k] = v
	}
	d.context.Streams = all
}

// passText is what a pass decides of its shaders, as text.
func passText(p *scenes.ScenePass, c *material.Context, lights int) string {
	return fmt.Sprint(p.Name, lights, c.Environment != nil, c.Fog, c.ImageProcessing, c.DepthOnly, outputsText(c.Outputs), c.Linear, c.SceneColor != nil)
}

// compose returns the shader of d, composing it when first met.
func (x *Session) compose(d *draw, pass string) (*composer.Shader, error) {
	c := d.context
	k := shaderKey{material: d.material, layout: d.geometry.layout, pass: pass, mirrored: c.Mirrored, receive: c.ReceiveShadows}
	if v, ok := d.material.(material.Versioned); ok {
		k.version = v.ShaderVersion()
	}
	if len(d.features) > 0 {
		var b strings.Builder
		for _, f := range d.features {
			fmt.Fprintf(&b, "%p ", f)
		}
		k.features = b.String()
	}
	if s := x.shaders[k]; s != nil {
		return s, nil
	}
	t, fragments, err := d.material.Shader(c)
	if err != nil {
		return nil, err
	}
	seen := map[string]bool{}
	for _, f := range fragments {
		seen[f.ID] = true
	}
	for _, f := range d.features {
		for _, fr := range f.Fragments(c) {
			if !seen[fr.ID] {
				seen[fr.ID] = true
				fragments = append(fragments, fr)
			}
		}
	}
	if len(d.layouts) > 0 {
		if t, fragments, err = d.layOut(t, fragments); err != nil {
			return nil, err
		}
	}
	s, err := composer.Compose(t, fragments, composer.Options{OutputLocations: c.Outputs, Limits: x.r.dev.Limits()})
	if err != nil {
		return nil, err
	}
	// Materials that compose to the same bytes share the shader, and with it
	// pipelines and writers.
	if same := x.byKey[s.Key]; same != nil {
		s = same
	} else {
		x.byKey[s.Key] = s
	}
	x.shaders[k] = s
	return s, nil
}

// layOut puts the attributes of streams that features bring where they lie, in
// copies of the template and the fragments.
func (d *draw) layOut(t *composer.Template, fragments []*composer.Fragment) (*composer.Template, []*composer.Fragment, error) {
	place := func(list []composer.Attribute) ([]composer.Attribute, error) {
		var out []composer.Attribute
		for i, a := range list {
			l, ok := d.layouts[a.Name]
			if !ok {
				continue
			}
			if f := d.context.Streams[a.Name]; f != a.Format {
				return nil, fmt.Errorf("attribute %q is read as %s and the mesh's buffer %s has it as %s", a.Name, a.Format, l.Buffer, f)
			}
			if out == nil {
				out = slices.Clone(list)
			}
			out[i].Buffer, out[i].Offset, out[i].Stride = l.Buffer, l.Offset, l.Stride
		}
		return out, nil
	}
	changed, err := place(t.Attributes)
	if err != nil {
		return nil, nil, err
	}
	if changed != nil {
		c := *t
		c.Attributes, t = changed, &c
	}
	fragments = slices.Clone(fragments)
	for i, f := range fragments {
		if changed, err = place(f.Attributes); err != nil {
			return nil, nil, err
		}
		if changed != nil {
			c := *f
			c.Attributes, fragments[i] = changed, &c
		}
	}
	return t, fragments, nil
}

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
	group        int
	indirect     *gpu.Buffer
	label        string
}

// prepare finds the pipeline, fills the uniforms and makes the bind groups of one draw.
func (x *Session) prepare(d *draw, p *scenes.ScenePass, at *attachments, v *view, reverse bool) (step, error) {
	s := step{label: d.node.Name, group: d.mesh.RenderingGroup}
	var err error
	s.pipeline, err = x.pipeline(&request{
		label: d.node.Name, pass: at.text, shader: d.shader, state: d.state, targets: at.targets, depth: at.depth, reverse: reverse,
		samples: at.samples, topology: d.geometry.topology, mirrored: d.context.Mirrored, indexed: d.geometry.index != nil, flip: p.FlipY,
	})
	if err != nil {
		return s, fmt.Errorf("%s: %w", d.material.Label(), err)
	}
	d.context.System = material.System{
		World: v.relative(d.world), View: v.view, Projection: v.projection, ViewProjection: v.viewProjection, Eye: v.eye,
		Screen: [2]float64{float64(at.width), float64(at.height)}, Time: x.time, Frame: x.frame, Instances: max(1, d.mesh.Instances),
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
	s.index, s.count, s.instances = d.geometry.index, d.geometry.vertices, max(1, d.mesh.Instances)
	if s.index != nil {
		s.count = d.geometry.indices
	}
	if d.state.Stencil != nil {
		s.stencil, s.reference = true, d.state.Stencil.Reference
	}
	return s, nil
}

// bindDraw writes the uniform blocks and makes the bind groups 1 and 2.
func (x *Session) bindDraw(s *step, m material.Material, features []material.Feature, sh *composer.Shader, c *material.Context, mask uint32) error {
	w := x.writer(sh)
	w.Set("world", c.System.World)
	w.Set("lightMask", mask)
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
				res = newResources()
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
		switch {
		case s.indirect != nil:
			pass.SetIndexBuffer(s.index, "uint32", 0, 0)
			pass.DrawIndexedIndirect(s.indirect, 0)
		case s.index != nil:
			pass.SetIndexBuffer(s.index, "uint32", 0, 0)
			pass.DrawIndexed(s.count, s.instances, 0, 0, 0)
		default:
			pass.Draw(s.count, s.instances, 0, 0)
		}
	}
	return pass.End()
}

// effectShader composes the shader of an effect, when first met.
func (x *Session) effectShader(p *scenes.EffectPass, c *material.Context) (*composer.Shader, error) {
	if p.Material == nil {
		return nil, fmt.Errorf("the effect has no material")
	}
	k := shaderKey{material: p.Material, pass: "effect " + outputsText(p.Outputs)}
	if v, ok := p.Material.(material.Versioned); ok {
		k.version = v.ShaderVersion()
	}
	if sh := x.shaders[k]; sh != nil {
		return sh, nil
	}
	t, fr, err := p.Material.Shader(c)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", p.Material.Label(), err)
	}
	sh, err := composer.Compose(t, fr, composer.Options{OutputLocations: p.Outputs, Limits: x.r.dev.Limits()})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", p.Material.Label(), err)
	}
	x.shaders[k] = sh
	return sh, nil
}

// effectPass draws a material over the whole target.
func (x *Session) effectPass(enc *gpu.Encoder, p *scenes.EffectPass) error {
	a := p.Attachments
	a.NoDepth = a.Depth == nil
	if a.Samples == 0 {
		a.Samples = 1
	}
	at, err := x.attach(p.Name, &a, false)
	if err != nil {
		return err
	}
	v := &view{view: linalg.Identity(), projection: linalg.Identity(), viewProjection: linalg.Identity()}
	if p.Camera != nil || x.scene.Camera != nil {
		if v, err = x.effectiveView(p.Camera, nil, at.width, at.height, scenes.Viewport{}, !x.scene.StandardZ, false); err != nil {
			return err
		}
	}
	group0, err := x.sceneGroup(v, nil, at, x.scene.ImageProcessing)
	if err != nil {
		return err
	}
	c := &material.Context{Outputs: p.Outputs, ImageProcessing: x.scene.ImageProcessing, Environment: x.scene.Environment}
	sh, err := x.effectShader(p, c)
	if err != nil {
		return err
	}
	st := p.Material.State(c)
	st.NoDepthWrite = true
	s := step{count: 3, instances: 1}
	if st.Stencil != nil {
		s.stencil, s.reference = true, st.Stencil.Reference
	}
	s.pipeline, err = x.pipeline(&request{label: p.Name, pass: at.text, shader: sh, state: st, targets: at.targets, depth: at.depth, samples: at.samples})
	if err != nil {
		return fmt.Errorf("%s: %w", p.Material.Label(), err)
	}
	c.System = material.System{View: v.view, Projection: v.projection, ViewProjection: v.viewProjection, Eye: v.eye, Screen: [2]float64{float64(at.width), float64(at.height)}, Time: x.time, Frame: x.frame}
	if err := x.bindDraw(&s, p.Material, nil, sh, c, 0); err != nil {
		return fmt.Errorf("%s: %w", p.Material.Label(), err)
	}
	return x.encode(enc, at, p.Viewport, group0, []step{s})
}
