package plugin

import (
	"strings"
	"testing"

	"darkroom/composer"
)

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
			if _, in := sh.MaterialUBO.Offset("wind"); in == (name == "standard") {
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
