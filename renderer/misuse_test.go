package renderer

import (
	"context"
	"maps"
	"strings"
	"testing"

	"darkroom/composer"
	"darkroom/material"
	"darkroom/material/morph"
	"darkroom/material/plugin"
	"darkroom/material/shader"
	"darkroom/material/standard"
	"darkroom/material/texture"
	"darkroom/scenes"
)

// What a user got wrong is said, with the material's name, before the device is
// reached: nothing exists on it that was not there, and the message is the same
// when the device is gone. The fault is in the last mesh of the last pass.
func TestMisuseBeforeGPU(t *testing.T) {
	flat := func(change func(*shader.Options)) *shader.Material {
		return flatShader(t, "vec4<f32>(0.0)", "vec4<f32>(1.0)", change)
	}
	grain := &plugin.Plugin{Name: "grain", Samplers: []plugin.Sampler{{Texture: "grain", Sampler: "grainSampler"}}, Textures: map[string]*texture.Texture{"grain": texture.Solid("grain", 1, 0, 0, 1)}}
	gone := wrapped(t, standard.New("wall"), grain)
	delete(grain.Textures, "grain")
	kind := wrapped(t, standard.New("wall"), &plugin.Plugin{Name: "kind", Samplers: []plugin.Sampler{{Texture: "kind", Sampler: "kindSampler"}}, Textures: map[string]*texture.Texture{"kind": texture.Solid("k", 1, 0, 0, 1)}})
	kind.Plugins[0].Textures["kind"] = &texture.Texture{Name: "depths", Format: composer.Depth32Float, Source: &texture.Target{Width: 1, Height: 1}}
	shape, err := morph.New(4, []morph.Target{{Name: "a", Positions: make([]float32, 12)}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	bare := quad(-1, -1, 1, 1)
	coloured := quad(-1, -1, 1, 1)
	coloured.Colors = make([]float32, 16)
	for _, x := range []struct {
		name     string
		material material.Material
		feature  material.Feature
		outputs  map[string]int
		want     []string
	}{
		{"no texture", flat(func(o *shader.Options) { o.Samplers = []shader.Sampler{{Name: "grain"}} }), nil, nil, []string{"shader material flat", `"grain"`, "SetTexture"}},
		{"no frames", flat(func(o *shader.Options) { o.Externals = []string{"film"} }), nil, nil, []string{"shader material flat", `"film"`, "SetExternal"}},
		{"no buffer", flat(func(o *shader.Options) { o.Buffers = []shader.Buffer{{Name: "list", Type: "array<f32>"}} }), nil, nil, []string{"shader material flat", `"list"`, "SetBuffer"}},
		{"another format", flat(func(o *shader.Options) {
			o.Attributes, o.Formats = append(o.Attributes, "color"), map[string]composer.VertexFormat{"color": composer.Unorm8x4}
		}), nil, nil, []string{"shader material flat", `"color"`, "unorm8x4", "float32x4"}},
		{"morph targets", flat(nil), shape, nil, []string{"shader material flat", "FinalInput"}},
		{"outputs", flat(func(o *shader.Options) {
			o.Outputs = []composer.Output{{Name: "glow", Type: "vec4<f32>"}}
			o.Fragment = "@fragment fn mainFragment() -> FragmentOutput {\n    outputs.glow = vec4<f32>(1.0);\n    return fragmentOutputs();\n}"
		}), nil, map[string]int{"color": 0}, []string{"shader material flat", "glow"}},
		{"a plugin's texture is gone", gone, nil, nil, []string{"standard material wall", `plugin "grain"`, "Textures"}},
		{"a plugin's texture is of another kind", kind, nil, nil, []string{"standard material wall", `plugin "kind"`, "depth32float"}},
		{"a plugin's uniform is the host's", wrapped(t, standard.New("wall"), &plugin.Plugin{Name: "mine", Uniforms: []plugin.Uniform{{Name: "alpha", Type: "f32"}, {Name: "vDiffuseColor", Type: "vec4f"}, {Name: "diffuseColor", Type: "vec4f"}, {Name: "diffuse", Type: "vec4f"}}}), nil, nil, []string{"standard material wall", `plugin "mine"`, "one of the material's own"}},
		{"a plugin on a family without points", wrapped(t, flat(nil), &plugin.Plugin{Name: "grey", Code: map[plugin.Point]string{plugin.FragmentMainBegin: "// grey"}}), nil, nil, []string{"shader material flat", "plugin grey", "CUSTOM_FRAGMENT_MAIN_BEGIN"}},
	} {
		t.Run(x.name, func(t *testing.T) {
			r := open(t)
			s := emptyScene()
			s.Add(scenes.NewMesh("good", bare, flat(nil)))
			bad := s.Add(scenes.NewMesh("bad", coloured, x.material))
			if x.feature != nil {
				bad.Mesh.Features = []material.Feature{x.feature}
			}
			off := &texture.Texture{Name: "off", Source: &texture.Target{Width: 2, Height: 2}}
			s.Graph = []scenes.Task{
				&scenes.ScenePass{Name: "first", Except: []*scenes.Node{bad}, Attachments: scenes.Attachments{Color: []*texture.Texture{off}}},
				&scenes.ScenePass{Name: "main", Attachments: scenes.Attachments{Outputs: x.outputs}},
			}
			session := newSession(t, r, s, 4, 4)
			before := maps.Clone(r.Live())
			for _, closed := range []bool{false, true} {
				if closed {
					r.Close()
				}
				_, err := session.Draw(context.Background(), 0)
				if err == nil {
					t.Fatal("it was drawn")
				}
				for _, w := range append(x.want, "node bad") {
					if !strings.Contains(err.Error(), w) {
						t.Errorf("%q does not say %q", err, w)
					}
				}
				if strings.Contains(err.Error(), "\n") {
					t.Errorf("%q has more than one line", err)
				}
				if now := r.Live(); !closed && !maps.Equal(before, now) || session.Uploads() != (Uploads{}) {
					t.Errorf("on the device were %v and are %v; %+v was sent", before, now, session.Uploads())
				}
			}
		})
	}
}
