package shader

import (
	"errors"
	"strings"
	"testing"

	"darkroom/composer"
	"darkroom/material"
	"darkroom/material/instances"
	"darkroom/material/morph"
	"darkroom/material/skin"
)

func TestInstances(t *testing.T) {
	o := base()
	o.Attributes = []string{"position", "color"}
	o.System = []System{World}
	o.InstanceWorld, o.FinalColor = true, true
	noColors := o
	noColors.NoInstanceColors = true
	plain := base()
	for _, x := range []struct {
		name     string
		o        Options
		feature  *instances.Thin
		want, no []string
	}{
		{"not instanced", o, nil, []string{"var finalWorld = shaderSystem.world;", "return finalWorld;", "return input.color;"}, []string{"world0"}},
		{"matrices", o, thin(false), []string{"@location(2) world0: vec4<f32>,", "@location(5) world3: vec4<f32>,", "finalWorld = finalWorld * mat4x4<f32>(input.world0", "return input.color;"}, []string{"instanceColor"}},
		{"matrices and colours", o, thin(true), []string{"@location(5) world3: vec4<f32>,", "@location(6) instanceColor: vec4<f32>,", "return input.color * input.instanceColor;"}, nil},
		{"colours not wanted", noColors, thin(true), []string{"@location(5) world3: vec4<f32>,", "return input.color;"}, []string{"instanceColor"}},
		{"no helper asked for", plain, thin(true), []string{"@location(1) world0: vec4<f32>,", "@location(5) instanceColor: vec4<f32>,", "fn mainVertex"}, []string{"getFinal"}},
	} {
		t.Run(x.name, func(t *testing.T) {
			var features []material.Feature
			if x.feature != nil {
				features = append(features, x.feature)
			}
			sh, err := compose(mustNew(t, x.o), streams("position", "color"), features...)
			if err != nil {
				t.Fatal(err)
			}
			inOrder(t, sh.VertexWGSL, x.want...)
			for _, no := range x.no {
				if strings.Contains(sh.VertexWGSL, no) {
					t.Errorf("the vertex stage has %q:\n%s", no, sh.VertexWGSL)
				}
			}
		})
	}
}

// The four values of getFinalColor.
func TestFinalColor(t *testing.T) {
	for _, x := range []struct {
		attribute, instance bool
		want                string
	}{
		{false, false, "return vec4<f32>(1.0);"}, {true, false, "return input.color;"},
		{false, true, "return input.instanceColor;"}, {true, true, "return input.color * input.instanceColor;"},
	} {
		o := base()
		o.FinalColor = true
		if x.attribute {
			o.Attributes = append(o.Attributes, "color")
		}
		sh, err := compose(mustNew(t, o), streams("position"), thin(x.instance))
		if err != nil {
			t.Fatal(err)
		}
		inOrder(t, sh.VertexWGSL, x.want)
	}
}

// A skin goes into getFinalWorld too; what the material cannot follow is an
// error that names it.
func TestSkinAndMorph(t *testing.T) {
	o := base()
	o.System, o.InstanceWorld = []System{World}, true
	m := mustNew(t, o)
	sh, err := compose(m, streams("position", "joints", "weights"), skin.New("bones", 2))
	if err != nil {
		t.Fatal(err)
	}
	inOrder(t, sh.VertexWGSL, "fn getFinalWorld", "jointMatrices[input.joints.x]", "fn mainVertex")
	shape, err := morph.New(1, []morph.Target{{Name: "a", Positions: make([]float32, 3)}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err = compose(m, streams("position"), shape); !errors.Is(err, composer.ErrSlot) || !strings.Contains(err.Error(), "morph") || !strings.Contains(err.Error(), "FinalInput") {
		t.Errorf("morph targets without their helper: %v", err)
	}
	o.FinalInput = true
	if sh, err = compose(mustNew(t, o), streams("position"), shape); err != nil {
		t.Fatal(err)
	}
	inOrder(t, sh.VertexWGSL, "@builtin(vertex_index) vertexIndex: u32,", "fn getFinalInput(input: VertexInput) -> VertexInput", "positionLocal += ", "finalInput.position = positionLocal;", "fn mainVertex")
}

// Streams that the mesh lacks read zeros, a colour that is multiplied white.
func TestMissingStreams(t *testing.T) {
	o := base()
	o.Attributes = []string{"position", "uv2", "color", "joints"}
	o.Formats = map[string]composer.VertexFormat{"color": composer.Unorm8x4}
	m := mustNew(t, o)
	sh, err := compose(m, streams("position"))
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range sh.Buffers {
		if constant := b.Name != "position"; (b.Stride == 0) != constant {
			t.Errorf("%s has the stride %d", b.Name, b.Stride)
		}
	}
	if b := newBound(); m.Resources(&material.Context{}, b) != nil || b.vertex["color"] != nil {
		t.Errorf("without getFinalColor the missing colour is %v", b.vertex["color"])
	}
	o.FinalColor = true
	m = mustNew(t, o)
	if sh, err = compose(m, streams("position")); err != nil {
		t.Fatal(err)
	}
	if a := sh.Buffers[2].Attributes[0]; a.Name != "color" || a.Format != composer.Float32x4 {
		t.Errorf("the missing colour is read as %s", a.Format)
	}
	b := newBound()
	if err := m.Resources(&material.Context{}, b); err != nil || len(b.vertex["color"].Data) != 16 || b.vertex["color"].Data[3] != 0x3f {
		t.Errorf("the missing colour is %v, %v", b.vertex["color"], err)
	}
	if _, err := compose(m, streams("normal")); err == nil || !strings.Contains(err.Error(), "position") {
		t.Errorf("without positions: %v", err)
	}
}

// A declared format decides type and stride; a mesh with another is refused.
func TestFormats(t *testing.T) {
	o := base()
	o.Attributes = []string{"position", "color", "flags"}
	o.Formats = map[string]composer.VertexFormat{"color": composer.Unorm8x4, "flags": composer.Uint32}
	m := mustNew(t, o)
	c := streams("position")
	c.Streams["color"], c.Streams["flags"] = composer.Unorm8x4, composer.Uint32
	sh, err := compose(m, c)
	if err != nil {
		t.Fatal(err)
	}
	inOrder(t, sh.VertexWGSL, "@location(1) color: vec4<f32>,", "@location(2) flags: u32,")
	if sh.Buffers[1].Stride != 4 {
		t.Errorf("stride %d, want 4", sh.Buffers[1].Stride)
	}
	o.Formats["color"] = composer.Float32x4 // the caller's map is not the material's
	if sh, err = compose(m, c); err != nil || sh.Buffers[1].Stride != 4 {
		t.Errorf("after the caller changed the map: %v", err)
	}
	c.Streams["color"] = composer.Float32x4
	if _, err = compose(m, c); err == nil || !strings.Contains(err.Error(), "unorm8x4") || !strings.Contains(err.Error(), "float32x4") {
		t.Errorf("another format: %v", err)
	}
}
