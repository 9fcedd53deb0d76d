package picture

import (
	"errors"
	"fmt"
)

// jpegScan is one scan: some components, a band of coefficients from first to
// last and, in progressive frames, the bits down from high to low.
type jpegScan struct {
	jpegDecoder *jpegDecoder
	bits        bitReader
	first, last int
	high, low   uint
	progressive bool
	eobRun      int32
}

func (d *jpegDecoder) scan(head []byte) error {
	if len(d.comps) == 0 {
		return errors.New("a scan comes before the frame")
	}
	if len(head) < 1 || len(head) < 4+2*int(head[0]) {
		return errShort
	}
	n := int(head[0])
	if n < 1 || n > 4 {
		return fmt.Errorf("a scan has %d components", n)
	}
	tail := head[1+2*n:]
	s := &jpegScan{
		jpegDecoder: d, bits: bitReader{data: d.data, pos: d.pos}, progressive: d.progressive,
		first: int(tail[0]), last: int(tail[1]), high: uint(tail[2] >> 4), low: uint(tail[2] & 15),
	}
	if !s.progressive {
		s.first, s.last, s.high, s.low = 0, 63, 0, 0
	}
	if s.last > 63 || s.first > s.last || s.first == 0 && s.last != 0 && s.progressive || s.first > 0 && n > 1 || s.low > 13 || s.high != 0 && s.high != s.low+1 {
		return fmt.Errorf("a scan of coefficients %d to %d, bits %d to %d, of %d components is not valid", s.first, s.last, s.high, s.low, n)
	}
	comps := make([]*jpegComponent, 0, 4)
	perMCU := 0
	for i := range n {
		id, tables := head[1+2*i], head[2+2*i]
		var c *jpegComponent
		for j := range d.comps {
			if d.comps[j].id == id {
				c = &d.comps[j]
			}
		}
		if c == nil {
			return fmt.Errorf("a scan names component %d, which is not in the frame", id)
		}
		for _, o := range comps {
			if o == c {
				return fmt.Errorf("a scan names component %d twice", id)
			}
		}
		if tables>>4 > 3 || tables&15 > 3 {
			return fmt.Errorf("a scan names Huffman tables %#x", tables)
		}
		c.dc, c.ac, c.pred = &d.dc[tables>>4], &d.ac[tables&15], 0
		if s.first == 0 && s.high == 0 && !c.dc.ok || s.last > 0 && !c.ac.ok {
			return fmt.Errorf("a scan of component %d lacks its Huffman table", id)
		}
		if !c.scanned {
			if d.quant[c.quant] == nil {
				return fmt.Errorf("component %d lacks its quantisation table %d", id, c.quant)
			}
			c.table, c.scanned = *d.quant[c.quant], true
		}
		comps = append(comps, c)
		perMCU += c.h * c.v
	}
	if n > 1 && perMCU > 10 {
		return fmt.Errorf("a scan has %d blocks in an MCU, at most 10 are allowed", perMCU)
	}
	err := s.run(comps)
	d.pos = s.bits.pos
	return err
}

// run visits the MCUs. A scan whose bits end early at a marker leaves the rest
// as it is, as libjpeg does; one that is cut off by the end of the file is an error.
func (s *jpegScan) run(comps []*jpegComponent) error {
	d := s.jpegDecoder
	mx, my := ceilDiv(d.width, 8*d.maxH), ceilDiv(d.height, 8*d.maxV)
	single := len(comps) == 1
	if single {
		mx, my = ceilDiv(comps[0].dw, 8), ceilDiv(comps[0].dh, 8)
	}
	left := d.interval
	for y := range my {
		for x := range mx {
			if d.interval > 0 && left == 0 {
				if !s.restart(comps) {
					return nil
				}
				left = d.interval
			}
			left--
			if s.bits.exhausted() {
				if d.interval == 0 {
					return nil
				}
				continue
			}
			if single {
				if err := s.block(comps[0], x, y); err != nil {
					return err
				}
			} else {
				for _, c := range comps {
					for v := range c.v {
						for h := range c.h {
							if err := s.block(c, x*c.h+h, y*c.v+v); err != nil {
								return err
							}
						}
					}
				}
			}
			if s.bits.cut && s.bits.exhausted() {
				return errShort
			}
		}
	}
	return nil
}

// restart goes on behind the next restart marker, if that is what comes next.
func (s *jpegScan) restart(comps []*jpegComponent) bool {
	b := &s.bits
	for ; b.pos+1 < len(b.data); b.pos++ {
		if b.data[b.pos] == 0xff && b.data[b.pos+1] != 0 && b.data[b.pos+1] != 0xff {
			break
		}
	}
	if b.pos+1 >= len(b.data) || b.data[b.pos+1] < 0xd0 || b.data[b.pos+1] > 0xd7 {
		return false
	}
	s.bits = bitReader{data: b.data, pos: b.pos + 2}
	s.eobRun = 0
	for _, c := range comps {
		c.pred = 0
	}
	return true
}

func (s *jpegScan) block(c *jpegComponent, x, y int) error {
	d := s.jpegDecoder
	if d.visits--; d.visits < 0 {
		return errors.New("it has more scans than any encoder makes")
	}
	at := y*c.bw + x
	if !s.progressive {
		var block [64]int16
		if err := s.sequential(c, &block); err != nil {
			return err
		}
		inverseDCT(&block, &c.table, c.samples[(y*c.bw*8+x)*8:], c.bw*8)
		return nil
	}
	block := &c.coeffs[at]
	switch {
	case s.first == 0 && s.high == 0:
		v, err := s.delta(c)
		block[0] = int16(v << s.low)
		return err
	case s.first == 0:
		block[0] |= int16(s.bits.bits(1) << s.low)
		return nil
	case s.high == 0:
		return s.acFirst(c, block)
	}
	return s.acRefine(c, block)
}

// delta is the DC coefficient, coded as the difference from the one before.
func (s *jpegScan) delta(c *jpegComponent) (int32, error) {
	n, err := s.bits.symbol(c.dc)
	if err != nil || n > 15 {
		return 0, errCode
	}
	c.pred += s.bits.signed(int(n))
	return c.pred, nil
}

func (s *jpegScan) sequential(c *jpegComponent, block *[64]int16) error {
	v, err := s.delta(c)
	if err != nil {
		return err
	}
	block[0] = int16(v)
	for k := 1; k < 64; k++ {
		rs, err := s.bits.symbol(c.ac)
		if err != nil {
			return err
		}
		n := int(rs & 15)
		if n == 0 {
			if rs != 0xf0 {
				break
			}
			k += 15
			continue
		}
		if k += int(rs >> 4); k > 63 {
			return errCode
		}
		block[zigzag[k]] = int16(s.bits.signed(n))
	}
	return nil
}

func (s *jpegScan) acFirst(c *jpegComponent, block *[64]int16) error {
	if s.eobRun > 0 {
		s.eobRun--
		return nil
	}
	for k := s.first; k <= s.last; k++ {
		rs, err := s.bits.symbol(c.ac)
		if err != nil {
			return err
		}
		run, n := int(rs>>4), int(rs&15)
		if n == 0 {
			if run < 15 {
				s.eobRun = 1<<run - 1 + s.bits.bits(run)
				return nil
			}
			k += 15
			continue
		}
		if k += run; k > 63 {
			return errCode
		}
		block[zigzag[k]] = int16(s.bits.signed(n) << s.low)
	}
	return nil
}

// acRefine adds a bit to each coefficient that is not zero and puts new ones
// among the zeros (T.81, G.1.2.3).
func (s *jpegScan) acRefine(c *jpegComponent, block *[64]int16) error {
	bit := int16(1) << s.low
	refine := func(v *int16) {
		if s.bits.bits(1) == 0 || *v&bit != 0 {
			return
		}
		if *v >= 0 {
			*v += bit
		} else {
			*v -= bit
		}
	}
	k := s.first
	if s.eobRun == 0 {
		for ; k <= s.last; k++ {
			rs, err := s.bits.symbol(c.ac)
			if err != nil {
				return err
			}
			run := int(rs >> 4)
			var v int16
			if rs&15 != 0 {
				v = -bit
				if s.bits.bits(1) != 0 {
					v = bit
				}
			} else if run < 15 {
				s.eobRun = 1<<run + s.bits.bits(run)
				break
			}
			for ; k <= s.last; k++ {
				p := &block[zigzag[k]]
				if *p != 0 {
					refine(p)
					continue
				}
				if run == 0 {
					*p = v
					break
				}
				run--
			}
		}
	}
	if s.eobRun > 0 {
		for ; k <= s.last; k++ {
			if p := &block[zigzag[k]]; *p != 0 {
				refine(p)
			}
		}
		s.eobRun--
	}
	return nil
}
