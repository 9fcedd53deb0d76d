package catalogue

import (
	"math"

	"darkroom/material"
	"darkroom/material/pbr"
	"darkroom/material/plugin"
	"darkroom/material/standard"
	"darkroom/material/texture"
	"darkroom/scenes"
	"darkroom/scenes/linalg"
	"darkroom/scenes/mesh"
	"darkroom/scenes/plugins"
)

// blackAndWhite turns the final colour grey.
func blackAndWhite() *plugin.Plugin {
	return &plugin.Plugin{Name: "BlackAndWhite", Code: map[plugin.Point]string{
		plugin.FragmentBeforeFragColor: "let bwLuma = dot(color.rgb, vec3<f32>(0.3, 0.59, 0.11));\ncolor = vec4<f32>(bwLuma, bwLuma, bwLuma, color.a);",
	}}
}

func materialPlugin() *Entry {
	return &Entry{
		Name: "scene217-material-plugin", Description: "a plugin turns a PBR sphere and a standard box grey",
		Tags: []string{"reference", "plugin", "pbr", "standard"}, MaxMAD: 0.4, CPUMAD: 0.0047, Source: "scenes/catalogue/plugins.go",
		Build: func(Assets) (*scenes.Scene, error) {
			s := scenes.New("scene217-material-plugin")
			s.Clear = scenes.Color4{0.35, 0.45, 0.6, 1}
			s.Camera = scenes.NewArcRotate("cam", -math.Pi/2, math.Pi/2.5, 7, linalg.Vec3{}).Clip(1, 10000)
			sky := scenes.Hemispheric("hemi", linalg.Vec3{0, 1, 0})
			sky.Intensity = 0.7
			sun := scenes.Directional("dir", linalg.Vec3{-0.5, -1, -0.6})
			sun.Intensity = 0.9
			s.AddLight(sky, sun)
			red := pbr.New("pbrMat")
			red.BaseColor, red.Metallic, red.Roughness, red.StandardFalloff = [4]float64{0.85, 0.2, 0.15, 1}, 0, 0.4, true
			blue := standard.Colored("stdMat", 0.15, 0.3, 0.85)
			blue.Specular = [3]float64{0.4, 0.4, 0.4}
			grey := blackAndWhite()
			left, err := plugin.Wrap(red, grey)
			if err != nil {
				return nil, err
			}
			right, err := plugin.Wrap(blue, grey)
			if err != nil {
				return nil, err
			}
			ball, err := mesh.CreateSphere(mesh.SphereOptions{Diameter: 2.2, Segments: 48})
			if err != nil {
				return nil, err
			}
			box, err := mesh.CreateBox(mesh.BoxOptions{Size: 2})
			if err != nil {
				return nil, err
			}
			s.Add(scenes.NewMesh("sphere", ball, left).At(-1.5, 0, 0), scenes.NewMesh("box", box, right).At(1.5, 0, 0))
			return s, nil
		},
	}
}

// dissolve eats a model away from above, with a glowing edge: a varying from
// the vertex stage, a texture, uniforms that follow the time, and a discard.
func dissolve() *plugin.Plugin {
	const size = 32
	pix := make([]byte, 0, size*size*4)
	state := uint32(7)
	for range size * size {
		state = state*1664525 + 1013904223 // Knuth's constants, as in Numerical Recipes
		v := byte(state >> 24)
		pix = append(pix, v, v, v, 255)
	}
	noise := &texture.Texture{Name: "noise", Source: &texture.Pixels{Width: size, Height: size, Levels: [][]byte{pix}}, Sampler: texture.Sampler{NoMips: true}}
	return &plugin.Plugin{
		Name: "dissolve", Priority: 100, Dynamic: true, Defines: map[string]any{"EDGE": 0.12},
		Uniforms: []plugin.Uniform{{Name: "dissolveLevel", Type: "f32"}, {Name: "dissolveGlow", Type: "vec3f"}, {Name: "swell", Type: "f32", Visibility: plugin.Vertex}},
		Varyings: []plugin.Varying{{Name: "vLocal", Type: "vec3f"}},
		Samplers: []plugin.Sampler{{Texture: "dissolveNoise", Sampler: "dissolveNoiseSampler"}},
		Textures: map[string]*texture.Texture{"dissolveNoise": noise},
		Values: func(s material.System, w material.Writer) error {
			w.Floats("dissolveLevel", 2.6-0.8*s.Time)
			w.Floats("dissolveGlow", 1, 0.55, 0.1)
			w.Floats("swell", 0.12)
			return nil
		},
		Code: map[plugin.Point]string{
			plugin.VertexMainBegin: "positionLocal += normalLocal * material.swell * sin(positionLocal.y * 6.0);",
			plugin.VertexMainEnd:   "out.vLocal = worldPosition.xyz;",
			plugin.FragmentDefinitions: `fn dissolveEdge(at: vec3<f32>) -> f32 {
    return material.dissolveLevel - at.y + 0.5 * (textureSample(dissolveNoise, dissolveNoiseSampler, at.xy + at.z).r - 0.5);
}`,
			plugin.FragmentUpdateAlpha:     "let edge = dissolveEdge(input.vLocal);\nif (edge < 0.0) { discard; }",
			plugin.FragmentBeforeFragColor: "color = vec4<f32>(mix(material.dissolveGlow, color.rgb, smoothstep(0.0, EDGE, edge)), color.a);",
		},
	}
}

func ownPluginGltf() *Entry {
	return &Entry{
		Name: "own-plugin-gltf", Description: "a skinned, animated glTF model that two plugins swell, dissolve and turn grey towards the top, at 0.9 s", Time: 0.9,
		Tags: []string{"own", "plugin", "pbr", "gltf", "skin", "animation"}, Width: 640, Height: 360, MaxMAD: 0.1, Source: "scenes/catalogue/plugins.go",
		Build: func(Assets) (*scenes.Scene, error) {
			s, err := columnScene("own-plugin-gltf", 3.2, 1.2)
			if err != nil {
				return nil, err
			}
			grey := blackAndWhite()
			grey.Priority = 50 // before the glow
			grey.Code[plugin.FragmentBeforeFragColor] += "\ncolor = mix(color, vec4<f32>(0.9, 0.95, 1.0, 1.0), 0.3 * step(1.2, input.vLocal.y));"
			return s, plugins.Apply(s, &plugins.Effect{Plugin: grey}, &plugins.Effect{Plugin: dissolve()})
		},
	}
}
