package gltf

import (
	"fmt"

	"github.com/qmuntal/gltf"

	"darkroom/material/skin"
	"darkroom/scenes"
	"darkroom/scenes/linalg"
)

// skinUse is a node that wears a skin.
type skinUse struct {
	skin  int
	mesh  *scenes.Node
	prims []*primitive
}

// skinned notes that place draws the skinned mesh of node i, whose primitives
// all hang on it.
func (l *loader) skinned(i int, place *scenes.Node, prims []*primitive) error {
	s := *l.doc.Nodes[i].Skin
	n := len(l.doc.Skins[s].Joints)
	for _, p := range prims {
		if p.geometry.Joints[0] == nil {
			l.warn("%s: %s has no joints and is not moved by its skin", named("node", i, l.doc.Nodes[i].Name), p.object)
			continue
		}
		if int64(p.joints) > int64(n) {
			return bad(p.object, "joint %d is out of range, %s has %s", p.joints-1, named("skin", s, l.doc.Skins[s].Name), count(n, "joint"))
		}
	}
	l.skins = append(l.skins, skinUse{s, place, prims})
	return nil
}

// buildSkins makes a skeleton for each skin in use. All skinned meshes stand
// under the root without a place of their own, so they share it.
func (l *loader) buildSkins() error {
	made := map[int]*scenes.Skeleton{}
	l.skeletonOf = made
	for _, u := range l.skins {
		k := made[u.skin]
		if k == nil {
			var err error
			if k, err = l.skeleton(u.skin, u.mesh); err != nil {
				return err
			}
			made[u.skin] = k
			l.asset.Skeletons = append(l.asset.Skeletons, k)
		}
		meshes := append([]*scenes.Node{u.mesh}, u.mesh.Children...)
		for _, n := range meshes {
			if n.Mesh != nil && n.Mesh.Geometry.Joints[0] != nil {
				n.Mesh.Features = append(n.Mesh.Features, k.Skin)
			}
		}
	}
	return nil
}

func (l *loader) skeleton(i int, mesh *scenes.Node) (*scenes.Skeleton, error) {
	s := l.doc.Skins[i]
	name := s.Name
	if name == "" {
		name = fmt.Sprintf("skin%d", i)
	}
	k := &scenes.Skeleton{Name: name, Mesh: mesh, Skin: skin.New(name, len(s.Joints))}
	for _, j := range s.Joints {
		k.Joints = append(k.Joints, l.asset.Nodes[j])
	}
	if s.InverseBindMatrices == nil {
		return k, nil
	}
	f, _, err := l.floats(named("skin", i, s.Name)+" inverseBindMatrices", *s.InverseBindMatrices, gltf.AccessorMat4)
	if err != nil {
		return nil, err
	}
	k.InverseBind = make([]linalg.Mat4, len(s.Joints))
	for j := range k.InverseBind {
		for e := range 16 {
			k.InverseBind[j][e] = float64(f[j*16+e])
		}
	}
	return k, nil
}
