package scenes_test

import (
	"fmt"
	"testing"

	"darkroom/composer"
	"darkroom/material/shader"
	"darkroom/material/texture"
	"darkroom/scenes"
	"darkroom/scenes/mesh"
)

// A scene has one hash however often it is built, also where a map holds what
// other parts of the scene refer to.
func TestHashOfMaps(t *testing.T) {
	build := func() *scenes.Scene {
		m, err := shader.New(shader.Options{
			Name: "m", Attributes: []string{"position"}, Samplers: []shader.Sampler{{Name: "a"}, {Name: "b"}, {Name: "c"}},
			Vertex:   "@vertex fn mainVertex(input: VertexInput) -> @builtin(position) vec4<f32> { return vec4<f32>(input.position, 1.0); }",
			Fragment: "@fragment fn mainFragment() -> @location(0) vec4<f32> { return vec4<f32>(1.0); }",
		})
		if err != nil {
			t.Fatal(err)
		}
		s := scenes.New("maps")
		var targets []*texture.Texture
		for i, name := range []string{"a", "b", "c"} {
			x := &texture.Texture{Name: fmt.Sprint("target ", i), Format: composer.RGBA8Unorm, Source: &texture.Target{Width: i + 1, Height: 1}}
			if err := m.SetTexture(name, x); err != nil {
				t.Fatal(err)
			}
			targets = append(targets, x)
		}
		s.Add(scenes.NewMesh("mesh", &mesh.Geometry{Positions: make([]float32, 9)}, m))
		s.Graph = []scenes.Task{&scenes.ScenePass{Name: "pass", Attachments: scenes.Attachments{Color: targets}}}
		return s
	}
	want := scenes.Hash(build())
	for range 30 {
		if got := scenes.Hash(build()); got != want {
			t.Fatalf("%s and %s", want, got)
		}
	}
}
