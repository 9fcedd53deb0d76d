package basisu

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// endpoint is a colour of 5 bits each and a table of differences from it.
type endpoint struct {
	colour [3]byte
	table  byte
}

// basisLZ is the global data of a file of ETC1S blocks: what blocks are made of,
// and the codes of the references to that.
type basisLZ struct {
	endpoints []endpoint
	selectors []uint32 // 16 of two bits, the first texel lowest
	images    []lzImage
	alpha     bool
	history   int // size of the selector history

	prediction, delta, selector, run *table
}

// lzImage says where the slices of an image lie in its level; alpha is empty
// without one.
type lzImage struct{ offset, length, alphaOffset, alphaLength uint32 }

func (f *file) newBasisLZ() (*basisLZ, error) {
	images := 0
	for i := range f.levels {
		_, _, n := f.size(i)
		images += n
	}
	g := f.global
	if len(g) < 20 || images > (len(g)-20)/20 {
		return nil, fmt.Errorf("%d bytes cannot hold %d images: %w", len(g), images, ErrBroken)
	}
	lz := &basisLZ{
		endpoints: make([]endpoint, binary.LittleEndian.Uint16(g)),
		selectors: make([]uint32, binary.LittleEndian.Uint16(g[2:])),
		images:    make([]lzImage, images),
	}
	var sizes [3]uint64
	for i := range sizes {
		sizes[i] = uint64(binary.LittleEndian.Uint32(g[4+4*i:]))
	}
	g = g[20:]
	for i := range lz.images {
		word := func(k int) uint32 { return binary.LittleEndian.Uint32(g[20*i+4*k:]) }
		if word(0)&2 != 0 {
			return nil, fmt.Errorf("frames of videos: %w", ErrFormat)
		}
		lz.images[i] = lzImage{word(1), word(2), word(3), word(4)}
		lz.alpha = lz.alpha || word(4) > 0
	}
	g = g[20*images:]
	if sizes[0]+sizes[1]+sizes[2] > uint64(len(g)) {
		return nil, fmt.Errorf("%d bytes of codebooks, %d are there: %w", sizes[0]+sizes[1]+sizes[2], len(g), ErrBroken)
	}
	if len(lz.endpoints) == 0 || len(lz.selectors) == 0 {
		return nil, fmt.Errorf("it has %d endpoints and %d selectors: %w", len(lz.endpoints), len(lz.selectors), ErrBroken)
	}
	for i, read := range []func(*bitReader) error{lz.readEndpoints, lz.readSelectors, lz.readTables} {
		b := &bitReader{data: g[:sizes[i]]}
		g = g[sizes[i]:]
		err := read(b)
		if err == nil && b.cut() {
			err = errors.New("it ends too early")
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w: %w", [3]string{"endpoints", "selectors", "tables"}[i], err, ErrBroken)
		}
	}
	return lz, nil
}

// readEndpoints reads colours and tables as differences from those before.
func (lz *basisLZ) readEndpoints(b *bitReader) error {
	var models [4]*table // by how large the component before is, and of the tables
	for i := range models {
		var err error
		if models[i], err = b.table(); err != nil {
			return err
		}
	}
	components := 3 - 2*b.take(1)
	last := endpoint{colour: [3]byte{16, 16, 16}}
	for i := range lz.endpoints {
		d := b.symbol(models[3])
		if d < 0 || b.cut() {
			return errTable
		}
		last.table = byte(int(last.table)+d) & 7
		for k := range components {
			m := models[2]
			if last.colour[k] < 10 {
				m = models[0]
			} else if last.colour[k] < 22 {
				m = models[1]
			}
			if d = b.symbol(m); d < 0 {
				return errTable
			}
			last.colour[k] = byte(int(last.colour[k])+d) & 31
		}
		if components == 1 {
			last.colour[1], last.colour[2] = last.colour[0], last.colour[0]
		}
		lz.endpoints[i] = last
	}
	return nil
}

func (lz *basisLZ) readSelectors(b *bitReader) error {
	if b.take(2) != 0 {
		return errors.New("they are of a kind that is reserved")
	}
	var model *table
	if b.take(1) == 0 {
		var err error
		if model, err = b.table(); err != nil {
			return err
		}
	}
	last := uint32(0)
	for i := range lz.selectors {
		if b.cut() {
			break
		}
		v := uint32(0)
		for k := range 4 {
			if model == nil || i == 0 {
				v |= uint32(b.take(8)) << (8 * k)
				continue
			}
			d := b.symbol(model)
			if d < 0 || d > 255 {
				return errTable
			}
			v |= uint32(d) << (8 * k)
		}
		if model != nil {
			v ^= last
		}
		last = v
		lz.selectors[i] = v
	}
	return nil
}

func (lz *basisLZ) readTables(b *bitReader) error {
	for _, t := range []**table{&lz.prediction, &lz.delta, &lz.selector, &lz.run} {
		var err error
		if *t, err = b.table(); err != nil {
			return err
		}
	}
	lz.history = b.take(13)
	return nil
}

// level decodes the images of level i.
func (lz *basisLZ) level(f *file, i int) ([]byte, error) {
	w, h, n := f.size(i)
	first := 0
	for k := range i {
		_, _, c := f.size(k)
		first += c
	}
	s := f.levels[i]
	data, err := f.part(s.offset, s.length)
	if err != nil {
		return nil, err
	}
	slice := func(offset, length uint32) ([]byte, error) {
		if uint64(offset)+uint64(length) > uint64(len(data)) {
			return nil, fmt.Errorf("a slice of bytes %d to %d+%d lies outside the level of %d: %w", offset, offset, length, len(data), ErrBroken)
		}
		return data[offset : offset+length], nil
	}
	out := make([]byte, w*h*4*n)
	for k := range n {
		m := lz.images[first+k]
		image := out[k*w*h*4 : (k+1)*w*h*4]
		b, err := slice(m.offset, m.length)
		if err == nil {
			err = lz.slice(image, b, w, h, false)
		}
		if err == nil && m.alphaLength > 0 {
			if b, err = slice(m.alphaOffset, m.alphaLength); err == nil {
				err = lz.slice(image, b, w, h, true)
			}
		}
		if err != nil {
			return nil, fmt.Errorf("image %d: %w", k, err)
		}
	}
	return out, nil
}

// modifiers are what selectors add to a colour, by the endpoint's table (ETC1).
var modifiers = [8][4]int{{-8, -2, 2, 8}, {-17, -5, 5, 17}, {-29, -9, 9, 29}, {-42, -13, 13, 42}, {-60, -18, 18, 60}, {-80, -24, 24, 80}, {-106, -33, 33, 106}, {-183, -47, 47, 183}}

// paint writes a block; alpha takes green as alpha and leaves colour alone.
func (lz *basisLZ) paint(out []byte, e endpoint, selector uint32, x, y, w, h int, alpha bool) {
	var palette [4][4]byte
	for i, d := range modifiers[e.table] {
		for k, c := range e.colour {
			v := int(c)<<3 | int(c)>>2
			palette[i][k] = byte(min(max(v+d, 0), 255))
		}
		palette[i][3] = 255
	}
	for r := range min(4, h-y) {
		for c := range min(4, w-x) {
			p := &palette[selector>>(2*(4*r+c))&3]
			at := ((y+r)*w + x + c) * 4
			if alpha {
				out[at+3] = p[1]
			} else {
				copy(out[at:at+4], p[:])
			}
		}
	}
}

// How endpoints and selectors are referred to.
const (
	repeatPrediction = 256 // the last prediction, a few times
	minRepeat        = 3
	longRun          = 63
	minRun           = 3
)

// history is an approximation of a list with the last used in front.
type history struct {
	values []int
	rover  int
}

func (h *history) add(v int) {
	if len(h.values) == 0 {
		return
	}
	h.values[h.rover] = v
	if h.rover++; h.rover == len(h.values) {
		h.rover = len(h.values) / 2
	}
}

func (h *history) use(i int) int {
	v := h.values[i]
	h.values[i], h.values[i/2] = h.values[i/2], v
	return v
}

// slice decodes the blocks of a slice.
func (lz *basisLZ) slice(out, data []byte, w, h int, alpha bool) error {
	b := &bitReader{data: data}
	bw, bh := (w+3)/4, (h+3)/4
	above, row := make([]int, bw), make([]int, bw)
	below := make([]int, (bw+1)/2) // predictions of the second row of each pair
	list := history{values: make([]int, lz.history), rover: lz.history / 2}
	count := len(lz.selectors)
	var predictions, lastPredictions, repeats, run, last int
	for y := range bh {
		for x := range bw {
			if x%2 == 0 {
				if y%2 == 1 {
					predictions = below[x/2]
				} else {
					if repeats > 0 {
						repeats--
						predictions = lastPredictions
					} else if predictions = b.symbol(lz.prediction); predictions == repeatPrediction {
						repeats = b.variable(4) + minRepeat - 1
						predictions = lastPredictions
					} else {
						lastPredictions = predictions
					}
					below[x/2] = predictions >> 4
				}
			}
			if predictions < 0 || predictions > 255 || b.cut() {
				return fmt.Errorf("block at %d,%d: %w", x, y, ErrBroken)
			}
			p := predictions & 3
			predictions >>= 2
			switch {
			case p == 0 && x > 0:
			case p == 1 && y > 0:
				last = above[x]
			case p == 2 && x > 0 && y > 0:
				last = above[x-1]
			case p == 3:
				d := b.symbol(lz.delta)
				if d < 0 {
					return fmt.Errorf("block at %d,%d: %w", x, y, ErrBroken)
				}
				if last += d; last >= len(lz.endpoints) {
					last -= len(lz.endpoints)
				}
			default:
				return fmt.Errorf("block at %d,%d has no neighbour to be predicted from: %w", x, y, ErrBroken)
			}
			row[x] = last
			s := count
			if run > 0 {
				run--
			} else if s = b.symbol(lz.selector); s == count+lz.history {
				n := b.symbol(lz.run)
				if n == longRun {
					n += b.variable(7) - longRun
				}
				run = n + minRun - 1
				s = count
			}
			switch {
			case s < 0 || run < 0 || s >= count+lz.history:
				return fmt.Errorf("block at %d,%d: %w", x, y, ErrBroken)
			case s >= count:
				s = list.use(s - count)
			default:
				list.add(s)
			}
			if last >= len(lz.endpoints) || s >= count {
				return fmt.Errorf("block at %d,%d: %w", x, y, ErrBroken)
			}
			lz.paint(out, lz.endpoints[last], lz.selectors[s], x*4, y*4, w, h, alpha)
		}
		above, row = row, above
	}
	if b.cut() {
		return fmt.Errorf("a slice ends too early: %w", ErrBroken)
	}
	return nil
}
