package composer

import "strconv"

// fill writes what a marker stands for.
func (e *emitter) fill(s Slot) {
	c := e.c
	switch s {
	case markScene:
		e.code(ownTemplate, c.t.SceneUniforms)
	case markMesh:
		e.uniforms()
	case markConstants:
		e.constants()
	case markVertexInput:
		e.vertexInput()
	case markVertexOutput:
		e.interstage("VertexOutput")
	case markFragmentInput:
		e.interstage("FragmentInput")
	case markVertexDecls:
		e.bindings(StageVertex)
	case markFragmentDecls:
		e.bindings(StageFragment)
	case markVertexParams:
		e.vertexParams()
	case markVertexHelpers:
		e.textureHelpers()
		e.helpers(func(f *Fragment) string { return f.VertexHelpers })
		e.slotCode(s)
	case markFragmentHelpers:
		e.textureHelpers()
		e.helpers(func(f *Fragment) string { return f.FragmentHelpers })
		e.slotCode(s)
	case markOutputs:
		e.outputs()
	case markReturnType:
		if len(c.located) > 0 {
			e.put(ownTemplate, " -> FragmentOutput")
		}
	case markReturn:
		e.returns()
	case markInstance:
		e.instance()
	default:
		e.slotCode(s)
	}
}

// body is the place of a struct's body in a stage, from brace to brace.
type body struct{ open, close int }

// openStruct begins a struct whose members are known to be good names that
// differ, so that the lint may skip its body.
func (e *emitter) openStruct(own owner, name string) {
	e.put(own, "struct ", name, " {")
	e.bodies = append(e.bodies, body{open: e.text.Len() - 1 - e.start})
}

func (e *emitter) closeStruct(own owner) {
	e.put(own, "}")
	e.bodies[len(e.bodies)-1].close = e.text.Len() - 1 - e.start
}

// constants writes the constants.
func (e *emitter) constants() {
	for i := range e.c.constants.list {
		d := &e.c.constants.list[i]
		lit, _ := d.v.literal() // checked when it was collected
		e.put(d.own, "const ", d.v.Name, ": ", d.v.Type, " = ", lit, ";")
	}
}

// uniforms writes the constants, where they have no place of their own, the
// structs and the structs of the uniforms.
func (e *emitter) uniforms() {
	c := e.c
	segs := c.vertex
	if e.stage == StageFragment {
		segs = c.fragment
	}
	if !hasSlot(segs, markConstants) {
		e.constants()
	}
	for i := range c.structs.list {
		d := &c.structs.list[i]
		t := c.ts.structs[d.v.Name].typ
		e.openStruct(d.own, d.v.Name)
		for i := range t.members {
			e.member(d.own, t, i)
		}
		e.closeStruct(d.own)
	}
	e.ubo(c.meshStruct(), &c.mesh, &c.sh.MeshUBO)
	e.ubo(c.materialStruct(), &c.material, &c.sh.MaterialUBO)
	e.ubo(instanceStruct, &c.instance, &c.sh.InstanceUBO)
}

func (e *emitter) ubo(name string, fields *decls[Field], u *UBO) {
	if u.Size == 0 {
		return
	}
	e.openStruct(ownTemplate, name)
	for i := range fields.list {
		e.member(fields.list[i].own, u.root, i)
	}
	e.closeStruct(ownTemplate)
}

// member declares a member of a struct.
func (e *emitter) member(own owner, t *wgslType, i int) {
	e.put(own, t.memberIndent(i), t.members[i].name, ": ", t.members[i].typ.text, ",")
}

func (e *emitter) vertexInput() {
	list := e.c.attributes.list
	if len(list) == 0 {
		return
	}
	e.openStruct(ownTemplate, "VertexInput")
	for i := range list {
		e.put(list[i].own, "  @location(", strconv.Itoa(i), ") ", list[i].v.Name, ": ", list[i].v.Type, ",")
	}
	if !hasSlot(e.c.vertex, markVertexParams) {
		// The entry point is the user's own and takes nothing but this struct.
		for i := range e.c.builtins.list {
			b := &e.c.builtins.list[i]
			e.put(b.own, "  @builtin(", b.v.Builtin, ") ", b.v.Name, ": ", b.v.Type, ",")
		}
	}
	e.closeStruct(ownTemplate)
}

// interstage writes the struct at either end of the varyings.
func (e *emitter) interstage(name string) {
	c := e.c
	e.openStruct(ownTemplate, name)
	e.put(ownTemplate, "  @builtin(position) position: vec4<f32>,")
	for i := range c.varyings.list {
		v := &c.varyings.list[i].v
		interpolate := ""
		if v.Interpolate != "" {
			interpolate = " @interpolate(" + v.Interpolate + ")"
		}
		e.put(c.varyings.list[i].own, "  @location(", strconv.Itoa(i), ")", interpolate, " ", v.Name, ": ", v.Type, ",")
	}
	if name == "FragmentInput" {
		for i := range c.inputs.list {
			b := &c.inputs.list[i]
			e.put(b.own, "  @builtin(", b.v.Builtin, ") ", b.v.Name, ": ", b.v.Type, ",")
		}
	}
	e.closeStruct(ownTemplate)
}

// bindings declares what a stage sees of groups 1 and 2.
func (e *emitter) bindings(stage Stage) {
	c := e.c
	if c.sh.MeshUBO.Size > 0 {
		e.put(ownTemplate, "@group(1) @binding(0) var<uniform> ", c.meshVar(), ": ", c.meshStruct(), ";")
	}
	if c.sh.MaterialUBO.Size > 0 {
		e.put(ownTemplate, "@group(1) @binding(1) var<uniform> ", c.materialVar(), ": ", c.materialStruct(), ";")
	}
	for i := range c.bindings.list {
		d := &c.bindings.list[i]
		decl := &d.v.Decl
		if decl.Visibility&stage == 0 {
			continue
		}
		e.put(d.own, "@group(", strconv.Itoa(1+int(decl.Group)), ") @binding(", strconv.Itoa(d.v.Binding),
			") var", addressSpace(decl), " ", decl.Name, ": ", decl.Type, ";")
	}
	if len(c.instance.list) > 0 && c.instanced&stage != 0 {
		e.put(ownTemplate, "var<private> ", instanceVar, ": ", instanceStruct, ";")
	}
}

// vertexParams writes the parameters of the vertex entry point.
func (e *emitter) vertexParams() {
	c := e.c
	var s []string
	own := ownTemplate
	for i := range c.builtins.list {
		b := &c.builtins.list[i]
		if len(s) > 0 {
			s = append(s, ", ")
		}
		if b.own != ownTemplate {
			own = b.own
		}
		s = append(s, "@builtin(", b.v.Builtin, ") ", b.v.Name, ": ", b.v.Type)
	}
	if len(c.attributes.list) > 0 {
		if len(s) > 0 {
			s = append(s, ", ")
		}
		s = append(s, "input: VertexInput")
	}
	if len(s) > 0 {
		e.put(own, s...)
	}
}

// textureHelpers writes the sampling functions of Fragment.Textures. Only
// the fragment stage has derivatives, so only it can pick a mip level.
func (e *emitter) textureHelpers() {
	part := e.part
	e.part = indexTextures // not to be taken for a line of the fragment's helpers
	for i := range e.c.textures.list {
		d := &e.c.textures.list[i]
		if d.v.stages&e.stage == 0 {
			continue
		}
		if e.stage == StageFragment {
			e.put(d.own, "fn ", d.v.helper, "(uv: vec2<f32>) -> vec4<f32> { return textureSample(", d.v.texture, ", ", d.v.sampler, ", uv); }")
		}
		e.put(d.own, "fn ", d.v.helper, "Direct(uv: vec2<f32>) -> vec4<f32> { return textureSampleLevel(", d.v.texture, ", ", d.v.sampler, ", uv, 0.0); }")
	}
	e.part, e.line = part, 0
}

// locatedOutput is an output and where the pass wants it.
type locatedOutput struct {
	Output
	location int
	own      owner
}

// outputs declares what the pass takes and the variable that the code
// writes. Private variables start at zero.
func (e *emitter) outputs() {
	c := e.c
	if len(c.located) > 0 {
		e.openStruct(ownTemplate, "FragmentOutput")
		for i := range c.located {
			o := &c.located[i]
			e.put(o.own, "  @location(", strconv.Itoa(o.location), ") ", o.Name, ": ", o.Type, ",")
		}
		e.closeStruct(ownTemplate)
	}
	if len(c.outputs.list) == 0 {
		return
	}
	e.openStruct(ownTemplate, outputsStruct)
	for i := range c.outputs.list {
		e.put(c.outputs.list[i].own, "  ", c.outputs.list[i].v.Name, ": ", c.outputs.list[i].v.Type, ",")
	}
	e.closeStruct(ownTemplate)
	e.put(ownTemplate, "var<private> ", outputsVar, ": ", outputsStruct, ";")
}

func (e *emitter) returns() {
	if len(e.c.located) == 0 {
		return
	}
	s := []string{"return FragmentOutput("}
	for i := range e.c.located {
		if i > 0 {
			s = append(s, ", ")
		}
		s = append(s, e.c.rounded(&e.c.located[i]))
	}
	e.put(ownTemplate, append(s, ");")...)
}

// instance loads the instance's values at the start of a stage. The vertex
// stage hands the index on where the fragment stage wants it.
func (e *emitter) instance() {
	c := e.c
	if len(c.instance.list) == 0 {
		return
	}
	if e.stage == StageVertex {
		e.put(ownTemplate, instanceVar, " = ", instancesVar, "[", c.instanceIndex, "];")
		if c.instanced&StageFragment != 0 {
			e.put(ownTemplate, "output.", indexVarying, " = ", c.instanceIndex, ";")
		}
		return
	}
	e.put(ownTemplate, instanceVar, " = ", instancesVar, "[input.", indexVarying, "];")
}
