package gltf

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"

	"darkroom/scenes/linalg"
)

// beyond finds a number in an object of the file that single precision, in
// which a GPU computes, does not hold: its place, as in translation[0], and
// what it says. Such a file is sound, but what depends on the number is not
// drawn as it asks. Extras are nobody's.
func beyond(raw []byte) (place string, value json.Number) {
	if !mayBeBeyond(raw) {
		return "", ""
	}
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	var tree any
	if dec.Decode(&tree) != nil {
		return "", "" // who reads it says so
	}
	return large(tree, "")
}

func (d *document) noteBeyond(object string, raw []byte) {
	if place, value := beyond(raw); place != "" {
		d.notes = append(d.notes, fmt.Sprintf("%s: %s is %s, beyond single precision (3.4e38); what depends on it is not drawn as the file asks", object, place, value))
	}
}

// mayBeBeyond is a quick look: a number over 3.4e38 has an exponent, or 39 digits.
func mayBeBeyond(raw []byte) bool {
	digits := 0
	for i, c := range raw {
		switch {
		case c >= '0' && c <= '9':
			if digits++; digits > 38 {
				return true
			}
			continue
		case (c == 'e' || c == 'E') && digits > 0 && i+1 < len(raw) && raw[i+1] != '-':
			return true
		}
		if c != '.' {
			digits = 0
		}
	}
	return false
}

func large(v any, place string) (string, json.Number) {
	switch v := v.(type) {
	case map[string]any:
		for _, k := range slices.Sorted(maps.Keys(v)) {
			x := v[k]
			if k == "extras" {
				continue
			}
			at := k
			if place != "" {
				at = place + "." + k
			}
			if p, n := large(x, at); p != "" {
				return p, n
			}
		}
	case []any:
		for i, x := range v {
			if p, n := large(x, fmt.Sprintf("%s[%d]", place, i)); p != "" {
				return p, n
			}
		}
	case json.Number:
		// What float64 does not hold is an error of JSON's reader.
		if f, err := strconv.ParseFloat(v.String(), 64); err == nil && math.Abs(f) > math.MaxFloat32 {
			return place, v
		}
	}
	return "", ""
}

// hideLost hides the nodes whose place in the world is beyond single precision:
// by a number of their own, or by the product of several. They are nowhere, and
// the rest of the scene can be drawn. Children go with them.
func (l *loader) hideLost() error {
	type place struct {
		node  int
		world linalg.Mat4
	}
	var open []place
	for _, n := range slices.Backward(slices.Sorted(maps.Keys(l.rootOf))) {
		open = append(open, place{n, linalg.Identity()})
	}
	for len(open) > 0 {
		p := open[len(open)-1]
		open = open[:len(open)-1]
		n := l.asset.Nodes[p.node]
		world := p.world.Mul(n.Local().Round32()).Round32()
		if slices.ContainsFunc(world[:], func(x float64) bool { return math.IsNaN(x) || math.IsInf(x, 0) }) {
			l.warn("%s is not drawn, nor what hangs on it: its place in the world is beyond single precision (3.4e38)", named("node", p.node, l.doc.Nodes[p.node].Name))
			// Without its place, which walks that take in hidden nodes would refuse.
			n.Hidden, n.Matrix = true, nil
			n.Position, n.Scaling, n.Quaternion = linalg.Vec3{}, linalg.Vec3{1, 1, 1}, nil
			continue
		}
		for _, c := range l.doc.Nodes[p.node].Children {
			open = append(open, place{c, world})
		}
	}
	return nil
}
