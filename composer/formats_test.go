package composer

import (
	"strings"
	"testing"
)

func TestVertexFormats(t *testing.T) {
	// Size and components follow from the name: type, bits, "x", components.
	all := []VertexFormat{
		Uint8, Uint8x2, Uint8x4, Sint8, Sint8x2, Sint8x4, Unorm8, Unorm8x2, Unorm8x4, Snorm8, Snorm8x2, Snorm8x4,
		Uint16, Uint16x2, Uint16x4, Sint16, Sint16x2, Sint16x4, Unorm16, Unorm16x2, Unorm16x4, Snorm16, Snorm16x2, Snorm16x4,
		Float16, Float16x2, Float16x4, Float32, Float32x2, Float32x3, Float32x4,
		Uint32, Uint32x2, Uint32x3, Uint32x4, Sint32, Sint32x2, Sint32x3, Sint32x4, Unorm10_10_10_2, Unorm8x4BGRA,
	}
	if len(all) != 41 {
		t.Errorf("%d formats, WebGPU has 41", len(all))
	}
	seen := make(map[VertexFormat]bool)
	for _, f := range all {
		if seen[f] {
			t.Errorf("%s twice", f)
		}
		seen[f] = true
		size, components := 4, 4
		if name := strings.TrimSuffix(string(f), "-bgra"); f != Unorm10_10_10_2 {
			kind, n, multi := strings.Cut(name, "x")
			components = 1
			if multi {
				components = int(n[0] - '0')
			}
			bits := 8
			switch {
			case strings.HasSuffix(kind, "16"):
				bits = 16
			case strings.HasSuffix(kind, "32"):
				bits = 32
			}
			size = bits / 8 * components
		}
		if f.Size() != size || f.Components() != components {
			t.Errorf("%s: %d bytes, %d components; want %d, %d", f, f.Size(), f.Components(), size, components)
		}
		for _, typ := range []string{"f32", "vec2<f32>", "vec3f", "vec4<f32>"} {
			if want := !strings.HasPrefix(string(f), "uint") && !strings.HasPrefix(string(f), "sint"); f.Feeds(typ) != want {
				t.Errorf("%s feeds %s: %v", f, typ, !want)
			}
		}
		for _, typ := range []string{"u32", "vec2<u32>", "vec4u"} {
			if want := strings.HasPrefix(string(f), "uint"); f.Feeds(typ) != want {
				t.Errorf("%s feeds %s: %v", f, typ, !want)
			}
		}
		for _, typ := range []string{"i32", "vec3<i32>"} {
			if want := strings.HasPrefix(string(f), "sint"); f.Feeds(typ) != want {
				t.Errorf("%s feeds %s: %v", f, typ, !want)
			}
		}
		for _, typ := range []string{"mat4x4<f32>", "array<f32, 4>", "bool", "", "nonsense"} {
			if f.Feeds(typ) {
				t.Errorf("%s feeds %q", f, typ)
			}
		}
	}
	if f := VertexFormat("float64"); f.Size() != 0 || f.Components() != 0 || f.Feeds("f32") {
		t.Error("an unknown format is known")
	}
}

func TestTextureFormats(t *testing.T) {
	all := []TextureFormat{
		R8Unorm, R8Snorm, R8Uint, R8Sint, R16Uint, R16Sint, R16Float, RG8Unorm, RG8Snorm, RG8Uint, RG8Sint, R32Uint, R32Sint, R32Float,
		RG16Uint, RG16Sint, RG16Float, RGBA8Unorm, RGBA8UnormSRGB, RGBA8Snorm, RGBA8Uint, RGBA8Sint, BGRA8Unorm, BGRA8UnormSRGB,
		RG32Uint, RG32Sint, RG32Float, RGBA16Uint, RGBA16Sint, RGBA16Float, RGBA32Uint, RGBA32Sint, RGBA32Float,
	}
	for _, f := range all {
		// The regular names say it: channels, bits, type.
		name := strings.ToLower(strings.TrimSuffix(string(f), "-srgb"))
		digits := strings.IndexAny(name, "0123456789")
		kind := strings.TrimLeft(name[digits:], "0123456789")
		bits := map[string]int{"8": 8, "16": 16, "32": 32}[strings.TrimSuffix(name[digits:], kind)]
		if want := digits * bits / 8; f.BytesPerTexel() != want || f.Components() != digits {
			t.Errorf("%s: %d bytes, %d components; want %d, %d", f, f.BytesPerTexel(), f.Components(), want, digits)
		}
		sample := SampleFloat
		switch {
		case kind == "uint":
			sample = SampleUint
		case kind == "sint":
			sample = SampleSint
		case kind == "float" && bits == 32:
			sample = SampleUnfilterableFloat
		}
		if f.Sample() != sample || f.IsDepth() || f.HasStencil() || f.IsSRGB() != strings.HasSuffix(string(f), "-srgb") {
			t.Errorf("%s: sample %s, depth %v, stencil %v, sRGB %v", f, f.Sample(), f.IsDepth(), f.HasStencil(), f.IsSRGB())
		}
		if w, h, b := f.Block(); w != 1 || h != 1 || b != f.BytesPerTexel() {
			t.Errorf("%s: block %d x %d, %d bytes", f, w, h, b)
		}
	}
	for _, c := range []struct {
		f              TextureFormat
		bytes          int
		depth, stencil bool
		sample         SampleType
	}{
		{RGB9E5UFloat, 4, false, false, SampleFloat}, {RGB10A2Uint, 4, false, false, SampleUint}, {RGB10A2Unorm, 4, false, false, SampleFloat}, {RG11B10UFloat, 4, false, false, SampleFloat},
		{Stencil8, 1, false, true, SampleUint}, {Depth16Unorm, 2, true, false, SampleDepth}, {Depth24Plus, 4, true, false, SampleDepth},
		{Depth24PlusStencil8, 4, true, true, SampleDepth}, {Depth32Float, 4, true, false, SampleDepth}, {Depth32FloatStencil8, 8, true, true, SampleDepth},
		{BC1RGBAUnorm, 0, false, false, SampleFloat}, {BC7RGBAUnormSRGB, 0, false, false, SampleFloat}, {"rgb8unorm", 0, false, false, ""}, {"", 0, false, false, ""},
	} {
		if c.f.BytesPerTexel() != c.bytes || c.f.IsDepth() != c.depth || c.f.HasStencil() != c.stencil || c.f.Sample() != c.sample {
			t.Errorf("%s: %d bytes, depth %v, stencil %v, sample %q", c.f, c.f.BytesPerTexel(), c.f.IsDepth(), c.f.HasStencil(), c.f.Sample())
		}
	}
	for f, want := range map[TextureFormat][3]int{BC1RGBAUnorm: {4, 4, 8}, BC3RGBAUnorm: {4, 4, 16}, BC7RGBAUnormSRGB: {4, 4, 16}, "x": {}} {
		if w, h, b := f.Block(); [3]int{w, h, b} != want {
			t.Errorf("%s: block %d %d %d", f, w, h, b)
		}
	}
	if !BC3RGBAUnormSRGB.IsSRGB() || BC3RGBAUnorm.IsSRGB() {
		t.Error("sRGB of BC3")
	}
}
