// Package shadow makes shadow maps out of ordinary passes: a generator is a
// list of tasks that draw depth from a light, and a feature with which meshes
// receive the shadow. The renderer knows neither.
package shadow

import (
	"encoding/binary"
	"fmt"
	"math"

	"darkroom/composer"
	"darkroom/material"
	"darkroom/material/texture"
	"darkroom/scenes"
	"darkroom/scenes/linalg"
)

// Options of every kind of shadow map; zero values are the reference engine's
// defaults.
type Options struct {
	Size     int     // texels; zero means 1024
	Bias     float64 // added to the depth, as a depth from -1 to 1 has it; zero means 0.00005
	Darkness float64 // what is left of the light in full shadow
	// Near and Far bound the depth of the map, in scene units from the light's
	// position. Zero means 1 and 10000 (or the light's range).
	Near, Far float64
	// EdgeFalloff fades the shadow out towards the edge of the map.
	EdgeFalloff float64
}

func (o *Options) defaults(l *scenes.Light) {
	if o.Size == 0 {
		o.Size = 1024
	}
	if o.Bias == 0 {
		o.Bias = 0.00005
	}
	if o.Near == 0 {
		o.Near = 1
	}
	if o.Far == 0 {
		o.Far = 10000
		if l.Range > 0 {
			o.Far = l.Range
		}
	}
}

// Map is a shadow map of one light with percentage-closer filtering. Add it to
// a scene with AddTo.
type Map struct {
	Options
	Light   *scenes.Light
	Casters []*scenes.Node

	depth *texture.Texture
	pass  *scenes.ScenePass
	info  *material.Buffer
	index int
}

// PCF returns a shadow map of a directional or spot light.
func PCF(l *scenes.Light, o Options, casters ...*scenes.Node) (*Map, error) {
	if l.Kind != scenes.DirectionalLight && l.Kind != scenes.SpotLight {
		return nil, fmt.Errorf("light %s: only directional and spot lights have a shadow map", l.Name)
	}
	o.defaults(l)
	m := &Map{Options: o, Light: l, Casters: casters}
	m.depth = depthTexture("shadow map "+l.Name, o.Size, 1)
	m.pass = casterPass("shadow map "+l.Name, m.depth, 0, casters)
	m.info = &material.Buffer{Name: "shadow " + l.Name, Data: make([]byte, 96)}
	return m, nil
}

// depthTexture is a depth target that is sampled with comparison.
func depthTexture(name string, size, layers int) *texture.Texture {
	t := &texture.Target{Width: size, Height: size, Layers: layers}
	if layers > 1 {
		t.Dimension = composer.View2DArray
	}
	clamp := composer.AddressClamp
	return &texture.Texture{
		Name: name, Format: composer.Depth32Float, Source: t,
		Sampler: texture.Sampler{AddressU: clamp, AddressV: clamp, AddressW: clamp, Mip: composer.FilterNearest, Compare: composer.CompareLess},
	}
}

// casterPass draws the casters' depth into a layer, near 0 and far 1.
func casterPass(name string, depth *texture.Texture, layer int, casters []*scenes.Node) *scenes.ScenePass {
	return &scenes.ScenePass{
		Name: name, Only: casters, Casters: true, StandardZ: true, View: &scenes.ViewProjection{},
		Attachments: scenes.Attachments{Color: []*texture.Texture{}, Depth: depth, DepthView: material.View{BaseLayer: layer}},
	}
}

// AddTo hooks the map into a scene: its pass runs ahead of the main pass, and
// every mesh that receives shadows gets them.
func (m *Map) AddTo(s *scenes.Scene) error {
	i, err := lightIndex(s, m.Light)
	if err != nil {
		return err
	}
	m.index = i
	s.Before = append(s.Before, m.pass)
	s.Features = append(s.Features, m)
	s.Updaters = append(s.Updaters, m)
	return nil
}

// lightIndex is the light's place in the passes' list of lights.
func lightIndex(s *scenes.Scene, l *scenes.Light) (int, error) {
	i := 0
	for _, x := range s.Lights {
		if x == l {
			return i, nil
		}
		if !x.Off {
			i++
		}
	}
	return 0, fmt.Errorf("scene %s: light %s is not among its lights; add it before its shadow", s.Name, l.Name)
}

// Update implements scenes.Updater: it points the map at the casters.
func (m *Map) Update(s *scenes.Scene, width, height int) error {
	view, projection, err := m.frame(s, m.Light, m.Casters)
	if err != nil {
		return err
	}
	point(m.pass, view, projection, m.Light.Position, m.Bias)
	to := receiver(s, projection.Mul(view))
	data := pack(nil, to[:]...)
	far := 1.0
	if m.Light.Kind == scenes.SpotLight {
		far = m.Far
	}
	data = pack(data, 0, far, 0, 0)
	data = pack(data, m.Darkness, float64(m.Size), 1/float64(m.Size), m.EdgeFalloff)
	m.info.Data = data
	m.info.Version++
	return nil
}

// frame is how a light sees its casters: a spot light by its cone, a
// directional one by the box about them.
func (o *Options) frame(s *scenes.Scene, l *scenes.Light, casters []*scenes.Node) (view, projection linalg.Mat4, err error) {
	view = lightView(l.Position, l.Direction)
	if l.Kind == scenes.SpotLight {
		return view, linalg.PerspectiveFovLH(l.Angle, 1, o.Near, o.Far, true), nil
	}
	box, err := castersIn(s, casters, view)
	if err != nil {
		return view, projection, err
	}
	// DirectionalLight.autoUpdateExtends leaves a tenth on every side.
	margin := box.Size().Scale(0.1)
	return view, linalg.OrthoOffCenterLH(box.Min[0]-margin[0], box.Max[0]+margin[0], box.Min[1]-margin[1], box.Max[1]+margin[1], o.Near, o.Far, true), nil
}

// lightView looks from a place along a direction: Babylon.js, ShadowLight.
func lightView(position, direction linalg.Vec3) linalg.Mat4 {
	d := direction.Normalize()
	if math.Abs(d[1]) == 1 {
		d[2] = 1e-13 // straight down has no sideways
	}
	return linalg.LookAtLH(position, position.Add(d), linalg.Vec3{0, 1, 0})
}

// point aims a caster pass. The bias moves clip z by its share of w, as the
// engine's shadow vertex shader does (BIASFACTOR): it is meant for a depth from -1
// to 1, so that half of it is left where depth goes from 0 to 1.
func point(p *scenes.ScenePass, view, projection linalg.Mat4, eye linalg.Vec3, bias float64) {
	for c := range 4 {
		projection[c*4+2] += bias / 2 * projection[c*4+3]
	}
	p.View.View, p.View.Projection, p.View.Eye = view, projection, eye
}

// receiver turns a world-to-light matrix into one for the positions that
// shaders see, which are relative to the eye in a large world.
func receiver(s *scenes.Scene, m linalg.Mat4) linalg.Mat4 {
	if s.LargeWorld && s.Camera != nil && s.Camera.Rig != nil {
		return m.Mul(linalg.Translation(s.Camera.Rig.Eye()))
	}
	return m
}

// castersIn is the box of the casters in the space of m, from the corners of
// their own boxes.
func castersIn(s *scenes.Scene, casters []*scenes.Node, m linalg.Mat4) (linalg.AABB, error) {
	want := map[*scenes.Node]bool{}
	for _, n := range casters {
		want[n] = true
	}
	box := linalg.EmptyAABB()
	err := s.Walk(func(n *scenes.Node, world linalg.Mat4) error {
		if n.Mesh != nil && n.Mesh.Geometry != nil && want[n] {
			full := m.Mul(world)
			for _, c := range n.Mesh.Bounds().Corners() {
				box = box.Extend(full.TransformPoint(c))
			}
		}
		return nil
	})
	if box.Empty() {
		box = linalg.AABB{Min: linalg.Vec3{-1, -1, -1}, Max: linalg.Vec3{1, 1, 1}}
	}
	return box, err
}

func pack(dst []byte, v ...float64) []byte {
	for _, x := range v {
		dst = binary.LittleEndian.AppendUint32(dst, math.Float32bits(float32(x)))
	}
	return dst
}

// slotLightShadow is inside the light loop of every lit family.
const slotLightShadow composer.Slot = "LS"

// Fragments implements material.Feature.
func (m *Map) Fragments(c *material.Context) []*composer.Fragment {
	if !c.ReceiveShadows || c.DepthOnly {
		return nil
	}
	tag := fmt.Sprint(m.index)
	return []*composer.Fragment{{
		ID:              "shadow-pcf-" + tag,
		Requires:        []*composer.Fragment{pcfHelper()},
		Structs:         []composer.Struct{shadowStruct()},
		Bindings:        shadowBindings(tag, "texture_depth_2d", "ShadowInfo"),
		FragmentHelpers: replaceTag(pcfLightWGSL, tag),
		Slots:           map[composer.Slot]string{slotLightShadow: "if (i == " + tag + "u) { shadow = shadowOf" + tag + "(input.vPositionW); }"},
	}}
}

// Uniforms implements material.Feature.
func (m *Map) Uniforms(*material.Context, material.Writer) error { return nil }

// Resources implements material.Feature.
func (m *Map) Resources(c *material.Context, r material.Resources) error {
	tag := fmt.Sprint(m.index)
	r.Texture("shadowMap"+tag, m.depth)
	r.Buffer("shadowInfo"+tag, m.info)
	return nil
}

func shadowStruct() composer.Struct {
	return composer.Struct{Name: "ShadowInfo", Fields: []composer.Field{
		{Name: "lightMatrix", Type: "mat4x4<f32>"}, {Name: "depthValues", Type: "vec4<f32>"}, {Name: "info", Type: "vec4<f32>"},
	}}
}

func shadowBindings(tag, kind, info string) []composer.Binding {
	f := composer.StageFragment
	sampler := composer.SamplerComparison
	if kind == "texture_2d<f32>" {
		sampler = composer.SamplerFiltering
	}
	return []composer.Binding{
		{Name: "shadowMap" + tag, Kind: composer.BindTexture, Type: kind, Group: composer.GroupShadow, Visibility: f},
		{Name: "shadowMap" + tag + "Sampler", Kind: composer.BindSampler, Sampler: sampler, Group: composer.GroupShadow, Visibility: f},
		{Name: "shadowInfo" + tag, Kind: composer.BindUniform, Type: info, Group: composer.GroupShadow, Visibility: f},
	}
}

// Tasks are the passes that draw the map.
func (m *Map) Tasks() []scenes.Task { return []scenes.Task{m.pass} }
