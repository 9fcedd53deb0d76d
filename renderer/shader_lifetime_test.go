package renderer

import (
	"fmt"
	"testing"

	"darkroom/material"
	"darkroom/material/plugin"
	"darkroom/material/shader"
	"darkroom/material/standard"
	"darkroom/material/texture"
	"darkroom/scenes"
)

// A material is exchanged while a session draws.
func TestShaderMaterialSwap(t *testing.T) {
	r := open(t)
	s := emptyScene()
	red, green := flatShader(t, "vec4<f32>(0.0)", "vec4<f32>(1.0, 0.0, 0.0, 1.0)", nil), flatShader(t, "vec4<f32>(0.0)", "vec4<f32>(0.0, 1.0, 0.0, 1.0)", nil)
	white := standard.New("white")
	white.DisableLighting, white.Emissive = true, [3]float64{1, 1, 1}
	n := s.Add(scenes.NewMesh("quad", quad(-1, -1, 1, 1), red))
	n.Position[2] = -8 // for the camera of the standard material
	x := newSession(t, r, s, 4, 4)
	for i, step := range []struct {
		m    material.Material
		hide bool
		want [4]byte
	}{{red, false, [4]byte{255, 0, 0, 255}}, {green, false, [4]byte{0, 255, 0, 255}}, {white, false, [4]byte{255, 255, 255, 255}}, {green, true, [4]byte{0, 0, 0, 255}}, {red, false, [4]byte{255, 0, 0, 255}}} {
		n.Mesh.Material, n.Hidden = step.m, step.hide
		if got := drawAt(t, x, 0).pixel(1, 2); got != step.want {
			t.Errorf("step %d: %v, want %v", i, got, step.want)
		}
	}
}

// What is bound for a while and then no more does not stay on the device:
// textures, values of views, buffers of plugins.
func TestShaderLetsGo(t *testing.T) {
	r := open(t)
	s := emptyScene()
	m := flatShader(t, "vec4<f32>(0.0)", "textureSample(grain, grainSampler, input.uv) * shaderUniforms.level", func(o *shader.Options) {
		o.Samplers, o.Uniforms = []shader.Sampler{{Name: "grain"}}, []shader.Uniform{{Name: "level", Type: "f32", Default: 1.0}}
	})
	view := m.View("view", nil)
	tinted := wrapped(t, standard.New("wall"), tint("standard", func(_ material.System, w material.Writer) error { w.Floats("pluginTint", 1, 0, 0); return nil }))
	s.Add(scenes.NewMesh("left", quad(-1, -1, 0, 1), m))
	s.Add(scenes.NewMesh("right", quad(0, -1, 1, 1), view))
	s.Add(scenes.NewMesh("far", quad(-1, -1, 1, 1), tinted).At(0, 0, 90))
	x := newSession(t, r, s, 4, 4)
	var live map[string]int
	for i := range 60 {
		level := float64(i%2) + 0.2
		if err := m.SetTexture("grain", texture.Solid(fmt.Sprint("grain ", i), float64(i)/60, 0.5, 0, 1)); err != nil {
			t.Fatal(err)
		}
		if err := view.SetFloat("level", level); err != nil {
			t.Fatal(err)
		}
		tinted.Plugins[0].Values = func(_ material.System, w material.Writer) error {
			w.Floats("pluginTint", float64(i)/60, 0, 0)
			return nil
		}
		if i%3 == 0 { // buffers of two sizes
			tinted.Plugins[0].Uniforms = append(tinted.Plugins[0].Uniforms[:1:1], plugin.Uniform{Name: "more", Type: "mat4x4f"})
		} else {
			tinted.Plugins[0].Uniforms = tinted.Plugins[0].Uniforms[:1:1]
		}
		if err := tinted.Bake(); err != nil {
			t.Fatal(err)
		}
		f := drawAt(t, x, 0)
		want := int(min(255, float64(int(float64(i)/60*255+0.5))*level+0.5))
		if got := int(f.pixel(3, 1)[0]); got > want+1 || got+1 < want {
			t.Errorf("draw %d: %d, want %d", i, got, want)
		}
		view.ReleaseUniforms()
		drawAt(t, x, 0)
		if i == 30 {
			live = r.Live()
		}
	}
	if now := r.Live(); fmt.Sprint(now) != fmt.Sprint(live) {
		t.Errorf("after 60 rounds %v are live, after 30 were %v", now, live)
	}
	x.Close()
	if now := r.Live(); now["buffer"] != 0 || now["texture"] != 0 {
		t.Errorf("after the session %v are live", now)
	}
}

// A render target that a material samples is resized and drawn anew; the
// material goes on with the same texture.
func TestShaderResizedTarget(t *testing.T) {
	r := open(t)
	s := emptyScene()
	target := &texture.Target{Width: 2, Height: 2}
	mirror := &texture.Texture{Name: "mirror", Source: target, Sampler: texture.Sampler{NoMips: true}}
	shown := flatShader(t, "vec4<f32>(0.0)", "textureSampleLevel(mirror, mirrorSampler, input.uv, 0.0) + vec4<f32>(0.0, f32(textureDimensions(mirror).x) / 255.0, 0.0, 0.0)", func(o *shader.Options) { o.Samplers = []shader.Sampler{{Name: "mirror"}} })
	if err := shown.SetTexture("mirror", mirror); err != nil {
		t.Fatal(err)
	}
	inside := s.Add(scenes.NewMesh("inside", quad(-1, -1, 1, 1), flatShader(t, "vec4<f32>(0.0)", "vec4<f32>(1.0, 0.0, 0.0, 1.0)", nil)))
	screen := s.Add(scenes.NewMesh("screen", quad(-1, -1, 1, 1), shown))
	s.Graph = []scenes.Task{
		&scenes.ScenePass{Name: "mirror", Only: []*scenes.Node{inside}, Attachments: scenes.Attachments{Color: []*texture.Texture{mirror}}},
		&scenes.ScenePass{Name: "main", Only: []*scenes.Node{screen}},
	}
	x := newSession(t, r, s, 4, 4)
	for _, size := range []int{2, 16, 5} {
		target.Width, target.Height = size, size
		if got := drawAt(t, x, 0).pixel(1, 1); got != [4]byte{255, byte(size), 0, 255} {
			t.Errorf("%d pixels: %v", size, got)
		}
	}
}
