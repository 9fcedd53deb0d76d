package renderer

import (
	"encoding/binary"
	"fmt"
	"math"
	"strings"
	"testing"

	"darkroom/composer"
	"darkroom/material"
	"darkroom/material/instances"
	"darkroom/material/pbr"
	"darkroom/material/skin"
	"darkroom/material/standard"
	"darkroom/scenes"
	"darkroom/scenes/linalg"
	"darkroom/scenes/mesh"
	"darkroom/scenes/surfaces"
)

// The velocity of a surface is where joints, instances and the mesh had it in
// the frame before, seen by the camera: worked out here from their matrices for
// each pixel of a flag that waves and moves. Only the last instance is in view.
func TestVelocity(t *testing.T) {
	r := open(t)
	const w, h, step = 48, 32, 0.1 // two frames of 20 a second
	places := func(t float64) [][16]float64 {
		size := 0.8 + t
		last := linalg.Compose(linalg.Vec3{size, size, size}, linalg.QuatFromEuler(linalg.Vec3{0.1, 0.4 + t, 2 * t}), linalg.Vec3{0.3 - t, 2*t - 0.2, 0.5 - 3*t})
		return [][16]float64{linalg.Translation(linalg.Vec3{90, t, 0}), linalg.Translation(linalg.Vec3{t, 0, -50}), last}
	}
	cloth, fabric := standard.Colored("cloth", 0.9, 0.4, 0.3), pbr.New("cloth")
	cloth.TwoSided, fabric.TwoSided = true, true
	for _, family := range []material.Material{cloth, fabric} {
		for _, eight := range []bool{false, true} {
			for _, how := range []string{"live", "baked", "live instances", "baked instances", "rigid instances", "live culled instances", "baked culled instances"} {
				is := func(what string) bool { return strings.Contains(how, what) }
				t.Run(fmt.Sprintf("%T/%t/%s", family, eight, how), func(t *testing.T) {
					s, k, g, clips := flag(t, eight)
					n := s.Add(scenes.NewMesh("flag", g, family)).Add(k.Joints...)
					k.Mesh, s.Skeletons = n, []*scenes.Skeleton{k}
					baked, err := s.BakeSkeleton(k, 20, clips...)
					if err != nil {
						t.Fatal(err)
					}
					s.Animations = clips[:1]
					s.Frames, s.Step = 2, step
					thin := instances.New(places(0), nil)
					s.Animate = func(_ *scenes.Scene, t float64) error {
						n.Position = linalg.Vec3{t, -t, 0}
						return thin.Set(places(t))
					}
					// The joints as both frames have them, and the mesh's places.
					var joints [2][][16]float64
					var world [2]linalg.Mat4
					for i := range 2 {
						if err := s.Seek(step * float64(i+1)); err != nil {
							t.Fatal(err)
						}
						for j := range k.Skin.Joints() {
							m := k.Skin.Matrix(j)
							if is("rigid") {
								m = linalg.Identity()
							}
							joints[i] = append(joints[i], m)
						}
						world[i] = linalg.Translation(n.Position)
						if is("instances") {
							world[i] = world[i].Mul(thin.Matrix(2))
						}
					}
					n.Mesh.Features = []material.Feature{k.Skin}
					play := skin.Play{Clip: baked.Clips[clips[0].Name], Offset: 1e-3}
					if is("baked") {
						n.Mesh.Features[0], s.Skeletons = &skin.Player{Baked: baked, Play: play}, nil
						thin.Values = skin.Each([]skin.Play{{Clip: play.Clip, Offset: 3}, {Clip: play.Clip, Offset: 5}, play})
					} else if is("rigid") {
						n.Mesh.Features = nil
					}
					if is("instances") {
						n.Instanced(thin)
					}
					if is("culled") {
						n.CullInstances(5)
					}
					got := storedFloats(t, r, s, w, h, step, surfaces.LocalPosition, surfaces.Velocity)
					p, err := s.Camera.Projection(float64(w)/h, true)
					if err != nil {
						t.Fatal(err)
					}
					seen := p.Mul(s.Camera.Rig.View())
					pixels, farthest := 0, 0.0
					for i := range w * h {
						local, velocity := got[surfaces.LocalPosition][i*4:i*4+4], got[surfaces.Velocity][i*4:i*4+2]
						if local[3] == 0 {
							continue
						}
						pixels++
						var want [2]float64
						for f, sign := range []float64{0.5, -0.5} {
							at := world[f].TransformPoint(posed(g, joints[f], local[0], local[1]))
							c := seen.TransformVec4(linalg.Vec4{at[0], at[1], at[2], 1})
							want[0] += sign * c[0] / c[3]
							want[1] += sign * c[1] / c[3]
						}
						farthest = max(farthest, math.Hypot(want[0], want[1]))
						if math.Abs(velocity[0]-want[0]) > 2e-5 || math.Abs(velocity[1]-want[1]) > 2e-5 {
							t.Fatalf("pixel %d,%d: the velocity is %v, want %v", i%w, i/w, velocity, want)
						}
					}
					if pixels < 50 || farthest < 0.02 {
						t.Errorf("%d pixels, the fastest at %g: there is nothing to see", pixels, farthest)
					}
				})
			}
		}
	}
}

// posed is where joints take the place x, y of the flag: the sum of what they
// do to the corners of the triangle that it lies in.
func posed(g *mesh.Geometry, joints [][16]float64, x, y float64) linalg.Vec3 {
	i := min(max(int((x+3)*2), 0), 11)
	s, u := (x+3)*2-float64(i), y+0.5
	a := 2 * i
	corners, weights := [3]int{a, a + 1, a + 3}, [3]float64{1 - u, u - s, s}
	if u < s {
		corners, weights = [3]int{a, a + 3, a + 2}, [3]float64{1 - s, u, s - u}
	}
	var out linalg.Vec3
	for c, v := range corners {
		p := linalg.Vec3{float64(g.Positions[v*3]), float64(g.Positions[v*3+1]), float64(g.Positions[v*3+2])}
		for set := range g.Joints {
			for j := v * 4; j < v*4+4 && j < len(g.Joints[set]); j++ {
				moved := linalg.Mat4(joints[g.Joints[set][j]]).TransformPoint(p)
				out = out.Add(moved.Scale(weights[c] * float64(g.Weights[set][j])))
			}
		}
	}
	return out
}

// storedFloats draws a scene's frames from a time on and returns what the last
// stores of its surfaces, four numbers a pixel.
func storedFloats(t *testing.T, r *Renderer, s *scenes.Scene, w, h int, at float64, kinds ...surfaces.Kind) map[surfaces.Kind][]float64 {
	t.Helper()
	return storedBy(t, r, s, w, h, at, false, kinds...)
}

// storedBy is storedFloats, upside down where flip says so.
func storedBy(t *testing.T, r *Renderer, s *scenes.Scene, w, h int, at float64, flip bool, kinds ...surfaces.Kind) map[surfaces.Kind][]float64 {
	t.Helper()
	formats := map[surfaces.Kind]composer.TextureFormat{}
	for _, k := range kinds {
		formats[k] = composer.RGBA32Float
	}
	pass, textures, err := surfaces.Draw(surfaces.Options{Width: w, Height: h, Formats: formats}, kinds...)
	if err != nil {
		t.Fatal(err)
	}
	pass.FlipY = flip
	s.Graph = []scenes.Task{pass, &scenes.ScenePass{Name: "main"}}
	out := map[surfaces.Kind][]float64{}
	x, err := r.Session(s, Settings{Width: w, Height: h, Samples: 1, Capture: func(c Captured) error {
		for k, tex := range textures {
			if tex.Name != c.Target {
				continue
			}
			out[k] = out[k][:0]
			for i := 0; i < len(c.Frame.Pix); i += 4 {
				out[k] = append(out[k], float64(math.Float32frombits(binary.LittleEndian.Uint32(c.Frame.Pix[i:]))))
			}
		}
		return nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	defer x.Close()
	drawAt(t, x, at)
	return out
}
