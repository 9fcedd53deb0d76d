package renderer

import (
	"math"
	"strings"
	"testing"

	"darkroom/material"
	"darkroom/material/pbr"
	"darkroom/material/standard"
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
	// (0.1, -0.2, 2) at t = 0.5 and is turned by 0.4 about x.
	normal := linalg.Vec3{0, math.Sin(0.4), -math.Cos(0.4)}
	const near, far = 0.5, 20.0
	z := 2 - 0.2*normal[1]/normal[2] // of the point of the plane at x = y = 0
	depth := z + 3
	k := 1 / math.Tan(0.4) // of the projection: field of view 0.8
	// The point was at (-0.1, 0.2) from there in the frame before.
	velocity := [2]float64{0.5 * k * (-0.1) / depth, 0.5 * k * 0.2 / depth}
	local := linalg.Vec3{-0.1, 0.2*math.Cos(0.4) + (z-2)*math.Sin(0.4), 0}
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
		for n, v := range map[surfaces.Kind][4]float64{
			surfaces.WorldPosition:       {0, 0, z, 1},
			surfaces.LocalPosition:       {local[0], local[1], local[2], 1},
			surfaces.ViewDepth:           {depth, 0, 0, 1},
			surfaces.NormalizedViewDepth: {(depth - near) / (far - near), 0, 0, 1},
			surfaces.ScreenDepth:         {near * (far - depth) / (depth * (far - near)), 0, 0, 1},
			surfaces.ViewNormal:          {normal[0], normal[1], normal[2], 1},
			surfaces.WorldNormal:         {0.5, normal[1]*0.5 + 0.5, normal[2]*0.5 + 0.5, 1},
			surfaces.Velocity:            {velocity[0], velocity[1], 0, 1},
		} {
			c.want[n] = v
		}
		for _, large := range []bool{false, true} {
			for kind, want := range c.want {
				camera := scenes.NewFree("camera", linalg.Vec3{0, 0, -3}).Clip(near, far)
				got := stored(t, r, c.m, camera, large, kind)[kind]
				if large && kind == surfaces.WorldPosition {
					want[2] = depth // relative to the eye
				}
				slack := 2e-5
				switch kind {
				case surfaces.WorldPosition, surfaces.LocalPosition, surfaces.ViewDepth:
					// Rasterisers move corners to a grid of 1/256 of a pixel, which is
					// half a unit here.
					slack = 1e-3
				}
				for i := range want {
					if math.Abs(got[i]-want[i]) > slack {
						t.Errorf("%s, large world %t: %s is %v, want %v", c.family, large, kind, got, want)
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
