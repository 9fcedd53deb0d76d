package metrics

import (
	"bytes"
	"fmt"
	"image"
	"math"
	"runtime"
	"sync"
	"sync/atomic"

	"darkroom/goldens/picture"
)

// DefaultPPD is the pixels per degree of visual angle that FLIP assumes: a 0.7 m wide display of 3840 pixels seen from 0.7 m
// (3840·π/180 = 67.02).
const DefaultPPD = 3840 * math.Pi / 180

// FLIPMap holds the LDR-FLIP error of every pixel, 0…1, row by row.
type FLIPMap struct {
	Width, Height int
	Error         []float32
	Mean          float64
	Max           float64
}

// Constants of Andersson et al., "FLIP: A Difference Evaluator for Alternating Images", HPG 2020 (doi 10.1145/3406183), sections 4.1 to 4.3.
const (
	flipQc = 0.7   // exponent of the colour difference
	flipPc = 0.4   // share of the largest difference that is mapped below
	flipPt = 0.95  // this error
	flipW  = 0.082 // width of the feature detector, degrees
	flipQf = 0.5   // exponent of the feature difference
)

// The contrast sensitivity functions are sums of Gaussians a·sqrt(π/b)·exp(-π²x²/b) over x in degrees, Table 1.
type sensitivity []struct{ a, b float64 }

var (
	flipY  = sensitivity{{1, 0.0047}}
	flipCx = sensitivity{{1, 0.0053}}
	flipCz = sensitivity{{34.1, 0.04}, {13.5, 0.025}}
)

// sRGB primaries with the D65 white point as exact fractions, and the inverse.
var (
	rgbToXYZ = [9]float64{
		10135552. / 24577794, 8788810. / 24577794, 4435075. / 24577794,
		2613072. / 12288897, 8788810. / 12288897, 887015. / 12288897,
		1425312. / 73733382, 8788810. / 73733382, 70074185. / 73733382,
	}
	xyzToRGB = [9]float64{
		3.241003275, -1.537398934, -0.498615861,
		-0.969224334, 1.875930071, 0.041554224,
		0.055639423, -0.204011202, 1.057148933,
	}
)

// FLIP computes LDR-FLIP of two pictures of one size whose samples are sRGB-encoded; alpha is not looked at. ppd is the pixels per degree, 0
// for DefaultPPD. The filters are separable: a two-dimensional Gaussian is the product of two of one dimension, and the blue-yellow
// sensitivity is the sum of two such products.
//
// The error is 0 wherever no difference is within reach of the filters, so only the surroundings of what differs are computed.
func FLIP(golden, actual image.Image, ppd float64) (*FLIPMap, error) {
	if ppd == 0 {
		ppd = DefaultPPD
	}
	if !(ppd >= 1 && ppd <= 1000) {
		return nil, fmt.Errorf("flip: %v pixels per degree is out of range 1…1000", ppd)
	}
	box, w, h, err := differing(golden, actual)
	if err != nil {
		return nil, fmt.Errorf("flip: %w", err)
	}
	if box.Empty() {
		return &FLIPMap{Width: w, Height: h, Error: make([]float32, w*h)}, nil
	}
	// A pixel is reached within one radius of a difference, and its own sums look one radius further.
	reach := 2 * (max(sensitivityRadius(ppd), featureRadius(ppd)) + 1)
	box = box.Inset(-reach).Intersect(image.Rect(0, 0, w, h))
	part, err := flipWhole(window(golden, box), window(actual, box), ppd)
	if err != nil || box == image.Rect(0, 0, w, h) {
		return part, err
	}
	out := &FLIPMap{Width: w, Height: h, Error: make([]float32, w*h), Max: part.Max}
	for y := range part.Height {
		copy(out.Error[(box.Min.Y+y)*w+box.Min.X:], part.Error[y*part.Width:(y+1)*part.Width])
	}
	out.Mean = part.Mean * float64(part.Width*part.Height) / float64(w*h)
	return out, nil
}

// window is a part of a picture, box counting from its top left pixel.
func window(m image.Image, box image.Rectangle) image.Image {
	return m.(interface {
		SubImage(image.Rectangle) image.Image
	}).SubImage(box.Add(m.Bounds().Min))
}

// differing is the bounding box of all pixels that are not equal.
func differing(golden, actual image.Image) (box image.Rectangle, w, h int, err error) {
	g, w, h, gp, err := picture.Rows(golden)
	if err != nil {
		return box, w, h, fmt.Errorf("golden: %w", err)
	}
	a, aw, ah, ap, err := picture.Rows(actual)
	if err != nil {
		return box, w, h, fmt.Errorf("actual: %w", err)
	}
	if w != aw || h != ah || w == 0 || h == 0 {
		return box, w, h, fmt.Errorf("%w: golden is %d×%d, picture is %d×%d", ErrSize, w, h, aw, ah)
	}
	if gp != ap {
		return image.Rect(0, 0, w, h), w, h, nil
	}
	for y := range h {
		gr, ar := g(y), a(y)
		if bytes.Equal(gr, ar) {
			continue
		}
		i, j := 0, len(gr)-1
		for gr[i] == ar[i] {
			i++
		}
		for gr[j] == ar[j] {
			j--
		}
		box = box.Union(image.Rect(i/gp, y, j/gp+1, y+1))
	}
	return box, w, h, nil
}

// sensitivityRadius is three standard deviations of the widest Gaussian of the sensitivity functions, b = 2π²σ².
func sensitivityRadius(ppd float64) int {
	return int(math.Ceil(3 * math.Sqrt(0.04/(2*math.Pi*math.Pi)) * ppd))
}

// featureRadius is three standard deviations of the feature detector, whose width is two of them.
func featureRadius(ppd float64) int { return int(math.Ceil(3 * 0.5 * flipW * ppd)) }

func flipWhole(golden, actual image.Image, ppd float64) (*FLIPMap, error) {
	g, w, h, err := opponent(golden)
	if err != nil {
		return nil, fmt.Errorf("flip: golden: %w", err)
	}
	a, _, _, err := opponent(actual)
	if err != nil {
		return nil, fmt.Errorf("flip: actual: %w", err)
	}

	out := &FLIPMap{Width: w, Height: h, Error: make([]float32, w*h)}
	feature(g[0], a[0], w, h, ppd, out.Error)

	radius := sensitivityRadius(ppd)
	for c, s := range []sensitivity{flipY, flipCx, flipCz} {
		g[c], a[c] = s.filter(g[c], w, h, radius, ppd), s.filter(a[c], w, h, radius, ppd)
	}

	cmax := math.Pow(hyab(huntLab(0, 1, 0), huntLab(0, 0, 1)), flipQc)
	knee := flipPc * cmax
	rows(h, func(y int) {
		for i := y * w; i < y*w+w; i++ {
			d := math.Pow(hyab(filteredLab(g, i), filteredLab(a, i)), flipQc)
			if d < knee {
				d *= flipPt / knee
			} else {
				d = flipPt + (d-knee)/(cmax-knee)*(1-flipPt)
			}
			out.Error[i] = float32(math.Pow(d, 1-float64(out.Error[i])))
		}
	})
	var sum float64
	for _, e := range out.Error {
		sum += float64(e)
		out.Max = max(out.Max, float64(e))
	}
	out.Mean = sum / float64(w*h)
	return out, nil
}

// opponent converts a picture to the linear opponent space YCxCz, one plane each.
func opponent(m image.Image) ([3][]float32, int, int, error) {
	row, w, h, pixel, err := picture.Rows(m)
	if err != nil {
		return [3][]float32{}, 0, 0, err
	}
	var p [3][]float32
	for c := range p {
		p[c] = make([]float32, w*h)
	}
	var lut [256]float64
	for v := range lut {
		lut[v] = decodeSRGB(float64(v) / 255)
	}
	white := [3]float64{}
	for k := range white {
		white[k] = rgbToXYZ[3*k] + rgbToXYZ[3*k+1] + rgbToXYZ[3*k+2]
	}
	rows(h, func(y int) {
		r := row(y)
		for x := range w {
			var c [3]float64
			for k := range 3 {
				if pixel == 4 {
					c[k] = lut[r[4*x+k]]
				} else {
					c[k] = decodeSRGB(float64(uint16(r[8*x+2*k])<<8|uint16(r[8*x+2*k+1])) / 65535)
				}
			}
			var xyz [3]float64
			for k := range 3 {
				xyz[k] = (rgbToXYZ[3*k]*c[0] + rgbToXYZ[3*k+1]*c[1] + rgbToXYZ[3*k+2]*c[2]) / white[k]
			}
			i := y*w + x
			p[0][i] = float32(116*xyz[1] - 16)
			p[1][i] = float32(500 * (xyz[0] - xyz[1]))
			p[2][i] = float32(200 * (xyz[1] - xyz[2]))
		}
	})
	return p, w, h, nil
}

// decodeSRGB is IEC 61966-2-1.
func decodeSRGB(v float64) float64 {
	if v <= 0.04045 {
		return v / 12.92
	}
	return math.Pow((v+0.055)/1.055, 2.4)
}

func encodeSRGB(v float64) float64 {
	if v <= 0.0031308 {
		return v * 12.92
	}
	return 1.055*math.Pow(v, 1/2.4) - 0.055
}

// filter blurs a plane with the sensitivity function, weights summing to 1 over the square of the radius, border pixels repeated.
func (s sensitivity) filter(p []float32, w, h, radius int, ppd float64) []float32 {
	var out []float32
	kernels := make([][]float32, len(s))
	weights := make([]float64, len(s))
	var total float64
	for k, f := range s {
		kernel := make([]float64, 2*radius+1)
		var sum float64
		for i := range kernel {
			x := float64(i-radius) / ppd
			kernel[i] = math.Exp(-math.Pi * math.Pi * x * x / f.b)
			sum += kernel[i]
		}
		// Taps that round to nothing in the sum are cut off.
		r := radius
		for r > 0 && kernel[radius-r] < 1e-9*sum {
			r--
		}
		kernels[k] = make([]float32, 2*r+1)
		for i := range kernels[k] {
			kernels[k][i] = float32(kernel[radius-r+i] / sum)
		}
		weights[k] = f.a * math.Sqrt(math.Pi/f.b) * sum * sum
		total += weights[k]
	}
	for k := range s {
		f := convolve(convolve(p, w, h, kernels[k], true), w, h, kernels[k], false)
		scale := float32(weights[k] / total)
		if out == nil {
			out = make([]float32, len(p))
		}
		for i, v := range f {
			out[i] += scale * v
		}
	}
	return out
}

// convolve correlates a plane with a kernel of odd length along rows or along columns, repeating the border.
func convolve(p []float32, w, h int, kernel []float32, alongRows bool) []float32 {
	out := make([]float32, len(p))
	r := len(kernel) / 2
	if alongRows {
		rows(h, func(y int) {
			src, dst := p[y*w:y*w+w], out[y*w:y*w+w]
			padded := make([]float32, w+2*r)
			for i := range padded {
				padded[i] = src[min(w-1, max(0, i-r))]
			}
			for k, f := range kernel {
				for x, v := range padded[k : k+w] {
					dst[x] += f * v
				}
			}
		})
		return out
	}
	rows(h, func(y int) {
		dst := out[y*w : y*w+w]
		for k, f := range kernel {
			yy := min(h-1, max(0, y+k-r))
			for x, v := range p[yy*w : yy*w+w] {
				dst[x] += f * v
			}
		}
	})
	return out
}

// feature writes the feature difference of every pixel, 0…1: how edges and points of the achromatic channel differ (section 4.2).
func feature(g, a []float32, w, h int, ppd float64, out []float32) {
	sigma := 0.5 * flipW * ppd
	r := featureRadius(ppd)
	smooth, edge, point := make([]float64, 2*r+1), make([]float64, 2*r+1), make([]float64, 2*r+1)
	for i := range smooth {
		x := float64(i - r)
		smooth[i] = math.Exp(-x * x / (2 * sigma * sigma))
		edge[i] = -x * smooth[i]
		point[i] = (x*x/(sigma*sigma) - 1) * smooth[i]
	}
	// Weights above 0 sum to 1 and those below to -1, so that both detectors answer with at most 1.
	ks, ke, kp := balanced(smooth), balanced(edge), balanced(point)
	magnitude := func(p []float32) (edges, points []float32) {
		gray := make([]float32, len(p))
		for i, v := range p {
			gray[i] = (v + 16) / 116
		}
		norm := func(k []float32) []float32 {
			x := convolve(convolve(gray, w, h, k, true), w, h, ks, false)
			y := convolve(convolve(gray, w, h, ks, true), w, h, k, false)
			for i := range x {
				x[i] = float32(math.Sqrt(float64(x[i])*float64(x[i]) + float64(y[i])*float64(y[i])))
			}
			return x
		}
		return norm(ke), norm(kp)
	}
	ge, gp := magnitude(g)
	ae, ap := magnitude(a)
	for i := range out {
		d := max(math.Abs(float64(ge[i]-ae[i])), math.Abs(float64(gp[i]-ap[i])))
		out[i] = float32(math.Pow(d/math.Sqrt2, flipQf))
	}
}

func balanced(k []float64) []float32 {
	var pos, neg float64
	for _, v := range k {
		if v > 0 {
			pos += v
		} else {
			neg -= v
		}
	}
	out := make([]float32, len(k))
	for i, v := range k {
		if v > 0 {
			out[i] = float32(v / pos)
		} else if neg > 0 {
			out[i] = float32(v / neg)
		}
	}
	return out
}

// filteredLab takes pixel i of filtered YCxCz planes through linear RGB, clamped to what a display shows, to Hunt-adjusted CIELAB.
func filteredLab(p [3][]float32, i int) [3]float64 {
	y := (float64(p[0][i]) + 16) / 116
	x := y + float64(p[1][i])/500
	z := y - float64(p[2][i])/200
	x *= rgbToXYZ[0] + rgbToXYZ[1] + rgbToXYZ[2]
	y *= rgbToXYZ[3] + rgbToXYZ[4] + rgbToXYZ[5]
	z *= rgbToXYZ[6] + rgbToXYZ[7] + rgbToXYZ[8]
	var c [3]float64
	for k := range 3 {
		c[k] = min(1, max(0, xyzToRGB[3*k]*x+xyzToRGB[3*k+1]*y+xyzToRGB[3*k+2]*z))
	}
	return huntLab(c[0], c[1], c[2])
}

// huntLab is CIELAB with D65 of a linear colour, chroma scaled with luminance after Hunt (section 4.1.2).
func huntLab(r, g, b float64) [3]float64 {
	var f [3]float64
	for k := range 3 {
		m := rgbToXYZ[3*k : 3*k+3]
		v := (m[0]*r + m[1]*g + m[2]*b) / (m[0] + m[1] + m[2])
		const delta = 6. / 29
		if v > delta*delta*delta {
			f[k] = math.Cbrt(v)
		} else {
			f[k] = v/(3*delta*delta) + 4./29
		}
	}
	l := 116*f[1] - 16
	return [3]float64{l, 0.01 * l * 500 * (f[0] - f[1]), 0.01 * l * 200 * (f[1] - f[2])}
}

// hyab is the distance of large colour differences: city block in lightness, Euclidean in chroma.
func hyab(p, q [3]float64) float64 {
	return math.Abs(p[0]-q[0]) + math.Hypot(p[1]-q[1], p[2]-q[2])
}

// rows calls f for every row, on all cores when there are enough.
func rows(h int, f func(y int)) {
	n := min(runtime.GOMAXPROCS(0), h/32)
	if n <= 1 {
		for y := range h {
			f(y)
		}
		return
	}
	var next atomic.Int64
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			for {
				y0 := int(next.Add(16)) - 16
				if y0 >= h {
					return
				}
				for y := y0; y < min(h, y0+16); y++ {
					f(y)
				}
			}
		})
	}
	wg.Wait()
}
