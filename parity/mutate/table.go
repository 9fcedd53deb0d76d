package mutate

import (
	"context"
	"fmt"
	"image"
	"path/filepath"
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
	// References is the folder of the reference engine's pictures, SCENE.png;
	// empty leaves them out.
	References    string
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
				if c.Outcome, c.MAD, err = judge(right, wrong, ref, e.Limit(o.Renderer.Adapter().Type)); err != nil {
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
	if o.References == "" {
		return nil
	}
	img, _, err := png.Read(filepath.Join(o.References, e.Name+".png"), png.Caps{})
	if err != nil {
		return nil
	}
	m, err := metrics.Measure(img, right, metrics.Options{NoRegion: true})
	if err != nil || m.MAD > e.Limit(o.Renderer.Adapter().Type) {
		return nil
	}
	return img
}

func judge(right, wrong, reference image.Image, limit float64) (Outcome, float64, error) {
	m, err := metrics.Measure(right, wrong, metrics.Options{NoRegion: true})
	if err != nil {
		return Failed, 0, err
	}
	if m.Identical {
		return Equivalent, 0, nil
	}
	out := Unnoticed
	if !metrics.Gate(metrics.DefaultLimits(), m).OK {
		out = Own
	}
	if reference != nil {
		r, err := metrics.Measure(reference, wrong, metrics.Options{NoRegion: true})
		if err != nil {
			return Failed, 0, err
		}
		switch {
		case r.MAD > limit && out == Own:
			out = Both
		case r.MAD > limit:
			out = Reference
		}
	}
	return out, m.MAD, nil
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
