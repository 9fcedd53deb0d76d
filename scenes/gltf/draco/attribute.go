package draco

import (
	"encoding/binary"
	"fmt"
	"math"
)

// Kind is what an attribute is for.
type Kind uint8

// Kinds of attributes.
const (
	Position Kind = iota
	Normal
	Color
	TexCoord
	Generic
)

// Type is the type of an attribute's components.
type Type uint8

// Types of components.
const (
	Int8 Type = iota + 1
	Uint8
	Int16
	Uint16
	Int32
	Uint32
	Int64
	Uint64
	Float32
	Float64
	Bool
)

var sizes = [...]int{0, 1, 1, 2, 2, 4, 4, 8, 8, 4, 8, 1}

// Size is the length of a component in bytes, 0 for none of the types.
func (t Type) Size() int {
	if int(t) >= len(sizes) {
		return 0
	}
	return sizes[t]
}

// Attribute is a property of all points of a mesh.
type Attribute struct {
	ID         uint32 // by which KHR_draco_mesh_compression names it
	Kind       Kind
	Type       Type
	Components int
	Normalized bool
	// Data holds, point after point, the components in little-endian order.
	Data []byte
}

// Floats are the numbers of a; integers are converted as they are, without
// normalisation.
func (a *Attribute) Floats() []float32 {
	n := a.Type.Size()
	if n == 0 {
		return nil
	}
	out := make([]float32, len(a.Data)/n)
	for i := range out {
		b := a.Data[i*n:]
		switch a.Type {
		case Int8:
			out[i] = float32(int8(b[0]))
		case Uint8, Bool:
			out[i] = float32(b[0])
		case Int16:
			out[i] = float32(int16(binary.LittleEndian.Uint16(b)))
		case Uint16:
			out[i] = float32(binary.LittleEndian.Uint16(b))
		case Int32:
			out[i] = float32(int32(binary.LittleEndian.Uint32(b)))
		case Uint32:
			out[i] = float32(binary.LittleEndian.Uint32(b))
		case Int64:
			out[i] = float32(int64(binary.LittleEndian.Uint64(b)))
		case Uint64:
			out[i] = float32(binary.LittleEndian.Uint64(b))
		case Float32:
			out[i] = math.Float32frombits(binary.LittleEndian.Uint32(b))
		case Float64:
			out[i] = float32(math.Float64frombits(binary.LittleEndian.Uint64(b)))
		}
	}
	return out
}

// How the values of an attribute are coded.
const (
	codedRaw       = 0
	codedInteger   = 1
	codedQuantized = 2
	codedNormal    = 3
)

// coded is an attribute while it is decoded.
type coded struct {
	Attribute
	coding byte
	// ints are the values as they are coded, components of each after another.
	ints       []int32
	components int // of ints
	seq        *sequence
	values     []byte // one after another, in order of coding
}

// maxAttributes is how many attributes a mesh may have; glTF has no use for more.
const maxAttributes = 64

// attributeHeads reads what the attributes of one decoder are.
func (d *decoder) attributeHeads() ([]*coded, error) {
	r := &d.reader
	n := r.count()
	if r.err != nil {
		return nil, r.err
	}
	if n < 1 || n > maxAttributes-len(d.attributes) {
		return nil, fmt.Errorf("a decoder has %d attributes, at most %d may be in a mesh", n, maxAttributes)
	}
	out := make([]*coded, n)
	for i := range out {
		a := &coded{}
		a.Kind, a.Type, a.Components, a.Normalized = Kind(r.u8()), Type(r.u8()), int(r.u8()), r.u8() > 0
		a.ID = uint32(r.varint())
		if r.err != nil {
			return nil, r.err
		}
		if a.Kind > Generic || a.Type.Size() == 0 || a.Components < 1 || a.Components > 16 {
			return nil, fmt.Errorf("an attribute of kind %d and %d components of type %d is not read", a.Kind, a.Components, a.Type)
		}
		out[i] = a
	}
	for _, a := range out {
		a.coding = r.u8()
		switch {
		case a.coding > codedNormal,
			a.coding == codedInteger && a.Type > Uint32,
			a.coding >= codedQuantized && a.Type != Float32,
			a.coding == codedNormal && a.Components != 3:
			return nil, fmt.Errorf("an attribute of %d components of type %d coded in way %d is not read", a.Components, a.Type, a.coding)
		}
	}
	d.attributes = append(d.attributes, out...)
	return out, r.err
}

// decodeValues reads the values of the attributes of one decoder, then what
// turns them into their own form.
func (d *decoder) decodeValues(list []*coded) error {
	r := &d.reader
	for _, a := range list {
		n := d.values(a)
		a.components = a.Components
		if a.coding == codedNormal {
			a.components = 2
		}
		if a.coding == codedRaw {
			b := r.bytes(uint64(n) * uint64(a.Components*a.Type.Size()))
			if r.err != nil {
				return r.err
			}
			a.values = b
			continue
		}
		if err := d.decodeIntegers(a, n); err != nil {
			return err
		}
	}
	for _, a := range list {
		var err error
		switch a.coding {
		case codedInteger:
			a.narrow()
		case codedQuantized:
			err = d.dequantize(a)
		case codedNormal:
			err = d.unfold(a)
		}
		if err != nil {
			return err
		}
	}
	return r.err
}

// values is how many values of a are coded.
func (d *decoder) values(a *coded) int {
	if a.seq.corner == nil && a.seq.t == nil {
		return d.points
	}
	return len(a.seq.corner)
}

// narrow stores the integers as the type of the attribute.
func (a *coded) narrow() {
	size := a.Type.Size()
	a.values = make([]byte, 0, len(a.ints)*size)
	for _, v := range a.ints {
		switch size {
		case 1:
			a.values = append(a.values, byte(v))
		case 2:
			a.values = binary.LittleEndian.AppendUint16(a.values, uint16(v))
		default:
			a.values = binary.LittleEndian.AppendUint32(a.values, uint32(v))
		}
	}
}

// dequantize maps integers of some bits to a range above a minimum.
func (d *decoder) dequantize(a *coded) error {
	r := &d.reader
	low := make([]float32, a.Components)
	for i := range low {
		low[i] = r.f32()
	}
	size := r.f32()
	bits := r.u8()
	if r.err != nil {
		return r.err
	}
	if bits < 1 || bits > 30 {
		return fmt.Errorf("a quantisation to %d bits is not read", bits)
	}
	step := size / float32(uint32(1)<<bits-1)
	a.values = make([]byte, 0, len(a.ints)*4)
	for i, v := range a.ints {
		f := float32(float32(v)*step) + low[i%a.Components]
		a.values = binary.LittleEndian.AppendUint32(a.values, math.Float32bits(f))
	}
	return nil
}

// unfold turns octahedral coordinates into unit vectors (Cigolle et al. 2014, "A Survey of Efficient
// Representations for Independent Unit Vectors").
func (d *decoder) unfold(a *coded) error {
	bits := d.reader.u8()
	if d.reader.err != nil {
		return d.reader.err
	}
	if bits < 2 || bits > 30 {
		return fmt.Errorf("normals of %d bits are not read", bits)
	}
	scale := 2 / float32(uint32(1)<<bits-2)
	abs := func(f float32) float32 { return float32(math.Abs(float64(f))) }
	a.values = make([]byte, 0, len(a.ints)/2*12)
	for i := 0; i+1 < len(a.ints); i += 2 {
		y := float32(float32(a.ints[i])*scale) - 1
		z := float32(float32(a.ints[i+1])*scale) - 1
		x := 1 - abs(y) - abs(z)
		fold := max(-x, 0) // of the far side
		if y < 0 {
			y += fold
		} else {
			y -= fold
		}
		if z < 0 {
			z += fold
		} else {
			z -= fold
		}
		l := float32(x*x) + float32(y*y) + float32(z*z)
		k := float32(0)
		if float64(l) >= 1e-6 {
			k = 1 / float32(math.Sqrt(float64(l)))
		}
		for _, v := range [3]float32{x * k, y * k, z * k} {
			a.values = binary.LittleEndian.AppendUint32(a.values, math.Float32bits(v))
		}
	}
	return nil
}

// finish lays the values out by points.
func (a *coded) finish(points int) error {
	if a.seq.of == nil {
		a.Data = a.values
		return nil
	}
	size := a.Components * a.Type.Size()
	a.Data = make([]byte, 0, points*size)
	for _, v := range a.seq.of {
		at := int(v) * size
		if at+size > len(a.values) {
			return ErrBroken
		}
		a.Data = append(a.Data, a.values[at:at+size]...)
	}
	return nil
}
