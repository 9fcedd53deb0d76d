package metrics

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"darkroom/parity/verdict"
)

// Metric names a measure that a limit can be set on. The names are those of the JSON document and of the tolerance ledger.
type Metric string

const (
	MAD       Metric = "mad"
	RegionMAD Metric = "region_mad"
	TileMAD   Metric = "tile_mad"
	MaxDiff   Metric = "max_diff"
	OverShare Metric = "over_share" // of pixels that differ by more than Options.OverAbove
	AlphaMax  Metric = "alpha_max"
	FLIPMean  Metric = "flip"
)

// order in which gates are judged and reported.
var order = [...]Metric{MAD, RegionMAD, TileMAD, OverShare, MaxDiff, AlphaMax, FLIPMean}

// Limits are the largest values that pass. A metric that is not in the map is not gated.
type Limits map[Metric]float64

// DefaultLimits are for a golden of the same adapter, where a picture repeats to the byte or nearly so. They are gated together because no one
// of them is enough: one white pixel in a 4K frame moves the MAD by 0.00002 and is caught by over_share and tile_mad; an exposure error of 12
// in every pixel leaves no single pixel far off and is caught by the MAD.
func DefaultLimits() Limits {
	return Limits{MAD: 0.1, TileMAD: 2, OverShare: 0, AlphaMax: 2}
}

// With returns a copy in which the limits of over replace or join those of l. A NaN in over takes a gate away.
func (l Limits) With(over Limits) Limits {
	out := maps.Clone(l)
	if out == nil {
		out = Limits{}
	}
	for m, v := range over {
		if math.IsNaN(v) {
			delete(out, m)
			continue
		}
		out[m] = v
	}
	return out
}

// Check says what is wrong with the limits themselves: an unknown metric, a limit that is negative or not a number, or no limit at all.
func (l Limits) Check() error {
	if len(l) == 0 {
		return fmt.Errorf("limits: there are none, so nothing would be judged; start from DefaultLimits")
	}
	for _, m := range slices.Sorted(maps.Keys(l)) {
		if !slices.Contains(order[:], m) {
			return fmt.Errorf("limits: %q is none of the metrics %v", m, order)
		}
		if v := l[m]; math.IsNaN(v) || v < 0 {
			return fmt.Errorf("limits: %s is %v; a limit is a number from 0 up", m, v)
		}
	}
	return nil
}

// value of a metric, NaN where it was not measured.
func (m *Measures) value(x Metric) float64 {
	switch x {
	case MAD:
		return m.MAD
	case RegionMAD:
		return m.RegionMAD
	case TileMAD:
		return m.TileMAD
	case MaxDiff:
		return m.MaxDiff
	case OverShare:
		return m.OverShare
	case AlphaMax:
		return m.AlphaMax
	}
	return math.NaN()
}

// Measured lists the metrics that Measure fills in.
func Measured() []Metric { return []Metric{MAD, RegionMAD, TileMAD, OverShare, MaxDiff, AlphaMax} }

// Values are the measures by metric; NaN where one was not taken.
func (m *Measures) Values() map[Metric]float64 {
	out := map[Metric]float64{}
	for _, x := range Measured() {
		out[x] = m.value(x)
	}
	return out
}

// Judgement is the outcome of all gates.
type Judgement struct {
	OK     bool
	Gates  []verdict.Gate
	Reason string // the gates that failed, in one line; empty where OK
}

// Gate holds measures against limits. Every gate must hold. A measure that is NaN fails its gate, as do measures of no pixels and limits that
// are empty or faulty: what was not compared is never a pass. FLIP is gated only with GateWith, since Measure does not compute it.
func Gate(l Limits, m Measures) Judgement { return GateWith(l, m, math.NaN()) }

// GateWith is Gate with the mean FLIP of the pair.
func GateWith(l Limits, m Measures, flip float64) Judgement {
	if err := l.Check(); err != nil {
		return Judgement{Reason: err.Error()}
	}
	if m.Pixels <= 0 {
		return Judgement{Reason: "no pixels were compared"}
	}
	j := Judgement{OK: true}
	var failed []string
	for _, x := range order {
		limit, gated := l[x]
		if !gated {
			continue
		}
		v := m.value(x)
		if x == FLIPMean {
			v = flip
			if m.Identical {
				v = 0
			}
		}
		// Written so that NaN does not pass.
		g := verdict.Gate{Name: string(x), Value: verdict.Num(v), Limit: limit, OK: v <= limit}
		if !g.OK {
			g.Text = m.explain(x, v, limit)
			failed = append(failed, g.Text)
			j.OK = false
		}
		j.Gates = append(j.Gates, g)
	}
	j.Reason = strings.Join(failed, "; ")
	return j
}

func (m *Measures) explain(x Metric, v, limit float64) string {
	if math.IsNaN(v) {
		if x == RegionMAD {
			return "region MAD: the golden has no pixel off the background colour, so there is no region to compare; set the scene's background or drop the limit"
		}
		return fmt.Sprintf("%s was not measured, so it cannot be within %s", x, num(limit))
	}
	switch x {
	case MAD:
		return fmt.Sprintf("MAD %s is over its limit %s", num(v), num(limit))
	case RegionMAD:
		return fmt.Sprintf("region MAD %s is over its limit %s (%d pixels)", num(v), num(limit), m.RegionPixels)
	case TileMAD:
		return fmt.Sprintf("the worst 16×16 window, at (%d, %d), has MAD %s, limit %s", m.Tile.Min.X, m.Tile.Min.Y, num(v), num(limit))
	case OverShare:
		pixels := "pixels differ"
		if m.Over == 1 {
			pixels = "pixel differs"
		}
		return fmt.Sprintf("%d %s by more than %s (%s%% of the picture, limit %s%%)", m.Over, pixels, num(m.OverAbove), num(100*v), num(100*limit))
	case MaxDiff:
		return fmt.Sprintf("the largest difference is %s, limit %s", num(v), num(limit))
	case AlphaMax:
		return fmt.Sprintf("alpha differs by up to %s, limit %s", num(v), num(limit))
	}
	return fmt.Sprintf("%s %s is over its limit %s", x, num(v), num(limit))
}

// num prints a measure with four significant digits and no exponent.
func num(x float64) string {
	if x == 0 || math.IsInf(x, 0) {
		return strconv.FormatFloat(x, 'g', -1, 64)
	}
	digits := 3 - int(math.Floor(math.Log10(math.Abs(x))))
	s := strconv.FormatFloat(x, 'f', max(0, min(12, digits)), 64)
	if strings.Contains(s, ".") {
		s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	}
	return s
}

// Fill writes the measures into a result of the document.
func (m *Measures) Fill(r *verdict.Result) {
	r.Width, r.Height, r.Identical = m.Width, m.Height, m.Identical
	r.MAD, r.RegionMAD, r.MaxDiff = verdict.Num(m.MAD), verdict.Num(m.RegionMAD), verdict.Num(m.MaxDiff)
	r.TileMAD = verdict.Num(m.TileMAD)
	if !m.Identical {
		r.Tile = &verdict.Box{X: m.Tile.Min.X, Y: m.Tile.Min.Y, Width: m.Tile.Dx(), Height: m.Tile.Dy()}
	}
	r.Within = &verdict.Within{Exact: m.Within0, One: m.Within1, Three: m.Within3, Five: m.Within5}
	r.OverShare, r.OverAbove, r.AlphaMax = verdict.Num(m.OverShare), verdict.Num(m.OverAbove), verdict.Num(m.AlphaMax)
}

// Fill writes the gates, the verdict and the two published limits into a result.
func (j Judgement) Fill(r *verdict.Result, l Limits) {
	r.Gates, r.Reason = j.Gates, j.Reason
	r.Verdict = verdict.Mismatch
	if j.OK {
		r.Verdict = verdict.Pass
	}
	if v, ok := l[MAD]; ok {
		r.Limit = verdict.Num(v)
	}
	if v, ok := l[RegionMAD]; ok {
		r.RegionLimit = verdict.Num(v)
	}
}
