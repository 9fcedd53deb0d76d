package composer

func (c *composition) addVertexBuiltins(own owner, f *Fragment) error {
	for _, b := range f.VertexBuiltins {
		if b.Name == "input" {
			return errorf(ErrName, "builtin input %q has the name of the attributes' parameter; choose another", b.Name)
		}
		switch b.Builtin {
		case "vertex_index", "instance_index":
		default:
			return errorf(ErrType, "%q is no builtin input of the vertex stage; vertex_index and instance_index are", b.Builtin)
		}
		if err := c.addBuiltin(&c.builtins, own, b, "u32"); err != nil {
			return err
		}
	}
	return nil
}

func (c *composition) addFragmentBuiltins(own owner, f *Fragment) error {
	for _, b := range f.FragmentBuiltins {
		if c.fragment == nil {
			return errorf(ErrSlot, "builtin input %q has no place: the template has no fragment stage", b.Name)
		}
		typ := "u32"
		switch b.Builtin {
		case "front_facing":
			typ = "bool"
		case "sample_index", "sample_mask":
		default:
			return errorf(ErrType, "%q is no builtin input of the fragment stage that a fragment can ask for; front_facing, sample_index and sample_mask are", b.Builtin)
		}
		if b.Name == "position" || c.varyings.find(b.Name) != nil {
			return errorf(ErrConflict, "builtin input %q of %s has the name of another input of the stage; choose another", b.Name, c.who(own))
		}
		if err := c.addBuiltin(&c.inputs, own, b, typ); err != nil {
			return err
		}
	}
	return nil
}

// addBuiltin merges a builtin input. WGSL allows each builtin once a stage,
// so two names for one are refused like one name for two.
func (c *composition) addBuiltin(d *decls[Builtin], own owner, b Builtin, typ string) error {
	if err := checkIdent("builtin input", b.Name); err != nil {
		return err
	}
	if b.Type == "" {
		b.Type = typ
	}
	if b.Type != typ {
		return errorf(ErrType, "builtin %s is a %s, not %q", b.Builtin, typ, b.Type)
	}
	if old := d.find(b.Name); old != nil {
		if old.v != b {
			return c.conflict("builtin input", b.Name, old.v.Builtin, old.own, b.Builtin, own)
		}
		return nil
	}
	for i := range d.list {
		if old := &d.list[i]; old.v.Builtin == b.Builtin {
			return errorf(ErrConflict, "builtin %s is named %q in %s and %q in %s; agree on one name",
				b.Builtin, old.v.Name, c.who(old.own), b.Name, c.who(own))
		}
	}
	d.append(b.Name, b, own)
	return nil
}

// addInstanceIndex sees to it that the stages which load the instance's
// values know its index.
func (c *composition) addInstanceIndex() error {
	if len(c.instance.list) == 0 {
		return nil
	}
	if hasSlot(c.vertex, markInstance) {
		c.instanced |= StageVertex
	}
	if hasSlot(c.fragment, markInstance) {
		c.instanced |= StageFragment
	}
	own := c.instance.list[0].own
	if c.instanced&StageVertex == 0 {
		return errorf(ErrSlot, "%s declares instance field %q and the template's vertex stage has no /*%s*/",
			c.who(own), c.instance.list[0].v.Name, markInstance)
	}
	for i := range c.builtins.list {
		if b := &c.builtins.list[i].v; b.Builtin == "instance_index" {
			c.instanceIndex = b.Name
		}
	}
	if c.instanceIndex == "" {
		c.instanceIndex = indexVarying
		if err := c.addBuiltin(&c.builtins, own, Builtin{indexVarying, "instance_index", "u32"}, "u32"); err != nil {
			return err
		}
	}
	if c.instanced&StageFragment != 0 {
		index := &Fragment{Varyings: []Varying{{indexVarying, "u32", "flat"}}}
		return c.addVaryings(own, index)
	}
	return nil
}
