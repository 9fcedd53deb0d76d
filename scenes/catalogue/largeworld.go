package catalogue

import (
	"fmt"
	"math"

	"darkroom/material/instances"
	"darkroom/material/standard"
	"darkroom/scenes"
	"darkroom/scenes/linalg"
	"darkroom/scenes/mesh"
)

// farAway is how far from the origin the large-world scenes stand, in x and z.
const farAway = 5e6

// farScene is a scene at farAway with a camera about it.
func farScene(name string, large bool, beta, radius float64) *scenes.Scene {
	s := scenes.New(name)
	s.Clear = scenes.Color4{0.05, 0.05, 0.08, 1}
	s.LargeWorld = large
	s.Camera = scenes.NewArcRotate("camera", math.Pi/4, beta, radius, linalg.Vec3{farAway, 1, farAway}).Clip(0.5, 500)
	return s
}

// shiny is a standard material with a grey highlight.
func shiny(name string, r, g, b, specular float64) *standard.Material {
	m := standard.Colored(name, r, g, b)
	m.Specular = [3]float64{specular, specular, specular}
	return m
}

// stage puts meshes on a scene and remembers the first error.
type stage struct {
	s   *scenes.Scene
	err error
}

func (st *stage) put(name string, g *mesh.Geometry, err error, m *standard.Material, x, y, z float64) *scenes.Node {
	if err != nil && st.err == nil {
		st.err = err
	}
	return st.s.Add(scenes.NewMesh(name, g, m).At(farAway+x, y, farAway+z))
}

func precision(name, description string, large bool, limit, noise, cpu float64) *Entry {
	return &Entry{
		Name: name, Description: description,
		Tags: []string{"reference", "standard", "large-world"}, MaxMAD: limit, NoiseMAD: noise, CPUMAD: cpu, Source: "scenes/catalogue/largeworld.go",
		Build: func(Assets) (*scenes.Scene, error) {
			s := farScene(name, large, math.Pi/3, 25)
			st := &stage{s: s}
			skyAndSun(s)
			g, err := mesh.CreateGround(mesh.GroundOptions{Width: 40, Height: 40})
			st.put("ground", g, err, standard.Colored("ground", 0.25, 0.25, 0.3), 0, 0, 0)
			box, err := mesh.CreateBox(mesh.BoxOptions{Size: 1})
			for i := range 5 {
				for j := range 5 {
					st.put(fmt.Sprintf("box %d %d", i, j), box, err, shiny("box", 0.3+float64(i)/4*0.6, 0.4, 0.3+float64(j)/4*0.6, 0.4), float64(i-2)*4, 1, float64(j-2)*4)
				}
			}
			m := shiny("pillar", 0.9, 0.5, 0.2, 0.6)
			m.Emissive = [3]float64{0.1, 0.05, 0.02}
			st.put("pillar", box, err, m, 0, 2, 0).Scaling = linalg.Vec3{0.8, 4, 0.8}
			return s, st.err
		},
	}
}

func skyAndSun(s *scenes.Scene) {
	sky := scenes.Hemispheric("sky", linalg.Vec3{0, 1, 0})
	sky.Intensity = 0.4
	sun := scenes.Directional("sun", linalg.Vec3{-0.4, -1, -0.2})
	sun.Specular = scenes.Color3{0.3, 0.3, 0.3}
	s.AddLight(sky, sun)
}

func jitterOff() *Entry {
	return precision("scene200-high-precision-jitter-hpm-off", "far from the origin in single precision: it must jitter", false, 2.5, 1.3782, 0.8398)
}

func jitterOn() *Entry {
	return precision("scene201-high-precision-jitter-hpm-on", "the same in a large world: it must not", true, 0.1, 0.0004, 0.0094)
}

func farPointLight() *Entry {
	return &Entry{
		Name: "scene202-floating-origin-point-light", Description: "a point light far from the origin",
		Tags: []string{"reference", "standard", "large-world"}, MaxMAD: 0.5, NoiseMAD: 0.0003, CPUMAD: 0.0057, Source: "scenes/catalogue/largeworld.go",
		Build: func(Assets) (*scenes.Scene, error) {
			s := farScene("scene202-floating-origin-point-light", true, math.Pi/3, 14)
			st := &stage{s: s}
			sky := scenes.Hemispheric("sky", linalg.Vec3{0, 1, 0})
			sky.Intensity = 0.15
			lamp := scenes.Point("lamp", linalg.Vec3{farAway + 4, 6, farAway - 2})
			lamp.Diffuse, lamp.Range = scenes.Color3{1, 0.95, 0.8}, 100
			s.AddLight(sky, lamp)
			g, err := mesh.CreateGround(mesh.GroundOptions{Width: 40, Height: 40})
			st.put("ground", g, err, shiny("ground", 0.3, 0.3, 0.34, 0.2), 0, 0, 0)
			box, err := mesh.CreateBox(mesh.BoxOptions{Size: 1})
			for i := range 3 {
				for j := range 3 {
					st.put(fmt.Sprintf("box %d %d", i, j), box, err, shiny("box", 0.35+float64(i)/2*0.5, 0.4, 0.35+float64(j)/2*0.5, 0.5), float64(i-1)*5, 1, float64(j-1)*5)
				}
			}
			ball, err := mesh.CreateSphere(mesh.SphereOptions{Diameter: 3, Segments: 32})
			st.put("ball", ball, err, shiny("ball", 0.8, 0.8, 0.85, 0.9), 0, 2.5, 0)
			return s, st.err
		},
	}
}

func farSpotLight() *Entry {
	return &Entry{
		Name: "scene203-floating-origin-spot-light", Description: "a spot light far from the origin",
		Tags: []string{"reference", "standard", "large-world"}, MaxMAD: 0.5, NoiseMAD: 0.0002, CPUMAD: 0.0071, Source: "scenes/catalogue/largeworld.go",
		Build: func(Assets) (*scenes.Scene, error) {
			s := farScene("scene203-floating-origin-spot-light", true, math.Pi/3.2, 18)
			st := &stage{s: s}
			sky := scenes.Hemispheric("sky", linalg.Vec3{0, 1, 0})
			sky.Intensity = 0.1
			lamp := scenes.Spot("lamp", linalg.Vec3{farAway, 12, farAway}, linalg.Vec3{0, -1, 0}, math.Pi/4, 2)
			lamp.Diffuse, lamp.Range, lamp.Intensity = scenes.Color3{1, 0.95, 0.85}, 100, 1.5
			s.AddLight(sky, lamp)
			g, err := mesh.CreateGround(mesh.GroundOptions{Width: 40, Height: 40})
			st.put("ground", g, err, shiny("ground", 0.32, 0.32, 0.36, 0.2), 0, 0, 0)
			box, err := mesh.CreateBox(mesh.BoxOptions{Size: 1})
			for i := range 6 {
				sin, cos := math.Sincos(float64(i) / 6 * math.Pi * 2)
				st.put(fmt.Sprintf("box %d", i), box, err, shiny("box", 0.6, 0.45, 0.4, 0.5), cos*5, 0.5, sin*5)
			}
			ball, err := mesh.CreateSphere(mesh.SphereOptions{Diameter: 3, Segments: 32})
			st.put("ball", ball, err, shiny("ball", 0.8, 0.8, 0.85, 0.9), 0, 1.5, 0)
			return s, st.err
		},
	}
}

func farInstances() *Entry {
	return &Entry{
		Name: "scene204-floating-origin-thin-instances", Description: "thin instances far from the origin",
		Tags: []string{"reference", "standard", "large-world", "instances"}, MaxMAD: 0.5, NoiseMAD: 0.0006, CPUMAD: 0.0064, Source: "scenes/catalogue/largeworld.go",
		Build: func(Assets) (*scenes.Scene, error) {
			s := farScene("scene204-floating-origin-thin-instances", true, math.Pi/3, 22)
			st := &stage{s: s}
			skyAndSun(s)
			g, err := mesh.CreateGround(mesh.GroundOptions{Width: 60, Height: 60})
			st.put("ground", g, err, standard.Colored("ground", 0.25, 0.25, 0.3), 0, 0, 0)
			box, err := mesh.CreateBox(mesh.BoxOptions{Size: 1})
			n := st.put("boxes", box, err, shiny("box", 1, 1, 1, 0.4), 0, 1, 0)
			var matrices [][16]float64
			var colors [][4]float64
			for i := range 5 {
				for j := range 5 {
					matrices = append(matrices, linalg.Translation(linalg.Vec3{float64(i-2) * 4, float64((i+j)%3) * 0.75, float64(j-2) * 4}))
					colors = append(colors, [4]float64{0.3 + float64(i)/4*0.6, 0.4, 0.3 + float64(j)/4*0.6, 1})
				}
			}
			thin := instances.New(matrices, colors)
			n.Mesh.Features, n.Mesh.Instances = append(n.Mesh.Features, thin), thin.Count
			return s, st.err
		},
	}
}
