package catalogue

import (
	"math"

	"darkroom/composer"
	"darkroom/material/effect"
	"darkroom/material/standard"
	"darkroom/material/texture"
	"darkroom/scenes"
	"darkroom/scenes/linalg"
	"darkroom/scenes/mesh"
)

// fullScreen is a scene that is one effect over the canvas.
func fullScreen(name string, e *effect.Effect) *scenes.Scene {
	s := scenes.New(name)
	s.Clear = scenes.Color4{0, 0, 0, 1}
	s.Samples = 1
	s.Graph = []scenes.Task{&scenes.EffectPass{Name: "effect", Material: e}}
	return s
}

func effectRenderer() *Entry {
	return &Entry{
		Name: "scene74-effect-renderer", Description: "rings, a grid and a gradient from one full-screen effect",
		Tags: []string{"reference", "effect"}, MaxMAD: 0.05, Source: "scenes/catalogue/effects.go",
		Build: func(Assets) (*scenes.Scene, error) {
			return fullScreen("scene74-effect-renderer", &effect.Effect{
				Name: "rings",
				Helpers: `fn crispLine(value: f32, width: f32) -> f32 {
    return 1.0 - smoothstep(width, width + 0.004, abs(fract(value) - 0.5));
}`,
				Body: `let p = (uv * 2.0 - 1.0) * vec2<f32>(1.7777778, 1.0);
let r = length(p);
let diagonal = smoothstep(-0.85, 0.95, uv.x * 1.15 + uv.y * 0.85 - 0.55);
var c = mix(vec3<f32>(0.015, 0.035, 0.095), vec3<f32>(0.35, 0.12, 0.52), diagonal);
c += exp(-r * 2.25) * vec3<f32>(0.95, 0.34, 0.74);
c += crispLine(r * 7.5, 0.028) * smoothstep(0.95, 0.12, r) * vec3<f32>(0.92, 0.96, 1.0);
let cell = uv * vec2<f32>(18.0, 10.0);
let grid = max(crispLine(cell.x + uv.y * 2.0, 0.018), crispLine(cell.y - uv.x * 1.5, 0.018));
c += grid * 0.16 * vec3<f32>(0.22, 0.75, 1.0);
c = mix(c, vec3<f32>(1.0, 0.78, 0.36), smoothstep(0.38, 0.0, r) * 0.34);
color = vec4<f32>(clamp(c, vec3<f32>(0.0), vec3<f32>(1.0)), 1.0);`,
			}), nil
		},
	}
}

func effectRTTSphere() *Entry {
	return &Entry{
		Name: "scene75-effect-rtt-sphere", Description: "an effect drawn to a texture that an unlit sphere shows",
		Tags: []string{"reference", "effect", "render-target"}, MaxMAD: 0.05, Source: "scenes/catalogue/effects.go",
		Build: func(Assets) (*scenes.Scene, error) {
			s := scenes.New("scene75-effect-rtt-sphere")
			s.Clear = scenes.Color4{51.0 / 255, 51.0 / 255, 76.0 / 255, 1}
			g, err := mesh.CreateSphere(mesh.SphereOptions{Diameter: 2, Segments: 32})
			if err != nil {
				return nil, err
			}
			radius := math.Sqrt(12) * 1.5
			s.Camera = scenes.NewArcRotate("camera", -math.Pi/2, math.Pi/2, radius, linalg.Vec3{}).Clip(radius*0.01, radius*1000)
			target := &texture.Texture{Name: "effect", Source: &texture.Target{Width: 512, Height: 512}}
			s.Before = []scenes.Task{&scenes.EffectPass{
				Name:        "effect",
				Attachments: scenes.Attachments{Color: []*texture.Texture{target}, Clear: &scenes.Color4{0, 0, 0, 1}},
				Material: &effect.Effect{
					Name:   "equal to itself",
					Values: []effect.Uniform{{Name: "params", Type: "vec4<f32>", Value: []float64{15, 0, 0, 0}}},
					Body: `let same = mesh.params.x / mesh.params.x;
color = vec4<f32>(1.0, 0.0, 0.0, 1.0);
if (same == 1.0) {
    color = vec4<f32>(0.0, 1.0, 0.0, 1.0);
} else if (same >= 0.999999 && same < 1.0) {
    color = vec4<f32>(0.0, 0.0, 1.0, 1.0);
}`,
				},
			}}
			m := standard.New("screen")
			m.DisableLighting = true
			m.Emissive = [3]float64{1, 1, 1}
			m.DiffuseTexture = &standard.Channel{Texture: target}
			s.Add(scenes.NewMesh("sphere", g, m))
			return s, nil
		},
	}
}

func effectTexture() *Entry {
	return &Entry{
		Name: "scene76-effect-texture", Description: "a full-screen effect that samples a one-texel texture",
		Tags: []string{"reference", "effect", "texture"}, MaxMAD: 0.05, Source: "scenes/catalogue/effects.go",
		Build: func(Assets) (*scenes.Scene, error) {
			in := texture.Solid("blue", 64.0/255, 188.0/255, 1, 1)
			in.Sampler = texture.Sampler{Mag: composer.FilterNearest, Min: composer.FilterNearest, NoMips: true}
			return fullScreen("scene76-effect-texture", &effect.Effect{
				Name:     "tint",
				Textures: map[string]effect.Input{"picture": {Texture: in}},
				Body: `let texel = textureSample(picture, pictureSampler, st).rgb;
let diagonal = smoothstep(0.1, 0.9, uv.x * 0.72 + uv.y * 0.28);
let edge = smoothstep(0.0, 0.35, uv.x) * smoothstep(1.0, 0.65, uv.x) * smoothstep(0.0, 0.35, uv.y) * smoothstep(1.0, 0.65, uv.y);
let accent = vec3<f32>(0.08 * uv.y, 0.04 * uv.x, 0.12 * (1.0 - uv.x));
let c = texel * (0.52 + 0.36 * diagonal + 0.12 * edge) + accent * texel.b;
color = vec4<f32>(clamp(c, vec3<f32>(0.0), vec3<f32>(1.0)), 1.0);`,
			}), nil
		},
	}
}

func rttOverride() *Entry {
	return &Entry{
		Name: "scene110-rtt-override", Description: "a box shows a texture into which a sphere is drawn with another material",
		Tags: []string{"reference", "standard", "render-target"}, MaxMAD: 0.01, CPUMAD: 0.0223, Source: "scenes/catalogue/effects.go",
		Build: func(Assets) (*scenes.Scene, error) {
			s := scenes.New("scene110-rtt-override")
			s.Camera = scenes.NewArcRotate("camera", -math.Pi/2, math.Pi/2.5, 8, linalg.Vec3{1.5, 0, 0}).Clip(0.1, 100)
			s.AddLight(scenes.Hemispheric("sky", linalg.Vec3{0, 1, 0}))
			ball, err := mesh.CreateSphere(mesh.SphereOptions{Segments: 32, Diameter: 1})
			if err != nil {
				return nil, err
			}
			box, err := mesh.CreateBox(mesh.BoxOptions{Size: 2})
			if err != nil {
				return nil, err
			}
			sphere := s.Add(scenes.NewMesh("sphere", ball, standard.Colored("red", 1, 0.2, 0.2)))
			target := &texture.Texture{Name: "mirror", Source: &texture.Target{Width: 512, Height: 512}}
			inner := scenes.NewFree("inner", linalg.Vec3{0, 0, -3}).Clip(0.1, 100)
			inner.Rig.(*scenes.Free).Target = &linalg.Vec3{}
			s.Before = []scenes.Task{&scenes.ScenePass{
				Name: "mirror", Camera: inner, Only: []*scenes.Node{sphere}, Override: standard.Colored("green", 0.2, 1, 0.2), FlipY: true, CanvasAspect: true,
				Attachments: scenes.Attachments{Color: []*texture.Texture{target}, Clear: &scenes.Color4{0.1, 0.1, 0.3, 1}},
			}}
			m := standard.New("screen")
			m.DiffuseTexture = &standard.Channel{Texture: target}
			s.Add(scenes.NewMesh("box", box, m).At(3, 0, 0))
			return s, nil
		},
	}
}
