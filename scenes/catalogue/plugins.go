package catalogue

import (
	"math"

	"darkroom/material/pbr"
	"darkroom/material/plugin"
	"darkroom/material/standard"
	"darkroom/scenes"
	"darkroom/scenes/linalg"
	"darkroom/scenes/mesh"
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
