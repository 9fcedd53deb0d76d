package catalogue

import (
	"math"

	"darkroom/material/standard"
	"darkroom/scenes"
	"darkroom/scenes/linalg"
	"darkroom/scenes/mesh"
)

// hills is a height map of n by n pixels.
func hills(n int) mesh.HeightMap {
	m := mesh.HeightMap{Width: n, Height: n, Channels: 1}
	for y := range n {
		for x := range n {
			u, v := float64(x)/float64(n-1)*2-1, float64(y)/float64(n-1)*2-1
			h := 0.5 + 0.28*math.Sin(5*u+1)*math.Cos(4*v) + 0.22*math.Exp(-6*(u*u+v*v))*math.Cos(9*u)
			m.Pixels = append(m.Pixels, byte(math.Round(255*min(1, max(0, h)))))
		}
	}
	return m
}

func ownTerrain() *Entry {
	const name = "own-terrain"
	return &Entry{
		Name: name, Description: "a ground whose heights are read from a picture, and torus knots of different windings above it",
		Tags: []string{"own", "standard", "geometry"}, Width: 640, Height: 360, MaxMAD: 0.05, Source: "scenes/catalogue/own_terrain.go",
		Build: func(Assets) (*scenes.Scene, error) {
			b := &bench{Scene: scenes.New(name)}
			b.Camera = scenes.NewArcRotate("camera", -math.Pi/2+0.4, 1.1, 14, linalg.Vec3{0, 0.8, 0}).Clip(0.1, 100)
			b.sky(0.4)
			b.AddLight(scenes.Directional("sun", linalg.Vec3{0.6, -0.8, 0.5}))
			green := shiny("hills", 0.45, 0.6, 0.35, 0)
			green.DiffuseTexture = &standard.Channel{Texture: checker(2, [4]float64{1, 1, 1, 1}, [4]float64{0.8, 0.85, 0.8, 1}), UScale: 8, VScale: 8}
			ground, err := mesh.CreateGroundFromHeightMap(hills(128), mesh.HeightMapGroundOptions{Width: 12, Height: 12, Subdivisions: 80, MaxHeight: 2.5})
			if err != nil {
				return nil, err
			}
			ground.Builder = nil // a document carries no height map
			b.put("hills", green, 0, -1, 0)(ground, nil)
			for i, k := range []mesh.TorusKnotOptions{
				{Radius: 0.7, Tube: 0.22, RadialSegments: 96, TubularSegments: 20},
				{Radius: 0.7, Tube: 0.16, RadialSegments: 128, TubularSegments: 16, P: 3, Q: 2},
				{Radius: 0.7, Tube: 0.12, RadialSegments: 160, TubularSegments: 12, P: 5, Q: 3},
			} {
				b.put("knot", hues(i), float64(i-1)*3.2, 2.2, 0)(mesh.CreateTorusKnot(k))
			}
			return b.Scene, b.err
		},
	}
}

// ownMirroredHierarchy shows arms of boxes whose joints turn, stretch and mirror.
func ownMirroredHierarchy() *Entry {
	e := ownStandard("mirrored-hierarchy", "arms of letters on boxes: as they are, mirrored once, mirrored twice, and stretched", func(b *bench) {
		b.sky(0.4)
		b.AddLight(scenes.Directional("sun", linalg.Vec3{0.5, -0.6, 0.9}))
		m := shiny("letter", 1, 1, 1, 0.4)
		m.DiffuseTexture = &standard.Channel{Texture: letter()}
		bent := shiny("bent", 0.8, 0.9, 1, 0.4)
		bent.DiffuseTexture, bent.BumpTexture = &standard.Channel{Texture: letter()}, &standard.Channel{Texture: dimples(2)}
		box, err := mesh.CreateBox(mesh.BoxOptions{Size: 0.8})
		if err != nil {
			b.err = err
			return
		}
		for i, scale := range []linalg.Vec3{{1, 1, 1}, {-1, 1, 1}, {-1, -1, 1}, {1.6, 0.6, -1}} {
			root := b.Add(scenes.NewNode("root")).At(float64(i)*1.9-2.85, -1, 0)
			root.Scaling, root.Rotation = scale, linalg.Vec3{0, 0.4, 0}
			at := root
			for k := range 3 {
				one := m
				if k == 1 {
					one = bent
				}
				n := scenes.NewMesh("box", box, one).At(0.1, 0.85, 0)
				n.Rotation = linalg.Vec3{0.15, 0.5, 0.25}
				if k == 2 {
					n.Scaling = linalg.Vec3{0.8, 0.8, -0.8}
				}
				if k == 0 {
					n.Position = linalg.Vec3{}
				}
				at.Add(n)
				at = n
			}
		}
	})
	e.Source = "scenes/catalogue/own_terrain.go"
	return e
}
