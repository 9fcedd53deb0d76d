package catalogue

import (
	"math"

	"darkroom/material"
	"darkroom/material/pbr"
	"darkroom/material/standard"
	"darkroom/scenes"
	"darkroom/scenes/linalg"
	"darkroom/scenes/mesh"
)

// manyLights are n lights of each kind, with the intensities of points, spots,
// suns and skies; four of each are as many as a pass can have.
func manyLights(s *scenes.Scene, n int, intensity [4]float64) {
	hue := func(i int) scenes.Color3 {
		a := float64(i) * 1.1
		return scenes.Color3{0.5 + 0.5*math.Cos(a), 0.5 + 0.5*math.Cos(a-2.1), 0.5 + 0.5*math.Cos(a+2.1)}
	}
	for i := range n {
		a := float64(i) * 2 * math.Pi / float64(n)
		sin, cos := math.Sincos(a + 0.4)
		point := scenes.Point("point", linalg.Vec3{3 * cos, 1.2, 3 * sin})
		point.Range = 5
		spot := scenes.Spot("spot", linalg.Vec3{4 * sin, 4, 4 * cos}, linalg.Vec3{-0.6 * sin, -1, -0.6 * cos}, 0.9, 12)
		sun := scenes.Directional("sun", linalg.Vec3{sin, -1, cos})
		sky := scenes.Hemispheric("sky", linalg.Vec3{cos, 1, sin})
		for k, l := range []*scenes.Light{point, spot, sun, sky} {
			l.Diffuse, l.Specular = hue(i*4+k), hue(i*4+k)
			l.Intensity = intensity[k]
		}
		sky.Ground = hue(i + 7)
		s.AddLight(point, spot, sun, sky)
	}
}

func ownLights(family string, n int, intensity [4]float64, look func(name string, r, g, b float64) material.Material) *Entry {
	count := map[int]string{2: "eight", 4: "sixteen"}[n]
	name := "own-lights-" + count + "-" + family
	return &Entry{
		Name: name, Description: count + " lights at once, as many of each kind, on balls and a floor", Tags: []string{"own", family, "lights"},
		Width: 640, Height: 360, MaxMAD: 0.05, Source: "scenes/catalogue/own_lights.go",
		Build: func(Assets) (*scenes.Scene, error) {
			b := &bench{Scene: scenes.New(name)}
			b.Camera = scenes.NewArcRotate("camera", -math.Pi/2+0.3, 1.05, 9, linalg.Vec3{}).Clip(0.1, 100)
			manyLights(b.Scene, n, intensity)
			b.put("floor", look("floor", 0.8, 0.8, 0.8), 0, -1, 0)(mesh.CreateGround(mesh.GroundOptions{Width: 12, Height: 12}))
			for i := range 7 {
				sin, cos := math.Sincos(float64(i) * 2 * math.Pi / 6)
				if i == 6 {
					sin, cos = 0, 0
				}
				b.ball("ball", look("ball", 0.9, 0.9, 0.85), 2.2*cos, 0, 2.2*sin)
			}
			return b.Scene, b.err
		},
	}
}

func ownLightsStandard(n int) *Entry {
	return ownLights("standard", n, [4]float64{0.5, 0.4, 0.12, 0.06}, func(name string, r, g, b float64) material.Material { return standard.Colored(name, r, g, b) })
}

func ownLightsPBR(n int) *Entry {
	return ownLights("pbr", n, [4]float64{5, 20, 0.4, 0.04}, func(name string, r, g, b float64) material.Material {
		m := pbr.New(name)
		m.BaseColor, m.Metallic, m.Roughness = [4]float64{r, g, b, 1}, 0, 0.4
		return m
	})
}
