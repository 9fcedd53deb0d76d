package main

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"image/color"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"darkroom/goldens/png"
)

// TestMain is the program itself where a test calls it.
func TestMain(m *testing.M) {
	if os.Getenv("DARKROOM_TEST_PROGRAM") != "" {
		main()
		return
	}
	os.Exit(m.Run())
}

// program runs the command line and returns its exit code and what it said.
func program(t *testing.T, dir string, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	c := exec.Command(os.Args[0], args...)
	c.Dir = dir
	c.Env = append(os.Environ(), "DARKROOM_TEST_PROGRAM=1")
	var out, errs bytes.Buffer
	c.Stdout, c.Stderr = &out, &errs
	err := c.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return c.ProcessState.ExitCode(), out.String(), errs.String()
}

// model is a white triangle about the origin with a camera, two animations
// (away to the side, and larger), a red and a green variant, all without light;
// more goes into the file's top level.
func model(more string) []byte {
	var bin []byte
	for _, f := range []float32{-1, -1, 0, 1, -1, 0, 0, 1, 0, 0, 1, 0, 0, 0, 100, 0, 0, 1, 1, 1, 2, 2, 2} {
		bin = binary.LittleEndian.AppendUint32(bin, math.Float32bits(f))
	}
	unlit := func(rgb string) string {
		return `{"doubleSided":true,"extensions":{"KHR_materials_unlit":{}},"pbrMetallicRoughness":{"baseColorFactor":[` + rgb + `,1]}}`
	}
	return fmt.Appendf(nil, `{"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0,1]}],
"nodes":[{"mesh":0},{"camera":0,"translation":[0,0,20]}],"cameras":[{"type":"perspective","perspective":{"yfov":0.5,"znear":1}}],
"meshes":[{"primitives":[{"attributes":{"POSITION":0},"material":0,"extensions":{"KHR_materials_variants":{"mappings":[{"material":1,"variants":[0]},{"material":2,"variants":[1]}]}}}]}],
"materials":[%s,%s,%s],"extensions":{"KHR_materials_variants":{"variants":[{"name":"red"},{"name":"green"}]}},
"animations":[{"samplers":[{"input":1,"output":2}],"channels":[{"sampler":0,"target":{"node":0,"path":"translation"}}]},{"samplers":[{"input":1,"output":3}],"channels":[{"sampler":0,"target":{"node":0,"path":"scale"}}]}],
"buffers":[{"byteLength":%d,"uri":"data:;base64,%s"}],
"bufferViews":[{"buffer":0,"byteLength":36},{"buffer":0,"byteOffset":36,"byteLength":8},{"buffer":0,"byteOffset":44,"byteLength":24},{"buffer":0,"byteOffset":68,"byteLength":24}],
"accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3","min":[-1,-1,0],"max":[1,1,0]},{"bufferView":1,"componentType":5126,"count":2,"type":"SCALAR"},
{"bufferView":2,"componentType":5126,"count":2,"type":"VEC3"},{"bufferView":3,"componentType":5126,"count":2,"type":"VEC3"}]%s}`,
		unlit("1,1,1"), unlit("1,0,0"), unlit("0,1,0"), len(bin), base64.StdEncoding.EncodeToString(bin), more)
}

func save(t *testing.T, path string, data []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
}

// panorama is a Radiance picture of one colour (8 × 4, R:G:B 4:2:1).
func panorama() []byte {
	b := []byte("#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 4 +X 8\n")
	for range 32 {
		b = append(b, 128, 64, 32, 129)
	}
	return b
}

// pixel is a point of a PNG file; x and y are fractions of its size.
func pixel(t *testing.T, path string, x, y float64) color.NRGBA {
	t.Helper()
	p, _, err := png.Read(path, png.Caps{})
	if err != nil {
		t.Fatal(err)
	}
	b := p.Bounds()
	return color.NRGBAModel.Convert(p.At(b.Min.X+int(x*float64(b.Dx()-1)), b.Min.Y+int(y*float64(b.Dy()-1)))).(color.NRGBA)
}

func TestGltfFlags(t *testing.T) {
	dir := t.TempDir()
	save(t, filepath.Join(dir, "m.gltf"), model(""))
	save(t, filepath.Join(dir, "sky.hdr"), panorama())
	white, red, green, none := color.NRGBA{255, 255, 255, 255}, color.NRGBA{255, 0, 0, 255}, color.NRGBA{0, 255, 0, 255}, color.NRGBA{}
	ground := color.NRGBA{0x33, 0x33, 0x4d, 255}
	for _, c := range []struct {
		flags          string
		center, corner color.NRGBA
	}{
		{"", white, ground},
		{"--variant red", red, ground},
		{"--variant green --background 0000ff", green, color.NRGBA{0, 0, 255, 255}},
		{"--background transparent", white, none},
		{"--time 1", ground, ground}, // the first animation plays by itself
		{"--animation 1 --time 1", white, ground},
		{"--animation none --time 1", white, ground},
		{"--camera 0", white, ground},
		{"--camera 0 --time 1", ground, ground},
		{"--tone-mapping off --exposure 1 --contrast 1", white, ground},
	} {
		t.Run(c.flags, func(t *testing.T) {
			code, stdout, stderr := program(t, dir, append(strings.Fields("gltf m.gltf -o out --size 64x64 "), strings.Fields(c.flags)...)...)
			if code != 0 || stderr != "" {
				t.Fatalf("exit code %d, standard error %q; %s", code, stderr, stdout)
			}
			if got := pixel(t, filepath.Join(dir, "out", "m.png"), 0.5, 0.5); got != c.center {
				t.Errorf("the middle is %v, want %v", got, c.center)
			}
			if got := pixel(t, filepath.Join(dir, "out", "m.png"), 0, 0); got != c.corner {
				t.Errorf("the corner is %v, want %v", got, c.corner)
			}
		})
	}
	// An opaque material ignores its alpha: nothing shines through, the picture's own alpha included.
	save(t, filepath.Join(dir, "m.gltf"), bytes.Replace(model(""), []byte("[1,1,1,1]"), []byte("[1,1,1,0.25]"), 1))
	if code, _, stderr := program(t, dir, strings.Fields("gltf m.gltf -o out --size 64x64 --background transparent")...); code != 0 {
		t.Fatal(stderr)
	}
	if got := pixel(t, filepath.Join(dir, "out", "m.png"), 0.5, 0.5); got != white {
		t.Errorf("an opaque material of alpha 0.25 is drawn as %v", got)
	}
	save(t, filepath.Join(dir, "m.gltf"), model(""))
	// The scaled triangle covers what the one at rest does not.
	at := func(flags ...string) color.NRGBA {
		program(t, dir, append(strings.Fields("gltf m.gltf -o out --size 64x64"), flags...)...)
		return pixel(t, filepath.Join(dir, "out", "m.png"), 0.5, 0.12)
	}
	if rest, large := at("--animation", "none"), at("--animation", "1", "--time", "1"); rest != ground || large != white {
		t.Errorf("above the triangle it is %v at rest and %v at twice the size", rest, large)
	}
	sky := func(flags ...string) color.NRGBA {
		code, _, stderr := program(t, dir, append(strings.Fields("gltf m.gltf -o out --size 64x64 --env sky.hdr --background env"), flags...)...)
		if code != 0 {
			t.Fatal(stderr)
		}
		return pixel(t, filepath.Join(dir, "out", "m.png"), 0.02, 0.02)
	}
	plain := sky("--tone-mapping", "off", "--exposure", "0.5")
	if !(plain.R > plain.G && plain.G > plain.B && plain.B > 20) {
		t.Errorf("the background is %v, want the panorama's colours", plain)
	}
	if dark := sky("--tone-mapping", "off", "--exposure", "0.25"); dark.G >= plain.G {
		t.Errorf("at half the exposure the background is %v, it was %v", dark, plain)
	}
	for _, op := range []string{"standard", "aces", "neutral"} {
		if got := sky("--tone-mapping", op, "--exposure", "0.5"); got == plain {
			t.Errorf("tone mapping %s changes nothing", op)
		}
	}
}

func TestGltfFlagsThatAreWrong(t *testing.T) {
	dir := t.TempDir()
	save(t, filepath.Join(dir, "m.gltf"), model(""))
	for _, c := range []struct{ flags, want string }{
		{"m.gltf --variant blue", "no variant \"blue\"; it has red, green"},
		{"m.gltf --animation 2", "no animation 2, the file has 2 animations"},
		{"m.gltf --camera 1", "there is no camera 1"},
		{"m.gltf --background env", "--env"},
		{"m.gltf --background #ff0000", "RRGGBB"},
		{"m.gltf --exposure NaN", "--exposure"},
		{"m.gltf --tone-mapping filmic", "tone-mapping"},
		{"m.gltf --env none.env", "none.env"},
		{"none.gltf", "none.gltf"},
		{".", ""}, // found in the folder, so drawn
	} {
		code, stdout, stderr := program(t, dir, append([]string{"gltf", "-o", "out", "--size", "16x16"}, strings.Fields(c.flags)...)...)
		if c.want == "" {
			if code != 0 {
				t.Errorf("%s: exit code %d: %s", c.flags, code, stderr)
			}
			continue
		}
		if code != 2 || !strings.Contains(stdout+stderr, c.want) {
			t.Errorf("%s: exit code %d, standard output %q, standard error %q; want 2 and %q", c.flags, code, stdout, stderr, c.want)
		}
	}
}

// A folder is drawn to its end whatever is in it, and ends with a table.
func TestGltfFolder(t *testing.T) {
	dir := t.TempDir()
	for name, data := range map[string][]byte{
		"a/m.gltf": model(""), "b/m.gltf": model(`,"extensionsUsed":["ACME_x"]`), "m-2.gltf": model(""),
		"b/need.gltf": model(`,"extensionsUsed":["ACME_x"],"extensionsRequired":["ACME_x"]`), "broken.glb": []byte("glTF"), "read.me": nil,
	} {
		save(t, filepath.Join(dir, "in", name), data)
	}
	code, stdout, stderr := program(t, dir, "gltf", "in", "-o", "out", "--size", "32x32", "--sheet", "sheet.png")
	if code != 2 || stderr != "render: 2 of 5 files were not drawn\n" {
		t.Errorf("exit code %d, standard error %q", code, stderr)
	}
	lines := strings.Split(strings.TrimSpace(stdout), "\n")
	if len(lines) != 5 {
		t.Fatalf("the table has %d lines:\n%s", len(lines), stdout)
	}
	for i, want := range [][]string{
		{"ok", "in/a/m.gltf", "m.png"},
		{"ok", "in/b/m.gltf", "m-2.png", `warnings: extension "ACME_x" is ignored`},
		{"FAILED", "in/b/need.gltf", `"ACME_x": required extension not supported`},
		{"FAILED", "in/broken.glb", "GLB header"},
		{"ok", "in/m-2.gltf", "m-2-2.png"},
	} {
		for _, w := range want {
			if !strings.Contains(lines[i], w) {
				t.Errorf("line %d is %q, want %q in it", i+1, lines[i], w)
			}
		}
	}
	for _, p := range []string{"m.png", "m-2.png", "m-2-2.png"} {
		if got := pixel(t, filepath.Join(dir, "out", p), 0.5, 0.5); got.R != 255 {
			t.Errorf("%s: the middle is %v", p, got)
		}
	}
	pixel(t, filepath.Join(dir, "sheet.png"), 0.5, 0.5)

	code, stdout, stderr = program(t, dir, "gltf", "in/b/m.gltf", "-o", "out", "--size", "32x32", "--json")
	var doc struct {
		Results []struct {
			Source   string
			Warnings []string
		}
	}
	if err := json.Unmarshal([]byte(stdout), &doc); err != nil || code != 0 || stderr != "" {
		t.Fatalf("exit code %d, standard error %q, %v", code, stderr, err)
	}
	if len(doc.Results) != 1 || len(doc.Results[0].Warnings) != 1 || !strings.Contains(doc.Results[0].Warnings[0], "ACME_x") {
		t.Errorf("got %+v, want one warning about ACME_x", doc.Results)
	}
}

// A job of the render-fidelity suite is one argument of JSON.
func TestGltfFidelityJob(t *testing.T) {
	dir := t.TempDir()
	// As the suite has it: paths as seen from a renderer's page, the working folder two above.
	save(t, filepath.Join(dir, "suite", "shared-assets", "models", "m.gltf"), model(""))
	save(t, filepath.Join(dir, "suite", "shared-assets", "environments", "sky.hdr"), panorama())
	job := func(scenario string) string {
		return `{"scenario":{"name":"x","model":"../../../shared-assets/models/m.gltf","lighting":"../../../shared-assets/environments/sky.hdr",` + scenario + `},"outputFile":"./test/goldens/x/mine-golden.png"}`
	}
	run := func(scenario string, flags ...string) (int, string) {
		code, stdout, stderr := program(t, filepath.Join(dir, "suite"), append([]string{"gltf", job(scenario)}, flags...)...)
		return code, stdout + stderr
	}
	picture := filepath.Join(dir, "suite", "test", "goldens", "x", "mine-golden.png")
	front := `"dimensions":{"width":32,"height":24},"target":{"x":0,"y":0,"z":0},"orbit":{"theta":0,"phi":90,"radius":4},"verticalFoV":45`
	if code, said := run(front + `,"renderSkybox":false`); code != 0 {
		t.Fatal(said)
	}
	p, _, err := png.Read(picture, png.Caps{})
	if err != nil {
		t.Fatal(err)
	}
	if b := p.Bounds(); b.Dx() != 64 || b.Dy() != 48 {
		t.Errorf("the picture is %v; the suite compares two pixels for each unit", b)
	}
	if c := pixel(t, picture, 0, 0); c != (color.NRGBA{}) {
		t.Errorf("the corner is %v, want it transparent", c)
	}
	if c := pixel(t, picture, 0.5, 0.5); c.A != 255 || c.R < 200 {
		t.Errorf("the middle is %v, want the triangle", c)
	}
	// From the side the triangle is a line, and a target above it leaves it below.
	if run(`"orbit":{"theta":90,"phi":90,"radius":4},"dimensions":{"width":32,"height":32}`); pixel(t, picture, 0.4, 0.5).A != 0 {
		t.Error("theta does not turn the camera")
	}
	if run(`"target":{"x":0,"y":3,"z":0},"orbit":{"theta":0,"phi":90,"radius":4},"dimensions":{"width":32,"height":32}`); pixel(t, picture, 0.5, 0.5).A != 0 {
		t.Error("the target does not move the camera")
	}
	if code, said := run(front + `,"renderSkybox":true`); code != 0 {
		t.Fatal(said)
	}
	if c := pixel(t, picture, 0, 0); !(c.A == 255 && c.R > c.G && c.G > c.B) {
		t.Errorf("the corner is %v, want the panorama", c)
	}
	if code, said := run(front, "--pixel-ratio", "1"); code != 0 {
		t.Fatal(said)
	}
	if p, _, err := png.Read(picture, png.Caps{}); err != nil || p.Bounds().Dx() != 32 {
		t.Errorf("with --pixel-ratio 1: %v, %v", p.Bounds(), err)
	}
	for _, c := range []struct{ job, want string }{
		{`{"scenario":{"model":"none.glb"},"outputFile":"x.png"}`, "scenario.model: no file at none.glb"},
		{`{"scenario":{},"outputFile":"x.png"}`, "scenario.model"},
		{`{"scenario":{"model":"m.glb"}}`, "outputFile"},
		{`{"scenario":[],"outputFile":"x.png"}`, "the job is not JSON of the form"},
		{job(`"orbit":{"radius":0}`), "radius"},
		{job(`"dimensions":{"width":1e9,"height":1}`), "dimensions"},
	} {
		code, stdout, stderr := program(t, filepath.Join(dir, "suite"), "gltf", c.job)
		if code != 2 || !strings.Contains(stdout+stderr, c.want) {
			t.Errorf("%s: exit code %d, %q; want %q", c.job, code, stdout+stderr, c.want)
		}
	}
}
