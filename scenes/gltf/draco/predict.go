package draco

import (
	"fmt"
	"math"
)

// How a value is predicted from others.
const (
	predictNone          = -2
	predictDifference    = 0
	predictParallelogram = 1
	predictMulti         = 4
	predictTexCoord      = 5
	predictNormal        = 6
)

// How a prediction and its correction make a value.
const (
	transformNone   = -1
	transformWrap   = 1
	transformNormal = 3
)

// decodeIntegers reads n values of a and undoes their prediction.
func (d *decoder) decodeIntegers(a *coded, n int) error {
	r := &d.reader
	method, transform := int8(r.u8()), int8(transformNone)
	if method != predictNone {
		transform = int8(r.u8())
	}
	switch {
	case r.err != nil:
		return r.err
	case method == predictNone:
	case method != predictDifference && method != predictParallelogram && method != predictMulti && method != predictTexCoord && method != predictNormal,
		transform != transformWrap && transform != transformNormal,
		(transform == transformNormal) != (a.coding == codedNormal):
		return fmt.Errorf("a prediction in way %d with transform %d is not read", method, transform)
	}
	var err error
	if a.ints, err = d.integers(n, a.components); err != nil {
		return err
	}
	if transform != transformNormal {
		for i, v := range a.ints {
			// Zigzag: the lowest bit is the sign.
			a.ints[i] = int32(uint32(v)>>1) ^ -(v & 1)
		}
	}
	if method == predictNone {
		return nil
	}
	p := &predictor{a: a, seq: a.seq, n: a.components, out: a.ints}
	// Without a table of corners, and for normals but by their own way, values are
	// predicted from the one before.
	if a.seq.t == nil || transform == transformNormal && method != predictNormal {
		method = predictDifference
	}
	if method == predictTexCoord || method == predictNormal {
		if p.position = d.parent(); p.position == nil || a.components != 2 {
			return fmt.Errorf("a prediction from positions, which are not there: %w", ErrBroken)
		}
	}
	switch method {
	case predictMulti:
		err = p.readCreases(r)
	case predictTexCoord:
		err = p.readOrientations(r)
	}
	if err == nil {
		err = p.readTransform(r, transform)
	}
	if err == nil && method == predictNormal {
		p.flips, err = r.bitCoder()
	}
	if err != nil {
		return err
	}
	if n == 0 {
		return r.err
	}
	switch method {
	case predictDifference:
		zero := make([]int32, p.n)
		p.correct(zero, 0)
		for i := 1; i < n; i++ {
			p.correct(p.at(i-1), i)
		}
	case predictParallelogram, predictMulti:
		err = p.parallelograms(method == predictMulti)
	case predictTexCoord:
		err = p.texCoords()
	case predictNormal:
		err = p.normals()
	}
	if err != nil {
		return err
	}
	return r.err
}

// integers reads the numbers themselves.
func (d *decoder) integers(n, components int) ([]int32, error) {
	r := &d.reader
	if r.u8() > 0 {
		return d.symbols(n*components, components)
	}
	size := int(r.u8())
	if r.err != nil {
		return nil, r.err
	}
	if size < 1 || size > 4 {
		return nil, fmt.Errorf("integers of %d bytes are not read", size)
	}
	b := r.bytes(uint64(n) * uint64(components) * uint64(size))
	if r.err != nil {
		return nil, r.err
	}
	out := make([]int32, n*components)
	for i := range out {
		var v uint32
		for j := range size {
			v |= uint32(b[i*size+j]) << (8 * j)
		}
		out[i] = int32(v)
	}
	return out, nil
}

// parent is the attribute of positions, if its integers are there already.
func (d *decoder) parent() *coded {
	for _, a := range d.attributes {
		if a.Kind == Position {
			if a.ints == nil || a.components != 3 {
				return nil
			}
			return a
		}
	}
	return nil
}

// predictor undoes the prediction of an attribute in place: out holds
// corrections, then values.
type predictor struct {
	a        *coded
	seq      *sequence
	n        int // components
	out      []int32
	position *coded

	wrap           bool
	low, high      int32 // of the wrap transform
	center, top    int32 // of octahedral coordinates: the middle, and how many there are
	creases        [4][]bool
	orientations   []bool
	flips          *bitCoder
	clamped        [16]int32
	predicted      [16]int32
	parallelogram4 [4][16]int32
}

func (p *predictor) at(i int) []int32 { return p.out[i*p.n : (i+1)*p.n] }

func (p *predictor) readTransform(r *reader, transform int8) error {
	if transform == transformWrap {
		p.wrap, p.low, p.high = true, int32(r.u32()), int32(r.u32())
		if r.err == nil && (p.low > p.high || int64(p.high)-int64(p.low) >= math.MaxInt32) {
			return ErrBroken
		}
		return r.err
	}
	size := int32(r.u32())
	r.u32() // the middle again
	if r.err != nil {
		return r.err
	}
	if size < 3 || size%2 == 0 || size > 1<<30-1 {
		return ErrBroken
	}
	// It counts as the next power of two less one.
	for p.top = 3; p.top < size; {
		p.top = p.top*2 + 1
	}
	p.center = (p.top - 1) / 2
	return nil
}

// correct makes value i of its prediction and its correction.
func (p *predictor) correct(predicted []int32, i int) {
	out := p.at(i)
	if !p.wrap {
		out[0], out[1] = p.rotate(predicted[0], predicted[1], out[0], out[1])
		return
	}
	span := 1 + p.high - p.low
	for c := range out {
		v := min(max(predicted[c], p.low), p.high) + out[c]
		if v > p.high {
			v -= span
		} else if v < p.low {
			v += span
		}
		out[c] = v
	}
}

// value is the value that a vertex has, which must be coded before i.
func (p *predictor) value(corner int32, i int) (int, bool) {
	v := p.seq.value[p.seq.t.vert[corner]]
	return int(v), v >= 0 && int(v) < i
}

// across predicts value i from the triangle across the edge that the corner
// faces, if its values are known.
func (p *predictor) across(corner int32, i int, to []int32) bool {
	o := p.seq.t.opposite(corner)
	if o < 0 {
		return false
	}
	tip, ok1 := p.value(o, i)
	n, ok2 := p.value(next(o), i)
	q, ok3 := p.value(prev(o), i)
	if !ok1 || !ok2 || !ok3 {
		return false
	}
	a, b, c := p.at(n), p.at(q), p.at(tip)
	for k := range p.n {
		to[k] = a[k] + b[k] - c[k]
	}
	return true
}

// parallelograms predicts from the triangle across (Touma and Gotsman 1998),
// or from the mean of those triangles about the vertex that are not marked as creases.
func (p *predictor) parallelograms(multi bool) error {
	p.correct(p.predicted[:p.n], 0)
	var used [4]int
	for i := 1; i < len(p.seq.corner); i++ {
		corner := p.seq.corner[i]
		if !multi {
			if p.across(corner, i, p.predicted[:p.n]) {
				p.correct(p.predicted[:p.n], i)
			} else {
				p.correct(p.at(i-1), i)
			}
			continue
		}
		found := 0
		left := true
		for c := corner; c >= 0; {
			if p.across(c, i, p.parallelogram4[found][:p.n]) {
				if found++; found == 4 {
					break
				}
			}
			if left {
				c = p.seq.t.swingLeft(c)
			} else {
				c = p.seq.t.swingRight(c)
			}
			if c == corner {
				break
			}
			if c < 0 && left {
				left = false
				c = p.seq.t.swingRight(corner)
			}
		}
		clear(p.predicted[:p.n])
		n := int32(0)
		for k := range found {
			flags := p.creases[found-1]
			if used[found-1] >= len(flags) {
				return ErrBroken
			}
			crease := flags[used[found-1]]
			used[found-1]++
			if !crease {
				n++
				for c := range p.n {
					p.predicted[c] += p.parallelogram4[k][c]
				}
			}
		}
		if n == 0 {
			p.correct(p.at(i-1), i)
			continue
		}
		for c := range p.n {
			p.predicted[c] /= n
		}
		p.correct(p.predicted[:p.n], i)
	}
	return nil
}

func (p *predictor) readCreases(r *reader) error {
	for i := range p.creases {
		n := r.count()
		if n > len(p.seq.t.vert) {
			return ErrBroken
		}
		if n == 0 {
			continue
		}
		b, err := r.bitCoder()
		if err != nil {
			return err
		}
		p.creases[i] = make([]bool, n)
		for j := range p.creases[i] {
			p.creases[i][j] = b.bit()
		}
	}
	return r.err
}

func (p *predictor) readOrientations(r *reader) error {
	n := r.u32()
	if uint64(n) > uint64(len(p.seq.t.vert)) {
		return ErrBroken
	}
	b, err := r.bitCoder()
	if err != nil {
		return err
	}
	p.orientations = make([]bool, n)
	last := true
	for i := range p.orientations {
		if !b.bit() {
			last = !last
		}
		p.orientations[i] = last
	}
	return r.err
}

// positionOf is the position at a value of this attribute.
func (p *predictor) positionOf(value int) (v [3]int64, ok bool) {
	at := int(p.seq.point[value])
	if p.position.seq.of != nil {
		at = int(p.position.seq.of[at])
	}
	if (at+1)*3 > len(p.position.ints) {
		return v, false
	}
	for i := range v {
		v[i] = int64(p.position.ints[at*3+i])
	}
	return v, true
}

// texCoords predicts texture coordinates from the shape of the triangle and
// the coordinates of its two other corners (Isenburg and Snoeyink 2003,
// "Compressing Texture Coordinates with Selective Linear Predictions").
func (p *predictor) texCoords() error {
	for i, corner := range p.seq.corner {
		if err := p.texCoord(corner, i); err != nil {
			return err
		}
		p.correct(p.predicted[:2], i)
	}
	return nil
}

func (p *predictor) texCoord(corner int32, i int) error {
	n, okN := p.value(next(corner), i)
	q, okQ := p.value(prev(corner), i)
	if okN && okQ {
		nu, qu := p.at(n), p.at(q)
		if nu[0] == qu[0] && nu[1] == qu[1] {
			copy(p.predicted[:2], qu)
			return nil
		}
		tip, ok1 := p.positionOf(i)
		np, ok2 := p.positionOf(n)
		qp, ok3 := p.positionOf(q)
		if !ok1 || !ok2 || !ok3 {
			return ErrBroken
		}
		side := sub(qp, np)
		if length := uint64(dot(side, side)); length != 0 {
			return p.fromTriangle(tip, np, side, length, nu, qu)
		}
	}
	switch {
	case okN:
		copy(p.predicted[:2], p.at(n))
	case i > 0:
		copy(p.predicted[:2], p.at(i-1))
	default:
		p.predicted[0], p.predicted[1] = 0, 0
	}
	return nil
}

// fromTriangle carries the tip's foot on the side, and its distance from it,
// over to the texture.
func (p *predictor) fromTriangle(tip, np, side [3]int64, length uint64, nu, qu []int32) error {
	along := dot(sub(tip, np), side)
	u := [2]int64{int64(nu[0]), int64(nu[1])}
	du := [2]int64{int64(qu[0]) - u[0], int64(qu[1]) - u[1]}
	biggest := func(v ...int64) uint64 {
		var m uint64
		for _, x := range v {
			m = max(m, magnitude(x))
		}
		return m
	}
	if biggest(u[:]...) > math.MaxInt64/length {
		return ErrBroken
	}
	if m := max(biggest(du[:]...), biggest(side[:]...)); magnitude(along) > math.MaxInt64/m {
		return ErrBroken
	}
	var foot [3]int64
	for k := range foot {
		foot[k] = np[k] + int64(divide(along*side[k], length))
	}
	away := sub(tip, foot)
	height := int64(root(uint64(dot(away, away)) * length))
	if len(p.orientations) == 0 {
		return ErrBroken
	}
	last := p.orientations[len(p.orientations)-1]
	p.orientations = p.orientations[:len(p.orientations)-1]
	if !last {
		height = -height
	}
	p.predicted[0] = int32(divide(u[0]*int64(length)+along*du[0]+du[1]*height, length))
	p.predicted[1] = int32(divide(u[1]*int64(length)+along*du[1]-du[0]*height, length))
	return nil
}

// divide is v/d as the reference divides a signed by an unsigned number: both signed.
func divide(v int64, d uint64) int64 {
	if int64(d) == 0 {
		return 0
	}
	return v / int64(d)
}

func magnitude(v int64) uint64 {
	if v < 0 {
		return -uint64(v)
	}
	return uint64(v)
}

// root is the integer square root, rounded down.
func root(v uint64) uint64 {
	if v == 0 {
		return 0
	}
	r := uint64(1)
	for a := v; a >= 2; a /= 4 {
		r *= 2
	}
	for {
		r = (r + v/r) / 2
		if r <= math.MaxUint32 && r*r <= v {
			return r
		}
	}
}

func sub(a, b [3]int64) [3]int64 { return [3]int64{a[0] - b[0], a[1] - b[1], a[2] - b[2]} }

func dot(a, b [3]int64) int64 { return a[0]*b[0] + a[1]*b[1] + a[2]*b[2] }
