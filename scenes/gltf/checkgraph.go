package gltf

import (
	"github.com/qmuntal/gltf"
)

// length checks that a list of numbers has n of them, where it is given.
func length(object, property string, list *[]float64, n int) error {
	if list != nil && len(*list) != n {
		return bad(object, "%s has %s, want %d", property, count(len(*list), "number"), n)
	}
	return nil
}

func (d *document) checkNodes() error {
	parent := make([]int, len(d.Nodes))
	for i := range parent {
		parent[i] = -1
	}
	for i, n := range d.Nodes {
		o := named("node", i, n.Name)
		s := d.nodes[i]
		err := firstError(
			func() error { return length(o, "matrix", s.Matrix, 16) },
			func() error { return length(o, "rotation", s.Rotation, 4) },
			func() error { return length(o, "scale", s.Scale, 3) },
			func() error { return length(o, "translation", s.Translation, 3) },
			func() error { return optRef(o, "mesh", n.Mesh, len(d.Meshes), "mesh") },
			func() error { return optRef(o, "skin", n.Skin, len(d.Skins), "skin") },
			func() error { return optRef(o, "camera", n.Camera, len(d.Cameras), "camera") },
		)
		if err != nil {
			return err
		}
		for _, c := range n.Children {
			if err := ref(o, "child", c, len(d.Nodes), "node"); err != nil {
				return err
			}
			switch {
			case c == i:
				return bad(o, "it is its own child")
			case parent[c] == i:
				return bad(o, "node %d is twice among its children", c)
			case parent[c] >= 0:
				return bad(named("node", c, d.Nodes[c].Name), "it has two parents, nodes %d and %d", parent[c], i)
			}
			parent[c] = i
		}
	}
	// With one parent each, a cycle is a chain of parents that comes back.
	state := make([]int, len(d.Nodes)) // the walk in which a node was met, plus 1
	for i := range d.Nodes {
		k := i
		for k >= 0 && state[k] == 0 {
			state[k] = i + 1
			k = parent[k]
		}
		if k >= 0 && state[k] == i+1 {
			return bad(named("node", k, d.Nodes[k].Name), "it is its own ancestor")
		}
	}
	for i, s := range d.Scenes {
		o := named("scene", i, s.Name)
		seen := map[int]bool{}
		for _, n := range s.Nodes {
			if err := ref(o, "node", n, len(d.Nodes), "node"); err != nil {
				return err
			}
			if parent[n] >= 0 {
				return bad(o, "node %d is the child of node %d; only nodes without a parent can be the scene's", n, parent[n])
			}
			if seen[n] {
				return bad(o, "node %d is listed twice", n)
			}
			seen[n] = true
		}
	}
	return nil
}

func (d *document) checkScenes() error {
	return optRef("scene", "index", d.Scene, len(d.Scenes), "scene")
}

func (d *document) checkSkins() error {
	for i, s := range d.Skins {
		o := named("skin", i, s.Name)
		if len(s.Joints) == 0 {
			return missing(o, "joints")
		}
		for _, j := range s.Joints {
			if err := ref(o, "joint", j, len(d.Nodes), "node"); err != nil {
				return err
			}
		}
		if err := optRef(o, "skeleton", s.Skeleton, len(d.Nodes), "node"); err != nil {
			return err
		}
		if s.InverseBindMatrices == nil {
			continue
		}
		k := *s.InverseBindMatrices
		if err := ref(o, "inverseBindMatrices", k, len(d.Accessors), "accessor"); err != nil {
			return err
		}
		a := d.Accessors[k]
		if a.Type != gltf.AccessorMat4 || *d.accessors[k].ComponentType != typeFloat {
			return bad(o, "inverseBindMatrices: accessor %d is not of type MAT4 with float components", k)
		}
		if a.Count < len(s.Joints) {
			return bad(o, "inverseBindMatrices: accessor %d has %d, there are %s", k, a.Count, count(len(s.Joints), "joint"))
		}
	}
	return nil
}

func (d *document) checkAnimations() error {
	for i, a := range d.Animations {
		o := named("animation", i, a.Name)
		for k, s := range a.Samplers {
			o := o + " " + nth("sampler", k)
			if s == nil {
				return bad(o, "it is null, want an object")
			}
			sh := d.animations[i].Samplers[k]
			if sh.Input == nil {
				return missing(o, "input")
			}
			if sh.Output == nil {
				return missing(o, "output")
			}
			if err := ref(o, "input", s.Input, len(d.Accessors), "accessor"); err != nil {
				return err
			}
			if err := ref(o, "output", s.Output, len(d.Accessors), "accessor"); err != nil {
				return err
			}
			if p := sh.Interpolation; p != nil && *p != "LINEAR" && *p != "STEP" && *p != "CUBICSPLINE" {
				return bad(o, "interpolation is %q, want LINEAR, STEP or CUBICSPLINE", *p)
			}
		}
		for k, c := range a.Channels {
			o := o + " " + nth("channel", k)
			if c == nil {
				return bad(o, "it is null, want an object")
			}
			sh := d.animations[i].Channels[k]
			switch {
			case sh.Sampler == nil:
				return missing(o, "sampler")
			case sh.Target == nil:
				return missing(o, "target")
			case sh.Target.Path == nil:
				return missing(o, "target.path")
			}
			if err := ref(o, "sampler", c.Sampler, len(a.Samplers), "sampler"); err != nil {
				return err
			}
			if err := optRef(o, "target.node", c.Target.Node, len(d.Nodes), "node"); err != nil {
				return err
			}
		}
	}
	return nil
}

func (d *document) checkCameras() error {
	for i, c := range d.Cameras {
		o := named("camera", i, c.Name)
		t := d.cameras[i].Type
		switch {
		case t == nil:
			return missing(o, "type")
		case *t == "perspective":
			p := c.Perspective
			if p == nil {
				return missing(o, "perspective")
			}
			if !(p.Yfov > 0) {
				return bad(o, "perspective.yfov is %g, want more than 0", p.Yfov)
			}
			if !(p.Znear > 0) {
				return bad(o, "perspective.znear is %g, want more than 0", p.Znear)
			}
			if p.Zfar != nil && !(*p.Zfar > p.Znear) {
				return bad(o, "perspective.zfar is %g, want more than znear, %g", *p.Zfar, p.Znear)
			}
			if p.AspectRatio != nil && !(*p.AspectRatio > 0) {
				return bad(o, "perspective.aspectRatio is %g, want more than 0", *p.AspectRatio)
			}
		case *t == "orthographic":
			p := c.Orthographic
			if p == nil {
				return missing(o, "orthographic")
			}
			if p.Xmag == 0 || p.Ymag == 0 {
				return bad(o, "orthographic.xmag is %g and ymag is %g, neither may be 0", p.Xmag, p.Ymag)
			}
			if !(p.Znear >= 0 && p.Zfar > p.Znear) {
				return bad(o, "orthographic.znear is %g and zfar is %g, want 0 or more, and zfar beyond znear", p.Znear, p.Zfar)
			}
		default:
			return bad(o, "type is %q, want perspective or orthographic", *t)
		}
	}
	return nil
}
