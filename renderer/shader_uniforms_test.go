package renderer

import (
	"fmt"
	"testing"

	"darkroom/material/shader"
	"darkroom/scenes"
)

// Of the uniforms, what changed is uploaded, and nothing else.
func TestShaderUniformUploads(t *testing.T) {
	r := open(t)
	s := emptyScene()
	m := flatShader(t, "vec4<f32>(0.0)", "vec4<f32>(shaderUniforms.red, shaderUniforms.green, 0.0, 1.0)", func(o *shader.Options) {
		o.System = []shader.System{shader.World, shader.ViewProjection}
		for i := range 60 {
			o.Uniforms = append(o.Uniforms, shader.Uniform{Name: fmt.Sprint("m", i), Type: "mat4x4<f32>"})
		}
		o.Uniforms = append(o.Uniforms, shader.Uniform{Name: "red", Type: "f32"}, shader.Uniform{Name: "green", Type: "f32"})
	})
	node := s.Add(scenes.NewMesh("quad", quad(-1, -1, 1, 1), m))
	x := newSession(t, r, s, 4, 4)
	sent := func() uint64 { drawAt(t, x, 0); n := x.Uploads().Buffers; return n }
	set := func(name string, v float64) {
		if err := m.SetFloat(name, v); err != nil {
			t.Fatal(err)
		}
	}
	before := sent()
	if before != 60*64+16 {
		t.Errorf("at first %d bytes were sent, want all %d", before, 60*64+16)
	}
	step := func(what string, want uint64, change func()) {
		t.Helper()
		change()
		now := sent()
		if now-before != want {
			t.Errorf("%s: %d bytes, want %d", what, now-before, want)
		}
		before = now
	}
	step("nothing", 0, func() {})
	step("the mesh moved", 0, func() { node.Position[0] = 1 })
	step("one float", 4, func() { set("red", 1) })
	step("the same again", 0, func() { set("red", 1) })
	step("a float many times", 4, func() {
		for i := range 100 {
			set("green", float64(i))
		}
	})
	step("two neighbours", 8, func() { set("red", 0); set("green", 1) })
	if got := drawAt(t, x, 0).pixel(1, 1); got != [4]byte{0, 255, 0, 255} {
		t.Errorf("the colour is %v", got)
	}
	// A second session starts with all of it, and neither disturbs the other.
	y := newSession(t, r, s, 4, 4)
	drawAt(t, y, 0)
	if n := y.Uploads().Buffers; n != 60*64+16 {
		t.Errorf("a second session: %d bytes", n)
	}
	set("red", 1)
	for i, x := range []*Session{x, y, x} {
		if got := drawAt(t, x, 0).pixel(1, 1); got != [4]byte{255, 255, 0, 255} {
			t.Errorf("draw %d: the colour is %v", i, got)
		}
	}
}

// BenchmarkShaderUniforms changes 10,000 uniforms a frame: ten of each of a
// thousand materials, and one large block in 10,000 places.
func BenchmarkShaderUniforms(b *testing.B) {
	r := open(b)
	for _, n := range []int{1, 1000} {
		b.Run(fmt.Sprintf("materials=%d", n), func(b *testing.B) {
			s := emptyScene()
			g := quad(-1, -1, 1, 1)
			fields := 10000 / n
			if n == 1 {
				fields = 4000 // of vec4, nearly the 64 KiB that a uniform buffer may have
			}
			list := make([]*shader.Material, n)
			names := make([]string, fields)
			for i := range names {
				names[i] = fmt.Sprint("v", i)
			}
			for i := range list {
				list[i] = flatShader(b, "vec4<f32>(0.0)", "shaderUniforms.v0", func(o *shader.Options) {
					for _, name := range names {
						o.Uniforms = append(o.Uniforms, shader.Uniform{Name: name, Type: "vec4<f32>"})
					}
				})
				s.Add(scenes.NewMesh("quad", g, list[i]))
			}
			x := newSession(b, r, s, 16, 16)
			drawAt(b, x, 0)
			before, frame := x.Uploads().Buffers, 0
			b.ReportAllocs()
			for b.Loop() {
				frame++
				for k := range 10000 {
					if err := list[k%n].SetVec4(names[k/n%fields], [4]float64{float64(frame), float64(k), 0, 1}); err != nil {
						b.Fatal(err)
					}
				}
				drawAt(b, x, 0)
			}
			b.ReportMetric(float64(x.Uploads().Buffers-before)/float64(frame), "uploaded-B/frame")
		})
	}
}
