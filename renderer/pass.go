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
	near, far                        float64
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
	rounding          string // what the outputs are rounded to
	version           uint64 // of a material whose code changes
}

func (x *Session) effectiveView(cam *scenes.Camera, explicit *scenes.ViewProjection, w, h int, vp scenes.Viewport, reverse, flip bool) (*view, error) {
	v := &view{layers: ^uint32(0)}
	if explicit != nil {
		v.view, v.projection, v.eye, v.near, v.far = explicit.View, explicit.Projection, explicit.Eye, explicit.Near, explicit.Far
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
		v.projection, v.view, v.eye, v.near, v.far = p, cam.Rig.View(), cam.Rig.Eye(), cam.Near, cam.Far
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
	reverse := x.reverse(p)
	at, err := x.attach(p.Name, &p.Attachments, reverse)
	if err != nil {
		return err
	}
	plan := x.plans[p]
	ip := x.scene.ImageProcessing
	if p.ImageProcessing != nil {
		ip = *p.ImageProcessing
	}
	group0, err := x.sceneGroup(plan.view, plan.lights, at, ip)
	if err != nil {
		return err
	}
	clear(x.asked)
	steps := make([]step, 0, len(plan.draws))
	for _, d := range plan.draws {
		s, err := x.prepare(d, p, at, plan.view, reverse)
		if err != nil {
			return fmt.Errorf("node %s: %w", d.node.Name, err)
		}
		steps = append(steps, s)
	}
	x.motion.saw(p.Name, plan.view)
	if err := x.ahead(enc, p.Name, plan.draws, steps); err != nil {
		return err
	}
	return x.encode(enc, at, x.viewport(p), group0, steps)
}

// collectDraws lists what the pass draws, in the order of drawing.
func (x *Session) collectDraws(p *scenes.ScenePass, v *view) ([]*draw, []placedLight, error) {
	var draws []*draw
	lights := make([]placedLight, 0, len(x.scene.Lights))
	for _, l := range x.scene.Lights {
		lights = append(lights, placedLight{l, linalg.Identity()})
	}
	base := material.Context{
		Environment: x.scene.Environment, Fog: x.scene.Fog.Mode != scenes.FogNone, Ambient: x.scene.Ambient,
		ImageProcessing: x.scene.ImageProcessing, DepthOnly: p.Color != nil && len(p.Color) == 0, Outputs: p.Outputs, Linear: p.Linear,
		SceneColor: p.SceneColor,
	}
	if p.ImageProcessing != nil {
		base.ImageProcessing = *p.ImageProcessing
	}
	err := x.worlds.Walk(x.scene, func(n *scenes.Node, world linalg.Mat4) error {
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
		} else if c, ok := mat.(material.Casting); p.Casters && ok && c.Caster() != nil {
			mat = c.Caster()
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
		if d.shader, err = x.compose(d, pass, x.rounding(&p.Attachments, d.state)); err != nil {
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

// compose returns the shader of d, composing it when first met. The outputs
// are rounded as rounding says.
func (x *Session) compose(d *draw, pass string, rounding []composer.Rounding) (*composer.Shader, error) {
	c := d.context
	k := shaderKey{material: d.material, layout: d.geometry.layout, pass: pass, mirrored: c.Mirrored, receive: c.ReceiveShadows, rounding: roundingText(rounding)}
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
	c.MeshVar = t.MeshVar
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
	s, err := composer.Compose(t, fragments, composer.Options{OutputLocations: c.Outputs, Rounding: rounding, Limits: x.r.dev.Limits()})
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
