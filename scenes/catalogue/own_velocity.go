package catalogue

import (
	"math"

	"darkroom/material"
	"darkroom/material/effect"
	"darkroom/material/instances"
	"darkroom/material/skin"
	"darkroom/material/standard"
	"darkroom/scenes"
	"darkroom/scenes/linalg"
	"darkroom/scenes/mesh"
	"darkroom/scenes/surfaces"
)

// ownSkinVelocity shows which way and how fast tentacles move: one with live
// joints that is carried along, and nine baked ones of one draw.
func ownSkinVelocity() *Entry {
	e := ownSkin("velocity", "the velocity of surfaces that live and baked joints move, in red and green, over their depth in blue", 0.3, func(b *bench, g *mesh.Geometry, k *scenes.Skeleton, m *standard.Material) error {
		sway, curl := bends(k)
		carried := b.Add(scenes.NewMesh("carried", g, m).At(-1.6, 0, 0))
		carried.Add(k.Joints[0])
		k.Mesh = carried
		b.Skeletons = []*scenes.Skeleton{k}
		baked, err := b.BakeSkeleton(k, 30, sway, curl)
		if err != nil {
			return err
		}
		carried.Mesh.Features = []material.Feature{k.Skin}
		b.Animations = []*scenes.Animation{sway, {Name: "carry", Tracks: []*scenes.Track{
			{Node: carried, Path: scenes.PathPosition, Times: []float64{0, 1}, Values: []float64{-1.9, 0, 0, -0.9, 0.5, 0}},
		}}}
		var matrices [][16]float64
		var plays []skin.Play
		for i := range 9 {
			turn := linalg.QuatFromEuler(linalg.Vec3{0, float64(i) * 1.3, 0})
			matrices = append(matrices, linalg.Compose(linalg.Vec3{0.6, 0.6, 0.6}, turn, linalg.Vec3{float64(i%3) + 0.2, 0, float64(i/3)*1.4 - 1}))
			plays = append(plays, skin.Play{Clip: baked.Clips["sway"], Offset: float64(i*3) + 0.5, Next: baked.Clips["curl"], Blend: float64(i) / 8})
		}
		thin := instances.New(matrices, nil)
		thin.Values = skin.Each(plays)
		crowd := b.Add(scenes.NewMesh("crowd", g, m)).Instanced(thin)
		crowd.Mesh.Features = append(crowd.Mesh.Features, &skin.Player{Baked: baked})
		b.Camera = scenes.NewArcRotate("camera", -math.Pi/2, 1.15, 7, linalg.Vec3{0.2, 1, 0}).Clip(0.5, 60)
		b.Samples, b.Frames, b.Step = 1, 2, 1.0/30
		pass, stored, err := surfaces.Draw(surfaces.Options{}, surfaces.Velocity, surfaces.ViewDepth)
		if err != nil {
			return err
		}
		show := &effect.Effect{Name: "show", Textures: map[string]effect.Input{}}
		for name, kind := range map[string]surfaces.Kind{"moved": surfaces.Velocity, "depth": surfaces.ViewDepth} {
			show.Textures[name] = effect.Input{Texture: stored[kind], Unfiltered: true}
		}
		show.Body = "let way = textureSampleLevel(moved, movedSampler, st, 0.0).xy * 8.0 + 0.5;\n" +
			"color = vec4<f32>(way, textureSampleLevel(depth, depthSampler, st, 0.0).r * 0.1, 1.0);"
		b.Graph = []scenes.Task{pass, &scenes.EffectPass{Name: "show", Material: show}}
		return nil
	})
	e.Tags, e.Source = append(e.Tags, "render-target"), "scenes/catalogue/own_velocity.go"
	return e
}
