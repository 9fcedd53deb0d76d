package catalogue

import (
	"math"

	"darkroom/material/standard"
	"darkroom/scenes"
	"darkroom/scenes/linalg"
	"darkroom/scenes/mesh"
)

// ownCameras shows one stage through cameras of every kind, each in a viewport
// of its own: orthographic with the picture's aspect and with bounds of its
// own, a free one that rolls, one whose field of view is horizontal, one that
// frames the scene by itself and one that sees a layer alone.
func ownCameras() *Entry {
	const name = "own-cameras"
	return &Entry{
		Name: name, Description: "six cameras in six viewports: two orthographic, rolling, horizontal, framing by itself, and of one layer",
		Tags: []string{"own", "standard", "camera", "viewport"}, Width: 960, Height: 540, MaxMAD: 0.05, Source: "scenes/catalogue/own_cameras.go",
		Build: func(Assets) (*scenes.Scene, error) {
			b := &bench{Scene: scenes.New(name)}
			b.sky(0.5)
			b.AddLight(scenes.Directional("sun", linalg.Vec3{0.5, -1, 0.8}))
			b.put("floor", shiny("floor", 0.5, 0.55, 0.6, 0), 0, 0, 0)(mesh.CreateGround(mesh.GroundOptions{Width: 8, Height: 6}))
			b.put("box", standard.Colored("box", 0.9, 0.5, 0.2), -2, 0.75, 0.5)(mesh.CreateBox(mesh.BoxOptions{Size: 1.5})).Rotation = linalg.Vec3{0, 0.5, 0}
			b.ball("ball", standard.Colored("ball", 0.3, 0.6, 0.9), 0.5, 0.9, -0.5).Mesh.Layer = 3
			b.put("cone", standard.Colored("cone", 0.4, 0.8, 0.4), 2.6, 1, 0.8)(mesh.CreateCylinder(mesh.CylinderOptions{Height: 2, DiameterTop: new(float64), DiameterBottom: ptr(1.6), Tessellation: 32}))
			if b.err != nil {
				return nil, b.err
			}
			bounds, err := b.Bounds()
			if err != nil {
				return nil, err
			}
			above := scenes.NewArcRotate("orthographic", -math.Pi/2-0.6, 1, 20, linalg.Vec3{0, 0.8, 0}).Clip(0.1, 60)
			above.Ortho = &scenes.Ortho{Top: 3, Bottom: -3}
			plan := scenes.NewFree("plan", linalg.Vec3{0, 10, 0}).Clip(1, 30)
			plan.Rig.(*scenes.Free).Rotation = linalg.Vec3{math.Pi / 2, 0, 0}
			plan.Ortho = &scenes.Ortho{Left: -4.5, Right: 4.5, Bottom: -4.5, Top: 4.5}
			rolling := scenes.NewFree("rolling", linalg.Vec3{-4, 3, -6}).Clip(0.1, 60)
			rolling.Rig.(*scenes.Free).Rotation = linalg.Vec3{0.35, 0.55, 0.4}
			wide := scenes.NewArcRotate("horizontal", -math.Pi/2+0.5, 1.2, 8, linalg.Vec3{0, 0.8, 0}).Clip(0.1, 60)
			wide.FOV, wide.Horizontal = 1.2, true
			framing := scenes.AutoFrame(bounds)
			layer := scenes.NewArcRotate("layer", -math.Pi/2, 1.2, 8, linalg.Vec3{0, 0.8, 0}).Clip(0.1, 60)
			layer.Layers = 2
			for i, c := range []*scenes.Camera{above, plan, rolling, wide, framing, layer} {
				c.Viewport = scenes.Viewport{X: float64(i%3) / 3, Y: 0.5 - float64(i/3)/2, Width: 1.0 / 3, Height: 0.5}
				p := &scenes.ScenePass{Name: c.Name, Camera: c}
				p.LoadColor = i > 0
				b.Graph = append(b.Graph, p)
			}
			b.Camera = above
			return b.Scene, nil
		},
	}
}

func ptr(x float64) *float64 { return &x }
