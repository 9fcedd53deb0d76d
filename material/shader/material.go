package shader

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"darkroom/composer"
	"darkroom/material"
)

// The kinds of error of setters; match them with errors.Is.
var (
	// ErrUndeclared is a name that the material does not have.
	ErrUndeclared = errors.New("not declared")
	// ErrValue is a value of another type or number of components, or a texture
	// of another kind, than was declared.
	ErrValue = errors.New("wrong value")
)

// Material is a user's shader with its values. Make one with New.
type Material struct {
	name  string
	decl  *declaration
	slots *slots
	// values is nil without uniforms. A view borrows its source's until it sets
	// one of its own.
	values  *values
	source  *Material // of a view
	private bool      // values is the view's own
	spare   *values   `hash:"-"` // a view's own that it does not use now
	change  func(*material.State)
}

// declaration is what New was given, checked. It never changes.
type declaration struct {
	Options
	constants []composer.Constant
	uniforms  []composer.Field
	system    []composer.Field
	types     map[string]string // WGSL types of the attributes
}

// New checks the options and returns the material. Every fault is one error
// that names the material and, in WGSL, the line.
func New(o Options) (*Material, error) {
	m := &Material{name: o.Name}
	fail := func(err error) (*Material, error) { return nil, fmt.Errorf("%s: %w", m.Label(), err) }
	d, err := declare(o)
	if err != nil {
		return fail(err)
	}
	m.decl = d
	m.slots = newSlots(d)
	if len(d.uniforms) > 0 {
		if m.values, err = newValues(d); err != nil {
			return fail(err)
		}
	}
	// Compose once with what was declared, so that whatever the WGSL and the
	// declarations cannot agree on is known here.
	c := &material.Context{Streams: map[string]composer.VertexFormat{}}
	for _, a := range d.Attributes {
		c.Streams[a] = d.Formats[a]
	}
	t, f, err := m.Shader(c)
	if err != nil {
		return fail(err)
	}
	if _, err := composer.Compose(t, f, composer.Options{}); err != nil {
		return fail(err)
	}
	return m, nil
}

// Label implements material.Material.
func (m *Material) Label() string { return "shader material " + m.name }

// Uniforms implements material.Material: what shaderSystem has of the renderer.
func (m *Material) Uniforms(c *material.Context, w material.Writer) error {
	s := &c.System
	for _, u := range m.decl.System {
		name := string(u)
		switch u {
		case World: // the renderer's own
		case View:
			w.Floats(name, s.View[:]...)
		case Projection:
			w.Floats(name, s.Projection[:]...)
		case ViewProjection:
			w.Floats(name, s.ViewProjection[:]...)
		case WorldView:
			x := product(&s.View, &s.World)
			w.Floats(name, x[:]...)
		case WorldViewProjection:
			x := product(&s.ViewProjection, &s.World)
			w.Floats(name, x[:]...)
		case CameraPosition:
			w.Floats(name, s.Eye[:]...)
		case ScreenSize:
			w.Floats(name, s.Screen[:]...)
		case AlphaCutoff:
			w.Floats(name, m.slots.alphaCutoff)
		}
	}
	return nil
}

// product is a * b of column-major matrices.
func product(a, b *[16]float64) (c [16]float64) {
	for j := range 4 {
		for i := range 4 {
			c[4*j+i] = a[i]*b[4*j] + a[4+i]*b[4*j+1] + a[8+i]*b[4*j+2] + a[12+i]*b[4*j+3]
		}
	}
	return c
}

// State implements material.Material.
func (m *Material) State(*material.Context) material.State {
	d := m.decl
	s := material.State{
		Cull: composer.CullBack, Compare: d.DepthCompare, Bias: d.DepthBias, BiasSlope: d.DepthBiasSlope,
		Stencil: d.Stencil, Write: d.Write, Topology: d.Topology, BlendConstant: d.BlendConstant,
	}
	if d.TwoSided {
		s.Cull = composer.CullNone
	}
	blends := d.AlphaBlending || d.Blend != nil && !d.Opaque
	switch {
	case d.Blend != nil:
		s.Blend = d.Blend
	case d.AlphaBlending:
		b := d.BlendMode.state()
		s.Blend = &b
	}
	s.Opaque = d.Blend != nil && !blends
	s.NoDepthWrite = s.Blend != nil
	if d.DepthWrite != nil && (d.Blend != nil || !d.AlphaBlending) {
		s.NoDepthWrite = !*d.DepthWrite
	}
	if m.change != nil {
		m.change(&s)
	}
	return s
}

// declare checks the options.
func declare(o Options) (*declaration, error) {
	d := &declaration{Options: o, types: map[string]string{}}
	d.Attributes, d.System, d.Uniforms = slices.Clone(o.Attributes), slices.Clone(o.System), slices.Clone(o.Uniforms)
	d.Samplers, d.Externals, d.Buffers = slices.Clone(o.Samplers), slices.Clone(o.Externals), slices.Clone(o.Buffers)
	d.Outputs = slices.Clone(o.Outputs)
	if d.VertexEntry == "" {
		d.VertexEntry = "mainVertex"
	}
	if d.FragmentEntry == "" {
		d.FragmentEntry = "mainFragment"
	}
	if o.Blend != nil {
		b := *o.Blend
		d.Blend = &b
	}
	for _, step := range []func() error{d.attributes, d.systemUniforms, d.customUniforms, d.defines, d.fixed} {
		if err := step(); err != nil {
			return nil, err
		}
	}
	names, err := d.names()
	if err != nil {
		return nil, err
	}
	for _, s := range []struct{ stage, src, entry, attribute string }{
		{"vertex", d.Vertex, d.VertexEntry, "vertex"}, {"fragment", d.Fragment, d.FragmentEntry, "fragment"},
	} {
		if err := checkSource(s.src, s.entry, s.attribute, names); err != nil {
			return nil, fmt.Errorf("%s stage: %w", s.stage, err)
		}
	}
	return d, nil
}

func (d *declaration) attributes() error {
	for name, f := range d.Formats {
		if wgslOf(f) == "" {
			return fmt.Errorf("attribute %q: %q is no vertex format", name, f)
		}
		if !slices.Contains(d.Attributes, name) {
			return fmt.Errorf("a format is declared for %q, which is not among Attributes", name)
		}
	}
	formats := maps.Clone(d.Formats)
	if formats == nil {
		formats = map[string]composer.VertexFormat{}
	}
	for i, a := range d.Attributes {
		if slices.Contains(d.Attributes[:i], a) {
			return fmt.Errorf("attribute %q is listed twice", a)
		}
		if formats[a] == "" {
			if formats[a] = usual(a); formats[a] == "" {
				return fmt.Errorf("attribute %q is none of %s; declare its format in Formats", a, attributeNames)
			}
		}
		d.types[a] = wgslOf(formats[a])
	}
	d.Formats = formats
	if !slices.Contains(d.Attributes, "position") {
		return fmt.Errorf("the attribute position is required; add it to Attributes")
	}
	for _, a := range []string{"position", "normal", "tangent"} {
		if d.FinalInput && d.types[a] != "" && d.types[a] != wgslOf(usual(a)) {
			return fmt.Errorf("FinalInput adds morph targets to %s, which Formats declare as %s; leave it %s", a, formats[a], usual(a))
		}
	}
	return nil
}

func (d *declaration) systemUniforms() error {
	for i, s := range d.System {
		if s.wgsl() == "" {
			return fmt.Errorf("system uniform %q is none that the renderer has; declare a uniform of the material's own in Uniforms with its type", s)
		}
		if slices.Contains(d.System[:i], s) {
			return fmt.Errorf("system uniform %q is listed twice", s)
		}
		d.system = append(d.system, composer.Field{Name: string(s), Type: s.wgsl()})
	}
	if len(d.system) == 0 {
		// Binding 0 is always there, so that all layouts start alike.
		d.system = []composer.Field{{Name: "unused", Type: "vec4<f32>"}}
	}
	if d.InstanceWorld && !slices.Contains(d.System, World) {
		return fmt.Errorf("InstanceWorld needs the system uniform world; add shader.World to System")
	}
	return nil
}

func (d *declaration) customUniforms() error {
	for _, u := range d.Uniforms {
		switch u.Type {
		case "f32", "i32", "u32", "vec2<f32>", "vec3<f32>", "vec4<f32>", "mat4x4<f32>":
		case "":
			return fmt.Errorf("uniform %q has no type; a value of the renderer goes into System, one of the material's own needs a Type", u.Name)
		default:
			return fmt.Errorf("uniform %q has the type %q; f32, i32, u32, vec2<f32>, vec3<f32>, vec4<f32> and mat4x4<f32> can be set", u.Name, u.Type)
		}
		if System(u.Name).wgsl() != "" {
			return fmt.Errorf("uniform %q has the name of a system uniform; list it in System or rename it", u.Name)
		}
		d.uniforms = append(d.uniforms, composer.Field{Name: u.Name, Type: u.Type})
	}
	return nil
}

func (d *declaration) defines() error {
	for name, v := range d.Defines {
		c := composer.Constant{Name: name, Value: v}
		switch v.(type) {
		case bool:
			c.Type = "bool"
		case float32, float64:
			c.Type = "f32"
		case int, int8, int16, int32, int64:
			c.Type = "i32"
		case uint, uint8, uint16, uint32, uint64:
			c.Type = "u32"
		default:
			return fmt.Errorf("define %q is %v (%T); WGSL constants are bool or numbers, there is no text replacement", name, v, v)
		}
		d.constants = append(d.constants, c)
	}
	slices.SortFunc(d.constants, func(a, b composer.Constant) int {
		if a.Name < b.Name {
			return -1
		}
		return 1
	})
	d.Defines = maps.Clone(d.Defines)
	return nil
}

// fixed checks the fixed-function state.
func (d *declaration) fixed() error {
	switch d.Topology {
	case "", composer.PointList, composer.LineList, composer.TriangleList:
	case composer.LineStrip, composer.TriangleStrip:
		return fmt.Errorf("topology %s: strips take an index format from each mesh; use a list", d.Topology)
	default:
		return fmt.Errorf("topology %q is none of point-list, line-list and triangle-list", d.Topology)
	}
	switch d.BlendMode {
	case "", Alpha, Additive:
	default:
		return fmt.Errorf("blend mode %q is neither alpha nor additive; give a Blend", d.BlendMode)
	}
	if d.Opaque && d.Blend == nil {
		return fmt.Errorf("Opaque has no meaning without Blend")
	}
	if d.BlendConstant != [4]float64{} && (d.Blend == nil || !d.Blend.UsesConstant()) {
		return fmt.Errorf("BlendConstant has no meaning without a Blend that has the factor constant or one-minus-constant")
	}
	s := composer.State{Topology: d.Topology, DepthStencil: &composer.DepthStencil{Format: composer.Depth24PlusStencil8, Compare: d.DepthCompare}}
	if d.Topology == "" || d.Topology == composer.TriangleList {
		s.DepthStencil.Bias, s.DepthStencil.BiasSlope = d.DepthBias, d.DepthBiasSlope
	} else if d.DepthBias != 0 || d.DepthBiasSlope != 0 {
		return fmt.Errorf("a depth bias has no meaning for a %s", d.Topology)
	}
	if d.Stencil != nil {
		st := *d.Stencil
		d.Stencil = &st
		s.DepthStencil.Front, s.DepthStencil.Back = st.Front, st.Back
	}
	s.Targets = []composer.ColorTarget{{Format: composer.RGBA8Unorm, Blend: d.Blend, Write: d.Write}}
	return composer.ValidateState(nil, s, composer.Limits{})
}

// names are the names that the prelude declares, with what each is. Two of
// one name are an error.
func (d *declaration) names() (map[string]string, error) {
	names := map[string]string{
		"SceneUniforms": "the scene's uniforms", "scene": "the scene's uniforms", "Light": "the scene's lights",
		"LightsUniforms": "the scene's lights", "lights": "the scene's lights",
		"ShaderSystemUniforms": "the system uniforms", "shaderSystem": "the system uniforms",
		"VertexInput": "the vertex attributes",
	}
	add := func(name, what string) error {
		if was, ok := names[name]; ok {
			return fmt.Errorf("%s %q has the name of %s; rename it", what, name, was)
		}
		names[name] = what
		return nil
	}
	members := map[string]bool{}
	for _, u := range d.Uniforms {
		if members[u.Name] {
			return nil, fmt.Errorf("uniform %q is declared twice", u.Name)
		}
		members[u.Name] = true
	}
	if len(d.Uniforms) > 0 {
		names["ShaderUniforms"], names["shaderUniforms"] = "the material's uniforms", "the material's uniforms"
	}
	if d.InstanceWorld {
		names[finalWorldName] = "the generated helper"
	}
	if d.FinalColor {
		names[finalColorName] = "the generated helper"
	}
	if d.FinalInput {
		names[finalInputName] = "the generated helper"
	}
	if len(d.Externals) > 0 {
		names["textureSampleBaseClampToEdge"] = "the generated helper"
	}
	if len(d.Outputs) > 0 {
		for _, n := range []string{"FragmentOutput", "Outputs", "outputs", "fragmentOutputs"} {
			names[n] = "the generated outputs"
		}
	}
	var err error
	declare := func(what, name string) {
		if err == nil {
			err = add(name, what)
		}
	}
	for _, s := range d.Samplers {
		switch s.Sample {
		case "", composer.SampleFloat, composer.SampleUnfilterableFloat, composer.SampleDepth:
		default:
			return nil, fmt.Errorf("sampler %q: the sample type %q is none of float, unfilterable-float and depth", s.Name, s.Sample)
		}
		declare("sampler", s.Name)
		declare("sampler", s.Name+"Sampler")
	}
	for _, x := range d.Externals {
		declare("external texture", x)
		declare("external texture", x+"Sampler")
	}
	for _, b := range d.Buffers {
		declare("buffer", b.Name)
	}
	for _, c := range d.constants {
		declare("define", c.Name)
	}
	return names, err
}
