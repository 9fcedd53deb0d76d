package metrics

import (
	"encoding/binary"
	"math"
)

// band16 compares rows of 16-bit channels. Sums are in units of 1/257 of the 8-bit scale.
type band16 struct {
	golden, actual func(y int) []byte
	width          int
	over           uint32 // a pixel counts when its largest difference is above this
	bg             [3]float64
	region         bool
	s              sums
}

func newBand16(golden, actual func(int) []byte, width int, opt Options, over float64) *band16 {
	c := opt.background()
	return &band16{golden: golden, actual: actual, width: width, region: !opt.NoRegion,
		over: uint32(min(65535, math.Floor(over*257))),
		bg:   [3]float64{float64(c.R), float64(c.G), float64(c.B)}}
}

func (b *band16) sums() *sums { return &b.s }

func (b *band16) run(y0, y1 int, cells []uint32) {
	for y := y0; y < y1; y++ {
		g, a := b.golden(y), b.actual(y)
		for x := range b.width {
			p, q := g[x*8:x*8+8], a[x*8:x*8+8]
			var sum, top uint32
			var dist float64
			for c := range 3 {
				v := binary.BigEndian.Uint16(p[2*c:])
				d := absDiff16(v, binary.BigEndian.Uint16(q[2*c:]))
				sum += d
				top = max(top, d)
				away := float64(v)/257 - b.bg[c]
				dist += away * away
			}
			// Rounded up: a pixel that differs at all is not within 0.
			b.s.hist[(top+256)/257]++
			b.s.max = max(b.s.max, top)
			if top > b.over {
				b.s.over++
			}
			alpha := absDiff16(binary.BigEndian.Uint16(p[6:]), binary.BigEndian.Uint16(q[6:]))
			b.s.alphaSum += uint64(alpha)
			b.s.alphaMax = max(b.s.alphaMax, alpha)
			cells[x/cell] += sum
			if b.region && dist > RegionDistance*RegionDistance {
				b.s.regionPixels++
				b.s.regionSum += uint64(sum)
			}
		}
	}
}

func absDiff16(a, b uint16) uint32 {
	if a > b {
		return uint32(a - b)
	}
	return uint32(b - a)
}
