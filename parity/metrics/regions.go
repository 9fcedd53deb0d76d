package metrics

import (
	"cmp"
	"image"
	"slices"

	"darkroom/goldens/picture"
	"darkroom/parity/verdict"
)

// Regions finds the connected places where two pictures differ, the one with the greatest sum of differences first, at most n of them. Two
// pixels are connected when their 8×8 cells touch, so that the two edges of a moved line are one place. A pixel counts when its largest
// channel difference, alpha included, is above the level that no more than a quarter of the picture exceeds: a faint shift of everything does
// not hide the hole in its middle.
func Regions(golden, actual image.Image, m Measures, n int) []verdict.Region {
	g, w, h, gp, err := picture.Rows(golden)
	if err != nil {
		return nil
	}
	a, aw, ah, ap, err := picture.Rows(actual)
	if err != nil || w != aw || h != ah || w == 0 || h == 0 {
		return nil
	}
	if gp != ap {
		g, a, gp = widen(g, gp), widen(a, ap), 8
	}
	// In units of the depth; the first level with at most a quarter of the pixels above it.
	level, unit, above := 0, 1, m.Pixels-m.Histogram[0]
	for level < 255 && above > m.Pixels/4 {
		level++
		above -= m.Histogram[level]
	}
	if gp == 8 {
		unit = 257
	}

	cw, ch := (w+cell-1)/cell, (h+cell-1)/cell
	hit := make([]bool, cw*ch)
	diff := func(y, x int) int { return diffAt(g(y), a(y), x, gp) }
	for y := range h {
		gr, ar := g(y), a(y)
		for cx := range cw {
			i, j := cx*cell*gp, min(len(gr), (cx+1)*cell*gp)
			if hit[y/cell*cw+cx] || string(gr[i:j]) == string(ar[i:j]) {
				continue
			}
			for x := cx * cell; x < min(w, (cx+1)*cell); x++ {
				if diffAt(gr, ar, x, gp) > level*unit {
					hit[y/cell*cw+cx] = true
					break
				}
			}
		}
	}

	var found []verdict.Region
	var stack []int
	for start := range hit {
		if !hit[start] {
			continue
		}
		box := image.Rectangle{}
		stack = append(stack[:0], start)
		hit[start] = false
		for len(stack) > 0 {
			c := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			cx, cy := c%cw, c/cw
			box = box.Union(image.Rect(cx*cell, cy*cell, min(w, cx*cell+cell), min(h, cy*cell+cell)))
			for y := max(0, cy-1); y <= min(ch-1, cy+1); y++ {
				for x := max(0, cx-1); x <= min(cw-1, cx+1); x++ {
					if k := y*cw + x; hit[k] {
						hit[k] = false
						stack = append(stack, k)
					}
				}
			}
		}
		box = tighten(box, func(x, y int) bool { return diff(y, x) > level*unit })
		r := verdict.Region{Box: verdict.Box{X: box.Min.X, Y: box.Min.Y, Width: box.Dx(), Height: box.Dy()}}
		var sum float64
		for y := box.Min.Y; y < box.Max.Y; y++ {
			gr, ar := g(y), a(y)
			for x := box.Min.X; x < box.Max.X; x++ {
				if d := diffAt(gr, ar, x, gp); d > 0 {
					r.Pixels++
				}
				sum += colourSum(gr, ar, x, gp)
			}
		}
		r.MAD = sum / float64(3*unit*box.Dx()*box.Dy())
		found = append(found, r)
	}
	weight := func(r verdict.Region) float64 { return r.MAD * float64(r.Width*r.Height) }
	slices.SortStableFunc(found, func(a, b verdict.Region) int { return cmp.Compare(weight(b), weight(a)) })
	return found[:min(n, len(found))]
}

// tighten shrinks a box of cells to the pixels that are in.
func tighten(b image.Rectangle, in func(x, y int) bool) image.Rectangle {
	row := func(y int) bool {
		for x := b.Min.X; x < b.Max.X; x++ {
			if in(x, y) {
				return true
			}
		}
		return false
	}
	column := func(x int) bool {
		for y := b.Min.Y; y < b.Max.Y; y++ {
			if in(x, y) {
				return true
			}
		}
		return false
	}
	for b.Dy() > 1 && !row(b.Min.Y) {
		b.Min.Y++
	}
	for b.Dy() > 1 && !row(b.Max.Y-1) {
		b.Max.Y--
	}
	for b.Dx() > 1 && !column(b.Min.X) {
		b.Min.X++
	}
	for b.Dx() > 1 && !column(b.Max.X-1) {
		b.Max.X--
	}
	return b
}

// diffAt is the largest difference of the four channels of pixel x of two rows.
func diffAt(g, a []byte, x, pixel int) int {
	top := 0
	if pixel == 4 {
		for c := x * 4; c < x*4+4; c++ {
			top = max(top, int(absDiff(g[c], a[c])))
		}
		return top
	}
	for c := x * 8; c < x*8+8; c += 2 {
		top = max(top, int(absDiff16(uint16(g[c])<<8|uint16(g[c+1]), uint16(a[c])<<8|uint16(a[c+1]))))
	}
	return top
}

// colourSum is |dR|+|dG|+|dB| of pixel x.
func colourSum(g, a []byte, x, pixel int) float64 {
	sum := 0
	if pixel == 4 {
		for c := x * 4; c < x*4+3; c++ {
			sum += int(absDiff(g[c], a[c]))
		}
		return float64(sum)
	}
	for c := x * 8; c < x*8+6; c += 2 {
		sum += int(absDiff16(uint16(g[c])<<8|uint16(g[c+1]), uint16(a[c])<<8|uint16(a[c+1])))
	}
	return float64(sum)
}
