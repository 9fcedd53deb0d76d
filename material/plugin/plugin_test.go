package plugin

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"darkroom/composer"
	"darkroom/material"
	"darkroom/material/grid"
	"darkroom/material/pbr"
	"darkroom/material/shader"
	"darkroom/material/standard"
	"darkroom/material/texture"
)

func context() *material.Context {
	return &material.Context{Streams: map[string]composer.VertexFormat{"position": composer.Float32x3, "normal": composer.Float32x3, "uv": composer.Float32x2}}
}

func compose(m material.Material, c *material.Context) (*composer.Shader, error) {
	t, f, err := m.Shader(c)
	if err != nil {
		return nil, err
	}
	return composer.Compose(t, f, composer.Options{})
}

func mustCompose(t testing.TB, m material.Material, c *material.Context) *composer.Shader {
	t.Helper()
	sh, err := compose(m, c)
	if err != nil {
		t.Fatal(err)
	}
	return sh
}

func wrap(t testing.TB, host material.Material, plugins ...*Plugin) *Material {
	t.Helper()
	m, err := Wrap(host, plugins...)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// families are those that take plugins.
func families() map[string]material.Material {
	return map[string]material.Material{"standard": standard.New("s"), "pbr": pbr.New("p")}
}

// Without plugins, and with disabled ones, shaders are the bytes that the host
// composes by itself.
func TestPluginFree(t *testing.T) {
	for name, host := range families() {
		for _, depth := range []bool{false, true} {
			c := context()
			c.DepthOnly = depth
			want := mustCompose(t, host, c)
			for _, m := range []*Material{wrap(t, host), wrap(t, host, &Plugin{Name: "off", Disabled: true, Code: map[Point]string{FragmentMainBegin: "broken"}})} {
				if got := mustCompose(t, m, c); got.VertexWGSL != want.VertexWGSL || got.FragmentWGSL != want.FragmentWGSL || got.Key != want.Key {
					t.Errorf("%s, depth only %t: other shaders", name, depth)
				}
			}
		}
		if sh := mustCompose(t, host, context()); strings.Contains(sh.VertexWGSL+sh.FragmentWGSL, "CUSTOM_") {
			t.Errorf("%s: a marker is left in the shader", name)
		}
	}
}

// Every point is in both families, in the order of the stage.
func TestPoints(t *testing.T) {
	for name, host := range families() {
		p := &Plugin{Name: "all", Code: map[Point]string{}}
		for i, point := range Points() {
			p.Code[point] = fmt.Sprintf("// point %d", i)
		}
		sh := mustCompose(t, wrap(t, host, p), context())
		for _, x := range []struct {
			wgsl string
			from int
			to   int
		}{{sh.VertexWGSL, 0, 3}, {sh.FragmentWGSL, 3, 10}} {
			at := 0
			for i := x.from; i < x.to; i++ {
				n := strings.Index(x.wgsl[at:], fmt.Sprintf("// point %d", i))
				if n < 0 {
					t.Fatalf("%s: %s does not follow the point before it", name, Points()[i])
				}
				at += n
			}
		}
		// What the point's code may rely on.
		for _, order := range [][]string{
			{"var positionLocal", "// point 0", "var finalWorld", "var worldPosition", "// point 1", "out.position = ", "// point 2", "return out"},
			{"// point 3", "fn fs(", "// point 4", "// point 5", "// point 6", "// point 7", "for (var i", "// point 8", "var color", "// point 9", "outputs.color = color"},
		} {
			text := sh.VertexWGSL
			if order[0] == "// point 3" {
				text = sh.FragmentWGSL
			}
			at := 0
			for _, s := range order {
				n := strings.Index(text[at:], s)
				if n < 0 {
					t.Fatalf("%s: %q does not follow in\n%s", name, s, text)
				}
				at += n
			}
		}
	}
}

// Of the alpha points, one is before the alpha test and one after it.
func TestAlphaPoints(t *testing.T) {
	host := pbr.New("p")
	host.AlphaMode = pbr.Mask
	sh := mustCompose(t, wrap(t, host, &Plugin{Name: "a", Code: map[Point]string{FragmentUpdateAlpha: "// alpha", FragmentUpdateDiffuse: "// diffuse"}}), context())
	a, d, test := strings.Index(sh.FragmentWGSL, "// alpha"), strings.Index(sh.FragmentWGSL, "// diffuse"), strings.Index(sh.FragmentWGSL, "discard")
	if !(0 < a && a < test && test < d) {
		t.Errorf("alpha at %d, test at %d, diffuse at %d", a, test, d)
	}
}

func TestPriority(t *testing.T) {
	p := func(name string, priority int) *Plugin {
		return &Plugin{Name: name, Priority: priority, Code: map[Point]string{FragmentMainBegin: "// " + name + "."}}
	}
	for _, x := range []struct {
		list []*Plugin
		want string
	}{
		{[]*Plugin{p("a", 0), p("b", 0), p("c", 0)}, "a b c"},
		{[]*Plugin{p("c", 0), p("a", 0)}, "c a"},
		{[]*Plugin{p("late", 501), p("usual", 0), p("early", 499), p("first", -1)}, "first early usual late"},
	} {
		m := wrap(t, pbr.New("p"), x.list...)
		if got := strings.Join(m.Active(), " "); got != x.want {
			t.Errorf("%s, want %s", got, x.want)
		}
		sh, at := mustCompose(t, m, context()), 0
		for _, name := range strings.Fields(x.want) {
			n := strings.Index(sh.FragmentWGSL[at:], "// "+name+".")
			if n < 0 {
				t.Errorf("%s: %s comes too early", x.want, name)
			}
			at += max(n, 0)
		}
	}
}

func pix(format composer.TextureFormat, nearest bool) *texture.Texture {
	t := &texture.Texture{Name: "noise", Format: format, Source: &texture.Pixels{Width: 1, Height: 1}}
	if nearest {
		t.Sampler = texture.Sampler{Mag: composer.FilterNearest, Min: composer.FilterNearest, Mip: composer.FilterNearest}
	}
	return t
}

// rich uses all that a plugin can declare.
func rich() *Plugin {
	return &Plugin{
		Name: "rich", Defines: map[string]any{"ON": true, "SCALE": 2.0, "STEPS": 3},
		Uniforms: []Uniform{{Name: "wind", Type: "vec3f", Visibility: VertexFragment}, {Name: "strength", Type: "f32"}},
		Varyings: []Varying{{Name: "vHeight", Type: "f32"}, {Name: "vWind", Type: "vec3"}},
		Samplers: []Sampler{{Texture: "noise", Sampler: "noiseSampler", Visibility: VertexFragment}, {Texture: "depths", Sampler: "depthsKind", Depth: true}},
		Textures: map[string]*texture.Texture{"noise": pix("", false), "depths": pix(composer.Depth32Float, true)},
		Values: func(s material.System, w material.Writer) error {
			w.Floats("wind", 1, 2, 3)
			w.Set("strength", float32(0.5+s.Time))
			return nil
		},
	}
}

// Uniforms are in a buffer of the plugins' own in standard materials and in the
// material's in PBR; varyings, samplers and defines are as declared.
func TestDeclarations(t *testing.T) {
	for name, host := range families() {
		for _, depth := range []bool{false, true} {
			p := rich()
			of := "material."
			if name == "standard" {
				of = ownBuffer + "."
			}
			p.Code = map[Point]string{
				VertexMainEnd:     "out.vHeight = " + of + "wind.y * textureSampleLevel(noise, noiseSampler, vec2<f32>(0.0), 0.0).r;\nout.vWind = vec3<f32>(1.0);",
				FragmentMainBegin: "let pushed = input.vHeight * " + of + "strength * SCALE * textureSample(depths, depthsKind, vec2<f32>(0.0));",
			}
			c := context()
			c.DepthOnly = depth
			sh := mustCompose(t, wrap(t, host, p), c)
			entry := func(n string) *composer.BindGroupEntry {
				for i := range sh.Mesh {
					if sh.Mesh[i].Decl.Name == n {
						return &sh.Mesh[i]
					}
				}
				return nil
			}
			if e := entry(ownBuffer); (e != nil) != (name == "standard") {
				t.Errorf("%s: own buffer %v", name, e)
			} else if e != nil && e.MinSize != 16 {
				t.Errorf("%s: the own buffer has %d bytes", name, e.MinSize)
			}
			if _, in := sh.MaterialUBO.Offsets["wind"]; in == (name == "standard") {
				t.Errorf("%s: the material's buffer has the plugin's uniforms: %t", name, in)
			}
			if e := entry("noise"); e == nil || e.Decl.Visibility&composer.StageVertex == 0 {
				t.Errorf("%s: the vertex stage does not see noise", name)
			}
			if e := entry("depths"); (e == nil) != (sh.FragmentWGSL == "") {
				t.Errorf("%s, depth only %t: depths is %v", name, depth, e)
			}
			if !strings.Contains(sh.VertexWGSL, "vHeight: f32,") || !strings.Contains(sh.VertexWGSL, "vWind: vec3<f32>,") || !strings.Contains(sh.VertexWGSL, "const SCALE: f32 = 2f;") {
				t.Errorf("%s: declarations are missing in\n%s", name, sh.VertexWGSL)
			}
		}
	}
}

// written collects what a material writes and binds.
type written struct {
	fields   map[string]any
	textures map[string]*texture.Texture
	buffers  map[string]*material.Buffer
}

func (w *written) Has(string) bool                                    { return true }
func (w *written) Set(f string, v any)                                { w.fields[f] = v }
func (w *written) Floats(f string, v ...float64)                      { w.fields[f] = slices.Clone(v) }
func (w *written) Texture(n string, t *texture.Texture)               { w.textures[n] = t }
func (w *written) View(n string, t *texture.Texture, _ material.View) { w.textures[n] = t }
func (w *written) Buffer(n string, b *material.Buffer)                { w.buffers[n] = b }
func (w *written) VertexBuffer(string, *material.Buffer)              {}

func ask(t testing.TB, m *Material, time float64) *written {
	t.Helper()
	w := &written{map[string]any{}, map[string]*texture.Texture{}, map[string]*material.Buffer{}}
	c := context()
	c.System.Time = time
	if err := m.Uniforms(c, w); err != nil {
		t.Fatal(err)
	}
	if err := m.Resources(c, w); err != nil {
		t.Fatal(err)
	}
	return w
}

// Static values stay as they were baked; dynamic ones follow.
func TestValues(t *testing.T) {
	for name, host := range families() {
		p := rich()
		m := wrap(t, host, p)
		strength := func(time float64) float64 {
			w := ask(t, m, time)
			if name == "pbr" {
				return float64(w.fields["strength"].(float32))
			}
			if w.fields["strength"] != nil {
				t.Errorf("the host's writer got the plugin's value too")
			}
			u := composer.NewUniformWriter(&m.baked.layout)
			copy(u.Bytes(), w.buffers[ownBuffer].Data)
			want := composer.NewUniformWriter(&m.baked.layout)
			for _, x := range []float64{0.5, 1.5, 2.5} {
				want.SetFloats("wind", 1, 2, 3)
				want.SetFloats("strength", float32(x))
				if string(want.Bytes()) == string(u.Bytes()) {
					return x
				}
			}
			return -1
		}
		if got := strength(1); got != 0.5 {
			t.Errorf("%s: static: %g", name, got)
		}
		p.Dynamic = true
		if got := strength(1); got != 0.5 {
			t.Errorf("%s: not baked yet: %g", name, got)
		}
		if err := m.Bake(); err != nil {
			t.Fatal(err)
		}
		for _, time := range []float64{1, 2, 0} {
			if got := strength(time); got != 0.5+time {
				t.Errorf("%s: dynamic at %g s: %g", name, time, got)
			}
		}
		w := ask(t, m, 0)
		if w.textures["noise"] != p.Textures["noise"] || w.textures["depthsKind"] != p.Textures["depths"] {
			t.Errorf("%s: bound %v", name, w.textures)
		}
	}
}

// The signature and the version follow everything that decides code.
func TestSignature(t *testing.T) {
	host := pbr.New("p")
	base := func() *Plugin {
		p := rich()
		p.Code = map[Point]string{FragmentMainBegin: "// one"}
		return p
	}
	want := wrap(t, host, base()).Signature()
	if got := wrap(t, standard.New("s"), base()).Signature(); got != want {
		t.Error("equal plugins have two signatures")
	}
	seen := map[string]string{want: "the first"}
	for name, change := range map[string]func(*Plugin){
		"name": func(p *Plugin) { p.Name = "other" }, "priority": func(p *Plugin) { p.Priority = 1 }, "disabled": func(p *Plugin) { p.Disabled = true },
		"define": func(p *Plugin) { p.Defines["STEPS"] = 4 }, "define type": func(p *Plugin) { p.Defines["STEPS"] = 3.0 }, "code": func(p *Plugin) { p.Code[FragmentMainBegin] = "// two" },
		"point": func(p *Plugin) { p.Code = map[Point]string{FragmentUpdateAlpha: "// one"} }, "uniform": func(p *Plugin) { p.Uniforms[1].Type = "vec4f"; p.Values = nil },
		"varying": func(p *Plugin) { p.Varyings[0].Type = "vec2f" }, "sampler": func(p *Plugin) { p.Samplers[0].Visibility = Fragment },
	} {
		p := base()
		change(p)
		s := wrap(t, host, p).Signature()
		if other, ok := seen[s]; ok {
			t.Errorf("%s has the signature of %s", name, other)
		}
		seen[s] = name
	}
	for name, change := range map[string]func(*Plugin){
		"dynamic": func(p *Plugin) { p.Dynamic = true }, "values": func(p *Plugin) { p.Values = nil }, "usual priority": func(p *Plugin) { p.Priority = 500 },
		"texture": func(p *Plugin) { p.Textures["noise"] = pix("", false) },
	} {
		p := base()
		change(p)
		if wrap(t, host, p).Signature() != want {
			t.Errorf("%s: another signature", name)
		}
	}
	// More signatures than any bit mask had room for, and none is used twice.
	all := map[string]bool{}
	for i := range 300 {
		all[wrap(t, host, &Plugin{Name: fmt.Sprint(i)}).Signature()] = true
	}
	if len(all) != 300 {
		t.Errorf("%d signatures of 300", len(all))
	}
}

// A material that is baked again changes its version only if its code may have.
func TestToggle(t *testing.T) {
	p := &Plugin{Name: "invert", Code: map[Point]string{FragmentBeforeFragColor: "color = vec4<f32>(1.0 - color.rgb, color.a);"}}
	host := standard.New("s")
	m := wrap(t, host, p)
	plain, on := mustCompose(t, host, context()).Key, mustCompose(t, m, context()).Key
	if plain == on {
		t.Fatal("the plugin changes nothing")
	}
	p.Disabled = true
	if mustCompose(t, m, context()).Key != on {
		t.Error("a plugin is off before the material is baked")
	}
	for i, want := range []struct {
		off bool
		key composer.Key
		v   uint64
	}{{true, plain, 1}, {true, plain, 1}, {false, on, 2}} {
		p.Disabled = want.off
		if err := m.Bake(); err != nil {
			t.Fatal(err)
		}
		if mustCompose(t, m, context()).Key != want.key || m.ShaderVersion() != want.v {
			t.Errorf("step %d: version %d", i, m.ShaderVersion())
		}
	}
	m.Plugins = nil
	if err := m.Bake(); err != nil || mustCompose(t, m, context()).Key != plain {
		t.Errorf("without the plugin: %v", err)
	}
}

// A material whose plugins are at fault stays as it was, to the last byte.
func TestBakeIsAtomic(t *testing.T) {
	for name, host := range families() {
		p := rich()
		m := wrap(t, host, p)
		key, signature, bytes := mustCompose(t, m, context()).Key, m.Signature(), slices.Clone(m.baked.own.Data)
		p.Values = func(_ material.System, w material.Writer) error {
			w.Floats("wind", 9, 9, 9)
			return errors.New("the wind dropped")
		}
		p.Code = map[Point]string{FragmentMainBegin: "// other"}
		err := m.Bake()
		if err == nil || !strings.Contains(err.Error(), "the wind dropped") || !strings.Contains(err.Error(), `plugin "rich"`) || !strings.Contains(err.Error(), host.Label()) {
			t.Errorf("%s: %v", name, err)
		}
		if mustCompose(t, m, context()).Key != key || m.Signature() != signature || m.ShaderVersion() != 0 || !slices.Equal(m.baked.own.Data, bytes) {
			t.Errorf("%s: the material changed", name)
		}
		if len(m.Plugins) != 1 || m.Plugins[0].Code[FragmentMainBegin] != "// other" {
			t.Errorf("%s: the caller's plugins were put back", name)
		}
		// A dynamic plugin that fails while drawing leaves its values too.
		p = rich()
		p.Dynamic = true
		m = wrap(t, host, p)
		fail := false
		values := p.Values
		m.baked.plugins[0].Values = func(s material.System, w material.Writer) error {
			if fail {
				w.Floats("wind", 9, 9, 9)
				return errors.New("the wind dropped")
			}
			return values(s, w)
		}
		before := slices.Clone(m.baked.writer.Bytes())
		fail = true
		if err := m.Uniforms(context(), &written{fields: map[string]any{}}); err == nil || !reflect.DeepEqual(before, m.baked.writer.Bytes()) {
			t.Errorf("%s: while drawing: %v", name, err)
		}
	}
}

func TestRefused(t *testing.T) {
	tests := []struct {
		name   string
		change func(*Plugin)
		want   string
	}{
		{"no name", func(p *Plugin) { p.Name = "" }, "no name"},
		{"unknown point", func(p *Plugin) { p.Code = map[Point]string{"CUSTOM_FRAGMENT_MAIN_END": ""} }, "CUSTOM_FRAGMENT_MAIN_END"},
		{"define", func(p *Plugin) { p.Defines["ON"] = "yes" }, `"ON"`},
		{"uniform type", func(p *Plugin) { p.Uniforms[0].Type = "vec3z" }, "vec3z"},
		{"uniform visibility", func(p *Plugin) { p.Uniforms[0].Visibility = "compute" }, "compute"},
		{"uniform twice", func(p *Plugin) { p.Uniforms[1].Name = "wind" }, `"wind"`},
		{"varying type", func(p *Plugin) { p.Varyings[0].Type = "mat4x4f" }, "mat4x4f"},
		{"sampler without texture", func(p *Plugin) { delete(p.Textures, "noise") }, "noise"},
		{"texture without sampler", func(p *Plugin) { p.Samplers = p.Samplers[1:] }, "noise"},
		{"depth texture for colour", func(p *Plugin) { p.Textures["noise"] = pix(composer.Depth32Float, true) }, "Depth"},
		{"colour texture for depth", func(p *Plugin) { p.Textures["depths"] = pix("", true) }, "Depth"},
		{"filtered depth", func(p *Plugin) { p.Textures["depths"] = pix(composer.Depth32Float, false) }, "nearest"},
		{"filtered texture of a sampler that is not", func(p *Plugin) { p.Samplers[0].NonFiltering = true }, "nearest"},
		{"sampler visibility", func(p *Plugin) { p.Samplers[0].Visibility = "all" }, "all"},
		{"value that is not declared", func(p *Plugin) {
			p.Values = func(_ material.System, w material.Writer) error { w.Floats("gust", 1); return nil }
		}, "gust"},
		{"value of another type", func(p *Plugin) {
			p.Values = func(_ material.System, w material.Writer) error { w.Floats("wind", 1); return nil }
		}, "wind"},
	}
	for _, x := range tests {
		t.Run(x.name, func(t *testing.T) {
			p := rich()
			x.change(p)
			_, err := Wrap(pbr.New("marble"), p)
			if err == nil || !strings.Contains(err.Error(), x.want) || !strings.HasPrefix(err.Error(), "pbr material marble: ") || p.Name != "" && !strings.Contains(err.Error(), p.Name) {
				t.Errorf("%v, want it to say %q, the plugin's and the material's name", err, x.want)
			}
		})
	}
	if _, err := Wrap(nil); err == nil {
		t.Error("no material")
	}
	if _, err := Wrap(pbr.New("p"), nil...); err != nil {
		t.Error(err)
	}
	if _, err := Wrap(pbr.New("p"), &Plugin{Name: "a"}, nil); err == nil {
		t.Error("a plugin that is nil")
	}
	if _, err := Wrap(pbr.New("p"), &Plugin{Name: "a"}, &Plugin{Name: "a"}); err == nil || !strings.Contains(err.Error(), `"a"`) {
		t.Errorf("two of one name: %v", err)
	}
}

// What only composition shows is an error that names both sides.
func TestConflicts(t *testing.T) {
	uniform := func(name, field string) *Plugin {
		return &Plugin{Name: name, Uniforms: []Uniform{{Name: field, Type: "f32"}}}
	}
	m := wrap(t, pbr.New("p"), uniform("mine", "baseColor"))
	if _, err := compose(m, context()); err == nil || !strings.Contains(err.Error(), `"mine"`) || !strings.Contains(err.Error(), `"baseColor"`) {
		t.Errorf("the host's uniform: %v", err)
	}
	if _, err := Wrap(pbr.New("p"), uniform("a", "x"), uniform("b", "x")); err == nil || !strings.Contains(err.Error(), `"a" and "b"`) {
		t.Errorf("two plugins' uniform: %v", err)
	}
	code := func(name string) *Plugin {
		return &Plugin{Name: name, Code: map[Point]string{FragmentMainBegin: "let luma = 1.0;"}}
	}
	if _, err := compose(wrap(t, pbr.New("p"), code("a"), code("b")), context()); !errors.Is(err, composer.ErrConflict) || !strings.Contains(err.Error(), "plugin a") || !strings.Contains(err.Error(), "plugin b") {
		t.Errorf("two variables: %v", err)
	}
	o := shader.Options{Name: "s", Attributes: []string{"position"},
		Vertex:   "@vertex fn mainVertex(input: VertexInput) -> @builtin(position) vec4<f32> { return vec4<f32>(input.position, 1.0); }",
		Fragment: "@fragment fn mainFragment() -> @location(0) vec4<f32> { return vec4<f32>(1.0); }"}
	own, err := shader.New(o)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := compose(wrap(t, own, code("a")), context()); !errors.Is(err, composer.ErrSlot) || !strings.Contains(err.Error(), "plugin a") {
		t.Errorf("a family without points: %v", err)
	}
	// The grid has the vertex points and no other.
	if _, err := compose(wrap(t, grid.New("g"), &Plugin{Name: "a", Code: map[Point]string{VertexMainEnd: "// end"}}), context()); err != nil {
		t.Errorf("the grid: %v", err)
	}
}

// Plugins may be put on a material that has some already.
func TestNested(t *testing.T) {
	inner := wrap(t, standard.New("s"), rich())
	m := wrap(t, inner, &Plugin{Name: "more", Code: map[Point]string{FragmentMainBegin: "// more"}})
	sh := mustCompose(t, m, context())
	if !strings.Contains(sh.FragmentWGSL, "// more") || !strings.Contains(sh.VertexWGSL, "vHeight") {
		t.Error("code of one of the two is missing")
	}
	if m.Label() != "standard material s" {
		t.Errorf("label %q", m.Label())
	}
}

func write(t testing.TB, dir, name, text string) string {
	t.Helper()
	p := filepath.Join(dir, name)
	if err := os.WriteFile(p, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return p
}

const fileWGSL = "// head\n//# CUSTOM_FRAGMENT_DEFINITIONS\nfn half(x: f32) -> f32 { return 0.5 * x; }\n\n//#CUSTOM_FRAGMENT_BEFORE_FRAGCOLOR\ncolor = color * half(material.gain);\n"

func TestLoadFile(t *testing.T) {
	dir := t.TempDir()
	w := write(t, dir, "glow.wgsl", fileWGSL)
	write(t, dir, "glow.json", `{"name": "shine", "priority": 7, "defines": {"ON": true, "S": 2},
  "uniforms": [{"name": "gain", "type": "f32", "value": 3, "time": 2}, {"name": "tint", "type": "vec3f", "value": [1, 2, 3], "visibility": "vertex"}, {"name": "n", "type": "i32", "value": 4}],
  "varyings": [{"name": "v", "type": "vec2f"}], "textures": [{"name": "grain", "file": "grain.png", "nonFiltering": true}]}`)
	for _, path := range []string{w, filepath.Join(dir, "glow.json")} {
		f, err := LoadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		p := f.Plugin
		if p.Name != "shine" || p.Priority != 7 || !p.Dynamic || len(p.Code) != 2 || len(p.Uniforms) != 3 || p.Uniforms[1].Visibility != Vertex || len(p.Varyings) != 1 {
			t.Errorf("%s: %+v", path, p)
		}
		if f.Textures["grain"] != filepath.Join(dir, "grain.png") || !p.Samplers[0].NonFiltering || p.Samplers[0].Sampler != "grainSampler" {
			t.Errorf("%s: textures %v, samplers %v", path, f.Textures, p.Samplers)
		}
		x := &written{fields: map[string]any{}}
		if err := p.Values(material.System{Time: 1.5}, x); err != nil || !reflect.DeepEqual(x.fields, map[string]any{"gain": []float64{6}, "tint": []float64{1, 2, 3}, "n": []int{4}}) {
			t.Errorf("%s: values %v, %v", path, x.fields, err)
		}
		// Lines are counted in the file.
		p.Textures = map[string]*texture.Texture{"grain": pix("", true)}
		sh := mustCompose(t, wrap(t, pbr.New("p"), p), context())
		line := strings.Count(sh.FragmentWGSL[:strings.Index(sh.FragmentWGSL, "color = color * half")], "\n")
		if o := sh.FragmentMap[line]; o.Line != 6 || o.ID != "plugin shine" || o.Part != string(FragmentBeforeFragColor) {
			t.Errorf("%s: the code's origin is %v", path, o)
		}
	}
	alone := write(t, dir, "alone.wgsl", "//# CUSTOM_FRAGMENT_MAIN_BEGIN\n// nothing\n")
	if f, err := LoadFile(alone); err != nil || f.Plugin.Name != "alone" {
		t.Errorf("without a descriptor: %v", err)
	}
}

func TestLoadFileRefused(t *testing.T) {
	dir := t.TempDir()
	good := "//# CUSTOM_FRAGMENT_MAIN_BEGIN\n// nothing\n"
	for i, x := range []struct{ wgsl, json, want string }{
		{"color = 1;\n", "", "line 1"}, {"", "", "no line //#"}, {"// only\n", "", "no line //#"},
		{"//# CUSTOM_NOWHERE\n", "", `line 1: "CUSTOM_NOWHERE"`}, {good + good, "", "line 3"},
		{good, `{"name": 3}`, "line 1"}, {good, "{\n\"nme\": \"x\"}", "nme"}, {good, "{} {}", "more after"}, {good, "{", "EOF"},
		{good, `{"uniforms": [{"name": "a", "type": "f32"}]}`, "neither a value nor a time"},
		{good, `{"uniforms": [{"name": "a", "type": "f32", "value": "x"}]}`, "neither a number"},
		{good, `{"uniforms": [{"name": "a", "type": "vec2f", "value": [1, "x"]}]}`, "no number"},
		{good, `{"uniforms": [{"name": "a", "type": "vec2f", "value": [1, 2], "time": 1}]}`, "only an f32"},
		{good, `{"uniforms": [{"name": "a", "type": "i32", "value": 1.5}]}`, "1.5 is no i32"},
		{good, `{"textures": [{"name": "a"}]}`, "no file"}, {good, `{"wgsl": "missing.wgsl"}`, "missing.wgsl"},
	} {
		name := fmt.Sprintf("p%d", i)
		path := write(t, dir, name+".wgsl", x.wgsl)
		if x.json != "" {
			path = write(t, dir, name+".json", x.json)
		}
		if _, err := LoadFile(path); err == nil || !strings.Contains(err.Error(), x.want) || !strings.Contains(err.Error(), dir) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q %q: %v, want %q and the file in one line", x.wgsl, x.json, err, x.want)
		}
	}
	if _, err := LoadFile("plugin.toml"); err == nil {
		t.Error("TOML was taken")
	}
}

func FuzzFile(f *testing.F) {
	f.Add(fileWGSL, `{"uniforms": [{"name": "gain", "type": "f32", "value": 3}]}`)
	f.Add("//# CUSTOM_FRAGMENT_MAIN_BEGIN\r\n", `{"uniforms": [{"name": "a", "type": "i32", "value": []}]}`)
	f.Fuzz(func(t *testing.T, wgsl, text string) {
		code, err := sections(wgsl)
		if err != nil {
			return
		}
		var d descriptor
		if d.decode([]byte(text)) != nil {
			return
		}
		if x, err := d.file(code, "."); err == nil {
			x.Plugin.Name = "p"
			Wrap(pbr.New("p"), x.Plugin)
		}
	})
}

// Every test that the documentation's table names exists.
func TestTableOfPromises(t *testing.T) {
	text, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	var sources strings.Builder
	for _, d := range []string{".", "../../renderer", "../../scenes/catalogue", "../../scenes/plugins"} {
		files, _ := filepath.Glob(filepath.Join(d, "*.go"))
		for _, f := range files {
			b, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			sources.Write(b)
		}
	}
	rows := 0
	for line := range strings.SplitSeq(string(text), "\n") {
		cells := strings.Split(line, " | ")
		if !strings.HasPrefix(line, "//\t") || len(cells) != 3 {
			continue
		}
		rows++
		for test := range strings.SplitSeq(cells[2], ", ") {
			if test = strings.TrimSpace(test); !strings.Contains(sources.String(), "func "+test+"(") && !strings.Contains(sources.String(), `"`+test+`"`) {
				t.Errorf("%s: there is no test or scene %q", line, test)
			}
		}
	}
	if rows < 20 {
		t.Errorf("the table has %d rows", rows)
	}
}
