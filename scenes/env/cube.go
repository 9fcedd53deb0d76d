package env

import (
	"math"
	"math/bits"

	"darkroom/material/texel"
)

// Cube is a cube map in linear light, as the GPU takes it (rgba16float).
type Cube struct {
	// Size is the edge of a face of level 0 in texels.
	Size int
	// Levels holds, per mip level, the faces +X -X +Y -Y +Z -Z one after
	// another, 8 bytes a texel, rows tight. A face's first row and column are those
	// of WebGPU's cube maps, seen from inside.
	Levels [][]byte
}

// face is a side of the cube: what a texel at (s, t) of -1…1, to the right and
// down, looks at is normal + s·right + t·down.
type face struct{ normal, right, down [3]float64 }

var faces = [6]face{
	{[3]float64{1, 0, 0}, [3]float64{0, 0, -1}, [3]float64{0, -1, 0}},
	{[3]float64{-1, 0, 0}, [3]float64{0, 0, 1}, [3]float64{0, -1, 0}},
	{[3]float64{0, 1, 0}, [3]float64{1, 0, 0}, [3]float64{0, 0, 1}},
	{[3]float64{0, -1, 0}, [3]float64{1, 0, 0}, [3]float64{0, 0, -1}},
	{[3]float64{0, 0, 1}, [3]float64{1, 0, 0}, [3]float64{0, -1, 0}},
	{[3]float64{0, 0, -1}, [3]float64{-1, 0, 0}, [3]float64{0, -1, 0}},
}

// at is the direction of (s, t), not normalised.
func (f *face) at(s, t float64) (d [3]float64) {
	for i := range d {
		d[i] = f.normal[i] + s*f.right[i] + t*f.down[i]
	}
	return d
}

// locate is the face that a direction meets, and where: the inverse of at.
func locate(d [3]float64) (side int, s, t float64) {
	x, y, z := d[0], d[1], d[2]
	ax, ay, az := math.Abs(x), math.Abs(y), math.Abs(z)
	switch {
	case ax >= ay && ax >= az:
		if ax == 0 {
			return 0, 0, 0
		}
		if x > 0 {
			return 0, -z / ax, -y / ax
		}
		return 1, z / ax, -y / ax
	case ay >= az:
		if y > 0 {
			return 2, x / ay, z / ay
		}
		return 3, x / ay, -z / ay
	case z > 0:
		return 4, x / az, -y / az
	}
	return 5, -x / az, -y / az
}

// unit is d made one long; the zero vector stays.
func unit(d [3]float64) [3]float64 {
	l := math.Sqrt(d[0]*d[0] + d[1]*d[1] + d[2]*d[2])
	if l == 0 {
		return d
	}
	return [3]float64{d[0] / l, d[1] / l, d[2] / l}
}

// mipLevels is how many levels a full chain has.
func mipLevels(size int) int { return bits.Len(uint(size)) }

// bordered is a level in floats, each face with a border of one texel taken
// from its neighbours, so that filtering goes across the edges.
type bordered struct {
	size int
	pix  []float32 // 3 a texel, 6 faces of (size+2)²
}

func newBordered(size int) *bordered {
	return &bordered{size: size, pix: make([]float32, 6*(size+2)*(size+2)*3)}
}

// texel is the pixel (x, y) of a side; -1 and size are the border.
func (b *bordered) texel(side, x, y int) []float32 {
	n := b.size + 2
	return b.pix[((side*n+y+1)*n+x+1)*3:][:3]
}

// seal fills the border.
func (b *bordered) seal() {
	n := float64(b.size)
	for side := range faces {
		for i := -1; i <= b.size; i++ {
			for _, p := range [4][2]int{{i, -1}, {i, b.size}, {-1, i}, {b.size, i}} {
				d := faces[side].at((float64(p[0])+0.5)/n*2-1, (float64(p[1])+0.5)/n*2-1)
				other, s, t := locate(d)
				x, y := int((s+1)/2*n), int((t+1)/2*n)
				copy(b.texel(side, p[0], p[1]), b.texel(other, min(max(x, 0), b.size-1), min(max(y, 0), b.size-1)))
			}
		}
	}
}

// half makes the next level by averaging two by two.
func (b *bordered) half() *bordered {
	out := newBordered(max(1, b.size/2))
	for side := range faces {
		for y := range out.size {
			for x := range out.size {
				o := out.texel(side, x, y)
				for c := range 3 {
					o[c] = (b.texel(side, 2*x, 2*y)[c] + b.texel(side, 2*x+1, 2*y)[c] + b.texel(side, 2*x, 2*y+1)[c] + b.texel(side, 2*x+1, 2*y+1)[c]) / 4
				}
			}
		}
	}
	out.seal()
	return out
}

// sample filters bilinearly.
func (b *bordered) sample(d [3]float64) [3]float64 {
	side, s, t := locate(d)
	n := float64(b.size)
	// A texel to the right and down, so that truncation rounds down.
	u, v := (s+1)/2*n+0.5, (t+1)/2*n+0.5
	x, y := min(max(int(u), 0), b.size), min(max(int(v), 0), b.size)
	fu, fv := float32(u)-float32(x), float32(v)-float32(y)
	row := (b.size + 2) * 3
	i := (side*(b.size+2)+y)*row + x*3
	p, q := b.pix[i:i+6], b.pix[i+row:i+row+6]
	w00, w10, w01, w11 := (1-fu)*(1-fv), fu*(1-fv), (1-fu)*fv, fu*fv
	return [3]float64{
		float64(p[0]*w00 + p[3]*w10 + q[0]*w01 + q[3]*w11),
		float64(p[1]*w00 + p[4]*w10 + q[1]*w01 + q[4]*w11),
		float64(p[2]*w00 + p[5]*w10 + q[2]*w01 + q[5]*w11),
	}
}

// level decodes a level of the cube.
func (c *Cube) level(mip int) *bordered {
	b := newBordered(max(1, c.Size>>mip))
	src := c.Levels[mip]
	for side := range faces {
		for y := range b.size {
			for x := range b.size {
				o := b.texel(side, x, y)
				for i := range o {
					o[i] = texel.FromHalf(uint16(src[i*2]) | uint16(src[i*2+1])<<8)
				}
				src = src[8:]
			}
		}
	}
	b.seal()
	return b
}

// bytes is the level as rgba16float.
func (b *bordered) bytes() []byte {
	out := make([]byte, 0, 6*b.size*b.size*8)
	var rgba [8]byte
	for side := range faces {
		for y := range b.size {
			for x := range b.size {
				p := b.texel(side, x, y)
				texel.PutHalf(rgba[:], p[0], p[1], p[2], 1)
				out = append(out, rgba[:]...)
			}
		}
	}
	return out
}
