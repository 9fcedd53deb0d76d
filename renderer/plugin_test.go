package renderer

import (
	"context"
	"errors"
	"strings"
	"testing"

	"darkroom/composer"
	"darkroom/material"
	"darkroom/material/pbr"
	"darkroom/material/plugin"
	"darkroom/material/standard"
	"darkroom/material/texture"
	"darkroom/scenes"
	"darkroom/scenes/linalg"
	"darkroom/scenes/shadow"
)

// board fills the picture with a material, lit from the front.
func board(m material.Material) (*scenes.Scene, *scenes.Node) {
	s := emptyScene()
	s.Camera = scenes.NewFree("camera", linalg.Vec3{0, 0, -2})
	s.AddLight(scenes.Directional("sun", linalg.Vec3{0, 0, 1}))
	g := quad(-9, -9, 9, 9)
	for range 4 {
		g.Normals = append(g.Normals, 0, 0, -1)
	}
	g.UVs[0] = []float32{0, 0, 1, 0, 1, 1, 0, 1}
	return s, s.Add(scenes.NewMesh("board", g, m))
}

// hosts are a material of each family that takes plugins, both white.
func hosts() map[string]material.Material {
	p := pbr.New("white")
	p.Metallic = 0
	return map[string]material.Material{"standard": standard.New("white"), "pbr": p}
}

func wrapped(t testing.TB, host material.Material, plugins ...*plugin.Plugin) *plugin.Material {
	t.Helper()
	m, err := plugin.Wrap(host, plugins...)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// tint colours the picture with a uniform, read as its family has it.
func tint(family string, values func(material.System, material.Writer) error) *plugin.Plugin {
	of := "material."
	if family == "standard" {
		of = "pluginUbo."
	}
	return &plugin.Plugin{
		Name: "tint", Uniforms: []plugin.Uniform{{Name: "pluginTint", Type: "vec3f"}}, Values: values,
		Code: map[plugin.Point]string{plugin.FragmentBeforeFragColor: "color = vec4<f32>(" + of + "pluginTint, 1.0);"},
	}
}

// A plugin in use is switched off and on, changed and taken away while a
// session draws; the picture follows when the material is baked.
func TestPluginToggle(t *testing.T) {
	r := open(t)
	for family, host := range hosts() {
		p := tint(family, func(_ material.System, w material.Writer) error { w.Floats("pluginTint", 1, 0, 0); return nil })
		m := wrapped(t, host, p)
		s, _ := board(m)
		x := newSession(t, r, s, 4, 4)
		plain, _ := board(host)
		white := drawAt(t, newSession(t, r, plain, 4, 4), 0).pixel(2, 2)
		red := [4]byte{255, 0, 0, 255}
		if white == red || white == [4]byte{0, 0, 0, 255} {
			t.Fatalf("%s: the board is %v", family, white)
		}
		step := func(what string, want [4]byte, change func()) {
			t.Helper()
			change()
			if err := m.Bake(); err != nil {
				t.Fatal(err)
			}
			if got := drawAt(t, x, 0).pixel(2, 2); got != want {
				t.Errorf("%s, %s: %v, want %v", family, what, got, want)
			}
		}
		step("on", red, func() {})
		step("off", white, func() { p.Disabled = true })
		step("on again", red, func() { p.Disabled = false })
		step("other values", [4]byte{0, 0, 255, 255}, func() {
			p.Values = func(_ material.System, w material.Writer) error { w.Floats("pluginTint", 0, 0, 1); return nil }
		})
		step("other code", [4]byte{0, 255, 0, 255}, func() {
			p.Code = map[plugin.Point]string{plugin.FragmentBeforeFragColor: "color = vec4<f32>(0.0, 1.0, 0.0, 1.0);"}
		})
		p.Values = func(material.System, material.Writer) error { return errors.New("no paint") }
		if err := m.Bake(); err == nil {
			t.Fatal("a plugin without values was baked")
		}
		if got := drawAt(t, x, 0).pixel(2, 2); got != [4]byte{0, 255, 0, 255} {
			t.Errorf("%s: after a bake that failed: %v", family, got)
		}
		step("gone", white, func() { m.Plugins = nil })
	}
}

// One material in two scenes: each is drawn with the values of its own time,
// and neither minds that the other is closed.
func TestPluginTwoScenes(t *testing.T) {
	r := open(t)
	for family, host := range hosts() {
		p := tint(family, func(s material.System, w material.Writer) error { w.Floats("pluginTint", s.Time, 0, 0); return nil })
		p.Dynamic = true
		m := wrapped(t, host, p)
		a, _ := board(m)
		b, _ := board(m)
		x, y := newSession(t, r, a, 4, 4), newSession(t, r, b, 4, 4)
		check := func(s *Session, at float64, want byte) {
			t.Helper()
			if got := drawAt(t, s, at).pixel(2, 2); got != [4]byte{want, 0, 0, 255} {
				t.Errorf("%s at %g s: %v, want %d", family, at, got, want)
			}
		}
		check(x, 0.2, 51)
		check(y, 0.4, 102)
		check(x, 0.2, 51)
		check(y, 0.6, 153)
		x.Close()
		check(y, 0.8, 204)
		check(y, 0.8, 204)
	}
}

// One material with a plugin is drawn on two devices; the one that is closed
// takes nothing from the other.
func TestPluginTwoDevices(t *testing.T) {
	for family, host := range hosts() {
		p := tint(family, func(s material.System, w material.Writer) error { w.Floats("pluginTint", s.Time, 0, 0); return nil })
		p.Dynamic = true
		m := wrapped(t, host, p)
		first, second := open(t), open(t)
		a, _ := board(m)
		b, _ := board(m)
		x, y := newSession(t, first, a, 4, 4), newSession(t, second, b, 4, 4)
		for i, at := range []float64{0.2, 0.4, 0.2} {
			if got := drawAt(t, x, at).pixel(2, 2); got != [4]byte{byte(at*255 + 0.5), 0, 0, 255} {
				t.Errorf("%s, draw %d: %v", family, i, got)
			}
			if got := drawAt(t, y, at+0.4).pixel(2, 2); got != [4]byte{byte((at+0.4)*255 + 0.5), 0, 0, 255} {
				t.Errorf("%s, draw %d on the other device: %v", family, i, got)
			}
		}
		x.Close()
		first.Close()
		if got := drawAt(t, y, 1).pixel(2, 2); got != [4]byte{255, 0, 0, 255} {
			t.Errorf("%s: after the first is gone: %v", family, got)
		}
	}
}

// Materials with equal plugins share a pipeline and keep their own values.
func TestPluginsShareOnePipeline(t *testing.T) {
	r := open(t)
	for family := range hosts() {
		s, _ := board(nil)
		s.Roots = nil
		for i := range 20 {
			p := tint(family, func(_ material.System, w material.Writer) error {
				w.Floats("pluginTint", float64(i)/255, 0, 1)
				return nil
			})
			_, n := board(wrapped(t, hosts()[family], p))
			n.Position[2] = 5 - float64(i)*0.1
			s.Add(n)
		}
		before := r.Pipelines()
		if got := drawAt(t, newSession(t, r, s, 4, 4), 0).pixel(2, 2); got != [4]byte{19, 0, 255, 255} {
			t.Errorf("%s: the nearest board is %v", family, got)
		}
		if n := r.Pipelines() - before; n != 1 {
			t.Errorf("%s: %d pipelines", family, n)
		}
	}
}

// Varyings, textures of both stages, and positions that a plugin moves, also in
// passes that store depth alone.
func TestPluginVertex(t *testing.T) {
	r := open(t)
	for family, host := range hosts() {
		of := "material."
		if family == "standard" {
			of = "pluginUbo."
		}
		noise := texture.Solid("noise", 0.25, 0.5, 0, 1)
		p := &plugin.Plugin{
			Name: "push", Uniforms: []plugin.Uniform{{Name: "push", Type: "f32", Visibility: plugin.Vertex}},
			Varyings: []plugin.Varying{{Name: "vNoise", Type: "vec4f"}},
			Samplers: []plugin.Sampler{{Texture: "noise", Sampler: "noiseSmp", Visibility: plugin.VertexFragment}},
			Textures: map[string]*texture.Texture{"noise": noise},
			Values:   func(_ material.System, w material.Writer) error { w.Floats("push", -1); return nil },
			Code: map[plugin.Point]string{
				plugin.VertexUpdateWorldPos:    "worldPosition.x += " + of + "push * 18.0 * textureSampleLevel(noise, noiseSmp, vec2<f32>(0.5), 0.0).g;",
				plugin.VertexMainEnd:           "out.vNoise = textureSampleLevel(noise, noiseSmp, vec2<f32>(0.5), 0.0);",
				plugin.FragmentBeforeFragColor: "color = vec4<f32>(input.vNoise.r, textureSample(noise, noiseSmp, vec2<f32>(0.5)).g, 0.0, 1.0);",
			},
		}
		s, n := board(wrapped(t, host, p))
		// Moved by 9 to the left the board ends in the middle.
		f := drawAt(t, newSession(t, r, s, 8, 8), 0)
		if a, b := f.pixel(1, 4), f.pixel(6, 4); a != [4]byte{64, 128, 0, 255} || b != [4]byte{0, 0, 0, 255} {
			t.Errorf("%s: %v and %v", family, a, b)
		}
		// Its depth goes along.
		depth := &texture.Texture{Name: "depth", Format: composer.Depth32Float, Source: &texture.Target{Width: 8, Height: 8}}
		s.Graph = []scenes.Task{&scenes.ScenePass{Name: "depth", Attachments: scenes.Attachments{Color: []*texture.Texture{}, Depth: depth}}}
		var moved *Frame
		x, err := r.Session(s, Settings{Width: 8, Height: 8, Samples: 1, Capture: func(c Captured) error { moved = c.Frame; return nil }})
		if err != nil {
			t.Fatal(err)
		}
		drawAt(t, x, 0)
		x.Close()
		row := moved.Pix[4*8*4:]
		if string(row[4:8]) == "\x00\x00\x00\x00" || string(row[24:28]) != "\x00\x00\x00\x00" {
			t.Errorf("%s: depths %x and %x", family, row[4:8], row[24:28])
		}
		_ = n
	}
}

// Plugins work in scenes with shadows, and see what the light is worth.
func TestPluginWithShadows(t *testing.T) {
	r := open(t)
	for family, host := range hosts() {
		m := wrapped(t, host, &plugin.Plugin{Name: "red", Code: map[plugin.Point]string{plugin.FragmentBeforeFragColor: "color = vec4<f32>(color.r, 0.0, 0.0, 1.0);"}})
		s, n := board(m)
		n.Mesh.ReceiveShadows = true
		sun := s.Lights[0]
		sun.Position = linalg.Vec3{0, 0, -5}
		near := scenes.NewMesh("near", quad(-9, -9, 0, 9), m)
		near.Position[2] = -1
		near.Mesh.Geometry.Normals = n.Mesh.Geometry.Normals
		near.Mesh.Layer = 2 // throws a shadow and is not seen
		s.Add(near)
		s.Camera.Layers = 1
		m1, err := shadow.PCF(sun, shadow.Options{Size: 64}, near)
		if err != nil {
			t.Fatal(err)
		}
		if err := m1.AddTo(s); err != nil {
			t.Fatal(err)
		}
		f := drawAt(t, newSession(t, r, s, 8, 8), 0)
		dark, lit := f.pixel(1, 4), f.pixel(6, 4)
		if lit[0] == 0 || dark[0] >= lit[0] || lit[1] != 0 || dark[1] != 0 {
			t.Errorf("%s: %v in the shadow and %v in the light", family, dark, lit)
		}
	}
}

// The compiler's error names plugin, point and line, and the host.
func TestPluginCompileErrorLine(t *testing.T) {
	r := open(t)
	for family, host := range hosts() {
		m := wrapped(t, host, &plugin.Plugin{Name: "broken", Code: map[plugin.Point]string{plugin.FragmentUpdateDiffuse: "let a = 1.0;\nlet b = vec2<f32>(a) + vec3<f32>(a);"}})
		s, _ := board(m)
		_, err := newSession(t, r, s, 4, 4).Draw(context.Background(), 0)
		if !errors.Is(err, composer.ErrCompile) || !strings.Contains(err.Error(), `fragment "plugin broken", CUSTOM_FRAGMENT_UPDATE_DIFFUSE line 2`) || !strings.Contains(err.Error(), host.Label()) {
			t.Errorf("%s: %v", family, err)
		}
	}
}

// A plugin whose texture is taken away is an error before anything is drawn.
func TestPluginTextureGone(t *testing.T) {
	r := open(t)
	p := &plugin.Plugin{
		Name: "grain", Samplers: []plugin.Sampler{{Texture: "grain", Sampler: "grainSampler"}}, Textures: map[string]*texture.Texture{"grain": texture.Solid("grain", 1, 0, 0, 1)},
		Code: map[plugin.Point]string{plugin.FragmentBeforeFragColor: "color = textureSample(grain, grainSampler, vec2<f32>(0.5));"},
	}
	s, _ := board(wrapped(t, standard.New("wall"), p))
	x := newSession(t, r, s, 4, 4)
	if got := drawAt(t, x, 0).pixel(1, 1); got != [4]byte{255, 0, 0, 255} {
		t.Fatal(got)
	}
	p.Textures["grain"] = texture.Solid("green", 0, 1, 0, 1)
	if got := drawAt(t, x, 0).pixel(1, 1); got != [4]byte{0, 255, 0, 255} {
		t.Errorf("another texture: %v", got)
	}
	p.Textures["grain"] = nil
	if _, err := x.Draw(context.Background(), 0); err == nil || !strings.Contains(err.Error(), "grain") || !strings.Contains(err.Error(), "standard material wall") {
		t.Errorf("no texture: %v", err)
	}
}
