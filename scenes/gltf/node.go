package gltf

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"darkroom/material/morph"
	"darkroom/scenes"
	"darkroom/scenes/linalg"
)

// buildNodes makes a node for each of the file's, with its place and its
// children, cameras and lights.
func (l *loader) buildNodes() error {
	d := l.doc
	if err := l.spend("nodes", int64(len(d.Nodes))*512); err != nil {
		return err
	}
	animated := map[int]bool{}
	for _, a := range d.Animations {
		for _, c := range a.Channels {
			if c.Target.Node != nil {
				animated[*c.Target.Node] = true
			}
		}
	}
	l.parents = make([]int, len(d.Nodes))
	nodes := make([]*scenes.Node, len(d.Nodes))
	for i, n := range d.Nodes {
		l.parents[i] = -1
		name := n.Name
		if name == "" {
			name = fmt.Sprintf("node%d", i)
		}
		x := scenes.NewNode(name)
		q := linalg.Quat(n.Rotation)
		x.Position, x.Quaternion, x.Scaling = linalg.Vec3(n.Translation), &q, linalg.Vec3(n.Scale)
		if d.nodes[i].Matrix != nil {
			m := linalg.Mat4(n.Matrix)
			if animated[i] {
				x.Scaling, q, x.Position, _ = m.Decompose()
			} else {
				x.Matrix = &m
			}
		}
		if err := finite(named("node", i, n.Name), x.Local()); err != nil {
			return err
		}
		nodes[i] = x
	}
	for i, n := range d.Nodes {
		for _, c := range n.Children {
			l.parents[c] = i
			nodes[i].Add(nodes[c])
		}
		if n.Camera != nil {
			c := l.camera(*n.Camera, nodes[i])
			nodes[i].Camera = c
			l.asset.Cameras = append(l.asset.Cameras, c)
		}
	}
	l.asset.Nodes = nodes
	for i := range d.Nodes {
		if err := l.nodeExtensions(i); err != nil {
			return err
		}
	}
	return nil
}

func finite(object string, m linalg.Mat4) error {
	for _, x := range m {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return bad(object, "its transform is not finite")
		}
	}
	return nil
}

// buildScenes hangs each scene's nodes under a mirrored root.
func (l *loader) buildScenes() error {
	d := l.doc
	list := d.Scenes
	add := func(name string, top []int) {
		root := scenes.NewNode("__root__")
		root.Scaling = linalg.Vec3{-1, 1, 1}
		scene := &Scene{Name: name, Root: root}
		for _, n := range top {
			root.Add(l.asset.Nodes[n])
			l.rootOf[n] = append(l.rootOf[n], scene)
		}
		l.asset.Scenes = append(l.asset.Scenes, scene)
	}
	l.rootOf = map[int][]*Scene{}
	for _, s := range list {
		add(s.Name, s.Nodes)
	}
	switch {
	case d.Scene != nil:
		l.asset.Default = *d.Scene
	case len(list) > 0:
		l.asset.Default = 0
	case len(d.Nodes) > 0:
		// A library of nodes; there is no harm in showing all of it.
		l.warn("the file has no scene; all its nodes are shown")
		var top []int
		for i, p := range l.parents {
			if p < 0 {
				top = append(top, i)
			}
		}
		add("", top)
		l.asset.Default = 0
	}
	l.reachable = make([]bool, len(d.Nodes))
	var open []int
	for n := range l.rootOf {
		open = append(open, n)
	}
	for len(open) > 0 {
		n := open[len(open)-1]
		open = open[:len(open)-1]
		l.reachable[n] = true
		open = append(open, d.Nodes[n].Children...)
	}
	return nil
}

// buildMeshes gives the nodes in the scenes their meshes.
func (l *loader) buildMeshes() error {
	for i, n := range l.doc.Nodes {
		if n.Mesh == nil || !l.reachable[i] {
			continue
		}
		prims, err := l.mesh(*n.Mesh)
		if errors.Is(err, errNoURI) {
			l.warn("%s is not drawn: %v", named("node", i, n.Name), err)
			continue
		}
		if err != nil {
			return fmt.Errorf("%s: %w", named("node", i, n.Name), err)
		}
		place := l.asset.Nodes[i]
		if n.Skin != nil {
			// Of a skinned mesh only the joints say where it is (section 3.7.3.3).
			place = scenes.NewNode(place.Name)
			place.Hidden = !l.visible(i)
			if l.places == nil {
				l.places = map[int]*scenes.Node{}
			}
			l.places[i] = place
			for _, s := range l.scenesOf(i) {
				s.Root.Add(place)
				l.adopt(s, *n.Skin)
			}
		}
		for _, p := range prims {
			node := place
			if len(prims) > 1 {
				node = scenes.NewNode(fmt.Sprintf("%s_primitive%d", place.Name, p.index))
				place.Add(node)
			}
			if err := l.attach(i, node, p); err != nil {
				return err
			}
		}
		if n.Skin != nil {
			if err := l.skinned(i, place, prims); err != nil {
				return err
			}
		}
	}
	return nil
}

// visible reports whether node i and all its ancestors are. A skinned mesh does
// not hang on its node and must ask.
func (l *loader) visible(i int) bool {
	for ; i >= 0; i = l.parents[i] {
		if l.asset.Nodes[i].Hidden {
			return false
		}
	}
	return true
}

// adopt hangs the joints of a skin that are in no scene under a scene's root:
// against the specification, but then the mesh has a pose. Their meshes stay out.
func (l *loader) adopt(s *Scene, skin int) {
	for _, j := range l.doc.Skins[skin].Joints {
		if l.reachable[j] {
			continue
		}
		l.warn("%s: joint %d is in no scene; it is placed as if it were", named("skin", skin, l.doc.Skins[skin].Name), j)
		top := j
		for l.parents[top] >= 0 {
			top = l.parents[top]
		}
		if !slices.Contains(s.Root.Children, l.asset.Nodes[top]) {
			s.Root.Add(l.asset.Nodes[top])
		}
	}
}

// attach makes node draw p for the file's node i.
func (l *loader) attach(i int, node *scenes.Node, p *primitive) error {
	n := l.doc.Nodes[i]
	m := &scenes.Mesh{Geometry: p.geometry}
	var err error
	if m.Material, err = l.material(p.material); err != nil {
		return err
	}
	l.uncovered(p.material, p)
	if p.morph != nil {
		weights := n.Weights
		if weights == nil {
			weights = l.doc.Meshes[*n.Mesh].Weights
		}
		t := p.morph.With(weights)
		m.Features = append(m.Features, t)
		if l.weights == nil {
			l.weights = map[int][]*morph.Morph{}
		}
		l.weights[i] = append(l.weights[i], t)
	}
	for _, v := range p.variants {
		mat, err := l.material(&v.material)
		if err != nil {
			return err
		}
		l.asset.variants = append(l.asset.variants, variantUse{mesh: m, plain: m.Material, material: mat, variants: v.variants})
	}
	if err := l.instances(i, m); err != nil {
		return err
	}
	node.Mesh = m
	return nil
}

// scenesOf are the scenes that node i is in.
func (l *loader) scenesOf(i int) []*Scene {
	for l.parents[i] >= 0 {
		i = l.parents[i]
	}
	return l.rootOf[i]
}

// camera makes the camera of a node.
func (l *loader) camera(i int, node *scenes.Node) *scenes.Camera {
	c := l.doc.Cameras[i]
	name := c.Name
	if name == "" {
		name = fmt.Sprintf("camera%d", i)
	}
	out := &scenes.Camera{Name: name, Rig: &scenes.Mounted{Node: node, World: linalg.Identity()}}
	if p := c.Perspective; p != nil && *l.doc.cameras[i].Type == "perspective" {
		out.FOV, out.Near = p.Yfov, p.Znear
		if p.Yfov >= math.Pi {
			l.warn("%s cannot be looked through: perspective.yfov is %g, want less than pi", named("camera", i, c.Name), p.Yfov)
		}
		if p.Zfar != nil {
			out.Far = *p.Zfar
		}
		return out
	}
	o := c.Orthographic
	out.Ortho = &scenes.Ortho{Left: -o.Xmag, Right: o.Xmag, Bottom: -o.Ymag, Top: o.Ymag}
	out.Near, out.Far = o.Znear, o.Zfar
	return out
}
