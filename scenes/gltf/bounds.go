package gltf

import (
	"darkroom/material/instances"
	"darkroom/scenes"
	"darkroom/scenes/linalg"
	"darkroom/scenes/mesh"
)

// buildBounds measures the default scene at rest, as the reference engine does:
// boxes of the meshes, turned into the world, of skinned meshes in their pose.
func (l *loader) buildBounds() error {
	a := l.asset
	a.Bounds = linalg.EmptyAABB()
	if a.Default < 0 {
		return nil
	}
	s := scenes.New(a.Name)
	a.AddTo(s)
	s.Animations = nil
	if err := s.Seek(0); err != nil {
		// Transforms may overflow only when multiplied; drawing will say where.
		l.warn("the scene has no bounds: %v", err)
		return nil
	}
	boxes := map[*mesh.Geometry]linalg.AABB{}
	for _, prims := range l.meshes {
		for _, p := range prims {
			boxes[p.geometry] = p.bounds
		}
	}
	skins := map[*scenes.Node]*scenes.Skeleton{}
	for _, u := range l.skins {
		skins[u.mesh] = l.skeletonOf[u.skin]
		for _, c := range u.mesh.Children {
			skins[c] = l.skeletonOf[u.skin]
		}
	}
	return s.Walk(func(n *scenes.Node, world linalg.Mat4) error {
		if n.Mesh == nil {
			return nil
		}
		box := boxes[n.Mesh.Geometry]
		if k := skins[n]; k != nil && n.Mesh.Geometry.Joints[0] != nil {
			box = skinnedBounds(n.Mesh.Geometry, k)
		}
		placed := linalg.EmptyAABB()
		thin := false
		for _, f := range n.Mesh.Features {
			if t, ok := f.(*instances.Thin); ok {
				thin = true
				for i := range t.Count {
					placed = placed.Union(box.Transform(world.Mul(linalg.Mat4(t.Matrix(i)))))
				}
			}
		}
		if !thin {
			placed = box.Transform(world)
		}
		a.Bounds = a.Bounds.Union(placed)
		return nil
	})
}

// skinnedBounds is the box of a geometry's vertices moved by a skeleton.
func skinnedBounds(g *mesh.Geometry, k *scenes.Skeleton) linalg.AABB {
	joints := make([]linalg.Mat4, k.Skin.Joints())
	for i := range joints {
		joints[i] = k.Skin.Matrix(i)
	}
	box := linalg.EmptyAABB()
	for v := range g.VertexCount() {
		p := linalg.Vec3{float64(g.Positions[v*3]), float64(g.Positions[v*3+1]), float64(g.Positions[v*3+2])}
		var sum linalg.Mat4
		for set := range g.Joints {
			if g.Joints[set] == nil {
				continue
			}
			for i := range 4 {
				w := float64(g.Weights[set][v*4+i])
				if w == 0 {
					continue
				}
				for e, x := range joints[g.Joints[set][v*4+i]] {
					sum[e] += x * w
				}
			}
		}
		// Not a TransformPoint: where weights do not sum to 1, neither does w.
		q := sum.TransformVec4(linalg.Vec4{p[0], p[1], p[2], 1})
		box = box.Extend(linalg.Vec3{q[0], q[1], q[2]})
	}
	return box
}
