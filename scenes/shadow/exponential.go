package shadow

import (
	"fmt"

	"darkroom/composer"
	"darkroom/material"
	"darkroom/material/effect"
	"darkroom/material/surface"
	"darkroom/material/texture"
	"darkroom/scenes"
	"darkroom/scenes/post"
)

// Softness are the options of an exponential shadow map besides those of every map.
type Softness struct {
	// DepthScale is the exponent over the whole depth; zero means 50.
	DepthScale float64
	// Close stores the depth itself, which suits casters near to what they
	// shade and needs a tight Near and Far.
	Close bool
	// NoBlur leaves the map as it was drawn.
	NoBlur bool
	// Scale is what the map's size is divided by for the blur; zero means 2.
	Scale int
	// Kernel is the width of a Gaussian in texels of the blurred map; zero means
	// a box of 2·Box+1 texels instead, where Box zero means 1.
	Kernel float64
	Box    int
}

// Exponential is a shadow map of one light that can be blurred. Add it to a
// scene with AddTo.
type Exponential struct {
	Options
	Softness
	Light   *scenes.Light
	Casters []*scenes.Node

	caster  *caster
	pass    *scenes.ScenePass
	tasks   []scenes.Task
	blurred *texture.Texture // what receivers sample
	info    *material.Buffer
	index   int
}

// ESM returns an exponential shadow map of a directional or spot light.
func ESM(l *scenes.Light, o Options, soft Softness, casters ...*scenes.Node) (*Exponential, error) {
	if l.Kind != scenes.DirectionalLight && l.Kind != scenes.SpotLight {
		return nil, fmt.Errorf("light %s: only directional and spot lights have a shadow map", l.Name)
	}
	o.defaults(l)
	if soft.DepthScale == 0 {
		soft.DepthScale = 50
	}
	if soft.Scale < 1 {
		soft.Scale = 2
	}
	if soft.Box < 1 {
		soft.Box = 1
	}
	name := "shadow map " + l.Name
	m := &Exponential{Options: o, Softness: soft, Light: l, Casters: casters, caster: &caster{name: l.Name}}
	m.blurred = softTexture(name, o.Size)
	// Nothing in the way: the exponential of an endless depth, or the far end.
	clear := scenes.Color4{}
	if soft.Close {
		clear = scenes.Color4{1, 1, 1, 1}
	}
	m.pass = &scenes.ScenePass{
		Name: name, Only: casters, Casters: true, Override: m.caster, StandardZ: true, View: &scenes.ViewProjection{},
		Attachments: scenes.Attachments{Color: []*texture.Texture{m.blurred}, Clear: &clear},
	}
	m.tasks = []scenes.Task{m.pass}
	if !soft.NoBlur {
		m.blur(name)
	}
	m.info = &material.Buffer{Name: "shadow " + l.Name, Data: make([]byte, 96)}
	return m, nil
}

// softTexture is a square target that is sampled bilinearly.
func softTexture(name string, size int) *texture.Texture {
	clamp := composer.AddressClamp
	return &texture.Texture{
		Name: name, Format: composer.R16Float, Source: &texture.Target{Width: size, Height: size},
		Sampler: texture.Sampler{AddressU: clamp, AddressV: clamp, AddressW: clamp, NoMips: true},
	}
}

// blur adds the passes that blur the map.
func (m *Exponential) blur(name string) {
	size := max(1, m.Size/m.Scale)
	if m.Kernel == 0 {
		small := softTexture(name+" blurred", size)
		m.tasks = append(m.tasks, &scenes.EffectPass{
			Name: small.Name, Attachments: scenes.Attachments{Color: []*texture.Texture{small}},
			Material: &effect.Effect{
				Name: small.Name, Body: boxBlurWGSL, Textures: map[string]effect.Input{"picture": {Texture: m.blurred}},
				Values: []effect.Uniform{{Name: "box", Type: "vec2<f32>", Value: []float64{float64(m.Box), 1 / float64(size)}}},
			},
		})
		m.blurred = small
		return
	}
	for _, way := range []struct {
		name string
		axis [2]float64
	}{{"across", [2]float64{1, 0}}, {"down", [2]float64{0, 1}}} {
		small := softTexture(name+" blurred "+way.name, size)
		m.tasks = append(m.tasks, post.Blur(post.Pass{Name: small.Name, From: m.blurred, To: small}, way.axis, m.Kernel))
		m.blurred = small
	}
}

// AddTo hooks the map into a scene: its passes run ahead of the main pass, and
// every mesh that receives shadows gets them.
func (m *Exponential) AddTo(s *scenes.Scene) error {
	i, err := lightIndex(s, m.Light)
	if err != nil {
		return err
	}
	m.index = i
	s.Before = append(s.Before, m.tasks...)
	s.Features = append(s.Features, m)
	s.Updaters = append(s.Updaters, m)
	return nil
}

// Update implements scenes.Updater: it points the map at the casters.
func (m *Exponential) Update(s *scenes.Scene, width, height int) error {
	view, projection, err := m.frame(s, m.Light, m.Casters)
	if err != nil {
		return err
	}
	far := 1.0
	if m.Light.Kind == scenes.SpotLight {
		far = m.Far // clip z is not divided by w, so that it is linear
	}
	closeDepth := 0.0
	if m.Close {
		closeDepth = 1
	}
	m.caster.values = [4]float64{far, m.Bias, m.DepthScale, closeDepth}
	point(m.pass, view, projection, m.Light.Position, 0) // the bias is in the stored depth
	to := receiver(s, projection.Mul(view))
	data := pack(nil, to[:]...)
	data = pack(data, 0, far, m.DepthScale, closeDepth)
	m.info.Data = pack(data, m.Darkness, float64(m.Size), 1/float64(m.Size), m.EdgeFalloff)
	m.info.Version++
	return nil
}

// Fragments implements material.Feature.
func (m *Exponential) Fragments(c *material.Context) []*composer.Fragment {
	if !c.ReceiveShadows || c.DepthOnly {
		return nil
	}
	tag := fmt.Sprint(m.index)
	return []*composer.Fragment{{
		ID:              "shadow-exponential-" + tag,
		Requires:        []*composer.Fragment{pcfHelper()},
		Structs:         []composer.Struct{shadowStruct()},
		Bindings:        shadowBindings(tag, "texture_2d<f32>", "ShadowInfo"),
		FragmentHelpers: replaceTag(exponentialWGSL, tag),
		Slots:           map[composer.Slot]string{slotLightShadow: "if (i == " + tag + "u) { shadow = shadowOf" + tag + "(input.vPositionW); }"},
	}}
}

// Uniforms implements material.Feature.
func (m *Exponential) Uniforms(*material.Context, material.Writer) error { return nil }

// Resources implements material.Feature.
func (m *Exponential) Resources(c *material.Context, r material.Resources) error {
	tag := fmt.Sprint(m.index)
	r.Texture("shadowMap"+tag, m.blurred)
	r.Buffer("shadowInfo"+tag, m.info)
	return nil
}

// caster is the material that draws into an exponential shadow map. It knows
// no textures: a caster with holes needs a Mesh.Caster of its own.
type caster struct {
	name   string
	values [4]float64
}

// Label implements material.Material.
func (c *caster) Label() string { return "shadow caster " + c.name }

// Shader implements material.Material.
func (c *caster) Shader(*material.Context) (*composer.Template, []*composer.Fragment, error) {
	t := surface.Vertex("shadow-caster")
	t.Fragment = casterWGSL
	t.MaterialFields = []composer.Field{{Name: "caster", Type: "vec4<f32>"}}
	t.Outputs = []composer.Output{{Name: "color", Type: "vec4<f32>"}}
	return &t, nil, nil
}

// State implements material.Material.
func (c *caster) State(*material.Context) material.State {
	return material.State{Cull: composer.CullBack}
}

// Uniforms implements material.Material.
func (c *caster) Uniforms(_ *material.Context, w material.Writer) error {
	w.Floats("caster", c.values[:]...)
	return nil
}

// Resources implements material.Material.
func (c *caster) Resources(*material.Context, material.Resources) error { return nil }

// Tasks are the passes that draw the map.
func (m *Exponential) Tasks() []scenes.Task { return m.tasks }
