package minimise

import (
	"fmt"
	"image"
)

// Wrong judges scenes against a golden. A golden is the picture of the whole
// scene, from which every smaller scene differs; what has to stay is what the
// whole scene draws where it differs from the golden: the wrong pixels.
type Wrong struct {
	whole *image.NRGBA
	mask  []int // offsets in Pix of the wrong pixels
}

// NewWrong finds the pixels of whole in which a channel differs from golden by
// more than step (0…255).
func NewWrong(golden, whole *image.NRGBA, step int) (*Wrong, error) {
	if golden.Rect.Dx() != whole.Rect.Dx() || golden.Rect.Dy() != whole.Rect.Dy() {
		return nil, fmt.Errorf("the golden is %d×%d and the picture %d×%d; draw it in the golden's size", golden.Rect.Dx(), golden.Rect.Dy(), whole.Rect.Dx(), whole.Rect.Dy())
	}
	w := &Wrong{whole: whole}
	for y := range whole.Rect.Dy() {
		for x := range whole.Rect.Dx() {
			a, b := golden.PixOffset(golden.Rect.Min.X+x, golden.Rect.Min.Y+y), whole.PixOffset(whole.Rect.Min.X+x, whole.Rect.Min.Y+y)
			for c := range 3 {
				if distance(golden.Pix[a+c], whole.Pix[b+c]) > step {
					w.mask = append(w.mask, b)
					break
				}
			}
		}
	}
	return w, nil
}

// Pixels is how many pixels are wrong.
func (w *Wrong) Pixels() int { return len(w.mask) }

// Stays reports whether a smaller scene's picture, of the whole one's size, has
// the wrong pixels as they were: their mean absolute difference is at most limit.
func (w *Wrong) Stays(picture *image.NRGBA, limit float64) bool {
	if len(w.mask) == 0 || picture.Rect.Size() != w.whole.Rect.Size() || picture.Stride != w.whole.Stride {
		return false
	}
	sum := 0
	for _, i := range w.mask {
		for c := range 3 {
			sum += distance(picture.Pix[i+c], w.whole.Pix[i+c])
		}
	}
	return float64(sum) <= limit*float64(3*len(w.mask))
}

func distance(a, b uint8) int {
	if a < b {
		a, b = b, a
	}
	return int(a - b)
}
