package gltf

import (
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
		if width, set := materialProperty(m, rest); set != nil {
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
func materialProperty(m *pbr.Material, path string) (int, func(v []float64)) {
	one := func(p *float64) (int, func([]float64)) { return 1, func(v []float64) { *p = v[0] } }
	// Fields whose zero stands for a default take the smallest number for 0.
	kept := func(p *float64) (int, func([]float64)) { return 1, func(v []float64) { *p = some(v[0]) } }
	three := func(p *[3]float64) (int, func([]float64)) { return 3, func(v []float64) { copy(p[:], v) } }
	if c, property := textureProperty(m, path); c != nil {
		switch property {
		case "offset":
			return 2, func(v []float64) { copy(c.Offset[:], v) }
		case "scale":
			return 2, func(v []float64) { c.Scale = [2]float64{some(v[0]), some(v[1])} }
		case "rotation":
			return one(&c.Rotation)
		}
		return 0, nil
	}
	switch path {
	case "pbrMetallicRoughness/baseColorFactor":
		return 4, func(v []float64) { copy(m.BaseColor[:], v) }
	case "pbrMetallicRoughness/metallicFactor":
		return one(&m.Metallic)
	case "pbrMetallicRoughness/roughnessFactor":
		return one(&m.Roughness)
	case "alphaCutoff":
		return 1, func(v []float64) { m.AlphaCutoff = cutoff(v[0]) }
	case "normalTexture/scale":
		return kept(&m.NormalScale)
	case "occlusionTexture/strength":
		return kept(&m.OcclusionStrength)
	}
	name, property, ok := strings.Cut(strings.TrimPrefix(path, "extensions/KHR_materials_"), "/")
	if !ok || !strings.HasPrefix(path, "extensions/KHR_materials_") {
		return 0, nil
	}
	switch {
	case name == "ior" && property == "ior":
		return 1, func(v []float64) { m.IOR = ior(v[0]) }
	case name == "dispersion" && property == "dispersion":
		return kept(&m.Dispersion)
	case name == "specular" && m.Specular != nil:
		switch property {
		case "specularFactor":
			return one(&m.Specular.Factor)
		case "specularColorFactor":
			return three(&m.Specular.Color)
		}
	case name == "clearcoat" && m.Clearcoat != nil:
		switch property {
		case "clearcoatFactor":
			return one(&m.Clearcoat.Factor)
		case "clearcoatRoughnessFactor":
			return one(&m.Clearcoat.Roughness)
		case "clearcoatNormalTexture/scale":
			return kept(&m.Clearcoat.NormalScale)
		}
	case name == "sheen" && m.Sheen != nil:
		switch property {
		case "sheenColorFactor":
			return three(&m.Sheen.Color)
		case "sheenRoughnessFactor":
			return one(&m.Sheen.Roughness)
		}
	case name == "anisotropy" && m.Anisotropy != nil:
		switch property {
		case "anisotropyStrength":
			return one(&m.Anisotropy.Strength)
		case "anisotropyRotation":
			return one(&m.Anisotropy.Rotation)
		}
	case name == "iridescence" && m.Iridescence != nil:
		switch property {
		case "iridescenceFactor":
			return one(&m.Iridescence.Factor)
		case "iridescenceIor":
			return kept(&m.Iridescence.IOR)
		case "iridescenceThicknessMinimum":
			return one(&m.Iridescence.ThicknessMinimum)
		case "iridescenceThicknessMaximum":
			return one(&m.Iridescence.ThicknessMaximum)
		}
	case name == "transmission" && m.Transmission != nil && property == "transmissionFactor":
		return one(&m.Transmission.Factor)
	case name == "volume" && m.Volume != nil:
		switch property {
		case "thicknessFactor":
			return one(&m.Volume.Thickness)
		case "attenuationDistance":
			return kept(&m.Volume.AttenuationDistance)
		case "attenuationColor":
			return three(&m.Volume.AttenuationColor)
		}
	case name == "diffuse_transmission" && m.DiffuseTransmission != nil:
		switch property {
		case "diffuseTransmissionFactor":
			return one(&m.DiffuseTransmission.Factor)
		case "diffuseTransmissionColorFactor":
			return three(&m.DiffuseTransmission.Color)
		}
	}
	return 0, nil
}

// textureProperty finds the channel of a path to a property of
// KHR_texture_transform, and the property's name.
func textureProperty(m *pbr.Material, path string) (*pbr.Channel, string) {
	texture, property, ok := strings.Cut(path, "/extensions/KHR_texture_transform/")
	if !ok {
		return nil, ""
	}
	switch texture {
	case "pbrMetallicRoughness/baseColorTexture":
		return m.BaseColorTexture, property
	case "pbrMetallicRoughness/metallicRoughnessTexture":
		return m.MetallicRoughnessTexture, property
	case "normalTexture":
		return m.NormalTexture, property
	case "occlusionTexture":
		return m.OcclusionTexture, property
	case "emissiveTexture":
		return m.EmissiveTexture, property
	}
	switch texture = strings.TrimPrefix(texture, "extensions/KHR_materials_"); {
	case m.Specular != nil && texture == "specular/specularTexture":
		return m.Specular.Texture, property
	case m.Specular != nil && texture == "specular/specularColorTexture":
		return m.Specular.ColorTexture, property
	case m.Clearcoat != nil && texture == "clearcoat/clearcoatTexture":
		return m.Clearcoat.Texture, property
	case m.Clearcoat != nil && texture == "clearcoat/clearcoatRoughnessTexture":
		return m.Clearcoat.RoughnessTexture, property
	case m.Clearcoat != nil && texture == "clearcoat/clearcoatNormalTexture":
		return m.Clearcoat.NormalTexture, property
	case m.Sheen != nil && texture == "sheen/sheenColorTexture":
		return m.Sheen.ColorTexture, property
	case m.Sheen != nil && texture == "sheen/sheenRoughnessTexture":
		return m.Sheen.RoughnessTexture, property
	case m.Anisotropy != nil && texture == "anisotropy/anisotropyTexture":
		return m.Anisotropy.Texture, property
	case m.Iridescence != nil && texture == "iridescence/iridescenceTexture":
		return m.Iridescence.Texture, property
	case m.Iridescence != nil && texture == "iridescence/iridescenceThicknessTexture":
		return m.Iridescence.ThicknessTexture, property
	case m.Transmission != nil && texture == "transmission/transmissionTexture":
		return m.Transmission.Texture, property
	case m.Volume != nil && texture == "volume/thicknessTexture":
		return m.Volume.ThicknessTexture, property
	case m.DiffuseTransmission != nil && texture == "diffuse_transmission/diffuseTransmissionTexture":
		return m.DiffuseTransmission.Texture, property
	case m.DiffuseTransmission != nil && texture == "diffuse_transmission/diffuseTransmissionColorTexture":
		return m.DiffuseTransmission.ColorTexture, property
	}
	return nil, property
}
