// Package sheet arranges pictures on a contact sheet.
package sheet

import (
	"image"
	"image/color"
	"math"

	"golang.org/x/image/draw"
	"golang.org/x/image/font"
	"golang.org/x/image/font/basicfont"
	"golang.org/x/image/math/fixed"
)

// The size of a thumbnail and of the line below it in pixels.
const (
	width  = 240
	height = 135
	line   = 18
)

var (
	paper   = color.NRGBA{24, 24, 28, 255}
	ink     = color.NRGBA{220, 220, 225, 255}
	missing = color.NRGBA{90, 20, 20, 255}
)

// Sheet is a contact sheet in the making. It keeps thumbnails, not pictures.
type Sheet struct {
	across int
	cells  []cell
}

type cell struct {
	label  string
	thumbs []*image.NRGBA
}

// New returns an empty sheet of cells with so many pictures side by side.
func New(across int) *Sheet { return &Sheet{across: max(1, across)} }

// Add appends a cell. A nil picture is one that was not drawn.
func (s *Sheet) Add(label string, pictures ...image.Image) {
	c := cell{label: label, thumbs: make([]*image.NRGBA, s.across)}
	for i, p := range pictures[:min(len(pictures), s.across)] {
		if p != nil {
			c.thumbs[i] = thumbnail(p)
		}
	}
	s.cells = append(s.cells, c)
}

// thumbnail scales a picture to fit, over the sheet's paper.
func thumbnail(p image.Image) *image.NRGBA {
	b := p.Bounds()
	k := math.Min(float64(width-4)/float64(max(1, b.Dx())), float64(height-2)/float64(max(1, b.Dy())))
	out := image.NewNRGBA(image.Rect(0, 0, max(1, int(float64(b.Dx())*k)), max(1, int(float64(b.Dy())*k))))
	draw.Draw(out, out.Bounds(), image.NewUniform(paper), image.Point{}, draw.Src)
	draw.ApproxBiLinear.Scale(out, out.Bounds(), p, b, draw.Over, nil)
	return out
}

// Image is the sheet: a grid that is about as wide as it is high.
func (s *Sheet) Image() *image.NRGBA {
	w := width * s.across
	// cols·w : rows·(height+line) is nearest to 16 : 9.
	cols := max(1, int(math.Round(math.Sqrt(float64(len(s.cells)*(height+line)*16)/float64(9*w)))))
	cols = min(cols, max(1, len(s.cells)))
	rows := (len(s.cells) + cols - 1) / cols
	out := image.NewNRGBA(image.Rect(0, 0, cols*w, max(1, rows)*(height+line)))
	draw.Draw(out, out.Bounds(), image.NewUniform(paper), image.Point{}, draw.Src)
	for i, c := range s.cells {
		x, y := i%cols*w, i/cols*(height+line)
		for k, t := range c.thumbs {
			x := x + k*width
			if t == nil {
				draw.Draw(out, image.Rect(x+2, y+2, x+width-2, y+height), image.NewUniform(missing), image.Point{}, draw.Src)
				continue
			}
			at := image.Pt(x+(width-t.Rect.Dx())/2, y+(height-t.Rect.Dy())/2)
			draw.Draw(out, t.Rect.Add(at), t, image.Point{}, draw.Src)
		}
		label := c.label
		if most := (w - 6) / 7; len(label) > most {
			label = "~" + label[len(label)-most+1:] // names differ at their ends
		}
		d := font.Drawer{Dst: out, Src: image.NewUniform(ink), Face: basicfont.Face7x13, Dot: fixed.P(x+4, y+height+13)}
		d.DrawString(label)
	}
	return out
}
