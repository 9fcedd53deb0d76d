package catalogue

import (
	"math"

	"darkroom/composer"
	"darkroom/material"
	"darkroom/material/instances"
	"darkroom/material/morph"
	"darkroom/material/pbr"
	"darkroom/material/texture"
	"darkroom/scenes"
	"darkroom/scenes/linalg"
	"darkroom/scenes/mesh"
	"darkroom/scenes/shadow"
)

// srgb has t's texels read as display values.
func srgb(t *texture.Texture) *texture.Texture {
	t.Format = composer.RGBA8UnormSRGB
	return t
}

// dressed is a ball's geometry with what the builders do not give it: tangents
// along the parallels, a second set of coordinates seen from the front, colours.
func dressed(tangents, second, colors bool) (*mesh.Geometry, error) {
	g, err := mesh.CreateSphere(mesh.SphereOptions{Diameter: 1.8, Segments: 24})
	if err != nil {
		return nil, err
	}
	g.Builder = nil
	for i := 0; i < len(g.Positions); i += 3 {
		x, y, z := float64(g.Positions[i]), float64(g.Positions[i+1]), float64(g.Positions[i+2])
		if tangents {
			along := linalg.Vec3{-z, 0, x}
			if x == 0 && z == 0 {
				along = linalg.Vec3{1, 0, 0}
			}
			along = along.Normalize()
			g.Tangents = append(g.Tangents, float32(along[0]), float32(along[1]), float32(along[2]), 1)
		}
		if second {
			g.UVs[1] = append(g.UVs[1], float32(x+0.5), float32(y+0.5))
		}
		if colors {
			g.Colors = append(g.Colors, float32(0.5+x/2), float32(0.5+y/2), float32(0.5-z/2), 1)
		}
	}
	return g, nil
}

func ownPBRTextures() *Entry {
	return ownPBRIn("own_pbr_base.go", "textures", "above: colour, metal and roughness, half-strong occlusion, emission above 1, dimples by derivatives; below: by vertex tangents, shallow, turned coordinates, a second set, all together", func(b *bench) {
		stripes := func() *texture.Texture { // roughness across, metal down
			return texels("stripes", 64, func(x, y int) [4]float64 {
				return [4]float64{0.3, 0.1 + 0.8*float64(x/16)/3, float64(y / 32 % 2), 1}
			})
		}
		b.two(func(i int, lower bool) *pbr.Material {
			m := plain("painted", 0.4, 0.7, 0.65, 0.6)
			bumps := &pbr.Channel{Texture: dimples(2), Scale: [2]float64{3, 2}}
			switch {
			case !lower && i == 0:
				m.BaseColor, m.BaseColorTexture = [4]float64{1, 0.9, 0.8, 1}, &pbr.Channel{Texture: srgb(letter()), Scale: [2]float64{4, 2}}
			case !lower && i == 1:
				m.Metallic, m.Roughness, m.MetallicRoughnessTexture = 1, 1, &pbr.Channel{Texture: stripes(), Scale: [2]float64{2, 2}}
			case !lower && i == 2:
				m.OcclusionTexture, m.OcclusionStrength = &pbr.Channel{Texture: letter(), Scale: [2]float64{4, 2}}, 0.5
			case !lower && i == 3:
				m.Emissive, m.EmissiveTexture = [3]float64{0.4, 1.6, 2.4}, &pbr.Channel{Texture: srgb(letter()), Scale: [2]float64{4, 2}}
			case !lower, lower && i == 0:
				m.NormalTexture = bumps
			case i == 1:
				m.NormalTexture, m.NormalScale = bumps, 0.4
			case i == 2:
				m.BaseColorTexture = &pbr.Channel{Texture: srgb(letter()), Offset: [2]float64{0.2, 0.1}, Scale: [2]float64{3, 2}, Rotation: 0.6}
			case i == 3:
				m.BaseColorTexture = &pbr.Channel{Texture: srgb(letter()), UV: 1}
			default:
				m.Metallic, m.Roughness, m.MetallicRoughnessTexture = 1, 1, &pbr.Channel{Texture: stripes(), Scale: [2]float64{2, 2}}
				m.BaseColorTexture, m.NormalTexture = &pbr.Channel{Texture: srgb(letter()), UV: 1}, bumps
				m.OcclusionTexture = &pbr.Channel{Texture: letter(), Scale: [2]float64{4, 2}}
				m.Emissive, m.EmissiveTexture = [3]float64{0.3, 0.1, 0}, &pbr.Channel{Texture: srgb(letter()), UV: 1}
			}
			return m
		})
		for i, n := range b.Roots {
			if i%2 == 0 { // the upper row has what the builder gives
				continue
			}
			g, err := dressed(i == 1 || i == 9, true, false)
			if err != nil {
				b.err = err
				return
			}
			n.Mesh.Geometry = g
		}
	})
}

func ownPBRSpecular() *Entry {
	return ownPBRIn("own_pbr_base.go", "specular", "above: specular-glossiness, glossier from left to right, the last textured; below: weaker and tinted reflection, by textures, indices of refraction", func(b *bench) {
		tints := func() *texture.Texture { // tint in colour, strength in alpha
			return texels("tints", 64, func(x, y int) [4]float64 {
				return [4]float64{1, 0.2 + 0.8*float64(x/16)/3, 0.3, 0.25 + 0.75*float64(y/16)/3}
			})
		}
		b.two(func(i int, lower bool) *pbr.Material {
			m := plain("varnish", 0.3, 0.06, 0.02, 0.09)
			if !lower {
				m.SpecularGlossiness = &pbr.SpecularGlossiness{Specular: [3]float64{0.8, 0.5, 0.2}, Glossiness: 0.25 * float64(i)}
				if i == 4 {
					m.SpecularGlossiness.Texture = &pbr.Channel{Texture: srgb(tints()), Scale: [2]float64{2, 2}}
				}
				return m
			}
			switch i {
			case 0:
				m.Specular = &pbr.Specular{Factor: 0.3, Color: [3]float64{1, 1, 1}}
			case 1:
				m.IOR, m.Specular = 2, &pbr.Specular{Factor: 1, Color: [3]float64{1, 0.3, 0.1}}
			case 2:
				m.IOR, m.Specular = 2, &pbr.Specular{Factor: 1, Color: [3]float64{1, 1, 1}, Texture: &pbr.Channel{Texture: tints(), Scale: [2]float64{2, 2}}}
			case 3:
				m.IOR, m.Specular = 2, &pbr.Specular{Factor: 0.9, Color: [3]float64{1, 1, 1}, ColorTexture: &pbr.Channel{Texture: srgb(tints()), Scale: [2]float64{2, 2}}}
			case 4:
				m.IOR = 2.4
			}
			return m
		})
	})
}

func ownPBRAlpha() *Entry {
	return ownPBRIn("own_pbr_base.go", "alpha", "above: blended, thinner from left to right, before a board; below: cut out by a texture, cut on both sides, unlit, in vertex colours, a polished knot without specular antialiasing", func(b *bench) {
		board := plain("board", 0.8, 1, 1, 1)
		board.BaseColorTexture = &pbr.Channel{Texture: checker(8, [4]float64{0.9, 0.9, 0.85, 1}, [4]float64{0.1, 0.15, 0.3, 1}), Scale: [2]float64{2, 2}}
		b.board("board", board, 14, 0, 0, 3)
		holes := func() *texture.Texture { return checker(8, [4]float64{1, 0.8, 0.6, 1}, [4]float64{0.2, 0.4, 1, 0.2}) }
		for i := range 5 {
			x := 2 * float64(i-2)
			m := plain("pane", 0.2, 0.3, 0.8, 0.4)
			m.AlphaMode, m.BaseColor[3] = pbr.Blend, 1-0.22*float64(i)
			b.ball("pane", m, x, 1.1, 0)
			m = plain("cut", 0.4, 0.8, 0.8, 0.7)
			n := b.ball("cut", m, x, -1.1, 0)
			var err error
			switch i {
			case 0, 1:
				m.AlphaMode, m.AlphaCutoff, m.TwoSided = pbr.Mask, 0.4, i == 1
				m.BaseColorTexture = &pbr.Channel{Texture: holes(), Scale: [2]float64{2, 1}}
			case 2:
				m.Unlit = true
				m.BaseColorTexture = &pbr.Channel{Texture: srgb(letter()), Scale: [2]float64{4, 2}}
			case 3:
				n.Mesh.Geometry, err = dressed(false, false, true)
			case 4:
				m.Roughness, m.Metallic, m.SpecularAA = 0.05, 1, false
				n.Mesh.Geometry, err = mesh.CreateTorusKnot(mesh.TorusKnotOptions{Radius: 0.6, Tube: 0.2, RadialSegments: 48, TubularSegments: 12})
			}
			if err != nil {
				b.err = err
				return
			}
		}
	})
}

func ownPBRMesh() *Entry {
	return ownPBRIn("own_pbr_base.go", "mesh", "a floor under a shadow map and fog; a morphed drop, coloured instances, vertex colours under a coat", func(b *bench) {
		b.Camera = scenes.NewArcRotate("camera", -math.Pi/2-0.4, 1.15, 10, linalg.Vec3{0, 0.3, 0}).Clip(0.1, 100)
		b.Fog = scenes.Fog{Mode: scenes.FogExp2, Color: scenes.Color3{0.5, 0.55, 0.65}, Density: 0.05}
		b.Clear = scenes.Color4{0.5, 0.55, 0.65, 1}
		sun := b.Lights[0]
		sun.Position = linalg.Vec3{-6, 7, -8}
		b.put("floor", plain("floor", 0.5, 0.6, 0.6, 0.55), 0, -1, 0)(mesh.CreateGround(mesh.GroundOptions{Width: 30, Height: 30})).Mesh.ReceiveShadows = true
		drop := b.ball("drop", plain("drop", 0.3, 0.2, 0.5, 0.8), -2.6, 0.4, 0)
		g := drop.Mesh.Geometry
		moved, turned := make([]float32, len(g.Positions)), make([]float32, len(g.Positions))
		for i := 0; i < len(moved); i += 3 {
			up := max(0, g.Positions[i+1])
			moved[i], moved[i+1], moved[i+2] = -0.5*g.Positions[i]*up, 0.6*up, -0.5*g.Positions[i+2]*up
			turned[i+1] = -0.3 * up
		}
		m, err := morph.New(g.VertexCount(), []morph.Target{{Name: "drop", Positions: moved, Normals: turned}}, []float64{0.8})
		if err != nil {
			b.err = err
			return
		}
		drop.Mesh.Features = append(drop.Mesh.Features, m)
		var matrices [][16]float64
		var colors [][4]float64
		for i := range 9 {
			x, z := float64(i%3-1), float64(i/3-1)
			matrices = append(matrices, linalg.Compose(linalg.Vec3{1, 0.6 + 0.3*float64(i%4), 1}, linalg.QuatFromEuler(linalg.Vec3{0, 0.3 * float64(i), 0}), linalg.Vec3{x * 0.8, 0, z * 0.8}))
			colors = append(colors, [4]float64{0.3 + 0.35*(x+1), 0.5, 0.3 + 0.35*(z+1), 1})
		}
		boxes := b.put("boxes", plain("boxes", 0.25, 1, 1, 1), 0.2, -0.4, 0)(mesh.CreateBox(mesh.BoxOptions{Size: 0.5})).Instanced(instances.New(matrices, colors))
		painted := plain("painted", 0.6, 1, 1, 1)
		painted.Clearcoat = &pbr.Clearcoat{Factor: 1, Roughness: 0.1}
		ball := b.ball("painted", painted, 2.9, 0.1, 0)
		if ball.Mesh.Geometry, err = dressed(false, false, true); err != nil {
			b.err = err
			return
		}
		map1, err := shadow.PCF(sun, shadow.Options{Size: 1024, Near: 1, Far: 30, Bias: 0.005}, drop, boxes, ball)
		if err == nil {
			err = map1.AddTo(b.Scene)
		}
		if err != nil && b.err == nil {
			b.err = err
		}
	})
}

func ownPBRIridescence() *Entry {
	return ownPBRIn("own_pbr_base.go", "iridescence", "films over dielectric above, thicker from left to right, over metal below: other indices, textured amount and thickness", func(b *bench) {
		b.two(func(i int, lower bool) *pbr.Material {
			m := plain("film", 0.2, 0.1, 0.1, 0.12)
			m.Iridescence = &pbr.Iridescence{Factor: 1, IOR: 1.6, ThicknessMinimum: 100, ThicknessMaximum: 150 + 120*float64(i)}
			if lower {
				m.Metallic, m.BaseColor = 1, [4]float64{0.8, 0.7, 0.5, 1}
				m.Iridescence.IOR, m.Iridescence.ThicknessMaximum = 1.1+0.3*float64(i), 450
				if i == 3 {
					m.Iridescence.Texture = &pbr.Channel{Texture: letter(), Scale: [2]float64{4, 2}}
				}
				if i == 4 {
					m.Iridescence.ThicknessTexture = &pbr.Channel{Texture: letter(), Scale: [2]float64{4, 2}}
				}
			}
			return m
		})
	})
}

func ownPBRLights() *Entry {
	return ownPBRIn("own_pbr_base.go", "lights", "without an environment: a sun, lamps with a range and without, a spot, a sky over a ground; linear falloff in the lower row", func(b *bench) {
		b.Environment = nil
		b.Lights = nil
		sun := scenes.Directional("sun", linalg.Vec3{0.6, -0.7, 0.8})
		sun.Intensity = 0.8
		near := scenes.Point("near", linalg.Vec3{-3, 0, -2.2})
		near.Intensity, near.Diffuse, near.Range = 6, scenes.Color3{1, 0.4, 0.2}, 4
		far := scenes.Point("far", linalg.Vec3{3, 2.5, -3})
		far.Intensity, far.Diffuse = 12, scenes.Color3{0.3, 0.6, 1}
		spot := scenes.Spot("spot", linalg.Vec3{0, 0, -6}, linalg.Vec3{0.05, 0, 1}, 0.5, 3)
		spot.Intensity = 25
		sky := scenes.Hemispheric("sky", linalg.Vec3{0.3, 1, 0})
		sky.Intensity, sky.Diffuse, sky.Ground = 0.4, scenes.Color3{0.7, 0.8, 1}, scenes.Color3{0.3, 0.2, 0.1}
		b.AddLight(sun, near, far, spot, sky)
		b.two(func(i int, lower bool) *pbr.Material {
			m := plain("lit", 0.1+0.2*float64(i), 0.8, 0.7, 0.6)
			m.Metallic, m.StandardFalloff = 0.25*float64(i), lower
			return m
		})
	})
}

// ownTone shows the studio through one operator, overexposed and with contrast.
func ownTone(name string, op material.ToneMapping, exposure, contrast float64) *Entry {
	return ownPBRIn("own_pbr_base.go", "tone-"+name, "rows of metal and paint through the image processing", func(b *bench) {
		b.ImageProcessing = material.ImageProcessing{ToneMapping: op, Exposure: exposure, Contrast: contrast}
		b.two(func(i int, lower bool) *pbr.Material {
			m := plain("sample", 0.2*float64(i), 0.9, 0.5, 0.2)
			if lower {
				m.Metallic, m.BaseColor = 1, [4]float64{0.2 + 0.2*float64(i), 0.5, 1 - 0.2*float64(i), 1}
			}
			return m
		})
	})
}
