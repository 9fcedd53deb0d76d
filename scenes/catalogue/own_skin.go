package catalogue

import (
	"math"

	"darkroom/material/instances"
	"darkroom/material/morph"
	"darkroom/material/skin"
	"darkroom/material/standard"
	"darkroom/scenes"
	"darkroom/scenes/linalg"
	"darkroom/scenes/mesh"
	"darkroom/scenes/shadow"
)

// tentacleJoints is the number of joints of a tentacle.
const tentacleJoints = 10

// tentacle is a tapered tube along +Y, three units long, whose vertices follow
// the nearest eight of ten joints, and the chain of joints.
func tentacle() (*mesh.Geometry, *scenes.Skeleton, error) {
	const length = 3.0
	var path []linalg.Vec3
	var radii []float64
	for i := range 41 {
		y := length * float64(i) / 40
		path, radii = append(path, linalg.Vec3{0, y, 0}), append(radii, 0.3-0.26*float64(i)/40)
	}
	g, err := mesh.CreateTube(mesh.TubeOptions{Path: path, Radii: radii, Tessellation: 24, Cap: mesh.CapAll})
	if err != nil {
		return nil, nil, err
	}
	g.Builder = nil
	const pitch = length / (tentacleJoints - 1)
	for v := range g.VertexCount() {
		y := float64(g.Positions[v*3+1])
		first := min(max(int(y/pitch)-3, 0), tentacleJoints-8)
		var w [8]float64
		sum := 0.0
		for i := range w {
			d := (y - float64(first+i)*pitch) / pitch
			w[i] = math.Exp(-d * d / 2)
			sum += w[i]
		}
		for i := range w {
			g.Joints[i/4] = append(g.Joints[i/4], uint32(first+i))
			g.Weights[i/4] = append(g.Weights[i/4], float32(w[i]/sum))
		}
	}
	k := &scenes.Skeleton{Name: "tentacle", Skin: skin.New("tentacle", tentacleJoints)}
	for i := range tentacleJoints {
		n := scenes.NewNode("joint")
		if i > 0 {
			n.Position = linalg.Vec3{0, pitch, 0}
			k.Joints[i-1].Add(n)
		}
		k.Joints = append(k.Joints, n)
		k.InverseBind = append(k.InverseBind, linalg.Translation(linalg.Vec3{0, -float64(i) * pitch, 0}))
	}
	return g, k, nil
}

// bends are clips of a second each: the tentacle sways from side to side, or curls up.
func bends(k *scenes.Skeleton) (sway, curl *scenes.Animation) {
	sway, curl = &scenes.Animation{Name: "sway"}, &scenes.Animation{Name: "curl"}
	for i, n := range k.Joints[1:] {
		t := &scenes.Track{Node: n, Path: scenes.PathEulerZ}
		u := &scenes.Track{Node: n, Path: scenes.PathEulerX}
		for key := range 13 {
			at := float64(key) / 12
			t.Times, u.Times = append(t.Times, at), append(u.Times, at)
			t.Values = append(t.Values, 0.3*math.Sin(2*math.Pi*at-float64(i)*0.5))
			u.Values = append(u.Values, 0.25-0.25*math.Cos(2*math.Pi*at))
		}
		still := &scenes.Track{Node: n, Path: scenes.PathEulerX, Times: []float64{0}, Values: []float64{0}}
		flat := &scenes.Track{Node: n, Path: scenes.PathEulerZ, Times: []float64{0}, Values: []float64{0}}
		sway.Tracks, curl.Tracks = append(sway.Tracks, t, still), append(curl.Tracks, u, flat)
	}
	return sway, curl
}

func ownSkin(part, description string, at float64, build func(b *bench, g *mesh.Geometry, k *scenes.Skeleton, m *standard.Material) error) *Entry {
	name := "own-skin-" + part
	return &Entry{
		Name: name, Description: description, Tags: []string{"own", "standard", "skin", "animation"}, Width: 640, Height: 360, Time: at,
		MaxMAD: 0.05, Source: "scenes/catalogue/own_skin.go",
		Build: func(Assets) (*scenes.Scene, error) {
			b := &bench{Scene: scenes.New(name)}
			b.Camera = scenes.NewArcRotate("camera", -math.Pi/2, 1.25, 6, linalg.Vec3{0, 1.3, 0}).Clip(0.1, 100)
			b.sky(0.7)
			b.AddLight(scenes.Directional("sun", linalg.Vec3{0.6, -1, 0.7}))
			g, k, err := tentacle()
			if err != nil {
				return nil, err
			}
			m := shiny("tentacle", 0.8, 0.35, 0.45, 0.3)
			m.DiffuseTexture = &standard.Channel{Texture: checker(8, [4]float64{1, 1, 1, 1}, [4]float64{0.6, 0.5, 0.5, 1}), VScale: 2}
			if err := build(b, g, k, m); err != nil {
				return nil, err
			}
			return b.Scene, b.err
		},
	}
}

func ownSkinEight() *Entry {
	return ownSkin("eight-joints", "tentacles whose vertices follow eight joints each; one of them also swells", 0.3, func(b *bench, g *mesh.Geometry, k *scenes.Skeleton, m *standard.Material) error {
		sway, _ := bends(k)
		b.Animations = append(b.Animations, sway)
		swell := morph.Target{Name: "swell", Positions: make([]float32, len(g.Positions))}
		for i := 0; i < len(g.Positions); i += 3 {
			wave := float32(math.Pow(math.Sin(float64(g.Positions[i+1])*4), 2))
			swell.Positions[i], swell.Positions[i+2] = g.Positions[i]*wave, g.Positions[i+2]*wave
		}
		thick, err := morph.New(g.VertexCount(), []morph.Target{swell}, []float64{0.8})
		if err != nil {
			return err
		}
		for i, x := range []float64{-1.1, 1.1} {
			n := b.Add(scenes.NewMesh("tentacle", g, m).At(x, 0, 0))
			if i == 0 {
				n.Add(k.Joints[0])
				k.Mesh = n
			} else {
				n.Mesh.Features = append(n.Mesh.Features, thick)
			}
			n.Mesh.Features = append(n.Mesh.Features, k.Skin)
		}
		b.Skeletons = append(b.Skeletons, k)
		return nil
	})
}

// ownBakedCrowd shows a hundred tentacles of one draw, each at its own frame of
// its own mixture of two baked clips, with the shadows that they cast.
func ownBakedCrowd() *Entry {
	return ownSkin("baked-crowd", "a hundred tentacles in one draw, each at a frame of its own of two baked clips, and their shadows", 0.3, func(b *bench, g *mesh.Geometry, k *scenes.Skeleton, m *standard.Material) error {
		sway, curl := bends(k)
		n := b.Add(scenes.NewMesh("tentacles", g, m))
		n.Add(k.Joints[0])
		k.Mesh = n
		b.Skeletons = []*scenes.Skeleton{k}
		baked, err := b.BakeSkeleton(k, 30, sway, curl)
		if err != nil {
			return err
		}
		b.Skeletons, n.Children = nil, nil
		b.Camera = scenes.NewArcRotate("camera", -math.Pi/2-0.4, 1.1, 13, linalg.Vec3{0, 0.6, 0.5}).Clip(0.1, 100)
		var matrices [][16]float64
		var plays []skin.Play
		for i := range 100 {
			x, z := float64(i%10)-4.5, float64(i/10)-4.5
			turn := linalg.QuatFromEuler(linalg.Vec3{0, float64(i) * 1.3, 0})
			matrices = append(matrices, linalg.Compose(linalg.Vec3{0.6, 0.6, 0.6}, turn, linalg.Vec3{x * 1.3, 0, z * 1.3}))
			plays = append(plays, skin.Play{Clip: baked.Clips["sway"], Offset: float64(i*7) * 0.9, Next: baked.Clips["curl"], Blend: float64(i%10) / 9})
		}
		thin := instances.New(matrices, nil)
		thin.Values = skin.Each(plays)
		n.Instanced(thin).CullInstances(3)
		n.Mesh.Features = append(n.Mesh.Features, &skin.Player{Baked: baked})
		floor := b.put("floor", shiny("floor", 0.6, 0.65, 0.6, 0), 0, 0, 0)(mesh.CreateGround(mesh.GroundOptions{Width: 20, Height: 20}))
		floor.Mesh.ReceiveShadows = true
		sun := b.Lights[1]
		sun.Position = sun.Direction.Scale(-20)
		sh, err := shadow.PCF(sun, shadow.Options{Size: 2048, Near: 1, Far: 50, Bias: 0.001}, n)
		if err != nil {
			return err
		}
		return sh.AddTo(b.Scene)
	})
}
