package explain

import (
	"encoding/binary"
	"fmt"
	"image"
	"image/color"
	"math"
	"os"
	"path/filepath"
	"strings"

	"darkroom/goldens/png"
)

// Row is a stage on both sides.
type Row struct {
	Stage Stage  `json:"stage"`
	Equal bool   `json:"equal"` // to the byte
	Parts bool   `json:"parts"` // differs by more than the tolerance
	Why   string `json:"why,omitempty"`
	// MAD is the mean absolute difference of the channels, Max the largest, with
	// 0…1 stretched to 0…255 as in an 8-bit picture.
	MAD float64 `json:"mad"`
	Max float64 `json:"max"`
}

// Report says where two sides part.
type Report struct {
	Scene string `json:"scene"`
	A, B  string
	Rows  []Row `json:"rows"`
	// First is the index of the first row that parts, -1 where none does.
	First int `json:"first"`
	// Text says in a sentence what parted and what that means.
	Text string `json:"text"`
	// Pictures of the first stage that parts: A's, B's and the difference, scaled to its largest value.
	PictureA, PictureB, Diff string
	Notes                    []string `json:"notes,omitempty"`
}

// CompareOptions for Compare.
type CompareOptions struct {
	// Tolerance is the largest MAD (0…255) of a stage that still counts as equal.
	// Zero is for one adapter, where everything repeats to the byte; two drivers
	// need about 0.5.
	Tolerance float64
	// Out is the folder for the pictures; empty writes none.
	Out string
}

// Compare finds the first stage in which two traces part.
func Compare(a, b *Trace, o CompareOptions) (*Report, error) {
	rep := &Report{Scene: a.Scene, A: a.Side, B: b.Side, First: -1}
	for _, t := range []*Trace{a, b} {
		for _, n := range t.Notes {
			rep.Notes = append(rep.Notes, t.Side+": "+n)
		}
	}
	list := a.Stages
	// Against a golden there is only the last picture.
	if len(a.Stages) == 1 && a.Stages[0].Name == "picture" || len(b.Stages) == 1 && b.Stages[0].Name == "picture" {
		x, y := a.canvas(), b.canvas()
		if x == nil || y == nil {
			return nil, fmt.Errorf("a side has no picture of the canvas")
		}
		row, err := compareStages(a, b, x, y, o)
		if err != nil {
			return nil, err
		}
		rep.Rows, list = []Row{row}, nil
		if row.Parts {
			return rep, rep.conclude(a, b, x, y, o)
		}
	}
	var first, second *Stage
	for i := range list {
		x := &list[i]
		y := b.find(x.Name)
		if y == nil {
			rep.Rows = append(rep.Rows, Row{Stage: *x, Parts: true, Why: "is not drawn by " + b.Side})
		} else {
			row, err := compareStages(a, b, x, y, o)
			if err != nil {
				return nil, err
			}
			rep.Rows = append(rep.Rows, row)
		}
		if r := rep.Rows[len(rep.Rows)-1]; r.Parts && first == nil {
			rep.First, first, second = len(rep.Rows)-1, x, y
		}
	}
	if list != nil {
		for i := range b.Stages {
			if y := &b.Stages[i]; a.find(y.Name) == nil {
				rep.Notes = append(rep.Notes, fmt.Sprintf("%s is drawn by %s alone", y.Name, b.Side))
			}
		}
	}
	if first == nil {
		rep.Text = fmt.Sprintf("the sides agree in all %d stages to within a MAD of %g", len(rep.Rows), o.Tolerance)
		return rep, nil
	}
	return rep, rep.conclude(a, b, first, second, o)
}

// canvas is the last picture of the canvas.
func (t *Trace) canvas() *Stage {
	for i := len(t.Stages) - 1; i >= 0; i-- {
		if t.Stages[i].Target == "canvas" {
			return &t.Stages[i]
		}
	}
	return nil
}

func compareStages(a, b *Trace, x, y *Stage, o CompareOptions) (Row, error) {
	r := Row{Stage: *x, Equal: x.Hash == y.Hash}
	switch {
	case x.Width != y.Width || x.Height != y.Height || x.Format != y.Format:
		r.Equal, r.Parts = false, true
		r.Why = fmt.Sprintf("is %dx%d %s on one side and %dx%d %s on the other", x.Width, x.Height, x.Format, y.Width, y.Height, y.Format)
		return r, nil
	case r.Equal:
		return r, nil
	}
	u, v, err := both(a, b, x, y)
	if err != nil {
		return r, err
	}
	if len(u) != len(v) {
		r.Parts, r.Why = true, "has another size in bytes"
		return r, nil
	}
	sum := 0.0
	for i := range u {
		d := math.Abs(u[i]-v[i]) * 255
		if math.IsNaN(d) { // a NaN on one side, or an infinity
			if u[i] == v[i] || u[i] != u[i] && v[i] != v[i] {
				continue
			}
			d = 255
		}
		sum += math.Min(d, 65535)
		r.Max = math.Max(r.Max, math.Min(d, 65535))
	}
	if len(u) > 0 {
		r.MAD = sum / float64(len(u))
	}
	r.Parts = r.MAD > o.Tolerance
	if o.Tolerance == 0 {
		r.Parts = true
	}
	return r, nil
}

func both(a, b *Trace, x, y *Stage) (u, v []float64, err error) {
	if u, err = a.values(x); err != nil {
		return nil, nil, err
	}
	v, err = b.values(y)
	return u, v, err
}

// values reads a stage's channels as numbers, 0…1 for the normalised formats.
func (t *Trace) values(s *Stage) ([]float64, error) {
	raw, err := os.ReadFile(filepath.Join(t.dir, s.File))
	if err != nil {
		return nil, fmt.Errorf("stage %s: %w", s.Name, err)
	}
	var out []float64
	switch f := s.Format; {
	case strings.HasSuffix(f, "16float"):
		for i := 0; i+1 < len(raw); i += 2 {
			out = append(out, half(binary.LittleEndian.Uint16(raw[i:])))
		}
	case strings.HasSuffix(f, "32float") || f == "depth32float":
		for i := 0; i+3 < len(raw); i += 4 {
			out = append(out, float64(math.Float32frombits(binary.LittleEndian.Uint32(raw[i:]))))
		}
	case strings.HasSuffix(f, "16unorm"):
		for i := 0; i+1 < len(raw); i += 2 {
			out = append(out, float64(binary.LittleEndian.Uint16(raw[i:]))/65535)
		}
	default:
		// 8-bit formats; of others (compressed inputs) the bytes.
		out = make([]float64, len(raw))
		for i, v := range raw {
			out[i] = float64(v) / 255
		}
	}
	return out, nil
}

// half is an IEEE 754 binary16 number.
func half(h uint16) float64 {
	sign, e, m := 1.0, int(h>>10&31), float64(h&1023)
	if h>>15 == 1 {
		sign = -1
	}
	switch e {
	case 0:
		return sign * math.Ldexp(m, -24)
	case 31:
		if m != 0 {
			return math.NaN()
		}
		return math.Inf(int(sign))
	}
	return sign * math.Ldexp(1024+m, e-25)
}

// conclude words the finding and draws its pictures.
func (r *Report) conclude(a, b *Trace, x, y *Stage, o CompareOptions) error {
	if r.First < 0 {
		r.First = 0
	}
	row := r.Rows[r.First]
	what := map[string]string{
		"depth":   "the geometry: vertices, transforms, camera, culling or the skin",
		"normals": "the normals: the mesh's, the normal map and its sign, or the tangents; a shader of the user's own shows its colour here",
		"albedo":  "the surface colour: base colour, its texture and colour space",
		"direct":  "direct light: the lights themselves, the BRDF, or how a shadow is looked up",
		"ambient": "ambient and image-based light: the environment, its BRDF table or the occlusion",
		"linear":  "how the light is composed: emission, fog or layers",
	}[x.Part]
	switch {
	case x.Kind == Input:
		what = "what the scene brings: the texture differs before anything is drawn"
	case what == "" && r.First > 0 && r.hasPart(x.Task, r.First):
		what = "what comes after the shading of this pass: image processing (exposure, contrast, tone mapping), blending or antialiasing"
	case what == "":
		what = "this pass itself: everything that it reads is equal"
	}
	r.Text = fmt.Sprintf("the sides part in %s (MAD %.5f, max %.3f)", x.Name, row.MAD, row.Max)
	if row.Why != "" {
		r.Text = "the sides part in " + x.Name + ": it " + row.Why
	}
	if len(r.Rows) > 1 {
		r.Text += "; to look at: " + what
	}
	if x.Kind == Input {
		for _, later := range r.Rows[r.First:] {
			if later.Parts && later.Stage.Kind != Input {
				r.Text += "; it is seen first in " + later.Stage.Name
				break
			}
		}
	}
	if o.Out == "" || y == nil || row.Why != "" {
		return nil
	}
	u, v, err := both(a, b, x, y)
	if err != nil {
		return err
	}
	channels := 0
	if n := x.Width * x.Height; n > 0 {
		channels = len(u) / n
	}
	if channels < 1 || channels > 4 || len(u) != channels*x.Width*x.Height {
		return nil // not a plain picture: layers, or a compressed format
	}
	lo, hi := 0.0, 1.0
	if channels == 1 {
		lo, hi = span(u, v)
	}
	diff, most := make([]float64, len(u)), 0.0
	for i := range u {
		diff[i] = math.Abs(u[i] - v[i])
		if !math.IsNaN(diff[i]) && !math.IsInf(diff[i], 0) {
			most = math.Max(most, diff[i])
		}
	}
	r.PictureA, r.PictureB, r.Diff = filepath.Join(o.Out, "a.png"), filepath.Join(o.Out, "b.png"), filepath.Join(o.Out, "difference.png")
	for _, p := range []struct {
		file   string
		v      []float64
		lo, hi float64
	}{{r.PictureA, u, lo, hi}, {r.PictureB, v, lo, hi}, {r.Diff, diff, 0, most}} {
		if err := png.Write(p.file, paint(p.v, x.Width, x.Height, channels, p.lo, p.hi), png.Options{}); err != nil {
			return err
		}
	}
	return nil
}

// hasPart reports whether parts of the task's shading come before row n.
func (r *Report) hasPart(task string, n int) bool {
	for _, row := range r.Rows[:n] {
		if row.Stage.Kind == Part && strings.HasPrefix(row.Stage.Task, task+": ") {
			return true
		}
	}
	return false
}

// span is the range of finite values, so that depths can be seen.
func span(lists ...[]float64) (lo, hi float64) {
	lo, hi = math.Inf(1), math.Inf(-1)
	for _, l := range lists {
		for _, v := range l {
			if !math.IsNaN(v) && !math.IsInf(v, 0) {
				lo, hi = math.Min(lo, v), math.Max(hi, v)
			}
		}
	}
	if !(hi > lo) {
		return 0, 1
	}
	return lo, hi
}

func paint(v []float64, w, h, channels int, lo, hi float64) *image.NRGBA {
	img := image.NewNRGBA(image.Rect(0, 0, w, h))
	scale := 0.0
	if hi > lo {
		scale = 255 / (hi - lo)
	}
	q := func(x float64) uint8 {
		x = (x - lo) * scale
		switch {
		case x != x:
			return 255
		case x < 0:
			return 0
		case x > 255:
			return 255
		}
		return uint8(x + 0.5)
	}
	for i := range w * h {
		p := v[i*channels : (i+1)*channels]
		c := color.NRGBA{A: 255}
		c.R = q(p[0])
		c.G, c.B = c.R, c.R
		if channels > 1 {
			c.G, c.B = q(p[1]), 0
		}
		if channels > 2 {
			c.B = q(p[2])
		}
		img.SetNRGBA(i%w, i/w, c)
	}
	return img
}
