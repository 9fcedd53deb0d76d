package mutate

import (
	"context"
	"fmt"
	"image"
	"slices"
	"strings"

	"darkroom/goldens/png"
	"darkroom/parity/metrics"
	"darkroom/renderer"
	"darkroom/scenes"
	"darkroom/scenes/catalogue"
)

// Outcome of a mutant in a scene.
type Outcome string

// Outcomes.
const (
	NotApplicable Outcome = "n/a"      // the scene has nothing that could go wrong in this way
	Unnoticed     Outcome = "missed"   // drawn, and every gate passed
	Own           Outcome = "own"      // only the gates against a golden of the same adapter notice
	Reference     Outcome = "ref"      // only the limit against the reference engine's picture notices
	Both          Outcome = "both"     // either notices
	Failed        Outcome = "error"    // could not be drawn, which is noticed as well
	Equivalent    Outcome = "no trace" // the picture is the same to the byte: nothing is there to notice
)

// Cell is a mutant in a scene.
type Cell struct {
	Scene   string  `json:"scene"`
	Mutant  string  `json:"mutant"`
	Outcome Outcome `json:"outcome"`
	MAD     float64 `json:"mad"` // from the picture without the fault
	// RefMAD is the MAD from the reference picture, RefLimit what it may be; both
	// are zero where there is no reference picture.
	RefMAD   float64 `json:"ref_mad,omitempty"`
	RefLimit float64 `json:"ref_limit,omitempty"`
}

// Table is what the suite noticed.
type Table struct {
	Adapter string   `json:"adapter"`
	Size    string   `json:"size"` // of the pictures; empty: each scene's own
	Mutants []Mutant `json:"-"`
	Scenes  []string `json:"scenes"`
	Cells   []Cell   `json:"cells"`
	// Skipped are scenes that could not be drawn, with the reason.
	Skipped []string `json:"skipped,omitempty"`
}

// Options of Run.
type Options struct {
	Renderer  *renderer.Renderer
	Catalogue catalogue.Catalogue
	Assets    catalogue.Assets
	Mutants   []Mutant // nil: All
	// Reference gives the file of the reference engine's picture of a scene; one
	// that is not there, or a nil func, leaves the reference out.
	Reference     func(scene string) string
	Width, Height int // zero: the scene's own; other sizes have no reference picture
	Progress      func(c Cell)
}

// Run draws every scene without a fault and with each.
func Run(ctx context.Context, o Options) (*Table, error) {
	if o.Mutants == nil {
		o.Mutants = All()
	}
	a := o.Renderer.Adapter()
	t := &Table{Adapter: strings.TrimSpace(a.Name + ", " + a.Driver + " " + a.DriverInfo), Mutants: o.Mutants}
	if o.Width != 0 {
		t.Size = fmt.Sprintf("%dx%d", o.Width, o.Height)
	}
	for _, e := range o.Catalogue {
		if err := t.scene(ctx, o, e); err != nil {
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
			t.Skipped = append(t.Skipped, e.Name+": "+firstLine(err))
		}
	}
	return t, nil
}

func firstLine(err error) string { return strings.SplitN(err.Error(), "\n", 2)[0] }

func (t *Table) scene(ctx context.Context, o Options, e *catalogue.Entry) error {
	set := renderer.Settings{Width: e.Width, Height: e.Height, Time: e.Time}
	if o.Width != 0 {
		set.Width, set.Height = o.Width, o.Height
	}
	draw := func(s *scenes.Scene, set renderer.Settings) (*image.NRGBA, error) {
		f, err := o.Renderer.Render(ctx, s, set)
		if err != nil {
			return nil, err
		}
		return &image.NRGBA{Pix: f.Pix, Stride: f.Width * 4, Rect: image.Rect(0, 0, f.Width, f.Height)}, nil
	}
	s, err := e.Build(o.Assets)
	if err != nil {
		return err
	}
	right, err := draw(s, set)
	if err != nil {
		return err
	}
	t.Scenes = append(t.Scenes, e.Name)
	ref := reference(o, e, right)
	for _, m := range o.Mutants {
		c := Cell{Scene: e.Name, Mutant: m.Name, Outcome: NotApplicable}
		s, err := e.Build(o.Assets)
		if err != nil {
			return err
		}
		altered := set
		if m.Apply(s, &altered) {
			wrong, err := draw(s, altered)
			switch {
			case ctx.Err() != nil:
				return ctx.Err()
			case err != nil:
				c.Outcome = Failed
			default:
				if err := c.judge(right, wrong, ref, e.Limit(o.Renderer.Adapter().Type)); err != nil {
					return err
				}
			}
		}
		t.Cells = append(t.Cells, c)
		if o.Progress != nil {
			o.Progress(c)
		}
	}
	return nil
}

// reference is the reference engine's picture, nil where there is none of this
// size or the scene without a fault is already beyond its limit.
func reference(o Options, e *catalogue.Entry, right image.Image) image.Image {
	if o.Reference == nil {
		return nil
	}
	img, _, err := png.Read(o.Reference(e.Name), png.Caps{})
	if err != nil {
		return nil
	}
	m, err := metrics.Measure(img, right, metrics.Options{NoRegion: true})
	if err != nil || m.MAD > e.Limit(o.Renderer.Adapter().Type) {
		return nil
	}
	return img
}

// judge holds the picture with the fault against the one without and against
// the reference's, which may be nil.
func (c *Cell) judge(right, wrong, reference image.Image, limit float64) error {
	m, err := metrics.Measure(right, wrong, metrics.Options{NoRegion: true})
	if err != nil {
		return err
	}
	if m.Identical {
		c.Outcome = Equivalent
		return nil
	}
	c.Outcome, c.MAD = Unnoticed, m.MAD
	if !metrics.Gate(metrics.DefaultLimits(), m).OK {
		c.Outcome = Own
	}
	if reference == nil {
		return nil
	}
	r, err := metrics.Measure(reference, wrong, metrics.Options{NoRegion: true})
	if err != nil {
		return err
	}
	c.RefMAD, c.RefLimit = r.MAD, limit
	switch {
	case r.MAD > limit && c.Outcome == Own:
		c.Outcome = Both
	case r.MAD > limit:
		c.Outcome = Reference
	}
	return nil
}

// Add takes over the scenes of an earlier table that t does not have, in the
// order of the catalogue; scenes that left the catalogue are left out.
func (t *Table) Add(old *Table, cat catalogue.Catalogue) error {
	if old.Adapter != t.Adapter || old.Size != t.Size {
		return fmt.Errorf("the earlier table is of %s %s, this one of %s %s; draw those scenes again", old.Adapter, old.Size, t.Adapter, t.Size)
	}
	for _, s := range old.Scenes {
		if !slices.Contains(t.Scenes, s) {
			t.Scenes = append(t.Scenes, s)
			for _, c := range old.Cells {
				if c.Scene == s {
					t.Cells = append(t.Cells, c)
				}
			}
		}
	}
	at := map[string]int{}
	for i, e := range cat {
		at[e.Name] = i + 1
	}
	t.Scenes = slices.DeleteFunc(t.Scenes, func(s string) bool { return at[s] == 0 })
	t.Cells = slices.DeleteFunc(t.Cells, func(c Cell) bool { return at[c.Scene] == 0 })
	slices.SortStableFunc(t.Scenes, func(a, b string) int { return at[a] - at[b] })
	slices.SortStableFunc(t.Cells, func(a, b Cell) int { return at[a.Scene] - at[b.Scene] })
	for _, s := range old.Skipped {
		name, _, _ := strings.Cut(s, ":")
		if at[name] != 0 && !slices.Contains(t.Scenes, name) && !slices.ContainsFunc(t.Skipped, func(x string) bool { return strings.HasPrefix(x, name+":") }) {
			t.Skipped = append(t.Skipped, s)
		}
	}
	return nil
}

// Slack counts the faults that the limits against the reference notice, and
// those that they still would if every limit were factor times as wide.
func (t *Table) Slack(factor float64) (now, then int) {
	for _, c := range t.Cells {
		if c.RefLimit == 0 || c.RefMAD <= c.RefLimit {
			continue
		}
		now++
		if c.RefMAD > factor*c.RefLimit {
			then++
		}
	}
	return now, then
}

func (t *Table) cell(scene, mutant string) *Cell {
	for i := range t.Cells {
		if t.Cells[i].Scene == scene && t.Cells[i].Mutant == mutant {
			return &t.Cells[i]
		}
	}
	return nil
}

// Score counts, for a mutant, the scenes whose gates notice it and those in
// which it leaves a trace at all; reference counts the former by the reference alone.
func (t *Table) Score(mutant string) (noticed, reference, traced int) {
	for _, c := range t.Cells {
		if c.Mutant != mutant {
			continue
		}
		switch c.Outcome {
		case NotApplicable, Equivalent:
			continue
		case Own, Failed:
			noticed++
		case Reference, Both:
			noticed++
			reference++
		}
		traced++
	}
	return noticed, reference, traced
}

// Markdown is the table for goldens/SENSITIVITY.md.
func (t *Table) Markdown() string {
	var b strings.Builder
	b.WriteString("# Sensitivity of the suite\n\n")
	b.WriteString("Faults are made on purpose, one at a time, and every scene is drawn with each. Written by `parity mutate`; do not edit.\n\n")
	fmt.Fprintf(&b, "Adapter: %s. ", t.Adapter)
	if t.Size != "" {
		fmt.Fprintf(&b, "Pictures of %s, which have no reference pictures: only the gates of the same adapter are judged.", t.Size)
	} else {
		b.WriteString("Pictures of the scenes' own size.")
	}
	b.WriteString("\n\n`both`: the limit against the reference picture notices, and so do the gates against a golden of the same adapter. `own`: only the latter, `ref`: only the former. `missed`: the picture changed and every gate passed. `·`: the scene has nothing that could go wrong so, or the picture is the same to the byte.\n\n")
	b.WriteString("| fault | what | scenes it shows in | noticed | by the reference | missed in |\n|---|---|---:|---:|---:|---|\n")
	var unseen, nowhere []string
	for _, m := range t.Mutants {
		n, ref, traced := t.Score(m.Name)
		var missed []string
		for _, c := range t.Cells {
			if c.Mutant == m.Name && c.Outcome == Unnoticed {
				missed = append(missed, fmt.Sprintf("%s (MAD %.4f)", c.Scene, c.MAD))
			}
		}
		switch {
		case traced == 0:
			nowhere = append(nowhere, m.Name)
		case n == 0:
			unseen = append(unseen, m.Name)
		}
		fmt.Fprintf(&b, "| %s | %s | %d | %d | %d | %s |\n", m.Name, m.Description, traced, n, ref, strings.Join(missed, ", "))
	}
	if len(nowhere) > 0 {
		fmt.Fprintf(&b, "\nNo scene has anything for: %s.\n", strings.Join(nowhere, ", "))
	}
	if len(unseen) > 0 {
		fmt.Fprintf(&b, "\nNobody notices: %s.\n", strings.Join(unseen, ", "))
	} else {
		b.WriteString("\nEvery fault that shows in a scene is noticed by some scene.\n")
	}
	if now, twice := t.Slack(2); now > 0 {
		_, ten := t.Slack(10)
		fmt.Fprintf(&b, "\nShifted limits: of the %d faults that the limits against the reference pictures notice, %d would still be noticed if every limit were twice as wide, %d if ten times.\n", now, twice, ten)
	}
	b.WriteString("\n| scene |")
	for _, m := range t.Mutants {
		b.WriteString(" " + m.Name + " |")
	}
	b.WriteString("\n|---|" + strings.Repeat("---|", len(t.Mutants)) + "\n")
	for _, s := range t.Scenes {
		fmt.Fprintf(&b, "| %s |", s)
		for _, m := range t.Mutants {
			text := "·"
			if c := t.cell(s, m.Name); c != nil && c.Outcome != NotApplicable && c.Outcome != Equivalent {
				text = string(c.Outcome)
				if c.Outcome == Unnoticed {
					text = fmt.Sprintf("**missed** %.4f", c.MAD)
				}
			}
			b.WriteString(" " + text + " |")
		}
		b.WriteString("\n")
	}
	if len(t.Skipped) > 0 {
		b.WriteString("\nNot drawn:\n\n")
		for _, s := range t.Skipped {
			fmt.Fprintf(&b, "- %s\n", s)
		}
	}
	return b.String()
}
