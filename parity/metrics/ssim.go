package metrics

import (
	"fmt"
	"image"
	"math"

	"darkroom/goldens/picture"
)

// SSIM is the mean structural similarity of the luma (0.299 R + 0.587 G + 0.114 B, samples as stored) of two pictures, 1 for equal ones: Wang,
// Bovik, Sheikh and Simoncelli 2004, with their 11×11 Gaussian window of σ 1.5, K1 0.01, K2 0.03 and the range 255. Windows that do not fit in
// the picture are left out; a picture smaller than one window is an error. It is advice only: it says little about colour and nothing of alpha.
func SSIM(golden, actual image.Image) (float64, error) {
	g, w, h, err := luma(golden)
	if err != nil {
		return math.NaN(), fmt.Errorf("ssim: golden: %w", err)
	}
	a, aw, ah, err := luma(actual)
	if err != nil {
		return math.NaN(), fmt.Errorf("ssim: actual: %w", err)
	}
	if w != aw || h != ah {
		return math.NaN(), fmt.Errorf("ssim: %w: golden is %d×%d, picture is %d×%d", ErrSize, w, h, aw, ah)
	}
	const r = 5
	if w <= 2*r || h <= 2*r {
		return math.NaN(), fmt.Errorf("ssim: a picture of %d×%d is smaller than the 11×11 window", w, h)
	}
	kernel := make([]float32, 2*r+1)
	var sum float32
	for i := range kernel {
		x := float64(i - r)
		kernel[i] = float32(math.Exp(-x * x / (2 * 1.5 * 1.5)))
		sum += kernel[i]
	}
	for i := range kernel {
		kernel[i] /= sum
	}
	blur := func(p, q []float32) []float32 {
		t := make([]float32, len(p))
		for i := range p {
			t[i] = p[i] * q[i]
		}
		return convolve(convolve(t, w, h, kernel, true), w, h, kernel, false)
	}
	one := make([]float32, w*h)
	for i := range one {
		one[i] = 1
	}
	mg, ma, gg, aa, ga := blur(g, one), blur(a, one), blur(g, g), blur(a, a), blur(g, a)
	const c1, c2 = 0.01 * 0.01 * 255 * 255, 0.03 * 0.03 * 255 * 255
	var total float64
	for y := r; y < h-r; y++ {
		for i := y*w + r; i < y*w+w-r; i++ {
			p, q := float64(mg[i]), float64(ma[i])
			total += (2*p*q + c1) * (2*(float64(ga[i])-p*q) + c2) /
				((p*p + q*q + c1) * (float64(gg[i]) - p*p + float64(aa[i]) - q*q + c2))
		}
	}
	return total / float64((w-2*r)*(h-2*r)), nil
}

// luma is the plane 0.299 R + 0.587 G + 0.114 B on the scale 0…255.
func luma(m image.Image) ([]float32, int, int, error) {
	row, w, h, pixel, err := picture.Rows(m)
	if err != nil {
		return nil, 0, 0, err
	}
	out := make([]float32, w*h)
	for y := range h {
		r := row(y)
		for x := range w {
			if pixel == 4 {
				out[y*w+x] = 0.299*float32(r[4*x]) + 0.587*float32(r[4*x+1]) + 0.114*float32(r[4*x+2])
				continue
			}
			v := func(c int) float32 { return float32(uint16(r[8*x+c])<<8|uint16(r[8*x+c+1])) / 257 }
			out[y*w+x] = 0.299*v(0) + 0.587*v(2) + 0.114*v(4)
		}
	}
	return out, w, h, nil
}
