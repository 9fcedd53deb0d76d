package composer

// vertexBuffers assigns shader locations in the order of declaration and
// groups the attributes into buffers, in the order of first appearance.
func (c *composition) vertexBuffers() ([]VertexBuffer, error) {
	if len(c.attributes.list) == 0 {
		return nil, nil
	}
	buffers := make([]VertexBuffer, 0, len(c.attributes.list))
	for loc := range c.attributes.list {
		d := &c.attributes.list[loc]
		a := d.v
		fail := func(kind error, format string, args ...any) error {
			return within(c.who(d.own)+", attribute "+quote(a.Name), errorf(kind, format, args...))
		}
		if loc >= c.limits.VertexAttributes {
			return nil, fail(ErrLimit, "location %d is beyond the %d attributes of the device", loc, c.limits.VertexAttributes)
		}
		if a.Format.Size() == 0 {
			return nil, fail(ErrType, "unknown vertex format %q", a.Format)
		}
		if t, err := c.ts.resolve(a.Type); err != nil {
			return nil, err
		} else if !a.Format.feeds(t) {
			return nil, fail(ErrType, "the format %s gives %s and cannot feed a %s",
				a.Format, scalarName(a.Format.info().scalar), a.Type)
		}
		va := VertexBufferAttribute{a, loc}
		if a.Buffer == "" {
			if i := bufferNamed(buffers, a.Name); i >= 0 {
				return nil, c.sharedName(a.Name, c.attributes.find(buffers[i].Attributes[0].Name).own, d.own)
			}
			buffers = append(buffers, VertexBuffer{Name: a.Name, Stride: a.Stride, Step: a.Step, Attributes: []VertexBufferAttribute{va}})
			continue
		}
		if o := c.attributes.find(a.Buffer); o != nil && o.v.Buffer == "" {
			return nil, c.sharedName(a.Buffer, d.own, o.own)
		}
		i := bufferNamed(buffers, a.Buffer)
		if i < 0 {
			buffers = append(buffers, VertexBuffer{Name: a.Buffer, Stride: a.Stride, Step: a.Step, Attributes: []VertexBufferAttribute{va}})
			continue
		}
		b := &buffers[i]
		first := c.attributes.find(b.Attributes[0].Name)
		if b.Step != a.Step {
			return nil, c.conflict("the step of buffer", b.Name, string(b.Step), first.own, string(a.Step), d.own)
		}
		if a.Stride != 0 {
			for _, o := range b.Attributes {
				if o.Stride != 0 && o.Stride != a.Stride {
					return nil, errorf(ErrConflict, "buffer %q has a stride of %d in %s and of %d in %s; agree on one",
						b.Name, o.Stride, c.who(c.attributes.find(o.Name).own), a.Stride, c.who(d.own))
				}
			}
			b.Stride = a.Stride
		}
		for _, o := range b.Attributes {
			if a.Offset < o.Offset+o.Format.Size() && o.Offset < a.Offset+a.Format.Size() {
				return nil, errorf(ErrConflict, "attributes %q (%s) and %q (%s) overlap at byte %d of buffer %q; set their offsets",
					o.Name, c.who(c.attributes.find(o.Name).own), a.Name, c.who(d.own), max(a.Offset, o.Offset), b.Name)
			}
		}
		b.Attributes = append(b.Attributes, va)
	}
	for i := range buffers {
		b := &buffers[i]
		if b.Stride == 0 && !b.Attributes[0].Constant {
			for _, a := range b.Attributes {
				b.Stride = max(b.Stride, roundUp(a.Offset+a.Format.Size(), 4))
			}
		}
	}
	return buffers, validateBuffers(buffers, c.limits, &c.ts)
}

// sharedName is the error of a buffer group with the name of an attribute
// that has a buffer of its own: the two could not be told apart.
func (c *composition) sharedName(name string, group, attribute owner) error {
	return errorf(ErrConflict, "%q is a shared buffer in %s and an attribute with its own buffer in %s; rename one",
		name, c.who(group), c.who(attribute))
}

// bufferNamed is the index of the buffer of a name, or -1.
func bufferNamed(buffers []VertexBuffer, name string) int {
	for i := range buffers {
		if buffers[i].Name == name {
			return i
		}
	}
	return -1
}

// ValidateBuffers checks vertex buffer layouts as WebGPU does: the stride is
// a multiple of 4 and within the limit, each attribute aligned and within
// the stride, the locations unique across all buffers and within the limit.
func ValidateBuffers(buffers []VertexBuffer, l Limits) error {
	return validateBuffers(buffers, l.withDefaults(), &types{})
}

func validateBuffers(buffers []VertexBuffer, l Limits, ts *types) error {
	if err := l.check(); err != nil {
		return err
	}
	if len(buffers) > l.VertexBuffers {
		return errorf(ErrLimit, "%d vertex buffers and the device has %d; interleave attributes with Attribute.Buffer", len(buffers), l.VertexBuffers)
	}
	taken := make([]*VertexBufferAttribute, 0, 16)
	for i := range buffers {
		b := &buffers[i]
		fail := func(kind error, format string, args ...any) error {
			return within("vertex buffer "+quote(b.Name), errorf(kind, format, args...))
		}
		if b.Stride < 0 || b.Stride%4 != 0 {
			return fail(ErrState, "the stride %d is not a multiple of 4", b.Stride)
		}
		if b.Stride > l.VertexStride {
			return fail(ErrLimit, "the stride %d is above the limit of %d", b.Stride, l.VertexStride)
		}
		if b.Step != "" && b.Step != StepVertex && b.Step != StepInstance {
			return fail(ErrState, "%q is no step mode; vertex and instance are", b.Step)
		}
		for i := range b.Attributes {
			a := &b.Attributes[i]
			size := a.Format.Size()
			if size == 0 {
				return fail(ErrType, "attribute %q: unknown vertex format %q", a.Name, a.Format)
			}
			if a.Type != "" {
				if t, err := ts.resolve(a.Type); err != nil || !a.Format.feeds(t) {
					return fail(ErrType, "attribute %q: the format %s cannot feed a %s", a.Name, a.Format, a.Type)
				}
			}
			if a.Offset < 0 || a.Offset%min(4, size) != 0 {
				return fail(ErrState, "attribute %q: the offset %d is not a multiple of %d", a.Name, a.Offset, min(4, size))
			}
			// With a stride of 0 every element reads the same bytes, within the stride's limit.
			within := b.Stride
			if within == 0 {
				within = l.VertexStride
			}
			if a.Offset > within-size {
				return fail(ErrState, "attribute %q: offset %d + %d bytes of %s end beyond the stride of %d", a.Name, a.Offset, size, a.Format, within)
			}
			if a.Location < 0 || a.Location >= l.VertexAttributes {
				return fail(ErrLimit, "attribute %q: location %d is beyond the %d attributes of the device", a.Name, a.Location, l.VertexAttributes)
			}
			for _, other := range taken {
				if other.Location == a.Location {
					name := "another"
					if other.Name != "" {
						name = quote(other.Name)
					}
					return fail(ErrState, "attribute %q: location %d is taken by %s", a.Name, a.Location, name)
				}
			}
			taken = append(taken, a)
		}
	}
	return nil
}
