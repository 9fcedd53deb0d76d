package env

import (
	"math"
	"path/filepath"
	"testing"
)

// A mirror reflects everything; a rough surface seen from above loses energy;
// at grazing angles Fresnel takes nearly all.
func TestIntegrate(t *testing.T) {
	_, mirror := ggx{1e-4}.integrate(0.9)
	_, rough := ggx{1}.integrate(0.9)
	if math.Abs(mirror-1) > 0.001 || rough > 0.5 || rough < 0.3 {
		t.Errorf("mirror %g, rough %g", mirror, rough)
	}
	if f, _ := (ggx{0.01}).integrate(0.02); f < 0.5 {
		t.Errorf("grazing Fresnel energy %g is too small", f)
	}
}

// The reference engine's own table. It was sampled, so a step of 8 bits is what
// can be asked for, and two of sheen; its sheen does not fall below 6e-5, which ours does.
func TestTableAgainstReference(t *testing.T) {
	ref := pictureOf(t, filepath.Join(assets(t, "env/lut"), "babylon-brdf-lut-rgbd.png"))
	ours := brdfRGBD()
	if len(ref.Pix) != len(ours) {
		t.Fatalf("%d bytes, want %d", len(ours), len(ref.Pix))
	}
	var equal [4]int
	var mean [3]float64
	for i := 0; i < len(ours); i += 4 {
		for c := range 4 {
			d := math.Abs(float64(ours[i+c]) - float64(ref.Pix[i+c]))
			if d == 0 {
				equal[c]++
			}
			if d > 1 && (c != 2 || d > 2 && ref.Pix[i+2] > 5) {
				t.Errorf("texel %d,%d is %v, want %v", i/4%BRDFSize, i/4/BRDFSize, ours[i:i+4], ref.Pix[i:i+4])
			}
			if c < 3 {
				mean[c] += math.Abs(gamma[ours[i+c]]/float64(ours[i+3])-gamma[ref.Pix[i+c]]/float64(ref.Pix[i+3])) * 255 / (BRDFSize * BRDFSize)
			}
		}
	}
	t.Logf("equal texels %v of %d, mean differences %.6f", equal, BRDFSize*BRDFSize, mean)
	if mean[0] > 0.001 || mean[1] > 0.001 || mean[2] > 0.001 {
		t.Errorf("mean differences %v", mean)
	}
}

func BenchmarkBRDF(b *testing.B) {
	for b.Loop() {
		brdfRGBD()
	}
}
