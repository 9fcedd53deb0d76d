package plugin

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"sort"
	"strings"

	"darkroom/composer"
	"darkroom/material"
	"darkroom/material/standard"
	"darkroom/material/texture"
)

// Material is a material with plugins. It draws as Host does with the baked
// plugins' code added.
type Material struct {
	Host material.Material
	// Plugins are what Bake takes on. To change a plugin or the list takes
	// effect when the material is baked again.
	Plugins []*Plugin

	baked *baked
	own   *material.Buffer `hash:"-"` // of all bakes, so that none leaves a buffer behind
}

// Wrap puts plugins on a material, which is baked.
func Wrap(host material.Material, plugins ...*Plugin) (*Material, error) {
	if host == nil {
		return nil, fmt.Errorf("there is no material to put plugins on")
	}
	m := &Material{Host: host, Plugins: plugins}
	return m, m.Bake()
}

// baked is what the plugins came to when the material was baked. It never
// changes, but for the bytes of own.
type baked struct {
	plugins   []*active               `hash:"-"` // the signature stands for them
	fields    []composer.Field        `hash:"-"` // of all plugins
	owner     map[string]string       `hash:"-"`
	visible   composer.Stage          `hash:"-"` // of the fields
	layout    composer.UBO            `hash:"-"` // of the fields, as a buffer of their own
	writer    *composer.UniformWriter `hash:"-"`
	own       *material.Buffer
	signature string
	version   uint64 `hash:"-"`
}

// active is an enabled plugin as it was when baked.
type active struct {
	Plugin
	fragment *composer.Fragment // without the uniforms
	values   []value            // as baked
}

// Bake takes on Plugins as they are now. Everything is prepared first: where a
// plugin is at fault, the material stays as it was, and Plugins as you set it.
func (m *Material) Bake() error {
	b, err := bake(m.Plugins)
	if err != nil {
		return fmt.Errorf("%s: %w", m.Host.Label(), err)
	}
	if m.baked != nil {
		b.version = m.baked.version
		if b.signature != m.baked.signature {
			b.version++
		}
	}
	if b.own != nil {
		if m.own == nil {
			m.own = b.own
		} else {
			m.own.Data, m.own.DirtyTo = b.own.Data, 0
			m.own.Version++
		}
		b.own = m.own
	}
	m.baked = b
	return nil
}

// Signature identifies the baked plugins: their names, priorities, whether
// they are on, and of those that are their defines, code, uniforms, varyings
// and samplers. Materials of one host with equal signatures draw with one shader.
func (m *Material) Signature() string { return m.baked.signature }

// ShaderVersion implements material.Versioned.
func (m *Material) ShaderVersion() uint64 { return m.baked.version }

// Active names the baked plugins in the order in which they run.
func (m *Material) Active() []string {
	names := make([]string, len(m.baked.plugins))
	for i, p := range m.baked.plugins {
		names[i] = p.Name
	}
	return names
}

func bake(plugins []*Plugin) (*baked, error) {
	b := &baked{owner: map[string]string{}, signature: signature(plugins)}
	for i, p := range plugins {
		if p == nil {
			return nil, fmt.Errorf("plugin %d is nil", i)
		}
		if slices.ContainsFunc(plugins[:i], func(q *Plugin) bool { return q.Name == p.Name }) {
			return nil, fmt.Errorf("two plugins are called %q; rename one", p.Name)
		}
		if !p.Disabled {
			b.plugins = append(b.plugins, &active{Plugin: *p})
		}
	}
	sort.SliceStable(b.plugins, func(i, j int) bool { return priority(&b.plugins[i].Plugin) < priority(&b.plugins[j].Plugin) })
	var needs []string
	for _, p := range b.plugins {
		if err := p.prepare(needs); err != nil {
			return nil, fmt.Errorf("plugin %q: %w", p.Name, err)
		}
		needs = []string{p.fragment.ID}
		for _, u := range p.Uniforms {
			if other, taken := b.owner[u.Name]; taken {
				return nil, fmt.Errorf("plugins %q and %q both have the uniform %q; rename one", other, p.Name, u.Name)
			}
			if _, err := composer.Layout([]composer.Field{{Name: u.Name, Type: wgslType(u.Type)}}, nil); err != nil {
				return nil, fmt.Errorf("plugin %q: %w", p.Name, err)
			}
			b.owner[u.Name] = p.Name
			b.fields = append(b.fields, composer.Field{Name: u.Name, Type: wgslType(u.Type)})
			b.visible |= u.Visibility.stages()
		}
	}
	if len(b.fields) == 0 {
		return b, nil
	}
	var err error
	if b.layout, err = composer.Layout(b.fields, nil); err != nil {
		return nil, err
	}
	b.writer = composer.NewUniformWriter(&b.layout)
	b.own = &material.Buffer{Name: "plugin uniforms", Data: make([]byte, b.layout.Size)}
	for _, p := range b.plugins {
		r := &recorder{layout: b.writer, plugin: &p.Plugin}
		if err := r.run(material.System{}); err != nil {
			return nil, fmt.Errorf("plugin %q: %w", p.Name, err)
		}
		p.values = r.values
	}
	copy(b.own.Data, b.writer.Bytes())
	return b, nil
}

func priority(p *Plugin) int {
	if p.Priority == 0 {
		return 500
	}
	return p.Priority
}

// prepare checks a plugin and makes its fragment.
func (p *active) prepare(needs []string) error {
	if p.Name == "" {
		return fmt.Errorf("it has no name")
	}
	f := &composer.Fragment{ID: "plugin " + p.Name, Dependencies: needs, Slots: map[composer.Slot]string{}}
	for point, code := range p.Code {
		if point.stage() == 0 {
			return fmt.Errorf("%q is no point; the points are %s", point, pointNames())
		}
		f.Slots[composer.Slot(point)] = code
	}
	for name, v := range p.Defines {
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
			return fmt.Errorf("define %q is %v (%T); constants are bool or numbers", name, v, v)
		}
		f.Constants = append(f.Constants, c)
	}
	slices.SortFunc(f.Constants, func(a, b composer.Constant) int { return strings.Compare(a.Name, b.Name) })
	for _, u := range p.Uniforms {
		if u.Visibility.stages() == 0 {
			return fmt.Errorf("uniform %q: %q is none of vertex, fragment and vertex-fragment", u.Name, u.Visibility)
		}
	}
	for _, v := range p.Varyings {
		t := wgslType(v.Type)
		switch t {
		case "f32", "vec2<f32>", "vec3<f32>", "vec4<f32>":
		default:
			return fmt.Errorf("varying %q has the type %q; f32, vec2f, vec3f and vec4f can be handed on", v.Name, v.Type)
		}
		f.Varyings = append(f.Varyings, composer.Varying{Name: v.Name, Type: t})
	}
	for _, s := range p.Samplers {
		if s.Visibility.stages() == 0 {
			return fmt.Errorf("sampler %q: %q is none of vertex, fragment and vertex-fragment", s.Texture, s.Visibility)
		}
		if err := s.check(p.Textures[s.Texture]); err != nil {
			return err
		}
		b := composer.Binding{Name: s.Texture, Kind: composer.BindTexture, Type: "texture_2d<f32>", Visibility: s.Visibility.stages()}
		k := composer.Binding{Name: s.Sampler, Kind: composer.BindSampler, Visibility: b.Visibility}
		if s.Depth {
			b.Type = "texture_depth_2d"
		}
		if s.Depth || s.NonFiltering {
			k.Sampler = composer.SamplerNonFiltering
		}
		if s.NonFiltering && !s.Depth {
			b.Sample = composer.SampleUnfilterableFloat
		}
		f.Bindings = append(f.Bindings, b, k)
	}
	for name := range p.Textures {
		if !slices.ContainsFunc(p.Samplers, func(s Sampler) bool { return s.Texture == name }) {
			return fmt.Errorf("texture %q is not among Samplers", name)
		}
	}
	p.fragment = f
	return nil
}

// check refuses a texture that the sampler cannot take.
func (s *Sampler) check(t *texture.Texture) error {
	if t == nil {
		return fmt.Errorf("sampler %q has no texture; set it in Textures", s.Texture)
	}
	if d := t.GPUFormat().IsDepth(); d != s.Depth {
		return fmt.Errorf("sampler %q: texture %s has the format %s; set Depth for depth textures and for no others", s.Texture, t.Name, t.GPUFormat())
	}
	if w := t.Sampler; (s.Depth || s.NonFiltering) && (w.Mag != composer.FilterNearest || w.Min != composer.FilterNearest || w.Mip != composer.FilterNearest && !w.NoMips || w.Anisotropy > 1) {
		return fmt.Errorf("sampler %q does not filter and texture %s is sampled linearly; make its Sampler's Mag, Min and Mip nearest", s.Texture, t.Name)
	}
	return nil
}

func pointNames() string {
	list := Points()
	names := make([]string, len(list))
	for i, p := range list {
		names[i] = string(p)
	}
	return strings.Join(names, ", ")
}

// wgslType spells the short names of vector types out.
func wgslType(t string) string {
	switch t {
	case "vec2", "vec2f":
		return "vec2<f32>"
	case "vec3", "vec3f":
		return "vec3<f32>"
	case "vec4", "vec4f":
		return "vec4<f32>"
	case "mat4x4f":
		return "mat4x4<f32>"
	}
	return t
}

// signature hashes everything about the plugins that decides code, each part
// preceded by its length.
func signature(plugins []*Plugin) string {
	h := sha256.New()
	put := func(s ...any) {
		t := fmt.Sprint(s...)
		fmt.Fprintf(h, "%d:%s;", len(t), t)
	}
	for _, p := range plugins {
		if p == nil {
			continue
		}
		put(p.Name)
		put(priority(p), p.Disabled)
		if p.Disabled {
			continue
		}
		names := make([]string, 0, len(p.Defines))
		for n := range p.Defines {
			names = append(names, n)
		}
		sort.Strings(names)
		for _, n := range names {
			put(n)
			put(fmt.Sprintf("%T %v", p.Defines[n], p.Defines[n]))
		}
		for _, point := range Points() {
			put(point)
			put(p.Code[point])
		}
		put(fmt.Sprintf("%q %q %+v", p.Uniforms, p.Varyings, p.Samplers))
	}
	return hex.EncodeToString(h.Sum(nil))
}

// Label implements material.Material.
func (m *Material) Label() string { return m.Host.Label() }

// Shader implements material.Material.
func (m *Material) Shader(c *material.Context) (*composer.Template, []*composer.Fragment, error) {
	t, out, err := m.Host.Shader(c)
	if err != nil {
		return nil, nil, err
	}
	b := m.baked
	if err := b.checkNames(t, out); err != nil {
		return nil, nil, err
	}
	uniforms := b.uniforms(t, separate(m.Host))
	if uniforms != nil && uniforms.Fields != nil && t.MaterialFields == nil {
		// A shader that stores depth alone has no values of the material, and the
		// plugins' code reads material.NAME all the same.
		own := *t
		own.MaterialFields = []composer.Field{}
		t = &own
	}
	for i, p := range b.plugins {
		f := *p.fragment
		if i == 0 && uniforms != nil {
			f.Requires = []*composer.Fragment{uniforms}
		}
		if t.Fragment == "" {
			f = vertexOnly(f)
		}
		out = append(out, &f)
	}
	return t, out, nil
}

// ownBuffer is the variable of the plugins' own buffer.
const ownBuffer = "pluginUbo"

// separate reports a family whose plugins have a buffer of their own: code
// written for the reference engine reads pluginUbo there.
func separate(host material.Material) bool {
	switch h := host.(type) {
	case *standard.Material:
		return true
	case *Material:
		return separate(h.Host)
	}
	return false
}

// uniforms declares the plugins' uniforms, nil for none.
func (b *baked) uniforms(t *composer.Template, separate bool) *composer.Fragment {
	switch {
	case len(b.fields) == 0:
		return nil
	case !separate:
		return &composer.Fragment{ID: "plugin-uniforms", Fields: b.fields}
	}
	v := b.visible
	if t.Fragment == "" {
		if v &= composer.StageVertex; v == 0 {
			return nil
		}
	}
	return &composer.Fragment{
		ID:       "plugin-uniforms",
		Structs:  []composer.Struct{{Name: "PluginUboUniforms", Fields: b.fields}},
		Bindings: []composer.Binding{{Name: ownBuffer, Kind: composer.BindUniform, Type: "PluginUboUniforms", Visibility: v}},
	}
}

// checkNames refuses a uniform that has the name of one of the host's: the two
// would be one, and the plugin would write the host's.
func (b *baked) checkNames(t *composer.Template, fragments []*composer.Fragment) error {
	check := func(lists ...[]composer.Field) error {
		for _, list := range lists {
			for _, f := range list {
				if p, ok := b.owner[f.Name]; ok {
					return fmt.Errorf("plugin %q: uniform %q is one of the material's own; rename it", p, f.Name)
				}
			}
		}
		return nil
	}
	if err := check(t.MeshFields, t.MaterialFields); err != nil {
		return err
	}
	for _, f := range fragments {
		if f.ID == "plugin-uniforms" || strings.HasPrefix(f.ID, "plugin ") {
			continue
		}
		if err := check(f.MeshFields, f.Fields); err != nil {
			return err
		}
	}
	return nil
}

// vertexOnly is f for a shader without a fragment stage.
func vertexOnly(f composer.Fragment) composer.Fragment {
	slots := map[composer.Slot]string{}
	for s, code := range f.Slots {
		if Point(s).stage() == composer.StageVertex {
			slots[s] = code
		}
	}
	f.Slots = slots
	var bindings []composer.Binding
	for _, b := range f.Bindings {
		if b.Visibility &= composer.StageVertex; b.Visibility != 0 {
			bindings = append(bindings, b)
		}
	}
	f.Bindings = bindings
	return f
}

// State implements material.Material.
func (m *Material) State(c *material.Context) material.State { return m.Host.State(c) }

// Uniforms implements material.Material.
func (m *Material) Uniforms(c *material.Context, w material.Writer) error {
	if err := m.Host.Uniforms(c, w); err != nil {
		return err
	}
	b := m.baked
	if len(b.fields) == 0 {
		return nil
	}
	own := separate(m.Host)
	for _, p := range b.plugins {
		values := p.values
		if p.Dynamic && p.Values != nil {
			r := &recorder{layout: b.writer, plugin: &p.Plugin}
			if err := r.run(c.System); err != nil {
				return fmt.Errorf("plugin %q: %w", p.Name, err)
			}
			values = r.values
		}
		if own {
			continue
		}
		for _, v := range values {
			w.Set(v.name, v.v)
		}
	}
	if own && !bytes.Equal(b.own.Data, b.writer.Bytes()) {
		copy(b.own.Data, b.writer.Bytes())
		b.own.Version++
	}
	return nil
}

// Check implements material.Checked: the host is complete, and the textures
// are still there and of the kind that was baked.
func (m *Material) Check() error {
	if h, ok := m.Host.(material.Checked); ok {
		if err := h.Check(); err != nil {
			return err
		}
	}
	for _, p := range m.baked.plugins {
		for _, s := range p.Samplers {
			if err := s.check(p.Textures[s.Texture]); err != nil {
				return fmt.Errorf("plugin %q: %w", p.Name, err)
			}
		}
	}
	return nil
}

// Resources implements material.Material.
func (m *Material) Resources(c *material.Context, r material.Resources) error {
	if err := m.Host.Resources(c, r); err != nil {
		return err
	}
	if m.baked.own != nil && separate(m.Host) {
		r.Buffer(ownBuffer, m.baked.own)
	}
	for _, p := range m.baked.plugins {
		for _, s := range p.Samplers {
			t := p.Textures[s.Texture]
			r.View(s.Texture, t, material.View{DepthOnly: s.Depth})
			r.Texture(s.Sampler, t)
		}
	}
	return nil
}

// value is a uniform as a plugin wrote it.
type value struct {
	name string
	v    any
}

// recorder is the writer that a plugin's Values get: it checks each value
// against the declaration and remembers it.
type recorder struct {
	layout *composer.UniformWriter
	plugin *Plugin
	values []value
	err    error
}

// run asks the plugin for its values. The layout's bytes are as before where
// it fails.
func (r *recorder) run(s material.System) error {
	if r.plugin.Values == nil {
		return nil
	}
	before := slices.Clone(r.layout.Bytes())
	err := r.plugin.Values(s, r)
	if err == nil {
		err = r.err
	}
	if err != nil {
		copy(r.layout.Bytes(), before)
	}
	return err
}

// Has implements material.Writer.
func (r *recorder) Has(field string) bool {
	return slices.ContainsFunc(r.plugin.Uniforms, func(u Uniform) bool { return u.Name == field })
}

// Set implements material.Writer.
func (r *recorder) Set(field string, v any) {
	switch {
	case r.err != nil:
	case !r.Has(field):
		r.err = fmt.Errorf("uniform %q is not declared; add it to Uniforms", field)
	default:
		if r.err = r.layout.Set(field, v); r.err == nil {
			r.values = append(r.values, value{field, v})
		}
	}
}

// Floats implements material.Writer.
func (r *recorder) Floats(field string, v ...float64) { r.Set(field, slices.Clone(v)) }
