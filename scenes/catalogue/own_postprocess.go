package catalogue

import (
	"fmt"
	"math"

	"darkroom/composer"
	"darkroom/material"
	"darkroom/material/pbr"
	"darkroom/material/standard"
	"darkroom/material/texture"
	"darkroom/scenes"
	"darkroom/scenes/linalg"
	"darkroom/scenes/mesh"
	"darkroom/scenes/post"
)

// texels makes a repeating picture of n by n texels; at gives the colour at
// texel x, y, top row first.
func texels(name string, n int, at func(x, y int) [4]float64) *texture.Texture {
	pix := make([]byte, 0, n*n*4)
	for y := range n {
		for x := range n {
			for _, v := range at(x, y) {
				pix = append(pix, byte(math.Round(min(1, max(0, v))*255)))
			}
		}
	}
	return &texture.Texture{Name: name, Source: &texture.Pixels{Width: n, Height: n, Levels: [][]byte{pix}}, Mips: true}
}

// checker is a board of two colours, cells by cells fields in 64 by 64 texels.
func checker(cells int, a, b [4]float64) *texture.Texture {
	return texels("checker", 64, func(x, y int) [4]float64 {
		if (x*cells/64+y*cells/64)%2 == 0 {
			return a
		}
		return b
	})
}

// row is a stage for post-processes: balls that go away from the camera over a
// chequered floor.
func row(name string, ball func(i int) material.Material) (*scenes.Scene, error) {
	s := scenes.New(name)
	s.Samples = 1
	s.Camera = scenes.NewArcRotate("camera", -math.Pi/2-0.35, 1.25, 7, linalg.Vec3{0, 0.6, 0}).Clip(0.5, 60)
	sky := scenes.Hemispheric("sky", linalg.Vec3{0.3, 1, -0.4})
	sky.Ground = scenes.Color3{0.1, 0.1, 0.12}
	s.AddLight(sky)
	floor, err := mesh.CreateGround(mesh.GroundOptions{Width: 24, Height: 40})
	if err != nil {
		return nil, err
	}
	board := shiny("floor", 1, 1, 1, 0)
	board.DiffuseTexture = &standard.Channel{Texture: checker(8, [4]float64{0.75, 0.75, 0.7, 1}, [4]float64{0.15, 0.2, 0.25, 1}), VScale: 2}
	s.Add(scenes.NewMesh("floor", floor, board).At(0, 0, 12))
	g, err := mesh.CreateSphere(mesh.SphereOptions{Diameter: 1.4, Segments: 24})
	if err != nil {
		return nil, err
	}
	for i := range 7 {
		s.Add(scenes.NewMesh(fmt.Sprintf("ball %d", i), g, ball(i)).At(float64(i%2)*1.6-0.8, 0.7, float64(i)*2.6-2))
	}
	return s, nil
}

// hues is a standard material for the i-th ball of a row.
func hues(i int) material.Material {
	a := float64(i) * 0.9
	return standard.Colored("ball", 0.5+0.5*math.Cos(a), 0.5+0.5*math.Cos(a-2.1), 0.5+0.5*math.Cos(a+2.1))
}

// ownPost is a scene of the project's own with a post-process over a row.
func ownPost(name, description string, build func() (*scenes.Scene, error)) *Entry {
	return &Entry{
		Name: name, Description: description, Tags: []string{"own", "standard", "post-process"}, Width: 640, Height: 360,
		MaxMAD: 0.05, Source: "scenes/catalogue/own_postprocess.go",
		Build: func(Assets) (*scenes.Scene, error) { return build() },
	}
}

func ownBloom() *Entry {
	return ownPost("own-post-bloom", "balls of which every other one glows", func() (*scenes.Scene, error) {
		s, err := row("own-post-bloom", func(i int) material.Material {
			m := hues(i).(*standard.Material)
			if i%2 == 0 {
				m.Emissive = [3]float64{0.9, 0.7, 0.2}
			} else {
				m.Diffuse = [3]float64{0.1, 0.1, 0.15}
			}
			return m
		})
		if err != nil {
			return nil, err
		}
		picture := post.Picture("picture", "", 1)
		s.Graph = append([]scenes.Task{to(picture, nil)}, post.Bloom(post.Pass{Name: "bloom", From: picture}, post.Glow{Weight: 0.8, Threshold: 0.4})...)
		return s, nil
	})
}

// focus is a lens that focuses on the third ball.
var focus = post.Lens{FocusDistance: 8500, FStop: 0.15}

func ownCircleOfConfusion() *Entry {
	return ownPost("own-post-circle-of-confusion", "how far each pixel is out of focus", func() (*scenes.Scene, error) {
		s, err := row("own-post-circle-of-confusion", hues)
		if err != nil {
			return nil, err
		}
		depth := post.Depth("depth", 1)
		only := &scenes.ScenePass{Name: "depth", Attachments: scenes.Attachments{Color: []*texture.Texture{}, Depth: depth}}
		s.Graph = []scenes.Task{only, post.CircleOfConfusion(post.Pass{Name: "confusion"}, depth, nil, focus)}
		return s, nil
	})
}

func ownDepthOfField() *Entry {
	return ownPost("own-post-depth-of-field", "a row of balls of which the third is in focus", func() (*scenes.Scene, error) {
		s, err := row("own-post-depth-of-field", hues)
		if err != nil {
			return nil, err
		}
		picture, depth := post.Picture("picture", "", 1), post.Depth("depth", 1)
		draw := to(picture, nil)
		draw.Depth = depth
		s.Graph = append([]scenes.Task{draw}, post.DepthOfField(post.Pass{Name: "depth of field", From: picture}, depth, nil, focus, post.High)...)
		return s, nil
	})
}

func ownImageProcessing() *Entry {
	return ownPost("own-post-image-processing", "linear light to display space after the picture is drawn: ACES, exposure, contrast", func() (*scenes.Scene, error) {
		s, err := row("own-post-image-processing", func(i int) material.Material {
			m := pbr.New("ball")
			a := float64(i) * 0.9
			m.BaseColor = [4]float64{0.5 + 0.5*math.Cos(a), 0.5 + 0.5*math.Cos(a-2.1), 0.5 + 0.5*math.Cos(a+2.1), 1}
			m.Metallic, m.Roughness = 0, 0.35
			return m
		})
		if err != nil {
			return nil, err
		}
		s.Lights[0].Intensity = 2.5
		s.ImageProcessing = material.ImageProcessing{Exposure: 1.4, Contrast: 1.2, ToneMapping: material.ToneMapACES}
		picture := post.Picture("linear", composer.RGBA16Float, 1)
		draw := to(picture, nil)
		draw.Linear = true
		s.Graph = []scenes.Task{draw, post.ImageProcessing(post.Pass{Name: "image processing", From: picture})}
		return s, nil
	})
}

func ownSharpen() *Entry {
	return ownPost("own-post-sharpen", "balls with sharpened edges", func() (*scenes.Scene, error) {
		s, err := row("own-post-sharpen", hues)
		if err != nil {
			return nil, err
		}
		picture := post.Picture("picture", "", 1)
		s.Graph = []scenes.Task{to(picture, nil), post.Sharpen(post.Pass{Name: "sharpen", From: picture}, post.Sharpness{Color: 1, Edge: 0.6})}
		return s, nil
	})
}
