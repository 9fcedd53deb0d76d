package env

import (
	"context"
	"math"
	"math/bits"
	"runtime"
	"sync"
	"sync/atomic"
)

// lodScale is how many levels a doubling of alpha is worth in prefiltered
// cubes, Babylon.js's lodGenerationScale.
const lodScale = 0.8

// defaultSamples is how many samples a lobe has unless asked otherwise.
const defaultSamples = 128

// prefilterAlpha is the GGX alpha that a level of a prefiltered cube stands for.
func prefilterAlpha(mip, size int) float64 {
	return math.Exp2(float64(mip)/lodScale) / float64(size)
}

// Prefilter returns a cube with a full chain of levels, each filtered with the
// GGX lobe seen along its normal for alpha = 2^(level/0.8)/size; level 0 is kept.
// It is Babylon.js's HDRFiltering on the CPU: samples importance-sampled
// half vectors, each read from the mip of the source that its share of the
// sphere asks for (Křivánek and Colbert 2008, "Real-time Shading with Filtered
// Importance Sampling"). samples of zero means 128; the engine takes 4096.
func (c *Cube) Prefilter(ctx context.Context, samples int) (*Cube, error) {
	if samples <= 0 {
		samples = defaultSamples
	}
	if err := c.single(); err != nil {
		return nil, err
	}
	source := []*bordered{c.level(0)}
	for source[len(source)-1].size > 1 {
		source = append(source, source[len(source)-1].half())
	}
	out := &Cube{Size: c.Size, Levels: [][]byte{c.Levels[0]}}
	for mip := 1; mip < mipLevels(c.Size); mip++ {
		level, err := prefilterLevel(ctx, source, mip, samples)
		if err != nil {
			return nil, err
		}
		out.Levels = append(out.Levels, level.bytes())
	}
	return out, nil
}

// lobe is a sample: a direction of light about the normal (0, 0, 1), the level
// to read and how much of it.
type lobe struct {
	l      [3]float64
	lod    float64
	weight float64
}

// ggxLobe spreads samples by the distribution of normals (Hammersley points).
func ggxLobe(alpha float64, size, levels, samples int) []lobe {
	texel := 4 * math.Pi / float64(6*size*size)
	a2 := alpha * alpha
	var out []lobe
	total := 0.0
	for i := range uint32(samples) {
		u, v := float64(i)/float64(samples), float64(bits.Reverse32(i))/(1<<32)
		cos := math.Sqrt((1 - v) / (1 + (a2-1)*v))
		sin := math.Sqrt(1 - cos*cos)
		l := [3]float64{2 * cos * sin * math.Cos(2*math.Pi*u), 2 * cos * sin * math.Sin(2*math.Pi*u), 2*cos*cos - 1}
		if l[2] <= 0 {
			continue
		}
		d := cos*cos*(a2-1) + 1
		pdf := a2 / (math.Pi * d * d) / 4
		angle := 1 / (float64(samples) * pdf)
		lod := math.Log2(angle/texel)/2 + 1
		out = append(out, lobe{l, math.Max(0, math.Min(lod, float64(levels-1))), l[2]})
		total += l[2]
	}
	for i := range out {
		out[i].weight /= total
	}
	return out
}

func prefilterLevel(ctx context.Context, source []*bordered, mip, samples int) (*bordered, error) {
	size := source[0].size
	out := newBordered(max(1, size>>mip))
	lobes := ggxLobe(prefilterAlpha(mip, size), size, len(source), samples)
	var next atomic.Int64
	var wg sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), 6*out.size) {
		wg.Go(func() {
			for {
				row := int(next.Add(1)) - 1
				if row >= 6*out.size || ctx.Err() != nil {
					return
				}
				side, y := row/out.size, row%out.size
				for x := range out.size {
					n := float64(out.size)
					normal := unit(faces[side].at((float64(x)+0.5)/n*2-1, (float64(y)+0.5)/n*2-1))
					o := out.texel(side, x, y)
					c := filter(source, lobes, normal)
					o[0], o[1], o[2] = float32(c[0]), float32(c[1]), float32(c[2])
				}
			}
		})
	}
	wg.Wait()
	return out, ctx.Err()
}

// filter adds the samples up about a normal.
func filter(source []*bordered, lobes []lobe, n [3]float64) (sum [3]float64) {
	up := [3]float64{1, 0, 0}
	if math.Abs(n[2]) < 0.999 {
		up = [3]float64{0, 0, 1}
	}
	tx := unit(cross(up, n))
	ty := cross(n, tx)
	for _, s := range lobes {
		var d [3]float64
		for i := range d {
			d[i] = tx[i]*s.l[0] + ty[i]*s.l[1] + n[i]*s.l[2]
		}
		low := int(s.lod)
		f := s.lod - float64(low)
		c := source[low].sample(d)
		if f > 0 {
			c2 := source[min(low+1, len(source)-1)].sample(d)
			for i := range c {
				c[i] += (c2[i] - c[i]) * f
			}
		}
		for i := range sum {
			sum[i] += c[i] * s.weight
		}
	}
	return sum
}

func cross(a, b [3]float64) [3]float64 {
	return [3]float64{a[1]*b[2] - a[2]*b[1], a[2]*b[0] - a[0]*b[2], a[0]*b[1] - a[1]*b[0]}
}
