package export_test

import (
	"bytes"
	"encoding/json"
	"os"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"darkroom/scenes/export"
)

// The committed schema is the one that the types give. After a change of the
// types: UPDATE_SCHEMA=1 go test ./scenes/export
func TestSchemaIsCommitted(t *testing.T) {
	want, err := export.Schema()
	if err != nil {
		t.Fatal(err)
	}
	want = append(want, '\n')
	if os.Getenv("UPDATE_SCHEMA") != "" {
		if err := os.WriteFile(export.SchemaFile, want, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(export.SchemaFile)
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("%s is not what the types give (%v); run UPDATE_SCHEMA=1 go test ./scenes/export", export.SchemaFile, err)
	}
}

// validator compiles the schema.
func validator(t *testing.T) func(doc []byte) error {
	t.Helper()
	text, err := export.Schema()
	if err != nil {
		t.Fatal(err)
	}
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("scene.json", v); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("scene.json")
	if err != nil {
		t.Fatal(err)
	}
	return func(doc []byte) error {
		d, err := jsonschema.UnmarshalJSON(bytes.NewReader(doc))
		if err != nil {
			return err
		}
		return s.Validate(d)
	}
}

func TestSchemaRefuses(t *testing.T) {
	check := validator(t)
	good := map[string]any{"format": export.Format, "version": 1, "name": "x", "picture": map[string]any{"width": 1, "height": 1, "time": 0}, "scene": map[string]any{}}
	try := func(key string, v any) error {
		doc := map[string]any{}
		for k, x := range good {
			doc[k] = x
		}
		doc[key] = v
		text, err := json.Marshal(doc)
		if err != nil {
			t.Fatal(err)
		}
		return check(text)
	}
	if err := try("name", "x"); err != nil {
		t.Fatal(err)
	}
	for key, v := range map[string]any{
		"version": 2, "format": "another", "extra": 1, "scene": map[string]any{"clear": []int{1}},
		"materials": []any{map[string]any{"type": "standard", "shine": 1}}, "nodes": []any{map[string]any{"position": "here"}},
		"lights": []any{map[string]any{"kind": "sun"}},
	} {
		if try(key, v) == nil {
			t.Errorf("%s %v was taken", key, v)
		}
	}
}
