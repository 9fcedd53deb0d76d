package composer

import "strconv"

// Leaf is a scalar, vector or matrix inside a buffer.
type Leaf struct {
	Path   string // as WGSL writes it after the variable and a dot: "lights[2].color"
	Type   string // canonical, e.g. "vec3<f32>"
	Offset int    // bytes from the start of the buffer
	// Columns and Rows are 1 and 1 for a scalar, 1 and n for a vector. Column
	// c of a matrix starts at Offset + c*Stride, its rows 4 bytes apart.
	Columns, Rows, Stride int
}

// Leaves lists every scalar, vector and matrix of the buffer in order of
// offset, those inside structs and arrays one by one. It tells what a buffer
// holds for dumps and tests; a UniformWriter needs no such list.
func (u *UBO) Leaves() []Leaf {
	if u.root == nil {
		return nil
	}
	var leaves []Leaf
	for _, m := range u.root.members {
		leaves = m.typ.leaves(leaves, m.name, m.offset)
	}
	return leaves
}

func (t *wgslType) leaves(to []Leaf, path string, offset int) []Leaf {
	switch t.kind {
	case kindArray:
		for i := range t.count {
			to = t.elem.leaves(to, path+"["+strconv.Itoa(i)+"]", offset+i*t.stride)
		}
		return to
	case kindStruct:
		for _, m := range t.members {
			to = m.typ.leaves(to, path+"."+m.name, offset+m.offset)
		}
		return to
	}
	return append(to, Leaf{
		Path: path, Type: t.text, Offset: offset,
		Columns: max(t.cols, 1), Rows: max(t.rows, 1), Stride: t.stride,
	})
}
