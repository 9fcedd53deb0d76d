package composer

// Layout places fields in a uniform buffer by the rules of WGSL: each field
// at the next multiple of its alignment, a vec3 aligned to 16 with size 12,
// an array's stride its element's size rounded up to its alignment, a
// matrix as an array of column vectors. The size is rounded up to 16.
//
// The uniform address space asks more of nested types: an array's stride
// must be a multiple of 16 (array<f32, 4> is refused, with advice), and a
// nested struct or array lies at a multiple of 16. The composer sees to the
// second with @align(16) on the first member of every struct that a uniform
// buffer holds, and on members that need it: UBO.Body writes them, and StructWGSL
// gives the declarations that go with the layout.
func Layout(fields []Field, structs []Struct) (UBO, error) {
	ts, err := newTypes(structs)
	if err != nil {
		return UBO{}, err
	}
	ts.markFields(fields)
	return ts.layout(fields, true, false)
}

// StorageLayout places fields in one element of a storage buffer's array.
// Strides below 16 are allowed there. The first member is aligned to 16, so
// that the element's size is the array's stride.
func StorageLayout(fields []Field, structs []Struct) (UBO, error) {
	ts, err := newTypes(structs)
	if err != nil {
		return UBO{}, err
	}
	return ts.layout(fields, false, false)
}

// StructWGSL declares structs as Layout of the same fields and structs
// assumes them.
func StructWGSL(fields []Field, structs []Struct) (string, error) {
	ts, err := newTypes(structs)
	if err != nil {
		return "", err
	}
	ts.markFields(fields)
	var b []byte
	for _, s := range structs {
		t, err := ts.structType(ts.structs[s.Name], 0)
		if err != nil {
			return "", err
		}
		b = append(b, "struct "+s.Name+" {\n"...)
		b = append(t.appendMembers(b), "}\n"...)
	}
	return string(b), nil
}

// markFields aligns the structs that the fields can reach, for the uniform
// address space. It must run before any struct is laid out.
func (ts *types) markFields(fields []Field) {
	for _, f := range fields {
		ts.markType(f.Type)
	}
}

// markType aligns the structs that a type's text names.
func (ts *types) markType(text string) {
	if len(ts.structs) == 0 {
		return
	}
	for len(text) > 0 {
		n := 0
		for n < len(text) && (isNameByte(text[n]) || text[n] >= 0x80) {
			n++
		}
		if n == 0 {
			text = text[1:]
			continue
		}
		if s := ts.structs[text[:n]]; s != nil && !s.aligned {
			s.aligned = true
			ts.markFields(s.Fields)
		}
		text = text[n:]
	}
}

// structType lays out a declared struct.
func (ts *types) structType(s *structDecl, depth int) (*wgslType, error) {
	if s.typ != nil {
		return s.typ, nil
	}
	if s.busy {
		return nil, errorf(ErrType, "struct %q contains itself", s.Name)
	}
	if err := checkGlobal("struct", s.Name); err != nil {
		return nil, err
	}
	s.busy = true
	defer func() { s.busy = false }()
	t, err := ts.place(s.Fields, depth+1, s.aligned, false)
	if err == nil && s.aligned {
		t.alignTo16()
		err = uniformable(t)
	}
	if err != nil {
		return nil, within("struct "+quote(s.Name), err)
	}
	t.text = s.Name
	t.size = roundUp(t.size, t.align)
	s.typ = t
	return t, nil
}

// place resolves the fields of a struct and gives them offsets, those of the
// uniform address space if aligned. The size is not rounded up yet. The names
// of fields that are known have been checked.
func (ts *types) place(fields []Field, depth int, aligned, known bool) (*wgslType, error) {
	if len(fields) == 0 {
		return nil, errorf(ErrType, "a struct needs at least one field")
	}
	s := &wgslType{kind: kindStruct, members: make([]member, 0, len(fields)), align: 1, native: 1}
	var seen map[string]bool // for long lists
	if len(fields) > shortList && !known {
		seen = make(map[string]bool, len(fields))
	}
	for i, f := range fields {
		if !known {
			if err := checkIdent("field", f.Name); err != nil {
				return nil, err
			}
			if seen[f.Name] || seen == nil && s.member(f.Name) != nil {
				return nil, errorf(ErrConflict, "field %q is declared twice", f.Name)
			}
			if seen != nil {
				seen[f.Name] = true
			}
		}
		t, err := ts.resolveAt(f.Type, depth)
		if err == nil {
			s.depth = max(s.depth, t.depth+1)
			align := t.align
			if aligned && t.kind == kindArray {
				align = max(align, 16)
			}
			m := member{name: f.Name, typ: t, offset: roundUp(s.size, align)}
			if align > t.native {
				// Spelt out, since compilers disagree on what a struct's own @align is worth.
				m.align = align
			}
			s.members = append(s.members, m)
			s.size = m.offset + t.size
			s.align = max(s.align, align)
			s.native = max(s.native, t.native)
			switch {
			case t.unsized() && i < len(fields)-1:
				err = errorf(ErrType, "a runtime-sized array must be the last field")
			case s.depth > maxTypeDepth:
				err = errorf(ErrType, "nested more than %d deep", maxTypeDepth)
			case s.size > maxTypeSize:
				err = errorf(ErrType, "the buffer is larger than %d bytes", maxTypeSize)
			}
		}
		if err != nil {
			return nil, within("field "+quote(f.Name), err)
		}
	}
	return s, nil
}

// alignTo16 gives a struct the alignment of 16 bytes.
func (t *wgslType) alignTo16() {
	t.align = max(t.align, 16)
	if t.native < t.align {
		t.members[0].align = t.align
	}
}

// layout builds the buffer of some fields; no fields give the zero UBO.
func (ts *types) layout(fields []Field, uniform, known bool) (UBO, error) {
	if len(fields) == 0 {
		return UBO{}, nil
	}
	root, err := ts.place(fields, 0, uniform, known)
	if err != nil {
		return UBO{}, err
	}
	if uniform {
		if err := uniformable(root); err != nil {
			return UBO{}, err
		}
	} else {
		root.alignTo16()
	}
	u := UBO{
		Size:   roundUp(root.size, 16),
		Fields: make([]UBOField, len(root.members)),
		root:   root,
	}
	for i, m := range root.members {
		if m.typ.unsized() {
			return UBO{}, errorf(ErrType, "field %q: a runtime-sized array cannot be part of this buffer", m.name)
		}
		u.Fields[i] = UBOField{Field{m.name, m.typ.text}, m.offset, m.typ.size}
	}
	return u, nil
}

// Offset is the place of a field in bytes; ok is false if there is none of that name.
func (u *UBO) Offset(name string) (offset int, ok bool) {
	for i := range u.Fields {
		if u.Fields[i].Name == name {
			return u.Fields[i].Offset, true
		}
	}
	return 0, false
}

// Body is the body of the buffer's struct in WGSL, one line a field, with the
// alignments that the layout needs.
func (u *UBO) Body() string {
	if u.root == nil {
		return ""
	}
	return string(u.root.appendMembers(make([]byte, 0, 40*len(u.root.members))))
}

// memberIndent is what stands before a member in its struct's declaration:
// the indent, and an alignment beyond that of its type.
func (t *wgslType) memberIndent(i int) string {
	if t.members[i].align == 0 {
		return "  "
	}
	return "  @align(16) " // the only one that the layout rules give rise to
}

// appendMembers appends the lines of a struct's body.
func (t *wgslType) appendMembers(b []byte) []byte {
	for i := range t.members {
		b = append(b, t.memberIndent(i)...)
		b = append(b, t.members[i].name...)
		b = append(b, ": "...)
		b = append(b, t.members[i].typ.text...)
		b = append(b, ",\n"...)
	}
	return b
}

// uniformable tells whether a type obeys the rules of the uniform address
// space (WGSL, "Address Space Layout Constraints").
func uniformable(t *wgslType) error {
	switch t.kind {
	case kindAtomic:
		return errorf(ErrType, "%s cannot be in a uniform buffer; use a storage buffer", t.text)
	case kindArray:
		if t.count == 0 {
			return errorf(ErrType, "%s has no size and a uniform buffer needs one", t.text)
		}
		if t.stride%16 != 0 {
			return errorf(ErrType, "%s has a stride of %d bytes and a uniform buffer needs a multiple of 16; use elements of vec4<%s>",
				t.text, t.stride, scalarName(t.scalar))
		}
		return uniformable(t.elem)
	case kindStruct:
		for _, m := range t.members {
			if err := uniformable(m.typ); err != nil {
				return within("field "+quote(m.name), err)
			}
		}
	}
	return nil
}
