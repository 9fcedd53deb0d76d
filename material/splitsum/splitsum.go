// Package splitsum computes the table that splits the light that a rough
// surface reflects into what depends on the surroundings and what does not.
package splitsum

import (
	"math"
	"sync"

	"darkroom/composer"
	"darkroom/material/texel"
	"darkroom/material/texture"
)

// Size is the width and height of the split-sum table.
const Size = 256

// Table returns the split-sum table: over the cosine of the view angle (u) and
// the roughness (v, smooth at the top), red is the Fresnel-weighted energy and
// green all of it, so that a surface reflects (F90 - F0)·r + F0·g; blue is what
// sheen reflects. It depends on nothing, so it is computed once.
//
// It is the table of the reference engine, whose texels were found to be those
// of Filament's split-sum integrals (cmgen, "DFV", multiscatter and Charlie):
// the view cosine at the texel's centre and the roughness one and a half texels from
// the edge, both kept as 8-bit RGBD. Ours goes through the same steps,
// since they show: half a percent in mid-greys. Nine texels of ten are the same
// to the bit; the others differ by a step, for the reference was sampled.
func Table() *texture.Texture { return table() }

var table = sync.OnceValue(func() *texture.Texture {
	const n = Size
	encoded := rgbd()
	pix := make([]byte, n*n*8)
	for i := range n * n {
		texel.DecodeRGBD(pix[i*8:], encoded[i*4:])
	}
	clamp := composer.AddressClamp
	return &texture.Texture{Name: "brdf", Format: composer.RGBA16Float, Source: &texture.Pixels{Width: n, Height: n, Levels: [][]byte{pix}}, Sampler: texture.Sampler{AddressU: clamp, AddressV: clamp, AddressW: clamp, NoMips: true}}
})

// rgbd is the table as the reference engine stores it, 8-bit RGBD.
func rgbd() []byte {
	const n, coarse = Size, 64
	rough := func(y int) float64 { return math.Min(1, (float64(y)+1.5)/n) }
	// Sheen is smooth but where the roughness is small, so most rows are interpolated.
	sheen := make([]float64, coarse*coarse)
	out := make([]byte, n*n*4)
	var wg sync.WaitGroup
	for y := range coarse {
		wg.Go(func() {
			for x := range coarse {
				r := math.Min(1, (float64(y)+0.5)/coarse+1.0/n)
				sheen[y*coarse+x] = integrateSheen((float64(x)+0.5)/coarse, r*r)
			}
		})
	}
	wg.Wait()
	for y := range n {
		wg.Go(func() {
			g := ggx{rough(y) * rough(y)}
			for x := range n {
				u := (float64(x) + 0.5) / n
				r, all := g.integrate(u)
				b := 0.0
				if y < 32 || x < 8 || x >= n-2 {
					b = integrateSheen(u, rough(y)*rough(y))
				} else {
					b = bilinear(sheen, coarse, u, (float64(y)+0.5)/n)
				}
				texel.EncodeRGBD(out[(y*n+x)*4:], [3]float64{r, all, b})
			}
		})
	}
	wg.Wait()
	return out
}

func bilinear(t []float64, n int, u, v float64) float64 {
	at := func(x, y int) float64 { return t[min(max(y, 0), n-1)*n+min(max(x, 0), n-1)] }
	fx, fy := u*float64(n)-0.5, v*float64(n)-0.5
	x, y := int(math.Floor(fx)), int(math.Floor(fy))
	fx, fy = fx-math.Floor(fx), fy-math.Floor(fy)
	return (at(x, y)*(1-fx)+at(x+1, y)*fx)*(1-fy) + (at(x, y+1)*(1-fx)+at(x+1, y+1)*fx)*fy
}

// ggx integrates over the half vectors that are seen from a view direction
// (Heitz 2018, "Sampling the GGX Distribution of Visible Normals", in the form
// of Dupuy and Benyoub 2023): what is left of the integrand is the ratio of
// two masking terms, so smooth that a small fixed grid is enough.
type ggx struct{ alpha float64 }

const ggxRings, ggxSpokes = 16, 8

// circle is the directions of a grid over half a turn; the other half mirrors it.
var circle = func() (c [ggxSpokes][2]float64) {
	for j := range c {
		c[j][1], c[j][0] = math.Sincos(math.Pi * (float64(j) + 0.5) / ggxSpokes)
	}
	return c
}()

// integrate is the share of a white sky that is reflected at a view cosine, all
// of it and weighed by Schlick's (1 - V·H)^5 (Karis 2013, "Real Shading in
// Unreal Engine 4"), with height-correlated Smith masking (Heitz 2014).
func (g ggx) integrate(NdotV float64) (fresnel, all float64) {
	a, a2 := g.alpha, g.alpha*g.alpha
	vx, vz := math.Sqrt(1-NdotV*NdotV), NdotV
	lambda := math.Sqrt(NdotV*NdotV*(1-a2) + a2)
	// The view direction in the space where the distribution is a hemisphere.
	sx, sz := a*vx/math.Hypot(a*vx, vz), vz/math.Hypot(a*vx, vz)
	for i := range ggxRings {
		// The rings are denser towards grazing half vectors, the tail of the distribution.
		t := 1 - (float64(i)+0.5)/ggxRings
		z := t*t*(1+sz) - sz
		rf, ra := 0.0, 0.0
		sin := math.Sqrt(1 - z*z)
		hz := z + sz
		for _, c := range circle {
			hx, hy := a*(sin*c[0]+sx), a*sin*c[1]
			len2 := hx*hx + hy*hy + hz*hz
			dot := vx*hx + vz*hz
			NdotL := 2*dot*hz/len2 - vz
			if NdotL <= 0 {
				continue
			}
			v := NdotL * (NdotV + lambda) / (NdotV*math.Sqrt(NdotL*NdotL*(1-a2)+a2) + NdotL*lambda)
			k := 1 - dot/math.Sqrt(len2)
			k2 := k * k
			rf += k2 * k2 * k * v
			ra += v
		}
		fresnel += rf * 2 * t
		all += ra * 2 * t
	}
	return fresnel / (ggxRings * ggxSpokes), all / (ggxRings * ggxSpokes)
}

// integrateSheen is the same for the Charlie distribution (Estevez and Kulla
// 2017, "Production Friendly Microfacet Sheen BRDF") with Ashikhmin's
// visibility, over directions of light that are denser towards the horizon.
func integrateSheen(NdotV, alpha float64) float64 {
	const rings = 32
	vx, vz := math.Sqrt(1-NdotV*NdotV), NdotV
	sum := 0.0
	for i := range rings {
		t := (float64(i) + 0.5) / rings
		lz := t * t
		sin := math.Sqrt(1 - lz*lz)
		ring := 0.0
		for _, c := range circle {
			hx, hy, hz := sin*c[0]+vx, sin*c[1], lz+vz
			// (sin² of the half vector)^(1/2α)
			if e := math.Log1p(-hz*hz/(hx*hx+hy*hy+hz*hz)) / (2 * alpha); e > -40 {
				ring += math.Exp(e)
			}
		}
		sum += ring * 2 * t * lz / (lz + vz - lz*vz)
	}
	return (2 + 1/alpha) * sum / (rings * ggxSpokes * 4)
}
