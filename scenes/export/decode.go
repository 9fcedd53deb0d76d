package export

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"reflect"
	"slices"
	"sort"
	"strconv"
	"strings"

	"darkroom/scenes"
	"darkroom/scenes/mesh"
)

// decoder turns a document back into a scene.
type decoder struct {
	reg    *registry
	fsys   fs.FS
	files  map[string][]byte
	lists  [][]reflect.Value
	models []*model
}

func bad(at, format string, args ...any) error {
	return fmt.Errorf("%s: %s", at, fmt.Sprintf(format, args...))
}

// declared is the declaration of an object's type, which must implement the interface.
func (d *decoder) declared(o object, in reflect.Type, at string) (*Type, error) {
	name, _ := o["type"].(string)
	decl := d.reg.byName[name]
	if decl == nil || !reflect.TypeOf(decl.Zero).Implements(in) {
		var can []string
		for _, t := range d.reg.types {
			if reflect.TypeOf(t.Zero).Implements(in) {
				can = append(can, t.Name)
			}
		}
		return nil, bad(at+".type", "%q is unknown here; want one of %s", name, strings.Join(can, ", "))
	}
	return decl, nil
}

// entry fills an entry of a table.
func (d *decoder) entry(p reflect.Value, v any, at string) error {
	o := v.(object)
	switch p := p.Interface().(type) {
	case *mesh.Geometry:
		return d.geometry(p, o, at)
	case *scenes.Node:
		if o["model"] != nil {
			return nil
		}
	}
	if decl := d.reg.byType[p.Type()]; decl != nil {
		return d.fill(decl, p, o, at)
	}
	return d.structure(p.Elem(), o, at)
}

// fill sets what p points at from an object of a declared type.
func (d *decoder) fill(decl *Type, p reflect.Value, o object, at string) error {
	rest := object{}
	for k, v := range o {
		if k != "type" {
			rest[k] = v
		}
	}
	if decl.Unpack == nil {
		if err := d.structure(p.Elem(), rest, at); err != nil {
			return err
		}
	} else {
		plain := reflect.New(reflect.TypeOf(decl.Plain).Elem())
		if err := d.structure(plain.Elem(), rest, at); err != nil {
			return err
		}
		v, err := decl.Unpack(plain.Interface())
		if err != nil {
			return bad(at, "%v", err)
		}
		p.Elem().Set(reflect.ValueOf(v).Elem())
	}
	if decl.Check != nil {
		if err := decl.Check(p.Interface()); err != nil {
			return bad(at, "%v", err)
		}
	}
	return nil
}

func (d *decoder) structure(v reflect.Value, o object, at string) error {
	known := map[string]field{}
	for _, f := range fields(v.Type()) {
		known[f.name] = f
	}
	// In order, so that of several mistakes always the same is reported.
	keys := make([]string, 0, len(o))
	for k := range o {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	for _, k := range keys {
		f, ok := known[k]
		if !ok {
			return bad(at+"."+k, "the field is unknown")
		}
		if err := d.value(v.FieldByIndex(f.index), o[k], at+"."+k); err != nil {
			return err
		}
	}
	return nil
}

func (d *decoder) value(v reflect.Value, j any, at string) error {
	if names, ok := d.reg.enums[v.Type()]; ok {
		s, _ := j.(string)
		i := slices.Index(names, s)
		if i < 0 {
			return bad(at, "it is %v, want one of %s", j, strings.Join(names, ", "))
		}
		v.SetUint(uint64(i))
		return nil
	}
	switch v.Kind() {
	case reflect.Bool:
		b, ok := j.(bool)
		if !ok {
			return bad(at, "it is %v, want true or false", brief(j))
		}
		v.SetBool(b)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		n, ok := j.(json.Number)
		i, err := strconv.ParseInt(string(n), 10, v.Type().Bits())
		if !ok || err != nil {
			return bad(at, "it is %v, want a whole number of %d bits", brief(j), v.Type().Bits())
		}
		v.SetInt(i)
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		n, ok := j.(json.Number)
		i, err := strconv.ParseUint(string(n), 10, v.Type().Bits())
		if !ok || err != nil {
			return bad(at, "it is %v, want a whole number from 0 of %d bits", brief(j), v.Type().Bits())
		}
		v.SetUint(i)
	case reflect.Float32, reflect.Float64:
		n, ok := j.(json.Number)
		x, err := strconv.ParseFloat(string(n), v.Type().Bits())
		if !ok || err != nil {
			return bad(at, "it is %v, want a finite number", brief(j))
		}
		v.SetFloat(x)
	case reflect.String:
		s, ok := j.(string)
		if !ok {
			return bad(at, "it is %v, want text", brief(j))
		}
		v.SetString(s)
	case reflect.Struct:
		o, ok := j.(object)
		if !ok {
			return bad(at, "it is %v, want an object", brief(j))
		}
		return d.structure(v, o, at)
	case reflect.Array:
		l, ok := j.([]any)
		if !ok || len(l) != v.Len() {
			return bad(at, "it is %v, want a list of %d", brief(j), v.Len())
		}
		for i, x := range l {
			if err := d.item(v.Index(i), x, fmt.Sprintf("%s[%d]", at, i)); err != nil {
				return err
			}
		}
	case reflect.Slice:
		return d.slice(v, j, at)
	case reflect.Map:
		return d.mapping(v, j, at)
	case reflect.Pointer:
		if t, ok := d.reg.table(v.Type()); ok {
			return d.reference(v, t, j, at)
		}
		p := reflect.New(v.Type().Elem())
		if err := d.value(p.Elem(), j, at); err != nil {
			return err
		}
		v.Set(p)
	case reflect.Interface:
		return d.dynamic(v, j, at)
	default:
		return bad(at, "a document holds no %s", v.Type())
	}
	return nil
}

// brief is a value in a message.
func brief(j any) string {
	switch x := j.(type) {
	case nil:
		return "missing"
	case object:
		return "an object"
	case []any:
		return fmt.Sprintf("a list of %d", len(x))
	case string:
		return strconv.Quote(x[:min(len(x), 40)])
	}
	return fmt.Sprint(j)
}

// item is value where null stands for nil.
func (d *decoder) item(v reflect.Value, j any, at string) error {
	if j == nil {
		switch v.Kind() {
		case reflect.Pointer, reflect.Interface, reflect.Slice, reflect.Map:
			return nil
		}
	}
	return d.value(v, j, at)
}

func (d *decoder) mapping(v reflect.Value, j any, at string) error {
	m := reflect.MakeMap(v.Type())
	put := func(k reflect.Value, x any, at string) error {
		e := reflect.New(v.Type().Elem()).Elem()
		if err := d.item(e, x, at); err != nil {
			return err
		}
		m.SetMapIndex(k, e)
		return nil
	}
	if v.Type().Key().Kind() == reflect.String {
		o, ok := j.(object)
		if !ok {
			return bad(at, "it is %v, want an object", brief(j))
		}
		for k, x := range o {
			if err := put(reflect.ValueOf(k).Convert(v.Type().Key()), x, at+"."+k); err != nil {
				return err
			}
		}
		v.Set(m)
		return nil
	}
	l, ok := j.([]any)
	if !ok {
		return bad(at, "it is %v, want a list of pairs", brief(j))
	}
	for i, x := range l {
		at := fmt.Sprintf("%s[%d]", at, i)
		pair, ok := x.(object)
		if !ok {
			return bad(at, "it is no object")
		}
		k := reflect.New(v.Type().Key()).Elem()
		if err := d.value(k, pair["key"], at+".key"); err != nil {
			return err
		}
		if err := put(k, pair["value"], at+".value"); err != nil {
			return err
		}
	}
	v.Set(m)
	return nil
}

func (d *decoder) reference(v reflect.Value, t int, j any, at string) error {
	n, ok := j.(json.Number)
	i, err := strconv.Atoi(string(n))
	if !ok || err != nil || i < 0 || i >= len(d.lists[t]) {
		return bad(at, "it is %v, want the number of one of the %d %s", brief(j), len(d.lists[t]), d.reg.tables[t].name)
	}
	p := d.lists[t][i]
	if !p.Type().AssignableTo(v.Type()) {
		return bad(at, "%s[%d] is a %s, want a %s", d.reg.tables[t].name, i, p.Type(), v.Type())
	}
	v.Set(p)
	return nil
}

func (d *decoder) dynamic(v reflect.Value, j any, at string) error {
	for t, tab := range d.reg.tables {
		if tab.of == v.Type() {
			return d.reference(v, t, j, at)
		}
	}
	o, ok := j.(object)
	if !ok {
		return bad(at, "it is %v, want an object", brief(j))
	}
	if v.NumMethod() == 0 {
		name, _ := o["type"].(string)
		t, ok := values()[name]
		if !ok {
			return bad(at+".type", "%q is unknown", name)
		}
		x := reflect.New(t).Elem()
		if err := d.value(x, o["value"], at+".value"); err != nil {
			return err
		}
		v.Set(x)
		return nil
	}
	decl, err := d.declared(o, v.Type(), at)
	if err != nil {
		return err
	}
	p := reflect.New(reflect.TypeOf(decl.Zero).Elem())
	if err := d.fill(decl, p, o, at); err != nil {
		return err
	}
	v.Set(p)
	return nil
}
