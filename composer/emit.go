package composer

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Names that the composer declares.
const (
	meshStruct     = "MeshUniforms"
	meshVar        = "mesh"
	materialStruct = "MaterialUniforms"
	materialVar    = "material"
	instanceStruct = "InstanceUniforms"
	instanceVar    = "instance"
	instancesVar   = "instances"
	indexVarying   = "instanceIndex"
	outputsStruct  = "Outputs"
	outputsVar     = "outputs"

	partTextures = "Textures" // of the source map, for the helpers of Fragment.Textures
)

// emitter writes one stage and its source map.
type emitter struct {
	c     *composition
	stage Stage
	text  strings.Builder
	m     SourceMap

	alone   bool   // the marker has its line to itself
	indent  string // what then stands before it, and goes before each of its lines
	pending bool   // a line of generated text has ended
	slot    Slot   // the marker being filled
	line    int    // lines of generated text so far, in this marker
	comment bool   // the last line of code may end in a comment
}

// stageText composes one stage.
func (c *composition) stageText(stage Stage, segs []segment) (string, SourceMap) {
	e := emitter{c: c, stage: stage}
	e.grow(segs)
	part := "vertex"
	if stage == StageFragment {
		part = "fragment"
	}
	e.newLine(Origin{c.t.ID, part, 1, true})
	at := 1
	for i := range segs {
		s := &segs[i]
		at = e.template(s.text, part, at)
		if s.slot == "" {
			continue
		}
		e.slot, e.line, e.pending, e.alone, e.indent, e.comment = s.slot, 0, false, s.alone, s.indent, false
		e.fill(s.slot)
		if e.comment && !s.alone {
			// What follows in the template's line must not become part of the comment.
			e.text.WriteByte('\n')
			e.newLine(Origin{c.t.ID, part, at, true})
		}
		if s.alone {
			at++ // the marker's own line
			if e.pending {
				e.text.WriteByte('\n')
				e.newLine(Origin{c.t.ID, part, at, true})
			} else {
				e.m[len(e.m)-1] = Origin{c.t.ID, part, at, true}
			}
		}
	}
	text := e.text.String()
	if strings.HasSuffix(text, "\n") {
		e.m = e.m[:len(e.m)-1] // nothing stands on the last line
	}
	return text, e.m
}

// grow makes room for the stage, so that its text is written once and stays
// where it is: what is known now, and 56 bytes for each line that is declared.
func (e *emitter) grow(segs []segment) {
	c := e.c
	size, lines := 0, 0
	count := func(text string, indent int) {
		if text != "" {
			n := strings.Count(text, "\n") + 1
			size += len(text) + n*(indent+1)
			lines += n
		}
	}
	for i := range segs {
		s := &segs[i]
		count(s.text, 0)
		if s.slot == markScene {
			count(c.t.SceneUniforms, 0)
		}
		for _, g := range c.slots[s.slot] {
			count(g.code, len(s.indent))
		}
		for _, f := range c.fragments {
			switch s.slot {
			case markVertexHelpers:
				count(f.VertexHelpers, 0)
			case markFragmentHelpers:
				count(f.FragmentHelpers, 0)
			}
		}
	}
	declared := 24 + len(c.constants.list) + 8*len(c.structs.list) + len(c.mesh.list) + len(c.material.list) + len(c.instance.list) +
		len(c.varyings.list) + 2*len(c.textures.list)
	if e.stage == StageVertex {
		declared += len(c.attributes.list)
	} else {
		declared += 2*len(c.outputs.list) + 2*len(c.textures.list)
	}
	for i := range c.bindings.list {
		if c.bindings.list[i].v.Decl.Visibility&e.stage != 0 {
			declared++
		}
	}
	e.text.Grow(size + 56*declared)
	e.m = make(SourceMap, 0, lines+declared)
}

func (e *emitter) newLine(o Origin) { e.m = append(e.m, o) }

// template writes template text that starts in its line at and returns the line it ends in.
func (e *emitter) template(text, part string, at int) int {
	e.text.WriteString(noReturns(text))
	for o := (Origin{e.c.t.ID, part, at, true}); ; {
		n := strings.IndexByte(text, '\n')
		if n < 0 {
			return o.Line
		}
		o.Line++
		e.newLine(o)
		text = text[n+1:]
	}
}

// noReturns turns "\r\n" into "\n".
func noReturns(text string) string {
	if strings.IndexByte(text, '\r') < 0 {
		return text
	}
	return strings.ReplaceAll(text, "\r\n", "\n")
}

// begin starts a line of the marker's text. A line that template text began
// belongs to the fragment that goes on with it.
func (e *emitter) begin(o Origin, empty bool) {
	if e.pending {
		e.text.WriteByte('\n')
		e.newLine(o)
	} else if e.alone || !o.Template {
		e.m[len(e.m)-1] = o
	}
	e.pending = true
	if !empty {
		e.text.WriteString(e.indent)
	}
}

// put writes one generated line, of the parts of s.
func (e *emitter) put(own owner, s ...string) {
	e.line++
	e.begin(Origin{e.c.id(own), string(e.slot), e.line, own == ownTemplate}, false)
	for _, s := range s {
		e.text.WriteString(s)
	}
}

// code writes a fragment's text line by line. Blank lines at either end are
// left out; the numbering is that of the text.
func (e *emitter) code(own owner, part Slot, text string) {
	text = noReturns(strings.TrimRight(text, " \t\r\n"))
	o := Origin{e.c.id(own), string(part), 1, own == ownTemplate}
	for text != "" {
		n := strings.IndexByte(text, '\n')
		if n < 0 || !blank(text[:n]) {
			break
		}
		o.Line++
		text = text[n+1:]
	}
	if text == "" {
		return
	}
	e.comment = strings.Contains(text[strings.LastIndexByte(text, '\n')+1:], "//")
	if e.indent == "" {
		// Nothing goes between the lines, so they go at once.
		e.begin(o, true)
		e.text.WriteString(text)
		for n := strings.IndexByte(text, '\n'); n >= 0; n = strings.IndexByte(text, '\n') {
			text = text[n+1:]
			o.Line++
			e.newLine(o)
		}
		return
	}
	for more := true; more; o.Line++ {
		var line string
		line, text, more = strings.Cut(text, "\n")
		e.begin(o, line == "")
		e.text.WriteString(line)
	}
}

// fill writes what a marker stands for.
func (e *emitter) fill(s Slot) {
	c := e.c
	switch s {
	case markScene:
		e.code(ownTemplate, s, c.t.SceneUniforms)
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

// slotCode writes the fragments' code for a slot, in order.
func (e *emitter) slotCode(s Slot) {
	for _, g := range e.c.slots[s] {
		e.code(g.own, s, g.code)
	}
}

// helpers writes the fragments' helper functions. The same text from two
// fragments stands once.
func (e *emitter) helpers(of func(*Fragment) string) {
	var seen map[string]bool
	for i, f := range e.c.fragments {
		text := of(f)
		if text == "" || seen[text] {
			continue
		}
		if seen == nil {
			seen = make(map[string]bool)
		}
		seen[text] = true
		e.code(owner(i), e.slot, text)
	}
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
		e.put(d.own, "struct ", d.v.Name, " {")
		for i := range t.members {
			e.member(d.own, t, i)
		}
		e.put(d.own, "}")
	}
	e.ubo(c.meshStruct(), &c.mesh, &c.sh.MeshUBO)
	e.ubo(c.materialStruct(), &c.material, &c.sh.MaterialUBO)
	e.ubo(instanceStruct, &c.instance, &c.sh.InstanceUBO)
}

func (e *emitter) ubo(name string, fields *decls[Field], u *UBO) {
	if u.Size == 0 {
		return
	}
	e.put(ownTemplate, "struct ", name, " {")
	for i := range fields.list {
		e.member(fields.list[i].own, u.root, i)
	}
	e.put(ownTemplate, "}")
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
	e.put(ownTemplate, "struct VertexInput {")
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
	e.put(ownTemplate, "}")
}

// interstage writes the struct at either end of the varyings.
func (e *emitter) interstage(name string) {
	c := e.c
	e.put(ownTemplate, "struct ", name, " {")
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
	e.put(ownTemplate, "}")
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
	slot := e.slot
	defer func() { e.slot, e.line = slot, 0 }()
	e.slot = partTextures // not to be taken for a line of the fragment's helpers
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
}

// meshVar is the variable of the mesh's uniform buffer.
func (c *composition) meshVar() string {
	if c.t.MeshVar != "" {
		return c.t.MeshVar
	}
	return meshVar
}

// materialVar is the variable of the material's uniform buffer.
func (c *composition) materialVar() string {
	if c.t.MaterialVar != "" {
		return c.t.MaterialVar
	}
	return materialVar
}

func (c *composition) meshStruct() string     { return structOf(c.t.MeshVar, meshStruct) }
func (c *composition) materialStruct() string { return structOf(c.t.MaterialVar, materialStruct) }

// structOf is the struct of a uniform buffer's variable: shaderSystem is of
// ShaderSystemUniforms, shaderUniforms of ShaderUniforms.
func structOf(variable, def string) string {
	if variable == "" {
		return def
	}
	r, n := utf8.DecodeRuneInString(variable)
	return string(unicode.ToUpper(r)) + strings.TrimSuffix(variable[n:], "Uniforms") + "Uniforms"
}

// samplerName is the helper of a texture: "transmission" is read with sampleTransmission.
func samplerName(texture string) string {
	r, n := utf8.DecodeRuneInString(texture)
	return "sample" + string(unicode.ToUpper(r)) + texture[n:]
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
		e.put(ownTemplate, "struct FragmentOutput {")
		for i := range c.located {
			o := &c.located[i]
			e.put(o.own, "  @location(", strconv.Itoa(o.location), ") ", o.Name, ": ", o.Type, ",")
		}
		e.put(ownTemplate, "}")
	}
	if len(c.outputs.list) == 0 {
		return
	}
	e.put(ownTemplate, "struct ", outputsStruct, " {")
	for i := range c.outputs.list {
		e.put(c.outputs.list[i].own, "  ", c.outputs.list[i].v.Name, ": ", c.outputs.list[i].v.Type, ",")
	}
	e.put(ownTemplate, "}")
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
		s = append(s, outputsVar, ".", e.c.located[i].Name)
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

// hasSlot reports whether a stage has a marker.
func hasSlot(segs []segment, s Slot) bool {
	return slices.ContainsFunc(segs, func(g segment) bool { return g.slot == s })
}
