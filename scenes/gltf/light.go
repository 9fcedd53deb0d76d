package gltf

import (
	"encoding/json"
	"fmt"
	"math"

	"darkroom/scenes"
	"darkroom/scenes/linalg"
)

const punctualName = "KHR_lights_punctual"

// punctual is a light of KHR_lights_punctual with the lights made of it, one
// for each node.
type punctual struct {
	scenes.Light
	made []*scenes.Light
}

// lights reads the file's list of lights.
func (l *loader) lights() error {
	var root struct {
		Lights []json.RawMessage `json:"lights"`
	}
	ok, err := extension(l.doc.Extensions, punctualName, "file", &root)
	if err != nil || !ok {
		return err
	}
	for i, raw := range root.Lights {
		var x struct {
			Name      string     `json:"name"`
			Type      *string    `json:"type"`
			Color     *[]float64 `json:"color"`
			Intensity *float64   `json:"intensity"`
			Range     *float64   `json:"range"`
			Spot      *struct {
				Inner *float64 `json:"innerConeAngle"`
				Outer *float64 `json:"outerConeAngle"`
			} `json:"spot"`
		}
		o := nth("light", i)
		if len(raw) == 0 || raw[0] != '{' {
			return bad(o, "it is %s, want an object", jsonKind(raw))
		}
		if err := decode(raw, &x); err != nil {
			return bad(o, "%s", jsonText(err, nil))
		}
		o = named("light", i, x.Name)
		if x.Type == nil {
			return missing(o, "type")
		}
		if err := length(o, "color", x.Color, 3); err != nil {
			return err
		}
		p := punctual{Light: scenes.Light{
			Name: x.Name, Direction: linalg.Vec3{0, 0, -1}, Diffuse: scenes.Color3{1, 1, 1}, Specular: scenes.Color3{1, 1, 1},
			Intensity: factor(x.Intensity, 1), Radius: 0.00001, Falloff: scenes.FalloffGLTF,
		}}
		if p.Name == "" {
			p.Name = fmt.Sprintf("light%d", i)
		}
		if x.Color != nil {
			p.Diffuse = scenes.Color3(*x.Color)
			p.Specular = p.Diffuse
		}
		if x.Range != nil {
			if !(*x.Range > 0) {
				return bad(o, "range is %g, want more than 0", *x.Range)
			}
			p.Range = *x.Range
		}
		switch *x.Type {
		case "directional":
			p.Kind = scenes.DirectionalLight
		case "point":
			p.Kind = scenes.PointLight
		case "spot":
			p.Kind = scenes.SpotLight
			inner, outer := 0.0, math.Pi/4
			if x.Spot != nil {
				inner, outer = factor(x.Spot.Inner, inner), factor(x.Spot.Outer, outer)
			}
			if !(inner >= 0 && inner < outer && outer <= math.Pi/2) {
				return bad(o, "innerConeAngle is %g and outerConeAngle is %g, want 0 <= inner < outer <= pi/2", inner, outer)
			}
			p.Inner, p.Angle, p.Exponent = 2*inner, 2*outer, 1
		default:
			l.warn("%s is not lit: type is %s, want directional, point or spot", o, quote(*x.Type))
			p.Off = true
		}
		l.punctual = append(l.punctual, p)
	}
	return nil
}

// nodeExtensions reads the extensions of a node that are no part of its mesh.
func (l *loader) nodeExtensions(i int) error {
	n := l.doc.Nodes[i]
	o := named("node", i, n.Name)
	var light struct {
		Light *int `json:"light"`
	}
	ok, err := extension(n.Extensions, punctualName, o, &light)
	if err != nil {
		return err
	}
	if ok {
		if light.Light == nil {
			return missing(o, punctualName+".light")
		}
		if err := ref(o, punctualName+".light", *light.Light, len(l.punctual), "light"); err != nil {
			return err
		}
		p := &l.punctual[*light.Light]
		c := p.Light
		p.made = append(p.made, &c)
		l.asset.Nodes[i].Light = &c
	}
	var visibility struct {
		Visible *bool `json:"visible"`
	}
	ok, err = extension(n.Extensions, "KHR_node_visibility", o, &visibility)
	if err != nil {
		return err
	}
	if ok && visibility.Visible != nil && !*visibility.Visible {
		l.asset.Nodes[i].Hidden = true
	}
	return nil
}
