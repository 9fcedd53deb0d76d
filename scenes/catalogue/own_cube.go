package catalogue

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"math"

	"darkroom/material/standard"
	"darkroom/scenes"
	"darkroom/scenes/linalg"
	"darkroom/scenes/mesh"
	"darkroom/scenes/picture"
)

// face is a PNG file of one side of a room: a colour of its own, as many dots
// as its number and a bar at the upper edge.
func face(i int) ([]byte, error) {
	const n = 64
	tints := [6][3]float64{{0.9, 0.4, 0.3}, {0.3, 0.8, 0.8}, {0.5, 0.7, 1}, {0.5, 0.4, 0.3}, {0.5, 0.9, 0.4}, {0.9, 0.5, 0.9}}
	im := image.NewNRGBA(image.Rect(0, 0, n, n))
	for y := range n {
		for x := range n {
			bright := 0.55 + 0.35*float64(n-y)/n
			for dot := range i + 1 {
				dx, dy := float64(x)-10-float64(dot%3)*18, float64(y)-26-float64(dot/3)*20
				if math.Hypot(dx, dy) < 6 {
					bright = 0.15
				}
			}
			if y < 8 && x > 4 && x < 40 {
				bright = 1
			}
			c := [3]uint8{}
			for k := range c {
				c[k] = uint8(math.Round(255 * min(1, tints[i][k]*bright)))
			}
			im.SetNRGBA(x, y, color.NRGBA{c[0], c[1], c[2], 255})
		}
	}
	var out bytes.Buffer
	err := png.Encode(&out, im)
	return out.Bytes(), err
}

func ownCubeFiles() *Entry {
	const name = "own-cube-six-files"
	return &Entry{
		Name: name, Description: "a room from six picture files as a sky box, and balls and a box that mirror it",
		Tags: []string{"own", "standard", "texture"}, Width: 640, Height: 360, MaxMAD: 0.05, Source: "scenes/catalogue/own_cube.go",
		Build: func(Assets) (*scenes.Scene, error) {
			b := &bench{Scene: scenes.New(name)}
			b.Camera = scenes.NewArcRotate("camera", -math.Pi/2+0.6, 1.35, 6, linalg.Vec3{}).Clip(0.1, 200)
			b.Camera.FOV = 1.1
			b.sky(0.5)
			var files [6][]byte
			for i := range files {
				var err error
				if files[i], err = face(i); err != nil {
					return nil, fmt.Errorf("face %d: %w", i, err)
				}
			}
			cube, err := picture.DecodeCube("room", files, false)
			if err != nil {
				return nil, err
			}
			walls := shiny("walls", 0, 0, 0, 0)
			walls.DisableLighting, walls.TwoSided = true, true
			walls.ReflectionTexture = &standard.Reflection{Texture: cube, Mapping: standard.Skybox}
			b.put("walls", walls, 0, 0, 0)(mesh.CreateBox(mesh.BoxOptions{Size: 60}))
			mirror := shiny("mirror", 0.1, 0.1, 0.12, 0.4)
			mirror.ReflectionTexture = &standard.Reflection{Texture: cube, Level: 0.9}
			b.ball("ball", mirror, -1.3, 0, 0)
			b.put("box", mirror, 1.3, 0, 0)(mesh.CreateBox(mesh.BoxOptions{Size: 1.6})).Rotation = linalg.Vec3{0.5, 0.3, 0}
			return b.Scene, b.err
		},
	}
}
