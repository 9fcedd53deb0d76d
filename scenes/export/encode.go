package export

import (
	"encoding/binary"
	"fmt"
	"math"
	"reflect"
	"sort"

	"darkroom/material"
	"darkroom/scenes"
	"darkroom/scenes/mesh"
	"darkroom/scenes/transmission"
)

type object = map[string]any

// encoder turns a scene into the document's values.
type encoder struct {
	reg    *registry
	lists  [][]any           // by table
	number []map[any]int     // pointers met, by table
	data   []byte            // of data.bin
	blobs  map[string]object // by content
	files  []file
	// inModel are the nodes of models that are handed over as files: the model,
	// and which of its nodes in the order of a walk.
	inModel map[*scenes.Node][2]int
	// looks compares values only: functions are passed over.
	looks bool
}

type file struct {
	name string
	data []byte
}

func newEncoder(reg *registry) *encoder {
	e := &encoder{reg: reg, lists: make([][]any, len(reg.tables)), number: make([]map[any]int, len(reg.tables)), blobs: map[string]object{}}
	for i := range e.number {
		e.number[i] = map[any]int{}
	}
	return e
}

func refuse(at, format string, args ...any) error {
	return fmt.Errorf("%s %w: %s", at, ErrRefused, fmt.Sprintf(format, args...))
}

func (e *encoder) document(p *Picture) (object, error) {
	if p.Width < 0 || p.Height < 0 {
		return nil, refuse("picture", "its size of %d × %d is negative", p.Width, p.Height)
	}
	doc := object{"format": Format, "version": Version, "name": p.Scene.Name, "hash": scenes.Hash(p.Scene)}
	w, h := p.Width, p.Height
	if w == 0 {
		w = 1280
	}
	if h == 0 {
		h = 720
	}
	t, err := number(p.Time, "picture.time")
	if err != nil {
		return nil, err
	}
	doc["picture"] = object{"width": w, "height": h, "time": t}
	if doc["scene"], err = e.scene(p.Scene); err != nil {
		return nil, err
	}
	for i, tab := range e.reg.tables {
		if len(e.lists[i]) > 0 {
			doc[tab.name] = e.lists[i]
		}
	}
	if len(e.data) > 0 {
		e.files = append(e.files, file{DataFile, e.data})
	}
	var list []any
	for _, f := range e.files {
		list = append(list, object{"file": f.name, "bytes": len(f.data), "sha256": digest(f.data)})
	}
	if list != nil {
		doc["files"] = list
	}
	return doc, nil
}

// scene is the scene itself. A shadow and the picture behind glass are one
// entry each, in place of the passes, features and updaters that they consist of.
func (e *encoder) scene(s *scenes.Scene) (object, error) {
	c := *s
	models, err := e.models(&c)
	if err != nil {
		return nil, err
	}
	jitter(&c)
	ahead, err := steps(&c)
	if err != nil {
		return nil, err
	}
	v, err := e.value(reflect.ValueOf(c), "scene")
	if err != nil {
		return nil, err
	}
	out := v.(object)
	if models != nil {
		out["models"] = models
	}
	var before []any
	for i, step := range ahead {
		at := fmt.Sprintf("scene.before[%d]", i)
		if _, ok := step.maker.(*transmission.Grab); ok {
			before = append(before, object{"type": "transmission"})
			continue
		}
		if step.maker != nil {
			f, ok := step.maker.(material.Feature)
			if !ok {
				return nil, refuse(at, "a %T is Go code, and a document holds data only", step.maker)
			}
			ref, err := e.value(reflect.ValueOf(&f).Elem(), at)
			if err != nil {
				return nil, err
			}
			before = append(before, object{"type": "shadow", "shadow": ref})
			continue
		}
		ref, err := e.value(reflect.ValueOf(&step.task).Elem(), at)
		if err != nil {
			return nil, err
		}
		before = append(before, ref)
	}
	if before != nil {
		out["before"] = before
	}
	return out, nil
}

func number(x float64, at string) (float64, error) {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return 0, refuse(at, "%g is not a finite number", x)
	}
	return x, nil
}

func (e *encoder) value(v reflect.Value, at string) (any, error) {
	if names, ok := e.reg.enums[v.Type()]; ok {
		if i := v.Uint(); i < uint64(len(names)) {
			return names[i], nil
		}
		return nil, refuse(at, "the value %d is unknown", v.Uint())
	}
	switch v.Kind() {
	case reflect.Bool:
		return v.Bool(), nil
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return v.Int(), nil
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return v.Uint(), nil
	case reflect.Float32, reflect.Float64:
		return number(v.Float(), at)
	case reflect.String:
		return v.String(), nil
	case reflect.Struct:
		return e.structure(v, at)
	case reflect.Array:
		return e.list(v, at)
	case reflect.Slice:
		switch b := v.Interface().(type) {
		case []byte:
			return e.blob("u8", b, 1), nil
		case []uint32:
			return e.blob("u32", pack(b, func(x uint32) uint32 { return x }), 4), nil
		case []float32:
			for i, x := range b {
				if f := float64(x); math.IsNaN(f) || math.IsInf(f, 0) {
					return nil, refuse(fmt.Sprintf("%s[%d]", at, i), "%g is not a finite number", f)
				}
			}
			return e.blob("f32", pack(b, math.Float32bits), 4), nil
		}
		return e.list(v, at)
	case reflect.Map:
		return e.mapping(v, at)
	case reflect.Pointer:
		if _, ok := e.reg.table(v.Type()); ok {
			return e.reference(v, at)
		}
		return e.value(v.Elem(), at)
	case reflect.Interface:
		return e.dynamic(v, at)
	case reflect.Func:
		if e.looks {
			return "function", nil
		}
		return nil, refuse(at, "it is a Go function, and a document holds data only")
	}
	return nil, refuse(at, "it is a %s", v.Type())
}

func pack[T any](list []T, bits func(T) uint32) []byte {
	out := make([]byte, 0, len(list)*4)
	for _, x := range list {
		out = binary.LittleEndian.AppendUint32(out, bits(x))
	}
	return out
}

// blob puts bulk into data.bin, the same content once.
func (e *encoder) blob(kind string, b []byte, size int) object {
	key := kind + digest(b)
	if o, ok := e.blobs[key]; ok {
		return o
	}
	for len(e.data)%4 != 0 {
		e.data = append(e.data, 0)
	}
	o := object{"file": DataFile, "offset": len(e.data), "count": len(b) / size, "elements": kind}
	e.data = append(e.data, b...)
	e.blobs[key] = o
	return o
}

func (e *encoder) list(v reflect.Value, at string) (any, error) {
	out := make([]any, v.Len())
	for i := range out {
		x, err := e.entry(v.Index(i), fmt.Sprintf("%s[%d]", at, i))
		if err != nil {
			return nil, err
		}
		out[i] = x
	}
	return out, nil
}

// entry is value where nil has a meaning.
func (e *encoder) entry(v reflect.Value, at string) (any, error) {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface, reflect.Slice, reflect.Map, reflect.Func:
		if v.IsNil() {
			return nil, nil
		}
	}
	return e.value(v, at)
}

// mapping is an object where keys are text, and else a list of pairs.
func (e *encoder) mapping(v reflect.Value, at string) (any, error) {
	keys := v.MapKeys()
	if v.Type().Key().Kind() == reflect.String {
		out := object{}
		for _, k := range keys {
			x, err := e.entry(v.MapIndex(k), at+"."+k.String())
			if err != nil {
				return nil, err
			}
			out[k.String()] = x
		}
		return out, nil
	}
	t, ok := e.reg.table(v.Type().Key())
	if !ok {
		return nil, refuse(at, "its keys are %s", v.Type().Key())
	}
	for _, k := range keys {
		if _, ok := e.number[t][k.Interface()]; !ok {
			return nil, refuse(at, "it names one of the %s that is not in the scene", e.reg.tables[t].name)
		}
	}
	sort.Slice(keys, func(i, j int) bool { return e.number[t][keys[i].Interface()] < e.number[t][keys[j].Interface()] })
	out := []any{}
	for i, k := range keys {
		x, err := e.entry(v.MapIndex(k), fmt.Sprintf("%s[%d]", at, i))
		if err != nil {
			return nil, err
		}
		out = append(out, object{"key": e.number[t][k.Interface()], "value": x})
	}
	return out, nil
}

// structure is an object of the fields that are not zero.
func (e *encoder) structure(v reflect.Value, at string) (object, error) {
	out := object{}
	if err := e.fill(out, v, at); err != nil {
		return nil, err
	}
	return out, nil
}

func (e *encoder) fill(out object, v reflect.Value, at string) error {
	t := v.Type()
	for i := range t.NumField() {
		f, x := t.Field(i), v.Field(i)
		if x.IsZero() || f.Tag.Get("hash") == "-" {
			continue
		}
		if f.Anonymous && f.Type.Kind() == reflect.Struct {
			if err := e.fill(out, x, at); err != nil {
				return err
			}
			continue
		}
		if !f.IsExported() {
			return refuse(at, "its field %s of %s is private; declare the type with Pack and Unpack", f.Name, t)
		}
		name := lower(f.Name)
		y, err := e.value(x, at+"."+name)
		if err != nil {
			return err
		}
		out[name] = y
	}
	return nil
}

// reference puts what a pointer points at into its table and returns its number.
func (e *encoder) reference(v reflect.Value, at string) (any, error) {
	t, _ := e.reg.table(v.Type())
	key := v.Interface()
	if n, ok := e.number[t][key]; ok {
		return n, nil
	}
	n := len(e.lists[t])
	e.number[t][key] = n
	e.lists[t] = append(e.lists[t], nil)
	if node, ok := key.(*scenes.Node); ok {
		if in, ok := e.inModel[node]; ok {
			e.lists[t][n] = object{"name": node.Name, "model": in[0], "node": in[1]}
			return n, nil
		}
	}
	place := fmt.Sprintf("%s[%d]", e.reg.tables[t].name, n)
	if f := v.Elem().FieldByName("Name"); f.IsValid() && f.Kind() == reflect.String && f.String() != "" {
		place += fmt.Sprintf(" %q", f.String())
	}
	var out object
	var err error
	if g, ok := key.(*mesh.Geometry); ok {
		out, err = e.geometry(g, place)
	} else if d := e.reg.byType[v.Type()]; d != nil {
		out, err = e.declared(d, v, place)
	} else {
		out, err = e.structure(v.Elem(), place)
	}
	if err != nil {
		return nil, err
	}
	e.lists[t][n] = out
	return n, nil
}

// declared is a value of a declared type with its name.
func (e *encoder) declared(d *Type, v reflect.Value, at string) (object, error) {
	if d.Check != nil {
		if err := d.Check(v.Interface()); err != nil {
			return nil, refuse(at, "%v", err)
		}
	}
	if d.Pack != nil {
		plain, err := d.Pack(v.Interface())
		if err != nil {
			return nil, refuse(at, "%v", err)
		}
		v = reflect.ValueOf(plain)
	}
	out, err := e.structure(v.Elem(), at)
	if err != nil {
		return nil, err
	}
	out["type"] = d.Name
	return out, nil
}

// dynamic is what an interface holds.
func (e *encoder) dynamic(v reflect.Value, at string) (any, error) {
	in := v.Elem()
	if v.NumMethod() == 0 {
		for name, t := range values() {
			if t == in.Type() {
				x, err := e.value(in, at)
				return object{"type": name, "value": x}, err
			}
		}
		return nil, refuse(at, "it holds a %s", in.Type())
	}
	d := e.reg.byType[in.Type()]
	if why, ok := refusals()[in.Type()]; ok && d == nil {
		return nil, refuse(at, "%s", why)
	}
	if d == nil {
		return nil, refuse(at, "it is a %s, which no document has; only the types that are declared can be written", in.Type())
	}
	if in.IsNil() {
		return nil, refuse(at, "it is a nil %s", in.Type())
	}
	if _, ok := e.reg.table(in.Type()); ok {
		return e.reference(in, at)
	}
	return e.declared(d, in, at)
}
