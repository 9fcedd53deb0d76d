package plugin

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"darkroom/composer"
	"darkroom/material"
	"darkroom/material/pbr"
	"darkroom/material/standard"
)

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
