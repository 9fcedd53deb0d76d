package main

import (
	"image/color"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"darkroom/goldens/png"
	"darkroom/scenes/gltf/sample"
)

// seen counts the colours of a picture that are not the background's.
func seen(t *testing.T, path string) (colors map[[3]byte]int, pixels int) {
	t.Helper()
	m, _, err := png.Read(path, png.Caps{})
	if err != nil {
		t.Fatal(err)
	}
	colors = map[[3]byte]int{}
	for y := range m.Bounds().Dy() {
		for x := range m.Bounds().Dx() {
			if c := color.NRGBAModel.Convert(m.At(x, y)).(color.NRGBA); c.R != 255 || c.G != 0 || c.B != 255 {
				colors[[3]byte{c.R, c.G, c.B}]++
				pixels++
			}
		}
	}
	return colors, pixels
}

const solid = `struct VertexOutput { @builtin(position) position: vec4<f32>, @location(0) shade: f32 };
//# VERTEX
@vertex
fn mainVertex(input: VertexInput) -> VertexOutput {
    var out: VertexOutput;
    out.position = shaderSystem.viewProjection * getFinalWorld(input) * vec4<f32>(getFinalInput(input).position, 1.0);
    out.shade = 0.0;
    return out;
}
//# FRAGMENT
@fragment
fn mainFragment(input: VertexOutput) -> @location(0) vec4<f32> {
    return vec4<f32>(input.shade, 0.0, BLUE, 1.0);
}
`

// An effect of a file is tried on a model from the command line: a plugin keeps
// the model's shape and so does a material, skin and all.
func TestGltfPlugin(t *testing.T) {
	dir := t.TempDir()
	model, err := sample.Column()
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"column.glb": string(model),
		"green.wgsl": "//# CUSTOM_FRAGMENT_BEFORE_FRAGCOLOR\ncolor = vec4<f32>(0.0, material.amount, 0.0, 1.0);\n",
		"green.json": `{"uniforms": [{"name": "amount", "type": "f32", "value": 0.5, "time": 1}]}`,
		"blue.wgsl":  solid, "blue.json": `{"defines": {"BLUE": 1}, "twoSided": true}`,
		"loose.wgsl": strings.Replace(solid, "BLUE", "0.2", 1),
		"clash.wgsl": "//# CUSTOM_FRAGMENT_MAIN_BEGIN\nlet amount = 1.0;\nlet broken = amount + vec2<bool>(true);\n",
		"typo.wgsl":  "//# CUSTOM_FRAGMENT_END\n",
		"wrong.wgsl": strings.Replace(solid, "input.shade, 0.0", "input.shde, 0.0", 1), "wrong.json": `{"defines": {"BLUE": 1}}`,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	at := func(name string) string { return filepath.Join(dir, name) }
	draw := func(plugins ...string) (int, string) {
		args := []string{"gltf", at("column.glb"), "--out", dir, "--size", "96x64", "--samples", "1", "--background", "ff00ff", "--time", "0.5"}
		for _, p := range plugins {
			args = append(args, "--plugin", at(p))
		}
		code, said, errs := program(t, dir, args...)
		return code, said + errs
	}
	if code, said := draw(); code != 0 {
		t.Fatalf("%d: %s", code, said)
	}
	_, shape := seen(t, at("column.png"))
	if shape < 300 {
		t.Fatalf("the model has %d pixels", shape)
	}
	for _, x := range []struct {
		plugins []string
		want    [3]byte
	}{{[]string{"green.wgsl"}, [3]byte{0, 255, 0}}, {[]string{"green.json"}, [3]byte{0, 255, 0}}, {[]string{"blue.wgsl"}, [3]byte{0, 0, 255}}, {[]string{"blue.json"}, [3]byte{0, 0, 255}}} {
		if code, said := draw(x.plugins...); code != 0 {
			t.Errorf("%v: %d: %s", x.plugins, code, said)
			continue
		}
		if colors, n := seen(t, at("column.png")); len(colors) != 1 || colors[x.want] != shape || n != shape {
			t.Errorf("%v: %d pixels of %v, want %d of %v", x.plugins, n, colors, shape, x.want)
		}
	}
	// Without a descriptor back faces are culled.
	if code, said := draw("loose.wgsl"); code != 0 {
		t.Errorf("%d: %s", code, said)
	} else if colors, n := seen(t, at("column.png")); len(colors) != 1 || colors[[3]byte{0, 0, 51}] != n || n >= shape || n < shape/2 {
		t.Errorf("loose.wgsl: %d pixels of %v, of the model's %d", n, colors, shape)
	}
	for _, x := range []struct {
		plugins []string
		want    []string
	}{
		{[]string{"clash.wgsl"}, []string{`"plugin clash"`, "CUSTOM_FRAGMENT_MAIN_BEGIN line 3"}},
		{[]string{"wrong.wgsl"}, []string{"shader material wrong", "FRAGMENT line 13"}},
		{[]string{"typo.wgsl"}, []string{at("typo.wgsl"), "line 1", "CUSTOM_FRAGMENT_END"}},
		{[]string{"none.wgsl"}, []string{at("none.wgsl")}},
		{[]string{"column.glb"}, []string{at("column.glb"), ".wgsl"}},
		{[]string{"green.wgsl", "blue.wgsl"}, []string{"shader material blue", "takes no plugins"}},
		{[]string{"loose.wgsl", "blue.wgsl"}, []string{"both materials"}},
	} {
		code, said := draw(x.plugins...)
		if code != 2 {
			t.Errorf("%v: exit code %d", x.plugins, code)
		}
		for _, w := range x.want {
			if !strings.Contains(said, w) {
				t.Errorf("%v: %q does not say %q", x.plugins, said, w)
			}
		}
	}
}
