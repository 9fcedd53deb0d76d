package composer

import (
	"fmt"
	"strings"
	"testing"
)

// largeShader is a material with every kind of declaration, the whole catalogue
// and some features more, each with a helper of ten lines, two uniforms and
// code in a slot; ten have a texture.
func largeShader(features int) (*Template, []*Fragment) {
	fs := catalogue()
	line := "  let h%d_%d = normalize(v * %d.0 + l) * max(dot(n, v), 0.0) + vec3<f32>(0.5, 0.25, %d.0);\n"
	for i := range features {
		var helper, code strings.Builder
		fmt.Fprintf(&helper, "fn feature%d(n: vec3<f32>, v: vec3<f32>, l: vec3<f32>) -> vec3<f32> {\n", i)
		for j := range 9 {
			fmt.Fprintf(&helper, line, i, j, j, i)
		}
		fmt.Fprintf(&helper, "  return h%d_0;\n}\n", i)
		fmt.Fprintf(&code, "// feature %d\nlet part%d = feature%d(normal, vec3<f32>(0.0), vec3<f32>(1.0)) * material.strength%d;\n", i, i, i, i)
		fmt.Fprintf(&code, "color += part%d * material.tint%d.rgb;\nif (material.strength%d > 0.5) {\n  color *= 0.5;\n}\n", i, i, i)
		f := &Fragment{
			ID:              fmt.Sprintf("feature%02d", i),
			Dependencies:    []string{"normal"},
			Fields:          []Field{{fmt.Sprintf("strength%d", i), "f32"}, {fmt.Sprintf("tint%d", i), "vec4<f32>"}},
			FragmentHelpers: helper.String(),
			Slots:           map[Slot]string{SlotAmbient: code.String()},
		}
		if i < 10 {
			f.Textures = []string{fmt.Sprintf("map%d", i)}
		}
		fs = append(fs, f)
	}
	return litTemplate(), fs
}

// BenchmarkComposeLarge composes what a physically based material comes to
// with every feature on (28 fragments, 26 KB), and half as much again.
func BenchmarkComposeLarge(b *testing.B) {
	for _, features := range []int{14, 26} {
		t, fs := largeShader(features)
		sh := mustCompose(b, t, fs...)
		size := len(sh.VertexWGSL) + len(sh.FragmentWGSL)
		b.Run(fmt.Sprintf("%dfragments-%dKB", len(fs), size>>10), func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(size))
			for b.Loop() {
				if _, err := Compose(t, fs, Options{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkComposeSmall(b *testing.B) {
	t, fs := litTemplate(), pick("uv", "albedo")
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Compose(t, fs, Options{}); err != nil {
			b.Fatal(err)
		}
	}
}

// chain is n fragments in which each depends on the last.
func chain(n int) []*Fragment {
	fs := make([]*Fragment, n)
	for i := range fs {
		fs[i] = &Fragment{
			ID:              fmt.Sprintf("f%05d", n-i), // against the alphabet
			FragmentHelpers: fmt.Sprintf("fn helper%d(x: f32) -> f32 {\n  return x * %d.0;\n}", i, i),
			Slots:           map[Slot]string{SlotAmbient: fmt.Sprintf("color *= helper%d(color.r);", i)},
		}
		if i > 0 {
			fs[i].Dependencies = []string{fs[i-1].ID}
		}
		if i < 1000 {
			fs[i].Fields = []Field{{fmt.Sprintf("x%d", i), "vec4<f32>"}}
		}
	}
	return fs
}

// What grows faster than the number of fragments shows in what is allocated,
// or in the time that a hundred thousand of them take.
func TestGrowth(t *testing.T) {
	allocs := func(n int) float64 {
		fs, tm := chain(n), litTemplate()
		return testing.AllocsPerRun(5, func() { mustCompose(t, tm, fs...) })
	}
	if ten, hundred, thousand := allocs(10), allocs(100), allocs(1000); hundred > 2*ten+20 || thousand > 2*hundred+20 {
		t.Errorf("10, 100 and 1,000 fragments: %v, %v and %v allocations", ten, hundred, thousand)
	}
	mustCompose(t, litTemplate(), chain(100_000)...)
}

// A large material is composed in about a hundred allocations: most of the
// time that a composition takes goes where they are made.
func TestComposeAllocations(t *testing.T) {
	tm, fs := largeShader(26)
	if n := testing.AllocsPerRun(20, func() { mustCompose(t, tm, fs...) }); n > 160 {
		t.Errorf("%v allocations", n)
	}
}

// BenchmarkChain composes chains: ns/fragment must stay level.
func BenchmarkChain(b *testing.B) {
	for _, n := range []int{10, 100, 1000, 10000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			fs, t := chain(n), litTemplate()
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Compose(t, fs, Options{}); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/fragment")
		})
	}
}

func BenchmarkUniformWriter(b *testing.B) {
	w := NewUniformWriter(writerUBO(b))
	world := make([]float64, 16)
	b.ReportAllocs()
	for b.Loop() {
		if err := w.SetFloat64s("world", world...); err != nil {
			b.Fatal(err)
		}
		if err := w.SetFloats("lights[2].color", 1, 2, 3); err != nil {
			b.Fatal(err)
		}
	}
}
