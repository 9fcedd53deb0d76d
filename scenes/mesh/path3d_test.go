package mesh

import (
	"math"
	"testing"

	"darkroom/scenes/linalg"
)

func TestPath3DStraight(t *testing.T) {
	up := linalg.Vec3{0, 1, 0}
	for _, c := range []struct {
		name                    string
		points                  []linalg.Vec3
		first                   *linalg.Vec3
		tangent, normal, binorm linalg.Vec3
		length                  float64
	}{
		{"along X", []linalg.Vec3{{0, 0, 0}, {1, 0, 0}, {3, 0, 0}}, nil, linalg.Vec3{1, 0, 0}, linalg.Vec3{0, 0, -1}, linalg.Vec3{0, 1, 0}, 3},
		{"along Y", []linalg.Vec3{{0, 0, 0}, {0, 2, 0}}, nil, linalg.Vec3{0, 1, 0}, linalg.Vec3{0, 0, -1}, linalg.Vec3{-1, 0, 0}, 2},
		{"along Z", []linalg.Vec3{{0, 0, 0}, {0, 0, 5}}, nil, linalg.Vec3{0, 0, 1}, linalg.Vec3{1, 0, 0}, linalg.Vec3{0, 1, 0}, 5},
		{"with a wish", []linalg.Vec3{{0, 0, 0}, {1, 0, 0}}, &linalg.Vec3{7, 2, 0}, linalg.Vec3{1, 0, 0}, up, linalg.Vec3{0, 0, 1}, 1},
		{"doubled points", []linalg.Vec3{{0, 0, 0}, {0, 0, 0}, {1, 0, 0}, {1, 0, 0}, {2, 0, 0}}, &up, linalg.Vec3{1, 0, 0}, up, linalg.Vec3{0, 0, 1}, 2},
	} {
		p := NewPath3D(c.points, Path3DOptions{FirstNormal: c.first})
		for i := range c.points {
			if p.Tangents[i].Distance(c.tangent)+p.Normals[i].Distance(c.normal)+p.Binormals[i].Distance(c.binorm) > 1e-12 {
				t.Errorf("%s: frame %d is %v, %v, %v", c.name, i, p.Tangents[i], p.Normals[i], p.Binormals[i])
			}
		}
		if got := p.Distances[len(c.points)-1]; got != c.length {
			t.Errorf("%s: length %g, want %g", c.name, got, c.length)
		}
	}
	if p := NewPath3D(square()[:1], Path3DOptions{}); p.Tangents != nil {
		t.Error("one point has a frame")
	}
}

func TestPath3DFrames(t *testing.T) {
	p := NewPath3D(helix(), Path3DOptions{})
	for i := range p.Points {
		a, b, c := p.Tangents[i], p.Normals[i], p.Binormals[i]
		if math.Abs(a.Dot(b)) > 1e-12 || math.Abs(a.Length()-1)+math.Abs(b.Length()-1) > 1e-12 || a.Cross(b).Distance(c) > 1e-12 {
			t.Errorf("frame %d is not orthonormal: %v, %v, %v", i, a, b, c)
		}
		if i > 0 && b.Dot(p.Normals[i-1]) < 0.9 {
			t.Errorf("the frame twists at %d", i)
		}
	}
	aligned := NewPath3D(square(), Path3DOptions{AlignTangentsWithPath: true})
	if want := (linalg.Vec3{0, 1, 0.3}).Normalize(); aligned.Tangents[1].Distance(want) > 1e-12 {
		t.Errorf("aligned tangent is %v, want %v", aligned.Tangents[1], want)
	}
	raw := NewPath3D([]linalg.Vec3{{0, 0, 0}, {0, 3, 0}, {0, 4, 0}}, Path3DOptions{Raw: true})
	if raw.Tangents[0] != (linalg.Vec3{0, 3, 0}) || raw.Tangents[2] != (linalg.Vec3{0, 1, 0}) {
		t.Errorf("raw tangents are %v", raw.Tangents)
	}
}
