package minimise

import (
	"fmt"
	"reflect"
	"slices"

	"darkroom/material"
	"darkroom/material/effect"
	"darkroom/material/texture"
	"darkroom/scenes"
)

// Kind is what an element is.
type Kind string

// Kinds of elements, in the order in which they are dropped.
const (
	Node        Kind = "node"         // with all that hangs on it, where that is more than a mesh
	Mesh        Kind = "mesh"         // a draw
	Light       Kind = "light"        //
	Pass        Kind = "pass"         // what runs ahead of the main pass: a shadow with all that belongs to it, or a task
	PostProcess Kind = "post-process" // an effect of the frame graph; dropping it copies its input
	Setting     Kind = "setting"      // environment, fog, image processing, animations
	Feature     Kind = "feature"      // of a mesh: skin, morph, instances
	Part        Kind = "part"         // an optional part of a material
	Texture     Kind = "texture"
	Fragment    Kind = "fragment" // a piece of WGSL of a material
)

// Key names an element of a scene, in any process.
type Key struct {
	Kind Kind   `json:"kind"`
	Name string `json:"name"`
	// N counts elements of one kind and name, from 0.
	N int `json:"n,omitempty"`
}

// String spells a key for people.
func (k Key) String() string {
	if k.N > 0 {
		return fmt.Sprintf("%s %s (number %d)", k.Kind, k.Name, k.N+1)
	}
	return string(k.Kind) + " " + k.Name
}

// element is something that can be dropped from a scene.
type element struct {
	Key
	drop func()
}

// number gives elements of one kind and name their numbers.
func number(list []element) []element {
	seen := map[Key]int{}
	for i := range list {
		k := list[i].Key
		list[i].N = seen[k]
		seen[k]++
	}
	return list
}

// elements lists what can be dropped from a scene, always in the same order for
// scenes that were built alike. Each element drops itself from s alone, in any
// order with others.
func elements(s *scenes.Scene) []element {
	var out []element
	add := func(k Kind, name string, drop func()) { out = append(out, element{Key{Kind: k, Name: name}, drop}) }
	nodes := s.Nodes()
	for _, n := range nodes {
		if len(n.Children) > 0 {
			add(Node, n.Name, func() { clearNode(n, map[*scenes.Node]bool{}) })
		}
	}
	for _, n := range nodes {
		if n.Mesh != nil {
			add(Mesh, n.Name, func() { n.Mesh = nil })
		}
	}
	for _, l := range slices.Clone(s.Lights) {
		add(Light, l.Name, func() { s.Lights = slices.DeleteFunc(s.Lights, func(x *scenes.Light) bool { return x == l }) })
	}
	for _, n := range nodes {
		if l := n.Light; l != nil {
			add(Light, l.Name, func() { n.Light = nil })
		}
	}
	owned := map[any]bool{}
	for _, u := range s.Updaters {
		m, ok := u.(maker)
		if !ok || len(m.Tasks()) == 0 {
			continue
		}
		tasks := m.Tasks()
		owned[u] = true
		for _, t := range tasks {
			owned[t] = true
		}
		add(Pass, tasks[0].Label(), func() { dropMaker(s, u, tasks) })
	}
	for _, t := range slices.Clone(s.Before) {
		if !owned[t] {
			add(Pass, t.Label(), func() { s.Before = slices.DeleteFunc(s.Before, func(x scenes.Task) bool { return x == t }) })
		}
	}
	for i, u := range slices.Clone(s.Updaters) {
		if owned[u] {
			continue
		}
		add(Pass, fmt.Sprintf("updater %d", i), func() {
			s.Updaters = slices.DeleteFunc(s.Updaters, func(x scenes.Updater) bool { return x == u })
		})
	}
	for i, f := range slices.Clone(s.Features) {
		if !owned[f] {
			add(Setting, fmt.Sprintf("pass feature %d, %T", i, f), func() { dropFeature(s, f) })
		}
	}
	for i, t := range s.Graph {
		p, ok := t.(*scenes.EffectPass)
		if !ok {
			continue
		}
		e, ok := p.Material.(*effect.Effect)
		if !ok || e.Textures["picture"].Texture == nil {
			continue
		}
		add(PostProcess, p.Name, func() {
			q := *p
			q.Material = &effect.Effect{Name: p.Name + " dropped", Body: "color = textureSampleLevel(picture, pictureSampler, st, 0.0);", Textures: map[string]effect.Input{"picture": e.Textures["picture"]}, Blend: e.Blend}
			s.Graph[i] = &q
		})
	}
	if s.Environment != nil {
		add(Setting, "environment", func() { s.Environment = nil })
	}
	if s.Fog != (scenes.Fog{}) {
		add(Setting, "fog", func() { s.Fog = scenes.Fog{} })
	}
	if s.ImageProcessing != (material.ImageProcessing{}) {
		add(Setting, "image processing", func() { s.ImageProcessing = material.ImageProcessing{} })
	}
	if s.Ambient != (scenes.Color3{}) {
		add(Setting, "ambient", func() { s.Ambient = scenes.Color3{} })
	}
	for _, a := range slices.Clone(s.Animations) {
		add(Setting, "animation "+a.Name, func() {
			s.Animations = slices.DeleteFunc(s.Animations, func(x *scenes.Animation) bool { return x == a })
		})
	}
	if s.Animate != nil {
		add(Setting, "animate", func() { s.Animate = nil })
	}
	done := map[material.Material]bool{}
	for _, n := range nodes {
		if n.Mesh == nil {
			continue
		}
		m := n.Mesh
		for i, f := range slices.Clone(m.Features) {
			add(Feature, fmt.Sprintf("%s: feature %d, %T", n.Name, i, f), func() {
				m.Features = slices.DeleteFunc(slices.Clone(m.Features), func(x material.Feature) bool { return x == f })
			})
		}
		if m.Material != nil && !done[m.Material] {
			done[m.Material] = true
			out = append(out, optional(m.Material.Label(), reflect.ValueOf(m.Material))...)
		}
	}
	return number(out)
}

// maker is an updater that made tasks ahead of the main pass: a shadow, or the
// picture behind glass.
type maker interface {
	scenes.Updater
	Tasks() []scenes.Task
}

// dropMaker removes an updater with its tasks and, where it is one, the feature.
func dropMaker(s *scenes.Scene, u scenes.Updater, tasks []scenes.Task) {
	s.Before = slices.DeleteFunc(s.Before, func(x scenes.Task) bool { return slices.Contains(tasks, x) })
	s.Updaters = slices.DeleteFunc(s.Updaters, func(x scenes.Updater) bool { return x == u })
	if f, ok := u.(material.Feature); ok {
		dropFeature(s, f)
	}
}

// dropFeature removes a feature from the main pass and the frame graph's.
func dropFeature(s *scenes.Scene, f material.Feature) {
	same := func(x material.Feature) bool { return x == f }
	s.Features = slices.DeleteFunc(slices.Clone(s.Features), same)
	for _, t := range s.Graph {
		if p, ok := t.(*scenes.ScenePass); ok {
			p.Features = slices.DeleteFunc(slices.Clone(p.Features), same)
		}
	}
}

// clearNode takes everything off a node and all below it. The nodes stay, for
// animations and skins may move them; prune removes those that nothing needs.
func clearNode(n *scenes.Node, seen map[*scenes.Node]bool) {
	if n == nil || seen[n] {
		return
	}
	seen[n] = true
	n.Mesh, n.Light = nil, nil
	for _, c := range n.Children {
		clearNode(c, seen)
	}
}

// optional lists the parts of a material that are pointers, which are those
// that it can do without: layers such as a coat, and textures.
func optional(label string, v reflect.Value) (out []element) {
	if v.Kind() != reflect.Pointer || v.IsNil() || v.Elem().Kind() != reflect.Struct {
		return nil
	}
	v = v.Elem()
	for i := range v.NumField() {
		f := v.Field(i)
		if !f.CanSet() || f.Kind() != reflect.Pointer || f.IsNil() {
			continue
		}
		e := element{Key{Kind: Part, Name: label + ": " + v.Type().Field(i).Name}, func() { f.SetZero() }}
		if isTexture(f.Type()) {
			e.Kind = Texture
		} else {
			out = append(out, optional(e.Name, f)...) // a layer's own textures
		}
		out = append(out, e)
	}
	return out
}

// isTexture reports a texture, or a struct that is a texture in a role.
func isTexture(t reflect.Type) bool {
	want := reflect.TypeFor[*texture.Texture]()
	if t == want {
		return true
	}
	if t.Kind() != reflect.Pointer || t.Elem().Kind() != reflect.Struct {
		return false
	}
	f, ok := t.Elem().FieldByName("Texture")
	return ok && f.Type == want && t.Elem().Field(0).Name == "Texture"
}

// prune removes nodes that have nothing to show.
func prune(s *scenes.Scene) {
	keep := map[*scenes.Node]bool{}
	for _, k := range s.Skeletons {
		keep[k.Mesh] = true
		for _, j := range k.Joints {
			keep[j] = true
		}
	}
	for _, a := range s.Animations {
		for _, t := range a.Tracks {
			keep[t.Node] = true
		}
	}
	var cut func(list []*scenes.Node) []*scenes.Node
	cut = func(list []*scenes.Node) (out []*scenes.Node) {
		for _, n := range list {
			if n == nil {
				continue
			}
			n.Children = cut(n.Children)
			if n.Mesh != nil || n.Light != nil || n.Camera != nil || len(n.Children) > 0 || keep[n] {
				out = append(out, n)
			}
		}
		return out
	}
	s.Roots = cut(s.Roots)
}
