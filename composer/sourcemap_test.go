package composer

import (
	"strings"
	"testing"
)

func TestSourceMap(t *testing.T) {
	tm := litTemplate()
	fs := catalogue()
	sh := mustCompose(t, tm, fs...)
	checkMap(t, tm, fs, sh.VertexWGSL, sh.VertexMap)
	checkMap(t, tm, fs, sh.FragmentWGSL, sh.FragmentMap)

	lines := strings.Split(sh.FragmentWGSL, "\n")
	for text, want := range map[string]Origin{
		"  eye: vec4<f32>,":                                      {"lit", "SU", 3, true},
		"const LIGHT_COUNT: u32 = 2u;":                           {"lights", "MU", 1, false},
		"  intensity: f32,":                                      {"lights", "MU", 4, false},
		"  alphaCutoff: f32,":                                    {"alpha-test", "MU", 12, false},
		"struct MaterialUniforms {":                              {"lit", "MU", 10, true},
		"  @location(2) uv: vec2<f32>,":                          {"uv", "FI", 5, false},
		"@group(2) @binding(0) var shadowMap: texture_depth_2d;": {"shadow", "FB", 9, false},
		"  return dot(c, vec3<f32>(0.2126, 0.7152, 0.0722));":    {"luminance", "HF", 2, false},
		"  normal = -normal;":                                    {"normal", "NI", 3, false},
		"  var color = baseColor.rgb;":                           {"lit", "fragment", 17, true},
		"fn fs(input: FragmentInput) -> FragmentOutput {":        {"lit", "fragment", 8, true},
		"  outputs.depth = input.position.z;":                    {"depth-output", "BA", 1, false},
		"  alpha *= instance.fade;":                              {"fade", "BA", 1, false},
		"  return FragmentOutput(outputs.color, outputs.depth);": {"lit", "FW", 1, true},
		"fn sampleAlbedo(uv: vec2<f32>) -> vec4<f32> { return textureSample(albedoTexture, albedoSampler, uv); }": {"albedo", "Textures", 1, false},
	} {
		found := false
		for i, l := range lines {
			if strings.TrimSpace(l) == strings.TrimSpace(text) {
				found = true
				if got := sh.FragmentMap.At(i + 1); got != want {
					t.Errorf("%q comes from %v, want %v", text, got, want)
				}
			}
		}
		if !found {
			t.Errorf("no line %q", text)
		}
	}
	// A line that template and fragment share is the fragment's.
	for i, l := range strings.Split(sh.VertexWGSL, "\n") {
		if o := sh.VertexMap.At(i + 1); strings.HasPrefix(l, "fn vs(") && (o.ID != "vertex-index" && o.ID != "fade" || o.Part != "VP") {
			t.Errorf("%q comes from %v", l, o)
		}
	}
}

func TestSourceMapOfLeadingBlankLines(t *testing.T) {
	sh := mustCompose(t, bareTemplate("AI"), &Fragment{
		ID:              "f",
		FragmentHelpers: "\n\nfn one() {}\n\nfn two() {}\n",
		Slots:           map[Slot]string{"AI": "\r\n\t\n  let a = 1;\n\n  let b = 2;\n\n"},
	})
	want := map[string]int{"fn one() {}": 3, "fn two() {}": 5, "let a = 1;": 3, "let b = 2;": 5}
	for i, l := range strings.Split(strings.TrimSuffix(sh.FragmentWGSL, "\n"), "\n") {
		if n, ok := want[strings.TrimSpace(l)]; ok {
			delete(want, strings.TrimSpace(l))
			if o := sh.FragmentMap.At(i + 1); o.ID != "f" || o.Line != n {
				t.Errorf("%q comes from %v, want line %d", l, o, n)
			}
		}
	}
	if len(want) > 0 {
		t.Errorf("missing %v in\n%s", want, sh.FragmentWGSL)
	}
}
