package composer

import (
	"slices"
	"strconv"
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
//	/*FW*/  the return statement; nothing if nothing is written
//
// Every other marker is a slot. A contribution to a slot or marker that the
// template lacks is an error. In the vertex stage the marker IN must follow
// the declaration of `output`; where the fragment stage has it too, the
// index is handed on in a varying.
func Compose(t *Template, fragments []*Fragment, o Options) (*Shader, error) {
	sh, err := compose(t, fragments, o)
	if err != nil {
		return nil, err
	}
	return sh, nil
}

func compose(t *Template, fragments []*Fragment, o Options) (*Shader, error) {
	if t == nil {
		return nil, errorf(ErrType, "there is no template")
	}
	where := "template " + strconv.Quote(t.ID)
	if err := o.Limits.check(); err != nil {
		return nil, within(where, err)
	}
	sorted, err := order(fragments, t.KeepOrder)
	if err != nil {
		return nil, within(where, err)
	}
	c := &composition{t: t, fragments: sorted, opt: o, limits: o.Limits.withDefaults(), sh: &Shader{}}
	c.ts = &types{memo: make(map[string]*wgslType, 32)}
	c.vertex = parseTemplate(t.Vertex)
	if t.Fragment != "" {
		c.fragment = parseTemplate(t.Fragment)
	}
	for _, step := range []func() error{
		c.collect, c.place, c.addBindings, c.locate, c.fillSlots, c.checkLimits, c.write,
	} {
		if err := step(); err != nil {
			return nil, within(where, err)
		}
	}
	return c.sh, nil
}

// place lays out the uniform buffers, the instance buffer and the vertex buffers.
func (c *composition) place() error {
	for i := range c.structs.list {
		d := &c.structs.list[i]
		if _, err := c.ts.structType(c.ts.structs[d.v.Name], 0); err != nil {
			return within(c.who(d.own), err)
		}
	}
	var err error
	if c.sh.MeshUBO, err = c.ubo(&c.mesh, true); err != nil {
		return within(meshStruct, err)
	}
	if c.sh.MaterialUBO, err = c.ubo(&c.material, true); err != nil {
		return within(materialStruct, err)
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
	fields := make([]Field, len(d.list))
	for i := range d.list {
		fields[i] = d.list[i].v
	}
	u, err := c.ts.layout(fields, uniform)
	if err != nil {
		// Name who declared the field at fault.
		for i := range d.list {
			if _, bad := c.ts.layout(fields[i:i+1], uniform); bad != nil {
				return u, within(c.who(d.list[i].own), bad)
			}
		}
	}
	return u, err
}

// locate gives the outputs their locations.
func (c *composition) locate() error {
	byLocation := make(map[int]string, len(c.outputs.list))
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
		if other, taken := byLocation[loc]; taken {
			return errorf(ErrConflict, "outputs %q and %q are both at location %d", other, d.v.Name, loc)
		}
		byLocation[loc] = d.v.Name
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

// fillSlots sorts the fragments' code into the template's slots, in the order
// of the fragments, and refuses code that the template has no place for.
func (c *composition) fillSlots() error {
	c.slots = make(map[Slot][]contribution, len(c.vertex)+len(c.fragment))
	for _, segs := range [][]segment{c.vertex, c.fragment} {
		for i := range segs {
			if s := segs[i].slot; s != "" {
				c.slots[s] = nil
			}
		}
	}
	has := func(s Slot) bool { _, ok := c.slots[s]; return ok }
	lacks := func(own owner, s Slot) error {
		return errorf(ErrSlot, "%s has code for the slot %s and the template has no /*%s*/", c.who(own), s, s)
	}
	for i, f := range c.fragments {
		// Of several faults, the alphabetically first is reported, whatever the map's order.
		var fault Slot
		for s, code := range f.Slots {
			if code == "" {
				continue
			}
			if list, ok := c.slots[s]; ok && !fixedMarker(s) {
				if list == nil {
					list = make([]contribution, 0, 4)
				}
				c.slots[s] = append(list, contribution{owner(i), code})
			} else if fault == "" || s < fault {
				fault = s
			}
		}
		switch {
		case fixedMarker(fault):
			return errorf(ErrSlot, "%s has code for /*%s*/, which the composer fills itself; use a slot or a helper", c.who(owner(i)), fault)
		case fault != "":
			return lacks(owner(i), fault)
		case f.VertexHelpers != "" && !has(markVertexHelpers):
			return lacks(owner(i), markVertexHelpers)
		case f.FragmentHelpers != "" && !has(markFragmentHelpers):
			return lacks(owner(i), markFragmentHelpers)
		}
	}
	return c.checkMarkers()
}

// checkMarkers refuses declarations whose marker the template lacks.
func (c *composition) checkMarkers() error {
	need := func(segs []segment, stage string, s Slot, what string, own owner) error {
		if hasSlot(segs, s) {
			return nil
		}
		return errorf(ErrSlot, "%s declares %s and the template's %s stage has no /*%s*/", c.who(own), what, stage, s)
	}
	if d := c.attributes.list; len(d) > 0 {
		if err := need(c.vertex, "vertex", markVertexInput, "attribute "+quote(d[0].v.Name), d[0].own); err != nil {
			return err
		}
		if err := need(c.vertex, "vertex", markVertexParams, "attribute "+quote(d[0].v.Name), d[0].own); err != nil {
			return err
		}
	}
	if d := c.builtins.list; len(d) > 0 {
		if err := need(c.vertex, "vertex", markVertexParams, "builtin input "+quote(d[0].v.Name), d[0].own); err != nil {
			return err
		}
	}
	if d := c.varyings.list; len(d) > 0 {
		if err := need(c.vertex, "vertex", markVertexOutput, "varying "+quote(d[0].v.Name), d[0].own); err != nil {
			return err
		}
		if c.fragment != nil {
			if err := need(c.fragment, "fragment", markFragmentInput, "varying "+quote(d[0].v.Name), d[0].own); err != nil {
				return err
			}
		}
	}
	for i := range c.inputs.list {
		if d := &c.inputs.list[i]; d.own != ownTemplate {
			if err := need(c.fragment, "fragment", markFragmentInput, "builtin input "+quote(d.v.Name), d.own); err != nil {
				return err
			}
		}
	}
	for i := range c.outputs.list {
		// A template without the marker returns its own outputs by itself.
		if d := &c.outputs.list[i]; d.own != ownTemplate || c.fragment == nil {
			if err := need(c.fragment, "fragment", markOutputs, "output "+quote(d.v.Name), d.own); err != nil {
				return err
			}
		}
	}
	var declared Stage // the stages that declare bindings
	if hasSlot(c.vertex, markVertexDecls) {
		declared |= StageVertex
	}
	if hasSlot(c.fragment, markFragmentDecls) {
		declared |= StageFragment
	}
	for i := range c.bindings.list {
		d := &c.bindings.list[i]
		missing := d.v.Decl.Visibility &^ declared
		if missing&StageVertex != 0 {
			return need(c.vertex, "vertex", markVertexDecls, "binding "+quote(d.name), d.own)
		}
		if missing&StageFragment != 0 {
			return need(c.fragment, "fragment", markFragmentDecls, "binding "+quote(d.name), d.own)
		}
	}
	// What a stage declares of the uniforms needs their structs.
	for _, s := range []struct {
		segs  []segment
		name  string
		decls Slot
	}{{c.vertex, "vertex", markVertexDecls}, {c.fragment, "fragment", markFragmentDecls}} {
		if c.usesStructs() && hasSlot(s.segs, s.decls) && !hasSlot(s.segs, markMesh) {
			return errorf(ErrSlot, "the %s stage has /*%s*/ and no /*%s*/ for the structs of its bindings", s.name, s.decls, markMesh)
		}
	}
	for _, d := range [][]decl[Field]{c.mesh.list, c.material.list} {
		if len(d) > 0 && declared == 0 {
			return errorf(ErrSlot, "%s declares uniform field %q and the template has neither /*%s*/ nor /*%s*/",
				c.who(d[0].own), d[0].name, markVertexDecls, markFragmentDecls)
		}
	}
	for own, name := range c.globals() {
		if !hasSlot(c.vertex, markMesh) && !hasSlot(c.fragment, markMesh) {
			return errorf(ErrSlot, "%s declares %s and the template has no /*%s*/", c.who(own), name, markMesh)
		}
	}
	return nil
}

// usesStructs reports whether MU stands for anything.
func (c *composition) usesStructs() bool {
	return len(c.mesh.list)+len(c.material.list)+len(c.instance.list)+len(c.structs.list) > 0
}

// globals yields the first constant and the first struct.
func (c *composition) globals() func(func(owner, string) bool) {
	return func(yield func(owner, string) bool) {
		if d := c.constants.list; len(d) > 0 && !yield(d[0].own, "constant "+quote(d[0].v.Name)) {
			return
		}
		if d := c.structs.list; len(d) > 0 {
			yield(d[0].own, "struct "+quote(d[0].v.Name))
		}
	}
}

// checkLimits refuses what the device could not bind.
func (c *composition) checkLimits() error {
	components := 0
	for i := range c.varyings.list {
		t, err := c.ts.resolve(c.varyings.list[i].v.Type)
		if err != nil {
			return err
		}
		components += t.components()
	}
	room := c.limits.Varyings
	if c.fragment != nil && !c.opt.VertexOnly {
		room -= len(c.inputs.list) // WebGPU takes each of these builtins off the variables
	}
	if n := len(c.varyings.list); n > room {
		return errorf(ErrLimit, "%d varyings and the device has %d; the last is %q of %s",
			n, room, c.varyings.list[n-1].v.Name, c.who(c.varyings.list[n-1].own))
	}
	if components > c.limits.VaryingComponents {
		return errorf(ErrLimit, "the varyings have %d components and the device has %d", components, c.limits.VaryingComponents)
	}
	for _, u := range []struct {
		name string
		size int
	}{{meshStruct, c.sh.MeshUBO.Size}, {materialStruct, c.sh.MaterialUBO.Size}} {
		if u.size > c.limits.UniformSize {
			return errorf(ErrLimit, "%s has %d bytes and a uniform buffer at most %d", u.name, u.size, c.limits.UniformSize)
		}
	}
	for _, stage := range []Stage{StageVertex, StageFragment} {
		if err := c.checkStageLimits(stage); err != nil {
			return err
		}
	}
	return nil
}

func (c *composition) checkStageLimits(stage Stage) error {
	var uniforms, textures, samplers, storage, storageTextures int
	if c.sh.MeshUBO.Size > 0 {
		uniforms++
	}
	if c.sh.MaterialUBO.Size > 0 {
		uniforms++
	}
	over := func(what string, n, limit int, d *decl[BindGroupEntry]) error {
		if n <= limit {
			return nil
		}
		return errorf(ErrLimit, "binding %q of %s is %s number %d of the %s stage and the device has %d",
			d.v.Decl.Name, c.who(d.own), what, n, stage, limit)
	}
	for i := range c.bindings.list {
		d := &c.bindings.list[i]
		if d.v.Decl.Visibility&stage == 0 {
			continue
		}
		var err error
		switch d.v.Decl.Kind {
		case BindUniform:
			uniforms++
			if err = over("uniform buffer", uniforms, c.limits.UniformBuffers, d); err == nil && d.v.MinSize > c.limits.UniformSize {
				err = errorf(ErrLimit, "binding %q of %s has %d bytes and a uniform buffer at most %d",
					d.v.Decl.Name, c.who(d.own), d.v.MinSize, c.limits.UniformSize)
			}
		case BindTexture:
			textures++
			err = over("texture", textures, c.limits.SampledTextures, d)
		case BindSampler:
			samplers++
			err = over("sampler", samplers, c.limits.Samplers, d)
		case BindStorage:
			storage++
			err = over("storage buffer", storage, c.limits.StorageBuffers, d)
		case BindStorageTexture:
			storageTextures++
			err = over("storage texture", storageTextures, c.limits.StorageTextures, d)
		}
		if err != nil {
			return err
		}
	}
	return nil
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
	sh.VertexWGSL, sh.VertexMap = c.stageText(StageVertex, c.vertex)
	if err := lintWGSL(sh.VertexWGSL, sh.VertexMap, sh.VertexEntry); err != nil {
		return within("vertex stage", err)
	}
	if c.fragment != nil && !c.opt.VertexOnly {
		sh.FragmentWGSL, sh.FragmentMap = c.stageText(StageFragment, c.fragment)
		if err := lintWGSL(sh.FragmentWGSL, sh.FragmentMap, sh.FragmentEntry); err != nil {
			return within("fragment stage", err)
		}
	} else {
		sh.FragmentEntry, sh.Outputs = "", nil
	}
	both := StageVertex | StageFragment
	uniform := func(binding int, name, typ string, size int) BindGroupEntry {
		return BindGroupEntry{Binding: binding, MinSize: size, Decl: Binding{
			Name: name, Kind: BindUniform, Visibility: both, Type: typ,
		}}
	}
	shadow := 0
	for i := range c.bindings.list {
		if c.bindings.list[i].v.Decl.Group == GroupShadow {
			shadow++
		}
	}
	sh.Mesh = slices.Grow(sh.Mesh, len(c.bindings.list)-shadow+2)
	sh.Shadow = slices.Grow(sh.Shadow, shadow)
	if sh.MeshUBO.Size > 0 {
		sh.Mesh = append(sh.Mesh, uniform(0, meshVar, meshStruct, sh.MeshUBO.Size))
	}
	if sh.MaterialUBO.Size > 0 {
		sh.Mesh = append(sh.Mesh, uniform(1, materialVar, materialStruct, sh.MaterialUBO.Size))
	}
	for i := range c.bindings.list {
		e := c.bindings.list[i].v
		if e.Decl.Group == GroupShadow {
			sh.Shadow = append(sh.Shadow, e)
		} else {
			sh.Mesh = append(sh.Mesh, e)
		}
	}
	sh.Fragments = make([]string, len(c.fragments))
	for i, f := range c.fragments {
		sh.Fragments[i] = f.ID
	}
	sh.Key = sh.key()
	return nil
}
