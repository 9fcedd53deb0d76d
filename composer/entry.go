package composer

// Entry describes b as the entry of a bind group layout, for shaders that are
// not composed, such as compute shaders. A buffer's size stays unknown.
func Entry(index int, b Binding) (BindGroupEntry, error) {
	r := BindGroupEntry{}
	var err error
	switch b.Kind {
	case BindTexture:
		err = resolveTexture(&b, &r)
	case BindSampler:
		err = resolveSampler(&b)
	case BindStorageTexture:
		err = resolveStorageTexture(&b, &r)
	case BindUniform, BindStorage:
	default:
		err = errorf(ErrType, "binding %s has no kind", b.Name)
	}
	r.Binding, r.Decl = index, b
	return r, err
}
