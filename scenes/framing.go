package scenes

import (
	"math"

	"darkroom/scenes/linalg"
)

// AutoFrame returns the camera that Babylon.js's createDefaultCamera makes for
// a scene of the given bounds: it looks along +Z at the middle from one and a
// half diagonals away.
func AutoFrame(b linalg.AABB) *Camera {
	radius, center := 1.5*b.Diagonal(), b.Center()
	if b.Empty() || math.IsNaN(radius) || math.IsInf(radius, 0) || radius <= 0 {
		radius, center = 1, linalg.Vec3{}
	}
	return NewArcRotate("default camera", -math.Pi/2, math.Pi/2, radius, center).Clip(radius*0.01, radius*1000)
}

// Bounds is the box about all meshes that are not hidden, with their instances
// and without what skins and morph targets do to them.
func (s *Scene) Bounds() (linalg.AABB, error) {
	box := linalg.EmptyAABB()
	err := s.Walk(func(n *Node, world linalg.Mat4) error {
		if n.Mesh != nil && n.Mesh.Geometry != nil {
			for _, c := range n.Mesh.Bounds().Corners() {
				box = box.Extend(world.TransformPoint(c))
			}
		}
		return nil
	})
	return box, err
}
