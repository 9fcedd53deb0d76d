package splitsum

import (
	"image"
	"image/png"
	"math"
	"os"
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
	ref := reference(t)
	ours := rgbd()
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
				t.Errorf("texel %d,%d is %v, want %v", i/4%Size, i/4/Size, ours[i:i+4], ref.Pix[i:i+4])
			}
			if c < 3 {
				mean[c] += math.Abs(linear(ours[i+c])/float64(ours[i+3])-linear(ref.Pix[i+c])/float64(ref.Pix[i+3])) * 255 / (Size * Size)
			}
		}
	}
	t.Logf("equal texels %v of %d, mean differences %.6f", equal, Size*Size, mean)
	if mean[0] > 0.001 || mean[1] > 0.001 || mean[2] > 0.001 {
		t.Errorf("mean differences %v", mean)
	}
}

func BenchmarkTable(b *testing.B) {
	for b.Loop() {
		rgbd()
	}
}

func linear(v byte) float64 { return math.Pow(float64(v)/255, 2.2) }

// reference reads the table from an entry of DARKROOM_ASSETS or from a folder
// "shared" beside the checkout.
func reference(t *testing.T) *image.NRGBA {
	t.Helper()
	const name = "env/lut/babylon-brdf-lut-rgbd.png"
	var tried []string
	for _, d := range filepath.SplitList(os.Getenv("DARKROOM_ASSETS")) {
		tried = append(tried, filepath.Join(d, name), filepath.Join(d, "assets", name))
	}
	if wd, err := os.Getwd(); err == nil {
		for d := wd; ; d = filepath.Dir(d) {
			tried = append(tried, filepath.Join(d, "shared", "assets", name))
			if d == filepath.Dir(d) {
				break
			}
		}
	}
	for _, p := range tried {
		f, err := os.Open(p)
		if err != nil {
			continue
		}
		defer f.Close()
		m, err := png.Decode(f)
		if err != nil {
			t.Fatal(err)
		}
		n, ok := m.(*image.NRGBA)
		if !ok {
			t.Fatalf("%s is %T, want straight alpha", p, m)
		}
		return n
	}
	if os.Getenv("CI") != "" {
		t.Fatalf("%s is not there; name its folder with DARKROOM_ASSETS", name)
	}
	t.Skipf("%s is not there; name its folder with DARKROOM_ASSETS", name)
	return nil
}
