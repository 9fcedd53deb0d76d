package reports

import (
	"bytes"
	"image"
	"image/jpeg"
	"math"
	"runtime"

	"darkroom/goldens/picture"
	"darkroom/goldens/png"
)

// thumbWidth and thumbHeight bound a thumbnail, pixels.
const thumbWidth, thumbHeight = 240, 160

// thumbnail holds the files of the small pictures of one result, nil where there is none.
type thumbnail struct {
	picture    []byte // JPEG
	difference []byte // PNG
}

func workers() int { return max(1, runtime.GOMAXPROCS(0)) }

// eightBits is a picture with its 16-bit samples rounded down to 8: good enough to look at.
func eightBits(m image.Image) *image.NRGBA {
	switch m := m.(type) {
	case *image.NRGBA:
		return m
	case *image.NRGBA64:
		out := image.NewNRGBA(m.Rect)
		for i := range out.Pix {
			out.Pix[i] = m.Pix[2*i]
		}
		return out
	}
	return nil
}

// boxes is the size of the thumbnail of a picture, and calls f with each of its pixels and the box of pixels of the original that it stands for.
func boxes(b image.Rectangle, f func(x, y int, box image.Rectangle)) (w, h int) {
	w, h = b.Dx(), b.Dy()
	if w > thumbWidth {
		w, h = thumbWidth, max(1, h*thumbWidth/w)
	}
	if h > thumbHeight {
		w, h = max(1, w*thumbHeight/h), thumbHeight
	}
	for y := range h {
		for x := range w {
			if f != nil {
				f(x, y, image.Rect(x*b.Dx()/w, y*b.Dy()/h, max((x+1)*b.Dx()/w, x*b.Dx()/w+1), max((y+1)*b.Dy()/h, y*b.Dy()/h+1)))
			}
		}
	}
	return w, h
}

// shrink averages boxes of pixels over a mid-gray ground where the picture is transparent. It averages encoded samples, which darkens fine detail a
// little and is what browsers do.
func shrink(m *image.NRGBA) *image.NRGBA {
	w, h := boxes(m.Rect, nil)
	out := image.NewNRGBA(image.Rect(0, 0, w, h))
	const ground = 128
	boxes(m.Rect, func(x, y int, box image.Rectangle) {
		var sum [3]int
		for j := box.Min.Y; j < box.Max.Y; j++ {
			row := m.Pix[j*m.Stride+4*box.Min.X : j*m.Stride+4*box.Max.X]
			for i := 0; i+4 <= len(row); i += 4 {
				a := int(row[i+3])
				for c := range sum {
					sum[c] += (int(row[i+c])*a + ground*(255-a)) / 255
				}
			}
		}
		n := box.Dx() * box.Dy()
		o := out.Pix[out.PixOffset(x, y):]
		o[0], o[1], o[2], o[3] = uint8(sum[0]/n), uint8(sum[1]/n), uint8(sum[2]/n), 255
	})
	return out
}

func encodeThumb(m *image.NRGBA) []byte {
	var b bytes.Buffer
	if err := jpeg.Encode(&b, m, &jpeg.Options{Quality: 80}); err != nil {
		return nil
	}
	return b.Bytes()
}

// encodeHot is the thumbnail of the difference of two pictures. Each of its pixels shows the greatest difference in its box and in the eight around
// it, and not the mean, so that a single pixel of a large picture can be seen, even when the page shows the thumbnail smaller. Nil where the sizes
// differ.
func encodeHot(golden, actual *image.NRGBA) []byte {
	if golden.Rect.Size() != actual.Rect.Size() {
		return nil
	}
	colours := picture.HeatColours()
	w, h := boxes(actual.Rect, nil)
	worsts := make([]int, w*h)
	boxes(actual.Rect, func(x, y int, box image.Rectangle) {
		worst := 0
		for j := box.Min.Y; j < box.Max.Y; j++ {
			g := golden.Pix[j*golden.Stride+4*box.Min.X : j*golden.Stride+4*box.Max.X]
			a := actual.Pix[j*actual.Stride+4*box.Min.X : j*actual.Stride+4*box.Max.X]
			if bytes.Equal(g, a) {
				continue
			}
			for i := range g {
				worst = max(worst, int(g[i])-int(a[i]), int(a[i])-int(g[i]))
			}
		}
		worsts[y*w+x] = worst
	})
	out := image.NewNRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			worst := 0
			for j := max(0, y-1); j <= min(h-1, y+1); j++ {
				for i := max(0, x-1); i <= min(w-1, x+1); i++ {
					worst = max(worst, worsts[j*w+i])
				}
			}
			// The same scale as metrics.Heat.
			out.SetNRGBA(x, y, colours[int(math.Round(255*math.Sqrt(float64(worst)/255)))])
		}
	}
	var b bytes.Buffer
	if err := png.Encode(&b, out, png.Options{}); err != nil {
		return nil
	}
	return b.Bytes()
}
