package scenes

import (
	"fmt"
	"slices"

	"darkroom/material/skin"
	"darkroom/scenes/linalg"
)

// Skeleton is a set of nodes that a skin follows. Seek computes the skin's
// matrices from where the nodes are.
type Skeleton struct {
	Name   string
	Joints []*Node
	// InverseBind takes the mesh to each joint's own space in the bind pose;
	// nil means that the joints' spaces are the mesh's.
	InverseBind []linalg.Mat4
	// Mesh is the node whose space the skinned vertices are in; nil is the
	// world. The skin does not depend on where it is: it leads to the joints'
	// places in the world.
	Mesh *Node
	Skin *skin.Skin
}

// Mounted is the rig of a camera that hangs on a node and looks along its -Z,
// with +Y up, as glTF's cameras do. Seek sets World for the cameras that the
// scene or one of its tasks looks through.
type Mounted struct {
	Node  *Node
	World linalg.Mat4 // of the node
}

// Eye implements Rig.
func (m *Mounted) Eye() linalg.Vec3 { return linalg.Vec3{m.World[12], m.World[13], m.World[14]} }

// View implements Rig. A mirrored node does not mirror the view.
func (m *Mounted) View() linalg.Mat4 {
	eye := m.Eye()
	return linalg.LookAtLH(eye, eye.Add(m.World.TransformNormal(linalg.Vec3{0, 0, -1}).Normalize()), m.World.TransformNormal(linalg.Vec3{0, 1, 0}))
}

// check refuses a skeleton that cannot be posed.
func (k *Skeleton) check() error {
	switch {
	case k == nil:
		return fmt.Errorf("a skeleton is nil; remove it")
	case k.Skin == nil:
		return fmt.Errorf("skeleton %s has no skin; give it one", k.Name)
	case slices.Contains(k.Joints, nil):
		return fmt.Errorf("skeleton %s: joint %d is nil", k.Name, slices.Index(k.Joints, nil))
	case len(k.Joints) != k.Skin.Joints():
		return fmt.Errorf("skeleton %s: %d joints for a skin of %d", k.Name, len(k.Joints), k.Skin.Joints())
	case k.InverseBind != nil && len(k.InverseBind) != len(k.Joints):
		return fmt.Errorf("skeleton %s: %d inverse bind matrices for %d joints", k.Name, len(k.InverseBind), len(k.Joints))
	}
	return nil
}

// pose brings what depends on nodes' places up to date: skins and mounted cameras.
func (s *Scene) pose() error {
	mounts := s.mounts()
	if len(mounts) == 0 && len(s.Skeletons) == 0 {
		return nil
	}
	worlds := map[*Node]linalg.Mat4{}
	for _, m := range mounts {
		worlds[m.Node] = linalg.Identity()
	}
	for _, k := range s.Skeletons {
		if err := k.check(); err != nil {
			return fmt.Errorf("scene %s: %w", s.Name, err)
		}
		worlds[k.Mesh] = linalg.Identity()
		for _, j := range k.Joints {
			worlds[j] = linalg.Identity()
		}
	}
	err := s.walk(true, nil, func(n *Node, world linalg.Mat4) error {
		if _, ok := worlds[n]; ok {
			worlds[n] = world
		}
		return nil
	})
	if err != nil {
		return err
	}
	for _, m := range mounts {
		m.World = worlds[m.Node]
	}
	for _, k := range s.Skeletons {
		back, ok := worlds[k.Mesh].Inverse()
		if !ok {
			back = linalg.Identity()
		}
		matrices := make([][16]float64, len(k.Joints))
		for i, j := range k.Joints {
			m := back.Mul(worlds[j])
			if k.InverseBind != nil {
				m = m.Mul(k.InverseBind[i])
			}
			matrices[i] = m
		}
		k.Skin.Set(matrices)
	}
	return nil
}

// mounts are the rigs of the cameras in use that hang on nodes.
func (s *Scene) mounts() []*Mounted {
	var out []*Mounted
	add := func(c *Camera) {
		if c != nil {
			if m, ok := c.Rig.(*Mounted); ok {
				out = append(out, m)
			}
		}
	}
	add(s.Camera)
	for _, list := range [][]Task{s.Before, s.Graph} {
		for _, t := range list {
			switch t := t.(type) {
			case *ScenePass:
				add(t.Camera)
			case *EffectPass:
				add(t.Camera)
			}
		}
	}
	return out
}
