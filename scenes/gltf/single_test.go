package gltf

import (
	"slices"
	"strings"
	"testing"

	"darkroom/scenes"
	"darkroom/scenes/linalg"
)

func TestNumbersBeyondSinglePrecision(t *testing.T) {
	for _, c := range []struct{ name, body, want string }{
		{"translation", `"nodes":[{},{"translation":[1e39,0,0]}]`, "node 1: translation[0] is 1e39"},
		{"digits", `"nodes":[{"scale":[1,1,` + strings.Repeat("9", 39) + `]}]`, "node 0: scale[2] is 999"},
		{"material", `"materials":[{"emissiveFactor":[0,1e+40,0]}]`, "material 0: emissiveFactor[1] is 1e+40"},
		{"in an extension", `"materials":[{"extensions":{"KHR_materials_emissive_strength":{"emissiveStrength":-2E99}}}]`, "material 0: extensions.KHR_materials_emissive_strength.emissiveStrength is -2E99"},
		{"light", `"extensions":{"KHR_lights_punctual":{"lights":[{"type":"point","intensity":1e300}]}}`, "extensions: KHR_lights_punctual.lights[0].intensity is 1e300"},
		{"extras", `"nodes":[{"extras":{"x":1e300}}]`, ""},
		{"in range", `"nodes":[{"translation":[1e38,-3.4e38,1e-300],"name":"1e99"}]`, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			a, err := LoadBytes([]byte(`{"asset":{"version":"2.0"},`+c.body+`}`), Options{})
			if err != nil {
				t.Fatal(err)
			}
			i := slices.IndexFunc(a.Warnings, func(w string) bool { return strings.Contains(w, "single precision") })
			switch {
			case c.want == "" && i >= 0:
				t.Errorf("got the warning %q, want none", a.Warnings[i])
			case c.want != "" && (i < 0 || !strings.HasPrefix(a.Warnings[i], c.want)):
				t.Errorf("got %q, want a warning that begins with %q", a.Warnings, c.want)
			}
		})
	}
}

// What is nowhere must not keep the rest of a scene from being drawn.
func TestNodesBeyondSinglePrecisionAreHidden(t *testing.T) {
	a, err := LoadBytes([]byte(`{"asset":{"version":"2.0"},"scenes":[{"nodes":[0,1,5]}],"nodes":[
		{"name":"here"},
		{"scale":[1e30,1e30,1e30],"children":[2]},{"name":"product","scale":[1e30,1,1],"children":[3]},{"name":"below","children":[4]},{"name":"far below"},
		{"name":"number","translation":[0,-1e39,0]}]}`), Options{})
	if err != nil {
		t.Fatal(err)
	}
	s := scenes.New("test")
	a.AddTo(s)
	if err := s.Seek(0); err != nil {
		t.Fatal(err)
	}
	var seen []string
	if err := s.Walk(func(n *scenes.Node, _ linalg.Mat4) error { seen = append(seen, n.Name); return nil }); err != nil {
		t.Fatal(err)
	}
	if want := []string{"__root__", "here", "node1"}; !slices.Equal(seen, want) {
		t.Errorf("drawn are %q, want %q; warnings %q", seen, want, a.Warnings)
	}
	for _, w := range []string{`node 2 "product" is not drawn`, `node 5 "number" is not drawn`} {
		if !slices.ContainsFunc(a.Warnings, func(x string) bool { return strings.HasPrefix(x, w) }) {
			t.Errorf("no warning %q in %q", w, a.Warnings)
		}
	}
}
