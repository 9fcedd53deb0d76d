package scenes

import (
	"darkroom/material"
	"darkroom/scenes/linalg"
	"darkroom/scenes/mesh"
)

// Node is a place in the hierarchy. It may carry a mesh, a light or a camera.
type Node struct {
	Name     string
	Position linalg.Vec3
	// Rotation are Euler angles in radians applied as yaw (y), pitch (x), roll
	// (z), used where Quaternion is nil.
	Rotation   linalg.Vec3
	Quaternion *linalg.Quat
	Scaling    linalg.Vec3 // NewNode sets 1, 1, 1
	// Matrix, where set, replaces position, rotation and scaling.
	Matrix *linalg.Mat4

	Children []*Node
	Mesh     *Mesh
	Light    *Light
	Camera   *Camera
	// Hidden nodes are not drawn, nor are their children.
	Hidden bool
}

// NewNode returns a node at the origin.
func NewNode(name string) *Node { return &Node{Name: name, Scaling: linalg.Vec3{1, 1, 1}} }

// NewMesh returns a node that draws g with m.
func NewMesh(name string, g *mesh.Geometry, m material.Material) *Node {
	n := NewNode(name)
	n.Mesh = &Mesh{Geometry: g, Material: m}
	return n
}

// At sets the position and returns n.
func (n *Node) At(x, y, z float64) *Node { n.Position = linalg.Vec3{x, y, z}; return n }

// Add puts nodes under n and returns n.
func (n *Node) Add(children ...*Node) *Node { n.Children = append(n.Children, children...); return n }

// Mesh is a geometry drawn with a material.
type Mesh struct {
	Geometry *mesh.Geometry
	Material material.Material
	// Features are the mesh's own: skin, morph targets, instances.
	Features []material.Feature
	// Instances is how often the geometry is drawn; zero means once.
	Instances int
	// Caster, where set, replaces the material in passes that draw shadow casters,
	// and what the material itself would be replaced by there.
	Caster material.Material
	// ReceiveShadows lets shadows fall on the mesh.
	ReceiveShadows bool
	// OnlyLights, where not nil, are the only lights that reach the mesh;
	// ExcludeLights do not.
	OnlyLights    []*Light
	ExcludeLights []*Light
	// Layer is drawn where it shares a bit with the camera's; zero means 1.
	Layer uint32
	// Order sorts transparent draws before their distance does; lower first.
	Order int
	// RenderingGroup draws in ascending order, depth cleared between groups.
	RenderingGroup int
}

// Local is the node's own matrix, in double precision.
func (n *Node) Local() linalg.Mat4 {
	if n.Matrix != nil {
		return *n.Matrix
	}
	q := linalg.Quat{0, 0, 0, 1}
	if n.Quaternion != nil {
		q = *n.Quaternion
	} else if n.Rotation != (linalg.Vec3{}) {
		q = linalg.QuatFromEuler(n.Rotation)
	}
	return linalg.Compose(n.Scaling, q, n.Position)
}
