package minimise

import (
	"bytes"
	"fmt"
	"go/format"
	"math"
	"path"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"darkroom/material/effect"
	"darkroom/scenes"
)

// SourceOptions say what the source is for.
type SourceOptions struct {
	Package, Function string
	// Width and Height of the picture in pixels and its Time in seconds, for
	// values that are computed from them.
	Width, Height int
	Time          float64
}

// Source writes a scene as a Go function that builds it. What has a builder or
// a constructor is made by it; what is computed from the frame alone becomes a
// table. What has no form as data (other functions, and fields that are private
// to their package) is left out and listed in a comment and in lost; a scene
// that needs it does not draw alike.
func Source(s *scenes.Scene, o SourceOptions) (src []byte, lost []string, err error) {
	w := &sourceWriter{
		o: o, scene: s, passes: map[*effect.Effect]*scenes.EffectPass{},
		imports: map[string]string{"darkroom/scenes": "scenes"}, vars: map[uintptr]string{}, lost: map[string]bool{},
	}
	for _, list := range [][]scenes.Task{s.Before, s.Graph} {
		for _, t := range list {
			if p, ok := t.(*scenes.EffectPass); ok {
				if e, ok := p.Material.(*effect.Effect); ok {
					w.passes[e] = p
				}
			}
		}
	}
	root := w.pointer(reflect.ValueOf(s), "scene")
	w.ahead(root)
	var b bytes.Buffer
	lost = sorted(w.lost)
	fmt.Fprintf(&b, "package %s\n\nimport (\n", o.Package)
	for _, p := range sorted(w.imports) {
		fmt.Fprintf(&b, "%q\n", p)
	}
	fmt.Fprintf(&b, ")\n\n// %s builds the scene %q, cut down to what differs.\n", o.Function, s.Name)
	for _, l := range lost {
		fmt.Fprintf(&b, "// Left out: %s.\n", l)
	}
	fmt.Fprintf(&b, "func %s() (*scenes.Scene, error) {\n", o.Function)
	b.Write(w.body.Bytes())
	fmt.Fprintf(&b, "return %s, nil\n}\n", root)
	src, err = format.Source(b.Bytes())
	if err != nil {
		return nil, lost, fmt.Errorf("scene %s: its source is no Go: %w", s.Name, err)
	}
	return src, lost, nil
}

func sorted[V any](m map[string]V) []string {
	out := make([]string, 0, len(m))
	for k := range m {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}

type sourceWriter struct {
	o       SourceOptions
	scene   *scenes.Scene
	passes  map[*effect.Effect]*scenes.EffectPass
	body    bytes.Buffer
	imports map[string]string
	vars    map[uintptr]string
	lost    map[string]bool
	n       int
}

// typ spells a type and imports its package.
func (w *sourceWriter) typ(t reflect.Type) string {
	switch {
	case t.PkgPath() != "":
		w.imports[t.PkgPath()] = path.Base(t.PkgPath())
		return t.String()
	case t.Kind() == reflect.Pointer:
		return "*" + w.typ(t.Elem())
	case t.Kind() == reflect.Slice:
		return "[]" + w.typ(t.Elem())
	case t.Kind() == reflect.Array:
		return fmt.Sprintf("[%d]%s", t.Len(), w.typ(t.Elem()))
	case t.Kind() == reflect.Map:
		return "map[" + w.typ(t.Key()) + "]" + w.typ(t.Elem())
	}
	return t.String()
}

// pointer writes what v points to as a variable, once, and returns its name.
func (w *sourceWriter) pointer(v reflect.Value, where string) string {
	if name, ok := w.vars[v.Pointer()]; ok && v.Elem().Kind() == reflect.Struct {
		return name
	}
	if name, ok := w.recipe(v, where); ok {
		return name
	}
	name := w.name()
	w.vars[v.Pointer()] = name
	t := w.typ(v.Type().Elem())
	if v.Elem().Kind() != reflect.Struct {
		fmt.Fprintf(&w.body, "%s := new(%s)\n*%s = %s\n", name, t, name, w.value(v.Elem(), where))
		return name
	}
	// Fields are assigned one by one, so that cycles are no trouble.
	fmt.Fprintf(&w.body, "%s := &%s{}\n", name, t)
	w.fields(v.Elem(), name, where)
	return name
}

// name is a new variable's.
func (w *sourceWriter) name() string {
	w.n++
	return fmt.Sprintf("x%d", w.n)
}

func (w *sourceWriter) fields(v reflect.Value, name, where string) {
	for i := range v.NumField() {
		f, t := v.Field(i), v.Type().Field(i)
		if f.IsZero() || w.special(v, t.Name, name, where) {
			continue
		}
		at := where + "." + t.Name
		if !t.IsExported() {
			w.lost[at+" (private)"] = true
			continue
		}
		if code := w.value(f, at); code != "" {
			fmt.Fprintf(&w.body, "%s.%s = %s\n", name, t.Name, code)
		}
	}
}

// value is an expression for v; empty where it has none.
func (w *sourceWriter) value(v reflect.Value, where string) string {
	named := v.Type().PkgPath() != ""
	conv := func(code string) string {
		if named {
			return w.typ(v.Type()) + "(" + code + ")"
		}
		return code
	}
	switch v.Kind() {
	case reflect.Bool:
		return conv(strconv.FormatBool(v.Bool()))
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return conv(strconv.FormatInt(v.Int(), 10))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return conv(strconv.FormatUint(v.Uint(), 10))
	case reflect.Float32, reflect.Float64:
		return conv(w.float(v.Float(), v.Type().Bits()))
	case reflect.String:
		return conv(strconv.Quote(v.String()))
	case reflect.Pointer:
		if v.IsNil() {
			return "nil"
		}
		return w.pointer(v, where)
	case reflect.Interface:
		if v.IsNil() {
			return "nil"
		}
		if v.Elem().Kind() == reflect.Func {
			w.lost[where+" (a function)"] = true
			return ""
		}
		e := w.value(v.Elem(), where)
		if v.Elem().Kind() != reflect.Pointer && v.Elem().Type().PkgPath() == "" && v.Elem().Kind() != reflect.Slice && v.Elem().Kind() != reflect.Array {
			return v.Elem().Type().String() + "(" + e + ")"
		}
		return e
	case reflect.Slice:
		if v.IsNil() {
			return "nil"
		}
		if v.Type().Elem().Kind() == reflect.Uint8 && !named {
			return w.typ(v.Type()) + "(" + quote(v.Bytes()) + ")"
		}
		return w.list(v, where)
	case reflect.Array:
		return w.list(v, where)
	case reflect.Struct:
		// A nested value becomes a variable of its own where it has pointers to write.
		name := w.name()
		fmt.Fprintf(&w.body, "var %s %s\n", name, w.typ(v.Type()))
		w.fields(v, name, where)
		return name
	case reflect.Map:
		var b strings.Builder
		keys := v.MapKeys()
		slices.SortFunc(keys, func(a, b reflect.Value) int { return strings.Compare(fmt.Sprint(a), fmt.Sprint(b)) })
		for _, k := range keys {
			if e := w.value(v.MapIndex(k), where); e != "" {
				fmt.Fprintf(&b, "%s: %s,\n", w.value(k, where), e)
			}
		}
		return w.typ(v.Type()) + "{" + b.String() + "}"
	}
	w.lost[where+" (a "+v.Kind().String()+")"] = true
	return ""
}

// quote spells bytes as a string literal: strconv would take bytes beyond ASCII
// for UTF-8.
func quote(data []byte) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, c := range data {
		switch {
		case c == '"' || c == '\\':
			b.WriteByte('\\')
			b.WriteByte(c)
		case c >= 0x20 && c < 0x7f:
			b.WriteByte(c)
		default:
			fmt.Fprintf(&b, "\\x%02x", c)
		}
	}
	b.WriteByte('"')
	return b.String()
}

func (w *sourceWriter) float(f float64, bits int) string {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		w.imports["math"] = "math"
		code := fmt.Sprintf("math.Inf(%d)", int(math.Copysign(1, f)))
		if math.IsNaN(f) {
			code = "math.NaN()"
		}
		if bits == 32 {
			code = "float32(" + code + ")"
		}
		return code
	}
	return strconv.FormatFloat(f, 'g', -1, bits)
}

func (w *sourceWriter) list(v reflect.Value, where string) string {
	var b strings.Builder
	b.WriteString(w.typ(v.Type()) + "{")
	for i := range v.Len() {
		e := w.value(v.Index(i), where)
		if e == "" {
			e = "nil"
		}
		b.WriteString(e + ", ")
		if i%16 == 15 {
			b.WriteString("\n")
		}
	}
	return b.String() + "}"
}
