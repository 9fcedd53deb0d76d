package draco

// ans is the state of a range asymmetric numeral system (Duda 2013), read from
// the end of its bytes.
type ans struct {
	buf   []byte
	state uint32
	base  uint32
}

// newANS reads the state off the end of buf: six bits or more, as many as its
// highest two bits say. Only symbol coders use four bytes.
func newANS(buf []byte, base uint32, wide bool) (ans, error) {
	n := len(buf)
	if n == 0 {
		return ans{}, ErrBroken
	}
	size := int(buf[n-1]>>6) + 1
	if size > n || size == 4 && !wide {
		return ans{}, ErrBroken
	}
	var v uint32
	for i := range size {
		v |= uint32(buf[n-size+i]) << (8 * i)
	}
	v &= 1<<(8*size-2) - 1
	a := ans{buf: buf[:n-size], state: v + base, base: base}
	if a.state >= base*256 {
		return ans{}, ErrBroken
	}
	return a, nil
}

func (a *ans) refill() {
	for a.state < a.base && len(a.buf) > 0 {
		a.state = a.state<<8 | uint32(a.buf[len(a.buf)-1])
		a.buf = a.buf[:len(a.buf)-1]
	}
}

// bitCoder reads bits of which zero has a fixed probability, in 256ths.
type bitCoder struct {
	ans
	zero uint32
}

func (r *reader) bitCoder() (*bitCoder, error) {
	zero := r.u8()
	b := r.bytes(r.varint())
	if r.err != nil {
		return nil, r.err
	}
	a, err := newANS(b, 4096, false)
	return &bitCoder{a, uint32(zero)}, err
}

func (b *bitCoder) bit() bool {
	p := 256 - b.zero
	if b.state < b.base && len(b.buf) > 0 {
		b.state = b.state<<8 | uint32(b.buf[len(b.buf)-1])
		b.buf = b.buf[:len(b.buf)-1]
	}
	quot, rem := b.state/256, b.state%256
	if rem < p {
		b.state = quot*p + rem
		return true
	}
	b.state -= quot*p + p
	return false
}

// symbolCoder reads symbols with the probabilities of a table.
type symbolCoder struct {
	ans
	bits   uint     // of the precision
	lookup []uint32 // symbol by remainder
	prob   []uint32
	first  []uint32 // cumulative probability
}

// table reads the probabilities of the symbols; lookup is room to use.
func (r *reader) table(bits uint, lookup []uint32) (*symbolCoder, error) {
	n := r.count()
	if r.err != nil {
		return nil, r.err
	}
	if n/64 > len(r.data) {
		return nil, ErrBroken
	}
	c := &symbolCoder{bits: bits, prob: make([]uint32, n), first: make([]uint32, n)}
	for i := 0; i < n; i++ {
		b := r.u8()
		if b&3 == 3 { // symbols that do not occur
			i += int(b >> 2)
			if i >= n {
				return nil, ErrBroken
			}
			continue
		}
		p := uint32(b >> 2)
		for j := range int(b & 3) {
			p |= uint32(r.u8()) << (8*j + 6)
		}
		c.prob[i] = p
	}
	if r.err != nil {
		return nil, r.err
	}
	size := uint32(1) << bits
	if uint32(cap(lookup)) < size {
		lookup = make([]uint32, size)
	}
	c.lookup = lookup[:size]
	sum := uint32(0)
	for i, p := range c.prob {
		c.first[i] = sum
		if p > size-sum {
			return nil, ErrBroken
		}
		for j := sum; j < sum+p; j++ {
			c.lookup[j] = uint32(i)
		}
		sum += p
	}
	if sum != size {
		return nil, ErrBroken
	}
	b := r.bytes(r.varint())
	if r.err != nil {
		return nil, r.err
	}
	var err error
	c.ans, err = newANS(b, size*4, true)
	return c, err
}

func (c *symbolCoder) symbol() uint32 {
	c.refill()
	quot, rem := c.state>>c.bits, c.state&(1<<c.bits-1)
	s := c.lookup[rem]
	c.state = quot*c.prob[s] + rem - c.first[s]
	return s
}

// symbols reads n numbers, a few of which (components) share a length where
// they are coded by length.
func (d *decoder) symbols(n, components int) ([]int32, error) {
	if n == 0 {
		return nil, nil
	}
	r := &d.reader
	out := make([]int32, n)
	switch scheme := r.u8(); {
	case r.err != nil:
		return nil, r.err
	case scheme == 0: // a length, then as many bits for each component
		c, err := r.table(12, d.lookup)
		if err != nil {
			return nil, err
		}
		d.lookup = c.lookup
		b := bitReader{data: r.data}
		for i := 0; i < n; i += components {
			size := c.symbol()
			if size > 32 {
				return nil, ErrBroken
			}
			for j := i; j < min(i+components, n); j++ {
				out[j] = int32(b.bits(int(size)))
			}
			if b.cut {
				return nil, errShort
			}
		}
		r.bytes(b.used())
	case scheme == 1: // the numbers themselves
		length := r.u8()
		if r.err == nil && (length < 1 || length > 18) {
			return nil, ErrBroken
		}
		c, err := r.table(uint(min(max(int(length)*3/2, 12), 20)), d.lookup)
		if err != nil {
			return nil, err
		}
		d.lookup = c.lookup
		for i := range out {
			out[i] = int32(c.symbol())
		}
	default:
		return nil, ErrBroken
	}
	return out, r.err
}
