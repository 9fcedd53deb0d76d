package export

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io/fs"
	"math"
	"reflect"
	"slices"
	"sort"
	"strconv"
	"strings"

	"darkroom/material"
	"darkroom/scenes"
	"darkroom/scenes/mesh"
	"darkroom/scenes/transmission"
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

func (d *decoder) document(text []byte) (*Picture, error) {
	j := json.NewDecoder(bytes.NewReader(text))
	j.UseNumber()
	var doc object
	if err := j.Decode(&doc); err != nil {
		return nil, err
	}
	if _, err := j.Token(); err == nil {
		return nil, bad("end", "there is more after the document")
	}
	if f := doc["format"]; f != Format {
		return nil, bad("format", "it is %v, want %q", f, Format)
	}
	if v := doc["version"]; v != json.Number(strconv.Itoa(Version)) {
		return nil, bad("version", "%v is unknown; this program reads version %d", v, Version)
	}
	known := []string{"format", "version", "name", "hash", "picture", "scene", "files"}
	for _, t := range d.reg.tables {
		known = append(known, t.name)
	}
	for k := range doc {
		if !slices.Contains(known, k) {
			return nil, bad(k, "the field is unknown")
		}
	}
	if err := d.open(doc["files"]); err != nil {
		return nil, err
	}
	s, ok := doc["scene"].(object)
	if !ok {
		return nil, bad("scene", "it is missing")
	}
	if err := d.loadModels(s["models"]); err != nil {
		return nil, err
	}
	if err := d.allocate(doc); err != nil {
		return nil, err
	}
	for t, tab := range d.reg.tables {
		list, _ := doc[tab.name].([]any)
		for i, v := range list {
			if err := d.entry(d.lists[t][i], v, fmt.Sprintf("%s[%d]", tab.name, i)); err != nil {
				return nil, err
			}
		}
	}
	p := &Picture{Scene: &scenes.Scene{}}
	if err := d.scene(p.Scene, s); err != nil {
		return nil, err
	}
	var size struct {
		Width, Height int
		Time          float64
	}
	if err := d.value(reflect.ValueOf(&size).Elem(), doc["picture"], "picture"); err != nil {
		return nil, err
	}
	p.Width, p.Height, p.Time = size.Width, size.Height, size.Time
	return p, nil
}

// open reads the files and checks that they are whole.
func (d *decoder) open(list any) error {
	d.files = map[string][]byte{}
	if list == nil {
		return nil
	}
	items, ok := list.([]any)
	if !ok {
		return bad("files", "it is no list")
	}
	for i, x := range items {
		at := fmt.Sprintf("files[%d]", i)
		var f struct {
			File   string
			Bytes  int64
			SHA256 string
		}
		if err := d.value(reflect.ValueOf(&f).Elem(), x, at); err != nil {
			return err
		}
		if !fs.ValidPath(f.File) {
			return bad(at, "the name %q leads out of the document's folder", f.File)
		}
		b, err := fs.ReadFile(d.fsys, f.File)
		switch {
		case err != nil:
			return bad(at, "%v", err)
		case int64(len(b)) != f.Bytes:
			return bad(at, "%s has %d bytes, want %d; it was cut off or is of another document", f.File, len(b), f.Bytes)
		case digest(b) != f.SHA256:
			return bad(at, "the content of %s is not the one that was written", f.File)
		}
		d.files[f.File] = b
	}
	return nil
}

// allocate makes an empty value for every entry of the tables, so that entries
// can refer to each other.
func (d *decoder) allocate(doc object) error {
	d.lists = make([][]reflect.Value, len(d.reg.tables))
	for t, tab := range d.reg.tables {
		v, ok := doc[tab.name]
		if !ok {
			continue
		}
		list, ok := v.([]any)
		if !ok {
			return bad(tab.name, "it is no list")
		}
		for i, x := range list {
			at := fmt.Sprintf("%s[%d]", tab.name, i)
			o, ok := x.(object)
			if !ok {
				return bad(at, "it is no object")
			}
			rt := tab.of
			if rt == reflect.TypeFor[*scenes.Node]() && o["model"] != nil {
				n, err := d.modelNode(o, at)
				if err != nil {
					return err
				}
				d.lists[t] = append(d.lists[t], reflect.ValueOf(n))
				continue
			}
			if rt.Kind() == reflect.Interface {
				decl, err := d.declared(o, rt, at)
				if err != nil {
					return err
				}
				rt = reflect.TypeOf(decl.Zero)
			}
			d.lists[t] = append(d.lists[t], reflect.New(rt.Elem()))
		}
	}
	return nil
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

// scene fills s; shadows add their passes themselves.
func (d *decoder) scene(s *scenes.Scene, o object) error {
	rest := object{}
	for k, v := range o {
		if k != "before" && k != "models" {
			rest[k] = v
		}
	}
	if err := d.structure(reflect.ValueOf(s).Elem(), rest, "scene"); err != nil {
		return err
	}
	d.addModels(s)
	features := s.Features
	s.Features = nil
	if o["before"] != nil {
		list, ok := o["before"].([]any)
		if !ok {
			return bad("scene.before", "it is no list")
		}
		for i, x := range list {
			at := fmt.Sprintf("scene.before[%d]", i)
			step, ok := x.(object)
			if !ok {
				return bad(at, "it is no object")
			}
			if step["type"] == "transmission" {
				transmission.Add(s)
				continue
			}
			if step["type"] != "shadow" {
				var task scenes.Task
				if err := d.value(reflect.ValueOf(&task).Elem(), x, at); err != nil {
					return err
				}
				s.Before = append(s.Before, task)
				continue
			}
			var f material.Feature
			if err := d.value(reflect.ValueOf(&f).Elem(), step["shadow"], at+".shadow"); err != nil {
				return err
			}
			caster, ok := f.(interface{ AddTo(*scenes.Scene) error })
			if !ok {
				return bad(at, "the feature that it names casts no shadow")
			}
			if err := caster.AddTo(s); err != nil {
				return bad(at, "%v", err)
			}
		}
	}
	s.Features = append(s.Features, features...)
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

func (d *decoder) slice(v reflect.Value, j any, at string) error {
	switch p := v.Addr().Interface().(type) {
	case *[]byte:
		b, err := d.blob(j, "u8", 1, at)
		*p = b
		return err
	case *[]uint32:
		b, err := d.blob(j, "u32", 4, at)
		*p = unpack(b, func(x uint32) uint32 { return x })
		return err
	case *[]float32:
		b, err := d.blob(j, "f32", 4, at)
		*p = unpack(b, math.Float32frombits)
		for i, x := range *p {
			if f := float64(x); math.IsNaN(f) || math.IsInf(f, 0) {
				return bad(fmt.Sprintf("%s[%d]", at, i), "%g is not a finite number", f)
			}
		}
		return err
	}
	l, ok := j.([]any)
	if !ok {
		return bad(at, "it is %v, want a list", brief(j))
	}
	v.Set(reflect.MakeSlice(v.Type(), len(l), len(l)))
	for i, x := range l {
		if err := d.item(v.Index(i), x, fmt.Sprintf("%s[%d]", at, i)); err != nil {
			return err
		}
	}
	return nil
}

func unpack[T any](b []byte, of func(uint32) T) []T {
	out := make([]T, len(b)/4)
	for i := range out {
		out[i] = of(binary.LittleEndian.Uint32(b[i*4:]))
	}
	return out
}

// blob is a copy of a part of a file.
func (d *decoder) blob(j any, kind string, size int64, at string) ([]byte, error) {
	var b struct {
		File          string
		Offset, Count int64
		Elements      string
	}
	if err := d.value(reflect.ValueOf(&b).Elem(), j, at); err != nil {
		return nil, err
	}
	f, ok := d.files[b.File]
	switch {
	case b.Elements != kind:
		return nil, bad(at, "its elements are %q, want %q", b.Elements, kind)
	case !ok:
		return nil, bad(at, "the file %q is not in the list of files", b.File)
	case b.Offset < 0 || b.Count < 0 || b.Offset > int64(len(f)) || b.Count > (int64(len(f))-b.Offset)/size:
		return nil, bad(at, "%d elements of %d bytes from byte %d do not fit into %s, which has %d bytes", b.Count, size, b.Offset, b.File, len(f))
	}
	return bytes.Clone(f[b.Offset : b.Offset+b.Count*size]), nil
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
