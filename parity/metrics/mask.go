package metrics

import (
	"image"
	"image/color"
)

// Mask returns actual with the golden's pixels wherever the golden shows
// background: within RegionDistance of the colour that the region MAD leaves
// out. Sizes must be equal; otherwise actual comes back as it is and Measure
// reports the sizes.
func Mask(golden image.Image, actual *image.NRGBA) *image.NRGBA {
	if golden.Bounds().Size() != actual.Rect.Size() {
		return actual
	}
	out := &image.NRGBA{Pix: append([]byte(nil), actual.Pix...), Stride: actual.Stride, Rect: actual.Rect}
	from := golden.Bounds().Min
	for y := range out.Rect.Dy() {
		for x := range out.Rect.Dx() {
			c := color.NRGBAModel.Convert(golden.At(from.X+x, from.Y+y)).(color.NRGBA)
			d := func(a, b uint8) int { return (int(a) - int(b)) * (int(a) - int(b)) }
			if d(c.R, defaultBackground.R)+d(c.G, defaultBackground.G)+d(c.B, defaultBackground.B) <= RegionDistance*RegionDistance {
				out.SetNRGBA(out.Rect.Min.X+x, out.Rect.Min.Y+y, c)
			}
		}
	}
	return out
}
