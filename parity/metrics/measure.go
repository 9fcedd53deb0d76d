// Package metrics measures how far two pictures are apart, judges the measures against limits, and looks for what would explain a difference.
//
// Pictures are *image.NRGBA (8 bits) or *image.NRGBA64 (16 bits), straight alpha, samples as stored: no metric here converts between colour
// encodings unless its text says so. Differences are on the scale 0…255 for both depths, so that a limit means one thing; a 16-bit picture has
// fractions. The golden always comes first. Nothing here reads files, and only Measure and FLIP use more than one core.
package metrics

import (
	"errors"
	"fmt"
	"image"
	"image/color"
	"math"
	"runtime"
	"sync"
	"sync/atomic"

	"darkroom/goldens/picture"
)

// ErrSize is wrapped by the error for two pictures of different sizes. They are never cropped or scaled to fit.
var ErrSize = errors.New("sizes differ")

// Background of the reference scenes, (0.2, 0.2, 0.3) as 8-bit display values, which the region MAD leaves out.
var defaultBackground = color.NRGBA{51, 51, 77, 255}

const (
	// RegionDistance is the Euclidean RGB distance from the background beyond which a golden's pixel belongs to the region. Babylon Lite's
	// compareRegion uses the same 30.
	RegionDistance = 30

	// DefaultOverAbove is the magnitude for Measures.OverShare when Options does not say.
	DefaultOverAbove = 32

	cell = 8        // edge of the squares that differences are summed in, pixels
	tile = 2 * cell // edge of the windows of TileMAD, pixels
)

// Options for Measure. The zero value is useful.
type Options struct {
	// Background that the region MAD leaves out; nil is (51, 51, 77). Alpha is ignored.
	Background *color.NRGBA
	// NoRegion leaves RegionMAD out (NaN).
	NoRegion bool
	// OverAbove is the magnitude of OverShare; 0 is DefaultOverAbove. To count every difference use a negative value.
	OverAbove float64
	// Workers is the number of cores to use; 0 is GOMAXPROCS.
	Workers int
}

func (o Options) background() color.NRGBA {
	if o.Background == nil {
		return defaultBackground
	}
	return *o.Background
}

func (o Options) overAbove() float64 {
	switch {
	case o.OverAbove == 0:
		return DefaultOverAbove
	case o.OverAbove < 0:
		return 0
	}
	return o.OverAbove
}

// Measures of a pair of pictures. Shares are 0…1.
type Measures struct {
	Width, Height int
	Pixels        int
	// Identical: every byte is equal, alpha included. Then all differences are 0, Within is 1, and the region was not looked at.
	Identical bool
	// MAD is the mean over pixels of (|dR|+|dG|+|dB|)/3; alpha does not count.
	MAD float64
	// RegionMAD is MAD over the pixels whose golden colour is more than RegionDistance from the background; NaN where there are none. A mask
	// that selects nothing has compared nothing, which must not read as 0.
	RegionMAD    float64
	RegionPixels int
	// MaxDiff is the largest difference of a colour channel.
	MaxDiff float64
	// Within0 … Within5 are the shares of pixels whose largest colour channel difference is at most 0, 1, 3 and 5.
	Within0, Within1, Within3, Within5 float64
	// TileMAD is the largest MAD of a 16×16 window, windows being 8 pixels apart, and Tile its box. At the right and lower border, and in
	// smaller pictures, the window is what there is of it, at least 9 pixels wide where the picture is.
	TileMAD float64
	Tile    image.Rectangle
	// OverShare is the share of pixels whose largest colour channel difference is above OverAbove, and Over their number.
	OverAbove float64
	Over      int
	OverShare float64
	// AlphaMAD and AlphaMax are the mean and the largest difference of alpha.
	AlphaMAD, AlphaMax float64
	// Histogram[d] counts the pixels whose largest colour channel difference is d (16-bit pictures: rounded up).
	Histogram [256]int
}

// Measure compares two pictures of one size. Where one has 16 bits and the other 8, the 8-bit one is widened (v·257).
func Measure(golden, actual image.Image, opt Options) (Measures, error) {
	g, w, h, gp, err := picture.Rows(golden)
	if err != nil {
		return Measures{}, fmt.Errorf("golden: %w", err)
	}
	a, aw, ah, ap, err := picture.Rows(actual)
	if err != nil {
		return Measures{}, fmt.Errorf("actual: %w", err)
	}
	if w != aw || h != ah {
		return Measures{}, fmt.Errorf("%w: golden is %d×%d, picture is %d×%d; pictures are never cropped to fit", ErrSize, w, h, aw, ah)
	}
	if w == 0 || h == 0 {
		return Measures{}, fmt.Errorf("%w: there are no pixels to compare (%d×%d)", ErrSize, w, h)
	}
	m := Measures{Width: w, Height: h, Pixels: w * h, OverAbove: opt.overAbove(), RegionMAD: math.NaN()}
	if g8, ok := golden.(*image.NRGBA); ok && gp == ap && picture.Equal(g8, actual.(*image.NRGBA)) {
		m.identical()
		return m, nil
	}
	unit := 1.0
	newBand := func() band { return newBand8(g, a, w, opt) }
	if gp == 8 || ap == 8 {
		unit = 257
		g, a = widen(g, gp), widen(a, ap)
		newBand = func() band { return newBand16(g, a, w, opt, m.OverAbove) }
	}

	cw, ch := (w+cell-1)/cell, (h+cell-1)/cell
	cells := make([]uint32, cw*ch)
	total := parallel(ch, opt.workers(w*h), newBand, func(b band, cy int) {
		b.run(cy*cell, min(h, cy*cell+cell), cells[cy*cw:cy*cw+cw])
	})

	n := float64(w * h)
	for _, c := range cells {
		m.MAD += float64(c)
	}
	m.MAD /= unit * 3 * n
	for d, c := range total.hist {
		m.Histogram[d] = int(c)
		if c > 0 {
			m.MaxDiff = float64(d)
		}
	}
	var over int
	if unit == 1 {
		for d := int(math.Floor(m.OverAbove)) + 1; d < 256 && d >= 0; d++ {
			over += m.Histogram[d]
		}
	} else {
		over, m.MaxDiff = total.over, float64(total.max)/unit
	}
	m.Over, m.OverShare = over, float64(over)/n
	h0 := m.Histogram
	m.Within0 = float64(h0[0]) / n
	m.Within1 = float64(h0[0]+h0[1]) / n
	m.Within3 = float64(h0[0]+h0[1]+h0[2]+h0[3]) / n
	m.Within5 = float64(h0[0]+h0[1]+h0[2]+h0[3]+h0[4]+h0[5]) / n
	m.AlphaMAD, m.AlphaMax = float64(total.alphaSum)/unit/n, float64(total.alphaMax)/unit
	m.RegionPixels = total.regionPixels
	if total.regionPixels > 0 {
		m.RegionMAD = float64(total.regionSum) / unit / 3 / float64(total.regionPixels)
	}
	m.TileMAD, m.Tile = worstTile(cells, w, h, unit)
	// Equal 16-bit pictures come here too; those of 8 bits left above.
	if m.MaxDiff == 0 && m.AlphaMax == 0 {
		m.identical()
	}
	return m, nil
}

func (m *Measures) identical() {
	m.Identical = true
	m.Within0, m.Within1, m.Within3, m.Within5 = 1, 1, 1, 1
	m.RegionMAD = 0
	m.Histogram[0] = m.Pixels
}

func (o Options) workers(pixels int) int {
	n := o.Workers
	if n <= 0 {
		n = runtime.GOMAXPROCS(0)
	}
	// Below a few thousand pixels a core starts later than another ends.
	return max(1, min(n, pixels/16384))
}

// sums are what a band adds up beside its cells.
type sums struct {
	hist         [256]uint64
	max          uint32 // colour, 16-bit pictures only
	over         int    // 16-bit pictures only
	alphaSum     uint64
	alphaMax     uint32
	regionSum    uint64
	regionPixels int
}

func (s *sums) add(t *sums) {
	for i, c := range t.hist {
		s.hist[i] += c
	}
	s.max = max(s.max, t.max)
	s.over += t.over
	s.alphaSum += t.alphaSum
	s.alphaMax = max(s.alphaMax, t.alphaMax)
	s.regionSum += t.regionSum
	s.regionPixels += t.regionPixels
}

// A band adds the differences of rows y0…y1 to cells, |dR|+|dG|+|dB| in units of the depth, and the rest to its own sums.
type band interface {
	run(y0, y1 int, cells []uint32)
	sums() *sums
}

// parallel hands the n bands to workers, each with its own sums, and adds the sums up. Integers only: the order does not show.
func parallel(n, workers int, newBand func() band, run func(b band, i int)) *sums {
	total := new(sums)
	if workers <= 1 {
		b := newBand()
		for i := range n {
			run(b, i)
		}
		total.add(b.sums())
		return total
	}
	var next atomic.Int64
	var mu sync.Mutex
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			b := newBand()
			for i := next.Add(1) - 1; i < int64(n); i = next.Add(1) - 1 {
				run(b, int(i))
			}
			mu.Lock()
			total.add(b.sums())
			mu.Unlock()
		})
	}
	wg.Wait()
	return total
}

// worstTile slides a window of 2×2 cells over the cells.
func worstTile(cells []uint32, w, h int, unit float64) (float64, image.Rectangle) {
	cw, ch := (w+cell-1)/cell, (h+cell-1)/cell
	worst, at := -1.0, image.Rectangle{}
	for cy := 0; cy == 0 || cy < ch-1; cy++ {
		for cx := 0; cx == 0 || cx < cw-1; cx++ {
			x1, y1 := min(w, cx*cell+tile), min(h, cy*cell+tile)
			var sum uint64
			for j := cy; j < min(ch, cy+2); j++ {
				for i := cx; i < min(cw, cx+2); i++ {
					sum += uint64(cells[j*cw+i])
				}
			}
			// Most windows are empty or far below the worst; only full-size ones can skip the division.
			area := (x1 - cx*cell) * (y1 - cy*cell)
			if mad := float64(sum) / float64(area); mad > worst {
				worst, at = mad, image.Rect(cx*cell, cy*cell, x1, y1)
			}
		}
	}
	return worst / (3 * unit), at
}

// widen turns rows of 8-bit channels into rows of 16-bit ones; rows that have 16 bits stay.
func widen(row func(int) []byte, pixel int) func(int) []byte {
	if pixel == 8 {
		return row
	}
	return func(y int) []byte {
		r := row(y)
		wide := make([]byte, 2*len(r))
		for i, v := range r {
			wide[2*i], wide[2*i+1] = v, v
		}
		return wide
	}
}
