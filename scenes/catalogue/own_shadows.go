package catalogue

import (
	"math"

	"darkroom/material/standard"
	"darkroom/scenes"
	"darkroom/scenes/linalg"
	"darkroom/scenes/mesh"
	"darkroom/scenes/shadow"
)

// ownShadow is a scene of the project's own for one kind of shadow: a ball, a
// box and a torus over a floor.
func ownShadow(kind, description string, light *scenes.Light, cast func(l *scenes.Light, casters []*scenes.Node) (interface{ AddTo(*scenes.Scene) error }, error)) *Entry {
	name := "own-shadow-" + kind
	return &Entry{
		Name: name, Description: description, Tags: []string{"own", "standard", "shadow"}, Width: 640, Height: 360,
		MaxMAD: 0.05, Source: "scenes/catalogue/own_shadows.go",
		Build: func(Assets) (*scenes.Scene, error) {
			b := &bench{Scene: scenes.New(name)}
			l := *light
			b.Camera = scenes.NewArcRotate("camera", -math.Pi/2-0.5, 1.05, 11, linalg.Vec3{0, 0.5, 0}).Clip(0.1, 100)
			b.AddLight(&l)
			b.sky(0.25)
			matt := shiny("matt", 0.8, 0.8, 0.75, 0)
			b.put("floor", matt, 0, 0, 0)(mesh.CreateGround(mesh.GroundOptions{Width: 14, Height: 14})).Mesh.ReceiveShadows = true
			box := b.put("box", standard.Colored("box", 0.9, 0.4, 0.2), 2.4, 1.1, 0.4)(mesh.CreateBox(mesh.BoxOptions{Size: 1.4}))
			box.Rotation = linalg.Vec3{0.5, 0.7, 0}
			casters := []*scenes.Node{
				b.ball("ball", standard.Colored("ball", 0.3, 0.6, 0.9), -2.2, 1.6, -0.4),
				box,
				b.put("torus", standard.Colored("torus", 0.4, 0.8, 0.4), 0.2, 0.8, 0.2)(mesh.CreateTorus(mesh.TorusOptions{Diameter: 1.8, Thickness: 0.5, Tessellation: 32})),
			}
			if b.err != nil {
				return nil, b.err
			}
			m, err := cast(&l, casters)
			if err != nil {
				return nil, err
			}
			return b.Scene, m.AddTo(b.Scene)
		},
	}
}

// slanted is a sun low enough for long shadows.
func slanted() *scenes.Light {
	l := scenes.Directional("sun", linalg.Vec3{0.7, -1.2, 0.5})
	l.Position = linalg.Vec3{-7, 12, -5}
	return l
}

// above is a lamp over the stage.
func above() *scenes.Light {
	return scenes.Spot("lamp", linalg.Vec3{-3, 9, -4}, linalg.Vec3{0.35, -1, 0.45}, 1.1, 4)
}

type generator = interface{ AddTo(*scenes.Scene) error }

func ownShadowBlurred() *Entry {
	return ownShadow("exponential-blurred", "an exponential shadow map of a directional light, blurred by a Gaussian", slanted(), func(l *scenes.Light, c []*scenes.Node) (generator, error) {
		return shadow.ESM(l, shadow.Options{Size: 1024, Near: 5, Far: 40, Darkness: 0.2}, shadow.Softness{DepthScale: 12, Kernel: 32}, c...)
	})
}

func ownShadowBox() *Entry {
	return ownShadow("exponential-box", "an exponential shadow map of a spot light, blurred by a box", above(), func(l *scenes.Light, c []*scenes.Node) (generator, error) {
		return shadow.ESM(l, shadow.Options{Size: 512, Near: 2, Far: 20}, shadow.Softness{DepthScale: 15}, c...)
	})
}

func ownShadowClose() *Entry {
	return ownShadow("exponential-close", "a close exponential shadow map of a spot light, blurred by a Gaussian", above(), func(l *scenes.Light, c []*scenes.Node) (generator, error) {
		return shadow.ESM(l, shadow.Options{Size: 1024, Near: 4, Far: 16}, shadow.Softness{Close: true, Kernel: 16, Scale: 1}, c...)
	})
}

func ownShadowSpot() *Entry {
	return ownShadow("spot-pcf", "a filtered shadow map of a spot light that fades at the map's edge", above(), func(l *scenes.Light, c []*scenes.Node) (generator, error) {
		return shadow.PCF(l, shadow.Options{Size: 512, Near: 2, Far: 20, Bias: 0.0005, Darkness: 0.1, EdgeFalloff: 0.3}, c...)
	})
}

func ownShadowPerforated() *Entry {
	return ownShadow("alpha-test", "a perforated plane whose holes let the light of a spot light through", above(), func(l *scenes.Light, c []*scenes.Node) (generator, error) {
		holes := texels("holes", 64, func(x, y int) [4]float64 {
			a := 1.0
			if math.Hypot(float64(x%16)-7.5, float64(y%16)-7.5) < 5 {
				a = 0
			}
			return [4]float64{0.9, 0.8, 0.3, a}
		})
		m := standard.New("sieve")
		m.DiffuseTexture, m.AlphaCutoff, m.TwoSided = &standard.Channel{Texture: holes}, 0.4, true
		plane, err := mesh.CreatePlane(mesh.PlaneOptions{Size: 2.4})
		if err != nil {
			return nil, err
		}
		sieve := scenes.NewMesh("sieve", plane, m).At(-0.2, 0.6, 0.6)
		sieve.Rotation = linalg.Vec3{1.2, 0.3, 0}
		c[0].Add(sieve)
		return shadow.PCF(l, shadow.Options{Size: 1024, Near: 2, Far: 20, Bias: 0.0005}, append(c, sieve)...)
	})
}

// ownShadowCasters replaces what casts: the ball's material hands over to a
// perforated one, and the box's mesh to another that overrides its material's.
func ownShadowCasters() *Entry {
	return ownShadow("casters", "a solid ball that casts a perforated shadow, a box whose mesh overrides its material's caster, and a torus that casts as it is", above(), func(l *scenes.Light, c []*scenes.Node) (generator, error) {
		holes := texels("holes", 64, func(x, y int) [4]float64 {
			a := 1.0
			if math.Hypot(float64(x%16)-7.5, float64(y%16)-7.5) < 6 {
				a = 0
			}
			return [4]float64{1, 1, 1, a}
		})
		sieve := standard.New("sieve")
		sieve.DiffuseTexture, sieve.AlphaCutoff, sieve.TwoSided = &standard.Channel{Texture: holes, UScale: 2}, 0.4, true
		c[0].Mesh.Material.(*standard.Material).ShadowCaster = sieve
		stripes := standard.New("stripes")
		stripes.AlphaCutoff, stripes.TwoSided = 0.4, true
		stripes.DiffuseTexture = &standard.Channel{Texture: texels("stripes", 64, func(x, y int) [4]float64 {
			return [4]float64{1, 1, 1, float64(x / 8 % 2)}
		})}
		c[1].Mesh.Material.(*standard.Material).ShadowCaster = sieve
		c[1].Mesh.Caster = stripes
		return shadow.PCF(l, shadow.Options{Size: 1024, Near: 2, Far: 20, Bias: 0.0005}, c...)
	})
}
