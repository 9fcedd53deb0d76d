package export

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"reflect"
	"slices"
	"strconv"

	"darkroom/scenes"
)

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
