package catalogue

import (
	"fmt"
	"math"

	"darkroom/composer"
	"darkroom/material"
	"darkroom/material/standard"
	"darkroom/material/texture"
	"darkroom/scenes"
	"darkroom/scenes/linalg"
	"darkroom/scenes/mesh"
)

// ownStandard is a scene of the project's own for one part of the standard material.
func ownStandard(part, description string, build func(b *bench)) *Entry {
	name := "own-standard-" + part
	return &Entry{
		Name: name, Description: description, Tags: []string{"own", "standard"}, Width: 640, Height: 360,
		MaxMAD: 0.05, Source: "scenes/catalogue/own_standard.go",
		Build: func(Assets) (*scenes.Scene, error) {
			b := &bench{Scene: scenes.New(name)}
			b.Camera = scenes.NewArcRotate("camera", -math.Pi/2, 1.3, 7, linalg.Vec3{}).Clip(0.1, 100)
			build(b)
			return b.Scene, b.err
		},
	}
}

// bench is a scene that remembers the first error of the builders.
type bench struct {
	*scenes.Scene
	err error
}

func (b *bench) put(name string, m material.Material, x, y, z float64) func(*mesh.Geometry, error) *scenes.Node {
	return func(g *mesh.Geometry, err error) *scenes.Node {
		if err != nil && b.err == nil {
			b.err = fmt.Errorf("%s: %w", name, err)
		}
		return b.Add(scenes.NewMesh(name, g, m).At(x, y, z))
	}
}

func (b *bench) ball(name string, m material.Material, x, y, z float64) *scenes.Node {
	return b.put(name, m, x, y, z)(mesh.CreateSphere(mesh.SphereOptions{Diameter: 1.8, Segments: 24}))
}

func (b *bench) board(name string, m material.Material, size, x, y, z float64) *scenes.Node {
	return b.put(name, m, x, y, z)(mesh.CreatePlane(mesh.PlaneOptions{Size: size}))
}

func (b *bench) sky(intensity float64) {
	l := scenes.Hemispheric("sky", linalg.Vec3{0, 1, 0})
	l.Intensity = intensity
	b.AddLight(l)
}

// dimples is a normal map of n by n round dimples.
func dimples(n int) *texture.Texture {
	return texels("dimples", 128, func(x, y int) [4]float64 {
		u, v := float64(x)*float64(n)/128, float64(y)*float64(n)/128
		u, v = 2*(u-math.Floor(u))-1, 2*(v-math.Floor(v))-1
		d := linalg.Vec3{0, 0, 1}
		if r := math.Hypot(u, v); r < 0.9 {
			d = linalg.Vec3{-u, -v, 0.8}.Normalize()
		}
		return [4]float64{d[0]*0.5 + 0.5, d[1]*0.5 + 0.5, d[2]*0.5 + 0.5, 1}
	})
}

// letter is an L on stripes, which has no symmetry.
func letter() *texture.Texture {
	return texels("letter", 64, func(x, y int) [4]float64 {
		switch {
		case x >= 12 && x < 22 && y >= 10 && y < 54, y >= 44 && y < 54 && x >= 12 && x < 46:
			return [4]float64{0.9, 0.2, 0.1, 1}
		case y/8%2 == 0:
			return [4]float64{0.85, 0.85, 0.9, 1}
		}
		return [4]float64{0.5, 0.6 + 0.4*float64(x)/64, 0.7, 1}
	})
}

func ownBump() *Entry {
	return ownStandard("bump", "dimples in the frame of the texture coordinates: plain, deep, with turned axes, and on the back of a plane", func(b *bench) {
		sun := scenes.Directional("sun", linalg.Vec3{0.6, -0.7, 0.8})
		b.AddLight(sun)
		b.sky(0.3)
		bumpy := func(level float64) *standard.Material {
			m := shiny("bumpy", 0.7, 0.75, 0.8, 0.4)
			m.BumpTexture = &standard.Channel{Texture: dimples(2), UScale: 3, VScale: 2, Level: level}
			return m
		}
		b.ball("plain", bumpy(1), -3, 0.9, 0)
		b.ball("deep", bumpy(3), -1, 0.9, 0)
		turned := bumpy(1)
		turned.InvertBumpX, turned.InvertBumpY = true, true
		b.ball("turned", turned, 1, 0.9, 0)
		b.put("torus", bumpy(1), 3, 0.9, 0)(mesh.CreateTorus(mesh.TorusOptions{Diameter: 1.2, Thickness: 0.6, Tessellation: 32})).Rotation = linalg.Vec3{1, 0, 0}
		b.board("front", bumpy(1), 1.8, -1, -1.2, 0)
		back := bumpy(1)
		back.TwoSided, back.TwoSidedLighting = true, true
		b.board("back", back, 1.8, 1, -1.2, 0).Rotation = linalg.Vec3{0, math.Pi + 0.4, 0}
	})
}

func ownReflection() *Entry {
	return ownStandard("reflection", "balls that mirror a cube map, a sphere map and a plane, and a half-strong one", func(b *bench) {
		b.sky(0.6)
		side := func(face, x, y int) [4]float64 {
			tint := [6][3]float64{{1, 0.4, 0.3}, {0.3, 0.9, 0.9}, {0.5, 0.6, 1}, {0.5, 0.4, 0.2}, {0.4, 1, 0.4}, {1, 0.4, 1}}[face]
			bright := 0.35 + 0.4*float64((x/8+y/8)%2) + 0.25*float64(y)/32
			return [4]float64{tint[0] * bright, tint[1] * bright, tint[2] * bright, 1}
		}
		var pix []byte
		for face := range 6 {
			t := texels("", 32, func(x, y int) [4]float64 { return side(face, x, y) })
			pix = append(pix, t.Source.(*texture.Pixels).Levels[0]...)
		}
		cube := &texture.Texture{Name: "cube", Mips: true, Source: &texture.Pixels{Width: 32, Height: 32, Layers: 6, Dimension: composer.ViewCube, Levels: [][]byte{pix}}}
		mirror := func(t *texture.Texture, mapping standard.ReflectionMapping, level float64) *standard.Material {
			m := shiny("mirror", 0.15, 0.15, 0.2, 0.3)
			m.ReflectionTexture = &standard.Reflection{Texture: t, Mapping: mapping, Level: level}
			return m
		}
		b.ball("cube", mirror(cube, standard.Cubic, 1), -3, 0.8, 0)
		b.ball("sphere", mirror(letter(), standard.Spherical, 1), -1, 0.8, 0)
		b.ball("plane", mirror(letter(), standard.Planar, 1), 1, 0.8, 0)
		b.ball("half", mirror(cube, standard.Cubic, 0.5), 3, 0.8, 0)
		bumpy := mirror(cube, standard.Cubic, 0.8)
		bumpy.BumpTexture = &standard.Channel{Texture: dimples(2), UScale: 3, VScale: 2}
		b.ball("bumpy", bumpy, -1, -1.3, 0)
		b.put("box", mirror(cube, standard.Cubic, 0.8), 1, -1.3, 0)(mesh.CreateBox(mesh.BoxOptions{Size: 1.3})).Rotation = linalg.Vec3{0.4, 0.6, 0}
	})
}

func ownLightmap() *Entry {
	return ownStandard("lightmap", "a light map on the second texture coordinates: added, and multiplied", func(b *bench) {
		b.sky(0.6)
		glow := texels("glow", 64, func(x, y int) [4]float64 {
			d := math.Hypot(float64(x)-40, float64(y)-24) / 30
			v := math.Max(0, 1-d)
			return [4]float64{v, v * 0.8, v * 0.4, 1}
		})
		glow.Sampler.AddressU, glow.Sampler.AddressV = composer.AddressClamp, composer.AddressClamp
		board := func(x float64, shadow bool) {
			g, err := mesh.CreatePlane(mesh.PlaneOptions{Size: 3})
			if err == nil {
				// The second set is the first, mirrored in u and half as large.
				for i := 0; i < len(g.UVs[0]); i += 2 {
					g.UVs[1] = append(g.UVs[1], 1-g.UVs[0][i]*0.8, g.UVs[0][i+1]*0.8)
				}
				g.Builder = nil
			}
			m := shiny("board", 0.8, 0.8, 0.8, 0)
			m.DiffuseTexture = &standard.Channel{Texture: letter()}
			m.LightmapTexture = &standard.Channel{Texture: glow, UV: 1, Level: 1.2}
			m.LightmapAsShadow = shadow
			b.put("board", m, x, 0, 0)(g, err)
		}
		board(-1.7, false)
		board(1.7, true)
	})
}

func ownFog(mode scenes.FogMode, name string) *Entry {
	return ownStandard("fog-"+name, "balls in fog, one of which takes no part in it", func(b *bench) {
		b.sky(1)
		b.Clear = scenes.Color4{0.6, 0.7, 0.8, 1}
		b.Fog = scenes.Fog{Mode: mode, Color: scenes.Color3{0.6, 0.7, 0.8}, Density: 0.07, Start: 4, End: 20}
		for i := range 6 {
			m := hues(i).(*standard.Material)
			m.NoFog = i == 4
			b.ball("ball", m, float64(i)*1.6-3.5, 0.3, float64(i)*2.4-2)
		}
		b.put("floor", shiny("floor", 0.5, 0.45, 0.4, 0), 0, -0.6, 8)(mesh.CreateGround(mesh.GroundOptions{Width: 30, Height: 30}))
	})
}

func ownStencil() *Entry {
	return ownStandard("stencil", "balls that are seen only through, and only beside, a disc that draws into the stencil alone", func(b *bench) {
		b.sky(1)
		hole := standard.New("hole")
		hole.NoColorWrite, hole.NoDepthWrite = true, true
		always := composer.StencilFace{Compare: composer.CompareAlways, Pass: composer.StencilReplace}
		hole.Stencil = &material.Stencil{Front: always, Back: always, ReadMask: 0xff, WriteMask: 0xff, Reference: 1}
		b.put("hole", hole, 0, 0, -2)(mesh.CreateDisc(mesh.DiscOptions{Radius: 1.2, Tessellation: 48}))
		test := func(m *standard.Material, compare composer.CompareFunction) *standard.Material {
			f := composer.StencilFace{Compare: compare}
			m.Stencil = &material.Stencil{Front: f, Back: f, ReadMask: 0xff, Reference: 1}
			return m
		}
		for i := range 5 {
			x := float64(i-2) * 1.4
			b.ball("through", test(standard.Colored("through", 1, 0.6, 0.1), composer.CompareEqual), x, 0.7, 0)
			b.ball("beside", test(standard.Colored("beside", 0.2, 0.5, 1), composer.CompareNotEqual), x, -0.7, 0)
		}
	})
}

func ownLightInclusion() *Entry {
	return ownStandard("light-inclusion", "three coloured lights: balls lit by all, by one alone, and by all but one", func(b *bench) {
		light := func(name string, c scenes.Color3, x, y float64) *scenes.Light {
			l := scenes.Point(name, linalg.Vec3{x, y, -4})
			l.Diffuse, l.Specular = c, c
			b.AddLight(l)
			return l
		}
		red := light("red", scenes.Color3{1, 0.1, 0.1}, -4, 2)
		green := light("green", scenes.Color3{0.1, 1, 0.1}, 4, 2)
		light("blue", scenes.Color3{0.2, 0.2, 1}, 0, -4)
		b.ball("all", standard.New("white"), -2.2, 0, 0)
		b.ball("red alone", standard.New("white"), 0, 0, 0).Mesh.OnlyLights = []*scenes.Light{red}
		b.ball("all but green", standard.New("white"), 2.2, 0, 0).Mesh.ExcludeLights = []*scenes.Light{green}
	})
}

func ownTextureTransform() *Entry {
	return ownStandard("texture-transform", "a letter as it is, scaled, moved, turned, all of these, and on the second coordinates", func(b *bench) {
		b.sky(1)
		for i, c := range []standard.Channel{
			{}, {UScale: 2, VScale: 3}, {UOffset: 0.25, VOffset: 0.4}, {Angle: 0.6}, {UScale: 2, VScale: 1.5, UOffset: 0.1, VOffset: -0.2, Angle: 0.5}, {UScale: -1, Level: 0.5},
		} {
			c.Texture = letter()
			m := shiny("letter", 1, 1, 1, 0)
			m.DiffuseTexture = &c
			b.board("board", m, 1.7, float64(i%3)*2-2, 1-float64(i/3)*2, 0)
		}
	})
}

func ownAlpha() *Entry {
	return ownStandard("alpha", "alpha test, alpha from the diffuse texture, opacity from alpha and from luminance, a pale material, and vertex alpha", func(b *bench) {
		b.sky(1)
		rings := texels("rings", 64, func(x, y int) [4]float64 {
			r := math.Hypot(float64(x)-31.5, float64(y)-31.5) / 32
			a := 0.5 + 0.5*math.Cos(r*14)
			return [4]float64{a, a * 0.8, 1 - a, a}
		})
		wall := standard.Colored("wall", 0.3, 0.35, 0.4)
		wall.DiffuseTexture = &standard.Channel{Texture: checker(8, [4]float64{1, 1, 1, 1}, [4]float64{0.4, 0.4, 0.4, 1})}
		b.board("wall", wall, 9, 0, 0, 1.5)
		for i := range 6 {
			m := shiny("pane", 0.9, 0.7, 0.4, 0)
			n := b.board("pane", m, 1.7, float64(i%3)*2-2, 1-float64(i/3)*2, 0)
			switch i {
			case 0:
				m.DiffuseTexture, m.AlphaCutoff = &standard.Channel{Texture: rings}, 0.4
			case 1:
				m.DiffuseTexture, m.UseAlphaFromDiffuse = &standard.Channel{Texture: rings}, true
			case 2:
				m.OpacityTexture = &standard.Channel{Texture: rings}
			case 3:
				m.OpacityTexture, m.OpacityFromRGB = &standard.Channel{Texture: rings, Level: 0.8}, true
			case 4:
				m.Alpha = 0.4
			case 5:
				m.VertexAlpha = true
				if n.Mesh.Geometry != nil {
					n.Mesh.Geometry.Colors = []float32{1, 0, 0, 0, 0, 1, 0, 0.3, 0, 0, 1, 0.7, 1, 1, 1, 1}
					n.Mesh.Geometry.Builder = nil
				}
			}
		}
	})
}

func ownTextures() *Entry {
	return ownStandard("textures", "an ambient, a specular (with gloss in alpha) and an emissive texture, and no highlight", func(b *bench) {
		b.Ambient = scenes.Color3{0.5, 0.5, 0.6}
		b.AddLight(scenes.Point("lamp", linalg.Vec3{0, 3, -6}))
		mixed := checker(6, [4]float64{1, 0.9, 0.5, 1}, [4]float64{0.2, 0.3, 0.9, 0.2})
		for i := range 4 {
			m := standard.Colored("ball", 0.3, 0.35, 0.4)
			m.SpecularPower = 32
			c := &standard.Channel{Texture: mixed, VScale: 0.5}
			switch i {
			case 0:
				m.AmbientTexture, m.Ambient = c, [3]float64{1, 0.5, 0.5}
			case 1:
				m.SpecularTexture, m.GlossFromSpecular = c, true
			case 2:
				m.EmissiveTexture = c
			case 3:
				m.SpecularOff = true
			}
			b.ball("ball", m, float64(i)*2-3, 0, 0)
		}
	})
}
