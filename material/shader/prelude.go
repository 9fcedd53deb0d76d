package shader

import (
	_ "embed"
	"fmt"

	"darkroom/composer"
	"darkroom/material"
	"darkroom/material/surface"
)

//go:embed vertex.wgsl
var vertexWGSL string

//go:embed fragment.wgsl
var fragmentWGSL string

//go:embed clamp.wgsl
var clampWGSL string

const (
	systemVar      = "shaderSystem"
	uniformsVar    = "shaderUniforms"
	finalWorldName = "getFinalWorld"
	finalColorName = "getFinalColor"
	finalInputName = "getFinalInput"

	slotVertex   composer.Slot = "VERTEX"
	slotFragment composer.Slot = "FRAGMENT"
)

// Shader implements material.Material. The template is the prelude; the user's
// WGSL is a fragment of it, so that its lines are told by their own numbers.
func (m *Material) Shader(c *material.Context) (*composer.Template, []*composer.Fragment, error) {
	d := m.decl
	fragmentStage := !c.DepthOnly || d.AlphaTesting
	t := &composer.Template{
		ID: "shader material", SceneUniforms: material.SceneWGSL, OwnEntries: true,
		VertexEntry: d.VertexEntry, FragmentEntry: d.FragmentEntry,
		MeshVar: systemVar, MeshFields: d.system, MaterialVar: uniformsVar, MaterialFields: d.uniforms,
		Constants: d.constants,
	}
	both := composer.StageVertex
	user := &composer.Fragment{ID: d.id(), Slots: map[composer.Slot]string{slotVertex: d.Vertex}}
	if fragmentStage {
		both |= composer.StageFragment
		user.Slots[slotFragment] = d.Fragment
		t.Fragment = d.fragmentText()
		if t.Outputs = d.Outputs; len(t.Outputs) == 0 {
			t.Outputs = []composer.Output{{Name: "color", Type: "vec4<f32>"}}
		}
		if err := d.checkOutputs(c); err != nil {
			return nil, nil, err
		}
	}
	if !d.FinalInput {
		t.Lacking = map[composer.Slot]string{composer.SlotVertexBefore: "set FinalInput and read getFinalInput(input) in the vertex stage"}
	} else {
		t.Builtins = []composer.Builtin{{Name: "vertexIndex", Builtin: "vertex_index", Type: "u32"}}
	}
	t.VertexBindings = d.bindings(both)
	var err error
	if t.Attributes, err = d.inputs(c); err != nil {
		return nil, nil, err
	}
	out := []*composer.Fragment{user}
	if d.instanceColors(c) {
		// Sorted after the fragment of the instances' matrices.
		out = append(out, &composer.Fragment{ID: "thin-instances-color", Attributes: []composer.Attribute{
			{Name: "instanceColor", Type: "vec4<f32>", Format: c.Streams["instanceColor"], Step: composer.StepInstance},
		}})
	}
	t.Vertex = d.vertexText(c)
	return t, out, nil
}

// id names the user's WGSL in errors.
func (d *declaration) id() string {
	if d.Name == "" {
		return "user"
	}
	return d.Name
}

func (d *declaration) instanceColors(c *material.Context) bool {
	return c.Has("instanceColor") && !d.NoInstanceColors
}

// inputs are the attributes with the formats that the mesh has. One that the
// mesh lacks reads zeros or, as a factor of getFinalColor, white.
func (d *declaration) inputs(c *material.Context) ([]composer.Attribute, error) {
	out := make([]composer.Attribute, 0, len(d.Attributes))
	for _, name := range d.Attributes {
		a := composer.Attribute{Name: name, Type: d.types[name], Format: d.Formats[name]}
		have, ok := c.Streams[name]
		switch {
		case !ok && name == "position":
			return nil, fmt.Errorf("the mesh has no position stream")
		case !ok:
			a.Constant = true
			if name == "color" && d.FinalColor {
				a.Format = composer.Float32x4
			}
		case have != a.Format:
			return nil, fmt.Errorf("attribute %q is declared as %s and the mesh has it as %s; declare that in Formats", name, a.Format, have)
		}
		out = append(out, a)
	}
	return out, nil
}

// bindings are the textures, external textures and buffers, in this order.
func (d *declaration) bindings(v composer.Stage) []composer.Binding {
	var out []composer.Binding
	texture := func(name, typ string, sample composer.SampleType, sampler composer.SamplerKind) {
		out = append(out,
			composer.Binding{Name: name, Kind: composer.BindTexture, Type: typ, Sample: sample, Visibility: v},
			composer.Binding{Name: name + "Sampler", Kind: composer.BindSampler, Sampler: sampler, Visibility: v})
	}
	for _, s := range d.Samplers {
		switch s.Sample {
		case composer.SampleDepth:
			texture(s.Name, "texture_depth_2d", composer.SampleDepth, composer.SamplerNonFiltering)
		case composer.SampleUnfilterableFloat:
			texture(s.Name, "texture_2d<f32>", composer.SampleUnfilterableFloat, composer.SamplerNonFiltering)
		default:
			texture(s.Name, "texture_2d<f32>", "", "")
		}
	}
	for _, name := range d.Externals {
		texture(name, "texture_2d<f32>", "", "")
	}
	for _, b := range d.Buffers {
		out = append(out, composer.Binding{Name: b.Name, Kind: composer.BindStorage, Type: b.Type, Access: composer.AccessRead, Visibility: v})
	}
	return out
}

// vertexText is the prelude of the vertex stage.
func (d *declaration) vertexText(c *material.Context) string {
	s := vertexWGSL
	// Skins and instances multiply finalWorld. Where the user's code does not
	// ask for it, their code must stand somewhere all the same.
	switch {
	case d.InstanceWorld:
		s += worldHelper(c, finalWorldName, systemVar+".world")
	case c.Has("world0") || c.Has("joints"):
		s += worldHelper(c, "shaderFeatureWorld", "mat4x4<f32>(vec4<f32>(1.0, 0.0, 0.0, 0.0), vec4<f32>(0.0, 1.0, 0.0, 0.0), vec4<f32>(0.0, 0.0, 1.0, 0.0), vec4<f32>(0.0, 0.0, 0.0, 1.0))")
	}
	if d.FinalInput {
		s += d.inputHelper()
	}
	if d.FinalColor {
		s += "fn " + finalColorName + "(input: VertexInput) -> vec4<f32> {\n    return " + d.finalColor(c) + ";\n}\n"
	}
	if len(d.Externals) > 0 {
		s += clampWGSL
	}
	return s + "/*VERTEX*/\n"
}

func worldHelper(c *material.Context, name, start string) string {
	s := "fn " + name + "(input: VertexInput) -> mat4x4<f32> {\n    var finalWorld = " + start + ";\n    var previousWorld = finalWorld;\n"
	if c.Has("world0") && surface.StoresVelocity(c) {
		s += "    let instanceIndex = input.instanceIndex;\n"
	}
	return s + "    /*VW*/\n    var normalWorld3: mat3x3<f32>;\n    /*PO*/\n    return finalWorld;\n}\n"
}

// inputHelper is getFinalInput. Morph targets add to the variables that all
// families have there.
func (d *declaration) inputHelper() string {
	s := "fn " + finalInputName + "(input: VertexInput) -> VertexInput {\n    let vertexIndex = input.vertexIndex;\n    var finalInput = input;\n"
	after := ""
	for _, x := range []struct{ attribute, local, none string }{
		{"position", "positionLocal", ""}, {"normal", "normalLocal", "vec3<f32>(0.0, 1.0, 0.0)"}, {"tangent", "tangentLocal", "vec4<f32>(1.0, 0.0, 0.0, 1.0)"},
	} {
		if d.types[x.attribute] == "" {
			s += "    var " + x.local + " = " + x.none + ";\n"
			continue
		}
		s += "    var " + x.local + " = input." + x.attribute + ";\n"
		after += "    finalInput." + x.attribute + " = " + x.local + ";\n"
	}
	return s + "    /*VR*/\n" + after + "    return finalInput;\n}\n"
}

// finalColor is the value of getFinalColor, by what the pipeline has.
func (d *declaration) finalColor(c *material.Context) string {
	vertex := false
	for _, a := range d.Attributes {
		vertex = vertex || a == "color"
	}
	switch instance := d.instanceColors(c); {
	case vertex && instance:
		return "input.color * input.instanceColor"
	case vertex:
		return "input.color"
	case instance:
		return "input.instanceColor"
	}
	return "vec4<f32>(1.0)"
}

// fragmentText is the prelude of the fragment stage.
func (d *declaration) fragmentText() string {
	s := fragmentWGSL
	if len(d.Externals) > 0 {
		s += clampWGSL
	}
	if len(d.Outputs) > 0 {
		s += "/*FO*/\nfn fragmentOutputs() /*FR*/ {\n    /*FW*/\n}\n"
	}
	return s + "/*FRAGMENT*/\n"
}

// checkOutputs refuses a pass that takes none of the named outputs: the entry
// point would have nothing to return.
func (d *declaration) checkOutputs(c *material.Context) error {
	if c.Outputs == nil || len(d.Outputs) == 0 {
		return nil
	}
	names := make([]string, 0, len(d.Outputs))
	for _, o := range d.Outputs {
		if _, ok := c.Outputs[o.Name]; ok {
			return nil
		}
		names = append(names, o.Name)
	}
	return fmt.Errorf("the pass takes none of its outputs %s", listed(names))
}
