package gltf

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/qmuntal/gltf"
)

// document is a file's JSON: the module's types, beside them what these cannot
// hold because an absent or unknown value reads as a default, and the chunks.
type document struct {
	*gltf.Document
	container

	accessors  []accessorShape
	views      []viewShape
	buffers    []bufferShape
	meshes     []meshShape
	animations []animationShape
	materials  []materialShape
	samplers   []samplerShape
	cameras    []cameraShape
	nodes      []nodeShape

	packed []*meshoptView // by bufferView; nil: plain
	notes  []string       // what is odd, but does no harm
}

type (
	accessorShape struct {
		ComponentType *int    `json:"componentType"`
		Count         *int    `json:"count"`
		Type          *string `json:"type"`
		UnknownType   *string `json:"unknownType"`
		Sparse        *struct {
			Count   *int `json:"count"`
			Indices *struct {
				BufferView    *int `json:"bufferView"`
				ComponentType *int `json:"componentType"`
			} `json:"indices"`
			Values *struct {
				BufferView *int `json:"bufferView"`
			} `json:"values"`
		} `json:"sparse"`
	}
	viewShape struct {
		Buffer     *int `json:"buffer"`
		ByteLength *int `json:"byteLength"`
	}
	bufferShape struct {
		URI        *string `json:"uri"`
		ByteLength *int    `json:"byteLength"`
	}
	meshShape struct {
		Primitives []struct {
			Attributes *map[string]int `json:"attributes"`
			Mode       *int            `json:"mode"`
		} `json:"primitives"`
	}
	animationShape struct {
		Channels []struct {
			Sampler *int `json:"sampler"`
			Target  *struct {
				Path       *string                    `json:"path"`
				Extensions map[string]json.RawMessage `json:"extensions"`
			} `json:"target"`
		} `json:"channels"`
		Samplers []struct {
			Input         *int    `json:"input"`
			Output        *int    `json:"output"`
			Interpolation *string `json:"interpolation"`
		} `json:"samplers"`
	}
	indexShape struct {
		Index *int `json:"index"`
	}
	materialShape struct {
		AlphaMode      *string    `json:"alphaMode"`
		EmissiveFactor *[]float64 `json:"emissiveFactor"`
		PBR            *struct {
			BaseColorFactor          *[]float64  `json:"baseColorFactor"`
			BaseColorTexture         *indexShape `json:"baseColorTexture"`
			MetallicRoughnessTexture *indexShape `json:"metallicRoughnessTexture"`
		} `json:"pbrMetallicRoughness"`
		NormalTexture    *indexShape `json:"normalTexture"`
		OcclusionTexture *indexShape `json:"occlusionTexture"`
		EmissiveTexture  *indexShape `json:"emissiveTexture"`
	}
	samplerShape struct {
		MagFilter *int `json:"magFilter"`
		MinFilter *int `json:"minFilter"`
		WrapS     *int `json:"wrapS"`
		WrapT     *int `json:"wrapT"`
	}
	cameraShape struct {
		Type *string `json:"type"`
	}
	nodeShape struct {
		Matrix      *[]float64 `json:"matrix"`
		Rotation    *[]float64 `json:"rotation"`
		Scale       *[]float64 `json:"scale"`
		Translation *[]float64 `json:"translation"`
	}
)

// parse reads a file's JSON.
func parse(c container) (*document, error) {
	var top map[string]json.RawMessage
	if err := json.Unmarshal(c.json, &top); err != nil {
		return nil, because(ErrFormat, "JSON", "%s", jsonText(err, c.json))
	}
	if top == nil {
		return nil, because(ErrFormat, "JSON", "it is null, want an object")
	}
	d := &document{Document: &gltf.Document{}, container: c}
	if err := d.version(top["asset"]); err != nil {
		return nil, err
	}
	for _, key := range []struct {
		name string
		dst  *[]string
	}{{"extensionsUsed", &d.ExtensionsUsed}, {"extensionsRequired", &d.ExtensionsRequired}} {
		if raw, ok := top[key.name]; ok {
			if err := json.Unmarshal(raw, key.dst); err != nil {
				return nil, bad(key.name, "%s", jsonText(err, nil))
			}
		}
	}
	if raw, ok := top["extensions"]; ok {
		if err := json.Unmarshal(raw, &d.Extensions); err != nil {
			return nil, bad("extensions", "%s", jsonText(err, nil))
		}
		d.noteBeyond("extensions", raw)
	}
	if raw, ok := top["extras"]; ok {
		if err := json.Unmarshal(raw, &d.Extras); err != nil {
			return nil, bad("extras", "%s", jsonText(err, nil))
		}
	}
	if raw, ok := top["scene"]; ok {
		if err := decode(raw, &d.Scene); err != nil {
			return nil, bad("scene", "%s", jsonText(err, nil))
		}
	}
	for key, raw := range top {
		if strings.TrimSpace(string(raw)) == "[]" {
			d.notes = append(d.notes, fmt.Sprintf("%s is an empty list", quote(key)))
		}
	}
	err := firstError(
		func() error { return list(d, usableTypes(top), "accessors", "accessor", &d.Accessors, &d.accessors) },
		func() error { return list(d, top, "bufferViews", "bufferView", &d.BufferViews, &d.views) },
		func() error { return list(d, top, "buffers", "buffer", &d.Buffers, &d.buffers) },
		func() error { return list(d, top, "meshes", "mesh", &d.Meshes, &d.meshes) },
		func() error { return list(d, top, "animations", "animation", &d.Animations, &d.animations) },
		func() error { return list(d, top, "materials", "material", &d.Materials, &d.materials) },
		func() error { return list(d, top, "samplers", "sampler", &d.Samplers, &d.samplers) },
		func() error { return list(d, top, "cameras", "camera", &d.Cameras, &d.cameras) },
		func() error { return list(d, top, "nodes", "node", &d.Nodes, &d.nodes) },
		func() error { return list[gltf.Texture, struct{}](d, top, "textures", "texture", &d.Textures, nil) },
		func() error { return list[gltf.Image, struct{}](d, top, "images", "image", &d.Images, nil) },
		func() error { return list[gltf.Scene, struct{}](d, top, "scenes", "scene", &d.Scenes, nil) },
		func() error { return list[gltf.Skin, struct{}](d, top, "skins", "skin", &d.Skins, nil) },
	)
	slices.Sort(d.notes)
	return d, err
}

func firstError(steps ...func() error) error {
	for _, s := range steps {
		if err := s(); err != nil {
			return err
		}
	}
	return nil
}

var versionPattern = regexp.MustCompile(`^[0-9]+\.[0-9]+$`)

// version checks asset.version and minVersion before anything else is read:
// glTF 1.0 has objects where 2.0 has lists.
func (d *document) version(raw json.RawMessage) error {
	if raw == nil {
		return because(ErrFormat, "asset", "it is missing, so this is no glTF 2.0 file")
	}
	var v struct {
		Version    *string `json:"version"`
		MinVersion *string `json:"minVersion"`
	}
	if err := json.Unmarshal(raw, &v); err != nil {
		return bad("asset", "%s", jsonText(err, nil))
	}
	if v.Version == nil {
		return because(ErrVersion, "asset", "version is missing, want 2.0")
	}
	if !versionPattern.MatchString(*v.Version) {
		return bad("asset", "version %q is not of the form 2.0", *v.Version)
	}
	if !strings.HasPrefix(*v.Version, "2.") {
		return because(ErrVersion, "asset", "version is %s, want 2.0; convert the file first", *v.Version)
	}
	if m := v.MinVersion; m != nil {
		if !versionPattern.MatchString(*m) {
			return bad("asset", "minVersion %q is not of the form 2.0", *m)
		}
		if *m != "2.0" {
			return because(ErrVersion, "asset", "minVersion is %s, this loader knows 2.0", *m)
		}
	}
	if err := json.Unmarshal(raw, &d.Asset); err != nil {
		return bad("asset", "%s", jsonText(err, nil))
	}
	return nil
}

// usableTypes renames the accessor types that the module does not know, which
// it would refuse even where nothing uses them. The shapes keep their names.
func usableTypes(top map[string]json.RawMessage) map[string]json.RawMessage {
	var elems []map[string]json.RawMessage
	if json.Unmarshal(top["accessors"], &elems) != nil {
		return top // list says what is wrong
	}
	changed := false
	for _, e := range elems {
		var name string
		if e["type"] != nil && json.Unmarshal(e["type"], &name) == nil && !slices.Contains(accessorTypes, name) {
			e["unknownType"], e["type"], changed = e["type"], json.RawMessage(`"SCALAR"`), true
		}
	}
	if !changed {
		return top
	}
	raw, err := json.Marshal(elems)
	if err != nil {
		return top
	}
	out := maps.Clone(top)
	out["accessors"] = raw
	return out
}

var accessorTypes = []string{"SCALAR", "VEC2", "VEC3", "VEC4", "MAT2", "MAT3", "MAT4"}

// unusable is an error for an accessor of a kind that glTF 2.0 does not have.
func (d *document) unusable(i int) error {
	s := d.accessors[i]
	o := named("accessor", i, d.Accessors[i].Name)
	switch {
	case s.UnknownType != nil:
		return because(errNotUsable, o, "type is %s, want one of %s", quote(*s.UnknownType), strings.Join(accessorTypes, ", "))
	case componentSize(*s.ComponentType) == 0:
		return because(errNotUsable, o, "componentType is %d, want 5120 to 5123, 5125 or 5126", *s.ComponentType)
	}
	return nil
}

// list decodes one of the top-level lists, element by element, so that an
// error can name the element.
func list[T, S any](d *document, top map[string]json.RawMessage, key, kind string, dst *[]*T, shapes *[]S) error {
	raw, ok := top[key]
	if !ok {
		return nil
	}
	var elems []json.RawMessage
	if err := json.Unmarshal(raw, &elems); err != nil {
		return bad(key, "%s", jsonText(err, nil))
	}
	if elems == nil {
		return bad(key, "it is null, want a list")
	}
	*dst = make([]*T, len(elems))
	if shapes != nil {
		*shapes = make([]S, len(elems))
	}
	for i, e := range elems {
		if len(e) == 0 || e[0] != '{' {
			return bad(nth(kind, i), "it is %s, want an object", jsonKind(e))
		}
		t := new(T)
		if err := decode(e, t); err != nil {
			return bad(nth(kind, i), "%s", jsonText(err, nil))
		}
		(*dst)[i] = t
		d.noteBeyond(nth(kind, i), e)
		if shapes != nil {
			if err := decode(e, &(*shapes)[i]); err != nil {
				return bad(nth(kind, i), "%s", jsonText(err, nil))
			}
		}
	}
	return nil
}

// decode is json.Unmarshal that takes 3.0 where an integer is wanted, as
// JavaScript does.
func decode(raw []byte, v any) error {
	err := json.Unmarshal(raw, v)
	var te *json.UnmarshalTypeError
	if err == nil || !errors.As(err, &te) || !strings.HasPrefix(te.Value, "number") {
		return err
	}
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	var tree any
	if dec.Decode(&tree) != nil {
		return err
	}
	again, merr := json.Marshal(integers(tree))
	if merr != nil || json.Unmarshal(again, v) != nil {
		return err
	}
	return nil
}

// integers rewrites numbers such as 3.0 and 1e3 as 3 and 1000.
func integers(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for k, x := range v {
			v[k] = integers(x)
		}
	case []any:
		for i, x := range v {
			v[i] = integers(x)
		}
	case json.Number:
		if f, err := v.Float64(); err == nil && f == math.Trunc(f) && math.Abs(f) < 1<<53 && strings.ContainsAny(v.String(), ".eE") {
			return json.Number(strconv.FormatInt(int64(f), 10))
		}
	}
	return v
}

func jsonKind(raw []byte) string {
	if len(raw) == 0 {
		return "nothing"
	}
	switch raw[0] {
	case '{':
		return "an object"
	case '[':
		return "a list"
	case '"':
		return "a string"
	case 'n':
		return "null"
	case 't', 'f':
		return "a boolean"
	}
	return "a number"
}

// jsonText says in the words of a file's author what was wrong.
func jsonText(err error, data []byte) string {
	var te *json.UnmarshalTypeError
	if errors.As(err, &te) {
		field := te.Field
		if field == "" {
			return fmt.Sprintf("it is %s, want %s", article(te.Value), goKind(te.Type.Kind().String()))
		}
		return fmt.Sprintf("%s is %s, want %s", field, article(te.Value), goKind(te.Type.Kind().String()))
	}
	var se *json.SyntaxError
	if errors.As(err, &se) && data != nil {
		line := 1 + bytes.Count(data[:min(int(se.Offset), len(data))], []byte("\n"))
		return fmt.Sprintf("line %d, byte %d: %v", line, se.Offset, se)
	}
	return strings.TrimPrefix(err.Error(), "gltf: ")
}

func article(value string) string {
	switch value {
	case "array":
		return "a list"
	case "object":
		return "an object"
	case "bool":
		return "a boolean"
	case "string":
		return "a string"
	}
	return "the " + value
}

func goKind(kind string) string {
	switch kind {
	case "slice", "array":
		return "a list"
	case "map", "struct":
		return "an object"
	case "string":
		return "a string"
	case "bool":
		return "a boolean"
	case "float64", "float32":
		return "a number"
	}
	return "an integer"
}

// extension decodes the named extension of an object into v. It reports
// whether the object has it.
func extension(e gltf.Extensions, name, object string, v any) (bool, error) {
	x, ok := e[name]
	if !ok {
		return false, nil
	}
	raw, ok := x.(json.RawMessage)
	if !ok {
		// Another package of the program may have registered a type with the module.
		var err error
		if raw, err = json.Marshal(x); err != nil {
			return false, bad(object, "extension %s: %v", name, err)
		}
	}
	if len(raw) == 0 || raw[0] != '{' {
		return false, bad(object, "extension %s is %s, want an object", name, jsonKind(raw))
	}
	if err := decode(raw, v); err != nil {
		return false, bad(object, "extension %s: %s", name, jsonText(err, nil))
	}
	return true, nil
}
