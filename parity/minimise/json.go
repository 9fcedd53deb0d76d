package minimise

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math"
	"reflect"

	"darkroom/scenes"
)

// JSON writes a scene as a JSON document: every value by its Go field name, what
// interfaces hold with its type, what is pointed to twice once with an "$id" and
// then as a "$ref", bytes in base64.
func JSON(s *scenes.Scene) ([]byte, error) {
	w := &jsonWriter{ids: map[uintptr]int{}}
	b, err := json.MarshalIndent(w.value(reflect.ValueOf(s)), "", " ")
	if err != nil {
		return nil, fmt.Errorf("scene %s: %w", s.Name, err)
	}
	return append(b, '\n'), nil
}

type jsonWriter struct{ ids map[uintptr]int }

func (w *jsonWriter) value(v reflect.Value) any {
	switch v.Kind() {
	case reflect.Bool:
		return v.Bool()
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return v.Int()
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return v.Uint()
	case reflect.Float32, reflect.Float64:
		if f := v.Float(); math.IsNaN(f) || math.IsInf(f, 0) {
			return fmt.Sprint(f)
		}
		return v.Float()
	case reflect.String:
		return v.String()
	case reflect.Pointer:
		if v.IsNil() {
			return nil
		}
		if v.Elem().Kind() != reflect.Struct {
			return w.value(v.Elem())
		}
		if id, ok := w.ids[v.Pointer()]; ok {
			return map[string]any{"$ref": id}
		}
		id := len(w.ids) + 1
		w.ids[v.Pointer()] = id
		m := w.fields(v.Elem())
		m["$id"] = id
		return m
	case reflect.Interface:
		if v.IsNil() {
			return nil
		}
		x := w.value(v.Elem())
		if m, ok := x.(map[string]any); ok {
			m["$type"] = v.Elem().Type().String()
		}
		return x
	case reflect.Slice, reflect.Array:
		if v.Kind() == reflect.Slice && v.Type().Elem().Kind() == reflect.Uint8 {
			return base64.StdEncoding.EncodeToString(v.Bytes())
		}
		out := make([]any, v.Len())
		for i := range out {
			out[i] = w.value(v.Index(i))
		}
		return out
	case reflect.Struct:
		return w.fields(v)
	case reflect.Map:
		out := map[string]any{}
		for it := v.MapRange(); it.Next(); {
			out[fmt.Sprint(it.Key())] = w.value(it.Value())
		}
		return out
	}
	return "(" + v.Kind().String() + ")"
}

func (w *jsonWriter) fields(v reflect.Value) map[string]any {
	m := map[string]any{}
	for i := range v.NumField() {
		if f, t := v.Field(i), v.Type().Field(i); t.IsExported() && !f.IsZero() {
			m[t.Name] = w.value(f)
		}
	}
	return m
}
