package export

import (
	"encoding/json"
	"reflect"
	"slices"

	"darkroom/scenes"
	"darkroom/scenes/mesh"
)

// SchemaFile is where the repository keeps what Schema returns.
const SchemaFile = "scene.v1.schema.json"

// Schema describes documents of version 1 as a JSON Schema (draft 2020-12). It
// is made of the same types that Write writes.
func Schema() ([]byte, error) {
	reg, err := newRegistry(nil)
	if err != nil {
		return nil, err
	}
	s := &schema{reg: reg, defs: object{}}
	s.defs["blob"] = object{
		"description": "Bulk in a file of the document: count elements from byte offset, little-endian.",
		"type":        "object", "additionalProperties": false, "required": []string{"file", "offset", "count", "elements"},
		"properties": object{"file": object{"type": "string"}, "offset": natural(), "count": natural(), "elements": object{"enum": []string{"u8", "u32", "f32"}}},
	}
	doc := object{
		"format": object{"const": Format}, "version": object{"const": Version}, "name": object{"type": "string"},
		"hash": object{"type": "string", "description": "darkroom's hash of the scene"},
		"picture": object{
			"type": "object", "additionalProperties": false, "required": []string{"width", "height", "time"},
			"properties": object{"width": object{"type": "integer", "minimum": 1}, "height": object{"type": "integer", "minimum": 1}, "time": object{"type": "number", "description": "seconds"}},
		},
		"files": object{"type": "array", "items": object{
			"type": "object", "additionalProperties": false, "required": []string{"file", "bytes", "sha256"},
			"properties": object{"file": object{"type": "string"}, "bytes": natural(), "sha256": object{"type": "string", "pattern": "^[0-9a-f]{64}$"}},
		}},
		"scene": s.scene(),
	}
	for _, tab := range reg.tables {
		item := object{}
		switch {
		case tab.of.Kind() == reflect.Interface:
			item = s.oneOf(tab.of)
		case tab.of == reflect.TypeFor[*scenes.Node]():
			item = object{"anyOf": []any{s.structure(tab.of.Elem(), ""), object{
				"description": "a node of a model: which of its nodes in the order of a walk, parents first",
				"type":        "object", "additionalProperties": false, "required": []string{"model", "node"},
				"properties": object{"name": object{"type": "string"}, "model": natural(), "node": natural()},
			}}}
		case tab.of == reflect.TypeFor[*mesh.Geometry]():
			item = object{"anyOf": []any{object{
				"description": "a builder of Babylon.js with its options",
				"type":        "object", "additionalProperties": false, "required": []string{"name", "builder"},
				"properties": object{"name": object{"type": "string"}, "builder": object{
					"type": "object", "additionalProperties": false, "required": []string{"name", "options"},
					"properties": object{"name": object{"enum": names(builders())}, "options": object{"type": "object"}},
				}},
			}, s.structure(tab.of.Elem(), "")}}
		default:
			item = s.structure(tab.of.Elem(), "")
		}
		doc[tab.name] = object{"type": "array", "items": item}
	}
	return json.MarshalIndent(object{
		"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "A darkroom scene, version 1",
		"description": "Fields that are missing are zero: 0, false, empty, none. Numbers that stand for entries of a table say so. Matrices are column-major, angles radians, times seconds.",
		"type":        "object", "additionalProperties": false, "required": []string{"format", "version", "name", "picture", "scene"},
		"properties": doc, "$defs": s.defs,
	}, "", " ")
}

func natural() object { return object{"type": "integer", "minimum": 0} }

func names[V any](m map[string]V) []string {
	out := []string{}
	for k := range m {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}

type schema struct {
	reg  *registry
	defs object
}

// scene is the scene with the fields that the document has in place of lists of Go values.
func (s *schema) scene() object {
	out := s.structure(reflect.TypeFor[scenes.Scene](), "")
	p := out["properties"].(object)
	delete(p, "updaters")
	before := object{"anyOf": []any{
		s.oneOf(reflect.TypeFor[scenes.Task]()),
		object{"type": "object", "additionalProperties": false, "required": []string{"type", "shadow"}, "properties": object{"type": object{"const": "shadow"}, "shadow": reference("features")}},
		object{"type": "object", "additionalProperties": false, "required": []string{"type"}, "properties": object{"type": object{"const": "transmission"}}},
	}}
	p["before"] = object{"type": "array", "items": before, "description": "tasks ahead of the main pass; a shadow stands for its passes, transmission for the picture behind glass"}
	p["models"] = object{"type": "array", "description": "glTF files that are in the scene as they are", "items": object{
		"type": "object", "additionalProperties": false, "required": []string{"name", "file"},
		"properties": object{
			"name": object{"type": "string"}, "file": object{"type": "string"}, "scene": natural(), "variant": object{"type": "string"},
			"playing": object{"type": "array", "items": natural(), "description": "the animations that play, by the file's numbers"},
		},
	}}
	return out
}

func reference(table string) object {
	return object{"type": "integer", "minimum": 0, "description": "number of an entry of " + table}
}

// structure is an object of a struct's fields; name, where not empty, is its "type".
func (s *schema) structure(t reflect.Type, name string) object {
	p := object{}
	for _, f := range fields(t) {
		if x := s.value(f.typ); x != nil {
			p[f.name] = x
		}
	}
	out := object{"type": "object", "additionalProperties": false, "properties": p}
	if name != "" {
		p["type"] = object{"const": name}
		out["required"] = []string{"type"}
	}
	return out
}

// oneOf are the declared types that implement an interface. Their "type" tells
// which one is meant, so that a mistake is reported within it.
func (s *schema) oneOf(t reflect.Type) object {
	var list []any
	var known []string
	for _, d := range s.reg.types {
		rt := reflect.TypeOf(d.Zero)
		if !rt.Implements(t) {
			continue
		}
		def := "type_" + d.Name
		if _, ok := s.defs[def]; !ok {
			s.defs[def] = nil // it may contain itself
			if d.Plain != nil {
				rt = reflect.TypeOf(d.Plain)
			}
			s.defs[def] = s.structure(rt.Elem(), d.Name)
		}
		known = append(known, d.Name)
		list = append(list, object{"if": object{"properties": object{"type": object{"const": d.Name}}}, "then": object{"$ref": "#/$defs/" + def}})
	}
	return object{"type": "object", "required": []string{"type"}, "properties": object{"type": object{"enum": known}}, "allOf": list}
}

func (s *schema) value(t reflect.Type) any {
	if names, ok := s.reg.enums[t]; ok {
		return object{"enum": names}
	}
	if i, ok := s.reg.table(t); ok && t.Kind() == reflect.Pointer {
		return reference(s.reg.tables[i].name)
	}
	switch t.Kind() {
	case reflect.Bool:
		return object{"type": "boolean"}
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return object{"type": "integer"}
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return natural()
	case reflect.Float32, reflect.Float64:
		return object{"type": "number"}
	case reflect.String:
		return object{"type": "string"}
	case reflect.Func:
		return nil
	case reflect.Array:
		return object{"type": "array", "items": s.nullable(t.Elem()), "minItems": t.Len(), "maxItems": t.Len()}
	case reflect.Slice:
		switch t {
		case reflect.TypeFor[[]byte](), reflect.TypeFor[[]uint32](), reflect.TypeFor[[]float32]():
			return object{"$ref": "#/$defs/blob"}
		}
		return object{"type": "array", "items": s.nullable(t.Elem())}
	case reflect.Map:
		if t.Key().Kind() == reflect.String {
			return object{"type": "object", "additionalProperties": s.nullable(t.Elem())}
		}
		return object{"type": "array", "items": object{
			"type": "object", "additionalProperties": false, "required": []string{"key", "value"},
			"properties": object{"key": s.value(t.Key()), "value": s.nullable(t.Elem())},
		}}
	case reflect.Pointer:
		return s.value(t.Elem())
	case reflect.Struct:
		// Shared shapes have a definition of their own.
		name := t.Name()
		if name == "" {
			return s.structure(t, "")
		}
		name = "struct_" + lastOf(t.PkgPath()) + "_" + name
		if _, ok := s.defs[name]; !ok {
			s.defs[name] = nil
			s.defs[name] = s.structure(t, "")
		}
		return object{"$ref": "#/$defs/" + name}
	case reflect.Interface:
		for _, tab := range s.reg.tables {
			if tab.of == t {
				return reference(tab.name)
			}
		}
		if t.NumMethod() == 0 {
			return object{"type": "object", "additionalProperties": false, "required": []string{"type", "value"}, "properties": object{
				"type": object{"enum": names(values())}, "value": object{"type": []string{"number", "array"}},
			}}
		}
		return s.oneOf(t)
	}
	return false
}

// nullable is an item of a list, where null stands for none.
func (s *schema) nullable(t reflect.Type) any {
	switch t.Kind() {
	case reflect.Pointer, reflect.Interface, reflect.Slice, reflect.Map:
		return object{"anyOf": []any{s.value(t), object{"type": "null"}}}
	}
	return s.value(t)
}

func lastOf(path string) string {
	for i := len(path) - 1; i >= 0; i-- {
		if path[i] == '/' {
			return path[i+1:]
		}
	}
	return path
}
