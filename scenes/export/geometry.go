package export

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"

	"darkroom/scenes/mesh"
)

// builder makes a geometry from its options.
type builder struct {
	options reflect.Type
	build   func(options any) (*mesh.Geometry, error)
}

func of[O any](f func(O) (*mesh.Geometry, error)) builder {
	return builder{reflect.TypeFor[O](), func(o any) (*mesh.Geometry, error) { return f(o.(O)) }}
}

// builders are those whose options say all, by the engine's names.
func builders() map[string]builder {
	return map[string]builder{
		"CreateBox": of(mesh.CreateBox), "CreateCapsule": of(mesh.CreateCapsule), "CreateCylinder": of(mesh.CreateCylinder),
		"CreateDisc": of(mesh.CreateDisc), "ExtrudeShape": of(mesh.ExtrudeShape), "ExtrudeShapeCustom": of(mesh.ExtrudeShapeCustom),
		"CreateGround": of(mesh.CreateGround), "CreateTiledGround": of(mesh.CreateTiledGround), "CreateIcoSphere": of(mesh.CreateIcoSphere),
		"CreateLathe": of(mesh.CreateLathe), "CreateLines": of(mesh.CreateLines), "CreateLineSystem": of(mesh.CreateLineSystem),
		"CreateDashedLines": of(mesh.CreateDashedLines), "CreatePlane": of(mesh.CreatePlane), "CreatePolyhedron": of(mesh.CreatePolyhedron),
		"CreateRibbon": of(mesh.CreateRibbon), "CreateSphere": of(mesh.CreateSphere), "CreateTiledPlane": of(mesh.CreateTiledPlane),
		"CreateTiledBox": of(mesh.CreateTiledBox), "CreateTorus": of(mesh.CreateTorus), "CreateTorusKnot": of(mesh.CreateTorusKnot),
		"CreateTube": of(mesh.CreateTube),
	}
}

// geometry is a builder with its options where that makes the same geometry,
// and the vertices themselves otherwise.
func (e *encoder) geometry(g *mesh.Geometry, at string) (object, error) {
	if err := g.Validate(); err != nil {
		return nil, refuse(at, "%v", err)
	}
	if b := g.Builder; b != nil {
		if made, text := rebuild(b); made != nil && same(made, g) {
			return object{"name": g.Name, "builder": object{"name": b.Name, "options": json.RawMessage(text)}}, nil
		}
	}
	c := *g
	c.Builder = nil
	return e.structure(reflect.ValueOf(c), at)
}

// rebuild makes a geometry from what a document would hold; nil where it cannot.
func rebuild(b *mesh.Builder) (*mesh.Geometry, []byte) {
	text, err := json.Marshal(b.Options)
	if err != nil {
		return nil, nil
	}
	g, err := build(b.Name, text)
	if err != nil {
		return nil, nil
	}
	return g, text
}

func build(name string, options []byte) (*mesh.Geometry, error) {
	b, ok := builders()[name]
	if !ok {
		return nil, fmt.Errorf("the builder %q is unknown", name)
	}
	p := reflect.New(b.options)
	j := json.NewDecoder(bytes.NewReader(options))
	j.DisallowUnknownFields()
	if err := j.Decode(p.Interface()); err != nil {
		return nil, err
	}
	return b.build(p.Elem().Interface())
}

// same reports whether two geometries are equal to the bit, names and builders aside.
func same(a, b *mesh.Geometry) bool {
	if a.Topology != b.Topology || !slices.Equal(a.Indices, b.Indices) || len(a.Streams) != 0 || len(b.Streams) != 0 {
		return false
	}
	lists := func(g *mesh.Geometry) [][]float32 {
		return append([][]float32{g.Positions, g.Normals, g.Tangents, g.Colors, g.Weights[0], g.Weights[1]}, g.UVs[:]...)
	}
	x, y := lists(a), lists(b)
	for i := range x {
		if !slices.Equal(x[i], y[i]) {
			return false
		}
	}
	return slices.Equal(a.Joints[0], b.Joints[0]) && slices.Equal(a.Joints[1], b.Joints[1])
}

func (d *decoder) geometry(g *mesh.Geometry, o object, at string) error {
	if o["builder"] == nil {
		if err := d.structure(reflect.ValueOf(g).Elem(), o, at); err != nil {
			return err
		}
		if err := g.Validate(); err != nil {
			return bad(at, "%v", err)
		}
		return nil
	}
	how, ok := o["builder"].(object)
	if !ok {
		return bad(at+".builder", "it is %v, want an object", brief(o["builder"]))
	}
	options, err := json.Marshal(how["options"])
	if err != nil {
		return bad(at+".builder.options", "%v", err)
	}
	for _, m := range []object{o, how} {
		for k := range m {
			if k != "name" && k != "builder" && k != "options" {
				return bad(at+"."+k, "the field is unknown beside a builder")
			}
		}
	}
	title, ok := o["name"].(string)
	if !ok {
		return bad(at+".name", "it is %v, want text", brief(o["name"]))
	}
	name, _ := how["name"].(string)
	made, err := build(name, options)
	if err != nil {
		return bad(at+".builder", "%v", err)
	}
	*g = *made
	g.Name = title
	return nil
}
