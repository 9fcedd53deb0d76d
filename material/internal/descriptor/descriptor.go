// Package descriptor reads what the files of materials and plugins have in
// common: bounded files, strict JSON, numbers of WGSL types and WGSL in sections.
package descriptor

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"strings"
)

// maxFile bounds the files that are read.
const maxFile = 4 << 20

// Read reads a file that is not absurdly large. What is no regular file is
// refused before it is opened: opening a pipe waits for a writer.
func Read(path string) ([]byte, error) {
	if st, err := os.Stat(path); err != nil {
		return nil, err
	} else if !st.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is not a regular file", path)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err == nil && len(data) > maxFile {
		err = fmt.Errorf("it has more than %d bytes", maxFile)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return data, nil
}

// Decode reads one JSON object into v. Keys that v does not have and whatever
// follows the object are errors; all name the line.
func Decode(data []byte, v any) error {
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	at := func() int { return 1 + bytes.Count(data[:min(int(dec.InputOffset()), len(data))], []byte("\n")) }
	if err := dec.Decode(v); err != nil {
		return fmt.Errorf("line %d: %w", at(), err)
	}
	if dec.More() {
		return fmt.Errorf("line %d: there is more after the descriptor's object", at())
	}
	return nil
}

// Number turns a JSON number or list of numbers into a value of a WGSL type:
// float64 and []float64, int and []int for integers; nil for null.
func Number(v any, typ string) (any, error) {
	list, single := []any(nil), false
	switch x := v.(type) {
	case nil:
		return nil, nil
	case float64:
		list, single = []any{x}, true
	case []any:
		list = x
	default:
		return nil, fmt.Errorf("%v is neither a number nor a list of numbers", v)
	}
	floats, ints := make([]float64, len(list)), []int(nil)
	for i, e := range list {
		n, ok := e.(float64)
		if !ok {
			return nil, fmt.Errorf("%v is no number", e)
		}
		floats[i] = n
		if strings.Contains(typ, "i32") || strings.Contains(typ, "u32") {
			if n != math.Trunc(n) || n < math.MinInt32 || n > math.MaxUint32 || n > math.MaxInt32 && strings.Contains(typ, "i32") || n < 0 && strings.Contains(typ, "u32") {
				return nil, fmt.Errorf("%v is no %s", n, typ)
			}
			ints = append(ints, int(n))
		}
	}
	switch {
	case ints != nil && single:
		return ints[0], nil
	case ints != nil:
		return ints, nil
	case single:
		return floats[0], nil
	}
	return floats, nil
}

// Define is a constant: true or false, a number for f32, or {"i32": 3} and
// {"u32": 3} for integers.
type Define struct{ Value any }

// UnmarshalJSON implements json.Unmarshaler.
func (d *Define) UnmarshalJSON(data []byte) error {
	var v any
	if err := json.Unmarshal(data, &v); err != nil {
		return err
	}
	typed, ok := v.(map[string]any)
	if !ok {
		switch v.(type) {
		case bool, float64:
			d.Value = v
			return nil
		}
		return fmt.Errorf("the define %s is neither true, false nor a number; write {\"i32\": 3} for an integer", data)
	}
	for typ, x := range typed {
		if _, ok := x.(float64); !ok || len(typed) != 1 || typ != "i32" && typ != "u32" && typ != "f32" {
			break
		}
		n, err := Number(x, typ)
		if err != nil {
			return err
		}
		switch d.Value = n; typ {
		case "u32":
			d.Value = uint32(n.(int))
		case "i32":
			d.Value = int32(n.(int))
		}
		return nil
	}
	return fmt.Errorf("the define %s has no type and value; write {\"i32\": 3}, {\"u32\": 3} or {\"f32\": 3}", data)
}

// Values are the constants by name, nil for none.
func Values(defines map[string]Define) map[string]any {
	if defines == nil {
		return nil
	}
	out := make(map[string]any, len(defines))
	for name, d := range defines {
		out[name] = d.Value
	}
	return out
}

// Section is a part of a WGSL file.
type Section struct {
	Name string // what follows //#; empty for what comes before the first
	Line int    // of the line //#
	Text string
}

// Sections splits WGSL at its lines "//# NAME". Lines keep their numbers: each
// section begins with as many empty lines as come before it in the file.
func Sections(src string) ([]Section, error) {
	out := []Section{{}}
	var text strings.Builder
	end := func() {
		out[len(out)-1].Text = text.String()
		text.Reset()
	}
	seen := map[string]bool{}
	for i, line := range strings.Split(strings.ReplaceAll(src, "\r\n", "\n"), "\n") {
		mark, ok := strings.CutPrefix(strings.TrimSpace(line), "//#")
		if !ok {
			text.WriteString(line)
			text.WriteByte('\n')
			continue
		}
		end()
		name := strings.TrimSpace(mark)
		if seen[name] {
			return nil, fmt.Errorf("line %d: %s is there twice", i+1, name)
		}
		seen[name] = true
		out = append(out, Section{Name: name, Line: i + 1})
		text.WriteString(strings.Repeat("\n", i+1))
	}
	end()
	return out, nil
}

// Code reports whether the section has anything but blanks and line comments,
// and in which line of the file.
func (s *Section) Code() (line int, ok bool) {
	for i, l := range strings.Split(s.Text, "\n") {
		if t := strings.TrimSpace(l); t != "" && !strings.HasPrefix(t, "//") {
			return i + 1, true
		}
	}
	return 0, false
}
