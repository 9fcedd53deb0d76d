package metrics

import "encoding/binary"

// The 8-bit comparison works on two pixels at a time, held in one 64-bit word whose bytes are R0 G0 B0 A0 R1 G1 B1 A1 from the lowest up. The
// word is taken apart into its even bytes (R0, B0, R1, B1) and its odd ones (G0, A0, G1, A1), each in a lane of 16 bits with room to work in.
const (
	evens = 0x00ff00ff00ff00ff // the low byte of each 16-bit lane
	ones  = 0x0001000100010001
	green = 0x000000ff000000ff // of the odd bytes
	pairs = 0x0000ffff0000ffff
)

// lanesDiff is |a-b| in each of four 16-bit lanes that hold 0…255.
func lanesDiff(a, b uint64) uint64 {
	t := (a | ones<<8) - b      // 256+a-b in each lane; no lane borrows from the next
	neg := ^(t >> 8) & ones     // 1 where a < b
	mask := neg<<8 - neg        // 0xff there
	return t&evens ^ mask + neg // two's complement of the low byte there
}

// wordDiff takes apart two words: e holds |dR0|,|dB0|,|dR1|,|dB1| and o holds |dG0|,|dA0|,|dG1|,|dA1| in 16-bit lanes.
func wordDiff(g, a uint64) (e, o uint64) {
	return lanesDiff(g&evens, a&evens), lanesDiff(g>>8&evens, a>>8&evens)
}

// pixelSums adds |dR|+|dG|+|dB| of the two pixels, one in each 32-bit half.
func pixelSums(e, o uint64) uint64 {
	s := e + o&green
	return s&pairs + s>>16&pairs
}

// sumAbsRGB is the sum over two rows of |dR|+|dG|+|dB|.
func sumAbsRGB(g, a []byte) uint64 {
	var sum uint64
	n := min(len(g), len(a)) &^ 7
	for i := 0; i < n; i += 8 {
		x, y := binary.LittleEndian.Uint64(g[i:]), binary.LittleEndian.Uint64(a[i:])
		if x == y {
			continue
		}
		s := pixelSums(wordDiff(x, y))
		sum += s&0xffffffff + s>>32
	}
	if n < len(g) && n < len(a) {
		for c := range 3 {
			sum += uint64(absDiff(g[n+c], a[n+c]))
		}
	}
	return sum
}

func absDiff(a, b uint8) uint8 {
	if a > b {
		return a - b
	}
	return b - a
}

// band8 compares 8-bit rows.
type band8 struct {
	golden, actual func(y int) []byte
	width          int
	s              sums
	// Two histograms, for the even and the odd pixel, since the increment of one counter waits for the one before it.
	even, odd [256]uint32
	alpha     [256]uint32 // differences of alpha above 0
	region    *region8
}

func newBand8(golden, actual func(int) []byte, width int, opt Options) *band8 {
	b := &band8{golden: golden, actual: actual, width: width}
	if !opt.NoRegion {
		c := opt.background()
		b.region = newRegion8(c.R, c.G, c.B)
	}
	return b
}

func (b *band8) sums() *sums {
	for d := range b.even {
		b.s.hist[d] += uint64(b.even[d]) + uint64(b.odd[d])
		if n := b.alpha[d]; n > 0 {
			b.s.alphaSum += uint64(n) * uint64(d)
			b.s.alphaMax = uint32(d)
		}
	}
	if b.region != nil {
		b.s.regionSum, b.s.regionPixels = b.region.total, b.region.pixels
	}
	return &b.s
}

func (b *band8) run(y0, y1 int, cells []uint32) {
	for y := y0; y < y1; y++ {
		g, a := b.golden(y), b.actual(y)
		const step = cell * 4
		full := b.width / cell
		if b.region == nil {
			for c := range full {
				b.cell((*[step]byte)(g[c*step:]), (*[step]byte)(a[c*step:]), &cells[c])
			}
		} else {
			for c := range full {
				b.cellRegion(b.region, (*[step]byte)(g[c*step:]), (*[step]byte)(a[c*step:]), &cells[c])
			}
			b.region.flush()
		}
		for i := full * step; i < len(g); i += 4 {
			b.pixel(g[i:i+4], a[i:i+4], &cells[full])
		}
	}
}

// cell compares 8 pixels of a row.
func (b *band8) cell(g, a *[cell * 4]byte, sum *uint32) {
	var acc uint64
	var same uint32
	for i := 0; i < cell*4; i += 8 {
		x := binary.LittleEndian.Uint64(g[i : i+8])
		y := binary.LittleEndian.Uint64(a[i : i+8])
		if x == y {
			same++
			continue
		}
		e, o := wordDiff(x, y)
		acc += pixelSums(e, o)
		b.even[max(uint8(e), uint8(e>>16), uint8(o))]++
		b.odd[max(uint8(e>>32), uint8(e>>48), uint8(o>>32))]++
		if o&^uint64(green) != 0 {
			b.alphas(uint8(o>>16), uint8(o>>48))
		}
	}
	b.even[0] += same
	b.odd[0] += same
	*sum += uint32(acc) + uint32(acc>>32)
}

// cellRegion is cell, and adds to the region what belongs there.
func (b *band8) cellRegion(r *region8, g, a *[cell * 4]byte, sum *uint32) {
	var acc, region uint64
	var same uint32
	for i := 0; i < cell*4; i += 8 {
		x := binary.LittleEndian.Uint64(g[i : i+8])
		y := binary.LittleEndian.Uint64(a[i : i+8])
		if x != r.last { // neighbours are often equal
			r.last, r.mask = x, r.in(uint32(x))|r.in(uint32(x>>32))<<32
		}
		region += r.mask
		if x == y {
			same++
			continue
		}
		e, o := wordDiff(x, y)
		s := pixelSums(e, o)
		acc += s
		r.sum += s & (r.mask<<10 - r.mask) // 0x3ff in the half of a pixel that is in, room for 765
		b.even[max(uint8(e), uint8(e>>16), uint8(o))]++
		b.odd[max(uint8(e>>32), uint8(e>>48), uint8(o>>32))]++
		if o&^uint64(green) != 0 {
			b.alphas(uint8(o>>16), uint8(o>>48))
		}
	}
	r.pixels += int(uint32(region) + uint32(region>>32))
	b.even[0] += same
	b.odd[0] += same
	*sum += uint32(acc) + uint32(acc>>32)
}

func (b *band8) alphas(a0, a1 uint8) {
	if a0 > 0 {
		b.alpha[a0]++
	}
	if a1 > 0 {
		b.alpha[a1]++
	}
}

func (b *band8) pixel(g, a []byte, sum *uint32) {
	r, gr, bl, al := absDiff(g[0], a[0]), absDiff(g[1], a[1]), absDiff(g[2], a[2]), absDiff(g[3], a[3])
	b.even[max(r, gr, bl)]++
	*sum += uint32(r) + uint32(gr) + uint32(bl)
	b.alphas(al, 0)
	if s := b.region; s != nil && s.in(binary.LittleEndian.Uint32(g)) == 1 {
		s.pixels++
		s.total += uint64(r) + uint64(gr) + uint64(bl)
	}
}

// region8 sums the differences of the pixels whose golden colour is far from the background.
type region8 struct {
	square [3][256]int32 // squared distance of each channel value from the background's
	last   uint64        // two golden pixels,
	mask   uint64        // and 1 in each 32-bit half for the one that is in
	sum    uint64        // of the row so far, one number in each 32-bit half
	total  uint64
	pixels int
}

func newRegion8(r, g, b uint8) *region8 {
	s := new(region8)
	for c, bg := range [3]uint8{r, g, b} {
		for v := range 256 {
			d := int32(v) - int32(bg)
			s.square[c][v] = d * d
		}
	}
	s.mask = s.in(0)<<32 | s.in(0) // the answer for last, which is 0
	return s
}

// in is 1 for a pixel of the region, 0 for background.
func (s *region8) in(p uint32) uint64 {
	d := s.square[0][uint8(p)] + s.square[1][uint8(p>>8)] + s.square[2][uint8(p>>16)]
	return uint64(uint32(RegionDistance*RegionDistance-d) >> 31)
}

// flush empties the two halves before they can overflow: 765 a pixel leaves room for 11 million pixels in a row.
func (s *region8) flush() {
	s.total += s.sum&0xffffffff + s.sum>>32
	s.sum = 0
}
