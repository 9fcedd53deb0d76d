package renderer

import (
	"bytes"
	"encoding/binary"
	"math"
	"math/rand"
	"strings"
	"testing"

	"darkroom/material"
	"darkroom/material/instances"
	"darkroom/material/standard"
	"darkroom/scenes"
	"darkroom/scenes/catalogue"
	"darkroom/scenes/linalg"
	"darkroom/scenes/mesh"
)

// field is a scene with n boxes all around the camera, turned, stretched and
// sheared, some of them half in view.
func field(t testing.TB, n int) (*scenes.Scene, *scenes.Node, *instances.Thin) {
	t.Helper()
	box, err := mesh.CreateBox(mesh.BoxOptions{})
	if err != nil {
		t.Fatal(err)
	}
	s := scenes.New("field")
	s.Camera = scenes.NewFree("camera", linalg.Vec3{0, 0, -1}).Clip(0.5, 30)
	s.AddLight(scenes.Hemispheric("sky", linalg.Vec3{0, 1, 0}))
	r := rand.New(rand.NewSource(1))
	matrices, colors := make([][16]float64, n), make([][4]float64, n)
	for i := range matrices {
		at := linalg.Vec3{r.Float64()*80 - 40, r.Float64()*80 - 40, r.Float64()*80 - 40}
		q := linalg.QuatFromEuler(linalg.Vec3{r.Float64() * 6, r.Float64() * 6, r.Float64() * 6})
		matrices[i] = linalg.Compose(linalg.Vec3{0.2 + 2*r.Float64(), 0.2 + r.Float64(), 0.2 + r.Float64()}, q, at)
		colors[i] = [4]float64{r.Float64(), r.Float64(), r.Float64(), 1}
	}
	thin := instances.New(matrices, colors)
	node := s.Add(scenes.NewMesh("boxes", box, standard.New("white"))).Instanced(thin)
	node.Scaling = linalg.Vec3{1, 0.7, 1.3}
	node.Rotation = linalg.Vec3{0.3, 0.2, 0.1}
	return s, node, thin
}

// drawn reads back how many instances the last pass drew of the node's thin instances.
func drawn(t testing.TB, x *Session, thin *instances.Thin, use int) int {
	t.Helper()
	_, arguments, err := thin.Prepare(&material.Context{}, 0, use)
	if err != nil {
		t.Fatal(err)
	}
	b, err := x.buffer(arguments)
	if err != nil {
		t.Fatal(err)
	}
	data, err := x.r.dev.ReadBuffer(b, 0, 20)
	if err != nil {
		t.Fatal(err)
	}
	if n := binary.LittleEndian.Uint32(data); n != 36 {
		t.Errorf("the draw has %d indices, want 36", n)
	}
	return int(binary.LittleEndian.Uint32(data[4:]))
}

// inView counts the instances that no side of the view separates from their
// box: first by their spheres, then by their corners.
func inView(s *scenes.Scene, node *scenes.Node, thin *instances.Thin, aspect float64) (spheres, boxes int) {
	p, _ := s.Camera.Projection(aspect, true)
	m := p.Mul(s.Camera.Rig.View())
	for i := range thin.Count {
		var inst linalg.Mat4
		for k := range inst {
			inst[k] = float64(math.Float32frombits(binary.LittleEndian.Uint32(thin.Matrices.Data[i*64+k*4:])))
		}
		world := node.Local().Mul(inst)
		var out [6]int
		for corner := range 8 {
			c := linalg.Vec3{float64(corner&1) - 0.5, float64(corner>>1&1) - 0.5, float64(corner>>2) - 0.5}
			w := world.TransformPoint(c)
			x := m[0]*w[0] + m[4]*w[1] + m[8]*w[2] + m[12]
			y := m[1]*w[0] + m[5]*w[1] + m[9]*w[2] + m[13]
			z := m[2]*w[0] + m[6]*w[1] + m[10]*w[2] + m[14]
			h := m[3]*w[0] + m[7]*w[1] + m[11]*w[2] + m[15]
			for k, d := range [6]float64{h + x, h - x, h + y, h - y, z, h - z} {
				if d < 0 {
					out[k]++
				}
			}
		}
		box := true
		for _, n := range out {
			box = box && n < 8
		}
		if box {
			boxes++
		}
		centre := world.TransformPoint(linalg.Vec3{})
		radius := 0.0
		for k := range 3 {
			radius += world[k*4]*world[k*4] + world[k*4+1]*world[k*4+1] + world[k*4+2]*world[k*4+2]
		}
		radius = math.Sqrt(radius*0.75) * 1.001 // Frobenius norm: no smaller than what is used
		sphere := true
		for k := range 6 {
			var pl [4]float64
			for j := range 4 {
				row := [3]float64{m[j*4], m[j*4+1], m[j*4+2]}
				h := m[j*4+3]
				switch k {
				case 4:
					pl[j] = row[2]
				case 5:
					pl[j] = h - row[2]
				default:
					pl[j] = h + [2]float64{1, -1}[k%2]*row[k/2]
				}
			}
			l := math.Sqrt(pl[0]*pl[0] + pl[1]*pl[1] + pl[2]*pl[2])
			sphere = sphere && (pl[0]*centre[0]+pl[1]*centre[1]+pl[2]*centre[2]+pl[3])/l > -radius
		}
		if sphere {
			spheres++
		}
	}
	return spheres, boxes
}

// Culling on the device changes no bit of a picture and draws hardly more than
// what the view touches, whichever the number of instances.
func TestCulledInstances(t *testing.T) {
	r := open(t)
	for _, n := range []int{1, 31, 255, 256, 257, 5000, 70000} {
		s, node, thin := field(t, n)
		want := drawAt(t, newSession(t, r, s, 160, 90), 0)
		node.CullInstances(0)
		x := newSession(t, r, s, 160, 90)
		got := drawAt(t, x, 0)
		if !bytes.Equal(got.Pix, want.Pix) {
			t.Errorf("%d instances: the picture is another", n)
		}
		spheres, boxes := inView(s, node, thin, 16.0/9)
		if d := drawn(t, x, thin, 0); d < boxes || d > spheres {
			t.Errorf("%d instances: %d are drawn, want %d to %d", n, d, boxes, spheres)
		}
	}
}

// Each pass and each mesh has a view of its own, in the projections that there are.
func TestCulledInstancesInSeveralPasses(t *testing.T) {
	r := open(t)
	s, node, thin := field(t, 3000)
	other := scenes.NewMesh("same boxes", node.Mesh.Geometry, node.Mesh.Material).Instanced(thin).At(3, -20, 5)
	s.Add(other)
	half := func(x float64) scenes.Viewport { return scenes.Viewport{X: x, Width: 0.5, Height: 1} }
	ortho := scenes.NewFree("above", linalg.Vec3{0, 20, 0}).Clip(1, 30)
	ortho.Rig.(*scenes.Free).Rotation = linalg.Vec3{1.5, 0, 0}
	ortho.Ortho = &scenes.Ortho{Left: -9, Right: 9, Bottom: -9, Top: 9}
	endless := scenes.NewFree("endless", linalg.Vec3{0, 3, 0}).Clip(0.1, 0)
	for _, large := range []bool{false, true} {
		for _, std := range []bool{false, true} {
			s.LargeWorld = large
			s.Graph = []scenes.Task{
				&scenes.ScenePass{Name: "left", Camera: ortho, Viewport: half(0), StandardZ: std},
				&scenes.ScenePass{Name: "right", Camera: endless, Viewport: half(0.5), StandardZ: std, Attachments: scenes.Attachments{LoadColor: true}},
			}
			thin.Cull = nil
			want := drawAt(t, newSession(t, r, s, 160, 90), 0)
			node.CullInstances(0)
			x := newSession(t, r, s, 160, 90)
			if got := drawAt(t, x, 0); !bytes.Equal(got.Pix, want.Pix) {
				t.Errorf("large world %t, standard depth %t: the picture is another", large, std)
			}
			if a, b := drawn(t, x, thin, 0), drawn(t, x, thin, 1); a == b || a >= 3000 || b >= 3000 {
				t.Errorf("%d and %d instances drawn of two meshes of 3,000", a, b)
			}
		}
	}
}

func TestCulledInstancesRefused(t *testing.T) {
	r := open(t)
	s, node, thin := field(t, 10)
	node.CullInstances(math.NaN())
	_, err := newSession(t, r, s, 16, 16).Draw(t.Context(), 0)
	if err == nil || !strings.Contains(err.Error(), "node boxes") || !strings.Contains(err.Error(), "radius NaN") {
		t.Error(err)
	}
	node.CullInstances(0)
	thin.Matrices.Data = thin.Matrices.Data[:64*9]
	_, err = newSession(t, r, s, 16, 16).Draw(t.Context(), 0)
	if err == nil || !strings.Contains(err.Error(), "node boxes") || !strings.Contains(err.Error(), "10") {
		t.Error(err)
	}
}

// The reference's own check of its culling: 64,000 cubes from outside and from amidst them.
func TestCulledScene16(t *testing.T) {
	r := open(t)
	e, err := catalogue.All().Find("scene16-thin-instances")
	if err != nil {
		t.Fatal(err)
	}
	for _, radius := range []float64{200, 10} {
		s, err := e.Build(nil)
		if err != nil {
			t.Fatal(err)
		}
		s.Camera.Rig.(*scenes.ArcRotate).Radius = radius
		node := s.Roots[0]
		thin := node.Mesh.Features[0].(*instances.Thin)
		want := drawAt(t, newSession(t, r, s, 320, 180), 0)
		x := newSession(t, r, s, 320, 180)
		node.CullInstances(0)
		if got := drawAt(t, x, 0); !bytes.Equal(got.Pix, want.Pix) {
			t.Errorf("from %g: the picture is another", radius)
		}
		if d := drawn(t, x, thin, 0); (d > 60000) != (radius == 200) || d > thin.Count {
			t.Errorf("from %g: %d of %d cubes are drawn", radius, d, thin.Count)
		}
	}
}
