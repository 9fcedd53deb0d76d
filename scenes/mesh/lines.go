package mesh

import (
	"cmp"
	"math"

	"darkroom/composer"
	"darkroom/scenes/linalg"
)

// LinesOptions are the options of [CreateLines].
type LinesOptions struct {
	Points []linalg.Vec3 `json:"points"`
	Colors []linalg.Vec4 `json:"colors,omitempty"` // r, g, b, a for each point
}

// CreateLines makes a polyline.
func CreateLines(o LinesOptions) (*Geometry, error) {
	c := check{builder: "CreateLines"}
	system := LineSystemOptions{Lines: [][]linalg.Vec3{o.Points}}
	if len(o.Colors) > 0 {
		system.Colors = [][]linalg.Vec4{o.Colors}
	}
	b := lineSystem(&c, system)
	if c.err != nil {
		return nil, c.err
	}
	return b.geometry("lines", c.builder, composer.LineList, o)
}

// LineSystemOptions are the options of [CreateLineSystem].
type LineSystemOptions struct {
	Lines  [][]linalg.Vec3 `json:"lines"`
	Colors [][]linalg.Vec4 `json:"colors,omitempty"` // r, g, b, a for each point of each line
}

// CreateLineSystem makes several polylines in one mesh.
func CreateLineSystem(o LineSystemOptions) (*Geometry, error) {
	c := check{builder: "CreateLineSystem"}
	b := lineSystem(&c, o)
	if c.err != nil {
		return nil, c.err
	}
	return b.geometry("lineSystem", c.builder, composer.LineList, o)
}

func lineSystem(c *check, o LineSystemOptions) *buffers {
	points := 0.0
	for i, line := range o.Lines {
		c.path("a line", line, 0)
		points += float64(len(line))
		if len(o.Colors) == 0 {
			continue
		}
		if i >= len(o.Colors) || len(o.Colors[i]) != len(line) {
			c.failf("line %d has %d points and not as many colours", i, len(line))
			break
		}
		c.vec4s("colors", o.Colors[i], len(line))
	}
	c.budget(points, 2*points, FrontSide)
	if c.err != nil {
		return nil
	}
	b := &buffers{}
	for i, line := range o.Lines {
		for j, p := range line {
			if j > 0 {
				n := uint32(b.count())
				b.idx = append(b.idx, n-1, n)
			}
			b.position(p)
			if len(o.Colors) > 0 {
				b.color(o.Colors[i][j])
			}
		}
	}
	return b
}

// DashedLinesOptions are the options of [CreateDashedLines].
type DashedLinesOptions struct {
	Points   []linalg.Vec3 `json:"points"`
	DashSize float64       `json:"dashSize,omitzero"` // relative to GapSize; default 3
	GapSize  float64       `json:"gapSize,omitzero"`  // relative to DashSize; default 1
	DashNb   float64       `json:"dashNb,omitzero"`   // dashes along all of the line; default 200
}

// CreateDashedLines makes a dashed polyline. Dashes start anew at each point,
// so a segment shorter than a dash with its gap has none.
func CreateDashedLines(o DashedLinesOptions) (*Geometry, error) {
	c := check{builder: "CreateDashedLines"}
	c.path("points", o.Points, 2)
	c.size("dashSize", o.DashSize)
	c.size("gapSize", o.GapSize)
	c.size("dashNb", o.DashNb)
	dash, gap := cmp.Or(o.DashSize, 3), cmp.Or(o.GapSize, 1)
	count := cmp.Or(o.DashNb, 200)
	c.budget(2*count+2*float64(len(o.Points)), 2*count, FrontSide)
	if c.err != nil {
		return nil, c.err
	}
	length := 0.0
	for i := range len(o.Points) - 1 {
		length += o.Points[i+1].Distance(o.Points[i])
	}
	shift := length / count
	dashShift := dash * shift / (dash + gap)
	b := &buffers{}
	for i := range len(o.Points) - 1 {
		way := o.Points[i+1].Sub(o.Points[i])
		n := math.Floor(way.Length() / shift)
		way = way.Normalize()
		for j := 0.0; j < n; j++ {
			at := shift * j
			k := uint32(b.count())
			b.position(o.Points[i].Add(way.Scale(at)))
			b.position(o.Points[i].Add(way.Scale(at + dashShift)))
			b.idx = append(b.idx, k, k+1)
		}
	}
	return b.geometry("dashedLines", c.builder, composer.LineList, o)
}
