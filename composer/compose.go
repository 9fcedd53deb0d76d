package composer

import (
	"slices"
	"strconv"
	"strings"
)

// Compose builds a shader from a template and fragments. It is a pure
// function: equal input gives equal bytes, and, unless the template keeps the
// list's order, so does the same set of fragments in any order. It neither
// changes nor keeps what it is given.
//
// Fragments are sorted by their needs, ties alphabetically; nil fragments are
// skipped. Declarations of one name are merged when they are equal and
// refused, naming both fragments, when they are not.
//
// The template's markers are replaced in one pass, so that code which looks
// like a marker or a replacement pattern stays as it is. A marker may stand
// more than once and in both stages: it is replaced everywhere. In both
// stages:
//
//	/*SU*/  Template.SceneUniforms
//	/*MU*/  constants, structs, MeshUniforms, MaterialUniforms, InstanceUniforms
//	/*CO*/  the constants, which are then not at MU
//	/*IN*/  loads `instance` from the instance index; nothing without instance fields
//
// In the vertex stage:
//
//	/*VI*/  struct VertexInput; nothing without attributes
//	/*VO*/  struct VertexOutput: the position and the varyings
//	/*VD*/  bindings of groups 1 and 2
//	/*VP*/  parameters of the entry point: builtins, then `input: VertexInput`
//	/*VH*/  helper functions
//
// In the fragment stage:
//
//	/*FI*/  struct FragmentInput: the position, the varyings, frontFacing and other builtins
//	/*HF*/  helper functions
//	/*FB*/  bindings of groups 1 and 2
//	/*FO*/  struct FragmentOutput of the outputs that are written, and the variable `outputs` of all
//	/*FR*/  " -> FragmentOutput" for the entry point's signature; nothing if nothing is written
//	/*FW*/  the return statement; nothing if nothing is written; FO needs both where something is
//
// Every other marker is a slot. A contribution to a slot or marker that the
// template lacks is an error. In the vertex stage the marker IN must follow
// the declaration of `output`; where the fragment stage has it too, the
// index is handed on in a varying.
func Compose(t *Template, fragments []*Fragment, o Options) (*Shader, error) {
	if t == nil {
		return nil, errorf(ErrType, "there is no template")
	}
	c := compositions.Get().(*composition)
	c.t, c.opt, c.sh = t, o, &Shader{}
	if err := c.compose(fragments); err != nil {
		return nil, within("template "+quote(t.ID), err)
	}
	sh := c.sh
	if len(sh.VertexWGSL)+len(sh.FragmentWGSL) <= maxKept {
		c.reset()
		compositions.Put(c)
	}
	return sh, nil
}

// compose goes through the steps of a composition.
func (c *composition) compose(fragments []*Fragment) error {
	if err := c.opt.Limits.check(); err != nil {
		return err
	}
	c.limits = c.opt.Limits.withDefaults()
	for _, name := range []string{c.t.MeshVar, c.t.MaterialVar} {
		if name != "" {
			if err := checkGlobal("the variable", name); err != nil {
				return err
			}
		}
	}
	var err error
	if c.fragments, err = c.graph.order(fragments, c.t.KeepOrder); err != nil {
		return err
	}
	c.parseTemplate()
	if err := c.collect(); err != nil {
		return err
	}
	if err := c.place(); err != nil {
		return err
	}
	if err := c.addBindings(); err != nil {
		return err
	}
	if err := c.locate(); err != nil {
		return err
	}
	if err := c.fillSlots(); err != nil {
		return err
	}
	if err := c.checkLimits(); err != nil {
		return err
	}
	return c.write()
}

// place lays out the uniform buffers, the instance buffer and the vertex buffers.
func (c *composition) place() error {
	for i := range c.structs.list {
		d := &c.structs.list[i]
		if _, err := c.ts.structType(c.ts.structs[d.name], 0); err != nil {
			return within(c.who(d.own), err)
		}
	}
	var err error
	if c.sh.MeshUBO, err = c.ubo(&c.mesh, true); err != nil {
		return within(c.meshStruct(), err)
	}
	if c.sh.MaterialUBO, err = c.ubo(&c.material, true); err != nil {
		return within(c.materialStruct(), err)
	}
	if c.sh.InstanceUBO, err = c.ubo(&c.instance, false); err != nil {
		return within(instanceStruct, err)
	}
	c.sh.Buffers, err = c.vertexBuffers()
	return err
}

func (c *composition) ubo(d *decls[Field], uniform bool) (UBO, error) {
	if len(d.list) == 0 {
		return UBO{}, nil
	}
	c.fields = c.fields[:0]
	for i := range d.list {
		c.fields = append(c.fields, d.list[i].v)
	}
	u, err := c.ts.layout(c.fields, uniform, true)
	if err != nil {
		// Name who declared the field at fault.
		for i := range d.list {
			if _, bad := c.ts.layout(c.fields[i:i+1], uniform, true); bad != nil {
				return u, within(c.who(d.list[i].own), bad)
			}
		}
	}
	return u, err
}

// locate gives the outputs their locations.
func (c *composition) locate() error {
	for i := range c.outputs.list {
		d := &c.outputs.list[i]
		loc := i
		if c.opt.OutputLocations != nil {
			var ok bool
			if loc, ok = c.opt.OutputLocations[d.v.Name]; !ok {
				continue
			}
		}
		if loc != i && !hasSlot(c.fragment, markOutputs) {
			return errorf(ErrSlot, "output %q cannot move to location %d: the template has no /*%s*/ and returns it at %d", d.v.Name, loc, markOutputs, i)
		}
		if loc < 0 || loc >= c.limits.ColorAttachments {
			return errorf(ErrLimit, "output %q has the location %d and the device has %d color attachments", d.v.Name, loc, c.limits.ColorAttachments)
		}
		if k := slices.IndexFunc(c.located, func(o locatedOutput) bool { return o.location == loc }); k >= 0 {
			return errorf(ErrConflict, "outputs %q and %q are both at location %d", c.located[k].Name, d.v.Name, loc)
		}
		c.located = append(c.located, locatedOutput{d.v, loc, d.own})
	}
	slices.SortFunc(c.located, func(a, b locatedOutput) int { return a.location - b.location })
	for _, o := range c.located {
		for len(c.sh.Outputs) < o.location {
			c.sh.Outputs = append(c.sh.Outputs, Output{})
		}
		c.sh.Outputs = append(c.sh.Outputs, o.Output)
	}
	return nil
}

// rounded is the expression for an output's value, rounded as asked. Integers
// are left alone, and so is an output without alpha where alpha decides.
func (c *composition) rounded(o *locatedOutput) string {
	value := outputsVar + "." + o.Name
	if o.location >= len(c.opt.Rounding) {
		return value
	}
	r := c.opt.Rounding[o.location]
	float := strings.HasSuffix(o.Type, "f32") || strings.HasSuffix(o.Type, "f32>") || strings.HasSuffix(o.Type, "f")
	vec4 := strings.HasPrefix(o.Type, "vec4")
	if r.Steps == 0 || !float || r.OpaqueOnly && !vec4 {
		return value
	}
	steps := FloatLiteral(float64(r.Steps))
	rounded := "floor(saturate(" + value + ") * " + steps + " + 0.5f) / " + steps
	if r.OpaqueOnly {
		return "select(" + value + ", " + rounded + ", " + value + ".a >= 1.0f)"
	}
	return rounded
}

// String names the stages.
func (s Stage) String() string {
	switch s {
	case StageVertex:
		return "vertex"
	case StageFragment:
		return "fragment"
	case StageVertex | StageFragment:
		return "vertex and fragment"
	case StageCompute:
		return "compute"
	}
	return "stages " + strconv.Itoa(int(s))
}

// write composes the stages' texts and fills in the shader.
func (c *composition) write() error {
	sh := c.sh
	sh.OwnOutputs = c.fragment != nil && !c.opt.VertexOnly && !hasSlot(c.fragment, markOutputs) && len(c.outputs.list) == 0
	sh.VertexEntry, sh.FragmentEntry = c.t.VertexEntry, c.t.FragmentEntry
	if sh.VertexEntry == "" {
		sh.VertexEntry = "vs"
	}
	if sh.FragmentEntry == "" {
		sh.FragmentEntry = "fs"
	}
	sh.Fragments = make([]string, len(c.fragments))
	for i, f := range c.fragments {
		sh.Fragments[i] = f.ID
	}
	if err := c.stages(); err != nil {
		return err
	}
	if err := c.lint.lint(sh.VertexWGSL, sh.VertexMap, sh.VertexEntry, c.vertexBodies); err != nil {
		return within("vertex stage", err)
	}
	if c.fragment != nil && !c.opt.VertexOnly {
		if err := c.lint.lint(sh.FragmentWGSL, sh.FragmentMap, sh.FragmentEntry, c.fragmentBodies); err != nil {
			return within("fragment stage", err)
		}
	} else {
		sh.FragmentEntry, sh.Outputs = "", nil
	}
	sh.Key = sh.key()
	return nil
}
