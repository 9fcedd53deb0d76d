// Package explain finds the pass in which two renderings of a scene part. Each
// side is drawn with every intermediate target kept (shadow maps, render
// targets, post-processes) and with extra targets in which the shading shows
// its parts: normals, albedo, direct light, ambient light, and the colour before
// image processing. The targets of both sides are compared in the order in
// which they were drawn; the first that differs is where the fault is, for all
// that it was drawn from is equal.
package explain

// Kind says what a stage is.
type Kind string

// Kinds of stages, in the order in which they come.
const (
	Input  Kind = "input"  // a texture that the scene brings
	Target Kind = "target" // what a pass of the scene left in a target
	Part   Kind = "part"   // a part of the shading of a pass
)

// Stage is a target as a pass left it.
type Stage struct {
	Name   string `json:"name"` // unique in its trace
	Kind   Kind   `json:"kind"`
	Task   string `json:"task,omitempty"`
	Target string `json:"target"`
	// Part is normals, albedo, direct, ambient or linear, of a Part.
	Part          string `json:"part,omitempty"`
	Width, Height int
	Format        string `json:"format,omitempty"`
	// Hash is the SHA-256 of the bytes, Chain that of this hash and the chain of
	// the stage before: two traces with one chain agree up to here.
	Hash  string `json:"hash"`
	Chain string `json:"chain"`
	// File has the bytes: tight rows, top row first; relative to the trace's folder.
	File string `json:"file,omitempty"`
}

// Trace is a rendering with everything on the way to it.
type Trace struct {
	Version int     `json:"version"`
	Scene   string  `json:"scene"`
	Side    string  `json:"side"` // adapter, revision or golden
	Stages  []Stage `json:"stages"`
	// Notes say what could not be shown.
	Notes []string `json:"notes,omitempty"`

	dir string
}

const traceVersion = 1
