package env

import (
	"math"
	"math/bits"
	"sync"

	"darkroom/composer"
	"darkroom/material/texture"
)

// BRDFSize is the width and height of the split-sum table.
const BRDFSize = 256

// BRDF returns the split-sum table: over the cosine of the view angle (u) and
// the roughness (v), red is the Fresnel-weighted energy and green all of it, so
// that a surface reflects (F90 - F0)·r + F0·g; blue is what sheen reflects. It
// depends on nothing, so it is computed once.
//
// The reference engine keeps its table as an 8-bit RGBD picture. Ours goes
// through the same steps, since they show: half a percent in mid-greys.
func BRDF() *texture.Texture { return brdfTable() }

var brdfTable = sync.OnceValue(func() *texture.Texture {
	const n, coarse = BRDFSize, 64
	sheen := make([]float64, coarse*coarse)
	var wg sync.WaitGroup
	for y := range coarse {
		wg.Go(func() {
			for x := range coarse {
				sheen[y*coarse+x] = integrateSheen((float64(x)+0.5)/coarse, (float64(y)+0.5)/coarse)
			}
		})
	}
	wg.Wait()
	pix := make([]byte, n*n*8)
	for y := range n {
		wg.Go(func() {
			for x := range n {
				u, v := (float64(x)+0.5)/n, (float64(y)+0.5)/n
				r, g := integrate(u, v)
				c := throughRGBD([3]float64{r, g, bilinear(sheen, coarse, u, v)})
				putHalf(pix[(y*n+x)*8:], float32(c[0]), float32(c[1]), float32(c[2]), 1)
			}
		})
	}
	wg.Wait()
	clamp := composer.AddressClamp
	return &texture.Texture{Name: "brdf", Format: composer.RGBA16Float, Source: &texture.Pixels{Width: n, Height: n, Levels: [][]byte{pix}}, Sampler: texture.Sampler{AddressU: clamp, AddressV: clamp, AddressW: clamp, NoMips: true}}
})

// throughRGBD is c after encoding as 8-bit RGBD and decoding: Babylon.js, toRGBD and fromRGBD.
func throughRGBD(c [3]float64) [3]float64 {
	const step = 255
	top := math.Max(math.Max(c[0], c[1]), math.Max(c[2], 1e-7))
	d := math.Min(1, math.Max(0, math.Floor(math.Max(1, step/top))/step))
	for i, v := range c {
		q := math.Floor(math.Pow(math.Max(0, math.Min(1, v*d)), 1/2.2)*step) / step
		c[i] = math.Pow(q, 2.2) / d
	}
	return c
}

func bilinear(t []float64, n int, u, v float64) float64 {
	at := func(x, y int) float64 { return t[min(max(y, 0), n-1)*n+min(max(x, 0), n-1)] }
	fx, fy := u*float64(n)-0.5, v*float64(n)-0.5
	x, y := int(math.Floor(fx)), int(math.Floor(fy))
	fx, fy = fx-math.Floor(fx), fy-math.Floor(fy)
	return (at(x, y)*(1-fx)+at(x+1, y)*fx)*(1-fy) + (at(x, y+1)*(1-fx)+at(x+1, y+1)*fx)*fy
}

// integrate samples GGX over the hemisphere by its distribution of normals
// (Karis 2013, "Real Shading in Unreal Engine 4") with the height-correlated
// Smith visibility (Heitz 2014).
func integrate(NdotV, roughness float64) (fresnel, all float64) {
	const samples = 128
	a := roughness * roughness
	a2 := a * a
	vx, vz := math.Sqrt(1-NdotV*NdotV), NdotV
	for i := range uint32(samples) {
		u1 := (float64(i) + 0.5) / samples
		u2 := (float64(bits.Reverse32(i)) + 0.5) / (1 << 32)
		phi := 2 * math.Pi * u1
		cos := math.Sqrt((1 - u2) / (1 + (a2-1)*u2))
		sin := math.Sqrt(1 - cos*cos)
		hx, hz := math.Cos(phi)*sin, cos
		VdotH := vx*hx + vz*hz
		NdotL := 2*VdotH*hz - vz
		if NdotL <= 0 {
			continue
		}
		gv := NdotL * math.Sqrt(NdotV*(NdotV-a2*NdotV)+a2)
		gl := NdotV * math.Sqrt(NdotL*(NdotL-a2*NdotL)+a2)
		vis := 0.5 / (gv + gl) * VdotH * 4 * NdotL / hz
		k := 1 - VdotH
		fresnel += k * k * k * k * k * vis
		all += vis
	}
	return fresnel / samples, all / samples
}

// integrateSheen integrates the Charlie distribution (Estevez and Kulla 2017)
// with Ashikhmin's visibility over the hemisphere.
func integrateSheen(NdotV, roughness float64) float64 {
	const rings, spokes = 48, 24
	inv := 1 / (roughness * roughness)
	vx, vz := math.Sqrt(1-NdotV*NdotV), NdotV
	sum := 0.0
	for i := range rings {
		lz := (float64(i) + 0.5) / rings
		sin := math.Sqrt(1 - lz*lz)
		for j := range spokes {
			// Half a turn is enough: the other half mirrors it.
			s, c := math.Sincos(math.Pi * (float64(j) + 0.5) / spokes)
			hx, hy, hz := sin*c+vx, sin*s, lz+vz
			cos2 := hz * hz / (hx*hx + hy*hy + hz*hz)
			sum += (2 + inv) * math.Pow(math.Max(0, 1-cos2), inv/2) * lz / (lz + vz - lz*vz)
		}
	}
	return sum / (rings * spokes * 4)
}
