package metrics

import (
	"image"

	"darkroom/goldens/picture"
)

// What kind of difference a pair shows; the words of the JSON document.
const (
	KindNone       = "none"
	KindEdges      = "edges"      // nearly all on edges of the pictures: coverage, sampling position, a shift of less than a pixel
	KindInterior   = "interior"   // more than half inside of surfaces: shading, a texture, an object that is gone
	KindMixed      = "mixed"      // both
	KindEverywhere = "everywhere" // most pixels: exposure, encoding, the wrong picture
	KindAlpha      = "alpha"      // alpha alone
)

const (
	edgeContrast = 16   // luma range of a 3×3 neighbourhood that makes an edge
	edgeShare    = 0.95 // of the sum of differences that makes the kind edges
	wholeShare   = 0.6  // of the pixels that makes it everywhere
)

// Kind tells differences on edges from those inside of surfaces. Every pixel weighs as much as it differs, and differences of the last bit of 8
// count only where there are no greater ones. A pixel is on an edge when luma
// varies by 16 or more within the 3×3 neighbourhood, in either picture, of itself or of one of its eight neighbours.
func Kind(golden, actual image.Image) string {
	g, w, h, err := luma(golden)
	if err != nil {
		return KindNone
	}
	a, aw, ah, err := luma(actual)
	if err != nil || w != aw || h != ah {
		return KindNone
	}
	gr, _, _, gp, _ := picture.Rows(golden)
	ar, _, _, ap, _ := picture.Rows(actual)
	if gp != ap {
		gr, ar, gp = widen(gr, gp), widen(ar, ap), 8
	}
	unit := 1.0
	if gp == 8 {
		unit = 257
	}
	ge, ae := steep(g, w, h), steep(a, w, h)
	// Twice: what differs by more than the last bit, and what differs at all for pictures in which nothing does.
	var all, onEdge [2]float64
	var count [2]int
	alpha := false
	for y := range h {
		p, q := gr(y), ar(y)
		for x := range w {
			top := float64(diffAt(p, q, x, gp)) / unit
			if top == 0 {
				continue
			}
			d := colourSum(p, q, x, gp) / unit / 3
			if d == 0 {
				alpha = true
				continue
			}
			for k := range all {
				if k == 1 || top > 1 {
					count[k]++
					all[k] += d
					if i := y*w + x; ge[i] || ae[i] {
						onEdge[k] += d
					}
				}
			}
		}
	}
	k := 0
	if all[0] == 0 {
		k = 1
	}
	switch {
	case all[k] == 0 && alpha:
		return KindAlpha
	case all[k] == 0:
		return KindNone
	case float64(count[k]) > wholeShare*float64(w*h):
		return KindEverywhere
	case onEdge[k] >= edgeShare*all[k]:
		return KindEdges
	case onEdge[k] < 0.5*all[k]:
		return KindInterior
	}
	return KindMixed
}

// steep marks the pixels near which luma varies by edgeContrast or more within 3×3, and their eight neighbours.
func steep(p []float32, w, h int) []bool {
	edge := make([]bool, w*h)
	for y := range h {
		for x := range w {
			lo, hi := p[y*w+x], p[y*w+x]
			for j := max(0, y-1); j <= min(h-1, y+1); j++ {
				for i := max(0, x-1); i <= min(w-1, x+1); i++ {
					lo, hi = min(lo, p[j*w+i]), max(hi, p[j*w+i])
				}
			}
			edge[y*w+x] = hi-lo >= edgeContrast
		}
	}
	near := make([]bool, w*h)
	for y := range h {
		for x := range w {
			if !edge[y*w+x] {
				continue
			}
			for j := max(0, y-1); j <= min(h-1, y+1); j++ {
				for i := max(0, x-1); i <= min(w-1, x+1); i++ {
					near[j*w+i] = true
				}
			}
		}
	}
	return near
}
