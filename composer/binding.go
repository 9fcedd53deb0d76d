package composer

import (
	"strings"
)

// addBindings resolves and numbers the bindings in the order of the design:
// base vertex, the fragments' vertex, base fragment, the fragments' (mesh,
// then shadow). Group 2 has a counter of its own.
func (c *composition) addBindings() error {
	c.reserveBindings()
	next := [2]int{}
	switch {
	case c.hasMaterial:
		next[GroupMesh] = 2
	case len(c.mesh.list) > 0:
		next[GroupMesh] = 1
	}
	uniform := func(binding int, name, typ string, size int) {
		if size > 0 {
			c.sh.Mesh = append(c.sh.Mesh, BindGroupEntry{Binding: binding, MinSize: size, Decl: Binding{
				Name: name, Kind: BindUniform, Visibility: StageVertex | StageFragment, Type: typ,
			}})
		}
	}
	uniform(0, c.meshVar(), c.meshStruct(), c.sh.MeshUBO.Size)
	uniform(1, c.materialVar(), c.materialStruct(), c.sh.MaterialUBO.Size)
	if len(c.instance.list) > 0 {
		b := BindGroupEntry{Binding: next[GroupMesh], Decl: Binding{
			Name: instancesVar, Kind: BindStorage, Visibility: c.instanced, Type: "array<" + instanceStruct + ">", Access: AccessRead,
		}}
		next[GroupMesh]++
		c.enter(b, c.instance.list[0].own)
	}
	const any = GroupShadow + 1
	add := func(own owner, list []Binding, stage Stage, group Group) error {
		for _, b := range list {
			if group != any && (group == GroupShadow) != (b.Group == GroupShadow) {
				continue
			}
			if b.Visibility == 0 {
				b.Visibility = stage
			}
			if err := c.addBinding(own, b, &next); err != nil {
				return err
			}
		}
		return nil
	}
	if err := add(ownTemplate, c.t.VertexBindings, StageVertex, any); err != nil {
		return err
	}
	for i, f := range c.fragments {
		if err := add(owner(i), f.VertexBindings, StageVertex, any); err != nil {
			return err
		}
	}
	if err := add(ownTemplate, c.t.Bindings, StageFragment, any); err != nil {
		return err
	}
	for i, f := range c.fragments {
		if err := add(owner(i), f.Bindings, StageFragment, GroupMesh); err != nil {
			return err
		}
		for _, name := range f.Textures {
			if err := c.addTexture(owner(i), name, &next); err != nil {
				return err
			}
		}
	}
	for i, f := range c.fragments {
		if err := add(owner(i), f.Bindings, StageFragment, GroupShadow); err != nil {
			return err
		}
	}
	return nil
}

// addTexture adds the texture and sampler of a name in Fragment.Textures.
func (c *composition) addTexture(own owner, name string, next *[2]int) error {
	if err := checkIdent("texture", name); err != nil {
		return within(c.who(own), err)
	}
	// They go where the template has a place for helpers.
	var vis Stage
	if hasSlot(c.vertex, markVertexHelpers) && hasSlot(c.vertex, markVertexDecls) {
		vis |= StageVertex
	}
	if hasSlot(c.fragment, markFragmentHelpers) && hasSlot(c.fragment, markFragmentDecls) {
		vis |= StageFragment
	}
	if vis == 0 {
		return errorf(ErrSlot, "%s declares texture %q and the template has no /*%s*/ with /*%s*/ for its helpers",
			c.who(own), name, markFragmentHelpers, markFragmentDecls)
	}
	t := namedTexture{name + "Texture", name + "Sampler", samplerName(name), vis}
	if err := c.addBinding(own, Binding{Name: t.texture, Kind: BindTexture, Visibility: vis, Type: "texture_2d<f32>"}, next); err != nil {
		return err
	}
	if err := c.addBinding(own, Binding{Name: t.sampler, Kind: BindSampler, Visibility: vis}, next); err != nil {
		return err
	}
	if c.textures.find(name) == nil {
		c.textures.append(name, t, own)
	}
	return nil
}

func (c *composition) addBinding(own owner, b Binding, next *[2]int) error {
	bad := func(err error) error { return within(c.who(own)+", binding "+quote(b.Name), err) }
	if err := checkGlobal("binding", b.Name); err != nil {
		return within(c.who(own), err)
	}
	if b.Group > GroupShadow {
		return bad(errorf(ErrType, "the groups are GroupMesh and GroupShadow"))
	}
	if b.Visibility&^(StageVertex|StageFragment) != 0 {
		return bad(errorf(ErrType, "it can be visible to the vertex and the fragment stage only"))
	}
	bound, err := c.resolveBinding(b)
	if err != nil {
		return bad(err)
	}
	if old := c.bindings.find(b.Name); old != nil {
		was, is := old.v.Decl, bound.Decl
		was.Visibility, is.Visibility = 0, 0
		if was != is {
			return c.conflict("binding", b.Name, bindingText(was), old.own, bindingText(is), own)
		}
		// One declared by hand and by Textures is the same binding too.
		old.v.Decl.Visibility |= b.Visibility
		if err := checkVisibility(old.v.Decl); err != nil {
			return bad(err)
		}
		return nil
	}
	if b.Visibility&StageFragment != 0 && c.fragment == nil {
		return bad(errorf(ErrSlot, "it is visible to the fragment stage and template %q has none", c.t.ID))
	}
	if err := checkVisibility(bound.Decl); err != nil {
		return bad(err)
	}
	bound.Binding = next[b.Group]
	next[b.Group]++
	c.enter(bound, own)
	return nil
}

// reserveBindings makes room for all entries, so that they stay where they are.
func (c *composition) reserveBindings() {
	mesh, shadow := 3, 0 // two uniform buffers and the instances
	count := func(list []Binding) {
		for i := range list {
			if list[i].Group == GroupShadow {
				shadow++
			} else {
				mesh++
			}
		}
	}
	count(c.t.VertexBindings)
	count(c.t.Bindings)
	for _, f := range c.fragments {
		count(f.VertexBindings)
		count(f.Bindings)
		mesh += 2 * len(f.Textures)
	}
	c.sh.Mesh = make([]BindGroupEntry, 0, mesh)
	if shadow > 0 {
		c.sh.Shadow = make([]BindGroupEntry, 0, shadow)
	}
	c.bindings.reserve(mesh + shadow)
}

// enter puts a binding into its group's layout.
func (c *composition) enter(b BindGroupEntry, own owner) {
	list := &c.sh.Mesh
	if b.Decl.Group == GroupShadow {
		list = &c.sh.Shadow
	}
	*list = append(*list, b)
	c.bindings.append(b.Decl.Name, &(*list)[len(*list)-1], own)
}

// checkVisibility refuses writes from the vertex stage, which WebGPU does not allow.
func checkVisibility(b Binding) error {
	if b.Visibility&StageVertex != 0 && (b.Kind == BindStorage || b.Kind == BindStorageTexture) && b.Access != AccessRead {
		return errorf(ErrType, "the vertex stage cannot write; make it read only or visible to the fragment stage alone")
	}
	return nil
}

// resolveBinding checks a binding and fills in what its type implies.
func (c *composition) resolveBinding(b Binding) (BindGroupEntry, error) {
	var r BindGroupEntry
	var err error
	misplaced := func(is bool, what string) {
		if is && err == nil {
			err = errorf(ErrType, "%s has no meaning for %s", what, b.Kind)
		}
	}
	misplaced(b.Sample != "" && b.Kind != BindTexture, "Sample")
	misplaced(b.Sampler != "" && b.Kind != BindSampler, "Sampler")
	misplaced(b.Access != "" && b.Kind != BindStorage && b.Kind != BindStorageTexture, "Access")
	misplaced(b.Format != "" && b.Kind != BindStorageTexture, "Format")
	if err != nil {
		return r, err
	}
	switch b.Kind {
	case BindUniform:
		err = c.resolveBuffer(&b, &r)
	case BindStorage:
		switch b.Access {
		case "":
			b.Access = AccessRead
		case AccessRead, AccessReadWrite:
		default:
			return r, errorf(ErrType, "a storage buffer is read or read_write, not %q", b.Access)
		}
		err = c.resolveBuffer(&b, &r)
	case BindTexture:
		err = resolveTexture(&b, &r)
	case BindSampler:
		err = resolveSampler(&b)
	case BindStorageTexture:
		err = resolveStorageTexture(&b, &r)
	default:
		return r, errorf(ErrType, "its Kind is not set")
	}
	r.Decl = b
	return r, err
}

// String names the kind in errors and listings.
func (k BindingKind) String() string {
	switch k {
	case BindUniform:
		return "a uniform buffer"
	case BindStorage:
		return "a storage buffer"
	case BindTexture:
		return "a texture"
	case BindSampler:
		return "a sampler"
	case BindStorageTexture:
		return "a storage texture"
	}
	return "an unknown kind"
}

func (c *composition) resolveBuffer(b *Binding, r *BindGroupEntry) error {
	if b.Type == "" {
		return errorf(ErrType, "%s needs a Type: a struct or another host-shareable type", b.Kind)
	}
	t, err := c.ts.resolve(b.Type)
	if err != nil {
		if checkIdent("", b.Type) != nil {
			return err
		}
		// A struct that the template's or a fragment's code declares: its size is not known here.
		return nil
	}
	b.Type = t.text
	if b.Kind == BindUniform {
		if err := uniformable(t); err != nil {
			return err
		}
		r.MinSize = roundUp(t.size, 16)
	}
	return nil
}

func resolveTexture(b *Binding, r *BindGroupEntry) error {
	name, args := splitType(b.Type)
	r.Dimension = View2D
	depth := false
	switch name {
	case "texture_1d":
		r.Dimension = View1D
	case "texture_2d":
	case "texture_2d_array":
		r.Dimension = View2DArray
	case "texture_3d":
		r.Dimension = View3D
	case "texture_cube":
		r.Dimension = ViewCube
	case "texture_cube_array":
		r.Dimension = ViewCubeArray
	case "texture_multisampled_2d":
		r.Multisampled = true
	case "texture_depth_2d":
		depth = true
	case "texture_depth_2d_array":
		depth, r.Dimension = true, View2DArray
	case "texture_depth_cube":
		depth, r.Dimension = true, ViewCube
	case "texture_depth_cube_array":
		depth, r.Dimension = true, ViewCubeArray
	case "texture_depth_multisampled_2d":
		depth, r.Multisampled = true, true
	case "":
		return errorf(ErrType, "a texture needs a Type such as texture_2d<f32>")
	default:
		return errorf(ErrType, "%q is no texture type of the backend", b.Type)
	}
	var allowed [2]SampleType
	switch {
	case depth && args == "":
		allowed[0] = SampleDepth
		b.Type = name
	case depth:
		return errorf(ErrType, "%s takes no <%s>", name, args)
	case args == "f32" && r.Multisampled:
		// WebGPU has no filterable multisampled texture.
		allowed[0] = SampleUnfilterableFloat
	case args == "f32":
		allowed = [2]SampleType{SampleFloat, SampleUnfilterableFloat}
	case args == "i32":
		allowed[0] = SampleSint
	case args == "u32":
		allowed[0] = SampleUint
	default:
		return errorf(ErrType, "%s holds f32, i32 or u32, as in %s<f32>, not <%s>", name, name, args)
	}
	if !depth && len(b.Type) != len(name)+len("<>")+len(args) { // else it is spelled so
		b.Type = name + "<" + args + ">"
	}
	if b.Sample == "" {
		b.Sample = allowed[0]
	}
	if b.Sample != allowed[0] && b.Sample != allowed[1] {
		return errorf(ErrType, "%s has the sample type %q, not %q", b.Type, allowed[0], b.Sample)
	}
	return nil
}

func resolveSampler(b *Binding) error {
	want := "sampler"
	switch b.Sampler {
	case "":
		b.Sampler = SamplerFiltering
		if squeeze(b.Type) == "sampler_comparison" {
			b.Sampler, want = SamplerComparison, "sampler_comparison"
		}
	case SamplerFiltering, SamplerNonFiltering:
	case SamplerComparison:
		want = "sampler_comparison"
	default:
		return errorf(ErrType, "%q is no sampler kind; filtering, non-filtering and comparison are", b.Sampler)
	}
	if t := squeeze(b.Type); t != "" && t != want {
		return errorf(ErrType, "a %s sampler has the type %s, not %q", b.Sampler, want, b.Type)
	}
	b.Type = want
	return nil
}

func resolveStorageTexture(b *Binding, r *BindGroupEntry) error {
	name, args := splitType(b.Type)
	switch name {
	case "texture_storage_1d":
		r.Dimension = View1D
	case "texture_storage_2d":
		r.Dimension = View2D
	case "texture_storage_2d_array":
		r.Dimension = View2DArray
	case "texture_storage_3d":
		r.Dimension = View3D
	default:
		return errorf(ErrType, "%q is no storage texture type, such as texture_storage_2d<rgba8unorm, write>", b.Type)
	}
	if args != "" {
		format, access := splitComma(args)
		if b.Format != "" && string(b.Format) != format || b.Access != "" && access != "" && string(b.Access) != access {
			return errorf(ErrType, "the type %q contradicts the format %q or the access %q", b.Type, b.Format, b.Access)
		}
		b.Format = TextureFormat(format)
		if access != "" {
			b.Access = Access(access)
		}
	}
	if b.Access == "" {
		b.Access = AccessWrite
	}
	reads, writes := b.Format.storage()
	switch b.Access {
	case AccessRead:
	case AccessWrite:
	case AccessReadWrite:
		writes = reads
	default:
		return errorf(ErrType, "%q is no access; read, write and read_write are", b.Access)
	}
	if !writes {
		return errorf(ErrType, "a storage texture with access %s cannot have the format %q", b.Access, b.Format)
	}
	b.Type = name + "<" + string(b.Format) + ", " + string(b.Access) + ">"
	return nil
}

// splitType splits "texture_2d < f32 >" into "texture_2d" and "f32".
func splitType(text string) (name, args string) {
	text = squeeze(text)
	if i := strings.IndexByte(text, '<'); i >= 0 && strings.HasSuffix(text, ">") {
		return text[:i], strings.TrimSuffix(text[i+1:len(text)-1], ",")
	}
	return text, ""
}

// splitComma splits "a, b" at the comma and drops the spaces.
func splitComma(text string) (a, b string) {
	a, b, _ = strings.Cut(squeeze(text), ",")
	return a, b
}

// squeeze removes all white space.
func squeeze(s string) string {
	if !strings.ContainsAny(s, " \t\r\n") {
		return s
	}
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(" \t\r\n", r) {
			return -1
		}
		return r
	}, s)
}

func bindingText(b Binding) string {
	s := b.Type
	switch b.Kind {
	case BindUniform:
		s = "uniform " + s
	case BindStorage:
		s = "storage " + string(b.Access) + " " + s
	case BindTexture:
		s += " (" + string(b.Sample) + ")"
	case BindSampler:
		s += " (" + string(b.Sampler) + ")"
	}
	if b.Group == GroupShadow {
		s += " in the shadow group"
	}
	return s
}

// addressSpace is what stands between "var" and the name of a buffer, nothing for the other kinds.
func addressSpace(b *Binding) string {
	switch {
	case b.Kind == BindUniform:
		return "<uniform>"
	case b.Kind == BindStorage && b.Access == AccessRead:
		return "<storage, read>"
	case b.Kind == BindStorage:
		return "<storage, read_write>"
	}
	return ""
}
