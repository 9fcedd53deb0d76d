package post

import (
	"math"
	"testing"

	"darkroom/material/texture"
	"darkroom/scenes"
)

// The widths that Babylon.js's ThinBlurPostProcess finds for a kernel: odd,
// with an even half.
func TestKernelWidth(t *testing.T) {
	for kernel, want := range map[float64]int{0: 3, 1: 3, 2: 3, 3: 3, 5: 5, 9: 9, 12.75: 13, 16: 17, 32: 33, 64: 65, 128: 129} {
		if got := kernelWidth(kernel); got != want {
			t.Errorf("kernel %g: %d texels wide, want %d", kernel, got, want)
		}
	}
}

// However texels are paired, a blur must give every texel the weight of the
// plain Gaussian: the bilinear filter shares a tap's weight between two texels.
func TestTapsAreTheGaussian(t *testing.T) {
	for _, kernel := range []float64{5, 9, 13, 17, 33, 129} {
		n := kernelWidth(kernel)
		centre := (n - 1) / 2
		got := make([]float64, n)
		for _, tap := range taps(kernel) {
			low := math.Floor(tap.offset)
			part := tap.offset - low
			at := int(low) + centre
			got[at] += tap.weight * (1 - part)
			if part > 0 {
				got[at+1] += tap.weight * part
			}
		}
		want, sum := make([]float64, n), 0.0
		for i := range want {
			x := 3 * (float64(i)/float64(n-1)*2 - 1)
			want[i] = math.Exp(-x * x / 2)
			sum += want[i]
		}
		total := 0.0
		for i := range want {
			total += got[i]
			if math.Abs(got[i]-want[i]/sum) > 1e-12 {
				t.Errorf("kernel %g: texel %d weighs %g, want %g", kernel, i-centre, got[i], want[i]/sum)
			}
		}
		if math.Abs(total-1) > 1e-12 {
			t.Errorf("kernel %g: the weights sum to %g", kernel, total)
		}
		if last := taps(kernel); last[len(last)-1].offset != 0 {
			t.Errorf("kernel %g: the last tap is at %g, want the centre", kernel, last[len(last)-1].offset)
		}
	}
}

// The jitter starts in the middle of the pixel, repeats after Samples frames
// and keeps within the pixel.
func TestJitter(t *testing.T) {
	s := scenes.New("still")
	TemporalAntiAliasing(s, Pass{Name: "taa", From: Picture("picture", "", 1)}, TAA{Samples: 4})
	want := [][2]float64{{0, 0}, {0, 1.0/3 - 0.5}, {-0.25, 2.0/3 - 0.5}, {0.25, 1.0/9 - 0.5}, {-0.375, 4.0/9 - 0.5}, {0, 1.0/3 - 0.5}}
	for frame, w := range want {
		got := s.Jitter(frame)
		if math.Hypot(got[0]-w[0], got[1]-w[1]) > 1e-12 {
			t.Errorf("frame %d: %v, want %v", frame, got, w)
		}
	}
}

// Each blur of a depth of field is half as large as the one before, and the
// pictures in between follow the size of what they blur.
func TestSizesOfDepthOfField(t *testing.T) {
	from := Picture("picture", "", 0.5)
	var got []float64
	for _, task := range DepthOfField(Pass{Name: "dof", From: from}, Depth("depth", 0.5), nil, Lens{}, High) {
		if p := task.(*scenes.EffectPass); p.Color != nil {
			got = append(got, p.Color[0].Source.(*texture.Target).Scale)
		}
	}
	want := []float64{0.5, 0.375, 0.375, 0.1875, 0.1875, 0.09375, 0.09375}
	if len(got) != len(want) {
		t.Fatalf("scales %v, want %v", got, want)
	}
	for i := range want {
		if got[i] != want[i] {
			t.Fatalf("scales %v, want %v", got, want)
		}
	}
}
