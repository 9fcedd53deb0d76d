package scenes

import (
	"math"

	"darkroom/material/instances"
	"darkroom/scenes/linalg"
)

// Instanced draws the node's mesh once for each of thin's instances and returns n.
func (n *Node) Instanced(thin *instances.Thin) *Node {
	n.Mesh.Features, n.Mesh.Instances = append(n.Mesh.Features, thin), thin.Count
	return n
}

// CullInstances leaves out, on the device, the instances of n's mesh that lie
// outside of the view of a pass. The mesh's vertices may be moved by up to
// margin, in its own units. Call it after the geometry and the instances are
// set; without either it does nothing. It returns n.
func (n *Node) CullInstances(margin float64) *Node {
	if n.Mesh == nil || n.Mesh.Geometry == nil {
		return n
	}
	b := n.Mesh.Geometry.Bounds()
	centre := b.Min.Add(b.Max).Scale(0.5)
	radius := 0.0
	p := n.Mesh.Geometry.Positions
	for i := 0; i+2 < len(p); i += 3 {
		radius = math.Max(radius, linalg.Vec3{float64(p[i]), float64(p[i+1]), float64(p[i+2])}.Sub(centre).Length())
	}
	for _, f := range n.Mesh.Features {
		if t, ok := f.(*instances.Thin); ok {
			t.Cull = &instances.Cull{Center: centre, Radius: radius + margin}
		}
	}
	return n
}

// Bounds are those of the mesh in its node's space, with all its instances.
func (m *Mesh) Bounds() linalg.AABB {
	if m.Geometry == nil {
		return linalg.EmptyAABB()
	}
	box := m.Geometry.Bounds()
	for _, f := range m.Features {
		t, ok := f.(*instances.Thin)
		if !ok {
			continue
		}
		all := linalg.EmptyAABB()
		for i := range min(t.Count, len(t.Matrices.Data)/64) {
			placed := linalg.Mat4(t.Matrix(i))
			for _, c := range box.Corners() {
				all = all.Extend(placed.TransformPoint(c))
			}
		}
		box = all
	}
	return box
}
