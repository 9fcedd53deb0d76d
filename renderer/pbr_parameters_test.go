package renderer

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"reflect"
	"testing"

	"darkroom/composer"
	"darkroom/material"
	"darkroom/material/pbr"
	"darkroom/material/texel"
	"darkroom/material/texture"
	"darkroom/scenes"
	"darkroom/scenes/env"
	"darkroom/scenes/linalg"
	"darkroom/scenes/mesh"
	"darkroom/scenes/transmission"
)

// mottled is a texture whose texels all differ, every channel between 0.2 and 0.8.
func mottled() *texture.Texture {
	var pix []byte
	for i := range 16 * 16 {
		pix = append(pix, byte(51+i*37%153), byte(51+i*91%153), byte(51+i*53%153), byte(51+i*29%153))
	}
	return &texture.Texture{Name: "mottled", Mips: true, Source: &texture.Pixels{Width: 16, Height: 16, Levels: [][]byte{pix}}}
}

func mottledChannel() *pbr.Channel { return &pbr.Channel{Texture: mottled()} }

// everything is a material that uses every layer, with nothing at a value where
// another would have no say.
func everything() *pbr.Material {
	m := pbr.New("everything")
	m.BaseColor, m.Metallic, m.Roughness, m.Emissive = [4]float64{0.6, 0.5, 0.4, 0.7}, 0.3, 0.4, [3]float64{0.1, 0.05, 0.1}
	m.IOR = 1.4
	m.Specular = &pbr.Specular{Factor: 0.8, Color: [3]float64{0.9, 0.8, 0.7}}
	m.Clearcoat = &pbr.Clearcoat{Factor: 0.5, Roughness: 0.3, IOR: 1.6, Tint: &[3]float64{0.8, 0.6, 0.5}, TintThickness: 0.5}
	m.Sheen = &pbr.Sheen{Color: [3]float64{0.3, 0.2, 0.4}, Roughness: 0.4}
	m.Anisotropy = &pbr.Anisotropy{Strength: 0.5, Rotation: 0.3}
	m.Iridescence = &pbr.Iridescence{Factor: 0.4, IOR: 1.4, ThicknessMinimum: 200, ThicknessMaximum: 350}
	m.Transmission = &pbr.Transmission{Factor: 0.4}
	m.Volume = &pbr.Volume{Thickness: 0.4, AttenuationDistance: 0.7, AttenuationColor: [3]float64{0.7, 0.8, 0.9}}
	m.DiffuseTransmission = &pbr.DiffuseTransmission{Factor: 0.3, Color: [3]float64{0.6, 0.8, 0.5}}
	m.Dispersion = 2
	return m
}

// needs says what a parameter acts on: changes to everything() that give it a say.
var needs = map[string]func(*pbr.Material){
	"BaseColor[3]":                 func(m *pbr.Material) { m.AlphaMode = pbr.Blend },
	"NormalScale":                  func(m *pbr.Material) { m.NormalTexture, m.NormalScale = mottledChannel(), 0.7 },
	"OcclusionStrength":            func(m *pbr.Material) { m.OcclusionTexture, m.OcclusionStrength = mottledChannel(), 0.7 },
	"Clearcoat.NormalScale":        func(m *pbr.Material) { m.Clearcoat.NormalTexture, m.Clearcoat.NormalScale = mottledChannel(), 0.7 },
	"Iridescence.ThicknessMinimum": func(m *pbr.Material) { m.Iridescence.ThicknessTexture = mottledChannel() },
	"AlphaCutoff": func(m *pbr.Material) {
		m.AlphaMode, m.BaseColorTexture, m.AlphaCutoff = pbr.Mask, mottledChannel(), 0.3
	},
	"AlphaMode":                      func(m *pbr.Material) {},
	"SpecularGlossiness.Specular[0]": glossy, "SpecularGlossiness.Specular[1]": glossy, "SpecularGlossiness.Specular[2]": glossy,
	"SpecularGlossiness.Glossiness": glossy, "SpecularGlossiness.Texture": glossy,
}

func glossy(m *pbr.Material) {
	m.SpecularGlossiness = &pbr.SpecularGlossiness{Specular: [3]float64{0.4, 0.3, 0.5}, Glossiness: 0.6}
}

// silent parameters change no colour of a single mesh seen from outside.
var silent = map[string]string{
	"Name": "a label", "NoDepthWrite": "acts on what is drawn later", "Backdrop": "a material of another kind, scene177 and own-pbr-environment-turned show it",
	"TwoSided": "nothing shows a back", "SpecularGlossiness": "needs its own values", "FrontFace": "a string", "ShadowCaster": "a material of its own",
}

// Every parameter of the material has a say in the picture: there is none that
// is written into a block and read by nobody.
func TestEveryPBRParameterActs(t *testing.T) {
	r := open(t)
	draw := benchOfPBR(t, r, true, true)
	var plain []byte // everything() as it is
	var walk func(path string, at func(*pbr.Material) reflect.Value)
	check := func(path string, at func(*pbr.Material) reflect.Value, change func(reflect.Value)) {
		t.Run(path, func(t *testing.T) {
			b, before := everything(), plain
			if f := needs[path]; f != nil {
				a := everything()
				f(a)
				f(b)
				before = draw(t, a)
			} else if before == nil {
				plain = draw(t, everything())
				before = plain
			}
			change(at(b))
			if bytes.Equal(before, draw(t, b)) {
				t.Errorf("the picture is the same with another %s", path)
			}
		})
	}
	walk = func(path string, at func(*pbr.Material) reflect.Value) {
		if silent[path] != "" {
			return
		}
		m := everything()
		if f := needs[path]; f != nil {
			f(m)
		} else if path == "SpecularGlossiness" {
			glossy(m)
		}
		v := at(m)
		switch {
		case v.Type() == reflect.TypeFor[*pbr.Channel]():
			check(path, at, func(v reflect.Value) { v.Set(reflect.ValueOf(mottledChannel())) })
		case v.Kind() == reflect.Pointer:
			walk(path, func(m *pbr.Material) reflect.Value { return at(m).Elem() })
		case v.Kind() == reflect.Struct:
			for i := range v.NumField() {
				name := v.Type().Field(i).Name
				if path != "" {
					name = path + "." + name
				}
				walk(name, func(m *pbr.Material) reflect.Value { return at(m).Field(i) })
			}
		case v.Kind() == reflect.Array:
			for i := range v.Len() {
				walk(fmt.Sprintf("%s[%d]", path, i), func(m *pbr.Material) reflect.Value { return at(m).Index(i) })
			}
		case v.Kind() == reflect.Float64:
			check(path, at, func(v reflect.Value) { v.SetFloat(v.Float()*0.6 + 0.01) })
		case v.Kind() == reflect.Bool:
			check(path, at, func(v reflect.Value) { v.SetBool(!v.Bool()) })
		case v.Kind() == reflect.Uint8:
			check(path, at, func(v reflect.Value) { v.SetUint(uint64(pbr.Blend)) })
		default:
			t.Errorf("%s is %s: say in silent why the test leaves it out, or teach it", path, v.Type())
		}
	}
	walk("", func(m *pbr.Material) reflect.Value { return reflect.ValueOf(m).Elem() })
	glossyParts := reflect.TypeFor[pbr.SpecularGlossiness]()
	for i := range glossyParts.NumField() {
		walk("SpecularGlossiness."+glossyParts.Field(i).Name, func(m *pbr.Material) reflect.Value {
			if m.SpecularGlossiness == nil {
				glossy(m)
			}
			return reflect.ValueOf(m.SpecularGlossiness).Elem().Field(i)
		})
	}
	for _, part := range []string{"UV", "Offset", "Scale", "Rotation"} {
		t.Run("Channel."+part, func(t *testing.T) {
			a, b := everything(), everything()
			a.BaseColorTexture, b.BaseColorTexture = mottledChannel(), mottledChannel()
			switch c := b.BaseColorTexture; part {
			case "UV":
				c.UV = 1
			case "Offset":
				c.Offset = [2]float64{0.1, 0.2}
			case "Scale":
				c.Scale = [2]float64{2, 1}
			case "Rotation":
				c.Rotation = 0.5
			}
			if bytes.Equal(draw(t, a), draw(t, b)) {
				t.Errorf("the picture is the same with another %s", part)
			}
		})
	}
}

// A coat's roughness shows in what it reflects of lights and of an environment,
// and of either alone.
func TestCoatRoughnessActs(t *testing.T) {
	r := open(t)
	for _, c := range []struct {
		name          string
		light, around bool
	}{{"lights", true, false}, {"environment", false, true}, {"both", true, true}} {
		t.Run(c.name, func(t *testing.T) {
			draw := benchOfPBR(t, r, c.light, c.around)
			coat := func(roughness float64) []byte {
				m := pbr.New("coated")
				m.Clearcoat = &pbr.Clearcoat{Factor: 1, Roughness: roughness}
				return draw(t, m)
			}
			if bytes.Equal(coat(0.1), coat(0.9)) {
				t.Error("coats of roughness 0.1 and 0.9 look the same")
			}
		})
	}
}

// benchOfPBR draws a material on a ball before a board, in floats.
func benchOfPBR(t *testing.T, r *Renderer, light, around bool) func(*testing.T, *pbr.Material) []byte {
	t.Helper()
	ball, err := mesh.CreateSphere(mesh.SphereOptions{Segments: 12, Diameter: 2})
	if err != nil {
		t.Fatal(err)
	}
	ball.Builder = nil
	for i := 0; i < len(ball.UVs[0]); i += 2 {
		ball.UVs[1] = append(ball.UVs[1], ball.UVs[0][i+1], ball.UVs[0][i])
	}
	board, err := mesh.CreatePlane(mesh.PlaneOptions{Size: 8})
	if err != nil {
		t.Fatal(err)
	}
	var environment *material.Environment
	if around {
		level := make([]byte, 6*8*8*8)
		for i := range 6 * 8 * 8 {
			texel.PutHalf(level[i*8:], float32(i*29%61)/30, float32(i*17%53)/30, float32(i*41%47)/20, 1)
		}
		c := &env.Cube{Size: 8, Levels: [][]byte{level}}
		if c, err = c.Prefilter(context.Background(), 32); err != nil {
			t.Fatal(err)
		}
		environment = (&env.Map{Kind: "hdr", Cube: c, SH: c.SH(), Prefiltered: true, LodScale: 0.8}).Environment()
	}
	return func(t *testing.T, m *pbr.Material) []byte {
		t.Helper()
		s := scenes.New("bench")
		s.Camera = scenes.NewArcRotate("camera", -math.Pi/2, 1.3, 4, linalg.Vec3{}).Clip(0.1, 50)
		s.Environment = environment
		s.Fog = scenes.Fog{Mode: scenes.FogExp, Color: scenes.Color3{0.2, 0.4, 0.3}, Density: 0.05}
		if light {
			sun := scenes.Directional("sun", linalg.Vec3{0.5, -0.6, 0.7})
			lamp := scenes.Point("lamp", linalg.Vec3{-2, 1, 2})
			lamp.Intensity, lamp.Range = 5, 8
			s.AddLight(sun, lamp)
		}
		s.Add(scenes.NewMesh("ball", ball, m))
		behind := pbr.New("board")
		behind.Metallic, behind.BaseColorTexture = 0, mottledChannel()
		s.Add(scenes.NewMesh("board", board, behind).At(0, 0, 2))
		transmission.Add(s)
		f, err := r.Render(context.Background(), s, Settings{Width: 32, Height: 32, Samples: 1, Format: composer.RGBA16Float})
		if err != nil {
			t.Fatal(err)
		}
		return f.Pix
	}
}
