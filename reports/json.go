package reports

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"

	"darkroom/parity/verdict"
	"darkroom/scenes/files"
)

//go:embed schema/run.schema.json
var runSchema []byte

// Schema is the JSON schema (draft 2020-12) of the document.
func Schema() []byte { return bytes.Clone(runSchema) }

// WriteJSON writes the document of a run, whole or not at all. Results come in order of their names.
func WriteJSON(path string, r *verdict.Run) error {
	b, err := EncodeJSON(r)
	if err != nil {
		return err
	}
	return files.Write(path, b)
}

// EncodeJSON is the document as bytes.
func EncodeJSON(r *verdict.Run) ([]byte, error) {
	out := *r
	out.Schema = verdict.Schema
	out.Results = append([]verdict.Result{}, r.Results...) // [] and not null where there are none
	out.Sort()
	b, err := json.MarshalIndent(&out, "", " ")
	if err != nil {
		return nil, fmt.Errorf("report: %w", err)
	}
	return append(b, '\n'), nil
}

// maxDocument bounds what ReadJSON takes on.
const maxDocument = 1 << 30

// ReadJSON reads a document.
func ReadJSON(path string) (*verdict.Run, error) {
	b, err := files.Read(path, maxDocument)
	if err != nil {
		return nil, fmt.Errorf("report: %w", err)
	}
	r, err := DecodeJSON(b)
	if err != nil {
		return nil, fmt.Errorf("report: %s: %w", path, err)
	}
	return r, nil
}

// DecodeJSON reads a document from bytes. Fields that this version does not know are passed over; a newer schema is an error.
func DecodeJSON(b []byte) (*verdict.Run, error) {
	var r verdict.Run
	if err := json.Unmarshal(b, &r); err != nil {
		return nil, err
	}
	if r.Schema < 1 || r.Schema > verdict.Schema {
		return nil, fmt.Errorf("the document has schema %d; this program reads 1 to %d", r.Schema, verdict.Schema)
	}
	for i := range r.Results {
		if x := &r.Results[i]; x.Scene == "" || x.Verdict == verdict.Unset {
			return nil, fmt.Errorf("result %d has no scene or no verdict", i)
		}
	}
	return &r, nil
}
