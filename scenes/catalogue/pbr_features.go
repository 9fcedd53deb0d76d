package catalogue

import (
	"context"
	"fmt"
	"math"

	"darkroom/composer"
	"darkroom/material"
	"darkroom/material/pbr"
	"darkroom/material/texture"
	"darkroom/scenes"
	"darkroom/scenes/env"
	"darkroom/scenes/linalg"
	"darkroom/scenes/mesh"
	"darkroom/scenes/transmission"
)

// studioPanorama is a dim room with a blue floor and three lamps.
func studioPanorama() *env.Equirect {
	const w, h = 128, 64
	lamps := []struct {
		from  linalg.Vec3
		size  float64 // cosine of the lamp's edge
		color [3]float64
	}{
		{linalg.Vec3{-0.6, 0.7, -0.5}.Normalize(), 0.95, [3]float64{9, 8, 6.5}},
		{linalg.Vec3{0.9, 0.2, -0.3}.Normalize(), 0.97, [3]float64{2.5, 5, 9}},
		{linalg.Vec3{0.1, 0.3, 1}.Normalize(), 0.9, [3]float64{3, 1.2, 0.5}},
	}
	e := &env.Equirect{Width: w, Height: h, Pix: make([]float32, 0, w*h*4)}
	for y := range h {
		sin, cos := math.Sincos((float64(y) + 0.5) / h * math.Pi)
		for x := range w {
			ts, tc := math.Sincos((2*(float64(x)+0.5)/w - 1) * math.Pi)
			d := linalg.Vec3{sin * ts, cos, sin * tc}
			up := 0.5 + 0.5*d[1]
			c := [3]float64{0.06 + 0.3*up, 0.08 + 0.3*up, 0.22 + 0.15*up}
			for _, l := range lamps {
				edge := min(1, max(0, (d.Dot(l.from)-l.size)/0.02))
				for i := range c {
					c[i] += l.color[i] * edge
				}
			}
			e.Pix = append(e.Pix, float32(c[0]), float32(c[1]), float32(c[2]), 1)
		}
	}
	return e
}

// studio is an environment of the project's own, made of studioPanorama.
func studio() (*material.Environment, error) {
	e := studioPanorama()
	cube, err := e.Cube(32, true).Prefilter(context.Background(), 64)
	if err != nil {
		return nil, fmt.Errorf("studio: %w", err)
	}
	return (&env.Map{Kind: "hdr", Cube: cube, SH: e.SH(), Prefiltered: true, LodScale: 0.8}).Environment(), nil
}

// ownPBR is a scene of the studio with two lights, which show the terms that
// the environment does not.
func ownPBR(name, description string, build func(b *bench)) *Entry {
	return ownPBRIn("pbr_features.go", name, description, build)
}

// ownPBRIn is ownPBR for a scene of another file of this folder.
func ownPBRIn(file, name, description string, build func(b *bench)) *Entry {
	name = "own-pbr-" + name
	return &Entry{
		Name: name, Description: description, Tags: []string{"own", "pbr", "environment"}, Width: 640, Height: 360,
		MaxMAD: 0.15, Source: "scenes/catalogue/" + file,
		Build: func(Assets) (*scenes.Scene, error) {
			b := &bench{Scene: scenes.New(name)}
			b.Camera = scenes.NewArcRotate("camera", -math.Pi/2, 1.3, 9, linalg.Vec3{}).Clip(0.1, 100)
			b.Environment, b.err = studio()
			b.ImageProcessing = material.ImageProcessing{ToneMapping: material.ToneMapStandard}
			sun := scenes.Directional("sun", linalg.Vec3{0.6, -0.7, 0.8})
			sun.Intensity = 1.5
			lamp := scenes.Point("lamp", linalg.Vec3{3, 2, 3})
			lamp.Intensity, lamp.Diffuse = 20, scenes.Color3{0.5, 1, 0.6}
			b.AddLight(sun, lamp)
			build(b)
			transmission.Add(b.Scene)
			return b.Scene, b.err
		},
	}
}

// plain is a dielectric of one colour.
func plain(name string, roughness, r, g, b float64) *pbr.Material {
	m := pbr.New(name)
	m.Metallic, m.Roughness, m.BaseColor = 0, roughness, [4]float64{r, g, b, 1}
	m.SpecularAA = true
	return m
}

// two puts a row of five balls above another.
func (b *bench) two(make func(i int, lower bool) *pbr.Material) {
	for i := range 5 {
		b.ball(fmt.Sprintf("upper %d", i), make(i, false), 2*float64(i-2), 1.1, 0)
		b.ball(fmt.Sprintf("lower %d", i), make(i, true), 2*float64(i-2), -1.1, 0)
	}
}

func ownClearcoat() *Entry {
	return ownPBR("clearcoat", "clear coats: growing, rougher; with a normal map, tinted, over a film, over a bumpy base, on both sides", func(b *bench) {
		b.two(func(i int, lower bool) *pbr.Material {
			m := plain("coated", 0.7, 0.6, 0.05, 0.05)
			m.Clearcoat = &pbr.Clearcoat{Factor: 1}
			if !lower {
				m.Clearcoat.Factor, m.Clearcoat.Roughness = 0.25*float64(i), 0.1*float64(i)
				return m
			}
			switch i {
			case 0:
				m.Clearcoat.NormalTexture = &pbr.Channel{Texture: dimples(2), Scale: [2]float64{3, 2}}
			case 1:
				m.BaseColor, m.Metallic, m.Roughness = [4]float64{0.9, 0.9, 0.9, 1}, 1, 0.4
				m.Clearcoat.Tint, m.Clearcoat.TintThickness = &[3]float64{0.9, 0.5, 0.2}, 0.7
			case 2:
				m.Iridescence = &pbr.Iridescence{Factor: 1, IOR: 2, ThicknessMinimum: 100, ThicknessMaximum: 450}
				m.Clearcoat.Factor = 0.6
			case 3:
				m.NormalTexture = &pbr.Channel{Texture: dimples(2), Scale: [2]float64{3, 2}}
			case 4:
				m.Clearcoat.RemapBase, m.Clearcoat.IOR, m.TwoSided = true, 1.8, true
				m.Metallic, m.Roughness = 1, 0.3
			}
			return m
		})
	})
}

func ownSheen() *Entry {
	return ownPBR("sheen", "sheen: rougher from left to right; below of more colours, and textured", func(b *bench) {
		b.two(func(i int, lower bool) *pbr.Material {
			m := plain("cloth", 1, 0.03, 0.04, 0.15)
			m.Sheen = &pbr.Sheen{Color: [3]float64{0.9, 0.7, 0.7}, Roughness: 0.2 + 0.2*float64(i)}
			if lower {
				m.Sheen.Color = [3]float64{0.2 * float64(i), 0.5, 0.9}
				m.Sheen.Roughness = 0.6
				if i > 2 {
					m.Sheen.ColorTexture = &pbr.Channel{Texture: letter()}
				}
				if i == 4 {
					m.Clearcoat = &pbr.Clearcoat{Factor: 1, Roughness: 0.1}
				}
			}
			return m
		})
	})
}

// whorls turn the direction of an anisotropy around the middle, strength 1.
func whorls() *texture.Texture {
	return texels("whorls", 64, func(x, y int) [4]float64 {
		d := linalg.Vec3{31.5 - float64(y), float64(x) - 31.5, 0}.Normalize()
		return [4]float64{d[0]*0.5 + 0.5, d[1]*0.5 + 0.5, 1, 1}
	})
}

func ownAnisotropy() *Entry {
	return ownPBR("anisotropy", "stretched highlights of metal: stronger from left to right, below turned, and around a centre", func(b *bench) {
		b.two(func(i int, lower bool) *pbr.Material {
			m := pbr.New("brushed")
			m.BaseColor, m.Roughness, m.SpecularAA = [4]float64{0.85, 0.8, 0.75, 1}, 0.25, true
			m.Anisotropy = &pbr.Anisotropy{Strength: 0.25 * float64(i)}
			if lower {
				m.Anisotropy.Strength, m.Anisotropy.Rotation = 0.8, float64(i)*math.Pi/6
				if i == 3 {
					m.NormalTexture = &pbr.Channel{Texture: dimples(2), Scale: [2]float64{3, 2}}
				}
				if i == 4 {
					m.Anisotropy.Texture, m.Anisotropy.Rotation = &pbr.Channel{Texture: whorls(), Scale: [2]float64{4, 2}}, 0
				}
			}
			return m
		})
	})
}

func ownTransmission() *Entry {
	return ownPBR("transmission", "glass before a board: rougher from left to right; below bodies that refract, absorb and disperse", func(b *bench) {
		board := plain("board", 0.8, 1, 1, 1)
		board.BaseColorTexture = &pbr.Channel{Texture: checker(8, [4]float64{0.9, 0.9, 0.85, 1}, [4]float64{0.1, 0.15, 0.3, 1}), Scale: [2]float64{2, 2}}
		b.board("board", board, 14, 0, 0, 3)
		b.two(func(i int, lower bool) *pbr.Material {
			m := plain("glass", 0.15*float64(i), 0.8, 0.95, 1)
			m.Transmission = &pbr.Transmission{Factor: 1}
			if lower {
				m.BaseColor, m.Roughness, m.IOR = [4]float64{1, 1, 1, 1}, 0, 1.2+0.15*float64(i)
				m.Volume = &pbr.Volume{Thickness: 0.9}
				switch i {
				case 1:
					m.Volume.AttenuationDistance, m.Volume.AttenuationColor = 0.5, [3]float64{0.9, 0.4, 0.2}
				case 2:
					m.Dispersion = 4
				case 3:
					m.Transmission.Texture = &pbr.Channel{Texture: checker(8, [4]float64{1, 1, 1, 1}, [4]float64{0.2, 1, 1, 1})}
				case 4:
					m.Volume.ThicknessTexture = &pbr.Channel{Texture: checker(4, [4]float64{1, 1, 1, 1}, [4]float64{0, 0.2, 0, 1})}
					m.Clearcoat = &pbr.Clearcoat{Factor: 1}
				}
			}
			return m
		})
	})
}

func ownTranslucency() *Entry {
	return ownPBR("translucency", "leaves and wax lit from behind: more light through from left to right; below weakened by thickness, and textured", func(b *bench) {
		b.Camera.Rig.(*scenes.ArcRotate).Alpha = math.Pi/2 + 0.3 // against the sun
		b.two(func(i int, lower bool) *pbr.Material {
			m := plain("leaf", 0.6, 0.4, 0.6, 0.3)
			m.TwoSided = true
			m.DiffuseTransmission = &pbr.DiffuseTransmission{Factor: 0.25 * float64(i), Color: [3]float64{0.5, 0.9, 0.2}}
			if lower {
				m.DiffuseTransmission.Factor, m.DiffuseTransmission.Color = 0.9, [3]float64{1, 0.9, 0.8}
				m.Volume = &pbr.Volume{Thickness: 0.4 * float64(i), AttenuationDistance: 1, AttenuationColor: [3]float64{0.9, 0.3, 0.1}}
				if i == 4 {
					m.Volume = nil
					m.DiffuseTransmission.ColorTexture = &pbr.Channel{Texture: letter()}
				}
			}
			return m
		})
	})
}

func ownLayers() *Entry {
	return ownPBR("layers", "every layer over and under every other, without an environment; seen from inside, too", func(b *bench) {
		b.Environment = nil
		b.two(func(i int, lower bool) *pbr.Material {
			m := plain("layers", 0.4, 0.6, 0.5, 0.4)
			m.Sheen = &pbr.Sheen{Color: [3]float64{0.6, 0.2, 0.5}, Roughness: 0.5}
			m.Anisotropy = &pbr.Anisotropy{Strength: 0.7, Rotation: 0.6}
			m.Clearcoat = &pbr.Clearcoat{Factor: 0.2 * float64(i), Roughness: 0.2}
			m.Iridescence = &pbr.Iridescence{Factor: 0.8, ThicknessMinimum: 100, ThicknessMaximum: 500}
			if lower {
				m.Metallic = 0.2 * float64(i)
				m.Specular = &pbr.Specular{Factor: 0.8, Color: [3]float64{1, 0.7, 0.5}}
				m.Clearcoat.RemapBase = i == 3
				m.Transmission = &pbr.Transmission{Factor: 0.5}
				m.DiffuseTransmission = &pbr.DiffuseTransmission{Factor: 0.5, Color: [3]float64{0.9, 0.8, 0.2}}
				m.TwoSided = true
			}
			return m
		})
		bowl := plain("bowl", 0.4, 0.6, 0.5, 0.4)
		bowl.TwoSided = true
		bowl.NormalTexture = &pbr.Channel{Texture: dimples(2), Scale: [2]float64{3, 2}}
		bowl.Clearcoat = &pbr.Clearcoat{Factor: 1, NormalTexture: &pbr.Channel{Texture: dimples(4), Scale: [2]float64{3, 2}}}
		bowl.Anisotropy = &pbr.Anisotropy{Strength: 0.5}
		bowl.FrontFace = composer.FrontCW
		b.put("bowl", bowl, 0, 0, -2)(mesh.CreateSphere(mesh.SphereOptions{Diameter: 1.2, Segments: 24, Slice: 0.5}))
	})
}
