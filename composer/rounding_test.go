package composer

import (
	"strings"
	"testing"
)

func TestRounding(t *testing.T) {
	tpl := &Template{
		ID:       "t",
		Vertex:   "/*VI*/\n@vertex\nfn vs() -> @builtin(position) vec4<f32> { return vec4<f32>(0.0); }",
		Fragment: "/*FO*/\n@fragment\nfn fs() /*FR*/ {\n/*FW*/\n}",
		Outputs:  []Output{{Name: "color", Type: "vec4<f32>"}, {Name: "id", Type: "u32"}, {Name: "depth", Type: "f32"}},
	}
	for _, c := range []struct {
		name     string
		rounding []Rounding
		want     string
	}{
		{"none", nil, "return FragmentOutput(outputs.color, outputs.id, outputs.depth);"},
		{"zeros", []Rounding{{}, {}, {OpaqueOnly: true}}, "return FragmentOutput(outputs.color, outputs.id, outputs.depth);"},
		{"not for integers, not beyond the list", []Rounding{{Steps: 255}, {Steps: 255}}, "return FragmentOutput(floor(saturate(outputs.color) * 255f + 0.5f) / 255f, outputs.id, outputs.depth);"},
		{"by location", []Rounding{{}, {}, {Steps: 15}}, "return FragmentOutput(outputs.color, outputs.id, floor(saturate(outputs.depth) * 15f + 0.5f) / 15f);"},
		{"where alpha is 1, if there is one", []Rounding{{Steps: 255, OpaqueOnly: true}, {}, {Steps: 15, OpaqueOnly: true}},
			"return FragmentOutput(select(outputs.color, floor(saturate(outputs.color) * 255f + 0.5f) / 255f, outputs.color.a >= 1.0f), outputs.id, outputs.depth);"},
	} {
		sh, err := Compose(tpl, nil, Options{Rounding: c.rounding})
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(sh.FragmentWGSL, c.want) {
			t.Errorf("%s: no %q in\n%s", c.name, c.want, sh.FragmentWGSL)
		}
	}
	var cache Cache
	a, err := cache.Compose(tpl, nil, Options{})
	if err != nil {
		t.Fatal(err)
	}
	b, err := cache.Compose(tpl, nil, Options{Rounding: []Rounding{{Steps: 2}}})
	if err != nil {
		t.Fatal(err)
	}
	if a.Key == b.Key {
		t.Error("a rounded output shares the key of one that is not")
	}
}
