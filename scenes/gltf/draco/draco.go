// Package draco decodes triangle meshes of the Draco bitstream, version 2.2,
// which is what KHR_draco_mesh_compression holds: EdgeBreaker (standard and
// valence) and sequential connectivity, all prediction schemes, quantised
// and octahedral attributes. It follows the Draco bitstream specification; values
// and the order of points are those of the reference decoder, to the bit.
package draco

import "fmt"

// Mesh is a decoded mesh.
type Mesh struct {
	Points     int
	Indices    []uint32 // three points a triangle
	Attributes []Attribute
}

// Attribute is the attribute with an id, nil for none.
func (m *Mesh) Attribute(id uint32) *Attribute {
	for i := range m.Attributes {
		if m.Attributes[i].ID == id {
			return &m.Attributes[i]
		}
	}
	return nil
}

// Options bound what Decode takes on.
type Options struct {
	MaxFaces  int // zero means 8 Mi
	MaxPoints int // zero means 8 Mi
}

const (
	defaultMax = 8 << 20
	// perByte is how many faces or points a byte may stand for. Entropy coding sets
	// no bound; a regular grid of a million triangles takes about 100 kB.
	perByte = 64
)

type decoder struct {
	reader
	options    Options
	size       int // of the data
	points     int
	attributes []*coded
	lookup     []uint32
}

// Decode decodes a mesh. What is broken, of another version or beyond the
// limits is an error.
func Decode(data []byte, o Options) (*Mesh, error) {
	if o.MaxFaces <= 0 {
		o.MaxFaces = defaultMax
	}
	if o.MaxPoints <= 0 {
		o.MaxPoints = defaultMax
	}
	d := &decoder{reader: reader{data: data}, options: o, size: len(data)}
	m, err := d.decode()
	if err != nil {
		return nil, fmt.Errorf("draco: %w", err)
	}
	return m, nil
}

func (d *decoder) decode() (*Mesh, error) {
	r := &d.reader
	if string(r.bytes(5)) != "DRACO" {
		return nil, fmt.Errorf("it does not begin with DRACO")
	}
	major, minor, kind, method, flags := r.u8(), r.u8(), r.u8(), r.u8(), r.u16()
	switch {
	case r.err != nil:
		return nil, r.err
	case major != 2 || minor != 2:
		return nil, fmt.Errorf("bitstream version %d.%d is not read, only 2.2", major, minor)
	case kind != 1:
		return nil, fmt.Errorf("geometry of kind %d is not read, only triangle meshes (1)", kind)
	case method > 1:
		return nil, fmt.Errorf("encoding method %d is not read, only sequential (0) and EdgeBreaker (1)", method)
	}
	if flags&0x8000 != 0 {
		if err := d.skipMetadata(); err != nil {
			return nil, err
		}
	}
	if method == 1 {
		return d.decodeEdgeBreaker()
	}
	return d.decodeSequential()
}

// check bounds the size of a mesh.
func (d *decoder) check(faces, points int) error {
	switch {
	case faces > d.options.MaxFaces:
		return fmt.Errorf("%d faces are more than the limit of %d", faces, d.options.MaxFaces)
	case points > d.options.MaxPoints:
		return fmt.Errorf("%d points are more than the limit of %d", points, d.options.MaxPoints)
	case faces > perByte*d.size, points > perByte*d.size:
		return fmt.Errorf("%d bytes cannot hold %d faces and %d points: %w", d.size, faces, points, ErrBroken)
	}
	return nil
}

// skipMetadata reads over metadata: of attributes, then of the file.
func (d *decoder) skipMetadata() error {
	r := &d.reader
	n := r.count()
	if n > len(r.data) {
		return errShort
	}
	for range n {
		r.varint()
		if err := d.skipElement(0); err != nil {
			return err
		}
	}
	return d.skipElement(0)
}

func (d *decoder) skipElement(depth int) error {
	if depth > 64 {
		return fmt.Errorf("metadata is nested more than 64 deep")
	}
	r := &d.reader
	entries := r.count()
	for i := 0; i < entries && r.err == nil; i++ {
		r.bytes(uint64(r.u8()))
		r.bytes(r.varint())
	}
	subs := r.count()
	for i := 0; i < subs && r.err == nil; i++ {
		r.bytes(uint64(r.u8()))
		if err := d.skipElement(depth + 1); err != nil {
			return err
		}
	}
	return r.err
}

func (d *decoder) decodeEdgeBreaker() (*Mesh, error) {
	e, err := d.edgeBreaker()
	if err != nil {
		return nil, fmt.Errorf("connectivity: %w", err)
	}
	sets := make([]*table, len(e.seams))
	for i, s := range e.seams {
		if sets[i], err = e.t.split(s); err != nil {
			return nil, fmt.Errorf("seams of attributes %d: %w", i, err)
		}
	}
	if err := e.assignPoints(sets); err != nil {
		return nil, fmt.Errorf("points: %w", err)
	}
	d.points = e.count
	r := &d.reader
	type group struct {
		set      int // -1 for that of the positions
		corners  bool
		byDegree bool
	}
	groups := make([]group, r.u8())
	taken := map[int]bool{}
	for i := range groups {
		g := group{set: int(int8(r.u8())), corners: r.u8() != 0}
		traversal := r.u8()
		g.byDegree = traversal == 1
		if r.err != nil {
			return nil, r.err
		}
		g.set = max(g.set, -1)
		if g.set >= len(sets) || taken[g.set] || traversal > 1 || g.corners && (g.byDegree || g.set < 0) {
			return nil, fmt.Errorf("attribute decoder %d is of no kind that is read: %w", i, ErrBroken)
		}
		taken[g.set] = true
		groups[i] = g
	}
	lists := make([][]*coded, len(groups))
	for i := range groups {
		if lists[i], err = d.attributeHeads(); err != nil {
			return nil, err
		}
	}
	for i, g := range groups {
		t := e.t
		if g.corners {
			t = sets[g.set]
		}
		s, err := newSequence(t, g.byDegree)
		if err == nil {
			err = s.attach(e.points, e.count)
		}
		if err != nil {
			return nil, fmt.Errorf("order of attributes %d: %w", i, err)
		}
		for _, a := range lists[i] {
			a.seq = s
		}
		if err := d.decodeValues(lists[i]); err != nil {
			return nil, fmt.Errorf("attributes %d: %w", i, err)
		}
	}
	indices := make([]uint32, len(e.points))
	for i, p := range e.points {
		indices[i] = uint32(p)
	}
	return d.mesh(indices)
}

// mesh puts the result together.
func (d *decoder) mesh(indices []uint32) (*Mesh, error) {
	m := &Mesh{Points: d.points, Indices: indices}
	for _, a := range d.attributes {
		if err := a.finish(d.points); err != nil {
			return nil, err
		}
		m.Attributes = append(m.Attributes, a.Attribute)
	}
	return m, nil
}

func (d *decoder) decodeSequential() (*Mesh, error) {
	r := &d.reader
	faces, points := r.count(), r.count()
	method := r.u8()
	if r.err != nil {
		return nil, r.err
	}
	if err := d.check(faces, points); err != nil {
		return nil, err
	}
	d.points = points
	indices := make([]uint32, 3*faces)
	if method == 0 {
		coded, err := d.symbols(3*faces, 1)
		if err != nil {
			return nil, fmt.Errorf("indices: %w", err)
		}
		last := int64(0)
		for i, v := range coded {
			diff := int64(uint32(v) >> 1)
			if v&1 != 0 {
				diff = -diff
			}
			if last += diff; last < 0 || last >= int64(points) {
				return nil, fmt.Errorf("index %d is %d, there are %d points", i, last, points)
			}
			indices[i] = uint32(last)
		}
	} else {
		for i := range indices {
			switch {
			case points < 1<<8:
				indices[i] = uint32(r.u8())
			case points < 1<<16:
				indices[i] = uint32(r.u16())
			case points < 1<<21:
				indices[i] = uint32(r.count())
			default:
				indices[i] = r.u32()
			}
			if r.err != nil {
				return nil, r.err
			}
			if int64(indices[i]) >= int64(points) {
				return nil, fmt.Errorf("index %d is %d, there are %d points", i, indices[i], points)
			}
		}
	}
	lists := make([][]*coded, r.u8())
	var err error
	for i := range lists {
		if lists[i], err = d.attributeHeads(); err != nil {
			return nil, err
		}
	}
	for i, list := range lists {
		for _, a := range list {
			a.seq = &sequence{}
		}
		if err := d.decodeValues(list); err != nil {
			return nil, fmt.Errorf("attributes %d: %w", i, err)
		}
	}
	if r.err != nil {
		return nil, r.err
	}
	return d.mesh(indices)
}
