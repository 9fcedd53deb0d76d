package composer

import (
	"strconv"
	"sync"
)

// composition is the state of one call of Compose.
type composition struct {
	t         *Template
	fragments []*Fragment
	opt       Options
	limits    Limits
	sh        *Shader
	room

	vertex, fragment []segment // the template's stages; a nil fragment is none

	// hasMaterial says that the template gives the material its own UBO.
	hasMaterial bool
	// instanceIndex is the name of the builtin that indexes the instances, and
	// instanced are the stages that load them.
	instanceIndex string
	instanced     Stage
	// vertexBodies and fragmentBodies are the structs that the composer has
	// written into each stage.
	vertexBodies, fragmentBodies []body
}

// room is what a composition fills and no shader keeps: the next one fills it
// again.
type room struct {
	graph graph
	ts    types
	lint  linter

	constants  decls[Constant]
	structs    decls[Struct]
	attributes decls[Attribute]
	varyings   decls[Varying]
	builtins   decls[Builtin]
	mesh       decls[Field]
	material   decls[Field]
	instance   decls[Field]
	outputs    decls[Output]
	bindings   decls[*BindGroupEntry] // they lie in sh.Mesh and sh.Shadow
	textures   decls[namedTexture]
	inputs     decls[Builtin] // of the fragment stage

	segments []segment // of both stages
	fields   []Field   // of the buffer that is laid out
	// slots holds the template's markers and what the fragments add to them.
	slots decls[slotCode]
	code  []contribution
	// located are the outputs that are written, in order of location.
	located []locatedOutput
	bodies  []body // of both stages
}

// maxKept is the most WGSL, in bytes, of a composition whose room is kept: a
// shader in a thousand must not make all later ones empty its tables.
const maxKept = 256 << 10

// compositions are those whose room serves again.
var compositions = sync.Pool{New: func() any { return new(composition) }}

// reset empties the room and forgets the rest. It lets go of all that the
// composition has been given.
func (c *composition) reset() {
	*c = composition{room: c.room}
	c.graph.reset()
	c.ts = types{memo: c.ts.memo}
	c.ts.memo.reset()
	c.lint.reset("", SourceMap{}, nil)
	c.constants.reset()
	c.structs.reset()
	c.attributes.reset()
	c.varyings.reset()
	c.builtins.reset()
	c.mesh.reset()
	c.material.reset()
	c.instance.reset()
	c.outputs.reset()
	c.bindings.reset()
	c.textures.reset()
	c.inputs.reset()
	c.slots.reset()
	c.segments, c.fields, c.code, c.located = emptied(c.segments), emptied(c.fields), emptied(c.code), emptied(c.located)
	c.bodies = c.bodies[:0]
}

// emptied is the room of s.
func emptied[T any](s []T) []T {
	clear(s)
	return s[:0]
}

// namedTexture is a texture of Fragment.Textures: its bindings, the stages
// that see them, and the helper that samples it.
type namedTexture struct {
	texture, sampler, helper string
	stages                   Stage
}

// who names an owner in an error.
func (c *composition) who(o owner) string {
	if o == ownTemplate {
		return "template " + quote(c.t.ID)
	}
	return "fragment " + quote(c.fragments[o].ID)
}

// conflict is the error of one name declared in two ways.
func (c *composition) conflict(what, name, is1 string, o1 owner, is2 string, o2 owner) error {
	return errorf(ErrConflict, "%s %q is %s in %s and %s in %s; rename one or agree on one declaration",
		what, name, is1, c.who(o1), is2, c.who(o2))
}

// collect merges the declarations of the template and of the fragments.
func (c *composition) collect() error {
	t := c.t
	c.hasMaterial = t.MaterialFields != nil
	base := &Fragment{
		Constants: t.Constants, Structs: t.Structs, Attributes: t.Attributes, Varyings: t.Varyings,
		VertexBuiltins: t.Builtins, FragmentBuiltins: t.FragmentBuiltins,
		MeshFields: t.MeshFields, Fields: t.MaterialFields, Outputs: t.Outputs,
	}
	if c.fragment != nil && hasSlot(c.fragment, markFragmentInput) {
		c.inputs.append("frontFacing", Builtin{"frontFacing", "front_facing", "bool"}, ownTemplate)
	}
	fields, material := len(t.MeshFields), len(t.MaterialFields)
	for _, f := range c.fragments {
		fields += len(f.MeshFields)
		material += len(f.Fields)
	}
	if !c.hasMaterial {
		fields, material = fields+material, 0
	}
	c.mesh.reserve(fields)
	c.material.reserve(material)
	for _, step := range [...]func(*composition, owner, *Fragment) error{
		(*composition).addConstants, (*composition).addStructs, (*composition).markUniforms,
		(*composition).addAttributes, (*composition).addVaryings,
		(*composition).addVertexBuiltins, (*composition).addFragmentBuiltins,
		(*composition).addFields, (*composition).addOutputs,
	} {
		if err := step(c, ownTemplate, base); err != nil {
			return err
		}
		for i, f := range c.fragments {
			if err := step(c, owner(i), f); err != nil {
				if e, ok := err.(*Error); ok && e.Kind == ErrConflict {
					return err // names both already
				}
				return within(c.who(owner(i)), err)
			}
		}
	}
	return c.addInstanceIndex()
}

// markUniforms finds the structs that lie in a uniform buffer. They must be
// known before any type is laid out.
func (c *composition) markUniforms(own owner, f *Fragment) error {
	c.ts.markFields(f.MeshFields)
	c.ts.markFields(f.Fields)
	lists := [][]Binding{f.VertexBindings, f.Bindings}
	if own == ownTemplate {
		lists = [][]Binding{c.t.VertexBindings, c.t.Bindings}
	}
	for _, list := range lists {
		for i := range list {
			if list[i].Kind == BindUniform {
				c.ts.markType(list[i].Type)
			}
		}
	}
	return nil
}

func (c *composition) addConstants(own owner, f *Fragment) error {
	for _, k := range f.Constants {
		if err := checkGlobal("constant", k.Name); err != nil {
			return err
		}
		lit, err := k.literal()
		if err != nil {
			return err
		}
		if old := c.constants.find(k.Name); old != nil {
			if !sameConstant(old.v, k) {
				was, _ := old.v.literal()
				return c.conflict("constant", k.Name, was, old.own, lit, own)
			}
			continue
		}
		if v, ok := integer(k.Value); ok && k.Type != "f32" {
			if c.ts.consts == nil {
				c.ts.consts = make(map[string]int64)
			}
			c.ts.consts[k.Name] = v
		}
		c.constants.append(k.Name, k, own)
	}
	return nil
}

func (c *composition) addStructs(own owner, f *Fragment) error {
	for _, s := range f.Structs {
		if old := c.structs.find(s.Name); old != nil {
			if !c.sameFields(old.v.Fields, s.Fields) {
				return c.conflict("struct", s.Name, fieldsText(old.v.Fields), old.own, fieldsText(s.Fields), own)
			}
			continue
		}
		if err := checkGlobal("struct", s.Name); err != nil {
			return err
		}
		c.structs.append(s.Name, s, own)
		c.ts.declare(s)
	}
	return nil
}

// sameFields compares two structs' fields, whatever the spelling of their types.
func (c *composition) sameFields(a, b []Field) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i].Name != b[i].Name || !sameTypeText(a[i].Type, b[i].Type) {
			return false
		}
	}
	return true
}

func fieldsText(fields []Field) string {
	s := "{"
	for i, f := range fields {
		if i > 0 {
			s += ", "
		}
		s += f.Name + ": " + f.Type
	}
	return s + "}"
}

func (c *composition) addAttributes(own owner, f *Fragment) error {
	for _, a := range f.Attributes {
		if err := checkIdent("attribute", a.Name); err != nil {
			return err
		}
		t, err := c.interfaceType(a.Type)
		if err != nil {
			return within("attribute "+quote(a.Name), err)
		}
		a.Type = t.text
		if a.Format == "" {
			a.Format = defaultFormat(t)
		}
		if a.Step == "" {
			a.Step = StepVertex
		}
		if old := c.attributes.find(a.Name); old != nil {
			if old.v != a {
				return c.conflict("attribute", a.Name, attributeText(old.v), old.own, attributeText(a), own)
			}
			continue
		}
		c.attributes.append(a.Name, a, own)
	}
	return nil
}

func (c *composition) addVaryings(own owner, f *Fragment) error {
	for _, v := range f.Varyings {
		if err := checkIdent("varying", v.Name); err != nil {
			return err
		}
		if v.Name == "position" || v.Name == "frontFacing" {
			return errorf(ErrName, "varying %q has the name of a builtin of the stage; choose another", v.Name)
		}
		if err := c.checkVarying(&v); err != nil {
			return within("varying "+quote(v.Name), err)
		}
		if old := c.varyings.find(v.Name); old != nil {
			if old.v != v {
				return c.conflict("varying", v.Name, varyingText(old.v), old.own, varyingText(v), own)
			}
			continue
		}
		c.varyings.append(v.Name, v, own)
	}
	return nil
}

// checkVarying normalises a varying's type and interpolation.
func (c *composition) checkVarying(v *Varying) error {
	t, err := c.interfaceType(v.Type)
	if err != nil {
		return err
	}
	v.Type = t.text
	kind, sampling := splitComma(v.Interpolate)
	switch kind {
	case "":
		if t.scalar != 'f' {
			v.Interpolate = "flat" // the only one that WGSL allows for integers
			return nil
		}
		if sampling != "" {
			return errorf(ErrType, "interpolation %q does not start with perspective, linear or flat", v.Interpolate)
		}
		return nil
	case "flat":
		if sampling != "" {
			return errorf(ErrType, "interpolation %q: flat takes no sampling in the backend", v.Interpolate)
		}
		v.Interpolate = "flat"
		return nil
	case "perspective", "linear":
		if t.scalar != 'f' {
			return errorf(ErrType, "%s cannot be interpolated %q; use flat", t.text, v.Interpolate)
		}
		switch sampling {
		case "":
			v.Interpolate = kind
		case "center", "centroid", "sample":
			v.Interpolate = kind + ", " + sampling
		default:
			return errorf(ErrType, "interpolation %q: the sampling is center, centroid or sample", v.Interpolate)
		}
		return nil
	}
	return errorf(ErrType, "interpolation %q does not start with perspective, linear or flat", v.Interpolate)
}

// interfaceType resolves the type of an attribute, varying or output: a
// numeric scalar or vector.
func (c *composition) interfaceType(text string) (*wgslType, error) {
	t, err := c.ts.resolve(text)
	if err != nil {
		return nil, err
	}
	if t.kind != kindScalar && t.kind != kindVector {
		return nil, errorf(ErrType, "%s cannot pass between stages; use a scalar or vector", t.text)
	}
	return t, nil
}

func (c *composition) addFields(own owner, f *Fragment) error {
	if err := c.mergeFields(&c.mesh, "mesh field", own, f.MeshFields); err != nil {
		return err
	}
	into, what := &c.material, "material field"
	if !c.hasMaterial {
		into, what = &c.mesh, "mesh field"
	}
	if err := c.mergeFields(into, what, own, f.Fields); err != nil {
		return err
	}
	return c.mergeFields(&c.instance, "instance field", own, f.InstanceFields)
}

func (c *composition) mergeFields(d *decls[Field], what string, own owner, fields []Field) error {
	for _, f := range fields {
		if err := checkIdent(what, f.Name); err != nil {
			return err
		}
		if old := d.find(f.Name); old != nil {
			if !sameTypeText(old.v.Type, f.Type) {
				return c.conflict(what, f.Name, old.v.Type, old.own, f.Type, own)
			}
			continue
		}
		d.append(f.Name, f, own)
	}
	return nil
}

func (c *composition) addOutputs(own owner, f *Fragment) error {
	for _, o := range f.Outputs {
		if err := checkIdent("output", o.Name); err != nil {
			return err
		}
		t, err := c.interfaceType(o.Type)
		if err != nil {
			return within("output "+quote(o.Name), err)
		}
		o.Type = t.text
		if old := c.outputs.find(o.Name); old != nil {
			if old.v != o {
				return c.conflict("output", o.Name, old.v.Type, old.own, o.Type, own)
			}
			continue
		}
		c.outputs.append(o.Name, o, own)
	}
	return nil
}

func attributeText(a Attribute) string {
	s := a.Type + " from " + string(a.Format) + " per " + string(a.Step)
	if a.Buffer != "" {
		s += " in buffer " + quote(a.Buffer)
	}
	if a.Offset != 0 || a.Stride != 0 {
		s += " at offset " + strconv.Itoa(a.Offset) + ", stride " + strconv.Itoa(a.Stride)
	}
	return s
}

func varyingText(v Varying) string {
	if v.Interpolate == "" {
		return v.Type
	}
	return v.Type + " (" + v.Interpolate + ")"
}
