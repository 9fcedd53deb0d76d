package gltf

import (
	"encoding/json"
	"regexp"
	"strconv"
	"strings"

	"darkroom/material/morph"
	"darkroom/material/pbr"
	"darkroom/scenes"
)

var pointerPattern = regexp.MustCompile(`^(/([^/~]|~0|~1)*)*$`)

// pointer makes the tracks of KHR_animation_pointer's JSON pointer p (RFC
// 6901); none, with a warning, where what it points at cannot be driven.
func (l *loader) pointer(o, p string) ([]*scenes.Track, error) {
	if !pointerPattern.MatchString(p) {
		return nil, bad(o, "pointer %s is no JSON pointer", quote(p))
	}
	parts := strings.Split(p, "/")[1:]
	for i, s := range parts {
		parts[i] = strings.NewReplacer("~1", "/", "~0", "~").Replace(s)
	}
	index := func(i, n int, kind string) (int, error) {
		k, err := strconv.Atoi(parts[i])
		if err != nil {
			return 0, bad(o, "pointer %s: %s is no index", quote(p), quote(parts[i]))
		}
		return k, ref(o, "pointer "+quote(p), k, n, kind)
	}
	custom := func(width int, set func(v []float64)) []*scenes.Track {
		return []*scenes.Track{{Path: scenes.PathCustom, Name: p, Width: width, Set: set}}
	}
	switch {
	case len(parts) >= 3 && parts[0] == "nodes":
		i, err := index(1, len(l.doc.Nodes), "node")
		if err != nil {
			return nil, err
		}
		switch rest := strings.Join(parts[2:], "/"); rest {
		case "translation", "rotation", "scale", "weights":
			return l.nodeTracks(o, i, rest), nil
		case "extensions/KHR_node_visibility/visible":
			n := l.asset.Nodes[i]
			return custom(1, func(v []float64) {
				n.Hidden = v[0] == 0
				for k, place := range l.places {
					place.Hidden = !l.visible(k)
				}
			}), nil
		}
	case len(parts) == 3 && parts[0] == "meshes" && parts[2] == "weights":
		i, err := index(1, len(l.doc.Meshes), "mesh")
		if err != nil {
			return nil, err
		}
		var uses []*morph.Morph
		for k, n := range l.doc.Nodes {
			if n.Mesh != nil && *n.Mesh == i && n.Weights == nil {
				uses = append(uses, l.weights[k]...)
			}
		}
		if len(uses) > 0 {
			return custom(uses[0].Targets(), func(v []float64) {
				for _, m := range uses {
					copy(m.Weights, v)
				}
			}), nil
		}
	case len(parts) == 4 && parts[0] == "cameras":
		i, err := index(1, len(l.doc.Cameras), "camera")
		if err != nil {
			return nil, err
		}
		var cameras []*scenes.Camera
		for k, n := range l.doc.Nodes {
			if n.Camera != nil && *n.Camera == i {
				cameras = append(cameras, l.asset.Nodes[k].Camera)
			}
		}
		if set := cameraProperty(parts[2] + "/" + parts[3]); set != nil {
			return custom(1, func(v []float64) {
				for _, c := range cameras {
					set(c, v[0])
				}
			}), nil
		}
	case len(parts) >= 5 && parts[0] == "extensions" && parts[1] == punctualName && parts[2] == "lights":
		i, err := index(3, len(l.punctual), "light")
		if err != nil {
			return nil, err
		}
		if width, set := lightProperty(strings.Join(parts[4:], "/")); set != nil {
			made := l.punctual[i].made
			return custom(width, func(v []float64) {
				for _, x := range made {
					set(x, v)
				}
			}), nil
		}
	case len(parts) >= 3 && parts[0] == "materials":
		i, err := index(1, len(l.doc.Materials), "material")
		if err != nil {
			return nil, err
		}
		m := l.materials[i]
		if m == nil {
			return nil, nil // no scene shows it
		}
		rest := strings.Join(parts[2:], "/")
		if e := l.emissions[i]; rest == "emissiveFactor" {
			return custom(3, func(v []float64) { copy(e.factor[:], v); e.set() }), nil
		} else if rest == "extensions/KHR_materials_emissive_strength/emissiveStrength" {
			return custom(1, func(v []float64) { e.strength = v[0]; e.set() }), nil
		}
		if width, set := l.materialProperty(m, rest); set != nil {
			return custom(width, set), nil
		}
	}
	l.warn("%s is ignored: %s cannot be animated", o, quote(p))
	return nil, nil
}

// cameraProperty sets a property of a camera; nil: it cannot be set.
func cameraProperty(name string) func(c *scenes.Camera, v float64) {
	ortho := func(f func(o *scenes.Ortho, v float64)) func(*scenes.Camera, float64) {
		return func(c *scenes.Camera, v float64) {
			if c.Ortho != nil {
				f(c.Ortho, v)
			}
		}
	}
	switch name {
	case "perspective/yfov":
		return func(c *scenes.Camera, v float64) { c.FOV = v }
	case "perspective/znear", "orthographic/znear":
		return func(c *scenes.Camera, v float64) { c.Near = v }
	case "perspective/zfar", "orthographic/zfar":
		return func(c *scenes.Camera, v float64) { c.Far = v }
	case "orthographic/xmag":
		return ortho(func(o *scenes.Ortho, v float64) { o.Left, o.Right = -v, v })
	case "orthographic/ymag":
		return ortho(func(o *scenes.Ortho, v float64) { o.Bottom, o.Top = -v, v })
	}
	return nil
}

// lightProperty sets a property of a light; nil: it cannot be set.
func lightProperty(name string) (int, func(x *scenes.Light, v []float64)) {
	switch name {
	case "color":
		return 3, func(x *scenes.Light, v []float64) { copy(x.Diffuse[:], v); copy(x.Specular[:], v) }
	case "intensity":
		return 1, func(x *scenes.Light, v []float64) { x.Intensity = v[0] }
	case "range":
		return 1, func(x *scenes.Light, v []float64) { x.Range = v[0] }
	case "spot/innerConeAngle":
		return 1, func(x *scenes.Light, v []float64) { x.Inner = 2 * v[0] }
	case "spot/outerConeAngle":
		return 1, func(x *scenes.Light, v []float64) { x.Angle = 2 * v[0] }
	}
	return 0, nil
}

// materialProperty returns the width and the setter of a property of m, by its
// path in the file; a nil setter: it cannot be set. What a material does not
// have cannot be animated into being.
func (l *loader) materialProperty(m *pbr.Material, path string) (int, func(v []float64)) {
	for _, p := range l.materialParts() {
		rest, ok := strings.CutPrefix(path, p.path)
		if !ok || !p.has(m) {
			continue
		}
		for _, n := range p.numbers {
			if n.name == rest {
				return n.setter(m)
			}
		}
		texture, property, ok := strings.Cut(rest, "/extensions/KHR_texture_transform/")
		if !ok {
			continue
		}
		for _, s := range p.textures {
			if c := *s.at(m); s.name == texture && c != nil {
				return channelProperty(c, property)
			}
		}
	}
	return 0, nil
}

func (n *number) setter(m *pbr.Material) (int, func(v []float64)) {
	fields, store := n.at(m), n.store
	if n.moved != nil {
		store = n.moved
	}
	return len(fields), func(v []float64) {
		for i, f := range fields {
			*f = v[i]
			if store != nil {
				*f = store(v[i])
			}
		}
	}
}

// channelProperty sets a property of KHR_texture_transform.
func channelProperty(c *pbr.Channel, property string) (int, func(v []float64)) {
	switch property {
	case "offset":
		return 2, func(v []float64) { copy(c.Offset[:], v) }
	case "scale":
		return 2, func(v []float64) { c.Scale = [2]float64{some(v[0]), some(v[1])} }
	case "rotation":
		return 1, func(v []float64) { c.Rotation = v[0] }
	}
	return 0, nil
}

// moves reports whether an animation points into the part at path of material i.
func (l *loader) moves(i int, path string) bool {
	if l.moved == nil {
		l.moved = map[string]bool{}
		for _, a := range l.doc.animations {
			for _, c := range a.Channels {
				var x struct {
					Pointer string `json:"pointer"`
				}
				if c.Target == nil || json.Unmarshal(c.Target.Extensions["KHR_animation_pointer"], &x) != nil {
					continue
				}
				// "", materials, the index, extensions, the extension, the property.
				if parts := strings.SplitN(x.Pointer, "/", 6); len(parts) == 6 {
					l.moved[strings.Join(parts[:5], "/")+"/"] = true
				}
			}
		}
	}
	return l.moved["/materials/"+strconv.Itoa(i)+"/"+path]
}
