package env

import (
	"context"
	"math"
	"testing"
)

func TestLocateIsTheInverseOfFaces(t *testing.T) {
	for side := range faces {
		for _, s := range []float64{-0.9, -0.3, 0, 0.5, 0.99} {
			for _, v := range []float64{-0.8, 0.1, 0.7} {
				o, s2, v2 := locate(unit(faces[side].at(s, v)))
				if o != side || math.Abs(s-s2)+math.Abs(v-v2) > 1e-12 {
					t.Errorf("face %d at %g,%g is found on %d at %g,%g", side, s, v, o, s2, v2)
				}
			}
		}
	}
}

// panorama is a picture in which every pixel differs, and what Babylon.js 9.35
// makes of it.
func panorama() *Equirect {
	e := &Equirect{Width: 16, Height: 8, Pix: make([]float32, 16*8*4)}
	for y := range 8 {
		for x := range 16 {
			for c := range 3 {
				e.Pix[(y*16+x)*4+c] = float32((x*7+y*13+c*29)%32) / 8
			}
		}
	}
	return e
}

func TestProjectAsBabylon(t *testing.T) {
	for _, w := range []struct {
		super bool
		red   [6][4]float32
		sh    [9][3]float64
	}{
		{false, [6][4]float32{{2.375, 0.125, 1.625, 3.375}, {3.375, 1.125, 2.625, 0.375}, {3.375, 2.75, 1.125, 3}, {1.375, 3.125, 3.625, 2.375}, {2.875, 0.625, 2.125, 3.875}, {1.875, 2.75, 1.125, 2}}, [9][3]float64{{2.208333, 2.000000, 1.958333}, {-0.085052, 0.051031, 0.051031}, {-0.136083, -0.272166, 0.136083}, {-0.017010, 0.255155, 0.119072}, {-0.273438, -0.065104, 0.247396}, {-0.130208, -0.234375, -0.130208}, {-0.008138, -0.034180, -0.008138}, {0.468750, 0.260417, 0.260417}, {-0.112305, -0.034180, 0.043945}}},
		{true, [6][4]float32{{1.625, 1.375, 1.875, 1.625}, {1.625, 2.375, 1.875, 1.625}, {2.375, 2.125, 2.375, 2.71875}, {1.375, 1.1875, 2.375, 1.46875}, {2.125, 1.875, 2.375, 2.125}, {2.125, 1.4375, 2.375, 2.6875}}, [9][3]float64{{1.963542, 2.005208, 1.963542}, {0.148841, 0.114820, 0.046778}, {0.002126, -0.167977, -0.065915}, {-0.106315, 0.029768, -0.072294}, {0.035807, -0.146484, -0.068359}, {0.175781, 0.071615, -0.006510}, {0.027669, -0.017904, 0.027669}, {-0.011393, 0.170898, 0.014648}, {-0.039063, 0.019531, -0.000000}}},
	} {
		b := panorama().project(2, w.super)
		for side := range faces {
			for i, want := range w.red[side] {
				if got := b.texel(side, i%2, i/2)[0]; math.Abs(float64(got-want)) > 1e-5 {
					t.Errorf("supersample %v: face %d texel %d is %g, want %g", w.super, side, i, got, want)
				}
			}
		}
		for i, c := range b.harmonics() {
			for j, got := range c {
				if math.Abs(got-w.sh[i][j]) > 2e-6 {
					t.Errorf("supersample %v: coefficient %d,%d is %.6f, want %.6f", w.super, i, j, got, w.sh[i][j])
				}
			}
		}
	}
}

// A sky of 1 + y has the irradiance π(1 + 2y/3): what a white surface sends back is that over π.
func TestHarmonics(t *testing.T) {
	b := newBordered(16)
	e := &Equirect{Width: 64, Height: 32, Pix: make([]float32, 64*32*4)}
	for side := range faces {
		for y := range 16 {
			for x := range 16 {
				d := unit(faces[side].at((float64(x)+0.5)/8-1, (float64(y)+0.5)/8-1))
				b.texel(side, x, y)[1] = float32(1 + d[1])
			}
		}
	}
	for y := range 32 {
		for x := range 64 {
			e.Pix[(y*64+x)*4+1] = float32(1 + math.Cos((float64(y)+0.5)/32*math.Pi))
		}
	}
	for name, sh := range map[string][9][3]float64{"cube": b.harmonics(), "panorama": e.SH()} {
		for i, c := range sh {
			want := [9]float64{1, 2. / 3}[i]
			if math.Abs(c[1]-want) > 2e-3 || c[0] != 0 || c[2] != 0 {
				t.Errorf("%s: coefficient %d is %v, want %g in green", name, i, c, want)
			}
		}
	}
	sun := &Equirect{Width: 2, Height: 2, Pix: []float32{1e30, 1e30, 0, 1, 0, float32(math.Inf(1)), float32(math.NaN()), 1, -5, 0, 0, 1, 0, 0, 0, 1}}
	for _, c := range sun.SH() {
		for _, v := range c {
			if math.IsNaN(v) || math.Abs(v) > 4*maxRadiance {
				t.Errorf("a sun has the coefficients %v", sun.SH())
			}
		}
	}
}

// The prefilter against the integral that it samples, over all texels: the
// GGX lobe about the normal, weighed by N·L. The mips that the samples are read
// from blur a little, so the sky is smooth.
func TestPrefilter(t *testing.T) {
	const size = 32
	b := newBordered(size)
	for side := range faces {
		for y := range size {
			for x := range size {
				d := unit(faces[side].at((float64(x)+0.5)/size*2-1, (float64(y)+0.5)/size*2-1))
				o := b.texel(side, x, y)
				o[0], o[1], o[2] = 1, float32(1+d[0]*d[1]), float32(math.Exp(d[2]))
			}
		}
	}
	c := &Cube{Size: size, Levels: [][]byte{b.bytes()}}
	p, err := c.Prefilter(context.Background(), 1024)
	if err != nil {
		t.Fatal(err)
	}
	if len(p.Levels) != 6 {
		t.Fatalf("%d levels, want 6", len(p.Levels))
	}
	for mip := 2; mip < 6; mip++ {
		a2 := math.Pow(prefilterAlpha(mip, size), 2)
		level := p.level(mip)
		for side := range faces {
			x, y := level.size/3, level.size/2
			n := unit(faces[side].at((float64(x)+0.5)/float64(level.size)*2-1, (float64(y)+0.5)/float64(level.size)*2-1))
			var want [3]float64
			total := 0.0
			for s := range faces {
				for v := range size {
					for u := range size {
						f := faces[s].at((float64(u)+0.5)/size*2-1, (float64(v)+0.5)/size*2-1)
						r2 := f[0]*f[0] + f[1]*f[1] + f[2]*f[2]
						l := unit(f)
						nl := n[0]*l[0] + n[1]*l[1] + n[2]*l[2]
						if nl <= 0 {
							continue
						}
						nh2 := (1 + nl) / 2 // the half vector of N and L
						d := nh2*(a2-1) + 1
						w := a2 / (d * d) * nl / (r2 * math.Sqrt(r2))
						for i, c := range b.texel(s, u, v) {
							want[i] += w * float64(c)
						}
						total += w
					}
				}
			}
			for i, got := range level.texel(side, x, y) {
				w := want[i] / total
				if math.Abs(float64(got)-w) > 0.06*math.Max(w, 0.1) {
					t.Errorf("mip %d face %d component %d is %g, want %g", mip, side, i, got, w)
				}
			}
		}
	}
}

func BenchmarkPrefilter(b *testing.B) {
	c := panorama().Cube(64, false)
	for b.Loop() {
		if _, err := c.Prefilter(context.Background(), 256); err != nil {
			b.Fatal(err)
		}
	}
}
