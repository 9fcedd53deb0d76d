package main

import (
	"image"
	"image/color"
	"math"

	"golang.org/x/image/draw"
	"golang.org/x/image/font"
	"golang.org/x/image/font/basicfont"
	"golang.org/x/image/math/fixed"

	"darkroom/material/pbr"
	"darkroom/scenes"
	"darkroom/scenes/mesh"
)

// cell is one picture of a contact sheet; nil where it was not drawn.
type cell struct {
	label string
	img   *image.NRGBA
}

// contactSheet arranges pictures in a grid with their names.
func contactSheet(cells []cell) *image.NRGBA {
	const w, h, text = 240, 135, 18
	cols := max(1, int(math.Ceil(math.Sqrt(float64(len(cells))))))
	rows := (len(cells) + cols - 1) / cols
	out := image.NewNRGBA(image.Rect(0, 0, cols*w, rows*(h+text)))
	draw.Draw(out, out.Bounds(), image.NewUniform(color.NRGBA{24, 24, 28, 255}), image.Point{}, draw.Src)
	for i, c := range cells {
		x, y := i%cols*w, i/cols*(h+text)
		if c.img == nil {
			draw.Draw(out, image.Rect(x+2, y+2, x+w-2, y+h), image.NewUniform(color.NRGBA{90, 20, 20, 255}), image.Point{}, draw.Src)
		} else {
			b := c.img.Bounds()
			k := math.Min(float64(w-4)/float64(b.Dx()), float64(h-2)/float64(b.Dy()))
			dw, dh := max(1, int(float64(b.Dx())*k)), max(1, int(float64(b.Dy())*k))
			dx, dy := x+(w-dw)/2, y+(h-dh)/2
			draw.ApproxBiLinear.Scale(out, image.Rect(dx, dy, dx+dw, dy+dh), c.img, b, draw.Over, nil)
		}
		label := c.label
		if len(label) > (w-6)/7 {
			label = label[:(w-6)/7-1] + "~"
		}
		d := font.Drawer{Dst: out, Src: image.NewUniform(color.NRGBA{220, 220, 225, 255}), Face: basicfont.Face7x13, Dot: fixed.P(x+4, y+h+13)}
		d.DrawString(label)
	}
	return out
}

// backdrop is a box about the camera that shows the environment.
func backdrop() (*scenes.Node, error) {
	g, err := mesh.CreateBox(mesh.BoxOptions{Size: 1000})
	if err != nil {
		return nil, err
	}
	m := pbr.New("sky")
	m.Backdrop = true
	m.Roughness = 0.3
	m.NoDepthWrite = true
	n := scenes.NewMesh("sky", g, m)
	n.Mesh.Order = -1
	return n, nil
}
