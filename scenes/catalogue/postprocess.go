package catalogue

import (
	"fmt"
	"math"

	"darkroom/material/standard"
	"darkroom/material/texture"
	"darkroom/scenes"
	"darkroom/scenes/linalg"
	"darkroom/scenes/mesh"
	"darkroom/scenes/post"
)

// to draws the scene into a picture, without multisampling.
func to(picture *texture.Texture, camera *scenes.Camera) *scenes.ScenePass {
	return &scenes.ScenePass{Name: picture.Name, Camera: camera, Attachments: scenes.Attachments{Color: []*texture.Texture{picture}}}
}

func postProcessViewports() *Entry {
	return &Entry{
		Name: "scene142-post-process-viewports", Description: "three boxes in black and white, as an anaglyph, blurred, and with chromatic aberration",
		Tags: []string{"reference", "standard", "post-process", "viewport"}, MaxMAD: 0.05, CPUMAD: 0.0024, Source: "scenes/catalogue/postprocess.go",
		Build: func(Assets) (*scenes.Scene, error) {
			s := scenes.New("scene142-post-process-viewports")
			s.Clear = scenes.Color4{0.12, 0.23, 0.42, 1}
			s.Samples = 1
			at := linalg.Vec3{0, 0.25, 0}
			s.Camera = scenes.NewArcRotate("right", -math.Pi/2, math.Pi/2.45, 2.2, at).Clip(0.1, 100)
			leftEye := scenes.NewArcRotate("left", -math.Pi/2-0.035, math.Pi/2.45, 2.2, at).Clip(0.1, 100)
			sky := scenes.Hemispheric("sky", linalg.Vec3{0, 1, 0})
			sky.Intensity = 0.4
			s.AddLight(sky)
			box, err := mesh.CreateBox(mesh.BoxOptions{Size: 1.15})
			if err != nil {
				return nil, err
			}
			for i, c := range [][3]float64{{1, 0.12, 0.05}, {0.05, 0.85, 0.16}, {0.15, 0.32, 1}} {
				n := s.Add(scenes.NewMesh(fmt.Sprintf("box %d", i), box, shiny("box", c[0], c[1], c[2], 0)).At(float64(i-1)*1.55, 0, 0))
				n.Rotation = linalg.Vec3{-0.25, 0.55, 0}
			}
			right, left := post.Picture("right", "", 1), post.Picture("left", "", 1)
			quarter := func(name string, x, y float64, load bool) post.Pass {
				return post.Pass{Name: name, From: right, Viewport: scenes.Viewport{X: x, Y: y, Width: 0.5, Height: 0.5}, Load: load}
			}
			s.Graph = []scenes.Task{
				to(right, nil), to(left, leftEye),
				post.BlackAndWhite(quarter("black and white", 0, 0.5, false), 1),
				post.Anaglyph(quarter("anaglyph", 0.5, 0.5, true), left),
				post.Blur(quarter("blur", 0, 0, true), [2]float64{1, 1}, 128),
				post.ChromaticAberration(quarter("aberration", 0.5, 0, true), post.Aberration{Amount: 70, Direction: [2]float64{0.707, 0.707}, Center: [2]float64{0.5, 0.5}}),
			}
			return s, nil
		},
	}
}

func temporalAntiAliasing() *Entry {
	return &Entry{
		Name: "scene261-temporal-anti-aliasing", Description: "three turned boxes whose edges are smoothed over 160 frames",
		Tags: []string{"reference", "standard", "post-process"}, MaxMAD: 0.1, MaxRegionMAD: 0.5, Source: "scenes/catalogue/postprocess.go",
		Build: func(Assets) (*scenes.Scene, error) {
			s := scenes.New("scene261-temporal-anti-aliasing")
			s.Clear = scenes.Color4{0.05, 0.06, 0.09, 1}
			s.Samples, s.Frames = 1, 160
			s.Camera = scenes.NewArcRotate("camera", -math.Pi/2, math.Pi/2.4, 10, linalg.Vec3{}).Clip(0.1, 100)
			s.AddLight(scenes.Hemispheric("sky", linalg.Vec3{0, 1, 0}))
			box, err := mesh.CreateBox(mesh.BoxOptions{Size: 2})
			if err != nil {
				return nil, err
			}
			add := func(m *standard.Material, x float64, axis linalg.Vec3, angle float64) {
				n := s.Add(scenes.NewMesh(m.Name, box, m).At(x, 0, 0))
				sin, cos := math.Sincos(angle / 2)
				a := axis.Normalize().Scale(sin)
				n.Quaternion = &linalg.Quat{a[0], a[1], a[2], cos}
			}
			add(shiny("red", 0.85, 0.32, 0.22, 0), -2.6, linalg.Vec3{1, 1, 0}, 0.9)
			add(shiny("green", 0.3, 0.78, 0.4, 0), 0, linalg.Vec3{0, 1, 1}, 0.8)
			add(shiny("blue", 0.32, 0.5, 0.9, 0), 2.6, linalg.Vec3{1, 0.5, 0.5}, 1)
			picture := post.Picture("picture", "", 1)
			s.Graph = append([]scenes.Task{to(picture, nil)}, post.TemporalAntiAliasing(s, post.Pass{Name: "taa", From: picture}, post.TAA{})...)
			return s, nil
		},
	}
}
