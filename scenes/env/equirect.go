package env

import (
	"fmt"
	"math"

	"darkroom/scenes/picture"
)

// Equirect is a panorama: longitude across, latitude down. The middle column
// looks along +Z, the column a quarter to its right along +X, the first row
// up; as Babylon.js's HDRCubeTexture hangs it.
type Equirect struct {
	Width, Height int
	Pix           []float32 // linear RGBA
}

// NewEquirect makes a panorama of a picture. The colours of an 8-bit picture are
// taken to be gamma 2.2.
func NewEquirect(p *picture.Picture) (*Equirect, error) {
	if p.Width < 2 || p.Height < 2 {
		return nil, fmt.Errorf("a panorama of %dx%d pixels is too small", p.Width, p.Height)
	}
	e := &Equirect{Width: p.Width, Height: p.Height, Pix: p.Float}
	if p.Float == nil {
		var linear [256]float32
		for i := range linear {
			linear[i] = float32(math.Pow(float64(i)/255, 2.2))
		}
		e.Pix = make([]float32, len(p.Pix))
		for i, v := range p.Pix {
			e.Pix[i] = linear[v]
		}
	}
	return e, nil
}

// SH integrates the panorama into nine irradiance coefficients, scaled for the
// shader (material.Environment.SH). Colours brighter than 4096 are scaled down
// and keep their hue.
func (e *Equirect) SH() [9][3]float64 {
	var total sum
	for y := range e.Height {
		phi := (float64(y) + 0.5) / float64(e.Height) * math.Pi
		sin, cos := math.Sincos(phi)
		angle := sin * math.Pi / float64(e.Height) * 2 * math.Pi / float64(e.Width)
		for x := range e.Width {
			ts, tc := math.Sincos((2*(float64(x)+0.5)/float64(e.Width) - 1) * math.Pi)
			var colour [3]float64
			for i, v := range e.Pix[(y*e.Width+x)*4:][:3] {
				if v > 0 {
					colour[i] = math.Min(float64(v), math.MaxFloat32)
				}
			}
			if top := math.Max(colour[0], math.Max(colour[1], colour[2])); top > maxRadiance {
				for i := range colour {
					colour[i] *= maxRadiance / top
				}
			}
			total.add([3]float64{sin * ts, cos, sin * tc}, colour, angle)
		}
	}
	return total.scaled()
}

// Cube projects the panorama onto a cube of one level. It does what Babylon.js
// does (PanoramaToCubeMapTools): the pixel nearest to the texel's corner, or
// with supersample the mean of as many of them as a quarter of the panorama's
// width has for each texel.
func (e *Equirect) Cube(size int, supersample bool) *Cube {
	return &Cube{Size: size, Levels: [][]byte{e.project(size, supersample).bytes()}}
}

func (e *Equirect) project(size int, supersample bool) *bordered {
	b := newBordered(size)
	samples := 1
	if supersample {
		samples = max(1, int(math.Floor(float64(e.Width)/4/float64(size)+0.5)))
	}
	n := float64(size * samples)
	for side := range faces {
		for y := range size * samples {
			for x := range size * samples {
				d := faces[side].at(float64(x)/n*2-1, float64(y)/n*2-1)
				p := e.nearest(unit(d))
				o := b.texel(side, x/samples, y/samples)
				for c := range o {
					o[c] += p[c] / float32(samples*samples)
				}
			}
		}
	}
	b.seal()
	return b
}

// nearest is the pixel that a unit direction meets. The rounding is that of
// the reference engine, which counts rows from the bottom.
func (e *Equirect) nearest(d [3]float64) []float32 {
	u := math.Atan2(d[0], d[2])/(2*math.Pi) + 0.5
	v := math.Acos(math.Max(-1, math.Min(1, -d[1]))) / math.Pi
	x := min(max(int(math.Floor(u*float64(e.Width)+0.5)), 0), e.Width-1)
	y := min(max(int(math.Floor(v*float64(e.Height)+0.5)), 0), e.Height-1)
	return e.Pix[((e.Height-1-y)*e.Width+x)*4:]
}
