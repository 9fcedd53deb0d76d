package catalogue

import (
	"fmt"
	"math"

	"darkroom/material"
	"darkroom/material/pbr"
	"darkroom/material/standard"
	"darkroom/scenes"
	"darkroom/scenes/linalg"
	"darkroom/scenes/mesh"
	"darkroom/scenes/shadow"
)

func farShadows() *Entry {
	return &Entry{
		Name: "scene207-floating-origin-directional-shadows", Description: "filtered shadows of a directional light far from the origin",
		Tags: []string{"reference", "standard", "large-world", "shadow"}, MaxMAD: 0.5, NoiseMAD: 0.0003, CPUMAD: 0.0061, Source: "scenes/catalogue/shadows.go",
		Build: func(Assets) (*scenes.Scene, error) {
			s := farScene("scene207-floating-origin-directional-shadows", true, 0.62, 15)
			s.Camera.Rig.(*scenes.ArcRotate).Alpha = 1
			st := &stage{s: s}
			sky := scenes.Hemispheric("sky", linalg.Vec3{0, 1, 0})
			sky.Intensity = 0.2
			sun := scenes.Directional("sun", linalg.Vec3{-1, -2, -1})
			sun.Position = linalg.Vec3{farAway + 20, 40, farAway + 20}
			sun.Diffuse, sun.Intensity = scenes.Color3{1, 0.97, 0.9}, 0.9
			s.AddLight(sky, sun)
			ball, err := mesh.CreateSphere(mesh.SphereOptions{Diameter: 3, Segments: 32})
			casters := []*scenes.Node{st.put("ball", ball, err, shiny("ball", 0.8, 0.8, 0.85, 0.4), 0, 2, 0)}
			box, err := mesh.CreateBox(mesh.BoxOptions{Size: 2})
			for i, p := range [][2]float64{{-5, -4}, {5, 4}, {-4, 5}} {
				f := float64(i)
				casters = append(casters, st.put(fmt.Sprintf("box %d", i), box, err, shiny("box", 0.35+f*0.2, 0.45, 0.7-f*0.15, 0.3), p[0], 1, p[1]))
			}
			g, err := mesh.CreateGround(mesh.GroundOptions{Width: 100, Height: 100})
			st.put("ground", g, err, shiny("ground", 0.45, 0.45, 0.5, 0), 0, 0, 0).Mesh.ReceiveShadows = true
			if st.err != nil {
				return nil, st.err
			}
			m, err := shadow.PCF(sun, shadow.Options{Size: 1024, Near: 1, Far: 200}, casters...)
			if err != nil {
				return nil, err
			}
			return s, m.AddTo(s)
		},
	}
}

// mulberry32 is Tommy Ettinger's small generator of numbers in 0…1.
func mulberry32(seed uint32) func() float64 {
	return func() float64 {
		seed += 0x6d2b79f5
		t := (seed ^ seed>>15) * (1 | seed)
		t ^= t + (t^t>>7)*(61|t)
		return float64(t^t>>14) / (1 << 32)
	}
}

// cascades is the stage of the cascaded shadow scenes: a ground and 201 torus
// knots, all but one of which cast.
func cascades(name string, ground, knot material.Material) (*scenes.Scene, error) {
	const size = 2000.0
	s := scenes.New(name)
	s.Clear = scenes.Color4{0.5, 0.6, 0.75, 1}
	s.Camera = scenes.NewArcRotate("camera", -math.Pi/2, math.Pi/3, size*1.1, linalg.Vec3{}).Clip(1, 10000)
	sun := scenes.Directional("sun", linalg.Vec3{0, -1, -1})
	sun.Intensity = 0.8
	s.AddLight(sun)
	g, err := mesh.CreateGround(mesh.GroundOptions{Width: size, Height: size})
	if err != nil {
		return nil, err
	}
	s.Add(scenes.NewMesh("ground", g, ground)).Mesh.ReceiveShadows = true
	k, err := mesh.CreateTorusKnot(mesh.TorusKnotOptions{Radius: 20, Tube: 5})
	if err != nil {
		return nil, err
	}
	s.Add(scenes.NewMesh("base", k, knot))
	rand := mulberry32(1337)
	var casters []*scenes.Node
	for i := range 200 {
		n := scenes.NewMesh(fmt.Sprintf("knot %d", i), k, knot)
		n.Position = linalg.Vec3{(rand() - 0.5) * size, rand()*size*0.25 + 1, (rand() - 0.5) * size}
		q := linalg.QuatFromEuler(linalg.Vec3{rand() * 3.14, rand() * 3.14, rand() * 3.14})
		n.Quaternion = &q
		s.Add(n)
		casters = append(casters, n)
	}
	c, err := shadow.CSM(sun, shadow.Options{Size: 1024}, casters...)
	if err != nil {
		return nil, err
	}
	return s, c.AddTo(s)
}

func cascadedShadows() *Entry {
	return &Entry{
		Name: "scene214-cascaded-shadows", Description: "four shadow cascades over a wide plain, standard materials",
		Tags: []string{"reference", "standard", "shadow"}, MaxMAD: 0.4, NoiseMAD: 0.2081, CPUMAD: 0.4058, Source: "scenes/catalogue/shadows.go",
		Build: func(Assets) (*scenes.Scene, error) {
			return cascades("scene214-cascaded-shadows", standard.New("ground"), standard.Colored("green", 0, 1, 0))
		},
	}
}

func cascadedShadowsPBR() *Entry {
	return &Entry{
		Name: "scene215-cascaded-shadows-pbr", Description: "four shadow cascades over a wide plain, physically based materials",
		Tags: []string{"reference", "pbr", "shadow"}, MaxMAD: 0.4, Source: "scenes/catalogue/shadows.go",
		Build: func(Assets) (*scenes.Scene, error) {
			ground := pbr.New("ground")
			ground.BaseColor, ground.Metallic, ground.Roughness, ground.StandardFalloff = [4]float64{0.6, 0.6, 0.6, 1}, 0, 0.9, true
			green := pbr.New("green")
			green.BaseColor, green.Metallic, green.Roughness, green.StandardFalloff = [4]float64{0.1, 0.7, 0.15, 1}, 0.1, 0.5, true
			return cascades("scene215-cascaded-shadows-pbr", ground, green)
		},
	}
}
