package env

import "math"

// maxRadiance is what a texel counts for at most: three bands of harmonics
// cannot hold a sun (Babylon.js, MAX_HDRI_VALUE).
const maxRadiance = 4096

// basis holds the absolute normalisation constants of the real spherical
// harmonics of bands 0 to 2 in the order 1, y, z, x, xy, yz, 3z²-1, xz, x²-y²
// (Ramamoorthi and Hanrahan 2001). The signs of the odd ones cancel.
var basis = [9]float64{
	math.Sqrt(1 / (4 * math.Pi)),
	math.Sqrt(3 / (4 * math.Pi)), math.Sqrt(3 / (4 * math.Pi)), math.Sqrt(3 / (4 * math.Pi)),
	math.Sqrt(15 / (4 * math.Pi)), math.Sqrt(15 / (4 * math.Pi)), math.Sqrt(5 / (16 * math.Pi)), math.Sqrt(15 / (4 * math.Pi)), math.Sqrt(15 / (16 * math.Pi)),
}

// lambert is the convolution with a clamped cosine over π, by coefficient.
var lambert = [9]float64{1, 2. / 3, 2. / 3, 2. / 3, 1. / 4, 1. / 4, 1. / 4, 1. / 4, 1. / 4}

// sum gathers radiance into harmonics.
type sum struct {
	sh    [9][3]float64
	angle float64
}

// add counts a colour from the unit direction d over a solid angle.
func (s *sum) add(d, colour [3]float64, angle float64) {
	x, y, z := d[0], d[1], d[2]
	f := [9]float64{1, y, z, x, x * y, y * z, 3*z*z - 1, x * z, x*x - y*y}
	for i, v := range f {
		w := v * basis[i] * angle
		for c := range 3 {
			s.sh[i][c] += colour[c] * w
		}
	}
	s.angle += angle
}

// scaled is the outgoing radiance of a white Lambertian surface, with the
// constants of the basis multiplied in once more, as the shader's sum wants it.
// The solid angles are made to add up to the sphere.
func (s *sum) scaled() (sh [9][3]float64) {
	k := 4 * math.Pi / s.angle
	for i := range sh {
		for c := range 3 {
			sh[i][c] = s.sh[i][c] * k * lambert[i] * basis[i]
		}
	}
	return sh
}

// SH integrates level 0 into nine irradiance coefficients, scaled for the
// shader (material.Environment.SH): each texel by its exact solid angle,
// its components clamped to 0…4096, as Babylon.js does
// (CubeMapToSphericalPolynomialTools).
func (c *Cube) SH() [9][3]float64 { return c.level(0).harmonics() }

func (b *bordered) harmonics() [9][3]float64 {
	var total sum
	n := float64(b.size)
	for side := range faces {
		for y := range b.size {
			for x := range b.size {
				s, t := (float64(x)+0.5)/n*2-1, (float64(y)+0.5)/n*2-1
				angle := texelAngle(b.size, x, y)
				var colour [3]float64
				for i, v := range b.texel(side, x, y) {
					if v > 0 {
						colour[i] = math.Min(float64(v), maxRadiance)
					}
				}
				total.add(unit(faces[side].at(s, t)), colour, angle)
			}
		}
	}
	return total.scaled()
}

// texelAngle is the solid angle of texel (x, y) of a face of n by n.
func texelAngle(n, x, y int) float64 {
	s, t := (float64(x)+0.5)/float64(n)*2-1, (float64(y)+0.5)/float64(n)*2-1
	h := 1 / float64(n)
	return area(s-h, t-h) - area(s-h, t+h) - area(s+h, t-h) + area(s+h, t+h)
}

// area is the solid angle of the rectangle from a face's centre to (s, t).
func area(s, t float64) float64 { return math.Atan2(s*t, math.Sqrt(s*s+t*t+1)) }

// harmonics turns an irradiance polynomial (x, y, z, xx, yy, zz, yz, zx, xy)
// into harmonics that are scaled for the shader's sum: Babylon.js,
// SphericalHarmonics.FromPolynomial and preScaleForRendering.
func harmonics(p [9][3]float64) (sh [9][3]float64) {
	for i := range 3 {
		x, y, z, xx, yy, zz, yz, zx, xy := p[0][i], p[1][i], p[2][i], p[3][i], p[4][i], p[5][i], p[6][i], p[7][i], p[8][i]
		l := [9]float64{
			xx*0.376127 + yy*0.376127 + zz*0.376126,
			y * 0.977204, z * 0.977204, x * 0.977204,
			xy * 1.16538, yz * 1.16538, zz*1.34567 - xx*0.672834 - yy*0.672834, zx * 1.16538, xx*1.16538 - yy*1.16538,
		}
		for k, v := range l {
			sh[k][i] = v * math.Pi * basis[k]
		}
	}
	return sh
}
