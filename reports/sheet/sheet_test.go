package sheet

import (
	"image"
	"image/color"
	"image/draw"
	"testing"
)

func filled(w, h int, c color.Color) *image.NRGBA {
	p := image.NewNRGBA(image.Rect(0, 0, w, h))
	draw.Draw(p, p.Rect, image.NewUniform(c), image.Point{}, draw.Src)
	return p
}

func TestSheetShowsEveryPictureInItsPlace(t *testing.T) {
	red, blue := color.NRGBA{255, 0, 0, 255}, color.NRGBA{0, 0, 255, 255}
	s := New(2)
	s.Add("a", filled(1280, 720, red), filled(10, 500, blue))
	s.Add("b", filled(64, 64, red))
	p := s.Image()
	if want := image.Rect(0, 0, 2*width, 2*(height+line)); p.Rect != want {
		t.Fatalf("the sheet is %v, want %v", p.Rect, want)
	}
	for _, c := range []struct {
		x, y int
		want color.NRGBA
	}{
		{width / 2, height / 2, red}, {width + width/2, height / 2, blue}, {width + 4, height / 2, paper},
		{width / 2, height + line + height/2, red}, {width + width/2, height + line + height/2, missing},
	} {
		if got := p.NRGBAAt(c.x, c.y); got != c.want {
			t.Errorf("(%d, %d) is %v, want %v", c.x, c.y, got, c.want)
		}
	}
}

func TestEmptySheet(t *testing.T) {
	if p := New(1).Image(); p.Rect.Empty() {
		t.Error("an empty sheet has no picture")
	}
}
