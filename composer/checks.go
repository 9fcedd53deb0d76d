package composer

// slotCode is what the fragments add to a slot: a chain in composition.code.
type slotCode struct{ first, last int }

// contribution is a fragment's code for a slot.
type contribution struct {
	own  owner
	code string
	next int // index in composition.code; 0: none
}

// fillSlots sorts the fragments' code into the template's slots, in the order
// of the fragments, and refuses code that the template has no place for.
func (c *composition) fillSlots() error {
	c.slots.reserve(len(c.vertex) + len(c.fragment))
	for _, segs := range [][]segment{c.vertex, c.fragment} {
		for i := range segs {
			if s := string(segs[i].slot); s != "" && c.slots.find(s) == nil {
				c.slots.append(s, slotCode{}, ownTemplate)
			}
		}
	}
	c.code = append(c.code, contribution{}) // none has the index 0
	for i, f := range c.fragments {
		if err := c.addCode(owner(i), f); err != nil {
			return err
		}
	}
	return c.checkMarkers()
}

// addCode adds a fragment's code to the slots.
func (c *composition) addCode(own owner, f *Fragment) error {
	lacks := func(s Slot) error {
		advice := ""
		if c.t.Lacking[s] != "" {
			advice = "; " + c.t.Lacking[s]
		}
		if !isSlot(string(s)) {
			return errorf(ErrSlot, "%s has code for the slot %q, which is no name of a slot: those are capital letters, digits and _", c.who(own), s)
		}
		return errorf(ErrSlot, "%s has code for the slot %s and the template has no /*%s*/%s", c.who(own), s, s, advice)
	}
	// Of several faults, the alphabetically first is reported, whatever the map's order.
	var fault Slot
	faulty := false
	for s, code := range f.Slots {
		if code == "" {
			continue
		}
		d := c.slots.find(string(s))
		if d == nil || fixedMarker(s) {
			if !faulty || s < fault {
				fault, faulty = s, true
			}
			continue
		}
		k := len(c.code)
		c.code = append(c.code, contribution{own: own, code: code})
		if d.v.first == 0 {
			d.v.first = k
		} else {
			c.code[d.v.last].next = k
		}
		d.v.last = k
	}
	switch {
	case fixedMarker(fault):
		return errorf(ErrSlot, "%s has code for /*%s*/, which the composer fills itself; use a slot or a helper", c.who(own), fault)
	case faulty:
		return lacks(fault)
	case f.VertexHelpers != "" && c.slots.find(string(markVertexHelpers)) == nil:
		return lacks(markVertexHelpers)
	case f.FragmentHelpers != "" && c.slots.find(string(markFragmentHelpers)) == nil:
		return lacks(markFragmentHelpers)
	}
	return nil
}

// firstCode is the index in code of what the fragments add to a slot.
func (c *composition) firstCode(s Slot) int {
	if d := c.slots.find(string(s)); d != nil {
		return d.v.first
	}
	return 0
}

// checkMarkers refuses declarations whose marker the template lacks.
func (c *composition) checkMarkers() error {
	need := func(segs []segment, stage string, s Slot, what, name string, own owner) error {
		if hasSlot(segs, s) {
			return nil
		}
		return errorf(ErrSlot, "%s declares %s %q and the template's %s stage has no /*%s*/", c.who(own), what, name, stage, s)
	}
	if d := c.attributes.list; len(d) > 0 {
		if err := need(c.vertex, "vertex", markVertexInput, "attribute", d[0].v.Name, d[0].own); err != nil {
			return err
		}
		if err := need(c.vertex, "vertex", markVertexParams, "attribute", d[0].v.Name, d[0].own); err != nil && !c.t.OwnEntries {
			return err
		}
	}
	if d := c.builtins.list; len(d) > 0 {
		err := need(c.vertex, "vertex", markVertexParams, "builtin input", d[0].v.Name, d[0].own)
		if err != nil && (!c.t.OwnEntries || len(c.attributes.list) == 0) {
			return err
		}
		for i := range d {
			if err != nil && c.attributes.find(d[i].v.Name) != nil {
				return errorf(ErrConflict, "builtin input %q of %s has the name of an attribute; choose another", d[i].v.Name, c.who(d[i].own))
			}
		}
	}
	if d := c.varyings.list; len(d) > 0 {
		if err := need(c.vertex, "vertex", markVertexOutput, "varying", d[0].v.Name, d[0].own); err != nil {
			return err
		}
		if c.fragment != nil {
			if err := need(c.fragment, "fragment", markFragmentInput, "varying", d[0].v.Name, d[0].own); err != nil {
				return err
			}
		}
	}
	for i := range c.inputs.list {
		if d := &c.inputs.list[i]; d.own != ownTemplate {
			if err := need(c.fragment, "fragment", markFragmentInput, "builtin input", d.v.Name, d.own); err != nil {
				return err
			}
		}
	}
	for i := range c.outputs.list {
		// A template without the marker returns its own outputs by itself.
		if d := &c.outputs.list[i]; d.own != ownTemplate || c.fragment == nil {
			if err := need(c.fragment, "fragment", markOutputs, "output", d.v.Name, d.own); err != nil {
				return err
			}
		}
	}
	if len(c.located) > 0 && hasSlot(c.fragment, markOutputs) {
		for _, s := range []Slot{markReturnType, markReturn} {
			if !hasSlot(c.fragment, s) {
				o := &c.located[0]
				return errorf(ErrSlot, "output %q of %s would be lost: the template's fragment stage has /*%s*/ and no /*%s*/", o.Name, c.who(o.own), markOutputs, s)
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
			return need(c.vertex, "vertex", markVertexDecls, "binding", d.name, d.own)
		}
		if missing&StageFragment != 0 {
			return need(c.fragment, "fragment", markFragmentDecls, "binding", d.name, d.own)
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
	return c.checkGlobals()
}

// checkGlobals refuses constants and structs that the template has no place for.
func (c *composition) checkGlobals() error {
	has := func(s Slot) bool { return hasSlot(c.vertex, s) || hasSlot(c.fragment, s) }
	if d := c.constants.list; len(d) > 0 && !has(markMesh) && !has(markConstants) {
		return errorf(ErrSlot, "%s declares constant %q and the template has neither /*%s*/ nor /*%s*/", c.who(d[0].own), d[0].name, markMesh, markConstants)
	}
	if d := c.structs.list; len(d) > 0 && !has(markMesh) {
		return errorf(ErrSlot, "%s declares struct %q and the template has no /*%s*/", c.who(d[0].own), d[0].name, markMesh)
	}
	return nil
}

// usesStructs reports whether MU stands for anything.
func (c *composition) usesStructs() bool {
	return len(c.mesh.list)+len(c.material.list)+len(c.instance.list)+len(c.structs.list) > 0
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
	}{{c.meshStruct(), c.sh.MeshUBO.Size}, {c.materialStruct(), c.sh.MaterialUBO.Size}} {
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
	over := func(what string, n, limit int, d *decl[*BindGroupEntry]) error {
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
