package renderer

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"darkroom/material"
	"darkroom/material/instances"
	"darkroom/material/skin"
	"darkroom/material/standard"
	"darkroom/scenes"
	"darkroom/scenes/linalg"
	"darkroom/scenes/mesh"
)

// flag is a strip of six units along x that three joints bend, four weights a
// vertex or eight, and two clips of half a second.
func flag(t *testing.T, eight bool) (*scenes.Scene, *scenes.Skeleton, *mesh.Geometry, []*scenes.Animation) {
	t.Helper()
	g := &mesh.Geometry{Name: "flag"}
	for i := range 13 {
		x := float32(i)/2 - 3
		for _, y := range []float32{-0.5, 0.5} {
			g.Positions = append(g.Positions, x, y, 0)
			g.Normals = append(g.Normals, 0, 0, -1)
			w := float32(i) / 12
			g.Joints[0] = append(g.Joints[0], 0, 1, 2, 0)
			if eight {
				g.Weights[0] = append(g.Weights[0], 1-w, w/2, w/4, 0)
				g.Joints[1] = append(g.Joints[1], 2, 1, 0, 2)
				g.Weights[1] = append(g.Weights[1], w/8, w/8, 0, 0)
			} else {
				g.Weights[0] = append(g.Weights[0], 1-w, w/2, w/2, 0)
			}
		}
		if i > 0 {
			a := uint32(2 * (i - 1))
			g.Indices = append(g.Indices, a, a+1, a+3, a, a+3, a+2)
		}
	}
	s := scenes.New("flag")
	s.Camera = scenes.NewFree("camera", linalg.Vec3{0, 0, -9}).Clip(0.1, 100)
	s.AddLight(scenes.Hemispheric("sky", linalg.Vec3{0.3, 1, -0.5}))
	k := &scenes.Skeleton{Name: "flag", Skin: skin.New("flag", 3)}
	for i := range 3 {
		n := scenes.NewNode("joint")
		n.Position = linalg.Vec3{float64(2*i) - 3, 0, 0}
		k.Joints, k.InverseBind = append(k.Joints, n), append(k.InverseBind, linalg.Translation(n.Position.Scale(-1)))
	}
	var clips []*scenes.Animation
	for c, path := range []scenes.Path{scenes.PathEulerZ, scenes.PathPositionY} {
		a := &scenes.Animation{Name: string(path)}
		for i, n := range k.Joints {
			a.Tracks = append(a.Tracks, &scenes.Track{Node: n, Path: path, Times: []float64{0, 0.25, 0.5}, Values: []float64{0, 0.5 * float64(i+c), 0}})
		}
		clips = append(clips, a)
	}
	return s, k, g, clips
}

// apart is the mean and the largest difference of two pictures' bytes.
func apart(a, b *Frame) (mean float64, most int) {
	sum := 0
	for i := range a.Pix {
		d := int(math.Abs(float64(a.Pix[i]) - float64(b.Pix[i])))
		sum, most = sum+d, max(most, d)
	}
	return float64(sum) / float64(len(a.Pix)), most
}

// A baked pose is the live one, at every frame of every clip: two shaders that
// compute the same may differ by a pixel that an edge goes through.
func TestBakedSkinIsTheLiveOne(t *testing.T) {
	r := open(t)
	for _, eight := range []bool{false, true} {
		s, k, g, clips := flag(t, eight)
		m := standard.Colored("cloth", 0.9, 0.4, 0.3)
		m.TwoSided = true
		n := s.Add(scenes.NewMesh("flag", g, m)).Add(k.Joints...)
		k.Mesh, s.Skeletons = n, []*scenes.Skeleton{k}
		baked, err := s.BakeSkeleton(k, 20, clips...)
		if err != nil {
			t.Fatal(err)
		}
		for _, clip := range clips {
			if c := baked.Clips[clip.Name]; c.Frames != 11 || c.FPS != 20 {
				t.Fatalf("clip %s is %+v, want 11 frames at 20 a second", clip.Name, c)
			}
			s.Animations = []*scenes.Animation{clip}
			live, still := newSession(t, r, s, 96, 64), newSession(t, r, s, 96, 64)
			var pictures [][]byte
			for frame := range 11 {
				// A hair past the frame, so that rounding does not show the one before.
				at := (float64(frame) + 1e-3) / 20
				n.Mesh.Features = []material.Feature{k.Skin}
				want := drawAt(t, live, float64(frame)/20)
				n.Mesh.Features = []material.Feature{&skin.Player{Baked: baked, Play: skin.Play{Clip: baked.Clips[clip.Name]}}}
				if mad, most := apart(drawAt(t, still, at), want); mad > 0.01 {
					t.Errorf("eight %t, clip %s, frame %d: the baked picture is %.4f from the live one, at most %d", eight, clip.Name, frame, mad, most)
				}
				pictures = append(pictures, want.Pix)
			}
			if bytes.Equal(pictures[0], pictures[5]) {
				t.Error("nothing moves")
			}
		}
	}
}

// Instances of one draw show what meshes of their own would, each at its
// frame and mixture, with a live skin and with a baked one, culled or not.
func TestSkinnedInstances(t *testing.T) {
	r := open(t)
	s, k, g, clips := flag(t, true)
	m := standard.Colored("cloth", 0.9, 0.4, 0.3)
	m.TwoSided = true
	n := s.Add(scenes.NewMesh("flag", g, m)).Add(k.Joints...)
	k.Mesh, s.Skeletons, s.Animations = n, []*scenes.Skeleton{k}, clips[:1]
	baked, err := s.BakeSkeleton(k, 20, clips...)
	if err != nil {
		t.Fatal(err)
	}
	a, b := baked.Clips[clips[0].Name], baked.Clips[clips[1].Name]
	var matrices [][16]float64
	var plays []skin.Play
	for i := range 12 {
		q := linalg.QuatFromEuler(linalg.Vec3{0.1 * float64(i), 0.2, 0.5 * float64(i)})
		matrices = append(matrices, linalg.Compose(linalg.Vec3{0.4, 0.5, 0.4}, q, linalg.Vec3{float64(i%4)*3 - 4.5, float64(i/4)*2.2 - 2.2, 0}))
		plays = append(plays, skin.Play{Clip: a, Offset: float64(i) + 0.5, Next: b, Blend: float64(i) / 11})
	}
	const at = 0.15
	for _, live := range []bool{true, false} {
		feature := func(i int) material.Feature {
			if live {
				return k.Skin
			}
			return &skin.Player{Baked: baked, Play: plays[i]}
		}
		var alone []*scenes.Node
		for i := range matrices {
			c := scenes.NewMesh("one", g, m)
			mat := linalg.Mat4(matrices[i])
			c.Matrix, c.Mesh.Features = &mat, []material.Feature{feature(i)}
			alone = append(alone, c)
		}
		mesh := n.Mesh
		n.Mesh = nil
		s.Roots = append([]*scenes.Node{n}, alone...)
		want := drawAt(t, newSession(t, r, s, 160, 96), at)
		n.Mesh, s.Roots = mesh, s.Roots[:1]
		for _, cull := range []bool{false, true} {
			thin := instances.New(matrices, nil)
			n.Mesh.Features = nil
			n.Instanced(thin)
			if live {
				n.Mesh.Features = append(n.Mesh.Features, k.Skin)
			} else {
				thin.Values = skin.Each(plays)
				n.Mesh.Features = append(n.Mesh.Features, &skin.Player{Baked: baked})
			}
			if cull {
				n.CullInstances(3)
			}
			if mad, most := apart(drawAt(t, newSession(t, r, s, 160, 96), at), want); mad > 0.02 {
				t.Errorf("live %t, culled %t: the instances are %.3f from meshes of their own, at most %d", live, cull, mad, most)
			}
		}
	}
}

func TestBakingRefused(t *testing.T) {
	s, k, _, clips := flag(t, false)
	n := s.Add(scenes.NewNode("flag")).Add(k.Joints...)
	k.Mesh, s.Skeletons = n, []*scenes.Skeleton{k}
	for want, bake := range map[string]func() error{
		"0 clips":         func() error { _, err := s.BakeSkeleton(k, 20); return err },
		"frames a second": func() error { _, err := s.BakeSkeleton(k, math.NaN(), clips...); return err },
		"two clips":       func() error { _, err := s.BakeSkeleton(k, 20, clips[0], clips[0]); return err },
		"track joint": func() error {
			broken := &clips[0].Tracks[0].Values[1]
			whole := *broken
			// The cases come in any order: the next one finds the clip whole again.
			defer func() { *broken = whole }()
			*broken = math.Inf(1)
			_, err := s.BakeSkeleton(k, 20, clips...)
			return err
		},
		"rows 3 to 5 of 4": func() error {
			_, err := skin.NewBaked("flag", make4(1), map[string]skin.Clip{"wave": {First: 3, Frames: 3}})
			return err
		},
		"1 to 8192 of 1 to 2048": func() error { _, err := skin.NewBaked("flag", make4(3000), nil); return err },
	} {
		if err := bake(); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "flag") {
			t.Errorf("%v; want flag and %q", err, want)
		}
	}
	if s.Animations != nil {
		t.Error("a failed bake leaves the scene's animations changed")
	}
}

// make4 is four poses of n joints.
func make4(n int) [][][16]float64 {
	out := make([][][16]float64, 4)
	for i := range out {
		out[i] = make([][16]float64, n)
	}
	return out
}
