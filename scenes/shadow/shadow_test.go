package shadow

import (
	"math"
	"testing"

	"darkroom/scenes"
	"darkroom/scenes/linalg"
	"darkroom/scenes/mesh"
)

// A bias is a share of the depth from -1 to 1 that the reference engine thinks
// in, so that maps from 0 to 1 are moved by half of it, whatever the projection.
func TestBias(t *testing.T) {
	ball, err := mesh.CreateSphere(mesh.SphereOptions{})
	if err != nil {
		t.Fatal(err)
	}
	const bias = 0.01
	for name, add := range map[string]func(s *scenes.Scene, n *scenes.Node, bias float64) ([]scenes.Task, error){
		"sun": func(s *scenes.Scene, n *scenes.Node, bias float64) ([]scenes.Task, error) {
			m, err := PCF(s.Lights[0], Options{Bias: bias, Near: 1, Far: 50}, n)
			if err != nil {
				return nil, err
			}
			return m.Tasks(), m.AddTo(s)
		},
		"spot": func(s *scenes.Scene, n *scenes.Node, bias float64) ([]scenes.Task, error) {
			m, err := PCF(s.Lights[1], Options{Bias: bias, Near: 1, Far: 50}, n)
			if err != nil {
				return nil, err
			}
			return m.Tasks(), m.AddTo(s)
		},
		"cascades": func(s *scenes.Scene, n *scenes.Node, bias float64) ([]scenes.Task, error) {
			k, err := CSM(s.Lights[0], Options{Bias: bias}, n)
			if err != nil {
				return nil, err
			}
			err = k.AddTo(s)
			return k.Tasks(), err
		},
	} {
		// depths are where a point lies in each of the maps.
		depths := func(bias float64) (out []float64) {
			s := scenes.New("bias")
			s.Camera = scenes.NewArcRotate("camera", 0.3, 1, 8, linalg.Vec3{}).Clip(0.1, 100)
			s.AddLight(scenes.Directional("sun", linalg.Vec3{0.3, -1, 0.2}), scenes.Spot("spot", linalg.Vec3{1, 6, 0}, linalg.Vec3{0, -1, 0}, 1, 1))
			s.Lights[0].Position = linalg.Vec3{-3, 10, -2}
			tasks, err := add(s, s.Add(scenes.NewMesh("ball", ball, nil)), bias)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			for _, u := range s.Updaters {
				if err := u.Update(s, 64, 64); err != nil {
					t.Fatalf("%s: %v", name, err)
				}
			}
			for _, task := range tasks {
				v := task.(*scenes.ScenePass).View
				m := linalg.Mat4(v.Projection).Mul(v.View)
				out = append(out, m.TransformPoint(linalg.Vec3{0.2, 0.5, -0.1})[2])
			}
			return out
		}
		none, some := depths(1e-12), depths(bias)
		if len(none) == 0 {
			t.Errorf("%s: no maps", name)
		}
		for i := range none {
			if got := some[i] - none[i]; math.Abs(got-bias/2) > 1e-6 {
				t.Errorf("%s: map %d is %v behind the casters, want %v", name, i, got, bias/2)
			}
		}
	}
}
