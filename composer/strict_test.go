package composer

import "testing"

func TestRequiredFragmentsThatDifferInBuiltins(t *testing.T) {
	a := &Fragment{ID: "a", Requires: []*Fragment{{ID: "r", FragmentBuiltins: []Builtin{{"face", "front_facing", "bool"}}}}}
	b := &Fragment{ID: "b", Requires: []*Fragment{{ID: "r"}}}
	_, err := Compose(bareTemplate(), []*Fragment{a, b}, Options{})
	wantError(t, err, ErrDuplicate, `"r"`)
}

func TestBufferNamesAreUnique(t *testing.T) {
	own := &Fragment{ID: "own", Attributes: []Attribute{{Name: "tint", Type: "vec4f"}}}
	group := &Fragment{ID: "group", Attributes: []Attribute{{Name: "row", Type: "vec4f", Buffer: "tint"}}}
	for _, list := range [][]*Fragment{{own, group}, {group, own}} {
		tm := litTemplate()
		tm.KeepOrder = true
		_, err := Compose(tm, list, Options{})
		wantError(t, err, ErrConflict, `"tint"`, `"own"`, `"group"`)
	}
}

func TestNegativeLimits(t *testing.T) {
	l := Limits{VertexAttributes: -1}
	_, err := Compose(litTemplate(), nil, Options{Limits: l})
	wantError(t, err, ErrLimit, "VertexAttributes")
	wantError(t, ValidateBuffers(nil, l), ErrLimit, "VertexAttributes")
	wantError(t, ValidateState(nil, State{}, l), ErrLimit, "VertexAttributes")
}

// Limits beyond any device are no more than limits.
func TestLimitsBeyondAnyDevice(t *testing.T) {
	l := Limits{VertexAttributes: 1 << 50, VertexBuffers: 1 << 50, ColorAttachments: 1 << 50}
	sh, err := Compose(litTemplate(), catalogue(), Options{Limits: l})
	if err != nil {
		t.Fatal(err)
	}
	if err := ValidateBuffers(sh.Buffers, l); err != nil {
		t.Error(err)
	}
}

// Constants that have a place of their own need no other.
func TestConstantsAtTheirMarker(t *testing.T) {
	tm := &Template{ID: "t", Vertex: "/*CO*/\n@vertex fn vs() -> @builtin(position) vec4<f32> { return vec4<f32>(N); }"}
	sh := mustCompose(t, tm, &Fragment{ID: "f", Constants: []Constant{{"N", "f32", 1}}})
	wantOrder(t, sh.VertexWGSL, "const N: f32 = 1f;\n@vertex")
}

// A template may return its outputs by itself, and say so or not.
func TestTemplateOwnOutputs(t *testing.T) {
	tm := func(outputs ...Output) *Template {
		return &Template{
			ID: "post", Vertex: "@vertex fn vs() -> @builtin(position) vec4<f32> { return vec4<f32>(0.0); }\n",
			Fragment: "@fragment fn fs() -> @location(0) vec4<f32> {\n  return vec4<f32>(1.0);\n}\n", Outputs: outputs,
		}
	}
	state := State{Targets: []ColorTarget{{Format: RGBA8Unorm}}}
	sh := mustCompose(t, tm())
	if !sh.OwnOutputs || len(sh.Outputs) != 0 {
		t.Errorf("undeclared: %v, %v", sh.OwnOutputs, sh.Outputs)
	}
	if err := ValidateState(sh, state, Limits{}); err != nil {
		t.Errorf("undeclared: %v", err)
	}
	color := Output{"color", "vec4<f32>"}
	sh = mustCompose(t, tm(color))
	if sh.OwnOutputs || len(sh.Outputs) != 1 || sh.Outputs[0] != color {
		t.Errorf("declared: %v, %v", sh.OwnOutputs, sh.Outputs)
	}
	state.Targets[0].Format = RGBA8Uint
	wantError(t, ValidateState(sh, state, Limits{}), ErrState, `"color"`)
	_, err := Compose(tm(color), nil, Options{OutputLocations: map[string]int{"color": 1}})
	wantError(t, err, ErrSlot, `"color"`, "FO")
	_, err = Compose(tm(color), []*Fragment{{ID: "more", Outputs: []Output{{"depth", "f32"}}}}, Options{})
	wantError(t, err, ErrSlot, `"depth"`, `"more"`)
}
