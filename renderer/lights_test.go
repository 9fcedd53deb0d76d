package renderer

import (
	"testing"

	"darkroom/scenes"
	"darkroom/scenes/linalg"
	"darkroom/scenes/mesh"

	"darkroom/material/standard"
)

// Light adds up: sixteen lights at once are four pictures of four lights each,
// summed, but for what rounding to 8 bits does to each of them.
func TestSixteenLightsAddUp(t *testing.T) {
	r := open(t)
	ball, err := mesh.CreateSphere(mesh.SphereOptions{Diameter: 3, Segments: 16})
	if err != nil {
		t.Fatal(err)
	}
	s := emptyScene()
	s.Camera = scenes.NewFree("camera", linalg.Vec3{0, 0, -5})
	m := standard.Colored("ball", 0.5, 0.4, 0.6)
	m.Specular = [3]float64{0.2, 0.2, 0.2}
	s.Add(scenes.NewMesh("ball", ball, m))
	for i := range 4 {
		x := float64(i)*1.5 - 2.25
		l := []*scenes.Light{
			scenes.Point("point", linalg.Vec3{x, 2, -3}), scenes.Spot("spot", linalg.Vec3{x, -2, -4}, linalg.Vec3{-x / 4, 0.5, 1}, 0.8, 2),
			scenes.Directional("sun", linalg.Vec3{x, -1, 1}), scenes.Hemispheric("sky", linalg.Vec3{x, 1, 0}),
		}
		for k := range l {
			l[k].Diffuse = scenes.Color3{0.1, 0.05 * float64(k), 0.15}
			l[k].Specular = scenes.Color3{0.2, 0.1, 0.1}
		}
		s.AddLight(l...)
	}
	x := newSession(t, r, s, 64, 48)
	all := drawAt(t, x, 0)
	sum := make([]int, len(all.Pix))
	for group := range 4 {
		for i, l := range s.Lights {
			l.Off = i/4 != group
		}
		for i, v := range drawAt(t, x, 0).Pix {
			sum[i] += int(v)
		}
	}
	worst, lit := 0, 0
	for i, v := range all.Pix {
		if i%4 == 3 {
			continue
		}
		if v == 255 {
			t.Fatal("the picture is too bright to tell")
		}
		if v > 20 {
			lit++
		}
		worst = max(worst, int(v)-sum[i], sum[i]-int(v))
	}
	if worst > 3 || lit < 500 {
		t.Errorf("the sum is off by %d steps; %d values are lit", worst, lit)
	}
}
