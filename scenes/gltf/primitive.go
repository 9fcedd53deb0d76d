package gltf

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/qmuntal/gltf"

	"darkroom/composer"
	"darkroom/material/morph"
	"darkroom/scenes/linalg"
	"darkroom/scenes/mesh"
)

// primitive is a primitive of a mesh, ready to be drawn by any number of nodes.
type primitive struct {
	object   string
	index    int
	geometry *mesh.Geometry
	material *int
	morph    *morph.Morph // with the mesh's own weights; nil: none
	targets  []morph.Target
	joints   uint32 // one more than the largest joint in use
	variants []variantMapping
	// bounds as the reference engine has them: what the POSITION accessor says, else the vertices'.
	bounds linalg.AABB
}

// The modes of section 3.7.2.1.
const (
	modePoints = iota
	modeLines
	modeLineLoop
	modeLineStrip
	modeTriangles
	modeTriangleStrip
	modeTriangleFan
)

// mesh loads a mesh's primitives, once. A primitive that draws nothing is
// left out with a warning.
func (l *loader) mesh(i int) ([]*primitive, error) {
	if p, ok := l.meshes[i]; ok {
		return p, nil
	}
	m := l.doc.Meshes[i]
	var out []*primitive
	for k, p := range m.Primitives {
		o := named("mesh", i, m.Name) + " " + nth("primitive", k)
		x, err := l.primitive(o, i, k, p)
		if err != nil {
			return nil, err
		}
		if x != nil {
			x.index = k
			out = append(out, x)
		}
	}
	if l.meshes == nil {
		l.meshes = map[int][]*primitive{}
	}
	l.meshes[i] = out
	return out, nil
}

// attributes are a primitive's vertex attributes, by the name in the file.
type attributes struct {
	l      *loader
	object string
	index  map[string]int
	packed *unpacked // the decoded compression, nil: none
}

func (a *attributes) has(name string) bool { _, ok := a.index[name]; return ok }

// floats reads an attribute and the number of its components; nil: there is none.
func (a *attributes) floats(name string, types ...gltf.AccessorType) ([]float32, int, error) {
	i, ok := a.index[name]
	if !ok {
		return nil, 0, nil
	}
	if a.packed != nil {
		if f, n, ok, err := a.packed.floats(a.l, a.object, name, i, types); ok || err != nil {
			return f, n, err
		}
	}
	return a.l.floats(a.object+" attribute "+name, i, types...)
}

func (a *attributes) ints(name string) ([]uint32, error) {
	i, ok := a.index[name]
	if !ok {
		return nil, nil
	}
	if a.packed != nil {
		if u, ok, err := a.packed.ints(a.l, a.object, name, i); ok || err != nil {
			return u, err
		}
	}
	return a.l.ints(a.object+" attribute "+name, i, gltf.AccessorVec4)
}

func (l *loader) primitive(o string, meshIndex, index int, p *gltf.Primitive) (*primitive, error) {
	mode := modeTriangles
	if m := l.doc.meshes[meshIndex].Primitives[index].Mode; m != nil {
		mode = *m
	}
	a := &attributes{l: l, object: o, index: p.Attributes}
	var err error
	if a.packed, err = l.draco(o, p, mode); err != nil {
		return nil, err
	}
	if !a.has("POSITION") {
		l.warn("%s is not drawn: it has no POSITION", o)
		return nil, nil
	}
	g := &mesh.Geometry{Name: l.geometryName(meshIndex, index)}
	if g.Positions, _, err = a.floats("POSITION", gltf.AccessorVec3); err != nil {
		return nil, err
	}
	n := g.VertexCount()
	x := &primitive{object: o, geometry: g, material: p.Material}
	if err := l.shading(a, g, n); err != nil {
		return nil, err
	}
	if x.joints, err = l.influences(a, g, n); err != nil {
		return nil, err
	}
	if x.targets, err = l.targets(o, p, g); err != nil {
		return nil, err
	}
	indices, err := l.indices(o, a, p, n)
	if err != nil {
		return nil, err
	}
	if a.packed != nil {
		mode = modeTriangles // whatever the file says, the compressed mesh is a list
	}
	if g.Indices, g.Topology, err = l.topology(o, mode, indices, n); err != nil {
		return nil, err
	}
	if g.ElementCount() == 0 || g.Indices != nil && len(g.Indices) == 0 {
		l.warn("%s is not drawn: it has too few vertices for its mode", o)
		return nil, nil
	}
	if g.Indices == nil {
		trim(g, x.targets, mode)
		if n = g.VertexCount(); n == 0 {
			l.warn("%s is not drawn: it has too few vertices for its mode", o)
			return nil, nil
		}
	}
	if err := l.tangents(x); err != nil {
		return nil, err
	}
	if len(x.targets) > 0 {
		if x.morph, err = morph.New(x.geometry.VertexCount(), x.targets, l.doc.Meshes[meshIndex].Weights); err != nil {
			return nil, bad(o, "%v", err)
		}
	}
	x.bounds = l.positionBounds(p.Attributes["POSITION"], g)
	if x.variants, err = l.mappings(o, p); err != nil {
		return nil, err
	}
	return x, nil
}

func (l *loader) geometryName(meshIndex, index int) string {
	m := l.doc.Meshes[meshIndex]
	name := m.Name
	if name == "" {
		name = fmt.Sprintf("mesh%d", meshIndex)
	}
	if len(m.Primitives) > 1 {
		name += fmt.Sprintf("_primitive%d", index)
	}
	return name
}

// same checks that an attribute has an element for each vertex.
func same(o, name string, have, components, n int) error {
	if have != n*components {
		return bad(o, "attribute %s has %s, POSITION has %d", name, count(have/max(1, components), "element"), n)
	}
	return nil
}

// shading reads normals, tangents, texture coordinates and colours.
func (l *loader) shading(a *attributes, g *mesh.Geometry, n int) error {
	var err error
	if g.Normals, _, err = a.floats("NORMAL", gltf.AccessorVec3); err != nil {
		return err
	}
	if g.Normals != nil {
		if err := same(a.object, "NORMAL", len(g.Normals), 3, n); err != nil {
			return err
		}
		// Without normals, tangents are to be ignored (section 3.7.2.1).
		if g.Tangents, _, err = a.floats("TANGENT", gltf.AccessorVec4); err != nil {
			return err
		}
		if g.Tangents != nil {
			if err := same(a.object, "TANGENT", len(g.Tangents), 4, n); err != nil {
				return err
			}
		}
	}
	for i := range g.UVs {
		name := fmt.Sprintf("TEXCOORD_%d", i)
		if g.UVs[i], _, err = a.floats(name, gltf.AccessorVec2); err != nil {
			return err
		}
		if g.UVs[i] != nil {
			if err := same(a.object, name, len(g.UVs[i]), 2, n); err != nil {
				return err
			}
		}
	}
	colors, components, err := a.floats("COLOR_0", gltf.AccessorVec3, gltf.AccessorVec4)
	if err != nil {
		return err
	}
	if colors != nil {
		if err := same(a.object, "COLOR_0", len(colors), components, n); err != nil {
			return err
		}
		if components == 3 {
			if err := l.spend(a.object, int64(n)*16); err != nil {
				return err
			}
			rgba := make([]float32, 0, n*4)
			for i := range n {
				rgba = append(rgba, colors[i*3], colors[i*3+1], colors[i*3+2], 1)
			}
			colors = rgba
		}
		g.Colors = colors
	}
	for _, name := range slices.Sorted(maps.Keys(a.index)) {
		switch {
		case strings.HasPrefix(name, "_"):
		case strings.HasPrefix(name, "TEXCOORD_") && !slices.Contains([]string{"0", "1", "2", "3", "4", "5"}, name[9:]),
			strings.HasPrefix(name, "COLOR_") && name != "COLOR_0",
			strings.HasPrefix(name, "JOINTS_") && name != "JOINTS_0" && name != "JOINTS_1":
			l.warn("%s: attribute %s is ignored", a.object, quote(name))
		}
	}
	return nil
}

// influences reads joints and weights and returns one more than the largest
// joint that has weight.
func (l *loader) influences(a *attributes, g *mesh.Geometry, n int) (uint32, error) {
	most := uint32(0)
	for set := range g.Joints {
		jn, wn := fmt.Sprintf("JOINTS_%d", set), fmt.Sprintf("WEIGHTS_%d", set)
		if a.has(jn) != a.has(wn) {
			return 0, bad(a.object, "it has one of %s and %s, want both", jn, wn)
		}
		if !a.has(jn) {
			continue
		}
		joints, err := a.ints(jn)
		if err != nil {
			return 0, err
		}
		weights, _, err := a.floats(wn, gltf.AccessorVec4)
		if err != nil {
			return 0, err
		}
		if err := same(a.object, jn, len(joints), 4, n); err != nil {
			return 0, err
		}
		if err := same(a.object, wn, len(weights), 4, n); err != nil {
			return 0, err
		}
		if err := l.spend(a.object, int64(len(joints))*4); err != nil {
			return 0, err
		}
		joints = slices.Clone(joints)
		for i, w := range weights {
			if w == 0 {
				joints[i] = 0 // no matter what it was: it is read, but moves nothing
			} else {
				most = max(most, joints[i]+1)
			}
		}
		g.Joints[set], g.Weights[set] = joints, weights
	}
	return most, nil
}

// targets reads the morph targets' deltas.
func (l *loader) targets(o string, p *gltf.Primitive, g *mesh.Geometry) ([]morph.Target, error) {
	if len(p.Targets) == 0 {
		return nil, nil
	}
	if len(p.Targets) > morph.MaxTargets {
		return nil, bad(o, "it has %d morph targets, the limit is %d", len(p.Targets), morph.MaxTargets)
	}
	n := g.VertexCount()
	out := make([]morph.Target, len(p.Targets))
	for i, t := range p.Targets {
		to := o + " " + nth("target", i)
		read := func(name string) ([]float32, error) {
			k, ok := t[name]
			if !ok {
				return nil, nil
			}
			d, _, err := l.floats(to+" "+name, k, gltf.AccessorVec3)
			if err != nil {
				return nil, err
			}
			return d, same(to, name, len(d), 3, n)
		}
		var err error
		if out[i].Positions, err = read("POSITION"); err != nil {
			return nil, err
		}
		if g.Normals != nil {
			if out[i].Normals, err = read("NORMAL"); err != nil {
				return nil, err
			}
		}
		if g.Tangents != nil {
			if out[i].Tangents, err = read("TANGENT"); err != nil {
				return nil, err
			}
		}
		for _, name := range slices.Sorted(maps.Keys(t)) {
			if strings.HasPrefix(name, "TEXCOORD_") || strings.HasPrefix(name, "COLOR_") {
				l.warn("%s: its deltas of %s are ignored", to, name)
			}
		}
	}
	// All targets' deltas are packed for the GPU: position, normal and tangent.
	return out, l.spend(o, int64(n)*int64(len(out))*36)
}

// indices reads a primitive's indices; nil: it has none.
func (l *loader) indices(o string, a *attributes, p *gltf.Primitive, n int) ([]uint32, error) {
	if a.packed != nil && a.packed.indices != nil {
		return a.packed.indices, nil
	}
	if p.Indices == nil {
		return nil, nil
	}
	idx, err := l.ints(o+" indices", *p.Indices, gltf.AccessorScalar)
	if err != nil {
		return nil, err
	}
	for i, v := range idx {
		if int64(v) >= int64(n) {
			return nil, bad(o, "index %d (of accessor %d) is %d, there are %s", i, *p.Indices, v, strings.Replace(count(n, "vertex"), "vertexs", "vertices", 1))
		}
	}
	return idx, nil
}

// topology turns a mode into one that a GPU draws: a loop into a strip that
// comes back, a fan into a list. Whole figures are kept, left-over vertices
// are not. Nil indices draw the vertices in order.
func (l *loader) topology(o string, mode int, idx []uint32, n int) ([]uint32, composer.Topology, error) {
	have := n
	if idx != nil {
		have = len(idx)
	}
	at := func(i int) uint32 {
		if idx != nil {
			return idx[i]
		}
		return uint32(i)
	}
	cut := func(size int) []uint32 {
		if have%size != 0 {
			l.warn("%s: the last %s make no whole figure", o, count(have%size, "element"))
		}
		if idx == nil {
			return nil
		}
		return idx[:have-have%size]
	}
	switch mode {
	case modePoints:
		return idx, composer.PointList, nil
	case modeLines:
		return cut(2), composer.LineList, nil
	case modeLineStrip, modeLineLoop:
		if have < 2 {
			return []uint32{}, composer.LineStrip, nil
		}
		if mode == modeLineStrip {
			return idx, composer.LineStrip, nil
		}
		if err := l.spend(o, int64(have+1)*4); err != nil {
			return nil, "", err
		}
		out := make([]uint32, 0, have+1)
		for i := range have {
			out = append(out, at(i))
		}
		return append(out, at(0)), composer.LineStrip, nil
	case modeTriangleStrip:
		if have < 3 {
			return []uint32{}, composer.TriangleStrip, nil
		}
		return idx, composer.TriangleStrip, nil
	case modeTriangleFan:
		if have < 3 {
			return []uint32{}, "", nil
		}
		if err := l.spend(o, int64(have-2)*12); err != nil {
			return nil, "", err
		}
		// Triangle i of a fan is i+1, i+2, 0 (section 3.7.2.1).
		out := make([]uint32, 0, (have-2)*3)
		for i := range have - 2 {
			out = append(out, at(i+1), at(i+2), at(0))
		}
		return out, "", nil
	}
	return cut(3), "", nil
}

// trim drops the vertices of an unindexed list that make no whole figure.
func trim(g *mesh.Geometry, targets []morph.Target, mode int) {
	size := 1
	switch mode {
	case modeLines:
		size = 2
	case modeTriangles:
		size = 3
	}
	n := g.VertexCount()
	keep := n - n%size
	if keep == n {
		return
	}
	f := func(s *[]float32, size int) {
		if *s != nil {
			*s = (*s)[:keep*size]
		}
	}
	f(&g.Positions, 3)
	f(&g.Normals, 3)
	f(&g.Tangents, 4)
	f(&g.Colors, 4)
	for i := range g.UVs {
		f(&g.UVs[i], 2)
	}
	for i := range g.Joints {
		f(&g.Weights[i], 4)
		if g.Joints[i] != nil {
			g.Joints[i] = g.Joints[i][:keep*4]
		}
	}
	for i := range targets {
		f(&targets[i].Positions, 3)
		f(&targets[i].Normals, 3)
		f(&targets[i].Tangents, 3)
	}
}

// positionBounds is the box that an accessor's min and max give, scaled where
// it is normalised; without them that of the vertices.
func (l *loader) positionBounds(accessor int, g *mesh.Geometry) linalg.AABB {
	a := l.doc.Accessors[accessor]
	if len(a.Min) != 3 || len(a.Max) != 3 {
		return g.Bounds()
	}
	scale := 1.0
	if a.Normalized {
		switch *l.doc.accessors[accessor].ComponentType {
		case typeByte:
			scale = 1.0 / 127
		case typeUbyte:
			scale = 1.0 / 255
		case typeShort:
			scale = 1.0 / 32767
		case typeUshort:
			scale = 1.0 / 65535
		}
	}
	return linalg.AABB{Min: linalg.Vec3(a.Min).Scale(scale), Max: linalg.Vec3(a.Max).Scale(scale)}
}
