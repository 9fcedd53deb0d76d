package renderer

import (
	"maps"
	"math"
	"strings"
	"testing"

	"darkroom/material"
	"darkroom/material/pbr"
	"darkroom/material/standard"
	"darkroom/material/texture"
	"darkroom/scenes"
	"darkroom/scenes/linalg"
	"darkroom/scenes/mesh"
	"darkroom/scenes/surfaces"
)

// stored draws two frames of a turned plane that moves, and returns what the
// second stored in the middle of each target.
func stored(t *testing.T, r *Renderer, m material.Material, camera *scenes.Camera, large bool, kinds ...surfaces.Kind) map[surfaces.Kind][4]float64 {
	t.Helper()
	g, err := mesh.CreatePlane(mesh.PlaneOptions{Size: 6})
	if err != nil {
		t.Fatal(err)
	}
	s := scenes.New("plane")
	s.Camera, s.LargeWorld, s.Frames, s.Step = camera, large, 2, 0.5
	n := s.Add(scenes.NewMesh("plane", g, m))
	n.Rotation = linalg.Vec3{0.4, 0, 0}
	s.Animate = func(_ *scenes.Scene, t float64) error { n.Position = linalg.Vec3{0.2 * t, -0.4 * t, 2}; return nil }
	out := map[surfaces.Kind][4]float64{}
	for k, v := range storedFloats(t, r, s, 9, 9, 0, kinds...) {
		out[k] = [4]float64(v[(4*9+4)*4:])
	}
	return out
}

// What a pass stores of a surface is what geometry says it is.
func TestStoredSurfaces(t *testing.T) {
	r := open(t)
	m := standard.Colored("plane", 0.1, 0.2, 0.3)
	m.Specular = [3]float64{0.5, 0.25, 1}
	p := pbr.New("plane")
	p.BaseColor, p.Metallic, p.Roughness = [4]float64{0.4, 0.6, 0.8, 1}, 0.5, 0.25
	// The line of sight through the middle meets the plane, which passes through
	// (0.1, -0.2, 2) at t = 0.5 and is turned by 0.4 about x, at middle.
	sin, cos := math.Sin(0.4), math.Cos(0.4)
	middle := linalg.Vec3{-0.1, 0.2 / cos, 0}
	const near, far = 0.5, 20.0
	// at is what is stored of a point of the plane; devices differ in how finely
	// they place corners, and with that in which point a pixel shows.
	at := func(local [4]float64, large bool) map[surfaces.Kind][4]float64 {
		x, y, z := 0.1+local[0], -0.2+local[1]*cos, 2+local[1]*sin
		depth := z + 3
		k := 0.5 / math.Tan(0.4) // half of the projection: field of view 0.8
		if large {
			z = depth // relative to the eye
		}
		return map[surfaces.Kind][4]float64{
			surfaces.WorldPosition:       {x, y, z, 1},
			surfaces.ViewDepth:           {depth, 0, 0, 1},
			surfaces.NormalizedViewDepth: {(depth - near) / (far - near), 0, 0, 1},
			surfaces.ScreenDepth:         {near * (far - depth) / (depth * (far - near)), 0, 0, 1},
			surfaces.ViewNormal:          {0, sin, -cos, 1},
			surfaces.WorldNormal:         {0.5, sin*0.5 + 0.5, -cos*0.5 + 0.5, 1},
			surfaces.Velocity:            {k * -0.1 / depth, k * 0.2 / depth, 0, 1}, // it was at (-0.1, 0.2) from there
		}
	}
	g := func(x float64) float64 { return math.Pow(x, 2.2) }
	mix := func(a, b, t float64) float64 { return a + (b-a)*t }
	for _, c := range []struct {
		family string
		m      material.Material
		want   map[surfaces.Kind][4]float64
	}{
		{"standard", m, map[surfaces.Kind][4]float64{
			surfaces.Albedo:       {1, 1, 1, 1},
			surfaces.Reflectivity: {g(0.5), g(0.25), 1, 1},
			surfaces.Irradiance:   {0, 0, 0, 1},
		}},
		{"pbr", p, map[surfaces.Kind][4]float64{
			surfaces.Albedo:       {0.4 * 0.96 * 0.5, 0.6 * 0.96 * 0.5, 0.8 * 0.96 * 0.5, 1},
			surfaces.Reflectivity: {mix(0.04, 0.4, 0.5), mix(0.04, 0.6, 0.5), mix(0.04, 0.8, 0.5), 0.75},
			surfaces.Irradiance:   {0, 0, 0, 1},
		}},
	} {
		for _, large := range []bool{false, true} {
			kinds := at([4]float64{}, large)
			maps.Copy(kinds, c.want)
			for kind := range kinds {
				camera := scenes.NewFree("camera", linalg.Vec3{0, 0, -3}).Clip(near, far)
				both := stored(t, r, c.m, camera, large, kind, surfaces.LocalPosition)
				local, got := both[surfaces.LocalPosition], both[kind]
				if math.Hypot(local[0]-middle[0], local[1]-middle[1]) > 0.02 || math.Abs(local[2]) > 2e-5 || local[3] != 1 {
					t.Errorf("%s, large world %t: localPosition is %v, want nearly %v", c.family, large, local, middle)
				}
				want, ok := c.want[kind]
				if !ok {
					want = at(local, large)[kind]
				}
				slack := 2e-5
				if kind == surfaces.WorldPosition || kind == surfaces.ViewDepth {
					slack = 1e-4 // of some units, interpolated beside the local position
				}
				for i := range want {
					if math.Abs(got[i]-want[i]) > slack {
						t.Errorf("%s, large world %t: %s at %v is %v, want %v", c.family, large, kind, local, got, want)
						break
					}
				}
			}
		}
	}
}

// Thin surfaces leave what is behind, also in targets that cannot blend.
func TestStoredSurfacesSkipThinOnes(t *testing.T) {
	r := open(t)
	thin := standard.Colored("thin", 1, 0, 0)
	thin.Alpha = 0.3
	glass := pbr.New("glass")
	glass.AlphaMode, glass.BaseColor = pbr.Blend, [4]float64{1, 1, 1, 0.3}
	for _, m := range []material.Material{thin, glass} {
		got := stored(t, r, m, scenes.NewFree("camera", linalg.Vec3{0, 0, -3}).Clip(0.5, 20), false, surfaces.ViewDepth, surfaces.NormalizedViewDepth)
		if got[surfaces.ViewDepth] != ([4]float64{}) || got[surfaces.NormalizedViewDepth][0] != 1 {
			t.Errorf("%s: %v", m.Label(), got)
		}
	}
}

// What is stored of a surface does not depend on which way up it is drawn:
// normals from derivatives, bent ones, velocities.
func TestStoredSurfacesUpsideDown(t *testing.T) {
	r := open(t)
	bumps := &texture.Texture{Name: "bumps", Source: &texture.Pixels{Width: 1, Height: 1, Levels: [][]byte{{190, 70, 220, 255}}}}
	cloth, fabric := standard.Colored("cloth", 0.1, 0.2, 0.3), pbr.New("cloth")
	cloth.TwoSided, fabric.TwoSided = true, true
	bentCloth, bentFabric := *cloth, *fabric
	bentCloth.BumpTexture = &standard.Channel{Texture: bumps}
	bentFabric.NormalTexture = &pbr.Channel{Texture: bumps}
	for i, m := range []material.Material{cloth, fabric, &bentCloth, &bentFabric} {
		g, err := mesh.CreatePlane(mesh.PlaneOptions{Size: 6})
		if err != nil {
			t.Fatal(err)
		}
		if i < 2 {
			g.Normals = nil
		}
		var passes [2]map[surfaces.Kind][]float64
		for k := range passes {
			s := emptyScene()
			s.Camera = scenes.NewFree("camera", linalg.Vec3{0, 0, -3}).Clip(0.5, 20)
			s.Frames, s.Step = 2, 0.5
			n := s.Add(scenes.NewMesh("plane", g, m))
			n.Rotation = linalg.Vec3{0.4, 0.3, 0}
			s.Animate = func(_ *scenes.Scene, t float64) error { n.Position = linalg.Vec3{0.2 * t, -0.4 * t, 2}; return nil }
			passes[k] = storedBy(t, r, s, 9, 9, 0, k == 1, surfaces.ViewNormal, surfaces.WorldNormal, surfaces.Velocity)
		}
		for kind, up := range passes[0] {
			down := passes[1][kind]
			for p := range up {
				x, y := p%(9*4), p/(9*4)
				if other := down[(8-y)*9*4+x]; math.Abs(up[p]-other) > 2e-3 {
					t.Errorf("%s %d: %s at %d,%d is %g, and %g upside down", m.Label(), i, kind, x/4, y, up[p], other)
					break
				}
			}
		}
	}
}

func TestStoredSurfacesRefused(t *testing.T) {
	if _, _, err := surfaces.Draw(surfaces.Options{}, "colour"); err == nil || !strings.Contains(err.Error(), "colour") || !strings.Contains(err.Error(), "albedo") {
		t.Error(err)
	}
	if _, _, err := surfaces.Draw(surfaces.Options{Name: "twice"}, surfaces.Albedo, surfaces.Albedo); err == nil || !strings.Contains(err.Error(), "pass twice") {
		t.Error(err)
	}
	r := open(t)
	s := emptyScene()
	s.Camera.Far = 0
	s.Add(scenes.NewMesh("quad", quad(-1, -1, 1, 1), standard.New("white")))
	pass, _, err := surfaces.Draw(surfaces.Options{}, surfaces.NormalizedViewDepth)
	if err != nil {
		t.Fatal(err)
	}
	s.Graph = []scenes.Task{pass}
	if _, err := newSession(t, r, s, 4, 4).Draw(t.Context(), 0); err == nil || !strings.Contains(err.Error(), "node quad") || !strings.Contains(err.Error(), "far plane") {
		t.Error(err)
	}
}
